// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "engine/base/paths.h"
#include "ui/approvals/answered_view.h"
#include "ui/approvals/approval_notifier.h"
#include "ui/approvals/approvals_screen.h"
#include "ui/audit/audit_screen.h"
#include "ui/clients/clients_screen.h"
#include "ui/guide/guide.h"
#include "ui/policies/policies_screen.h"
#include "ui/runs/runs_screen.h"
#include "ui/sandboxes/sandboxes_screen.h"
#include "ui/settings/settings_screen.h"
#include "ui/shell/banners.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/keys_dialog.h"
#include "ui/shell/rail.h"
#include "ui/shell/screen_parts.h"
#include "ui/shell/status_line.h"
#include "ui/shell/theme.h"
#include "ui/shell/tray.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QCloseEvent>
#include <QDialog>
#include <QDialogButtonBox>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace belljar::ui {

namespace {

const QString kGeometrySetting = QStringLiteral("window/geometry");
const QString kSplitterSetting = QStringLiteral("window/splitter");
const QString kToldAboutTraySetting = QStringLiteral("window/told_about_tray");
const QString kPlaceSetting = QStringLiteral("window/place");

constexpr int kNarrowLetters = 150; ///< the rail is icons alone in a window less wide

std::chrono::milliseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch()
    );
}

} // namespace

MainWindow::MainWindow(const std::filesystem::path& historyFile, Theme& theme, QWidget* parent)
    : QMainWindow(parent)
    , m_theme(theme)
    , m_preferences(loadPreferences())
    , m_history(historyFile)
    , m_runs(new RunsScreen(m_history))
    , m_approvals(new ApprovalsScreen(steadyNow))
    , m_policies(new PoliciesScreen(historyFile))
    , m_sandboxes(new SandboxesScreen)
    , m_clients(
          new ClientsScreen(historyFile, [] { return clients::Configurations::open(findPaths()); })
      )
    , m_audit(new AuditScreen(historyFile))
    , m_settings(new SettingsScreen)
    , m_notifier(new ApprovalNotifier(this))
    , m_tray(new Tray(this))
    , m_rail(new Rail)
    , m_screens(new QStackedWidget)
    , m_banners(new Banners(m_situation))
    , m_status(new StatusLine)
{
    setWindowTitle(tr("Belljar"));
    addScreen(tr("Runs"), QStringLiteral("runs"), m_runs);
    addScreen(tr("Approvals"), QStringLiteral("approvals"), m_approvals);
    addScreen(tr("Policies"), QStringLiteral("policies"), m_policies);
    addScreen(tr("Sandboxes"), QStringLiteral("sandboxes"), m_sandboxes);
    addScreen(tr("Clients"), QStringLiteral("clients"), m_clients);
    addScreen(tr("Audit"), QStringLiteral("audit"), m_audit);
    addScreen(tr("Settings"), QStringLiteral("settings"), m_settings);
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_banners);
    right->addWidget(m_screens, 1);
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_rail);
    columns->addLayout(right, 1);
    setCentralWidget(content);
    setStatusBar(m_status);
    makeMenus();
    m_palette = new CommandPalette(menuBar(), content);
    connect(m_palette, &CommandPalette::runWanted, this, &MainWindow::showExecution);
    connect(m_palette, &CommandPalette::findWanted, this, [this](const QString& text) {
        m_rail->setCurrentRow(RunsPlace);
        m_runs->setQuery(text);
    });
    connectScreens();
    connectShell();
    connect(&theme, &Theme::changed, m_runs, &RunsScreen::updateColors);
    m_history.loadAsked(AnsweredView::midnight());

    resize(1280, 800);
    QSettings settings;
    restoreGeometry(settings.value(kGeometrySetting).toByteArray());
    m_runs->restoreLayoutState(settings.value(kSplitterSetting).toByteArray());
    theme.choose(m_preferences.scheme);
    m_rail->setCurrentRow(settings.value(kPlaceSetting, 0).toInt());
    showSituation();
}

MainWindow::~MainWindow()
{
    // What these still say while they go would reach a window that is gone already.
    for (QObject* one : std::initializer_list<QObject*>{
             &m_history,
             m_rail,
             m_runs,
             m_approvals,
             m_policies,
             m_sandboxes,
             m_clients,
             m_audit,
             m_settings,
             m_notifier,
             m_tray})
        one->disconnect(this);
    // Its form is emptied as it goes, for which the window has to be whole.
    delete m_policies;
    // It reads by what goes before the widgets do.
    delete m_runs;
}

void MainWindow::addScreen(const QString& title, const QString& icon, QWidget* screen)
{
    m_rail->addScreen(title, icon);
    m_screens->addWidget(screen);
}

void MainWindow::connectScreens()
{
    connect(m_runs, &RunsScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_runs, &RunsScreen::clientsWanted, this, [this] {
        m_rail->setCurrentRow(ClientsPlace);
    });
    connect(m_runs, &RunsScreen::guideShown, this, &MainWindow::showBanners);
    connect(m_runs, &RunsScreen::submitted, m_banners, &Banners::hideNotSubmitted);
    connect(m_runs, &RunsScreen::ruleWanted, this, [this](const execution::Record& record) {
        m_rail->setCurrentRow(PoliciesPlace);
        m_policies->makeRule(record);
    });
    connect(m_approvals, &ApprovalsScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_approvals, &ApprovalsScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_approvals, &ApprovalsScreen::waitingChanged, this, &MainWindow::onWaitingChanged);
    connect(&m_history, &HistoryLoader::askedLoaded, m_approvals, &ApprovalsScreen::addAnswered);
    connect(m_policies, &PoliciesScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_policies, &PoliciesScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_sandboxes, &SandboxesScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_sandboxes, &SandboxesScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_clients, &ClientsScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_audit, &AuditScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_settings, &SettingsScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_settings, &SettingsScreen::preferencesChanged, this, &MainWindow::setPreferences);
}

void MainWindow::connectShell()
{
    const auto showApprovals = [this] {
        raiseWindow();
        m_rail->setCurrentRow(ApprovalsPlace);
    };
    connect(m_rail, &QListWidget::currentRowChanged, this, &MainWindow::goTo);
    connect(m_banners, &Banners::commandWanted, this, &MainWindow::commandWanted);
    connect(m_banners, &Banners::approvalsWanted, this, showApprovals);
    connect(m_banners, &Banners::policiesWanted, this, [this] {
        m_rail->setCurrentRow(PoliciesPlace);
    });
    connect(m_banners, &Banners::auditWanted, this, [this] { m_rail->setCurrentRow(AuditPlace); });
    connect(m_banners, &Banners::restartWanted, this, [this] {
        m_situation.engineFailed = false;
        const bool paused = m_situation.pause.paused;
        emit restartWanted();
        // Another engine has never heard of it.
        if (paused)
            setPaused(true);
        showSituation();
    });
    connect(m_notifier, &ApprovalNotifier::showWanted, this, showApprovals);
    connect(m_notifier, &ApprovalNotifier::denyAllWanted, m_approvals, &ApprovalsScreen::denyAll);
    connect(m_tray, &Tray::showWanted, this, &MainWindow::raiseWindow);
    connect(m_tray, &Tray::approvalsWanted, this, showApprovals);
    connect(m_tray, &Tray::pauseWanted, this, &MainWindow::setPaused);
    connect(m_tray, &Tray::quitWanted, this, &MainWindow::askToQuit);
}

void MainWindow::setAnalyse(
    std::function<analysis::Report(const std::string& language, const std::string& code)> analyse
)
{
    m_policies->setAnalyse(std::move(analyse));
}

void MainWindow::goTo(int place)
{
    m_screens->setCurrentIndex(place);
    if (place == ApprovalsPlace)
        m_approvals->showFirst();
    showBanners();
    // The banner says what the screen shows already.
    onWaitingChanged(m_approvals->waiting());
}

/// What a screen shows by itself needs no banner.
void MainWindow::showBanners()
{
    const int place = m_screens->currentIndex();
    m_banners->setImagesShown(
        place == SandboxesPlace || (place == RunsPlace && m_runs->showsGuide())
    );
}

void MainWindow::showExecution(const ExecutionId& id)
{
    m_rail->setCurrentRow(RunsPlace);
    m_runs->showExecution(id);
}

void MainWindow::find()
{
    if (m_screens->currentIndex() == AuditPlace)
        m_audit->focusSearch();
    else if (m_screens->currentIndex() == SettingsPlace)
        m_settings->focusSearch();
    else
        m_runs->focusSearch();
}

void MainWindow::setPaused(bool paused)
{
    emit commandWanted(PauseRuns{paused});
    // It shows what is once the engine has said so.
    m_pause->setChecked(m_situation.pause.paused);
    m_tray->setPaused(m_situation.pause.paused);
}

/// Everything that is in a sandbox or on its way there.
void MainWindow::stopAll()
{
    for (const auto& [id, status] : m_situation.active)
        emit commandWanted(CancelExecution{id, "stopped by the person"});
}

void MainWindow::showKeys()
{
    auto* box = new KeysDialog(*menuBar(), this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::showGuide()
{
    if (m_guide) {
        m_guide->window()->raise();
        m_guide->window()->activateWindow();
        return;
    }
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("guideDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("First steps"));
    m_guide = new Guide(m_situation);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(m_guide, &Guide::commandWanted, this, &MainWindow::commandWanted);
    connect(m_guide, &Guide::clientsWanted, this, [this, dialog] {
        dialog->accept();
        m_rail->setCurrentRow(ClientsPlace);
    });
    connect(m_guide, &Guide::exampleWanted, this, [this, dialog] {
        dialog->accept();
        m_rail->setCurrentRow(RunsPlace);
        m_runs->runExample();
    });
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(m_guide, 1);
    layout->addWidget(buttons);
    dialog->resize(fontMetrics().averageCharWidth() * 96, fontMetrics().lineSpacing() * 36);
    dialog->show();
}

/// Five signals that stay until it is answered (UX.md rule 4); none of them takes the focus.
void MainWindow::onWaitingChanged(int count)
{
    const QString summary = m_approvals->summary();
    m_rail->setCount(ApprovalsPlace, count);
    const bool onScreen = m_screens->currentIndex() == ApprovalsPlace;
    m_banners->showWaiting(onScreen ? QString() : summary);
    if (count > m_waitingShown)
        QApplication::alert(this);
    m_waitingShown = count;
    // What is looked at needs no notification.
    const bool isTold = m_preferences.notifications && !(onScreen && isActiveWindow());
    const int untold = isTold ? count : 0;
    if (untold != m_notified)
        m_notifier->setWaiting(untold, summary);
    m_notified = untold;
    showSituation();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    // Whoever comes to the window sees what waits; whoever leaves it is told again.
    if (event->type() == QEvent::ActivationChange)
        onWaitingChanged(m_approvals->waiting());
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_rail->setNarrow(width() < fontMetrics().averageCharWidth() * kNarrowLetters);
}

void MainWindow::makeMenus()
{
    const auto add = [this](QMenu* menu, const QString& text, const QKeySequence& keys, auto act) {
        QAction* entry = menu->addAction(text);
        entry->setShortcut(keys);
        connect(entry, &QAction::triggered, this, act);
        return entry;
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, tr("&Run a program…"), QKeySequence::New, [this] { m_runs->askForProgram(); });
    file->addSeparator();
    add(file, tr("&Quit"), QKeySequence::Quit, [this] { askToQuit(); });
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    add(run, tr("&Stop"), Qt::CTRL | Qt::Key_Period, [this] { m_runs->stopSelected(); });
    add(run, tr("Stop a&ll"), Qt::CTRL | Qt::SHIFT | Qt::Key_Period, [this] { stopAll(); });
    m_pause = add(run, tr("&Pause all programs"), Qt::CTRL | Qt::Key_P, [this](bool on) {
        setPaused(on);
    });
    m_pause->setCheckable(true);
    run->addSeparator();
    add(run, tr("Run &again"), Qt::CTRL | Qt::Key_R, [this] { m_runs->runAgain(); });
    add(run, tr("&Copy row as text"), Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] {
        m_runs->copyRow();
    });
    QMenu* view = menuBar()->addMenu(tr("&View"));
    QAction* follow =
        add(view, tr("&Follow the newest run"), Qt::CTRL | Qt::Key_L, [this](bool on) {
            m_runs->setFollowing(on);
        });
    follow->setCheckable(true);
    follow->setChecked(true);
    connect(m_runs, &RunsScreen::followingChanged, follow, &QAction::setChecked);
    add(view, tr("&Runs"), Qt::CTRL | Qt::Key_1, [this] {
        m_rail->setCurrentRow(RunsPlace);
        m_runs->focusTable();
    });
    add(view, tr("A&pprovals"), Qt::CTRL | Qt::Key_2, [this] {
        m_rail->setCurrentRow(ApprovalsPlace);
    });
    add(view, tr("Pol&icies"), Qt::CTRL | Qt::Key_3, [this] {
        m_rail->setCurrentRow(PoliciesPlace);
    });
    add(view, tr("&Sandboxes"), Qt::CTRL | Qt::Key_4, [this] {
        m_rail->setCurrentRow(SandboxesPlace);
    });
    add(view, tr("&Clients"), Qt::CTRL | Qt::Key_5, [this] { m_rail->setCurrentRow(ClientsPlace); }
    );
    add(view, tr("A&udit"), Qt::CTRL | Qt::Key_6, [this] { m_rail->setCurrentRow(AuditPlace); });
    add(view, tr("&Settings"), QKeySequence(Qt::CTRL | Qt::Key_Comma), [this] {
        m_rail->setCurrentRow(SettingsPlace);
    });
    add(view, tr("&Find"), QKeySequence::Find, [this] { find(); });
    add(view, tr("&Refresh"), QKeySequence::Refresh, [this] { emit commandWanted(SendSnapshot{}); }
    );
    add(view, tr("Co&mmands…"), Qt::CTRL | Qt::Key_K, [this] { m_palette->open(); });
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, tr("&First steps…"), {}, [this] { showGuide(); });
    add(help, tr("&Keys…"), Qt::CTRL | Qt::Key_Slash, [this] { showKeys(); });
}

void MainWindow::apply(const std::vector<Event>& events)
{
    m_situation.apply(events);
    m_runs->apply(events);
    m_approvals->apply(events);
    m_policies->apply(events);
    m_sandboxes->apply(events);
    m_clients->apply(events);
    m_settings->apply(events);
    m_audit->rowsAppended();
    m_banners->apply(events);
    if (m_guide)
        m_guide->apply(events);
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
    showSituation();
}

void MainWindow::take(const ProgramSubmitted& submitted)
{
    if (!submitted.result)
        m_banners->showNotSubmitted(safe(submitted.result.error().message()));
}

void MainWindow::showSituation()
{
    QStringList languages;
    for (const ImageStatus& image : m_situation.images)
        languages << safe(image.language);
    m_runs->setLanguages(languages);
    m_status->show(m_situation);
    m_pause->setChecked(m_situation.pause.paused);
    m_tray->setPaused(m_situation.pause.paused);
    updateTitle();
    updateTray();
}

void MainWindow::updateTitle()
{
    const int running = m_situation.running();
    QString title = running > 0 ? tr("Belljar – %n running", nullptr, running) : tr("Belljar");
    if (m_approvals->waiting() > 0)
        title = tr("(%1) %2").arg(QString::number(m_approvals->waiting()), title);
    setWindowTitle(title);
}

void MainWindow::updateTray()
{
    const int waiting = m_approvals->waiting();
    const bool problem =
        m_situation.engineFailed || m_situation.docker.state == DockerState::Unreachable;
    if (waiting > 0)
        m_tray->setState(
            TrayState::Waiting, waiting, tr("Belljar: %n waiting for you", nullptr, waiting)
        );
    else if (m_situation.pause.paused)
        m_tray->setState(TrayState::Paused, 0, tr("Belljar: paused, no program starts"));
    else if (problem)
        m_tray->setState(
            TrayState::Problem,
            0,
            m_situation.engineFailed ? tr("Belljar: the engine does not run")
                                     : tr("Belljar: Docker does not run")
        );
    else if (m_situation.running() > 0)
        m_tray->setState(
            TrayState::Running, 0, tr("Belljar: %n running", nullptr, m_situation.running())
        );
    else
        m_tray->setState(TrayState::Idle, 0, tr("Belljar: nothing runs"));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    keepLayout();
    // The session's end closes every window; that is not the time to ask.
    if (m_quitting || qGuiApp->isSavingSession()) {
        QMainWindow::closeEvent(event);
        return;
    }
    event->ignore();
    switch (m_preferences.onClose) {
    case OnClose::Background: hideWindow(); break;
    case OnClose::Quit: askToQuit(); break;
    case OnClose::Ask:
        if (m_tray->isThere())
            hideWindow();
        else
            askAboutClosing();
    }
}

void MainWindow::keepLayout()
{
    QSettings settings;
    settings.setValue(kGeometrySetting, saveGeometry());
    settings.setValue(kSplitterSetting, m_runs->layoutState());
    settings.setValue(kPlaceSetting, m_rail->currentRow());
}

void MainWindow::setOnClose(OnClose onClose)
{
    m_preferences.onClose = onClose;
    savePreferences(m_preferences);
    m_settings->showPreferences(m_preferences);
}

void MainWindow::setPreferences(const Preferences& preferences)
{
    const bool otherLanguage = preferences.language != m_preferences.language;
    m_preferences = preferences;
    m_theme.choose(preferences.scheme);
    onWaitingChanged(m_approvals->waiting());
    if (otherLanguage)
        changeLanguage();
}

/// Edits go with the window, so nobody loses one unasked.
void MainWindow::changeLanguage()
{
    m_approvals->finishDenial();
    if (!m_policies->hasDrafts() && !m_approvals->hasEdits()) {
        emit languageWanted(m_preferences.language);
        return;
    }
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("languageBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Language"));
    box->setText(tr("There are edits that are not saved."));
    box->setInformativeText(
        tr("Policies or questions were edited, and another language makes the window anew. Later: "
           "it speaks the other language when Belljar is started again.")
    );
    QPushButton* discard = box->addButton(tr("&Discard the edits"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("&Later"), QMessageBox::RejectRole));
    connect(discard, &QPushButton::clicked, this, [this] {
        emit languageWanted(m_preferences.language);
    });
    box->open();
}

void MainWindow::hideWindow()
{
    hide();
    QSettings settings;
    if (!m_tray->isThere() || settings.value(kToldAboutTraySetting).toBool())
        return;
    settings.setValue(kToldAboutTraySetting, true);
    m_tray->tell(
        tr("Belljar goes on in the background"),
        tr("Clients can still run programs. The icon here opens the window and quits.")
    );
}

void MainWindow::askAboutClosing()
{
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("closingBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Close Belljar"));
    box->setText(tr("Keep Belljar running without its window?"));
    box->setInformativeText(
        tr("This desktop has no tray for an icon. In the background clients can "
           "still run programs and questions reach you as notifications; "
           "starting Belljar again brings the window back.")
    );
    auto* again = new QCheckBox(tr("&Remember this"));
    again->setChecked(true);
    box->setCheckBox(again);
    QPushButton* stay = box->addButton(tr("&Keep running"), QMessageBox::AcceptRole);
    QPushButton* end = box->addButton(tr("&Quit"), QMessageBox::DestructiveRole);
    box->addButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* pressed) {
        if (pressed != stay && pressed != end)
            return;
        if (again->isChecked())
            setOnClose(pressed == stay ? OnClose::Background : OnClose::Quit);
        if (pressed == stay)
            hide();
        else
            askToQuit();
    });
    box->open();
}

void MainWindow::askToQuit()
{
    if (m_situation.active.empty())
        return quit();
    raiseWindow();
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("quittingBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Quit Belljar"));
    box->setText(
        tr("Quit and stop %n run(s)?", nullptr, static_cast<int>(m_situation.active.size()))
    );
    box->setInformativeText(
        tr("What runs is stopped, and what waits for you is rejected. Their clients are told.")
    );
    QPushButton* end = box->addButton(tr("&Quit"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(end, &QPushButton::clicked, this, &MainWindow::quit);
    box->open();
}

void MainWindow::quit()
{
    m_quitting = true;
    m_approvals->finishDenial();
    QApplication::quit();
}

void MainWindow::raiseWindow()
{
    show();
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

} // namespace belljar::ui
