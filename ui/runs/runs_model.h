// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "engine/execution/execution.h"
#include "engine/store/run_search.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#endif

#include <QAbstractTableModel>

namespace belljar::ui {

/// The history as a table, newest first: pages from the database at its end, live rows at its top.
///
/// Rows are only inserted, changed and removed; only another query resets it. While it is held, new
/// rows wait and are counted.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int {
        Status,
        Time,
        Client,
        Language,
        Code,
        Duration,
        Memory,
        ExitCode,
        Marks,
        Count, ///< executions in the group
        Policy,
        DecidedBy,
        Findings,
        CpuTime,
        QueueTime,
        Session,
        ColumnCount
    };
    enum Role : int {
        RecordRole = Qt::UserRole + 1, ///< execution::Record
        FractionRole,                  ///< double 0..1: memory against its limit
        MarksRole,                     ///< execution::Marks
    };

    /// Asks for a page; the answer comes through addPage(). Returns the token of the request.
    using RequestPage = std::function<std::uint64_t(const store::RunQuery& query)>;

    explicit RunsModel(RequestPage requestPage, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Begins anew with other rows.
    void setQuery(store::RunFilter filter, store::Grouping grouping);
    [[nodiscard]] const store::RunFilter& filter() const { return m_filter; }
    [[nodiscard]] store::Grouping grouping() const { return m_grouping; }
    /// Asks for what has come since; for a query that only the database can answer.
    void fetchNewest();

    /// An answer of the database; one with another token than the last request's is dropped.
    void addPage(std::uint64_t token, const std::vector<store::RunRow>& rows, bool last);
    /// The last request failed: another may be made.
    void pageFailed(std::uint64_t token);
    /// Takes the changes of state among `events`.
    void apply(const std::vector<Event>& events);

    /// Keeps new rows back until it is let go.
    void setHeld(bool held);
    [[nodiscard]] int heldBack() const { return static_cast<int>(m_heldBack.size()); }

    /// Takes rows away that may come back with unhide(); pages and events don't bring them.
    void hide(const std::vector<ExecutionId>& ids);
    void unhide();
    /// What is hidden is gone for good.
    void forgetHidden();

    /// The first page has been read, so an empty table means an empty history.
    [[nodiscard]] bool loaded() const { return m_loaded; }
    [[nodiscard]] QModelIndex indexOf(const ExecutionId& id) const;
    [[nodiscard]] const store::RunRow* row(const QModelIndex& index) const;
    [[nodiscard]] const execution::Record* record(const QModelIndex& index) const;
    [[nodiscard]] const execution::Record* record(const ExecutionId& id) const;

signals:
    void heldBackChanged(int count);
    void loadedChanged();
    /// There may be rows that only the database can find: fetchNewest() some time.
    void newerExpected();

private:
    [[nodiscard]] QVariant display(const store::RunRow& row, int column) const;
    [[nodiscard]] bool databaseDecides() const;
    void change(const QModelIndex& index);
    bool changeKnown(const execution::Record& record);
    void takeMarks(const MarksChanged& changed);
    void takeNew(std::vector<store::RunRow> fresh);
    void insertNewest(std::vector<store::RunRow> rows);
    void remove(const QModelIndex& index);
    std::optional<store::RunRow> takeAway(const ExecutionId& id);
    [[nodiscard]] std::size_t placeOf(std::int64_t sequence) const;

    RequestPage m_requestPage;
    store::RunFilter m_filter;
    store::Grouping m_grouping = store::Grouping::None;
    std::vector<store::RunRow> m_rows; ///< by falling sequence
    std::vector<store::RunRow> m_heldBack;
    std::vector<ExecutionId> m_undoable;
    std::vector<store::RunRow> m_hiddenRows;  ///< of them, as long as the query is the same
    std::unordered_set<ExecutionId> m_hidden; ///< also what is gone for good
    std::unordered_map<ExecutionId, std::int64_t> m_sequences; ///< of m_rows
    std::optional<std::uint64_t> m_pending;                    ///< token of the page under way
    std::optional<std::uint64_t> m_newest;                     ///< token of fetchNewest()
    bool m_pendingIsFirst = false;
    bool m_newestWanted = false; ///< as soon as the first page is here
    bool m_complete = false;     ///< the oldest row is here
    bool m_loaded = false;
    bool m_held = false;
};

/// "12 ms", "1.24 s", "2:05 min".
[[nodiscard]] QString durationText(execution::milliseconds span);
/// "18.4 MB"; "-" for nothing known.
[[nodiscard]] QString memoryText(std::uint64_t bytes);
/// The status in the user's language.
[[nodiscard]] QString statusText(execution::Status status);
/// Who settled whether it runs, in the user's language; "-": nobody yet.
[[nodiscard]] QString decidedByText(execution::DecidedBy by);
/// The client as it calls itself, made safe for one line.
[[nodiscard]] QString clientText(const execution::Client& client);

} // namespace belljar::ui
