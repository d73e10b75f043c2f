// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/log_reader.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QAbstractTableModel>
#include <QString>

namespace belljar::ui {

/// The rows of the audit log that match a filter, newest first: pages at the end, new rows at the
/// top. Only a change of the filter resets it.
class AuditModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { Number, Time, Type, Detail, Execution, Client, ColumnCount };
    enum Role : int { SequenceRole = Qt::UserRole + 1 };

    /// Asks for a page; the answer comes through addPage(). Returns the token of the request.
    using RequestPage = std::function<std::uint64_t(const audit::LogQuery& query)>;

    explicit AuditModel(RequestPage requestPage, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant
    headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Shows what matches `filter`. The old rows stay until the first page is here.
    void setFilter(audit::LogFilter filter);
    [[nodiscard]] const audit::LogFilter& filter() const { return m_filter; }
    /// Asks for everything anew.
    void reload();
    /// Asks for rows that are newer than the newest here.
    void lookForNewer();

    /// An answer; one with another token than the last request's is dropped.
    void addPage(std::uint64_t token, const std::vector<audit::Row>& rows, bool last);
    /// The last request failed: another may be made. True when it was the last.
    bool pageFailed(std::uint64_t token);

    [[nodiscard]] const audit::Row* row(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(std::int64_t sequence) const;
    /// Has the log answered for this filter?
    [[nodiscard]] bool loaded() const { return m_loaded; }

signals:
    /// A page has come, whether or not it had rows.
    void answered();

private:
    enum class Asked : std::uint8_t { Nothing, First, Older, Newer };
    struct Item {
        audit::Row row;
        QString detail; ///< one line
    };

    void ask(Asked what);
    void replaceAll(std::vector<Item> items);
    void append(std::vector<Item> items);
    void prepend(std::vector<Item> items);
    [[nodiscard]] QString display(const Item& item, int column) const;

    RequestPage m_requestPage;
    audit::LogFilter m_filter;
    std::vector<Item> m_items; ///< by falling sequence
    Asked m_asked = Asked::Nothing;
    std::uint64_t m_token = 0;  ///< of what is under way
    bool m_newerWanted = false; ///< once what is under way is here
    bool m_complete = false;    ///< the oldest row is here
    bool m_loaded = false;
};

/// The type in the user's language; one that this Belljar doesn't know as it is written.
[[nodiscard]] QString auditTypeText(const std::string& type);
/// A detail, which is JSON, as one line of at most 300 bytes of it: "rule: ask, verdict: deny".
[[nodiscard]] QString auditDetailText(const std::string& detail);
/// The moment, with its date where it isn't today's.
[[nodiscard]] QString auditTimeText(audit::UnixMs at);

} // namespace belljar::ui
