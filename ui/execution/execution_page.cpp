// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/execution_page.h"

#include "engine/base/text.h"
#include "ui/execution/code_view.h"
#include "ui/execution/facts_view.h"
#include "ui/execution/files_view.h"
#include "ui/execution/output_panel.h"
#include "ui/execution/resource_graph.h"
#include "ui/execution/settings_view.h"
#include "ui/execution/timeline_strip.h"
#include "ui/policies/rule_draft.h"
#include "ui/runs/runs_model.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

QLabel* plainLabel()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    return label;
}

QWidget* titled(const QString& title, QWidget* content)
{
    auto* panel = new QWidget;
    auto* heading = plainLabel();
    heading->setText(title);
    heading->setBuddy(content);
    QFont font = heading->font();
    font.setWeight(QFont::DemiBold);
    heading->setFont(font);
    heading->setMargin(heading->fontMetrics().height() / 3);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(heading);
    layout->addWidget(content, 1);
    return panel;
}

} // namespace

ExecutionPage::ExecutionPage(QWidget* parent)
    : QWidget(parent)
    , m_icon(plainLabel())
    , m_title(plainLabel())
    , m_subtitle(plainLabel())
    , m_stop(new QPushButton(tr("&Stop")))
    , m_runAgain(new QPushButton(tr("Run &again")))
    , m_copy(new QPushButton(tr("&Copy")))
    , m_rule(new QPushButton(tr("Make a r&ule…")))
    , m_timeline(new TimelineStrip)
    , m_codeView(new CodeView)
    , m_output(new OutputPanel)
    , m_graph(new ResourceGraph)
    , m_facts(new FactsView)
    , m_settings(new SettingsView)
    , m_files(new FilesView)
    , m_side(new QTabWidget)
{
    QTabWidget* side = m_side;
    side->setObjectName(QStringLiteral("sideTabs"));
    side->setDocumentMode(true);
    side->addTab(m_graph, tr("Resources"));
    side->addTab(m_facts, tr("Facts"));
    side->addTab(m_files, tr("Files"));
    side->addTab(m_settings, tr("Container"));
    connect(m_files, &FilesView::previewWanted, this, [this](std::size_t place) {
        if (m_record)
            emit fileWanted(m_record->id, place);
    });
    connect(m_files, &FilesView::saveWanted, this, &ExecutionPage::askWhereToSave);
    connect(m_files, &FilesView::saveAllWanted, this, &ExecutionPage::askWhereToSaveAll);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setObjectName(QStringLiteral("executionSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(titled(tr("Code"), m_codeView));
    splitter->addWidget(titled(tr("Output"), m_output));
    splitter->addWidget(side);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 4);
    splitter->setStretchFactor(2, 3);
    splitter->setSizes({400, 400, 320});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    layout->addWidget(m_timeline);
    layout->addWidget(splitter, 1);
    clear();
}

QWidget* ExecutionPage::makeHeader()
{
    m_title->setObjectName(QStringLiteral("executionTitle"));
    m_subtitle->setObjectName(QStringLiteral("executionSubtitle"));
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_stop->setToolTip(tr("End this run (Ctrl+.)"));
    m_runAgain->setObjectName(QStringLiteral("runAgainButton"));
    m_runAgain->setToolTip(tr("Run this code again with the same limits (Ctrl+R)"));
    m_copy->setObjectName(QStringLiteral("copyButton"));
    m_rule->setObjectName(QStringLiteral("ruleButton"));
    m_rule->setToolTip(tr("Draft a rule of the policy from this run"));
    QFont strong = m_title->font();
    strong.setPointSizeF(strong.pointSizeF() * 1.2);
    strong.setWeight(QFont::DemiBold);
    m_title->setFont(strong);
    m_subtitle->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* menu = new QMenu(m_copy);
    const auto add = [this, menu](const QString& text, auto content) {
        connect(menu->addAction(text), &QAction::triggered, this, [content] {
            QApplication::clipboard()->setText(content());
        });
    };
    add(tr("Code"), [this] { return QString::fromStdString(toValidUtf8(m_code)); });
    add(tr("Output"), [this] { return m_output->text(); });
    add(tr("Execution id"),
        [this] { return m_record ? QString::fromStdString(m_record->id.text()) : QString(); });
    add(tr("As a command"), [this] { return commandText(); });
    m_copy->setMenu(menu);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (m_record)
            emit stopWanted(m_record->id);
    });
    connect(m_runAgain, &QPushButton::clicked, this, &ExecutionPage::runAgainWanted);
    connect(m_rule, &QPushButton::clicked, this, &ExecutionPage::ruleWanted);

    auto* header = new QWidget;
    header->setObjectName(QStringLiteral("executionHeader"));
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    auto* layout = new QHBoxLayout(header);
    const int space = fontMetrics().height() / 2;
    layout->setContentsMargins(space, space, space, space);
    layout->addWidget(m_icon);
    layout->addLayout(words, 1);
    for (QPushButton* button : {m_rule, m_stop, m_runAgain, m_copy})
        layout->addWidget(button);
    return header;
}

void ExecutionPage::clear()
{
    m_record.reset();
    m_code.clear();
    m_detailed = false;
    m_codeView->setCode({}, {});
    m_output->clear(tr("Select a run to see what it printed."));
    m_graph->clear({});
    m_facts->setRecord({});
    m_settings->setSettings({}, {});
    setFiles({});
    m_timeline->setSteps({});
    updateHeader();
}

void ExecutionPage::show(const execution::Record& record)
{
    if (m_record && m_record->id == record.id) {
        setRecord(record);
        return;
    }
    m_detailed = false;
    m_earlyOutput.clear();
    m_earlySamples.clear();
    std::fill(std::begin(m_nextOffset), std::end(m_nextOffset), 0);
    m_code.clear();
    m_codeView->setCode({}, {});
    m_output->clear({});
    m_graph->clear(record);
    m_hasSettings = false;
    m_settings->setSettings({}, record);
    setRecord(record);
    setFiles({});
}

void ExecutionPage::setRecord(const execution::Record& record)
{
    const bool same = m_record && m_record->id == record.id;
    const bool wasFinal = same && execution::isFinal(m_record->status);
    const bool moved = !same || m_record->status != record.status;
    m_record = record;
    m_graph->setRecord(record);
    m_facts->setRecord(record);
    m_timeline->setSteps(timelineOf(record));
    m_output->setPlaceholder(outputPlaceholder());
    if (execution::isFinal(record.status) && !wasFinal && m_detailed)
        m_output->finish();
    updateHeader();
    // They are written behind its start, so they are asked for again when it has moved on.
    if (m_detailed && moved && !m_hasSettings && !record.settingsSha256.empty())
        emit settingsWanted(record.id);
}

void ExecutionPage::setSettings(const ExecutionId& id, const std::string& settings)
{
    if (!m_record || m_record->id != id || settings.empty())
        return;
    m_hasSettings = true;
    m_settings->setSettings(settings, *m_record);
}

void ExecutionPage::setDetails(const ExecutionDetails& details)
{
    if (!m_record || m_record->id != details.record.id)
        return;
    m_code = details.code;
    m_codeView->setCode(details.code, QString::fromStdString(details.record.language));
    m_detailed = true;
    setSettings(details.record.id, details.settings);
    setFiles(details.files);
    appendOutput(details.output);
    appendOutput(std::exchange(m_earlyOutput, {}));
    appendSamples(details.samples);
    // The history may have been read before or after the last live samples: what it had is not
    // shown twice.
    std::vector<execution::Sample> early = std::exchange(m_earlySamples, {});
    std::erase_if(early, [&details](const execution::Sample& sample) {
        return !details.samples.empty() && sample.at <= details.samples.back().at;
    });
    appendSamples(early);
    if (execution::isFinal(m_record->status))
        m_output->finish();
}

void ExecutionPage::showFailure(const QString& message)
{
    m_output->clear(tr("This run can't be read from the history: %1").arg(message));
    // What comes live is shown all the same, and isn't kept for details that never come.
    m_detailed = true;
    appendOutput(std::exchange(m_earlyOutput, {}));
    appendSamples(std::exchange(m_earlySamples, {}));
}

void ExecutionPage::apply(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        if (!m_record)
            return;
        if (const auto* changed = std::get_if<ExecutionChanged>(&event);
            changed && changed->record.id == m_record->id)
            setRecord(changed->record);
        else if (const auto* output = std::get_if<OutputAppended>(&event);
                 output && output->id == m_record->id)
            appendOutput(output->chunks);
        else if (const auto* samples = std::get_if<SamplesTaken>(&event);
                 samples && samples->id == m_record->id)
            appendSamples(samples->samples);
        else if (const auto* files = std::get_if<FilesKnown>(&event);
                 files && files->id == m_record->id)
            setFiles(files->files);
    }
}

void ExecutionPage::setFiles(const execution::RunFiles& files)
{
    m_files->setFiles(files, m_record && execution::isFinal(m_record->status));
    const auto kept = static_cast<int>(files.kept());
    m_side->setTabText(
        m_side->indexOf(m_files), kept == 0 ? tr("Files") : tr("Files (%1)").arg(kept)
    );
}

void ExecutionPage::setFilePreview(
    const ExecutionId& id, std::size_t place, const FilePreview& preview
)
{
    if (m_record && m_record->id == id)
        m_files->setPreview(place, preview);
}

void ExecutionPage::askWhereToSave(std::size_t place, const QString& suggestedName)
{
    if (!m_record)
        return;
    auto* dialog = new QFileDialog(this, tr("Save the file"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("saveFileDialog"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(suggestedName);
    connect(
        dialog,
        &QFileDialog::fileSelected,
        this,
        [this, id = m_record->id, place](const QString& to) { emit saveFileWanted(id, place, to); }
    );
    dialog->open();
}

void ExecutionPage::askWhereToSaveAll()
{
    if (!m_record)
        return;
    auto* dialog =
        new QFileDialog(this, tr("Save all files in a new folder of this one"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("saveFilesDialog"));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(
        dialog,
        &QFileDialog::fileSelected,
        this,
        [this, id = m_record->id](const QString& folder) {
            const std::string name = execution::saveName("belljar-" + id.text());
            emit saveFilesWanted(id, QDir(folder).filePath(QString::fromStdString(name)));
        }
    );
    dialog->open();
}

void ExecutionPage::tellSaved(const QString& place, const QString& message)
{
    if (message.isEmpty())
        return; // it is where the person said
    auto* box = new QMessageBox(QMessageBox::Warning, tr("Not saved"), {}, QMessageBox::Ok, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("notSavedBox"));
    box->setTextFormat(Qt::PlainText);
    box->setText(tr("%1 was not written: %2").arg(place, message));
    box->open();
}

void ExecutionPage::appendOutput(const std::vector<execution::OutputChunk>& chunks)
{
    if (!m_detailed) {
        m_earlyOutput.insert(m_earlyOutput.end(), chunks.begin(), chunks.end());
        return;
    }
    std::vector<execution::OutputChunk> fresh;
    for (const execution::OutputChunk& chunk : chunks) {
        std::uint64_t& next = m_nextOffset[static_cast<std::size_t>(chunk.stream)];
        if (chunk.offset < next)
            continue; // the history had it
        next = chunk.offset + chunk.bytes.size();
        fresh.push_back(chunk);
    }
    if (!fresh.empty())
        m_output->append(std::move(fresh));
}

void ExecutionPage::appendSamples(const std::vector<execution::Sample>& samples)
{
    if (!m_detailed)
        m_earlySamples.insert(m_earlySamples.end(), samples.begin(), samples.end());
    else if (!samples.empty())
        m_graph->append(samples);
}

QString ExecutionPage::outputPlaceholder() const
{
    if (!m_record)
        return {};
    if (!m_record->startedAt && !execution::isFinal(m_record->status))
        return tr("Not started yet.");
    if (!m_record->startedAt)
        return tr("It never started. %1")
            .arg(QString::fromStdString(escapeUnusual(m_record->error)));
    return execution::isFinal(m_record->status) ? tr("No output.") : tr("No output yet.");
}

void ExecutionPage::updateHeader()
{
    m_rule->setVisible(m_record && canMakeRule(*m_record));
    const bool any = m_record.has_value();
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_icon, m_subtitle, m_stop, m_runAgain, m_copy})
        widget->setVisible(any);
    if (!any) {
        m_title->setText(tr("No run selected"));
        return;
    }
    const execution::Record& record = *m_record;
    const QColor color = currentColors().status(record.status);
    const int size = fontMetrics().height() * 2;
    m_icon->setPixmap(statusPixmap(record.status, size, devicePixelRatioF(), color));
    m_icon->setAccessibleName(statusText(record.status));
    m_title->setText(statusText(record.status));
    QPalette tinted = palette();
    tinted.setColor(QPalette::WindowText, color);
    m_title->setPalette(tinted);
    QStringList parts;
    parts << QString::fromStdString(escapeForLine(record.language));
    parts << tr("from %1 (as it calls itself)").arg(clientText(record.client));
    if (record.startedAt)
        parts << durationText(record.executionTime);
    if (record.exitCode)
        parts << tr("exit code %1").arg(*record.exitCode);
    if (record.memoryPeakBytes > 0)
        parts << tr("%1 of %2")
                     .arg(
                         memoryText(record.memoryPeakBytes), memoryText(record.limits.memoryBytes)
                     );
    for (const std::string& note : record.notes)
        parts << QString::fromStdString(escapeForLine(note));
    if (!record.error.empty())
        parts << QString::fromStdString(escapeForLine(record.error));
    m_subtitle->setText(parts.join(QStringLiteral("  ·  ")));
    m_stop->setEnabled(!execution::isFinal(record.status));
    m_runAgain->setEnabled(!m_code.empty() || record.codeBytes > 0);
}

QString ExecutionPage::commandText() const
{
    if (!m_record)
        return {};
    return QStringLiteral("belljar run --language %1 --timeout %2 -")
        .arg(QString::fromStdString(m_record->language))
        .arg(static_cast<double>(m_record->limits.timeout.count()) / 1000);
}

void ExecutionPage::setWords(const QStringList& words)
{
    m_codeView->setWords(words);
    m_output->setWords(words);
}

bool ExecutionPage::jumpToError(Direction direction)
{
    return m_output->jumpToError(direction);
}

void ExecutionPage::focusSearch()
{
    m_output->focusSearch();
}

} // namespace belljar::ui
