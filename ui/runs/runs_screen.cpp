// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_screen.h"

#include "engine/base/text.h"
#include "ui/bridge/history_loader.h"
#include "ui/execution/execution_page.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_view.h"
#include "ui/shell/run_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace belljar::ui {

namespace {

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
          [this](std::optional<std::int64_t> before, std::uint32_t limit) {
              return m_history.loadPage(before, limit);
          },
          this
      ))
    , m_runs(new RunsView(*m_model))
    , m_execution(new ExecutionPage)
    , m_splitter(new QSplitter(Qt::Vertical))
{
    m_splitter->setObjectName(QStringLiteral("mainSplitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_runs);
    m_splitter->addWidget(m_execution);
    m_splitter->setStretchFactor(0, 2);
    m_splitter->setStretchFactor(1, 3);
    m_splitter->setSizes({300, 460});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);

    connect(&m_history, &HistoryLoader::pageLoaded, m_model, &RunsModel::addPage);
    connect(&m_history, &HistoryLoader::detailsLoaded, this, &RunsScreen::takeDetails);
    connect(&m_history, &HistoryLoader::failed, this, &RunsScreen::takeFailure);
    connect(m_runs, &RunsView::retryWanted, this, [this] { m_model->fetchMore({}); });
    connect(m_runs, &RunsView::selectionChanged, this, &RunsScreen::showSelected);
    connect(m_runs, &RunsView::exampleWanted, this, &RunsScreen::runExample);
    connect(m_runs, &RunsView::followingChanged, this, &RunsScreen::followingChanged);
    connect(m_execution, &ExecutionPage::stopWanted, this, &RunsScreen::stopSelected);
    connect(m_execution, &ExecutionPage::runAgainWanted, this, &RunsScreen::runAgain);
    m_model->fetchMore({});
}

void RunsScreen::apply(const std::vector<Event>& events)
{
    m_model->apply(events);
    m_execution->apply(events);
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
    m_execution->focusSearch();
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
