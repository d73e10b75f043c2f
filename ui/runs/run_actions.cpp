// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_actions.h"

#include "engine/base/text.h"
#include "ui/policies/rule_draft.h"
#include "ui/runs/compare_dialog.h"
#include "ui/runs/marks_dialog.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_view.h"
#include "ui/runs/undo_strip.h"
#include "ui/runs/versions_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace belljar::ui {

RunActions::RunActions(
    HistoryLoader& history, RunsModel& model, RunsView& view, UndoStrip& undo, QWidget* screen
)
    : QObject(screen)
    , m_history(history)
    , m_model(model)
    , m_view(view)
    , m_undo(undo)
    , m_screen(screen)
{
    connect(&view, &RunsView::menuWanted, this, &RunActions::showMenu);
    connect(&undo, &UndoStrip::elapsed, this, &RunActions::deleteHidden);
    connect(&undo, &UndoStrip::undone, this, [this] {
        m_hidden.clear();
        m_model.unhide();
    });
    connect(
        &history,
        &HistoryLoader::pairLoaded,
        this,
        [this](std::uint64_t token, const auto& first, const auto& second) {
            if (token == m_pair)
                (new CompareDialog(*first, *second, m_screen))->show();
        }
    );
    connect(
        &history,
        &HistoryLoader::versionsLoaded,
        this,
        [this](std::uint64_t token, const auto& versions) {
            if (token != m_versions)
                return;
            auto* dialog = new VersionsDialog(*versions, m_screen);
            connect(dialog, &VersionsDialog::executionWanted, this, &RunActions::executionWanted);
            dialog->show();
        }
    );
    connect(
        &history,
        &HistoryLoader::exported,
        this,
        [this](std::uint64_t token, const QString& place, const QString& message) {
            if (token != m_export)
                return;
            if (message.isEmpty())
                tell(tr("Exported"), tr("The runs are in %1.").arg(place));
            else
                tell(tr("Not exported"), message);
        }
    );
}

void RunActions::tell(const QString& title, const QString& text)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, text, QMessageBox::Ok, m_screen);
    box->setObjectName(QStringLiteral("runActionsBox"));
    box->setTextFormat(Qt::PlainText);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void RunActions::showMenu(const QPoint& globalPosition)
{
    if (m_view.selectedIds().empty())
        return;
    auto* menu = new QMenu(m_screen);
    menu->setObjectName(QStringLiteral("runMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill(*menu);
    menu->popup(globalPosition);
}

void RunActions::fill(QMenu& menu)
{
    const std::vector<ExecutionId> ids = m_view.selectedIds();
    const execution::Record* record = m_model.record(ids.front());
    const bool one = ids.size() == 1;
    const auto add = [this](QMenu& to, const QString& text, bool enabled, auto act) {
        QAction* action = to.addAction(text);
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, this, act);
    };
    add(menu, tr("Run &again"), one, [this] { emit runAgainWanted(); });
    add(menu, tr("Run again, &edited…"), one, [this] { emit editWanted(); });
    add(menu, tr("&Stop"), one && !execution::isFinal(record->status), [this] { emit stopWanted(); }
    );
    menu.addSeparator();
    add(menu, tr("&Pin or unpin"), true, [this] { pin(); });
    add(menu, tr("&Tags and note…"), one, [this] { editMarks(); });
    menu.addSeparator();
    add(menu, tr("&Compare the two"), ids.size() == 2, [this] { compare(); });
    add(menu, tr("&Versions of this program…"), one, [this] { showVersions(); });
    add(menu, tr("Make a r&ule from this…"), one && canMakeRule(*record), [this] {
        emit ruleWanted();
    });
    const std::string session = record->client.id.text();
    const std::string code = record->codeSha256;
    add(menu, tr("Show the runs of this &session"), one, [this, session] {
        emit conditionWanted("session", session);
    });
    add(menu, tr("Show the runs of the same c&ode"), one, [this, code] {
        emit conditionWanted("code", code);
    });
    menu.addSeparator();
    QMenu* exports = menu.addMenu(tr("E&xport"));
    add(*exports, tr("As &JSON…"), true, [this] { exportRuns(ExportFormat::Json); });
    add(*exports, tr("As &Markdown…"), true, [this] { exportRuns(ExportFormat::Markdown); });
    add(*exports, tr("As &folders to run again…"), true, [this] {
        exportRuns(ExportFormat::Folder);
    });
    add(menu, tr("&Delete…"), !ended().empty(), [this] { remove(); });
}

void RunActions::pin()
{
    std::vector<const store::RunRow*> rows;
    for (const ExecutionId& id : m_view.selectedIds())
        rows.push_back(m_model.row(m_model.indexOf(id)));
    const bool all = std::all_of(rows.begin(), rows.end(), [](const store::RunRow* row) {
        return row->marks.pinned;
    });
    std::vector<MarkExecution> commands;
    for (const store::RunRow* row : rows) {
        commands.push_back({0, row->record.id, row->marks});
        commands.back().marks.pinned = !all;
    }
    for (MarkExecution& command : commands)
        emit commandWanted(std::move(command));
}

void RunActions::editMarks()
{
    const auto ids = m_view.selectedIds();
    if (ids.size() != 1)
        return;
    const ExecutionId id = ids.front();
    auto* dialog = new MarksDialog(m_model.row(m_model.indexOf(id))->marks, m_screen);
    connect(dialog, &QDialog::accepted, this, [this, dialog, id] {
        emit commandWanted(MarkExecution{0, id, dialog->marks()});
    });
    dialog->open();
}

void RunActions::compare()
{
    const auto ids = m_view.selectedIds();
    if (ids.size() == 2) // the older one first
        m_pair = m_history.loadPair(ids[1], ids[0]);
    else
        tell(tr("Compare"), tr("Select two runs to compare them."));
}

void RunActions::showVersions()
{
    const auto ids = m_view.selectedIds();
    if (ids.size() == 1)
        m_versions = m_history.loadVersions(ids.front());
}

std::vector<ExecutionId> RunActions::ended() const
{
    std::vector<ExecutionId> ids = m_view.selectedIds();
    std::erase_if(ids, [this](const ExecutionId& id) {
        return !execution::isFinal(m_model.record(id)->status);
    });
    return ids;
}

void RunActions::remove()
{
    const std::vector<ExecutionId> ids = ended();
    if (ids.empty())
        return;
    auto* box = new QMessageBox(
        QMessageBox::Question,
        tr("Delete runs"),
        tr("Delete %n run(s) from the history?", nullptr, static_cast<int>(ids.size())),
        QMessageBox::NoButton,
        m_screen
    );
    box->setObjectName(QStringLiteral("deleteBox"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("Code, output and marks go. The audit log keeps that they ran, and "
                               "that they were deleted."));
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto* confirm = box->addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    confirm->setObjectName(QStringLiteral("confirmDelete"));
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(confirm, &QPushButton::clicked, this, [this, ids] { hideAndOffer(ids); });
    box->open();
}

void RunActions::hideAndOffer(const std::vector<ExecutionId>& ids)
{
    m_undo.offer(tr("%n run(s) deleted", nullptr, static_cast<int>(ids.size())));
    m_hidden = ids;
    m_model.hide(ids);
}

void RunActions::deleteHidden()
{
    m_model.forgetHidden();
    if (!m_hidden.empty())
        emit commandWanted(DeleteExecutions{0, std::exchange(m_hidden, {})});
}

void RunActions::exportRuns(ExportFormat format)
{
    auto* dialog = new QFileDialog(m_screen, tr("Export runs"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    switch (format) {
    case ExportFormat::Json: dialog->selectFile(QStringLiteral("runs.json")); break;
    case ExportFormat::Markdown: dialog->selectFile(QStringLiteral("runs.md")); break;
    case ExportFormat::Folder:
        dialog->setAcceptMode(QFileDialog::AcceptOpen);
        dialog->setFileMode(QFileDialog::Directory);
        break;
    }
    connect(dialog, &QFileDialog::fileSelected, this, [this, format](const QString& place) {
        exportTo(format, place);
    });
    dialog->open();
}

void RunActions::exportTo(ExportFormat format, const QString& place)
{
    m_export = m_history.exportRuns(m_view.selectedIds(), format, place.toStdString());
}

void RunActions::takeFailure(std::uint64_t token, const QString& message)
{
    if (token != 0 && (token == m_pair || token == m_versions))
        tell(tr("The history can't be read"), message);
}

void RunActions::apply(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        if (const auto* failed = std::get_if<HistoryChangeFailed>(&event))
            tell(
                tr("The history was not changed"),
                QString::fromStdString(escapeUnusual(failed->error.message()))
            );
    }
}

} // namespace belljar::ui
