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

class QSplitter;

namespace belljar::ui {

class ExecutionPage;
class HistoryLoader;
class RunsModel;
class RunsView;
struct ExecutionDetails;

/// The runs and, below them, the one that is looked at. Values in, commands out.
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
    void focusSearch();
    void setFollowing(bool following);
    void stopSelected();
    void runAgain();
    void runExample();
    void askForProgram();
    void copyRow() const;

    [[nodiscard]] QByteArray layoutState() const;
    void restoreLayoutState(const QByteArray& state);

signals:
    void commandWanted(belljar::Command command);
    void followingChanged(bool following);
    void submitted();

private:
    void showSelected();
    void takeDetails(std::uint64_t token, const std::shared_ptr<const ExecutionDetails>& details);
    void takeFailure(std::uint64_t token, const QString& message);
    void submit(SubmitProgram program);

    HistoryLoader& m_history;
    RunsModel* m_model;
    RunsView* m_runs;
    ExecutionPage* m_execution;
    QSplitter* m_splitter;
    QStringList m_languages;
    std::uint64_t m_detailsToken = 0;
    std::uint64_t m_nextSubmission = 1;
};

} // namespace belljar::ui
