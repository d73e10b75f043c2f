// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_model.h"

#include "engine/base/text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

using execution::Record;

constexpr std::uint32_t kPageRows = 200;
constexpr double kBytesPerMb = 1024.0 * 1024.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("belljar::ui::RunsModel", text);
}

QString timeText(execution::UnixMs at)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(at);
    const bool today = time.date() == QDate::currentDate();
    return today ? time.toString(QStringLiteral("HH:mm:ss"))
                 : time.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString toQString(const std::string& text)
{
    return QString::fromStdString(text);
}

} // namespace

QString durationText(execution::milliseconds span)
{
    const auto ms = span.count();
    if (ms < 1000)
        return tr("%1 ms").arg(ms);
    if (ms < 60'000)
        return tr("%1 s").arg(static_cast<double>(ms) / 1000, 0, 'f', 2);
    return tr("%1:%2 min").arg(ms / 60'000).arg(ms / 1000 % 60, 2, 10, QLatin1Char('0'));
}

QString memoryText(std::uint64_t bytes)
{
    if (bytes == 0)
        return QStringLiteral("-");
    return tr("%1 MB").arg(static_cast<double>(bytes) / kBytesPerMb, 0, 'f', 1);
}

QString statusText(execution::Status status)
{
    return QCoreApplication::translate("Status", execution::statusTraits(status).label.data());
}

QString clientText(const execution::Client& client)
{
    const std::string& name = client.title.empty() ? client.name : client.title;
    return name.empty() ? tr("(unnamed)") : toQString(escapeForLine(name));
}

RunsModel::RunsModel(RequestPage requestPage, QObject* parent)
    : QAbstractTableModel(parent)
    , m_requestPage(std::move(requestPage))
{}

int RunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const bool number = section == Duration || section == Memory || section == ExitCode;
    if (role == Qt::TextAlignmentRole)
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Status: return tr("Status");
    case Time: return tr("Time");
    case Client: return tr("Client");
    case Language: return tr("Language");
    case Code: return tr("Code");
    case Duration: return tr("Duration");
    case Memory: return tr("Peak memory");
    case ExitCode: return tr("Exit");
    default: return {};
    }
}

QVariant RunsModel::display(const Record& record, int column) const
{
    switch (column) {
    case Status: return statusText(record.status);
    case Time: return timeText(record.receivedAt);
    case Client: return clientText(record.client);
    case Language: return toQString(escapeForLine(record.language));
    case Code: return toQString(escapeForLine(record.firstLine));
    case Duration:
        return record.startedAt ? durationText(record.executionTime) : QStringLiteral("-");
    case Memory: return memoryText(record.memoryPeakBytes);
    case ExitCode: return record.exitCode ? QString::number(*record.exitCode) : QStringLiteral("-");
    default: return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    const Record* record = this->record(index);
    if (!record)
        return {};
    switch (role) {
    case Qt::DisplayRole: return display(*record, index.column());
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() +
               QStringLiteral(": ") + display(*record, index.column()).toString();
    case Qt::TextAlignmentRole: return headerData(index.column(), Qt::Horizontal, role);
    case RecordRole: return QVariant::fromValue(*record);
    case FractionRole:
        return record->limits.memoryBytes == 0
                   ? 0.0
                   : std::min(
                         1.0,
                         static_cast<double>(record->memoryPeakBytes) /
                             static_cast<double>(record->limits.memoryBytes)
                     );
    default: return {};
    }
}

bool RunsModel::canFetchMore(const QModelIndex& parent) const
{
    return !parent.isValid() && !m_complete && !m_pending;
}

void RunsModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent))
        return;
    const auto before = m_rows.empty() ? std::optional<std::int64_t>() : m_rows.back().sequence;
    m_pending = m_requestPage(before, kPageRows);
}

void RunsModel::pageFailed(std::uint64_t token)
{
    if (m_pending == token)
        m_pending.reset();
}

void RunsModel::addPage(std::uint64_t token, const std::vector<Record>& rows, bool last)
{
    if (m_pending != token)
        return;
    // A live event may have brought a row of this page already.
    std::vector<Record> older;
    for (const Record& row : rows) {
        const bool known = m_sequences.contains(row.id);
        if (!known && (m_rows.empty() || row.sequence < m_rows.back().sequence))
            older.push_back(row);
    }
    if (!older.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(older.size()) - 1);
        for (Record& row : older) {
            m_sequences.emplace(row.id, row.sequence);
            m_rows.push_back(std::move(row));
        }
        endInsertRows();
    }
    // Only now: a view may ask for more in the middle of an insertion, and would ask for the same
    // again.
    m_pending.reset();
    m_complete = last;
    if (!std::exchange(m_loaded, true))
        emit loadedChanged();
}

void RunsModel::apply(const std::vector<Event>& events)
{
    std::vector<Record> fresh;
    for (const Event& event : events) {
        const auto* changed = std::get_if<ExecutionChanged>(&event);
        if (!changed || changed->record.sequence == 0)
            continue;
        const Record& record = changed->record;
        const auto sameId = [&record](const Record& other) { return other.id == record.id; };
        if (const QModelIndex index = indexOf(record.id); index.isValid()) {
            m_rows[static_cast<std::size_t>(index.row())] = record;
            emit dataChanged(index, index.siblingAtColumn(ColumnCount - 1));
        } else if (const auto held = std::find_if(m_heldBack.begin(), m_heldBack.end(), sameId);
                   held != m_heldBack.end()) {
            *held = record;
        } else if (const auto twin = std::find_if(fresh.begin(), fresh.end(), sameId);
                   twin != fresh.end()) {
            *twin = record;
        } else if (m_rows.empty() || record.sequence > m_rows.front().sequence) {
            fresh.push_back(record);
        }
        // A row older than the oldest that is here comes with its page.
    }
    if (fresh.empty())
        return;
    if (m_held) {
        m_heldBack.insert(m_heldBack.end(), fresh.begin(), fresh.end());
        emit heldBackChanged(heldBack());
    } else {
        insertNewest(std::move(fresh));
    }
}

void RunsModel::insertNewest(std::vector<Record> rows)
{
    if (rows.empty())
        return;
    std::sort(rows.begin(), rows.end(), [](const Record& a, const Record& b) {
        return a.sequence > b.sequence;
    });
    beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
    for (const Record& row : rows)
        m_sequences.emplace(row.id, row.sequence);
    m_rows.insert(
        m_rows.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end())
    );
    endInsertRows();
}

void RunsModel::setHeld(bool held)
{
    m_held = held;
    if (held || m_heldBack.empty())
        return;
    insertNewest(std::exchange(m_heldBack, {}));
    emit heldBackChanged(0);
}

std::size_t RunsModel::placeOf(std::int64_t sequence) const
{
    const auto found = std::lower_bound(
        m_rows.begin(),
        m_rows.end(),
        sequence,
        [](const Record& row, std::int64_t wanted) { return row.sequence > wanted; }
    );
    return static_cast<std::size_t>(found - m_rows.begin());
}

QModelIndex RunsModel::indexOf(const ExecutionId& id) const
{
    const auto found = m_sequences.find(id);
    return found == m_sequences.end() ? QModelIndex()
                                      : index(static_cast<int>(placeOf(found->second)), 0);
}

const Record* RunsModel::record(const QModelIndex& index) const
{
    return index.isValid() && index.row() < rowCount()
               ? &m_rows[static_cast<std::size_t>(index.row())]
               : nullptr;
}

const Record* RunsModel::record(const ExecutionId& id) const
{
    return record(indexOf(id));
}

} // namespace belljar::ui
