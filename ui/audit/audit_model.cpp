// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/audit_model.h"

#include "engine/base/json.h"
#include "engine/base/text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFontDatabase>
#include <QLocale>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace belljar::ui {

namespace {

using audit::Row;

constexpr std::uint32_t kPageRows = 200;
constexpr std::size_t kDetailBytes = 300;
constexpr std::size_t kReadableBytes = 64U * 1024; ///< a longer detail is shown as it is written

/// By audit::Type.
constexpr std::array kTypeTexts{
    QT_TRANSLATE_NOOP("AuditType", "Engine started"),
    QT_TRANSLATE_NOOP("AuditType", "Engine stopped"),
    QT_TRANSLATE_NOOP("AuditType", "Client connected"),
    QT_TRANSLATE_NOOP("AuditType", "Client disconnected"),
    QT_TRANSLATE_NOOP("AuditType", "Request received"),
    QT_TRANSLATE_NOOP("AuditType", "Decided"),
    QT_TRANSLATE_NOOP("AuditType", "Approval asked"),
    QT_TRANSLATE_NOOP("AuditType", "Approval answered"),
    QT_TRANSLATE_NOOP("AuditType", "Execution started"),
    QT_TRANSLATE_NOOP("AuditType", "Execution ended"),
    QT_TRANSLATE_NOOP("AuditType", "Policy changed"),
    QT_TRANSLATE_NOOP("AuditType", "Policy refused"),
    QT_TRANSLATE_NOOP("AuditType", "Assignment changed"),
    QT_TRANSLATE_NOOP("AuditType", "Decision remembered"),
    QT_TRANSLATE_NOOP("AuditType", "Decision revoked"),
    QT_TRANSLATE_NOOP("AuditType", "Session stopped"),
    QT_TRANSLATE_NOOP("AuditType", "Session lifted"),
    QT_TRANSLATE_NOOP("AuditType", "Programs paused"),
    QT_TRANSLATE_NOOP("AuditType", "Programs resumed"),
    QT_TRANSLATE_NOOP("AuditType", "Run deleted from the history"),
    QT_TRANSLATE_NOOP("AuditType", "Client blocked"),
    QT_TRANSLATE_NOOP("AuditType", "Client unblocked"),
    QT_TRANSLATE_NOOP("AuditType", "Image built"),
    QT_TRANSLATE_NOOP("AuditType", "Image removed"),
    QT_TRANSLATE_NOOP("AuditType", "Image chosen"),
    QT_TRANSLATE_NOOP("AuditType", "Settings changed"),
    QT_TRANSLATE_NOOP("AuditType", "HTTP token changed"),
    QT_TRANSLATE_NOOP("AuditType", "Chain broken"),
};
static_assert(kTypeTexts.size() == static_cast<std::size_t>(audit::Type::ChainBroken) + 1);

QString oneLine(const std::string& text)
{
    return QString::fromStdString(escapeForLine(prefixWithin(text, kDetailBytes)));
}

} // namespace

QString auditTypeText(const std::string& type)
{
    const auto known = audit::typeFromName(type);
    if (!known)
        return oneLine(type);
    return QCoreApplication::translate(
        "AuditType", kTypeTexts.at(static_cast<std::size_t>(*known))
    );
}

QString auditDetailText(const std::string& detail)
{
    const auto json = detail.size() <= kReadableBytes ? parseJson(detail)
                                                      : Result<Json>(fail(Errc::Unsupported, ""));
    if (!json || !json->is_object())
        return oneLine(detail);
    std::string line;
    for (const auto& [key, value] : json->items()) {
        if (line.size() > kDetailBytes)
            break;
        if (!line.empty())
            line += ", ";
        line += key + ": ";
        line += value.is_string() ? value.get_ref<const std::string&>() : dumpJson(value);
    }
    return oneLine(line);
}

QString auditTimeText(audit::UnixMs at)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(at);
    const bool today = time.date() == QDate::currentDate();
    return time.toString(
        today ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm:ss")
    );
}

AuditModel::AuditModel(RequestPage requestPage, QObject* parent)
    : QAbstractTableModel(parent)
    , m_requestPage(std::move(requestPage))
{}

int AuditModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

int AuditModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number: return tr("Row");
    case Time: return tr("Time");
    case Type: return tr("What");
    case Execution: return tr("Execution");
    case Client: return tr("Client");
    case Detail: return tr("Detail");
    default: return {};
    }
}

QString AuditModel::display(const Item& item, int column) const
{
    switch (column) {
    case Number: return QLocale().toString(static_cast<qlonglong>(item.row.sequence));
    case Time: return auditTimeText(item.row.at);
    case Type: return auditTypeText(item.row.type);
    case Execution: return oneLine(item.row.execution);
    case Client: return oneLine(item.row.client);
    case Detail: return item.detail;
    default: return {};
    }
}

QVariant AuditModel::data(const QModelIndex& index, int role) const
{
    if (!row(index))
        return {};
    const Item& item = m_items[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(item, index.column());
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() +
               QStringLiteral(": ") + display(item, index.column());
    case Qt::TextAlignmentRole: return headerData(index.column(), Qt::Horizontal, role);
    case SequenceRole: return static_cast<qlonglong>(item.row.sequence);
    default: return {};
    }
}

bool AuditModel::canFetchMore(const QModelIndex& parent) const
{
    return !parent.isValid() && !m_complete && m_asked == Asked::Nothing;
}

void AuditModel::fetchMore(const QModelIndex& parent)
{
    if (canFetchMore(parent))
        ask(m_loaded ? Asked::Older : Asked::First);
}

void AuditModel::setFilter(audit::LogFilter filter)
{
    if (m_loaded && filter == m_filter)
        return;
    m_filter = std::move(filter);
    reload();
}

void AuditModel::reload()
{
    m_loaded = false;
    ask(Asked::First);
}

void AuditModel::lookForNewer()
{
    if (m_asked != Asked::Nothing || !m_loaded)
        m_newerWanted = true;
    else
        ask(Asked::Newer);
}

void AuditModel::ask(Asked what)
{
    audit::LogQuery query;
    query.filter = m_filter;
    query.limit = kPageRows;
    if (what == Asked::Older && !m_items.empty())
        query.before = m_items.back().row.sequence;
    if (what == Asked::Newer && !m_items.empty())
        query.after = m_items.front().row.sequence;
    m_asked = what;
    m_token = m_requestPage(query);
}

bool AuditModel::pageFailed(std::uint64_t token)
{
    if (m_asked == Asked::Nothing || token != m_token)
        return false;
    m_asked = Asked::Nothing;
    return true;
}

void AuditModel::addPage(std::uint64_t token, const std::vector<Row>& rows, bool last)
{
    if (m_asked == Asked::Nothing || token != m_token)
        return;
    std::vector<Item> items;
    items.reserve(rows.size());
    for (const Row& row : rows)
        items.push_back({row, auditDetailText(row.detail)});
    // `last` says that nothing lies between these rows and the bound that was asked for.
    const Asked asked = m_asked == Asked::Newer && !last ? Asked::First : m_asked;
    if (asked == Asked::Newer)
        prepend(std::move(items));
    else if (asked == Asked::Older)
        append(std::move(items));
    else
        replaceAll(std::move(items));
    if (asked != Asked::Newer)
        m_complete = last;
    // Only now: a view may ask for more in the middle of an insertion, and would ask for the same
    // again.
    m_asked = Asked::Nothing;
    m_loaded = true;
    emit answered();
    if (m_asked == Asked::Nothing && std::exchange(m_newerWanted, false))
        ask(Asked::Newer);
}

void AuditModel::replaceAll(std::vector<Item> items)
{
    beginResetModel();
    m_items = std::move(items);
    endResetModel();
}

void AuditModel::append(std::vector<Item> items)
{
    if (items.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(items.size()) - 1);
    std::move(items.begin(), items.end(), std::back_inserter(m_items));
    endInsertRows();
}

void AuditModel::prepend(std::vector<Item> items)
{
    if (items.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(items.size()) - 1);
    m_items.insert(
        m_items.begin(),
        std::make_move_iterator(items.begin()),
        std::make_move_iterator(items.end())
    );
    endInsertRows();
}

const Row* AuditModel::row(const QModelIndex& index) const
{
    return index.isValid() && index.row() < rowCount()
               ? &m_items[static_cast<std::size_t>(index.row())].row
               : nullptr;
}

QModelIndex AuditModel::indexOf(std::int64_t sequence) const
{
    const auto found = std::lower_bound(
        m_items.begin(),
        m_items.end(),
        sequence,
        [](const Item& item, std::int64_t wanted) { return item.row.sequence > wanted; }
    );
    if (found == m_items.end() || found->row.sequence != sequence)
        return {};
    return index(static_cast<int>(found - m_items.begin()), 0);
}

} // namespace belljar::ui
