// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "engine/execution/execution.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>
#endif

#include <QAbstractTableModel>

namespace belljar::ui {

/// The history as a table, newest first: pages from the database at its end, live rows at its top.
///
/// Rows are only inserted and changed, never reset. While it is held, new rows wait and are
/// counted.
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
        ColumnCount
    };
    enum Role : int {
        RecordRole = Qt::UserRole + 1, ///< execution::Record
        FractionRole,                  ///< double 0..1: memory against its limit
    };

    /// Asks for the rows below a sequence; the answer comes through addPage(). Returns the token of
    /// the request.
    using RequestPage =
        std::function<std::uint64_t(std::optional<std::int64_t> before, std::uint32_t limit)>;

    explicit RunsModel(RequestPage requestPage, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// An answer of the database; one with another token than the last request's is dropped.
    void addPage(std::uint64_t token, const std::vector<execution::Record>& rows, bool last);
    /// The last request failed: another may be made.
    void pageFailed(std::uint64_t token);
    /// Takes the changes of state among `events`.
    void apply(const std::vector<Event>& events);

    /// Keeps new rows back until it is let go.
    void setHeld(bool held);
    [[nodiscard]] int heldBack() const { return static_cast<int>(m_heldBack.size()); }

    [[nodiscard]] const execution::Record* record(const QModelIndex& index) const;
    [[nodiscard]] const execution::Record* record(const ExecutionId& id) const;
    [[nodiscard]] QModelIndex indexOf(const ExecutionId& id) const;
    /// Has the database answered yet?
    [[nodiscard]] bool loaded() const { return m_loaded; }

signals:
    void heldBackChanged(int count);
    void loadedChanged();

private:
    [[nodiscard]] std::size_t placeOf(std::int64_t sequence) const;
    void insertNewest(std::vector<execution::Record> rows);
    [[nodiscard]] QVariant display(const execution::Record& record, int column) const;

    RequestPage m_requestPage;
    std::vector<execution::Record> m_rows; ///< by falling sequence
    std::vector<execution::Record> m_heldBack;
    std::unordered_map<ExecutionId, std::int64_t> m_sequences; ///< of m_rows
    std::optional<std::uint64_t> m_pending;                    ///< token of the page under way
    bool m_complete = false;                                   ///< the oldest row is here
    bool m_loaded = false;
    bool m_held = false;
};

/// "12 ms", "1.24 s", "2:05 min".
[[nodiscard]] QString durationText(execution::milliseconds span);
/// "18.4 MB"; "-" for nothing known.
[[nodiscard]] QString memoryText(std::uint64_t bytes);
/// The status in the user's language.
[[nodiscard]] QString statusText(execution::Status status);
/// The client as it calls itself, made safe for one line.
[[nodiscard]] QString clientText(const execution::Client& client);

} // namespace belljar::ui
