// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <cstdint>
#include <memory>
#include <vector>
#endif

#include <QByteArray>
#include <QWidget>

class QComboBox;
class QSplitter;
class QTimer;

namespace belljar::ui {

class ExecutionPage;
class Dashboard;
class Guide;
class HistoryLoader;
class QueryLine;
class RunActions;
class RunsModel;
class RunsView;
class SavedFilters;
struct ExecutionDetails;

/// The runs with what filters them and, below them, the one that is looked at. Values in, commands
/// out.
class RunsScreen : public QWidget {
    Q_OBJECT

public:
    /// `history` outlives it.
    explicit RunsScreen(HistoryLoader& history, QWidget* parent = nullptr);

    void apply(const std::vector<Event>& events);
    void setLanguages(const QStringList& languages) { m_languages = languages; }
    /// Shows it also when the table doesn't have it (yet).
    void showExecution(const ExecutionId& id);
    /// What depends on the palette.
    void updateColors();

    void focusTable();
    /// The line that filters the runs; within the opened run, what finds text in its output.
    void focusSearch();
    /// Finds runs: a line as people type it.
    void setQuery(const QString& query);
    void compareSelected();
    void deleteSelected();
    void setFollowing(bool following);
    void stopSelected();
    void runAgain();
    void runExample();
    [[nodiscard]] bool showsGuide() const;
    void askForProgram();
    void copyRow() const;

    [[nodiscard]] QByteArray layoutState() const;
    void restoreLayoutState(const QByteArray& state);

signals:
    void commandWanted(belljar::Command command);
    void followingChanged(bool following);
    void submitted();
    void clientsWanted();
    /// The guide is shown in place of the runs, or no longer.
    void guideShown(bool shown);
    void ruleWanted(const belljar::execution::Record& record);

private:
    QWidget* makeList();
    void connectParts();
    void addShortcuts();
    void takeQuery();
    void showSelected();
    void takeDetails(std::uint64_t token, const std::shared_ptr<const ExecutionDetails>& details);
    void takeFailure(std::uint64_t token, const QString& message);
    void submit(SubmitProgram program);

    HistoryLoader& m_history;
    RunsModel* m_model;
    Guide* m_guide; ///< in place of the table while there is no run
    RunsView* m_runs;
    Dashboard* m_dashboard;
    QueryLine* m_query;
    SavedFilters* m_saved;
    QComboBox* m_grouping;
    RunActions* m_actions;
    QTimer* m_numbersDelay; ///< events come by the hundred, the numbers twice in three seconds
    QTimer* m_newestDelay;
    ExecutionPage* m_execution;
    QSplitter* m_splitter;
    QStringList m_languages;
    std::uint64_t m_detailsToken = 0;
    std::uint64_t m_nextSubmission = 1;
};

} // namespace belljar::ui
