// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/approvals_screen.h"

#include "engine/base/text.h"
#include "ui/approvals/answered_view.h"
#include "ui/shell/banner.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::ui {

namespace {

using execution::Verdict;

constexpr int kMoveOnMs = 250;
constexpr int kGreyMs = 10'000;
constexpr int kTakeBackMs = 5'000;
constexpr int kSettledStripMs = 30'000;
constexpr std::size_t kMostLabelBytes = 120;

QString safe(const std::string& text)
{
    return QString::fromStdString(escapeForLine(prefixWithin(text, kMostLabelBytes)));
}

QString when(execution::UnixMs at)
{
    return QDateTime::fromMSecsSinceEpoch(at).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString clientName(const execution::Client& client)
{
    return client.name.empty() ? ApprovalsScreen::tr("A client without a name") : safe(client.name);
}

QString outcome(const ApprovalSettled& settled)
{
    const QString reason = safe(settled.reason);
    switch (settled.by) {
    case execution::DecidedBy::Person:
        return settled.verdict == Verdict::Allow ? ApprovalsScreen::tr("You have allowed it.")
                                                 : ApprovalsScreen::tr("You have denied it.");
    case execution::DecidedBy::Timeout: return ApprovalsScreen::tr("Denied: %1.").arg(reason);
    case execution::DecidedBy::Remembered:
        return settled.verdict == Verdict::Allow
                   ? ApprovalsScreen::tr("Allowed by the decision that you have just remembered.")
                   : ApprovalsScreen::tr("Denied by the decision that you have just remembered.");
    case execution::DecidedBy::Nobody:
    case execution::DecidedBy::Policy:
    case execution::DecidedBy::Client:
    case execution::DecidedBy::Engine: break;
    }
    return ApprovalsScreen::tr("It waits no longer: %1.").arg(reason);
}

QString scopeWords(const policy::Remembered& one)
{
    QString words =
        one.scope == policy::Scope::ThisCode
            ? ApprovalsScreen::tr("this code (%1…)").arg(safe(one.codeSha256.substr(0, 12)))
            : ApprovalsScreen::tr("the case of rule %1").arg(safe(one.rule));
    if (!one.findings.empty()) {
        QStringList rules;
        for (const std::string& rule : one.findings)
            rules << safe(rule);
        words += ApprovalsScreen::tr(", with no other finding than %1")
                     .arg(rules.join(QStringLiteral(", ")));
    }
    return words;
}

} // namespace

ApprovalsScreen::ApprovalsScreen(AnswerGuard::Clock clock, QWidget* parent)
    : QWidget(parent)
    , m_deniedStrip(new Banner(QStringLiteral("deniedStrip")))
    , m_settledStrip(new Banner(QStringLiteral("settledStrip")))
    , m_pages(new QTabWidget)
    , m_answered(new AnsweredView)
    , m_queue(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_card(new ApprovalCard(std::move(clock)))
    , m_rememberedTable(new QTableWidget)
    , m_revokeOne(new QPushButton(tr("&Revoke")))
    , m_revokeAll(new QPushButton(tr("Revoke &all…")))
    , m_stoppedList(new QListWidget)
    , m_lift(new QPushButton(tr("&Lift")))
{
    m_pages->setDocumentMode(true);
    m_pages->addTab(makeWaitingPage(), tr("Waiting"));
    m_pages->addTab(makeRememberedPage(), tr("Remembered"));
    m_pages->addTab(m_answered, tr("Answered today"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_deniedStrip);
    layout->addWidget(m_settledStrip);
    layout->addWidget(m_pages, 1);
    m_denialEnds.setSingleShot(true);
    m_denialEnds.setInterval(kTakeBackMs);
    connect(&m_denialEnds, &QTimer::timeout, this, &ApprovalsScreen::finishDenial);
    connect(m_deniedStrip, &Banner::activated, this, &ApprovalsScreen::askAgain);
    m_settledStripEnds.setSingleShot(true);
    m_settledStripEnds.setInterval(kSettledStripMs);
    connect(&m_settledStripEnds, &QTimer::timeout, m_settledStrip, &QWidget::hide);
    connect(m_settledStrip, &Banner::activated, this, [this] {
        m_settledStrip->hide();
        revoke({m_newRule});
    });
    connect(
        m_answered, &AnsweredView::executionActivated, this, &ApprovalsScreen::executionActivated
    );
    m_moveOn.setSingleShot(true);
    m_moveOn.setInterval(kMoveOnMs);
    m_greyEnds.setSingleShot(true);
    m_greyEnds.setInterval(kGreyMs);
    connect(&m_moveOn, &QTimer::timeout, this, &ApprovalsScreen::moveOn);
    connect(&m_greyEnds, &QTimer::timeout, this, &ApprovalsScreen::moveOn);
    connect(m_card, &ApprovalCard::commandWanted, this, &ApprovalsScreen::onCommand);
    connect(m_card, &ApprovalCard::later, this, [this] { m_queue->setFocus(); });
    connect(m_queue, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && row < static_cast<int>(m_waiting.size()))
            select(m_waiting[static_cast<std::size_t>(row)].id);
    });
    fillQueue();
    showCurrent();
}

ApprovalsScreen::~ApprovalsScreen()
{
    // The card is hidden while it is destroyed, and would still say so.
    m_card->disconnect(this);
}

QWidget* ApprovalsScreen::makeWaitingPage()
{
    m_queue->setObjectName(QStringLiteral("approvalQueue"));
    m_queue->setAccessibleName(tr("Questions that wait"));
    m_queue->setTextElideMode(Qt::ElideRight);
    auto* nothing = new QLabel(
        tr("Nothing waits for you.\n\nA question appears here when the policy of a client says "
           "that a person "
           "decides: the Policies say which programs that are. Without an answer it is denied.")
    );
    nothing->setTextFormat(Qt::PlainText);
    nothing->setObjectName(QStringLiteral("nothingWaits"));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    m_stack->addWidget(nothing);
    m_stack->addWidget(m_card);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_queue);
    splitter->addWidget(m_stack);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({220, 900});
    return splitter;
}

QWidget* ApprovalsScreen::makeRememberedPage()
{
    m_rememberedTable->setObjectName(QStringLiteral("rememberedTable"));
    m_rememberedTable->setAccessibleName(tr("Remembered decisions"));
    m_rememberedTable->setColumnCount(8);
    m_rememberedTable->setHorizontalHeaderLabels(
        {tr("Answer"),
         tr("Covers"),
         tr("Client"),
         tr("Policy"),
         tr("Until"),
         tr("Hits"),
         tr("Last used"),
         tr("Made from")}
    );
    m_rememberedTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rememberedTable->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_rememberedTable->verticalHeader()->hide();
    m_rememberedTable->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_stoppedList->setObjectName(QStringLiteral("stoppedSessions"));
    m_stoppedList->setAccessibleName(tr("Stopped sessions"));
    m_stoppedList->setMaximumHeight(fontMetrics().lineSpacing() * 6);
    for (QPushButton* one : {m_revokeOne, m_revokeAll, m_lift})
        one->setAutoDefault(false);
    m_revokeOne->setObjectName(QStringLiteral("revokeButton"));
    m_revokeAll->setObjectName(QStringLiteral("revokeAllButton"));
    m_lift->setObjectName(QStringLiteral("liftButton"));
    auto* stoppedLabel =
        new QLabel(tr("Sessions that you have stopped; what they send is rejected:"));
    stoppedLabel->setBuddy(m_stoppedList);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_revokeOne);
    buttons->addWidget(m_revokeAll);
    auto* lift = new QHBoxLayout;
    lift->addStretch(1);
    lift->addWidget(m_lift);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(m_rememberedTable, 1);
    layout->addLayout(buttons);
    layout->addWidget(stoppedLabel);
    layout->addWidget(m_stoppedList);
    layout->addLayout(lift);
    connect(m_revokeOne, &QPushButton::clicked, this, [this] {
        std::vector<std::string> ids;
        for (const QModelIndex& index : m_rememberedTable->selectionModel()->selectedRows())
            ids.push_back(m_remembered.at(static_cast<std::size_t>(index.row())).id);
        if (!ids.empty())
            revoke(ids);
    });
    connect(m_revokeAll, &QPushButton::clicked, this, [this] {
        QMessageBox ask(
            QMessageBox::Warning,
            tr("Revoke all"),
            tr("All %n remembered decision(s) are revoked. What they answered is asked again.",
               nullptr,
               static_cast<int>(m_remembered.size())),
            QMessageBox::NoButton,
            this
        );
        auto* revoke = ask.addButton(tr("Revoke all"), QMessageBox::DestructiveRole);
        ask.setDefaultButton(ask.addButton(QMessageBox::Cancel));
        ask.exec();
        if (ask.clickedButton() == revoke)
            emit commandWanted(RevokeRemembered{});
    });
    connect(m_lift, &QPushButton::clicked, this, [this] {
        const int row = m_stoppedList->currentRow();
        if (row >= 0)
            emit commandWanted(LiftStoppedSession{m_stopped.at(static_cast<std::size_t>(row)).id});
    });
    return page;
}

void ApprovalsScreen::apply(const std::vector<Event>& events)
{
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
}

/// A plain denial can be taken back for a while (UX.md section 4); everything else goes at once.
void ApprovalsScreen::onCommand(const Command& command)
{
    const auto* answer = std::get_if<AnswerApproval>(&command);
    if (answer && answer->verdict == Verdict::Deny && !answer->stopSession && !answer->remember)
        deny(*answer);
    else
        emit commandWanted(command);
}

void ApprovalsScreen::deny(const AnswerApproval& denial)
{
    finishDenial();
    const auto place = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Approval& one) {
        return one.id == denial.id;
    });
    if (place == m_waiting.end())
        return;
    m_denial = Denial{denial, std::move(*place)};
    m_waiting.erase(place);
    m_denialEnds.start();
    m_deniedStrip->showMessage(
        tr("Denied: %1, %2")
            .arg(
                clientName(m_denial->question.client),
                safe(execution::firstLineOf(*m_denial->question.code))
            ),
        {},
        tr("&Ask again")
    );
    m_card->showSettled(tr("You have denied it."));
    m_current = {};
    m_moveOn.start();
    fillQueue();
    emit waitingChanged(waiting());
}

void ApprovalsScreen::finishDenial()
{
    m_denialEnds.stop();
    m_deniedStrip->hide();
    if (!m_denial)
        return;
    // It waits in the engine until this has arrived; what comes back finds no question of ours.
    const AnswerApproval command = std::move(m_denial->command);
    m_denial.reset();
    m_drafts.erase(command.id);
    emit commandWanted(command);
}

void ApprovalsScreen::askAgain()
{
    m_denialEnds.stop();
    m_deniedStrip->hide();
    if (!m_denial)
        return;
    m_drafts[m_denial->question.id].comment = QString::fromStdString(m_denial->command.comment);
    m_waiting.push_back(std::move(m_denial->question));
    m_denial.reset();
    m_pages->setCurrentIndex(0);
    select(m_waiting.back().id);
    fillQueue();
    emit waitingChanged(waiting());
}

void ApprovalsScreen::revoke(const std::vector<std::string>& ids)
{
    emit commandWanted(RevokeRemembered{ids});
}

void ApprovalsScreen::addAnswered(const std::vector<execution::Record>& records)
{
    m_answered->add(records);
    tellAnswered();
}

void ApprovalsScreen::tellAnswered()
{
    m_pages->setTabText(
        m_pages->indexOf(m_answered),
        m_answered->count() == 0 ? tr("Answered today")
                                 : tr("Answered today (%1)").arg(m_answered->count())
    );
}

void ApprovalsScreen::take(const ExecutionChanged& changed)
{
    if (changed.record.verdict != Verdict::Ask)
        return;
    addAnswered({changed.record});
    const auto place = std::find(m_settledByRule.begin(), m_settledByRule.end(), changed.record.id);
    if (place != m_settledByRule.end() && !changed.record.remembered.empty())
        m_newRule = changed.record.remembered;
}

/// What a new decision settled beside its own question is told, with a way back for what follows
/// (UX.md rule 9).
void ApprovalsScreen::tellSettledByRule(const ExecutionId& id)
{
    if (!m_settledStripEnds.isActive())
        m_settledByRule.clear();
    m_settledByRule.push_back(id);
    m_settledStripEnds.start();
    m_settledStrip->showMessage(
        tr("%n question(s) settled by the decision that you have just remembered.",
           nullptr,
           static_cast<int>(m_settledByRule.size())),
        {},
        tr("&Revoke it")
    );
}

void ApprovalsScreen::take(const ApprovalAsked& asked)
{
    if (m_denial && m_denial->question.id == asked.approval.id) {
        m_denial->question = asked.approval;
        return;
    }
    const auto known = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Approval& one) {
        return one.id == asked.approval.id;
    });
    const bool isNew = known == m_waiting.end();
    if (isNew)
        m_waiting.push_back(asked.approval);
    else
        *known = asked.approval;
    if (m_current.empty() && !m_greyEnds.isActive())
        m_current = asked.approval.id;
    fillQueue();
    if (!m_current.empty()) // also for its place among the others
        showCurrent();
    if (isNew)
        emit waitingChanged(waiting());
}

void ApprovalsScreen::take(const ApprovalSettled& settled)
{
    if (m_denial && m_denial->question.id == settled.id) { // the client was faster, or the clock
        m_denial.reset();
        finishDenial();
        m_drafts.erase(settled.id);
        return;
    }
    const auto place = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Approval& one) {
        return one.id == settled.id;
    });
    if (place == m_waiting.end())
        return;
    m_waiting.erase(place);
    m_drafts.erase(settled.id);
    if (settled.by == execution::DecidedBy::Remembered)
        tellSettledByRule(settled.id);
    if (m_current == settled.id) {
        m_card->showSettled(outcome(settled));
        m_current = {};
        const bool mine = settled.by == execution::DecidedBy::Person;
        (mine ? m_moveOn : m_greyEnds).start();
    }
    fillQueue();
    emit waitingChanged(waiting());
}

void ApprovalsScreen::take(const DraftAnalysed& analysed)
{
    m_card->showDraft(analysed);
}

void ApprovalsScreen::take(const EngineFailed& /*failed*/)
{
    // The engine has taken its questions with it: they were rejected.
    m_denial.reset();
    finishDenial();
    for (const Approval& approval : std::vector<Approval>(m_waiting))
        take(ApprovalSettled{
            approval.id, Verdict::Deny, execution::DecidedBy::Engine, "Belljar's engine has ended"}
        );
}

void ApprovalsScreen::take(const RememberedChanged& changed)
{
    m_remembered = changed.all;
    m_rememberedTable->setRowCount(static_cast<int>(m_remembered.size()));
    for (std::size_t at = 0; at < m_remembered.size(); ++at) {
        const policy::Remembered& one = m_remembered[at];
        QString until = one.expiresAt ? when(*one.expiresAt) : tr("revoked");
        if (!one.session.empty())
            until = tr("the session ends");
        const std::array texts{
            one.verdict == Verdict::Allow ? tr("allow") : tr("deny"),
            scopeWords(one),
            one.clientName.empty() ? tr("(no name)") : safe(one.clientName),
            safe(one.policyName),
            until,
            QString::number(one.hits),
            one.lastUsedAt ? when(*one.lastUsedAt) : tr("never"),
            safe(one.madeFrom.text())};
        for (std::size_t column = 0; column < texts.size(); ++column)
            m_rememberedTable->setItem(
                static_cast<int>(at),
                static_cast<int>(column),
                new QTableWidgetItem(texts.at(column))
            );
    }
    m_revokeOne->setEnabled(!m_remembered.empty());
    m_revokeAll->setEnabled(!m_remembered.empty());
    m_pages->setTabText(
        1, m_remembered.empty() ? tr("Remembered") : tr("Remembered (%1)").arg(m_remembered.size())
    );
}

void ApprovalsScreen::take(const StoppedSessionsChanged& changed)
{
    m_stopped = changed.clients;
    m_stoppedList->clear();
    for (const execution::Client& client : m_stopped)
        m_stoppedList->addItem(tr("%1, pid %2").arg(clientName(client), QString::number(client.pid))
        );
    m_lift->setEnabled(!m_stopped.empty());
}

/// Newest last; the order never changes under the pointer.
void ApprovalsScreen::fillQueue()
{
    const QSignalBlocker quiet(m_queue);
    m_queue->clear();
    for (const Approval& approval : m_waiting) {
        QString text = tr("%1: %2").arg(clientName(approval.client), safe(approval.languageTitle));
        if (!approval.alike.empty())
            text += QStringLiteral(" ×%1").arg(approval.alike.size() + 1);
        text += '\n' + safe(execution::firstLineOf(*approval.code));
        // Room for two lines also of letters that are higher than those of our font: where it is
        // scarce, the style elides the second line away.
        auto* item = new QListWidgetItem(text, m_queue);
        item->setSizeHint(QSize(0, fontMetrics().lineSpacing() * 3));
        if (approval.id == m_current)
            m_queue->setCurrentRow(m_queue->count() - 1);
    }
    m_queue->setVisible(m_waiting.size() > 1);
    m_pages->setTabText(
        0, m_waiting.empty() ? tr("Waiting") : tr("Waiting (%1)").arg(m_waiting.size())
    );
}

void ApprovalsScreen::keepDraft()
{
    if (m_card->approval() && !m_card->isSettledAlready())
        m_drafts[m_card->approval()->id] = m_card->draft();
}

bool ApprovalsScreen::hasEdits() const
{
    const auto isEdit = [](const AnswerDraft& draft) {
        return draft.edited || !draft.comment.isEmpty();
    };
    const bool isShown = m_card->approval() && !m_card->isSettledAlready();
    return (isShown && isEdit(m_card->draft())) ||
           std::any_of(m_drafts.begin(), m_drafts.end(), [&](const auto& draft) {
               return draft.first != m_current && isEdit(draft.second);
           });
}

void ApprovalsScreen::select(const ExecutionId& id)
{
    keepDraft();
    m_greyEnds.stop();
    m_moveOn.stop();
    m_current = id;
    showCurrent();
}

void ApprovalsScreen::showCurrent()
{
    const auto place = std::find_if(m_waiting.begin(), m_waiting.end(), [&](const Approval& one) {
        return one.id == m_current;
    });
    if (place == m_waiting.end()) {
        m_card->clear();
        m_stack->setCurrentIndex(0);
        return;
    }
    m_card->show(
        *place,
        static_cast<int>(place - m_waiting.begin()) + 1,
        static_cast<int>(m_waiting.size()),
        m_drafts[m_current]
    );
    m_stack->setCurrentIndex(1);
}

void ApprovalsScreen::moveOn()
{
    m_greyEnds.stop();
    if (m_current.empty() && !m_waiting.empty())
        m_current = m_waiting.front().id;
    fillQueue();
    showCurrent();
}

void ApprovalsScreen::showFirst()
{
    m_pages->setCurrentIndex(0);
    if (!m_waiting.empty() && m_current.empty())
        moveOn();
}

void ApprovalsScreen::denyAll()
{
    const auto waiting = m_waiting;
    for (const Approval& approval : waiting) {
        AnswerApproval deny;
        deny.id = approval.id;
        deny.shown = approval.codeSha256;
        emit commandWanted(std::move(deny));
    }
}

QString ApprovalsScreen::summary() const
{
    if (m_waiting.empty())
        return {};
    const Approval& first = m_waiting.front();
    if (m_waiting.size() == 1)
        return tr("%1 wants to run %2 and waits for you")
            .arg(clientName(first.client), safe(first.languageTitle));
    return tr("%n program(s) wait for you", nullptr, static_cast<int>(m_waiting.size()));
}

} // namespace belljar::ui
