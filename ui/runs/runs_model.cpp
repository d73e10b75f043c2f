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
using store::RunRow;

constexpr std::uint32_t kPageRows = 200;
constexpr std::size_t kShownNoteBytes = 80;
constexpr double kBytesPerMb = 1024.0 * 1024.0;

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

/// "pinned, tag, other: the note's beginning".
QString marksText(const execution::Marks& marks)
{
    QStringList parts;
    if (marks.pinned)
        parts << RunsModel::tr("Pinned");
    for (const std::string& tag : marks.tags)
        parts << QLatin1Char('#') + toQString(escapeForLine(tag));
    if (!marks.note.empty())
        parts << toQString(escapeForLine(prefixWithin(marks.note, kShownNoteBytes)));
    return parts.join(QStringLiteral(" "));
}

QString findingsText(const Record& record)
{
    if (record.findings == 0)
        return QStringLiteral("0");
    //: number of findings, the worst severity
    return RunsModel::tr("%1 (%2)")
        .arg(record.findings)
        .arg(toQString(escapeForLine(record.worstFinding)));
}

/// execution::statusTraits() has them too; here they are found by lupdate.
[[maybe_unused]] constexpr const char* kStatusWords[] = {
    QT_TRANSLATE_NOOP("Status", "Received"),
    QT_TRANSLATE_NOOP("Status", "Analysing"),
    QT_TRANSLATE_NOOP("Status", "Waiting for you"),
    QT_TRANSLATE_NOOP("Status", "Queued"),
    QT_TRANSLATE_NOOP("Status", "Running"),
    QT_TRANSLATE_NOOP("Status", "Succeeded"),
    QT_TRANSLATE_NOOP("Status", "Failed"),
    QT_TRANSLATE_NOOP("Status", "Timed out"),
    QT_TRANSLATE_NOOP("Status", "Out of memory"),
    QT_TRANSLATE_NOOP("Status", "Output limit"),
    QT_TRANSLATE_NOOP("Status", "Rejected"),
    QT_TRANSLATE_NOOP("Status", "Cancelled"),
    QT_TRANSLATE_NOOP("Status", "Interrupted"),
    QT_TRANSLATE_NOOP("Status", "Error"),
};

} // namespace

QString durationText(execution::milliseconds span)
{
    const auto ms = span.count();
    if (ms < 1000)
        return RunsModel::tr("%1 ms").arg(ms);
    if (ms < 60'000)
        return RunsModel::tr("%1 s").arg(static_cast<double>(ms) / 1000, 0, 'f', 2);
    return RunsModel::tr("%1:%2 min").arg(ms / 60'000).arg(ms / 1000 % 60, 2, 10, QLatin1Char('0'));
}

QString memoryText(std::uint64_t bytes)
{
    if (bytes == 0)
        return QStringLiteral("-");
    return RunsModel::tr("%1 MB").arg(static_cast<double>(bytes) / kBytesPerMb, 0, 'f', 1);
}

QString statusText(execution::Status status)
{
    return QCoreApplication::translate("Status", execution::statusTraits(status).label.data());
}

QString decidedByText(execution::DecidedBy by)
{
    using By = execution::DecidedBy;
    switch (by) {
    case By::Nobody: return QStringLiteral("-");
    case By::Policy: return RunsModel::tr("Policy");
    case By::Remembered: return RunsModel::tr("Remembered answer");
    case By::Person: return RunsModel::tr("You");
    case By::Client: return RunsModel::tr("Client's person");
    case By::Timeout: return RunsModel::tr("Nobody in time");
    case By::Engine: return RunsModel::tr("Belljar");
    }
    return {};
}

QString clientText(const execution::Client& client)
{
    const std::string& name = client.title.empty() ? client.name : client.title;
    return name.empty() ? RunsModel::tr("(unnamed)") : toQString(escapeForLine(name));
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
    const bool number = section == Duration || section == Memory || section == ExitCode ||
                        section == Count || section == Findings || section == CpuTime ||
                        section == QueueTime;
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
    case Marks: return tr("Marks");
    case Count: return tr("Runs");
    case Policy: return tr("Policy");
    case DecidedBy: return tr("Decided by");
    case Findings: return tr("Findings");
    case CpuTime: return tr("CPU time");
    case QueueTime: return tr("Queued");
    case Session: return tr("Session");
    default: return {};
    }
}

QVariant RunsModel::display(const RunRow& row, int column) const
{
    const Record& record = row.record;
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
    case Marks: return marksText(row.marks);
    case Count: return QString::number(row.count);
    case Policy: return toQString(escapeForLine(record.policy));
    case DecidedBy: return decidedByText(record.decidedBy);
    case Findings: return findingsText(record);
    case CpuTime: return record.startedAt ? durationText(record.cpuTime) : QStringLiteral("-");
    case QueueTime: return record.startedAt ? durationText(record.queueTime) : QStringLiteral("-");
    case Session: return toQString(escapeForLine(record.client.id.text()));
    default: return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    const RunRow* row = this->row(index);
    if (!row)
        return {};
    const Record* record = &row->record;
    switch (role) {
    case Qt::DisplayRole: return display(*row, index.column());
    case Qt::AccessibleTextRole:
        return headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString() +
               QStringLiteral(": ") + display(*row, index.column()).toString();
    case Qt::TextAlignmentRole: return headerData(index.column(), Qt::Horizontal, role);
    case RecordRole: return QVariant::fromValue(*record);
    case MarksRole: return QVariant::fromValue(row->marks);
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
    store::RunQuery query;
    query.filter = m_filter;
    query.grouping = m_grouping;
    query.limit = kPageRows;
    if (!m_rows.empty())
        query.before = m_rows.back().record.sequence;
    m_pendingIsFirst = !query.before;
    m_pending = m_requestPage(query);
}

void RunsModel::fetchNewest()
{
    // The first page brings most of it, and a later request for the same would take its place.
    m_newestWanted = m_pending && m_pendingIsFirst;
    if (m_newestWanted)
        return;
    store::RunQuery query;
    query.filter = m_filter;
    query.grouping = m_grouping;
    query.limit = kPageRows;
    m_newest = m_requestPage(query);
}

void RunsModel::setQuery(store::RunFilter filter, store::Grouping grouping)
{
    beginResetModel();
    m_filter = std::move(filter);
    m_grouping = grouping;
    m_rows.clear();
    m_hiddenRows.clear();
    m_sequences.clear();
    m_pending.reset();
    m_newest.reset();
    m_newestWanted = false;
    m_complete = false;
    const bool waited = !std::exchange(m_heldBack, {}).empty();
    endResetModel();
    if (std::exchange(m_loaded, false))
        emit loadedChanged();
    if (waited)
        emit heldBackChanged(0);
    fetchMore({});
}

bool RunsModel::databaseDecides() const
{
    return m_grouping != store::Grouping::None || store::needsDatabase(m_filter);
}

void RunsModel::pageFailed(std::uint64_t token)
{
    if (m_pending == token)
        m_pending.reset();
    if (m_newest == token)
        m_newest.reset();
}

void RunsModel::addPage(std::uint64_t token, const std::vector<RunRow>& rows, bool last)
{
    if (m_newest == token) {
        m_newest.reset();
        std::vector<RunRow> fresh;
        for (const RunRow& row : rows) {
            if (const QModelIndex known = indexOf(row.record.id); known.isValid()) {
                // Of the record, events have told what is newer.
                m_rows[static_cast<std::size_t>(known.row())].count = row.count;
                m_rows[static_cast<std::size_t>(known.row())].marks = row.marks;
                change(known);
                continue;
            }
            if (changeKnown(row.record) || m_hidden.contains(row.record.id))
                continue;
            if (m_rows.empty() || row.record.sequence > m_rows.front().record.sequence)
                fresh.push_back(row);
        }
        takeNew(std::move(fresh));
        return;
    }
    if (m_pending != token)
        return;
    // A live event may have brought a row of this page already, though without its marks.
    std::vector<RunRow> older;
    for (const RunRow& row : rows) {
        if (m_hidden.contains(row.record.id))
            continue;
        const auto known = m_sequences.find(row.record.id);
        if (known != m_sequences.end()) {
            m_rows[placeOf(known->second)].marks = row.marks;
            change(indexOf(row.record.id));
        } else if (m_rows.empty() || row.record.sequence < m_rows.back().record.sequence) {
            older.push_back(row);
        }
    }
    if (!older.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(older.size()) - 1);
        for (RunRow& row : older) {
            m_sequences.emplace(row.record.id, row.record.sequence);
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
    if (std::exchange(m_newestWanted, false))
        emit newerExpected();
}

void RunsModel::change(const QModelIndex& index)
{
    if (index.isValid())
        emit dataChanged(index, index.siblingAtColumn(ColumnCount - 1));
}

/// False when it is neither shown nor held back.
bool RunsModel::changeKnown(const Record& record)
{
    if (const QModelIndex index = indexOf(record.id); index.isValid()) {
        m_rows[static_cast<std::size_t>(index.row())].record = record;
        change(index);
        return true;
    }
    for (RunRow& held : m_heldBack) {
        if (held.record.id == record.id) {
            held.record = record;
            return true;
        }
    }
    return false;
}

void RunsModel::takeMarks(const MarksChanged& changed)
{
    const QModelIndex index = indexOf(changed.id);
    if (!index.isValid())
        return;
    m_rows[static_cast<std::size_t>(index.row())].marks = changed.marks;
    change(index);
}

void RunsModel::apply(const std::vector<Event>& events)
{
    std::vector<RunRow> fresh;
    bool expected = false;
    for (const Event& event : events) {
        if (const auto* marked = std::get_if<MarksChanged>(&event))
            takeMarks(*marked);
        if (const auto* deleted = std::get_if<ExecutionsDeleted>(&event)) {
            for (const ExecutionId& id : deleted->ids)
                takeAway(id);
        }
        const auto* changed = std::get_if<ExecutionChanged>(&event);
        if (!changed || changed->record.sequence == 0)
            continue;
        const Record& record = changed->record;
        if (changeKnown(record) || m_hidden.contains(record.id))
            continue;
        const auto twin = std::find_if(fresh.begin(), fresh.end(), [&record](const RunRow& other) {
            return other.record.id == record.id;
        });
        if (twin != fresh.end())
            twin->record = record;
        else if (databaseDecides())
            expected = true;
        else if (store::matches(m_filter, record) &&
                 (m_rows.empty() || record.sequence > m_rows.front().record.sequence))
            fresh.push_back({record, {}, 1});
        // A row older than the oldest that is here comes with its page.
    }
    if (expected)
        emit newerExpected();
    takeNew(std::move(fresh));
}

void RunsModel::takeNew(std::vector<RunRow> fresh)
{
    if (fresh.empty())
        return;
    if (m_held) {
        m_heldBack.insert(m_heldBack.end(), fresh.begin(), fresh.end());
        emit heldBackChanged(heldBack());
    } else {
        insertNewest(std::move(fresh));
    }
}

void RunsModel::insertNewest(std::vector<RunRow> rows)
{
    if (rows.empty())
        return;
    if (m_grouping != store::Grouping::None) {
        // A group that has got a newer run stands where that run belongs.
        const auto keyOf = [this](const RunRow& row) {
            return m_grouping == store::Grouping::Session ? row.record.client.id.text()
                                                          : row.record.codeSha256;
        };
        for (const RunRow& fresh : rows) {
            const auto old = std::find_if(m_rows.begin(), m_rows.end(), [&](const RunRow& row) {
                return keyOf(row) == keyOf(fresh);
            });
            if (old != m_rows.end())
                remove(index(static_cast<int>(old - m_rows.begin()), 0));
        }
    }
    std::sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) {
        return a.record.sequence > b.record.sequence;
    });
    beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
    for (const RunRow& row : rows)
        m_sequences.emplace(row.record.id, row.record.sequence);
    m_rows.insert(
        m_rows.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end())
    );
    endInsertRows();
}

void RunsModel::remove(const QModelIndex& index)
{
    beginRemoveRows({}, index.row(), index.row());
    m_sequences.erase(m_rows[static_cast<std::size_t>(index.row())].record.id);
    m_rows.erase(m_rows.begin() + index.row());
    endRemoveRows();
}

std::optional<RunRow> RunsModel::takeAway(const ExecutionId& id)
{
    m_hidden.insert(id);
    const auto held =
        std::erase_if(m_heldBack, [&id](const RunRow& row) { return row.record.id == id; });
    if (held > 0)
        emit heldBackChanged(heldBack());
    const QModelIndex index = indexOf(id);
    if (!index.isValid())
        return {};
    RunRow row = m_rows[static_cast<std::size_t>(index.row())];
    remove(index);
    return row;
}

void RunsModel::hide(const std::vector<ExecutionId>& ids)
{
    for (const ExecutionId& id : ids) {
        m_undoable.push_back(id);
        if (auto row = takeAway(id))
            m_hiddenRows.push_back(std::move(*row));
    }
}

void RunsModel::unhide()
{
    const std::vector<ExecutionId> ids = std::exchange(m_undoable, {});
    for (const ExecutionId& id : ids)
        m_hidden.erase(id);
    std::vector<RunRow> rows = std::exchange(m_hiddenRows, {});
    if (rows.size() < ids.size()) // other rows are asked for since
        return setQuery(m_filter, m_grouping);
    for (RunRow& row : rows) {
        // What is below the last page comes with its page.
        const std::size_t place = placeOf(row.record.sequence);
        if (place == m_rows.size() && !m_complete)
            continue;
        beginInsertRows({}, static_cast<int>(place), static_cast<int>(place));
        m_sequences.emplace(row.record.id, row.record.sequence);
        m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(place), std::move(row));
        endInsertRows();
    }
}

void RunsModel::forgetHidden()
{
    m_undoable.clear();
    m_hiddenRows.clear();
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
        [](const RunRow& row, std::int64_t wanted) { return row.record.sequence > wanted; }
    );
    return static_cast<std::size_t>(found - m_rows.begin());
}

QModelIndex RunsModel::indexOf(const ExecutionId& id) const
{
    const auto found = m_sequences.find(id);
    return found == m_sequences.end() ? QModelIndex()
                                      : index(static_cast<int>(placeOf(found->second)), 0);
}

const RunRow* RunsModel::row(const QModelIndex& index) const
{
    return index.isValid() && index.row() < rowCount()
               ? &m_rows[static_cast<std::size_t>(index.row())]
               : nullptr;
}

const Record* RunsModel::record(const QModelIndex& index) const
{
    const RunRow* found = row(index);
    return found ? &found->record : nullptr;
}

const Record* RunsModel::record(const ExecutionId& id) const
{
    return record(indexOf(id));
}

} // namespace belljar::ui
