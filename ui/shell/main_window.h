// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/bridge/history_loader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>
#endif

#include <QMainWindow>

class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace belljar::ui {

class ApprovalNotifier;
class ApprovalsScreen;
class AuditScreen;
class Banner;
class ExecutionPage;
class PoliciesScreen;
class Rail;
class RunsModel;
class RunsView;
class Theme;
class Tray;

/// The window: what needs action above, the runs, and the selected run below. Values in, commands
/// out; it knows neither the engine nor its thread.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(const std::filesystem::path& historyFile, Theme& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// How the policies' screen looks at programs; called on another thread.
    void
    setAnalyse(std::function<analysis::Report(const std::string& language, const std::string& code)>
                   analyse);

public slots:
    /// Takes what the engine tells.
    void apply(const std::vector<belljar::Event>& events);
    /// Comes to the front, as far as the desktop lets it.
    void raiseWindow();
    /// Ends the program. What waits is rejected and what runs is stopped by the engine's end.
    void quit();

signals:
    void commandWanted(belljar::Command command);
    /// The engine has failed and is to be started again.
    void restartWanted();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] std::ptrdiff_t running() const;
    /// Quits, after asking where that stops something.
    void askToQuit();
    /// There is no tray: what closing the window means here.
    void askAboutClosing();
    void hideToTray();
    QWidget* makeRunsScreen();
    void goTo(int place);
    void showApprovals();
    void showExecution(const ExecutionId& id);
    void onWaitingChanged(int count);
    void makeMenus();
    void makeStatusBar();
    void connectHistory();

    void take(const ExecutionChanged& changed);
    void take(const DockerChanged& changed);
    void take(const ImagesChanged& changed);
    void take(const ImageBuildProgress& progress);
    void take(const ImageBuildEnded& ended);
    void take(const ClientConnected& connected);
    void take(const ClientChanged& changed);
    void take(const ClientDisconnected& disconnected);
    void take(const ProgramSubmitted& submitted);
    void take(const EngineFailed& failed);
    void take(const AuditVerified& verified);
    void take(const PoliciesChanged& changed);
    void take(const OutputAppended& /*output*/) {}
    void take(const SamplesTaken& /*samples*/) {}
    void take(const auto& /*event*/) {} // what the screens alone take

    void showSelected();
    void updateImageBanner();
    void updateStatusBar();
    void updateTray();
    void stopSelected();
    void runAgain();
    void runExample();
    void askForProgram();
    void submit(SubmitProgram program);

    HistoryLoader m_history;
    RunsModel* m_model;
    RunsView* m_runs;
    ExecutionPage* m_execution;
    ApprovalsScreen* m_approvals;
    PoliciesScreen* m_policies;
    AuditScreen* m_audit;
    ApprovalNotifier* m_notifier;
    Tray* m_tray;
    Rail* m_rail;
    QStackedWidget* m_screens;
    Banner* m_approvalsBanner;
    Banner* m_auditBanner;
    Banner* m_policyBanner;
    Banner* m_engineBanner;
    Banner* m_dockerBanner;
    Banner* m_imageBanner;
    Banner* m_submitBanner;
    QPlainTextEdit* m_buildLog;
    QLabel* m_engineLabel;
    QLabel* m_dockerLabel;
    QLabel* m_clientsLabel;
    QLabel* m_runningLabel;

    std::uint64_t m_detailsToken = 0;
    std::uint64_t m_nextSubmission = 1;
    int m_waitingShown = 0;
    int m_notified = 0; ///< of them, by the desktop
    bool m_quitting = false;
    bool m_engineFailed = false;
    DockerStatus m_docker;
    std::vector<ImageStatus> m_images;
    std::string m_building; ///< language whose image is being built
    std::string m_buildProblem;
    std::map<ClientId, execution::Client> m_clients;
    std::map<ExecutionId, execution::Status> m_active; ///< what isn't final
};

} // namespace belljar::ui
