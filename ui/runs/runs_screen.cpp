// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_screen.h"

#include "engine/base/text.h"
#include "ui/bridge/history_loader.h"
#include "ui/execution/execution_page.h"
#include "ui/guide/guide.h"
#include "ui/runs/dashboard.h"
#include "ui/runs/query_line.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_view.h"
#include "ui/runs/saved_filters.h"
#include "ui/runs/undo_strip.h"
#include "ui/shell/run_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QShortcut>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

#include <initializer_list>
#include <utility>

namespace belljar::ui {

namespace {

constexpr int kRefreshMs = 1500;
constexpr const char* kExample = "# The first ten Fibonacci numbers, one per line\n"
                                 "a, b = 0, 1\n"
                                 "for _ in range(10):\n"
                                 "    print(a)\n"
                                 "    a, b = b, a + b\n";

} // namespace

RunsScreen::RunsScreen(HistoryLoader& history, QWidget* parent)
    : QWidget(parent)
    , m_history(history)
    , m_model(new RunsModel(
          [this](const store::RunQuery& query) { return m_history.loadPage(query); }, this
      ))
    , m_guide(new Guide({}))
    , m_runs(new RunsView(*m_model, m_guide))
    , m_dashboard(new Dashboard)
    , m_query(new QueryLine)
    , m_saved(new SavedFilters)
    , m_grouping(new QComboBox)
    , m_actions(nullptr)
    , m_numbersDelay(new QTimer(this))
    , m_newestDelay(new QTimer(this))
    , m_execution(new ExecutionPage)
    , m_splitter(new QSplitter(Qt::Vertical))
{
    m_splitter->setObjectName(QStringLiteral("mainSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(makeList());
    m_splitter->addWidget(m_execution);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({400, 400});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    for (QTimer* timer : {m_numbersDelay, m_newestDelay}) {
        timer->setSingleShot(true);
        timer->setInterval(kRefreshMs);
    }
    connectParts();
    addShortcuts();
    setFocusProxy(m_runs);
    m_model->fetchMore({});
    m_history.loadNumbers();
}

QWidget* RunsScreen::makeList()
{
    m_grouping->setObjectName(QStringLiteral("groupingBox"));
    m_grouping->setAccessibleName(tr("Group the runs"));
    m_grouping->addItem(tr("Every run"), int(store::Grouping::None));
    m_grouping->addItem(tr("By session"), int(store::Grouping::Session));
    m_grouping->addItem(tr("By identical code"), int(store::Grouping::Code));
    auto* undo = new UndoStrip;
    auto* filter = new QHBoxLayout;
    const int space = fontMetrics().height() / 3;
    filter->setContentsMargins(0, 0, space, 0);
    filter->addWidget(m_query, 1);
    for (QWidget* beside : std::initializer_list<QWidget*>{m_saved, m_grouping}) {
        auto* level = new QVBoxLayout; // with the line, which has a margin of its own
        level->setContentsMargins(0, space, 0, 0);
        level->addWidget(beside);
        level->addStretch();
        filter->addLayout(level);
    }
    auto* list = new QWidget;
    auto* layout = new QVBoxLayout(list);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_dashboard);
    layout->addLayout(filter);
    layout->addWidget(undo);
    layout->addWidget(m_runs, 1);
    m_actions = new RunActions(m_history, *m_model, *m_runs, *undo, this);
    return list;
}

void RunsScreen::connectParts()
{
    connect(&m_history, &HistoryLoader::pageLoaded, m_model, &RunsModel::addPage);
    connect(&m_history, &HistoryLoader::detailsLoaded, this, &RunsScreen::takeDetails);
    connect(&m_history, &HistoryLoader::failed, this, &RunsScreen::takeFailure);
    connect(
        &m_history,
        &HistoryLoader::numbersLoaded,
        this,
        [this](const std::shared_ptr<const RunNumbers>& numbers) {
            m_dashboard->setNumbers(*numbers);
            m_query->offer("tag", numbers->tags);
            std::vector<std::string> clients;
            for (const auto& counted : numbers->lastDay.clients)
                clients.push_back(counted.first);
            m_query->offer("client", std::move(clients));
        }
    );
    connect(m_model, &RunsModel::newerExpected, this, [this] {
        if (!m_newestDelay->isActive())
            m_newestDelay->start();
    });
    connect(m_newestDelay, &QTimer::timeout, m_model, &RunsModel::fetchNewest);
    connect(m_dashboard, &Dashboard::conditionWanted, m_query, &QueryLine::setCondition);
    connect(m_dashboard, &Dashboard::numbersOutdated, this, [this] {
        if (!m_numbersDelay->isActive())
            m_numbersDelay->start();
    });
    connect(m_numbersDelay, &QTimer::timeout, this, [this] { m_history.loadNumbers(); });
    connect(m_query, &QueryLine::filterChanged, this, &RunsScreen::takeQuery);
    connect(m_query, &QueryLine::filterChanged, this, [this] {
        m_saved->setCurrent(m_query->text());
    });
    connect(m_saved, &SavedFilters::chosen, m_query, &QueryLine::setText);
    connect(m_query, &QueryLine::leaveWanted, this, &RunsScreen::focusTable);
    connect(m_grouping, &QComboBox::currentIndexChanged, this, &RunsScreen::takeQuery);
    connect(m_runs, &RunsView::retryWanted, this, [this] { m_model->fetchMore({}); });
    connect(m_runs, &RunsView::clearWanted, this, [this] { m_query->setText({}); });
    connect(m_runs, &RunsView::selectionChanged, this, &RunsScreen::showSelected);
    connect(m_runs, &RunsView::stateChanged, this, [this] {
        const bool isEmpty = m_runs->state() == RunsView::State::Empty;
        m_execution->setVisible(!isEmpty);
        emit guideShown(isEmpty);
    });
    connect(m_guide, &Guide::commandWanted, this, &RunsScreen::commandWanted);
    connect(m_guide, &Guide::clientsWanted, this, &RunsScreen::clientsWanted);
    connect(m_guide, &Guide::exampleWanted, this, &RunsScreen::runExample);
    connect(m_runs, &RunsView::followingChanged, this, &RunsScreen::followingChanged);
    connect(m_actions, &RunActions::commandWanted, this, &RunsScreen::commandWanted);
    connect(m_actions, &RunActions::conditionWanted, m_query, &QueryLine::setCondition);
    connect(m_actions, &RunActions::executionWanted, this, &RunsScreen::showExecution);
    connect(m_actions, &RunActions::runAgainWanted, this, &RunsScreen::runAgain);
    connect(m_actions, &RunActions::editWanted, this, &RunsScreen::askForProgram);
    connect(m_actions, &RunActions::stopWanted, this, &RunsScreen::stopSelected);
    const auto wantRule = [this] {
        if (const auto& record = m_execution->record())
            emit ruleWanted(*record);
    };
    connect(m_actions, &RunActions::ruleWanted, this, wantRule);
    connect(m_execution, &ExecutionPage::ruleWanted, this, wantRule);
    connect(m_execution, &ExecutionPage::settingsWanted, &m_history, &HistoryLoader::loadSettings);
    connect(
        &m_history,
        &HistoryLoader::settingsLoaded,
        this,
        [this](const ExecutionId& id, const QByteArray& settings) {
            m_execution->setSettings(id, settings.toStdString());
        }
    );
    connect(m_execution, &ExecutionPage::fileWanted, &m_history, &HistoryLoader::loadFile);
    connect(&m_history, &HistoryLoader::fileLoaded, m_execution, &ExecutionPage::setFilePreview);
    connect(
        m_execution,
        &ExecutionPage::saveFileWanted,
        this,
        [this](const ExecutionId& id, std::size_t place, const QString& to) {
            m_history.saveFile(id, place, to.toStdString());
        }
    );
    connect(
        m_execution,
        &ExecutionPage::saveFilesWanted,
        this,
        [this](const ExecutionId& id, const QString& to) {
            m_history.saveFiles(id, to.toStdString());
        }
    );
    connect(&m_history, &HistoryLoader::fileSaved, m_execution, &ExecutionPage::tellSaved);
    connect(m_execution, &ExecutionPage::stopWanted, this, &RunsScreen::stopSelected);
    connect(m_execution, &ExecutionPage::runAgainWanted, this, &RunsScreen::runAgain);
}

void RunsScreen::addShortcuts()
{
    const auto add = [this](QWidget* where, const QKeySequence& keys, auto act) {
        auto* shortcut = new QShortcut(keys, where);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    add(this, QKeySequence(Qt::CTRL | Qt::Key_D), [this] { compareSelected(); });
    add(this, QKeySequence(Qt::Key_F8), [this] { m_execution->jumpToError(Direction::Next); });
    add(this, QKeySequence(Qt::SHIFT | Qt::Key_F8), [this] {
        m_execution->jumpToError(Direction::Previous);
    });
    add(m_runs, QKeySequence(QKeySequence::Delete), [this] { deleteSelected(); });
}

void RunsScreen::takeQuery()
{
    const auto grouping = static_cast<store::Grouping>(m_grouping->currentData().toInt());
    m_runs->setWords(m_query->words());
    m_execution->setWords(m_query->words());
    m_runs->setColumnShown(RunsModel::Count, grouping != store::Grouping::None);
    m_model->setQuery(m_query->filter(), grouping);
}

void RunsScreen::setQuery(const QString& query)
{
    m_query->setText(query);
}

void RunsScreen::compareSelected()
{
    m_actions->compare();
}

void RunsScreen::deleteSelected()
{
    m_actions->remove();
}

void RunsScreen::apply(const std::vector<Event>& events)
{
    m_model->apply(events);
    m_dashboard->apply(events);
    m_actions->apply(events);
    m_execution->apply(events);
    m_guide->apply(events);
}

void RunsScreen::takeDetails(
    std::uint64_t token, const std::shared_ptr<const ExecutionDetails>& details
)
{
    if (token == m_detailsToken)
        m_execution->setDetails(*details);
}

void RunsScreen::takeFailure(std::uint64_t token, const QString& message)
{
    m_model->pageFailed(token);
    m_actions->takeFailure(token, message);
    if (token == m_detailsToken)
        m_execution->showFailure(message);
    else
        m_runs->showFailure(message);
}

void RunsScreen::showExecution(const ExecutionId& id)
{
    m_detailsToken = m_history.loadDetails(id);
}

void RunsScreen::updateColors()
{
    showSelected();
}

void RunsScreen::showSelected()
{
    const auto id = m_runs->selected();
    const execution::Record* record = id ? m_model->record(*id) : nullptr;
    if (!record)
        return;
    const bool same = m_execution->record() && m_execution->record()->id == *id;
    m_execution->show(*record);
    if (!same)
        showExecution(*id);
}

void RunsScreen::focusTable()
{
    m_runs->focusTable();
}

void RunsScreen::focusSearch()
{
    const QWidget* focus = QApplication::focusWidget();
    if (focus && m_execution->isAncestorOf(focus))
        m_execution->focusSearch();
    else
        m_query->focusLine();
}

void RunsScreen::setFollowing(bool following)
{
    m_runs->setFollowing(following);
}

void RunsScreen::copyRow() const
{
    QApplication::clipboard()->setText(m_runs->selectedRowText());
}

QByteArray RunsScreen::layoutState() const
{
    return m_splitter->saveState();
}

void RunsScreen::restoreLayoutState(const QByteArray& state)
{
    m_splitter->restoreState(state);
}

void RunsScreen::stopSelected()
{
    const auto& record = m_execution->record();
    if (record && !execution::isFinal(record->status))
        emit commandWanted(CancelExecution{record->id, "stopped by the person"});
}

void RunsScreen::submit(SubmitProgram program)
{
    program.token = m_nextSubmission++;
    m_runs->setFollowing(true);
    emit submitted();
    emit commandWanted(std::move(program));
}

void RunsScreen::runAgain()
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

void RunsScreen::runExample()
{
    SubmitProgram program;
    program.language = "python";
    program.code = kExample;
    submit(std::move(program));
}

bool RunsScreen::showsGuide() const
{
    return m_runs->state() == RunsView::State::Empty;
}

void RunsScreen::askForProgram()
{
    auto* dialog = new RunDialog(m_languages, this);
    if (const auto& record = m_execution->record())
        dialog->setProgram(
            QString::fromStdString(escapeForLine(record->language)),
            QString::fromStdString(toValidUtf8(m_execution->code()))
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

} // namespace belljar::ui
