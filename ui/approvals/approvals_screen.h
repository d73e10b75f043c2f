// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/approvals/answer_guard.h"
#include "ui/approvals/approval_card.h"

#include <map>
#include <optional>
#include <string>
#include <vector>
#endif

#include <QTimer>
#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableWidget;

namespace belljar::ui {

class AnsweredView;
class Banner;

/// The questions that wait, the one that is looked at, and what was decided for later ones. Values
/// in, commands out.
class ApprovalsScreen : public QWidget {
    Q_OBJECT

public:
    explicit ApprovalsScreen(AnswerGuard::Clock clock, QWidget* parent = nullptr);
    ~ApprovalsScreen() override;

    /// Questions without an answer; one that is denied and can still be asked again has one.
    [[nodiscard]] int waiting() const { return static_cast<int>(m_waiting.size()); }
    /// What was answered before this window came; the rest it sees for itself.
    void addAnswered(const std::vector<execution::Record>& records);
    /// Has anything been edited or written for an answer, and not been sent?
    [[nodiscard]] bool hasEdits() const;
    /// One line about what waits, for banner and notification: never code.
    [[nodiscard]] QString summary() const;
    /// Denies everything that waits; from the notification.
    void denyAll();
    /// Sends a denial that could still have been taken back: the program ends.
    void finishDenial();
    /// Brings the oldest question to the screen.
    void showFirst();

public slots:
    void apply(const std::vector<belljar::Event>& events);

signals:
    void commandWanted(belljar::Command command);
    /// Something was asked or settled.
    void waitingChanged(int count);
    void executionActivated(const belljar::ExecutionId& id);

private:
    void take(const ApprovalAsked& asked);
    void take(const ApprovalSettled& settled);
    void take(const DraftAnalysed& analysed);
    void take(const RememberedChanged& changed);
    void take(const StoppedSessionsChanged& changed);
    void take(const ExecutionChanged& changed);
    void take(const EngineFailed& failed);
    void take(const auto& /*event*/) {}

    QWidget* makeWaitingPage();
    QWidget* makeRememberedPage();
    void select(const ExecutionId& id);
    void fillQueue();
    void showCurrent();
    void keepDraft();
    void moveOn();
    void onCommand(const Command& command);
    void deny(const AnswerApproval& denial);
    void askAgain();
    void tellSettledByRule(const ExecutionId& id);
    void tellAnswered();
    void revoke(const std::vector<std::string>& ids);

    std::vector<Approval> m_waiting; ///< in the order they were asked
    std::map<ExecutionId, AnswerDraft> m_drafts;
    std::vector<policy::Remembered> m_remembered;
    std::vector<execution::Client> m_stopped;
    ExecutionId m_current;
    /// A denial that waits for its five seconds to pass: the question is the engine's still.
    struct Denial {
        AnswerApproval command;
        Approval question;
    };
    std::optional<Denial> m_denial;
    QTimer m_denialEnds;
    /// Questions that the decision settled which was just remembered, and that decision.
    std::vector<ExecutionId> m_settledByRule;
    std::string m_newRule;
    QTimer m_settledStripEnds;
    QTimer m_moveOn;
    QTimer m_greyEnds;

    Banner* m_deniedStrip;
    Banner* m_settledStrip;
    QTabWidget* m_pages;
    AnsweredView* m_answered;
    QListWidget* m_queue;
    QStackedWidget* m_stack;
    ApprovalCard* m_card;
    QTableWidget* m_rememberedTable;
    QPushButton* m_revokeOne;
    QPushButton* m_revokeAll;
    QListWidget* m_stoppedList;
    QPushButton* m_lift;
};

} // namespace belljar::ui
