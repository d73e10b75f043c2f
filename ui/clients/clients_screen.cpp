// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clients/clients_screen.h"

#include "ui/clients/client_pane.h"
#include "ui/shell/screen_parts.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace belljar::ui {

namespace {

using clients::Plan;

constexpr int kWideLetters = 130; ///< list and pane beside each other from here on

QLabel* plainLabel(const QString& name, const QString& text)
{
    auto* label = new QLabel(text);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignHCenter);
    return label;
}

} // namespace

ClientsScreen::ClientsScreen(
    const std::filesystem::path& historyFile, const ClientsLoader::Open& open, QWidget* parent
)
    : QWidget(parent)
    , m_loader(historyFile, open)
    , m_table(new QTableView)
    , m_pane(new ClientPane)
    , m_splitter(new QSplitter(Qt::Horizontal))
    , m_stack(new QStackedWidget)
    , m_failure(plainLabel(QStringLiteral("clientsFailure"), {}))
{
    makeTable();
    auto* again = new QPushButton(tr("Look a&gain"));
    again->setObjectName(QStringLiteral("clientsLook"));
    again->setAutoDefault(false);
    again->setToolTip(tr("Reads the clients' configurations again."));
    connect(again, &QPushButton::clicked, this, &ClientsScreen::look);
    auto* list = new QWidget;
    auto* listLayout = new QVBoxLayout(list);
    listLayout->setContentsMargins(0, 0, 0, 0);
    listLayout->addWidget(m_table, 1);
    listLayout->addWidget(again, 0, Qt::AlignLeft);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(list);
    m_splitter->addWidget(m_pane);
    m_splitter->setSizes({600, 640});
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);

    auto* loading = plainLabel(QStringLiteral("clientsLoading"), tr("Looking for clients…"));
    loading->setAlignment(Qt::AlignCenter);
    m_stack->insertWidget(int(State::Loading), loading);
    m_stack->insertWidget(int(State::Failed), makeFailed());
    m_stack->insertWidget(int(State::Ready), m_splitter);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_stack);

    connect(m_pane, &ClientPane::planWanted, &m_loader, &ClientsLoader::plan);
    connect(m_pane, &ClientPane::writeWanted, this, [this](const Plan& plan) {
        m_writeBegan = execution::unixNow();
        m_loader.apply(plan);
    });
    connect(m_pane, &ClientPane::commandWanted, this, &ClientsScreen::commandWanted);
    connect(&m_model, &ClientsModel::dataChanged, this, &ClientsScreen::showSelected);
    connect(
        m_table->selectionModel(),
        &QItemSelectionModel::selectionChanged,
        this,
        &ClientsScreen::showSelected
    );
    connectLoader();
}

void ClientsScreen::makeTable()
{
    m_table->setObjectName(QStringLiteral("clientsTable"));
    m_table->setAccessibleName(tr("Clients"));
    m_table->setModel(&m_model);
    setUpRows(*m_table, 1.8);
    QHeaderView* header = m_table->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int letter = fontMetrics().averageCharWidth();
    header->resizeSection(ClientsModel::Configuration, letter * 26);
    header->resizeSection(ClientsModel::Now, letter * 22);
    header->resizeSection(ClientsModel::LastRun, letter * 18);
    header->setSectionResizeMode(ClientsModel::Title, QHeaderView::Stretch);
}

QWidget* ClientsScreen::makeFailed()
{
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* again = new QPushButton(tr("&Try again"));
    again->setAutoDefault(false);
    connect(again, &QPushButton::clicked, this, &ClientsScreen::look);
    return makeMessagePage(m_failure, again);
}

void ClientsScreen::connectLoader()
{
    connect(
        &m_loader,
        &ClientsLoader::found,
        this,
        [this](const std::vector<clients::Found>& all, const LastRuns& lastRuns) {
            m_model.setFound(all, lastRuns);
            showState(State::Ready);
            // The first is what a person most likely came for.
            if (!m_table->selectionModel()->hasSelection())
                m_table->selectRow(0);
        }
    );
    connect(&m_loader, &ClientsLoader::lookFailed, this, [this](const QString& why) {
        m_failure->setText(
            tr("The clients can't be looked for.") + QLatin1Char('\n') +
            foreignText(why.toStdString())
        );
        showState(State::Failed);
    });
    connect(&m_loader, &ClientsLoader::planned, m_pane, &ClientPane::showPlan);
    connect(&m_loader, &ClientsLoader::applied, this, [this](const Plan& plan) {
        // Since before it was written: a client that watches its file may be here already.
        m_model.waitFor(plan.client, plan.kind == Plan::Kind::Connect ? m_writeBegan : 0);
        m_pane->showApplied(plan);
    });
    connect(
        &m_loader,
        &ClientsLoader::failed,
        this,
        [this](const QString& client, const QString& why) {
            if (m_pane->key() == client.toStdString())
                m_pane->showFailure(why);
        }
    );
}

void ClientsScreen::apply(const std::vector<Event>& events)
{
    m_model.apply(events);
}

void ClientsScreen::look()
{
    m_loader.look();
}

void ClientsScreen::showSelected()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (const ClientRow* row = rows.isEmpty() ? nullptr : m_model.row(rows.front()))
        m_pane->showRow(*row, m_model.connections());
    else
        m_pane->showNothing(tr("Pick a client to see how it reaches Belljar."));
}

void ClientsScreen::showState(State state)
{
    m_stack->setCurrentIndex(int(state));
}

void ClientsScreen::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    look();
}

void ClientsScreen::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int wide = fontMetrics().averageCharWidth() * kWideLetters;
    m_splitter->setOrientation(event->size().width() >= wide ? Qt::Horizontal : Qt::Vertical);
}

} // namespace belljar::ui
