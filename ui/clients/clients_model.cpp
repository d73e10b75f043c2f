// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clients/clients_model.h"

#include "engine/base/text.h"
#include "ui/shell/theme.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QGuiApplication>
#include <QIcon>

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::ui {

namespace {

using clients::Found;
using clients::State;
using execution::Status;

constexpr std::size_t kMostBytes = 300;
constexpr int kIconPixels = 14;

/// By State.
constexpr std::array kStateTexts{
    QT_TRANSLATE_NOOP("ClientState", "not set up"),
    QT_TRANSLATE_NOOP("ClientState", "set up"),
    QT_TRANSLATE_NOOP("ClientState", "leads elsewhere"),
    QT_TRANSLATE_NOOP("ClientState", "its program is gone"),
    QT_TRANSLATE_NOOP("ClientState", "can't be read"),
};
static_assert(kStateTexts.size() == static_cast<std::size_t>(State::Unreadable) + 1);

bool isThere(const Found& found)
{
    return found.installed || found.state != State::NotConnected;
}

std::string keyOf(const std::string& name, const std::string& executable)
{
    return name + '\n' + executable; // an id has no newline
}

/// The shape beside the words, by a status that looks like it.
std::optional<Status> lookOf(const ClientRow& row)
{
    if (!row.blocked.empty())
        return Status::Rejected;
    if (!row.connections.empty())
        return Status::Succeeded;
    if (row.waitingSince != 0)
        return Status::AwaitingApproval;
    return {};
}

std::optional<Status> lookOf(const Found& found)
{
    if (found.state == State::Connected)
        return Status::Succeeded;
    if (found.state == State::NotConnected)
        return {};
    return Status::Failed;
}

QIcon iconOf(Status status)
{
    const QColor color = currentColors().status(status);
    const QColor selected = readableOn(color, qApp->palette().color(QPalette::Highlight));
    return statusIcon(status, kIconPixels, qApp->devicePixelRatio(), selected);
}

} // namespace

QString foreignText(const std::string& text)
{
    return QString::fromStdString(escapeForLine(prefixWithin(text, kMostBytes)));
}

QString momentText(execution::UnixMs at)
{
    return at == 0
               ? QStringLiteral("–")
               : QDateTime::fromMSecsSinceEpoch(at).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString configurationText(const Found& found)
{
    if (!isThere(found))
        return ClientsModel::tr("client not found");
    return QCoreApplication::translate(
        "ClientState", kStateTexts.at(static_cast<std::size_t>(found.state))
    );
}

QString nowText(const ClientRow& row)
{
    if (!row.blocked.empty())
        return ClientsModel::tr("blocked");
    if (row.connections.size() == 1)
        return ClientsModel::tr("connected");
    if (!row.connections.empty())
        return ClientsModel::tr(
            "%n connections", nullptr, static_cast<int>(row.connections.size())
        );
    if (row.waitingSince != 0)
        return ClientsModel::tr("waiting for it");
    return QStringLiteral("–");
}

ClientsModel::ClientsModel(QObject* parent)
    : QAbstractTableModel(parent)
{}

void ClientsModel::setFound(const std::vector<Found>& found, const LastRuns& lastRuns)
{
    m_loaded = true;
    m_found = found;
    m_lastRuns = lastRuns;
    update();
}

void ClientsModel::apply(const std::vector<Event>& events)
{
    if (m_connections.apply(events))
        update();
}

void ClientsModel::waitFor(const std::string& client, execution::UnixMs since)
{
    m_waiting[client] = since;
    update();
}

std::vector<ClientRow> ClientsModel::makeRows() const
{
    std::vector<ClientRow> rows;
    const auto rowFor = [&rows, this](const std::string& name, const std::string& executable) {
        const auto known = std::find_if(rows.begin(), rows.end(), [&](const ClientRow& row) {
            return row.found && std::find(row.found->names.begin(), row.found->names.end(), name) !=
                                    row.found->names.end();
        });
        if (known != rows.end())
            return known;
        const std::string key = keyOf(name, executable);
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const ClientRow& row) {
            return row.key == key;
        });
        if (same != rows.end())
            return same;
        // After those that are there.
        const auto place = std::find_if(rows.begin(), rows.end(), [](const ClientRow& row) {
            return row.found && !isThere(*row.found);
        });
        ClientRow fresh;
        fresh.key = key;
        fresh.title = name;
        if (const auto last = m_connections.lastRuns.find(name);
            last != m_connections.lastRuns.end())
            fresh.lastRun = last->second;
        return rows.insert(place, std::move(fresh));
    };
    for (const Found& found : m_found) {
        ClientRow row;
        row.key = found.client;
        row.title = found.title;
        row.found = found;
        for (const std::string& name : found.names) {
            for (const auto* runs : {&m_lastRuns, &m_connections.lastRuns}) {
                if (const auto last = runs->find(name); last != runs->end())
                    row.lastRun = std::max(row.lastRun, last->second);
            }
        }
        if (const auto waiting = m_waiting.find(row.key); waiting != m_waiting.end())
            row.waitingSince = waiting->second;
        rows.push_back(std::move(row));
    }
    std::stable_partition(rows.begin(), rows.end(), [](const ClientRow& row) {
        return isThere(*row.found);
    });
    for (const auto& [id, connection] : m_connections.open) {
        const auto row = rowFor(connection.client.name, connection.client.executable);
        row->connections.push_back(connection);
        if (connection.client.connectedAt >= row->waitingSince)
            row->waitingSince = 0;
    }
    for (const Blocked& blocked : m_connections.blocked)
        rowFor(blocked.name, blocked.executable)->blocked.push_back(blocked);
    for (ClientRow& row : rows)
        std::sort(row.connections.begin(), row.connections.end(), [](const auto& a, const auto& b) {
            return a.client.connectedAt < b.client.connectedAt;
        });
    return rows;
}

void ClientsModel::update()
{
    std::vector<ClientRow> rows = makeRows();
    const auto placeOf = [](const std::vector<ClientRow>& in, const std::string& key) {
        const auto found = std::find_if(in.begin(), in.end(), [&](const ClientRow& row) {
            return row.key == key;
        });
        return static_cast<int>(found - in.begin());
    };
    for (int at = static_cast<int>(m_rows.size()) - 1; at >= 0; --at) {
        if (placeOf(rows, m_rows[static_cast<std::size_t>(at)].key) < static_cast<int>(rows.size()))
            continue;
        beginRemoveRows({}, at, at);
        m_rows.erase(m_rows.begin() + at);
        endRemoveRows();
    }
    for (int at = 0; at < static_cast<int>(rows.size()); ++at) {
        ClientRow& row = rows[static_cast<std::size_t>(at)];
        const int before = placeOf(m_rows, row.key);
        if (before == static_cast<int>(m_rows.size())) {
            beginInsertRows({}, at, at);
            m_rows.insert(m_rows.begin() + at, std::move(row));
            endInsertRows();
            continue;
        }
        if (before != at) { // what stands before `at` is in place, so it comes from behind
            beginMoveRows({}, before, before, {}, at);
            std::rotate(m_rows.begin() + at, m_rows.begin() + before, m_rows.begin() + before + 1);
            endMoveRows();
        }
        // Once it has connected, the waiting is over for good.
        if (row.waitingSince == 0)
            m_waiting.erase(row.key);
        m_rows[static_cast<std::size_t>(at)] = std::move(row);
    }
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const ClientRow* ClientsModel::row(const QModelIndex& index) const
{
    const auto at = static_cast<std::size_t>(index.row());
    return index.isValid() && at < m_rows.size() ? &m_rows[at] : nullptr;
}

const ClientRow* ClientsModel::row(const std::string& key) const
{
    return row(indexOf(key));
}

QModelIndex ClientsModel::indexOf(const std::string& key) const
{
    for (std::size_t at = 0; at < m_rows.size(); ++at) {
        if (m_rows[at].key == key)
            return index(static_cast<int>(at), 0);
    }
    return {};
}

int ClientsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ClientsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ClientsModel::display(const ClientRow& row, int column) const
{
    switch (column) {
    case Title: return row.title.empty() ? tr("(no name)") : foreignText(row.title);
    case Configuration: return row.found ? configurationText(*row.found) : tr("not known");
    case Now: return nowText(row);
    case LastRun: return momentText(row.lastRun);
    default: return {};
    }
}

QVariant ClientsModel::data(const QModelIndex& index, int role) const
{
    const ClientRow* one = row(index);
    if (!one)
        return {};
    if (role == Qt::DisplayRole)
        return display(*one, index.column());
    if (role == Qt::AccessibleTextRole)
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() +
               QStringLiteral(": ") + display(*one, index.column());
    const bool dim = one->found && !isThere(*one->found) && one->connections.empty();
    if (role == Qt::ForegroundRole && dim)
        return currentColors().muted;
    if (role == Qt::DecorationRole) {
        std::optional<Status> look;
        if (index.column() == Now)
            look = lookOf(*one);
        else if (index.column() == Configuration && one->found)
            look = lookOf(*one->found);
        if (look)
            return iconOf(*look);
    }
    return {};
}

QVariant ClientsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Title: return tr("Client");
    case Configuration: return tr("Configuration");
    case Now: return tr("Now");
    case LastRun: return tr("Last run");
    default: return {};
    }
}

} // namespace belljar::ui
