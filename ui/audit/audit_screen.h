// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/log_reader.h"
#include "engine/base/ids.h"
#include "ui/audit/audit_loader.h"
#include "ui/audit/audit_model.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#endif

#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableView;
class QTimer;

namespace belljar::ui {

class ChainBar;
class FilterBar;
class RowPane;

/// The audit log: a table to search and filter, a row whole, and the state of the chain.
///
/// Reads the database itself, on threads of its own, and so works while no container engine does.
class AuditScreen : public QWidget {
    Q_OBJECT

public:
    explicit AuditScreen(const std::filesystem::path& historyFile, QWidget* parent = nullptr);

    enum class State : std::uint8_t { Loading, Empty, NoMatch, Ready, Failed };
    [[nodiscard]] State state() const { return m_state; }

    void focusSearch();
    /// Writes the rows that match to `file`; the button asks for a file first.
    void exportTo(const QString& file, const audit::LogFilter& filter);

public slots:
    /// There may be new rows. Cheap: looked for at most ten times a second, and only while the
    /// screen is visible.
    void rowsAppended();
    /// Only what is about this execution.
    void showFor(const belljar::ExecutionId& id);
    /// Checks the whole log.
    void verify();

signals:
    void executionActivated(const belljar::ExecutionId& id);
    /// The log turned out to be damaged; said once for each finding.
    void damageFound();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void connectParts();
    void connectLoader();
    void applyFilter();
    void update();
    void onAnswered();
    void onVerified(const audit::Verification& found);
    void showSelectedRow();
    void askForFile(const audit::LogFilter& filter);
    void reload();

    AuditLoader m_loader;
    AuditModel m_model;
    ChainBar* m_chain;
    FilterBar* m_filter;
    QTableView* m_table;
    RowPane* m_pane;
    QSplitter* m_splitter;
    QStackedWidget* m_stack;
    QLabel* m_failure;
    QTimer* m_newer;
    State m_state = State::Loading;
    std::optional<std::int64_t> m_selected; ///< sequence of the row in the pane
    std::int64_t m_knownBreak = 0;          ///< the newest ChainBroken row that was seen
    QString m_error;                        ///< why the last page did not come
    bool m_started = false;
    bool m_stale = false; ///< rows may have come while nobody looked
};

} // namespace belljar::ui
