// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandboxes_screen.h"

#include "engine/base/text.h"
#include "ui/sandboxes/images_view.h"
#include "ui/sandboxes/pool_bar.h"
#include "ui/shell/banner.h"
#include "ui/shell/screen_parts.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <array>

namespace belljar::ui {

namespace {

/// The widest text that a column usually shows; the program takes what is left.
constexpr std::array<const char*, SandboxesModel::ColumnCount> kWidestTexts{
    "Starting ####",
    "javascript",
    "",
    "10 h 59 min",
    "100 of 100 %",
    "1,024 MB of 512 MB",
    "belljar/javascript",
    "0123456789ab (suspicious_bartik)",
};

QLabel* plainLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QLabel* heading(const QString& text)
{
    QLabel* label = plainLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QLabel* message(const QString& name, const QString& text)
{
    QLabel* label = plainLabel(text);
    label->setObjectName(name);
    label->setAlignment(Qt::AlignCenter);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QPushButton* makeButton(const char* name, const QString& text)
{
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    return button;
}

} // namespace

SandboxesScreen::SandboxesScreen(QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedWidget)
    , m_noDocker(message(QStringLiteral("sandboxesNoDocker"), {}))
    , m_failure(message(QStringLiteral("sandboxesFailure"), {}))
    , m_refused(new Banner(QStringLiteral("sandboxesRefused")))
    , m_problem(plainLabel({}))
    , m_pools(new PoolBar)
    , m_list(new QStackedWidget)
    , m_table(new QTableView)
    , m_kill(makeButton("sandboxKill", tr("&End the sandbox")))
    , m_show(makeButton("sandboxProgram", tr("Show the &program")))
    , m_images(new ImagesView)
{
    makeTable();
    auto* retry = makeButton("sandboxesRetry", tr("&Look again"));
    connect(retry, &QPushButton::clicked, this, [this] { emit commandWanted(RetryDocker{}); });
    m_stack->insertWidget(
        int(State::Loading),
        makeMessagePage(message(QStringLiteral("sandboxesLoading"), tr("Looking for Docker…")), {})
    );
    m_stack->insertWidget(int(State::NoDocker), makeMessagePage(m_noDocker, retry));
    m_stack->insertWidget(int(State::Failed), makeMessagePage(m_failure, nullptr));
    m_stack->insertWidget(int(State::Ready), makeReadyPage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_refused);
    layout->addWidget(m_stack, 1);
    connectParts();
    updateButtons();
}

QWidget* SandboxesScreen::makeReadyPage()
{
    m_problem->setObjectName(QStringLiteral("sandboxesProblem"));
    m_problem->hide();
    m_list->addWidget(m_table);
    m_list->addWidget(message(
        QStringLiteral("sandboxesNone"),
        tr("No sandbox is there now: the next program takes a moment longer to start.")
    ));
    m_list->setMinimumHeight(fontMetrics().lineSpacing() * 9);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_kill);
    buttons->addWidget(m_show);
    buttons->addStretch(1);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(m_problem);
    layout->addWidget(heading(tr("Kept warm, for programs to start at once")));
    layout->addWidget(plainLabel(
        tr("From the first program of a language on; from Belljar's start once you have set the "
           "number. 0: none.")
    ));
    layout->addWidget(m_pools);
    layout->addSpacing(fontMetrics().height() / 2);
    layout->addWidget(heading(tr("Sandboxes")));
    layout->addWidget(m_list, 1);
    layout->addLayout(buttons);
    layout->addSpacing(fontMetrics().height() / 2);
    layout->addWidget(heading(tr("Images that programs run in")));
    layout->addWidget(m_images);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    return scroll;
}

void SandboxesScreen::makeTable()
{
    m_table->setObjectName(QStringLiteral("sandboxesTable"));
    m_table->setAccessibleName(tr("Sandboxes"));
    m_table->setModel(&m_model);
    setUpRows(*m_table, 1.6);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setColumnWidths(*m_table, kWidestTexts, SandboxesModel::Program);
}

void SandboxesScreen::connectParts()
{
    connect(m_kill, &QPushButton::clicked, this, &SandboxesScreen::kill);
    connect(m_show, &QPushButton::clicked, this, &SandboxesScreen::showProgram);
    connect(m_table, &QTableView::activated, this, &SandboxesScreen::showProgram);
    auto* remove = new QShortcut(QKeySequence::Delete, m_table);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &SandboxesScreen::kill);
    connect(
        m_table->selectionModel(),
        &QItemSelectionModel::selectionChanged,
        this,
        &SandboxesScreen::updateButtons
    );
    connect(m_refused, &Banner::activated, m_refused, &QWidget::hide);
    connect(m_pools, &PoolBar::sizeWanted, this, [this](const std::string& language, int size) {
        m_refused->hide();
        emit commandWanted(SetPoolSize{++m_lastToken, language, static_cast<std::uint32_t>(size)});
    });
    connect(m_images, &ImagesView::buildWanted, this, [this](const std::string& language) {
        m_refused->hide();
        emit commandWanted(BuildImage{language});
    });
    connect(m_images, &ImagesView::useWanted, this, &SandboxesScreen::useImage);
    connect(m_images, &ImagesView::removeWanted, this, [this](const std::string& language) {
        m_refused->hide();
        emit commandWanted(RemoveImage{++m_lastToken, language});
    });
}

void SandboxesScreen::useImage(const std::string& language, const std::string& reference)
{
    m_refused->hide();
    m_useToken = ++m_lastToken;
    emit commandWanted(UseImage{m_useToken, language, reference});
}

void SandboxesScreen::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    emit commandWanted(WatchSandboxes{true});
}

void SandboxesScreen::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    emit commandWanted(WatchSandboxes{false});
}

void SandboxesScreen::apply(const std::vector<Event>& events)
{
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
    flushProgress();
}

void SandboxesScreen::setState(State state)
{
    m_state = state;
    m_stack->setCurrentIndex(int(state));
}

void SandboxesScreen::take(const DockerChanged& changed)
{
    const DockerStatus& docker = changed.status;
    // An engine that has been started again doesn't know that somebody looks.
    if (isVisible())
        emit commandWanted(WatchSandboxes{true});
    m_noDocker->setText(
        tr("There are no sandboxes without Docker.") + QStringLiteral("\n\n") +
        QString::fromStdString(escapeUnusual(docker.message)) + QLatin1Char('\n') +
        QString::fromStdString(escapeUnusual(docker.advice))
    );
    switch (docker.state) {
    case DockerState::Connecting: return setState(State::Loading);
    case DockerState::Unreachable: return setState(State::NoDocker);
    case DockerState::Ready: return setState(State::Ready);
    }
}

void SandboxesScreen::take(const EngineFailed& failed)
{
    m_failure->setText(tr("Belljar's engine does not run, so there are no sandboxes.\n%1")
                           .arg(safe(failed.error.message())));
    m_images->endUse(failed.error);
    m_model.setSandboxes({}, 0);
    setState(State::Failed);
}

void SandboxesScreen::take(const ImagesChanged& changed)
{
    m_images->setImages(changed.images);
}

void SandboxesScreen::take(const ImageBuildProgress& progress)
{
    if (progress.language != m_building)
        flushProgress();
    m_building = progress.language;
    m_lines << QString::fromStdString(escapeForLine(progress.line));
}

/// A build may say a thousand lines at once.
void SandboxesScreen::flushProgress()
{
    if (!m_lines.isEmpty())
        m_images->addProgress(m_building, m_lines);
    m_lines.clear();
}

void SandboxesScreen::take(const ImageBuildEnded& ended)
{
    flushProgress();
    m_images->endBuild(ended);
}

void SandboxesScreen::take(const SandboxesChanged& changed)
{
    m_model.setSandboxes(changed.sandboxes, execution::unixNow());
    m_pools->setPools(changed.pools);
    m_list->setCurrentIndex(changed.sandboxes.empty() ? 1 : 0);
    m_problem->setVisible(!changed.problem.empty());
    m_problem->setText(tr("What was chosen here is not in force, since its file can't be read: %1")
                           .arg(safe(changed.problem)));
    updateButtons();
}

void SandboxesScreen::take(const SandboxCommandDone& done)
{
    if (done.token == m_useToken)
        return m_images->endUse(done.error);
    if (!done.error)
        return;
    m_refused->showMessage(tr("Not done: %1").arg(safe(done.error->message())), {}, tr("&Close"));
    m_pools->reset();
}

void SandboxesScreen::take(const ExecutionChanged& changed)
{
    m_model.setProgram(changed.record);
}

const SandboxStatus* SandboxesScreen::selected() const
{
    const auto rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : m_model.sandbox(rows.front());
}

void SandboxesScreen::updateButtons()
{
    const SandboxStatus* one = selected();
    const bool busy = one && one->state == SandboxState::Busy;
    m_kill->setText(busy ? tr("&End the sandbox and its program") : tr("&End the sandbox"));
    m_kill->setEnabled(busy || (one && one->state == SandboxState::Warm));
    m_show->setEnabled(busy);
}

void SandboxesScreen::kill()
{
    const SandboxStatus* one = selected();
    if (!one || !m_kill->isEnabled())
        return;
    m_refused->hide();
    emit commandWanted(KillSandbox{++m_lastToken, one->id});
}

void SandboxesScreen::showProgram()
{
    const SandboxStatus* one = selected();
    if (one && !one->execution.empty())
        emit executionActivated(one->execution);
}

} // namespace belljar::ui
