// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clients/client_pane.h"

#include "engine/base/text.h"
#include "ui/clients/change_view.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::ui {

namespace {

using clients::After;
using clients::Found;
using clients::Plan;
using clients::State;

enum Column { Name, Transport, Revision, Since, Runs, Policy, Program, ColumnCount };

/// By After: what the person has to do in the client. %1 is its name.
constexpr std::array kAfterTexts{
    QT_TRANSLATE_NOOP("ClientAfter", "%1 takes the change up by itself."),
    QT_TRANSLATE_NOOP("ClientAfter", "Quit %1 and start it again."),
    QT_TRANSLATE_NOOP("ClientAfter", "In %1, refresh the list of MCP servers."),
    QT_TRANSLATE_NOOP("ClientAfter", "In %1, reconnect belljar in the list of MCP servers (/mcp)."),
    QT_TRANSLATE_NOOP("ClientAfter", "In %1, start belljar in the list of MCP servers."),
};
static_assert(kAfterTexts.size() == static_cast<std::size_t>(After::Start) + 1);

QString afterText(const Found& found)
{
    return QCoreApplication::translate(
               "ClientAfter", kAfterTexts.at(static_cast<std::size_t>(found.after))
    )
        .arg(foreignText(found.title));
}

QString stateText(const Found& found)
{
    const QString title = foreignText(found.title);
    switch (found.state) {
    case State::NotConnected:
        return found.installed ? ClientPane::tr("%1 doesn't know Belljar yet.").arg(title)
                               : ClientPane::tr("%1 was not found on this machine.").arg(title);
    case State::Connected: return ClientPane::tr("%1 is set up to use Belljar.").arg(title);
    case State::LeadsAway:
        return ClientPane::tr("The entry \"belljar\" of %1 leads to another program or address "
                              "than this Belljar, or is switched off.")
            .arg(title);
    case State::ProgramGone:
        return ClientPane::tr("The entry \"belljar\" of %1 names a program that isn't there.")
            .arg(title);
    case State::Unreadable: break;
    }
    if (found.problem)
        return ClientPane::tr("The configuration of %1 can't be read, line %2, column %3: %4. "
                              "Belljar changes nothing in it until that is mended.")
            .arg(
                title,
                QString::number(found.problem->line),
                QString::number(found.problem->column),
                foreignText(found.problem->message)
            );
    return ClientPane::tr("The configuration of %1 can't be read: %2")
        .arg(title, foreignText(found.error));
}

QString entryText(const Found& found)
{
    if (!found.entry)
        return {};
    QString text = foreignText(found.entry->url);
    if (text.isEmpty()) {
        text = foreignText(found.entry->command);
        for (const std::string& arg : found.entry->args)
            text += QLatin1Char(' ') + foreignText(arg);
    }
    return found.isOurs ? text : ClientPane::tr("%1 (not as Belljar wrote it)").arg(text);
}

QLabel* wrappedLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

QLabel* headingLabel(const QString& text)
{
    auto* label = new QLabel(text);
    QFont strong = label->font();
    strong.setWeight(QFont::DemiBold);
    label->setFont(strong);
    return label;
}

QPushButton* makeButton(const QString& name, const QString& text)
{
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAutoDefault(false);
    return button;
}

QString transportText(const std::string& transport)
{
    // What a person reads in a client's configuration; a socket is how the bridge reaches us.
    return transport == "socket" ? QStringLiteral("stdio") : foreignText(transport);
}

/// The time alone where it is of today.
QString sinceText(execution::UnixMs at)
{
    const QDateTime since = QDateTime::fromMSecsSinceEpoch(at);
    return since.date() == QDate::currentDate() ? since.toString(QStringLiteral("HH:mm"))
                                                : momentText(at);
}

} // namespace

ClientPane::ClientPane(QWidget* parent)
    : QScrollArea(parent)
    , m_nothing(wrappedLabel(QStringLiteral("clientNothing")))
    , m_whole(new QWidget)
    , m_title(wrappedLabel(QStringLiteral("clientTitle")))
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // what is in it has the focus
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setWeight(QFont::DemiBold);
    m_title->setFont(large);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_configuration = makeConfiguration();
    auto* whole = new QVBoxLayout(m_whole);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(m_title);
    whole->addWidget(m_configuration);
    whole->addSpacing(fontMetrics().lineSpacing() / 2);
    whole->addWidget(makeConnections());
    whole->addStretch(1);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->addWidget(m_nothing);
    layout->addWidget(m_whole, 1);
    setWidget(content);
    showNothing(tr("Pick a client to see how it reaches Belljar."));
}

QWidget* ClientPane::makeConfiguration()
{
    m_state = wrappedLabel(QStringLiteral("clientState"));
    m_file = wrappedLabel(QStringLiteral("clientFile"));
    m_entry = wrappedLabel(QStringLiteral("clientEntry"));
    m_note = wrappedLabel(QStringLiteral("clientNote"));
    m_connect = makeButton(QStringLiteral("clientConnect"), {});
    m_remove = makeButton(QStringLiteral("clientRemove"), tr("Take Belljar &out…"));
    m_undo = makeButton(QStringLiteral("clientUndo"), tr("&Undo the last change…"));
    m_folder = makeButton(QStringLiteral("clientFolder"), tr("Open f&older"));
    m_change = new ChangeView;
    connect(m_connect, &QPushButton::clicked, this, [this] { ask(Plan::Kind::Connect); });
    connect(m_remove, &QPushButton::clicked, this, [this] { ask(Plan::Kind::Disconnect); });
    connect(m_undo, &QPushButton::clicked, this, [this] { ask(Plan::Kind::Undo); });
    connect(m_folder, &QPushButton::clicked, this, [this] {
        QFileInfo folder(QString::fromStdString(m_row.found->file.parent_path().string()));
        QDesktopServices::openUrl(QUrl::fromLocalFile(folder.absoluteFilePath()));
    });
    connect(m_change, &ChangeView::writeWanted, this, &ClientPane::writeWanted);
    connect(m_change, &ChangeView::dismissed, this, [this] {
        showConfiguration();
        (m_connect->isVisible() ? m_connect : m_remove)->setFocus();
    });
    auto* form = new QFormLayout;
    form->addRow(tr("File"), m_file);
    form->addRow(tr("Entry"), m_entry);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_connect, m_remove, m_undo, m_folder})
        buttons->addWidget(button);
    buttons->addStretch();
    auto* part = new QWidget;
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(headingLabel(tr("Its configuration")));
    layout->addWidget(m_state);
    layout->addLayout(form);
    layout->addLayout(buttons);
    layout->addWidget(m_change);
    layout->addWidget(m_note);
    return part;
}

QWidget* ClientPane::makeConnections()
{
    m_noConnection = wrappedLabel(QStringLiteral("clientNoConnection"));
    m_table = new QTableWidget(0, ColumnCount);
    m_table->setObjectName(QStringLiteral("clientConnections"));
    m_table->setAccessibleName(tr("Connections"));
    m_table->setHorizontalHeaderLabels(
        {tr("Name"),
         tr("Transport"),
         tr("Revision"),
         tr("Since"),
         tr("Runs"),
         tr("Policy"),
         tr("Program")}
    );
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(qRound(fontMetrics().lineSpacing() * 1.6));
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_disconnect = makeButton(QStringLiteral("clientDisconnect"), tr("&Disconnect"));
    m_disconnect->setToolTip(tr("Ends the connection and what it runs. It may connect again."));
    m_block = makeButton(QStringLiteral("clientBlock"), tr("&Block"));
    connect(
        m_table, &QTableWidget::itemSelectionChanged, this, &ClientPane::updateConnectionButtons
    );
    connect(m_disconnect, &QPushButton::clicked, this, [this] {
        if (const auto client = selectedClient())
            emit commandWanted(DisconnectClient{client->id});
    });
    connect(m_block, &QPushButton::clicked, this, &ClientPane::toggleBlock);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_disconnect);
    buttons->addWidget(m_block);
    buttons->addStretch();
    auto* part = new QWidget;
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(headingLabel(tr("Its connections")));
    layout->addWidget(m_noConnection);
    layout->addWidget(m_table);
    layout->addLayout(buttons);
    return part;
}

void ClientPane::showNothing(const QString& why)
{
    m_row = {};
    m_nothing->setText(why);
    m_nothing->setVisible(true);
    m_whole->setVisible(false);
}

void ClientPane::showRow(const ClientRow& row, const Connections& connections)
{
    if (m_row.key != row.key) {
        m_written = false;
        m_failure.clear();
        m_nothingToDo.clear();
        m_change->clear();
    }
    m_row = row;
    m_nothing->setVisible(false);
    m_whole->setVisible(true);
    m_title->setText(row.title.empty() ? tr("(no name)") : foreignText(row.title));
    m_configuration->setVisible(row.found.has_value());
    if (row.found)
        showConfiguration();
    showConnections(connections);
}

void ClientPane::ask(Plan::Kind kind)
{
    m_failure.clear();
    m_nothingToDo.clear();
    m_written = false;
    showNote();
    emit planWanted(kind, m_row.key);
}

void ClientPane::showPlan(const Plan& plan)
{
    if (plan.client != m_row.key || !m_row.found)
        return;
    if (plan.changesNothing()) {
        m_nothingToDo = tr("There is nothing to change: the entry leads here already.");
        showNote();
        return;
    }
    QString consent;
    if (plan.replacesOther)
        consent = tr("Belljar didn't write the entry that is there; &change it all the same");
    else if (plan.kind == Plan::Kind::Connect && !m_row.found->installed)
        consent = tr("%1 was not found here; &make its configuration all the same")
                      .arg(foreignText(m_row.found->title));
    m_change->show(plan, consent);
    showConfiguration();
    ensureWidgetVisible(m_change);
}

void ClientPane::showApplied(const Plan& plan)
{
    if (plan.client != m_row.key)
        return;
    m_written = true;
    m_change->clear();
    showConfiguration();
    (m_undo->isEnabled() ? m_undo : m_folder)->setFocus();
}

void ClientPane::showFailure(const QString& why)
{
    m_failure = foreignText(why.toStdString());
    m_change->clear();
    showConfiguration();
}

void ClientPane::showConfiguration()
{
    const Found& found = *m_row.found;
    m_state->setText(stateText(found));
    m_file->setText(
        found.fileExists ? foreignText(found.file.string())
                         : tr("%1 (there is none yet)").arg(foreignText(found.file.string()))
    );
    const QString entry = entryText(found);
    m_entry->setText(entry.isEmpty() ? QStringLiteral("–") : entry);
    const bool free = !m_change->plan();
    const bool readable = found.state != State::Unreadable;
    m_connect->setText(found.entry ? tr("&Lead it here…") : tr("&Connect…"));
    m_connect->setVisible(found.state != State::Connected);
    m_connect->setEnabled(free && readable);
    m_remove->setEnabled(free && readable && found.entry);
    m_undo->setEnabled(free && found.canUndo);
    m_folder->setEnabled(found.folderExists);
    showNote();
}

/// What has come of it, and what is still to be done.
void ClientPane::showNote()
{
    QString note = m_failure.isEmpty() ? m_nothingToDo : m_failure;
    if (note.isEmpty() && m_written && m_row.found) {
        const QString title = foreignText(m_row.found->title);
        if (m_row.found->state != State::Connected)
            note = tr("Written. %1").arg(afterText(*m_row.found));
        else if (m_row.waitingSince != 0)
            note = tr("Written. %1 Waiting for %2 to connect…").arg(afterText(*m_row.found), title);
        else if (!m_row.connections.empty())
            note = tr("Written. %1 is connected, protocol revision %2.")
                       .arg(title, foreignText(m_row.connections.back().client.protocolRevision));
    } else if (note.isEmpty() && m_row.waitingSince != 0 && m_row.found) {
        note = tr("Waiting for %1 to connect… %2")
                   .arg(foreignText(m_row.found->title), afterText(*m_row.found));
    }
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void ClientPane::showConnections(const Connections& connections)
{
    const auto selected = selectedClient();
    m_listed.clear();
    const QSignalBlocker quiet(m_table); // the buttons are brought up to date at the end
    m_table->setRowCount(static_cast<int>(m_row.connections.size()));
    for (std::size_t at = 0; at < m_row.connections.size(); ++at) {
        const Connection& connection = m_row.connections[at];
        const execution::Client& client = connection.client;
        m_listed.push_back(client);
        const std::string policy = connections.policyFor(client);
        QString ruled = policy.empty() ? QStringLiteral("–") : foreignText(policy);
        if (connections.isBlocked(client))
            ruled = tr("blocked");
        const QString texts[ColumnCount] = {
            foreignText(client.version.empty() ? client.name : client.name + " " + client.version),
            transportText(client.transport),
            foreignText(client.protocolRevision),
            sinceText(client.connectedAt),
            QLocale().toString(static_cast<qulonglong>(connection.runs.size())),
            ruled,
            client.executable.empty()
                ? tr("unknown")
                : tr("%1 (process %2)")
                      .arg(foreignText(client.executable), QString::number(client.pid)),
        };
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            // Tool tips guess whether a text is rich: it is, and what is foreign in it is escaped.
            item->setToolTip(QStringLiteral("<span>%1</span>").arg(texts[column].toHtmlEscaped()));
            if (column == Runs)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(static_cast<int>(at), column, item);
        }
    }
    m_table->resizeColumnsToContents();
    int row = m_listed.empty() ? -1 : 0;
    for (std::size_t at = 0; selected && at < m_listed.size(); ++at) {
        if (m_listed[at].id == selected->id)
            row = static_cast<int>(at);
    }
    m_table->setCurrentCell(row, 0);
    const int height = m_table->verticalHeader()->defaultSectionSize();
    constexpr int kMostShown = 6;
    const int shown = std::min(static_cast<int>(m_listed.size()), kMostShown);
    m_table->setFixedHeight(
        m_table->horizontalHeader()->sizeHint().height() + height * shown +
        m_table->frameWidth() * 2 + m_table->style()->pixelMetric(QStyle::PM_ScrollBarExtent)
    );
    m_table->setVisible(!m_listed.empty());
    m_noConnection->setVisible(m_listed.empty() || !m_row.blocked.empty());
    m_noConnection->setText(
        m_row.blocked.empty() ? tr("It isn't connected now.")
        : m_listed.empty()    ? tr("It is blocked: its calls are refused. It isn't connected now.")
                              : tr("It is blocked: its calls are refused, and it is told so.")
    );
    updateConnectionButtons();
}

std::optional<execution::Client> ClientPane::selectedClient() const
{
    const int row = m_table->currentRow();
    if (row < 0 || row >= static_cast<int>(m_listed.size()))
        return {};
    return m_listed[static_cast<std::size_t>(row)];
}

void ClientPane::updateConnectionButtons()
{
    const bool blocked = !m_row.blocked.empty();
    m_disconnect->setVisible(!m_listed.empty());
    m_disconnect->setEnabled(selectedClient().has_value());
    m_block->setVisible(blocked || !m_listed.empty());
    m_block->setEnabled(blocked || selectedClient().has_value());
    m_block->setText(blocked ? tr("Un&block") : tr("&Block"));
    m_block->setToolTip(
        blocked ? tr("Lets it call again.")
                : tr("Ends its connections and refuses its calls until you unblock it.")
    );
}

void ClientPane::toggleBlock()
{
    if (!m_row.blocked.empty()) {
        for (const Blocked& blocked : m_row.blocked)
            emit commandWanted(UnblockClient{blocked.name, blocked.executable});
        return;
    }
    if (const auto client = selectedClient())
        emit commandWanted(BlockClient{client->name, client->executable});
}

} // namespace belljar::ui
