// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/bridge/history_loader.h"
#include "ui/settings/preferences.h"
#include "ui/shell/situation.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>
#endif

#include <QMainWindow>
#include <QPointer>

class QAction;
class QStackedWidget;

namespace belljar::ui {

class ApprovalNotifier;
class ApprovalsScreen;
class AuditScreen;
class Banners;
class ClientsScreen;
class CommandPalette;
class Guide;
class PoliciesScreen;
class Rail;
class RunsScreen;
class SandboxesScreen;
class StatusLine;
class SettingsScreen;
class Theme;
class Tray;

/// The window: the screens, what needs action above them, and what stands below. Values in,
/// commands out; it knows neither the engine nor its thread.
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
    /// Keeps where everything is for the next window.
    void keepLayout();
    /// Comes to the front, as far as the desktop lets it.
    void raiseWindow();
    /// Ends the program. What waits is rejected and what runs is stopped by the engine's end.
    void quit();

signals:
    void commandWanted(belljar::Command command);
    /// The engine has failed and is to be started again.
    void restartWanted();
    /// The window's texts are as they were made: another window has to be made.
    void languageWanted(belljar::ui::Language language);

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// In the rail's order.
    enum Place {
        RunsPlace,
        ApprovalsPlace,
        PoliciesPlace,
        SandboxesPlace,
        ClientsPlace,
        AuditPlace,
        SettingsPlace
    };

    void addScreen(const QString& title, const QString& icon, QWidget* screen);
    void connectScreens();
    void connectShell();
    void makeMenus();
    void goTo(int place);
    void showExecution(const ExecutionId& id);
    void find();
    void setPaused(bool paused);
    void stopAll();
    void showKeys();
    void showGuide();
    void showBanners();

    /// Quits, after asking where that stops something.
    void askToQuit();
    /// There is no tray: what closing the window means here.
    void askAboutClosing();
    void hideWindow();
    void setOnClose(OnClose onClose);
    void setPreferences(const Preferences& preferences);
    void changeLanguage();

    void take(const ProgramSubmitted& submitted);
    void take(const auto& /*event*/) {} // what the screens alone take

    void onWaitingChanged(int count);
    void showSituation();
    void updateTitle();
    void updateTray();

    Theme& m_theme;
    Preferences m_preferences;
    HistoryLoader m_history;
    Situation m_situation;
    RunsScreen* m_runs;
    ApprovalsScreen* m_approvals;
    PoliciesScreen* m_policies;
    SandboxesScreen* m_sandboxes;
    ClientsScreen* m_clients;
    AuditScreen* m_audit;
    SettingsScreen* m_settings;
    ApprovalNotifier* m_notifier;
    Tray* m_tray;
    Rail* m_rail;
    QStackedWidget* m_screens;
    Banners* m_banners;
    StatusLine* m_status;
    CommandPalette* m_palette = nullptr; ///< once there are menus
    QAction* m_pause = nullptr;
    QPointer<Guide> m_guide; ///< while its dialog is open

    int m_waitingShown = 0;
    int m_notified = 0; ///< of them, by the desktop
    bool m_quitting = false;
};

} // namespace belljar::ui
