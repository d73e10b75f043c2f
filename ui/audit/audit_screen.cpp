// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/audit_screen.h"

#include "engine/base/text.h"
#include "ui/audit/chain_bar.h"
#include "ui/audit/filter_bar.h"
#include "ui/audit/row_pane.h"
#include "ui/shell/screen_parts.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace belljar::ui {

namespace {

constexpr int kNewerPauseMs = 100;

/// The widest text that a column usually shows; the detail takes what is left. Ids are told apart
/// by their beginning, the whole one is in the pane.
constexpr std::array<const char*, AuditModel::ColumnCount> kWidestTexts{
    "100,000",
    "2026-12-01 23:59:59",
    "Decision remembered",
    "rules: this and that",
    "ex_01234567",
    "cl_01234567",
};

QLabel* plainLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignHCenter);
    return label;
}

QPushButton* makeButton(const QString& name, const QString& text)
{
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAutoDefault(false);
    return button;
}

} // namespace

AuditScreen::AuditScreen(const std::filesystem::path& historyFile, QWidget* parent)
    : QWidget(parent)
    , m_loader(historyFile)
    , m_model([this](const audit::LogQuery& query) { return m_loader.loadPage(query); })
    , m_chain(new ChainBar)
    , m_filter(new FilterBar)
    , m_table(new QTableView)
    , m_pane(new RowPane)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_stack(new QStackedWidget)
    , m_failure(plainLabel({}))
    , m_newer(new QTimer(this))
{
    makeTable();
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_pane);
    m_splitter->setSizes({900, 400});
    m_splitter->setStretchFactor(0, 9);
    m_splitter->setStretchFactor(1, 4);

    m_failure->setObjectName(QStringLiteral("auditFailure"));
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* clear = makeButton(QStringLiteral("auditClearFilter"), tr("&Clear the filter"));
    auto* retry = makeButton(QStringLiteral("auditRetry"), tr("&Try again"));
    connect(clear, &QPushButton::clicked, m_filter, [this] { m_filter->clear(); });
    connect(retry, &QPushButton::clicked, this, &AuditScreen::reload);
    m_stack->insertWidget(
        int(State::Loading), makeMessagePage(plainLabel(tr("Loading the audit log…")), nullptr)
    );
    m_stack->insertWidget(
        int(State::Empty),
        makeMessagePage(
            plainLabel(tr("Nothing is recorded yet. Every request, decision, approval and policy "
                          "change appears here, in a chain that can't be altered unnoticed.")),
            nullptr
        )
    );
    m_stack->insertWidget(
        int(State::NoMatch), makeMessagePage(plainLabel(tr("No row matches the filter.")), clear)
    );
    m_stack->insertWidget(int(State::Ready), m_splitter);
    m_stack->insertWidget(int(State::Failed), makeMessagePage(m_failure, retry));

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_chain);
    layout->addWidget(m_filter);
    layout->addWidget(m_stack, 1);
    m_newer->setSingleShot(true);
    m_newer->setInterval(kNewerPauseMs);
    connectParts();
    connectLoader();
}

void AuditScreen::makeTable()
{
    m_table->setObjectName(QStringLiteral("auditTable"));
    m_table->setAccessibleName(tr("Audit log"));
    m_table->setModel(&m_model);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setUpRows(*m_table, 1.6);
    m_table->horizontalHeader()->setSectionsMovable(true);
    setColumnWidths(*m_table, kWidestTexts, AuditModel::Detail);
}

void AuditScreen::connectParts()
{
    connect(m_filter, &FilterBar::changed, this, &AuditScreen::applyFilter);
    connect(m_newer, &QTimer::timeout, &m_model, &AuditModel::lookForNewer);
    connect(m_chain, &ChainBar::verifyWanted, this, &AuditScreen::verify);
    connect(m_chain, &ChainBar::stopWanted, &m_loader, &AuditLoader::stopJob);
    connect(m_chain, &ChainBar::exportWanted, this, [this] { askForFile(m_filter->filter()); });
    connect(m_chain, &ChainBar::evidenceWanted, this, [this] { askForFile({}); });
    connect(m_chain, &ChainBar::rowWanted, this, [this](qint64 sequence) {
        m_loader.loadRow(sequence);
    });
    connect(m_pane, &RowPane::executionActivated, this, &AuditScreen::executionActivated);
    connect(
        m_table->selectionModel(),
        &QItemSelectionModel::selectionChanged,
        this,
        &AuditScreen::showSelectedRow
    );
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        const audit::Row* row = m_model.row(index);
        if (row && !row->execution.empty())
            emit executionActivated(ExecutionId(row->execution));
    });
    // Rows that come in at the top leave what is being read where it is.
    connect(
        &m_model,
        &AuditModel::rowsInserted,
        this,
        [this](const QModelIndex&, int first, int last) {
            QScrollBar* bar = m_table->verticalScrollBar();
            if (first == 0 && bar->value() > 0) {
                const int height = m_table->verticalHeader()->defaultSectionSize();
                m_table->doItemsLayout(); // so that the bar knows of them
                bar->setValue(bar->value() + (last + 1) * height);
            }
        }
    );
    connect(&m_model, &AuditModel::answered, this, &AuditScreen::onAnswered);
}

void AuditScreen::connectLoader()
{
    connect(&m_loader, &AuditLoader::pageLoaded, &m_model, &AuditModel::addPage);
    connect(
        &m_loader,
        &AuditLoader::pageFailed,
        this,
        [this](std::uint64_t token, const QString& why) {
            if (!m_model.pageFailed(token))
                return;
            m_error = why;
            update();
        }
    );
    connect(&m_loader, &AuditLoader::rowLoaded, this, [this](const audit::Row& row) {
        const QModelIndex index = m_model.indexOf(row.sequence);
        if (index.isValid())
            m_table->setCurrentIndex(index);
        else
            m_table->clearSelection();
        m_selected = row.sequence;
        m_pane->showRow(row);
    });
    connect(&m_loader, &AuditLoader::rowMissing, this, [this](std::int64_t, const QString& why) {
        m_pane->showNothing(QString::fromStdString(escapeForLine(why.toStdString())));
    });
    connect(&m_loader, &AuditLoader::progressed, m_chain, &ChainBar::showProgress);
    connect(&m_loader, &AuditLoader::verified, this, &AuditScreen::onVerified);
    connect(&m_loader, &AuditLoader::exported, m_chain, &ChainBar::showExported);
    connect(&m_loader, &AuditLoader::jobFailed, m_chain, &ChainBar::showFailure);
    connect(&m_loader, &AuditLoader::endChecked, this, [this](const audit::Verification& found) {
        m_chain->showEnd(found);
        if (!found.breaks.empty())
            emit damageFound();
    });
}

void AuditScreen::applyFilter()
{
    m_error.clear();
    m_model.setFilter(m_filter->filter());
    update();
}

void AuditScreen::reload()
{
    m_error.clear();
    m_model.reload();
    update();
}

void AuditScreen::onAnswered()
{
    m_error.clear();
    update();
    // Belljar may find damage while it runs; then the newest rows say so.
    constexpr int kNewestRows = 20;
    for (int row = 0; row < std::min(kNewestRows, m_model.rowCount()); ++row) {
        const audit::Row* newest = m_model.row(m_model.index(row, 0));
        const bool broken = newest->type == audit::nameOf(audit::Type::ChainBroken);
        if (broken && newest->sequence > std::exchange(m_knownBreak, newest->sequence))
            m_loader.checkEnd();
        if (broken)
            break;
    }
    if (!m_selected || m_table->selectionModel()->hasSelection())
        return;
    // The rows were replaced: what was selected is, if it is still here.
    if (const QModelIndex index = m_model.indexOf(*m_selected); index.isValid())
        m_table->setCurrentIndex(index);
}

void AuditScreen::update()
{
    const bool filtered = m_model.filter() != audit::LogFilter{};
    if (!m_error.isEmpty()) {
        m_failure->setText(
            tr("The audit log can't be read") + QLatin1Char('\n') +
            QString::fromStdString(escapeForLine(m_error.toStdString()))
        );
        m_state = State::Failed;
    } else if (m_model.rowCount() > 0) {
        m_state = State::Ready;
    } else if (!m_model.loaded()) {
        m_state = State::Loading;
    } else {
        m_state = filtered ? State::NoMatch : State::Empty;
    }
    m_stack->setCurrentIndex(int(m_state));
}

/// Not the current row: a table makes its first row current by itself when it gets the focus.
void AuditScreen::showSelectedRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    const audit::Row* row = rows.isEmpty() ? nullptr : m_model.row(rows.front());
    if (!row)
        return;
    m_selected = row->sequence;
    m_pane->showRow(*row);
}

void AuditScreen::rowsAppended()
{
    if (!isVisible())
        m_stale = true;
    else if (!m_newer->isActive())
        m_newer->start();
}

void AuditScreen::showFor(const ExecutionId& id)
{
    m_filter->clear(QString::fromStdString(escapeForLine(id.text())));
}

void AuditScreen::verify()
{
    if (m_chain->job() != ChainBar::Job::None)
        return;
    m_chain->showJob(ChainBar::Job::Verifying);
    m_loader.verify();
}

void AuditScreen::onVerified(const audit::Verification& found)
{
    m_chain->showVerification(found);
    if (!found.breaks.empty())
        emit damageFound();
}

void AuditScreen::askForFile(const audit::LogFilter& filter)
{
    const QString name =
        QStringLiteral("belljar-audit-%1.jsonl")
            .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmm")));
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    auto* dialog = new QFileDialog(
        this,
        tr("Export the audit log"),
        QDir(folder).filePath(name),
        tr("Lines of JSON (*.jsonl);;All files (*)")
    );
    dialog->setObjectName(QStringLiteral("auditExportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("jsonl"));
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, this, [this, filter](const QString& file) {
        exportTo(file, filter);
    });
    dialog->open();
}

void AuditScreen::exportTo(const QString& file, const audit::LogFilter& filter)
{
    if (m_chain->job() != ChainBar::Job::None)
        return;
    m_chain->showJob(ChainBar::Job::Exporting);
    m_loader.exportTo(file, filter);
}

void AuditScreen::focusSearch()
{
    m_filter->focusSearch();
}

void AuditScreen::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_started) {
        m_started = true;
        m_loader.checkEnd();
        applyFilter();
        return;
    }
    if (std::exchange(m_stale, false))
        m_model.lookForNewer();
}

void AuditScreen::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int wide = fontMetrics().averageCharWidth() * 120;
    m_splitter->setOrientation(event->size().width() >= wide ? Qt::Horizontal : Qt::Vertical);
}

} // namespace belljar::ui
