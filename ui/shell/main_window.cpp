// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include "engine/base/text.h"
#include "ui/approvals/answered_view.h"
#include "ui/approvals/approval_notifier.h"
#include "ui/approvals/approvals_screen.h"
#include "ui/audit/audit_screen.h"
#include "ui/execution/execution_page.h"
#include "ui/policies/policies_screen.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_view.h"
#include "ui/shell/banner.h"
#include "ui/shell/rail.h"
#include "ui/shell/run_dialog.h"
#include "ui/shell/theme.h"
#include "ui/shell/tray.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QCloseEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace belljar::ui {

namespace {

const QString kGeometrySetting = QStringLiteral("window/geometry");
const QString kSplitterSetting = QStringLiteral("window/splitter");
const QString kToldAboutTraySetting = QStringLiteral("window/told_about_tray");
/// What closing the window means where there is no tray; asked until it is set.
const QString kOnCloseSetting = QStringLiteral("window/on_close");
const QString kOnCloseBackground = QStringLiteral("background");
const QString kOnCloseQuit = QStringLiteral("quit");
constexpr int kBuildLogLines = 500;
constexpr int kMaxShownClients = 3;

constexpr const char* kExample = "# The first ten Fibonacci numbers, one per line\n"
                                 "a, b = 0, 1\n"
                                 "for _ in range(10):\n"
                                 "    print(a)\n"
                                 "    a, b = b, a + b\n";

QString safe(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

/// Their places in the rail.
enum Place { RunsPlace, ApprovalsPlace, PoliciesPlace, AuditPlace };

std::chrono::milliseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch()
    );
}

QLabel* plainLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

MainWindow::MainWindow(const std::filesystem::path& historyFile, Theme& theme, QWidget* parent)
    : QMainWindow(parent)
    , m_history(historyFile)
    , m_model(new RunsModel(
          [this](std::optional<std::int64_t> before, std::uint32_t limit) {
              return m_history.loadPage(before, limit);
          },
          this
      ))
    , m_runs(new RunsView(*m_model))
    , m_execution(new ExecutionPage)
    , m_approvals(new ApprovalsScreen(steadyNow))
    , m_policies(new PoliciesScreen(historyFile))
    , m_audit(new AuditScreen(historyFile))
    , m_notifier(new ApprovalNotifier(this))
    , m_tray(new Tray(this))
    , m_rail(new Rail)
    , m_screens(new QStackedWidget)
    , m_approvalsBanner(new Banner(QStringLiteral("approvalsBanner")))
    , m_auditBanner(new Banner(QStringLiteral("auditBanner")))
    , m_policyBanner(new Banner(QStringLiteral("policyBanner")))
    , m_engineBanner(new Banner(QStringLiteral("engineBanner")))
    , m_dockerBanner(new Banner(QStringLiteral("dockerBanner")))
    , m_imageBanner(new Banner(QStringLiteral("imageBanner")))
    , m_submitBanner(new Banner(QStringLiteral("submitBanner")))
    , m_buildLog(new QPlainTextEdit)
    , m_engineLabel(plainLabel(QStringLiteral("engineLabel")))
    , m_dockerLabel(plainLabel(QStringLiteral("dockerLabel")))
    , m_clientsLabel(plainLabel(QStringLiteral("clientsLabel")))
    , m_runningLabel(plainLabel(QStringLiteral("runningLabel")))
{
    setWindowTitle(tr("Belljar"));
    m_buildLog->setObjectName(QStringLiteral("buildLog"));
    m_buildLog->setAccessibleName(tr("Image build log"));
    m_buildLog->setReadOnly(true);
    m_buildLog->setMaximumBlockCount(kBuildLogLines);
    m_buildLog->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_buildLog->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_buildLog->setFixedHeight(fontMetrics().lineSpacing() * 7);
    m_buildLog->hide();

    m_rail->addScreen(tr("Runs"));
    m_rail->addScreen(tr("Approvals"));
    m_rail->addScreen(tr("Policies"));
    m_rail->addScreen(tr("Audit"));
    m_screens->addWidget(makeRunsScreen());
    m_screens->addWidget(m_approvals);
    m_screens->addWidget(m_policies);
    m_screens->addWidget(m_audit);
    auto* right = new QWidget;
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QWidget* widget : std::initializer_list<QWidget*>{
             m_approvalsBanner,
             m_engineBanner,
             m_dockerBanner,
             m_imageBanner,
             m_policyBanner,
             m_auditBanner,
             m_submitBanner,
             m_buildLog})
        layout->addWidget(widget);
    layout->addWidget(m_screens, 1);
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_rail);
    columns->addWidget(right, 1);
    setCentralWidget(content);
    makeMenus();
    makeStatusBar();
    connectHistory();

    connect(m_rail, &QListWidget::currentRowChanged, this, &MainWindow::goTo);
    connect(m_approvals, &ApprovalsScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_approvals, &ApprovalsScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_approvals, &ApprovalsScreen::waitingChanged, this, &MainWindow::onWaitingChanged);
    connect(m_approvalsBanner, &Banner::activated, this, &MainWindow::showApprovals);
    connect(m_auditBanner, &Banner::activated, this, [this] { m_rail->setCurrentRow(AuditPlace); });
    connect(m_policyBanner, &Banner::activated, this, [this] {
        m_rail->setCurrentRow(PoliciesPlace);
    });
    connect(m_policies, &PoliciesScreen::commandWanted, this, &MainWindow::commandWanted);
    connect(m_policies, &PoliciesScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_notifier, &ApprovalNotifier::showWanted, this, [this] {
        raiseWindow();
        showApprovals();
    });
    connect(m_notifier, &ApprovalNotifier::denyAllWanted, m_approvals, &ApprovalsScreen::denyAll);
    connect(m_tray, &Tray::showWanted, this, &MainWindow::raiseWindow);
    connect(m_tray, &Tray::approvalsWanted, this, [this] {
        raiseWindow();
        showApprovals();
    });
    connect(m_tray, &Tray::quitWanted, this, &MainWindow::askToQuit);
    connect(m_audit, &AuditScreen::executionActivated, this, &MainWindow::showExecution);
    connect(m_runs, &RunsView::selectionChanged, this, &MainWindow::showSelected);
    connect(m_runs, &RunsView::exampleWanted, this, &MainWindow::runExample);
    connect(m_execution, &ExecutionPage::stopWanted, this, &MainWindow::stopSelected);
    connect(m_execution, &ExecutionPage::runAgainWanted, this, &MainWindow::runAgain);
    connect(m_engineBanner, &Banner::activated, this, [this] {
        m_engineFailed = false;
        m_engineBanner->hide();
        emit restartWanted();
        updateStatusBar();
    });
    connect(m_dockerBanner, &Banner::activated, this, [this] {
        emit commandWanted(RetryDocker{});
    });
    connect(m_imageBanner, &Banner::activated, this, [this] {
        const auto missing =
            std::find_if(m_images.begin(), m_images.end(), [](const ImageStatus& image) {
                return !image.present;
            });
        if (missing == m_images.end())
            return;
        m_building = missing->language;
        m_buildProblem.clear();
        m_buildLog->clear();
        m_buildLog->show();
        emit commandWanted(BuildImage{m_building});
        updateImageBanner();
    });
    connect(m_submitBanner, &Banner::activated, m_submitBanner, &QWidget::hide);
    connect(&theme, &Theme::changed, this, [this] { showSelected(); });

    resize(1280, 800);
    QSettings settings;
    restoreGeometry(settings.value(kGeometrySetting).toByteArray());
    findChild<QSplitter*>(QStringLiteral("mainSplitter"))
        ->restoreState(settings.value(kSplitterSetting).toByteArray());
    m_model->fetchMore({});
    updateStatusBar();
}

MainWindow::~MainWindow()
{
    // What the screens still say while they go would reach a window that is gone already.
    for (QWidget* screen : std::initializer_list<QWidget*>{
             m_rail, m_runs, m_execution, m_approvals, m_policies, m_audit})
        screen->disconnect(this);
    m_notifier->disconnect(this);
    m_tray->disconnect(this);
    // Its form is emptied as it goes, for which the window has to be whole.
    delete m_policies;
}

void MainWindow::setAnalyse(
    std::function<analysis::Report(const std::string& language, const std::string& code)> analyse
)
{
    m_policies->setAnalyse(std::move(analyse));
}

QWidget* MainWindow::makeRunsScreen()
{
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setObjectName(QStringLiteral("mainSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_runs);
    splitter->addWidget(m_execution);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 3);
    splitter->setSizes({300, 460});
    return splitter;
}

void MainWindow::goTo(int place)
{
    m_screens->setCurrentIndex(place);
    if (place == ApprovalsPlace)
        m_approvals->showFirst();
    // The banner says what the screen shows already.
    onWaitingChanged(m_approvals->waiting());
}

void MainWindow::showApprovals()
{
    m_rail->setCurrentRow(ApprovalsPlace);
}

void MainWindow::showExecution(const ExecutionId& id)
{
    m_rail->setCurrentRow(RunsPlace);
    m_detailsToken = m_history.loadDetails(id);
}

/// Five signals that stay until it is answered (UX.md rule 4); none of them takes the focus.
void MainWindow::onWaitingChanged(int count)
{
    const QString summary = m_approvals->summary();
    m_rail->setCount(ApprovalsPlace, count);
    const bool onScreen = m_screens->currentIndex() == ApprovalsPlace;
    if (count > 0 && !onScreen)
        m_approvalsBanner->showMessage(summary, {}, tr("&Show"));
    else
        m_approvalsBanner->hide();
    if (count > m_waitingShown)
        QApplication::alert(this);
    m_waitingShown = count;
    // What is looked at needs no notification.
    const int untold = onScreen && isActiveWindow() ? 0 : count;
    if (untold != m_notified)
        m_notifier->setWaiting(untold, summary);
    m_notified = untold;
    updateStatusBar();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    // Whoever comes to the window sees what waits; whoever leaves it is told again.
    if (event->type() == QEvent::ActivationChange)
        onWaitingChanged(m_approvals->waiting());
}

void MainWindow::take(const AuditVerified& verified)
{
    if (verified.intact)
        m_auditBanner->hide();
    else
        m_auditBanner->showMessage(
            tr("The audit log is damaged: %1").arg(safe(verified.message)), {}, tr("&Show")
        );
}

void MainWindow::take(const PoliciesChanged& changed)
{
    QStringList problems;
    for (const PolicyState& policy : changed.policies) {
        const auto error =
            std::find_if(policy.problems.begin(), policy.problems.end(), [](const auto& problem) {
                return problem.isError;
            });
        if (error != policy.problems.end())
            problems << tr("The file of policy %1 is broken in line %2 (%3); its last good version "
                           "stays in force.")
                            .arg(safe(policy.name))
                            .arg(error->line)
                            .arg(safe(error->message));
        if (!policy.pendingText.empty())
            problems << tr("The file of policy %1 was changed so that it allows more (%2); that is "
                           "not in force.")
                            .arg(safe(policy.name), safe(policy.pendingLoosens.front()));
    }
    if (!changed.assignmentsProblem.empty())
        problems << safe(changed.assignmentsProblem);
    if (!changed.pendingAssignments.empty())
        problems << tr("The assignment of policies was changed on disk so that it allows more "
                       "(%1); that is not in force.")
                        .arg(safe(changed.pendingAssignments.front()));
    if (problems.isEmpty())
        m_policyBanner->hide();
    else
        m_policyBanner->showMessage(problems.join('\n'), {}, tr("&Show"));
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    QSettings settings;
    settings.setValue(kGeometrySetting, saveGeometry());
    settings.setValue(
        kSplitterSetting, findChild<QSplitter*>(QStringLiteral("mainSplitter"))->saveState()
    );
    // The session's end closes every window; that is not the time to ask.
    if (m_quitting || qGuiApp->isSavingSession()) {
        QMainWindow::closeEvent(event);
        return;
    }
    event->ignore();
    if (m_tray->isThere())
        hideToTray();
    else
        askAboutClosing();
}

void MainWindow::hideToTray()
{
    hide();
    QSettings settings;
    if (settings.value(kToldAboutTraySetting).toBool())
        return;
    settings.setValue(kToldAboutTraySetting, true);
    m_tray->tell(
        tr("Belljar goes on in the background"),
        tr("Clients can still run programs. The icon here opens the window and quits.")
    );
}

void MainWindow::askAboutClosing()
{
    const QString before = QSettings().value(kOnCloseSetting).toString();
    if (before == kOnCloseBackground)
        return hide();
    if (before == kOnCloseQuit)
        return askToQuit();
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
            QSettings().setValue(
                kOnCloseSetting, pressed == stay ? kOnCloseBackground : kOnCloseQuit
            );
        if (pressed == stay)
            hide();
        else
            askToQuit();
    });
    box->open();
}

void MainWindow::askToQuit()
{
    if (m_active.empty())
        return quit();
    raiseWindow();
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("quittingBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Quit Belljar"));
    box->setText(tr("Quit and stop %n run(s)?", nullptr, static_cast<int>(m_active.size())));
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

void MainWindow::makeMenus()
{
    const auto add =
        [this](QMenu* menu, const QString& text, const QKeySequence& keys, auto action) {
            QAction* entry = menu->addAction(text);
            entry->setShortcut(keys);
            connect(entry, &QAction::triggered, this, action);
            return entry;
        };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, tr("&Run a program…"), QKeySequence::New, [this] { askForProgram(); });
    file->addSeparator();
    add(file, tr("&Quit"), QKeySequence::Quit, [this] { askToQuit(); });
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    add(run, tr("&Stop"), Qt::CTRL | Qt::Key_Period, [this] { stopSelected(); });
    add(run, tr("Run &again"), Qt::CTRL | Qt::Key_R, [this] { runAgain(); });
    add(run, tr("&Copy row as text"), Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] {
        QApplication::clipboard()->setText(m_runs->selectedRowText());
    });
    QMenu* view = menuBar()->addMenu(tr("&View"));
    QAction* follow =
        add(view, tr("&Follow the newest run"), Qt::CTRL | Qt::Key_L, [this](bool on) {
            m_runs->setFollowing(on);
        });
    follow->setCheckable(true);
    follow->setChecked(true);
    connect(m_runs, &RunsView::followingChanged, follow, &QAction::setChecked);
    add(view, tr("&Runs"), Qt::CTRL | Qt::Key_1, [this] {
        m_rail->setCurrentRow(RunsPlace);
        m_runs->focusTable();
    });
    add(view, tr("A&pprovals"), Qt::CTRL | Qt::Key_2, [this] { showApprovals(); });
    add(view, tr("Pol&icies"), Qt::CTRL | Qt::Key_3, [this] {
        m_rail->setCurrentRow(PoliciesPlace);
    });
    add(view, tr("A&udit"), Qt::CTRL | Qt::Key_4, [this] { m_rail->setCurrentRow(AuditPlace); });
    add(view, tr("&Find"), QKeySequence::Find, [this] {
        if (m_screens->currentIndex() == AuditPlace)
            m_audit->focusSearch();
        else
            m_execution->focusSearch();
    });
    add(view, tr("&Refresh"), QKeySequence::Refresh, [this] { emit commandWanted(SendSnapshot{}); }
    );
}

void MainWindow::makeStatusBar()
{
    for (QLabel* label : {m_engineLabel, m_dockerLabel, m_clientsLabel})
        statusBar()->addWidget(label);
    statusBar()->addPermanentWidget(m_runningLabel);
}

void MainWindow::connectHistory()
{
    connect(&m_history, &HistoryLoader::pageLoaded, m_model, &RunsModel::addPage);
    connect(&m_history, &HistoryLoader::askedLoaded, m_approvals, &ApprovalsScreen::addAnswered);
    m_history.loadAsked(AnsweredView::midnight());
    connect(
        &m_history,
        &HistoryLoader::detailsLoaded,
        this,
        [this](std::uint64_t token, const std::shared_ptr<const ExecutionDetails>& details) {
            if (token == m_detailsToken)
                m_execution->setDetails(*details);
        }
    );
    connect(
        &m_history,
        &HistoryLoader::failed,
        this,
        [this](std::uint64_t token, const QString& message) {
            m_model->pageFailed(token);
            if (token == m_detailsToken)
                m_execution->showFailure(message);
            else
                m_runs->showFailure(message);
        }
    );
    connect(m_runs, &RunsView::retryWanted, this, [this] { m_model->fetchMore({}); });
}

void MainWindow::apply(const std::vector<Event>& events)
{
    m_model->apply(events);
    m_execution->apply(events);
    m_approvals->apply(events);
    m_policies->apply(events);
    m_audit->rowsAppended();
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
    updateStatusBar();
}

void MainWindow::take(const ExecutionChanged& changed)
{
    if (execution::isFinal(changed.record.status))
        m_active.erase(changed.record.id);
    else
        m_active[changed.record.id] = changed.record.status;
}

void MainWindow::take(const DockerChanged& changed)
{
    m_docker = changed.status;
    if (m_docker.state == DockerState::Unreachable)
        m_dockerBanner->showMessage(
            QString::fromStdString(escapeUnusual(m_docker.message)),
            QString::fromStdString(escapeUnusual(m_docker.advice)),
            tr("&Look again")
        );
    else
        m_dockerBanner->hide();
    updateImageBanner();
}

void MainWindow::take(const ImagesChanged& changed)
{
    m_images = changed.images;
    updateImageBanner();
}

void MainWindow::take(const ImageBuildProgress& progress)
{
    if (m_building.empty())
        m_building = progress.language;
    m_buildLog->show();
    m_buildLog->appendPlainText(QString::fromStdString(escapeUnusual(progress.line)));
}

void MainWindow::take(const ImageBuildEnded& ended)
{
    m_building.clear();
    m_buildProblem = ended.error ? ended.error->message() : std::string();
    m_buildLog->setVisible(ended.error.has_value());
    updateImageBanner();
}

void MainWindow::take(const ClientConnected& connected)
{
    m_clients[connected.client.id] = connected.client;
}

void MainWindow::take(const ClientChanged& changed)
{
    m_clients[changed.client.id] = changed.client;
}

void MainWindow::take(const ClientDisconnected& disconnected)
{
    m_clients.erase(disconnected.id);
}

void MainWindow::take(const ProgramSubmitted& submitted)
{
    if (!submitted.result)
        m_submitBanner->showMessage(
            tr("The program was not run: %1").arg(safe(submitted.result.error().message())),
            {},
            tr("&Close")
        );
}

void MainWindow::take(const EngineFailed& failed)
{
    m_engineFailed = true;
    m_clients.clear();
    m_active.clear();
    m_engineBanner->showMessage(
        tr("Belljar's engine does not run: %1").arg(safe(failed.error.message())),
        failed.error.code() == Errc::Busy
            ? tr("Another Belljar of yours serves the clients. The history below is up to date "
                 "with it only up to now. "
                 "End the other one, then try again.")
            : QString(),
        tr("&Try again")
    );
}

void MainWindow::updateImageBanner()
{
    QStringList missing;
    for (const ImageStatus& image : m_images) {
        if (!image.present)
            missing << safe(image.title);
    }
    if (m_docker.state != DockerState::Ready || (missing.isEmpty() && m_building.empty())) {
        m_imageBanner->hide();
    } else if (!m_building.empty()) {
        m_imageBanner->showMessage(
            tr("Building the sandbox image for %1. This takes a minute or two.")
                .arg(safe(m_building)),
            {},
            {}
        );
    } else {
        m_imageBanner->showMessage(
            tr("The sandbox image for %1 is not there yet, so such programs can't run.")
                .arg(missing.join(QStringLiteral(", "))),
            m_buildProblem.empty() ? QString()
                                   : tr("The last build failed: %1").arg(safe(m_buildProblem)),
            tr("&Build %1").arg(missing.front())
        );
    }
}

void MainWindow::updateStatusBar()
{
    m_engineLabel->setText(m_engineFailed ? tr("Engine: stopped") : tr("Engine: running"));
    switch (m_docker.state) {
    case DockerState::Connecting: m_dockerLabel->setText(tr("Docker: looking")); break;
    case DockerState::Ready:
        m_dockerLabel->setText(tr("Docker: %1").arg(safe(m_docker.version)));
        break;
    case DockerState::Unreachable: m_dockerLabel->setText(tr("Docker: not running")); break;
    }
    QStringList names;
    for (const auto& [id, client] : m_clients) {
        if (names.size() < kMaxShownClients)
            names << clientText(client);
    }
    QString clients = tr("%n client(s)", nullptr, static_cast<int>(m_clients.size()));
    if (!names.isEmpty())
        clients += QStringLiteral(": ") + names.join(QStringLiteral(", "));
    m_clientsLabel->setText(clients);
    m_runningLabel->setText(tr("%1 running, %2 waiting")
                                .arg(running())
                                .arg(static_cast<std::ptrdiff_t>(m_active.size()) - running()));
    QString title = running() > 0 ? tr("Belljar – %n running", nullptr, static_cast<int>(running()))
                                  : tr("Belljar");
    if (m_approvals->waiting() > 0)
        title = tr("(%1) %2").arg(QString::number(m_approvals->waiting()), title);
    setWindowTitle(title);
    updateTray();
}

std::ptrdiff_t MainWindow::running() const
{
    return std::count_if(m_active.begin(), m_active.end(), [](const auto& entry) {
        return entry.second == execution::Status::Running;
    });
}

void MainWindow::updateTray()
{
    const int waiting = m_approvals->waiting();
    const bool problem = m_engineFailed || m_docker.state == DockerState::Unreachable;
    if (waiting > 0)
        m_tray->setState(
            TrayState::Waiting, waiting, tr("Belljar: %n waiting for you", nullptr, waiting)
        );
    else if (problem)
        m_tray->setState(
            TrayState::Problem,
            0,
            m_engineFailed ? tr("Belljar: the engine does not run")
                           : tr("Belljar: Docker does not run")
        );
    else if (running() > 0)
        m_tray->setState(
            TrayState::Running, 0, tr("Belljar: %n running", nullptr, static_cast<int>(running()))
        );
    else
        m_tray->setState(TrayState::Idle, 0, tr("Belljar: nothing runs"));
}

void MainWindow::showSelected()
{
    const auto id = m_runs->selected();
    const execution::Record* record = id ? m_model->record(*id) : nullptr;
    if (!record)
        return;
    const bool same = m_execution->record() && m_execution->record()->id == *id;
    m_execution->show(*record);
    if (!same)
        m_detailsToken = m_history.loadDetails(*id);
}

void MainWindow::stopSelected()
{
    const auto& record = m_execution->record();
    if (record && !execution::isFinal(record->status))
        emit commandWanted(CancelExecution{record->id, "stopped by the person"});
}

void MainWindow::submit(SubmitProgram program)
{
    program.token = m_nextSubmission++;
    m_submitBanner->hide();
    m_runs->setFollowing(true);
    emit commandWanted(std::move(program));
}

void MainWindow::runAgain()
{
    const auto& record = m_execution->record();
    if (!record || m_execution->code().empty())
        return;
    SubmitProgram program;
    program.language = record->language;
    program.code = m_execution->code();
    program.args = record->args;
    program.asked.timeout = record->limits.timeout;
    program.asked.memoryBytes = record->limits.memoryBytes;
    submit(std::move(program));
}

void MainWindow::runExample()
{
    SubmitProgram program;
    program.language = "python";
    program.code = kExample;
    submit(std::move(program));
}

void MainWindow::askForProgram()
{
    QStringList languages;
    for (const ImageStatus& image : m_images)
        languages << safe(image.language);
    auto* dialog = new RunDialog(languages, this);
    if (const auto& record = m_execution->record())
        dialog->setProgram(
            safe(record->language), QString::fromStdString(toValidUtf8(m_execution->code()))
        );
    connect(
        dialog,
        &RunDialog::runWanted,
        this,
        [this](const QString& language, const QString& code) {
            SubmitProgram program;
            program.language = language.toStdString();
            program.code = code.toStdString();
            submit(std::move(program));
        }
    );
    dialog->open();
}

void MainWindow::raiseWindow()
{
    show();
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

} // namespace belljar::ui
