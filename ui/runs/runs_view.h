// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/ids.h"
#include "ui/runs/runs_model.h"

#include <optional>
#include <vector>
#endif

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QTimer;

namespace belljar::ui {

class RunsDelegate;

/// The table of runs with its other states: empty, loading, failed.
///
/// Follows the newest run until the person picks another; then new rows wait and are counted.
class RunsView : public QWidget {
    Q_OBJECT

public:
    /// Takes `emptyPage`, which is shown while there is no run at all.
    RunsView(RunsModel& model, QWidget* emptyPage, QWidget* parent = nullptr);

    enum class State : std::uint8_t { Loading, Empty, Ready, Failed, NothingFound };
    [[nodiscard]] State state() const { return m_state; }

    /// Shows why the history can't be read.
    void showFailure(const QString& message);
    void setFollowing(bool following);
    [[nodiscard]] bool isFollowing() const { return m_following; }
    [[nodiscard]] std::optional<ExecutionId> selected() const;
    /// The selected row as text, fields by tab.
    [[nodiscard]] QString selectedRowText() const;
    /// All selected rows, from the newest.
    [[nodiscard]] std::vector<ExecutionId> selectedIds() const;
    void focusTable();
    /// What was searched for.
    void setWords(const QStringList& words);
    /// New rows wait until it is let go, whatever is selected.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    [[nodiscard]] bool isColumnShown(int column) const;
    void setColumnShown(int column, bool shown);

signals:
    void menuWanted(const QPoint& globalPosition);
    void clearWanted();
    void selectionChanged();
    void followingChanged(bool following);
    void stateChanged();
    void retryWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void prepareHeader();
    void showColumnMenu(const QPoint& position);
    void showWaiting();
    QWidget* makeNothingPage();
    QWidget* makeFailedPage();
    void update();
    void show(State state);
    void selectNewest();
    void updateHold();

    RunsModel& m_model;
    RunsDelegate* m_delegate;
    QTableView* m_table;
    QStackedWidget* m_stack;
    QLabel* m_failure = nullptr;
    QPushButton* m_newRows;
    QTimer* m_loadingDelay;
    State m_state = State::Loading;
    bool m_failed = false;
    bool m_paused = false;
    bool m_following = true;
    bool m_selecting = false; ///< the selection changes because we follow
};

} // namespace belljar::ui
