// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/bridge/history_loader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QObject>

class QMenu;
class QPoint;
class QWidget;

namespace belljar::ui {

class RunsModel;
class RunsView;
class UndoStrip;

/// What can be done with the selected runs beside looking at them: mark, compare, export, delete.
class RunActions : public QObject {
    Q_OBJECT

public:
    /// All outlive it but `undo`, which is the screen's child like itself.
    RunActions(
        HistoryLoader& history, RunsModel& model, RunsView& view, UndoStrip& undo, QWidget* screen
    );

    void showMenu(const QPoint& globalPosition);
    /// Pins all that are selected, or none where all are pinned.
    void pin();
    void editMarks();
    /// The two that are selected.
    void compare();
    void showVersions();
    /// Asks, then takes them out of sight; the history deletes them when nobody has undone it.
    void remove();
    /// Asks where to.
    void exportRuns(ExportFormat format);
    void exportTo(ExportFormat format, const QString& place);

    /// A request of ours has failed.
    void takeFailure(std::uint64_t token, const QString& message);
    void apply(const std::vector<Event>& events);

signals:
    void commandWanted(belljar::Command command);
    void conditionWanted(const std::string& key, const std::string& value);
    void executionWanted(const belljar::ExecutionId& id);
    void runAgainWanted();
    void editWanted();
    void stopWanted();
    void ruleWanted();

private:
    void fill(QMenu& menu);
    [[nodiscard]] std::vector<ExecutionId> ended() const;
    void hideAndOffer(const std::vector<ExecutionId>& ids);
    void deleteHidden();
    void tell(const QString& title, const QString& text);

    HistoryLoader& m_history;
    RunsModel& m_model;
    RunsView& m_view;
    UndoStrip& m_undo;
    QWidget* m_screen;
    std::vector<ExecutionId> m_hidden; ///< to be deleted unless it is undone
    std::uint64_t m_pair = 0;          ///< tokens
    std::uint64_t m_versions = 0;
    std::uint64_t m_export = 0;
};

} // namespace belljar::ui
