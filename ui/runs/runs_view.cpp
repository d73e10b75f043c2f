// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_view.h"

#include "ui/runs/runs_delegate.h"
#include "ui/shell/screen_parts.h"
#include "ui/shell/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::ui {

namespace {

constexpr int kLoadingDelayMs = 300; // what loads faster than that shows nothing in between
const QString kHeaderSetting = QStringLiteral("runs/columns");

/// The widest text that a column usually shows; the code takes what is left.
constexpr std::array<const char*, RunsModel::ColumnCount> kWidestTexts{
    "■ Waiting for you",
    "2026-12-01 23:59",
    "Claude Desktop app",
    "javascript",
    "",
    "00.00 min",
    "Peak memory",
    "Exit",
    "Pinned #tag",
    "10000",
    "data-science",
    "Remembered answer",
    "3 (critical)",
    "00.00 min",
    "00.00 min",
    "cl_0123456789abcdef",
};

QLabel* plainLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignHCenter);
    return label;
}

} // namespace

RunsView::RunsView(RunsModel& model, QWidget* emptyPage, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_delegate(new RunsDelegate(this))
    , m_table(new QTableView)
    , m_stack(new QStackedWidget)
    , m_newRows(new QPushButton)
    , m_loadingDelay(new QTimer(this))
{
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(&model);
    m_table->setItemDelegate(m_delegate);
    m_table->installEventFilter(this);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
        emit menuWanted(m_table->viewport()->mapToGlobal(position));
    });
    setUpRows(*m_table, 1.75);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    prepareHeader();

    setFocusProxy(m_table);

    m_newRows->setObjectName(QStringLiteral("newRowsButton"));
    m_newRows->hide();
    connect(m_newRows, &QPushButton::clicked, this, [this] {
        setPaused(false);
        setFollowing(true);
    });

    m_stack->insertWidget(int(State::Loading), plainLabel(tr("Loading the history…")));
    m_stack->insertWidget(int(State::Empty), emptyPage);
    m_stack->insertWidget(int(State::Ready), m_table);
    m_stack->insertWidget(int(State::Failed), makeFailedPage());
    m_stack->insertWidget(int(State::NothingFound), makeNothingPage());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_newRows);
    layout->addWidget(m_stack);

    m_loadingDelay->setSingleShot(true);
    m_loadingDelay->start(kLoadingDelayMs);
    connect(m_loadingDelay, &QTimer::timeout, this, &RunsView::update);
    connect(&model, &QAbstractItemModel::rowsInserted, this, [this] {
        update();
        if (m_following)
            selectNewest();
    });
    connect(&model, &RunsModel::loadedChanged, this, &RunsView::update);
    connect(&model, &RunsModel::heldBackChanged, this, &RunsView::showWaiting);
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        m_loadingDelay->start(kLoadingDelayMs);
        updateHold();
    });
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &RunsView::update);
    connect(
        m_table->selectionModel(),
        &QItemSelectionModel::currentRowChanged,
        this,
        [this](const QModelIndex& current) {
            // The newest row is also what the table picks by itself when it gets the focus.
            if (!m_selecting && current.row() > 0)
                setFollowing(false);
            emit selectionChanged();
        }
    );
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, &RunsView::updateHold);
    show(State::Ready); // an empty table until the history has answered or is late
    m_state = State::Loading;
}

void RunsView::prepareHeader()
{
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionsMovable(true);
    header->setMinimumSectionSize(m_table->fontMetrics().averageCharWidth() * 5);
    if (!header->restoreState(QSettings().value(kHeaderSetting).toByteArray())) {
        QFont strong = m_table->font();
        strong.setWeight(QFont::DemiBold);
        const QFontMetrics metrics(strong);
        for (int column = 0; column < RunsModel::ColumnCount; ++column) {
            const QString text =
                QString::fromUtf8(kWidestTexts.at(static_cast<std::size_t>(column)));
            header->resizeSection(
                column, metrics.horizontalAdvance(text) + metrics.averageCharWidth() * 3
            );
            header->setSectionHidden(column, column > RunsModel::Marks);
        }
    }
    header->setSectionResizeMode(RunsModel::Code, QHeaderView::Stretch);
    const auto remember = [header] { QSettings().setValue(kHeaderSetting, header->saveState()); };
    connect(header, &QHeaderView::sectionResized, this, remember);
    connect(header, &QHeaderView::sectionMoved, this, remember);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, &RunsView::showColumnMenu);
}

/// Every column can be shown; the code always is.
void RunsView::showColumnMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < RunsModel::ColumnCount; ++column) {
        QAction* action =
            menu->addAction(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(isColumnShown(column));
        action->setEnabled(column != RunsModel::Code);
        connect(action, &QAction::toggled, this, [this, column](bool shown) {
            setColumnShown(column, shown);
        });
    }
    menu->popup(m_table->horizontalHeader()->mapToGlobal(position));
}

bool RunsView::isColumnShown(int column) const
{
    return !m_table->isColumnHidden(column);
}

void RunsView::setColumnShown(int column, bool shown)
{
    m_table->setColumnHidden(column, !shown);
    QSettings().setValue(kHeaderSetting, m_table->horizontalHeader()->saveState());
}

void RunsView::setWords(const QStringList& words)
{
    m_delegate->setWords(words);
    m_table->viewport()->update();
}

void RunsView::setPaused(bool paused)
{
    m_paused = paused;
    updateHold();
    showWaiting();
}

/// What is new and not shown, and how it comes to be.
void RunsView::showWaiting()
{
    const int count = m_model.heldBack();
    if (m_paused)
        m_newRows->setText(tr("Held, %n new – Space lets them in", nullptr, count));
    else
        m_newRows->setText(tr("%n new run(s) – show and follow", nullptr, count));
    m_newRows->setVisible(m_paused || count > 0);
}

bool RunsView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier && !key->isAutoRepeat()) {
            if (key->key() == Qt::Key_Space) {
                setPaused(!m_paused);
                return true;
            }
            if (key->key() == Qt::Key_F) {
                setFollowing(!m_following);
                return true;
            }
        }
    }
    return QWidget::eventFilter(watched, event);
}

QWidget* RunsView::makeNothingPage()
{
    auto* clear = new QPushButton(tr("&Clear the filters"));
    clear->setObjectName(QStringLiteral("clearFiltersButton"));
    connect(clear, &QPushButton::clicked, this, &RunsView::clearWanted);
    QWidget* page = makeMessagePage(plainLabel(tr("No run matches")), clear);
    page->setObjectName(QStringLiteral("nothingPage"));
    return page;
}

QWidget* RunsView::makeFailedPage()
{
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("failedPage"));
    m_failure = plainLabel({});
    m_failure->setObjectName(QStringLiteral("failureLabel"));
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* retry = new QPushButton(tr("&Try again"));
    retry->setObjectName(QStringLiteral("retryButton"));
    connect(retry, &QPushButton::clicked, this, [this] {
        m_failed = false;
        emit retryWanted();
    });
    auto* layout = new QVBoxLayout(page);
    layout->addStretch();
    layout->addWidget(plainLabel(tr("The history can't be read")));
    layout->addWidget(m_failure);
    layout->addWidget(retry, 0, Qt::AlignHCenter);
    layout->addStretch();
    return page;
}

void RunsView::showFailure(const QString& message)
{
    m_failure->setText(message);
    m_failed = true;
    update();
}

void RunsView::update()
{
    if (m_model.rowCount() > 0)
        show(State::Ready);
    else if (m_failed)
        show(State::Failed);
    else if (m_model.loaded())
        show(m_model.filter() == store::RunFilter() ? State::Empty : State::NothingFound);
    else if (!m_loadingDelay->isActive())
        show(State::Loading);
}

void RunsView::show(State state)
{
    const bool other = std::exchange(m_state, state) != state;
    m_stack->setCurrentIndex(int(state));
    if (other)
        emit stateChanged();
}

void RunsView::setFollowing(bool following)
{
    if (std::exchange(m_following, following) != following)
        emit followingChanged(following);
    updateHold();
    if (following)
        selectNewest();
}

void RunsView::selectNewest()
{
    if (m_model.rowCount() == 0)
        return;
    m_selecting = true;
    m_table->selectRow(0);
    m_table->scrollToTop();
    m_selecting = false;
}

/// What is being read stays where it is: new rows wait while another row is selected or the table
/// is scrolled.
void RunsView::updateHold()
{
    const bool scrolled = m_table->verticalScrollBar()->value() > 0;
    m_model.setHeld(m_paused || (!m_following && (scrolled || selected().has_value())));
}

std::optional<ExecutionId> RunsView::selected() const
{
    const execution::Record* record = m_model.record(m_table->currentIndex());
    return record ? std::optional(record->id) : std::nullopt;
}

std::vector<ExecutionId> RunsView::selectedIds() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    std::vector<ExecutionId> ids;
    for (const int row : rows)
        ids.push_back(m_model.record(m_model.index(row, 0))->id);
    return ids;
}

QString RunsView::selectedRowText() const
{
    QStringList fields;
    const int row = m_table->currentIndex().row();
    for (int column = 0; row >= 0 && column < RunsModel::ColumnCount; ++column) {
        if (isColumnShown(column))
            fields << m_model.index(row, column).data().toString();
    }
    return fields.join(QLatin1Char('\t'));
}

void RunsView::focusTable()
{
    m_table->setFocus(Qt::ShortcutFocusReason);
}

} // namespace belljar::ui
