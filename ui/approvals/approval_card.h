// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/approvals/answer_guard.h"
#include "ui/approvals/shown_code.h"

#include <memory>
#include <optional>
#include <string>
#endif

#include <QTimer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;
class QPushButton;
class QsciLexer;
class QsciScintilla;
class QTabWidget;
class QToolButton;

namespace belljar::ui {

class DiffView;

/// What the person has typed for a question; kept while other questions are looked at (UX.md rule
/// 16).
struct AnswerDraft {
    QString comment;
    std::optional<QString> edited;
};

/// One question: who asks, why, the whole code, what it may touch, and the answers (UX.md section
/// 4).
class ApprovalCard : public QWidget {
    Q_OBJECT

public:
    /// `clock` is of the guard; the countdown is the wall clock's.
    explicit ApprovalCard(AnswerGuard::Clock clock, QWidget* parent = nullptr);
    ~ApprovalCard() override;

    /// Shows `approval` as number `place` of `count`. The same one again only updates its facts.
    void show(const Approval& approval, int place, int count, const AnswerDraft& draft);
    /// It has been settled: grey, with the reason, no buttons.
    void showSettled(const QString& what);
    /// What would be decided of the edit that was sent with `token`.
    void showDraft(const DraftAnalysed& analysed);
    void clear();

    [[nodiscard]] const std::optional<Approval>& approval() const { return m_approval; }
    [[nodiscard]] AnswerDraft draft() const;
    [[nodiscard]] bool isSettledAlready() const { return m_settled; }
    /// May Allow be pressed now, and if not, why.
    [[nodiscard]] QString allowObstacle() const;

signals:
    void commandWanted(belljar::Command command);
    void answered();
    void later(); ///< Escape: decide later
    void nextWanted(int step);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeLayout();
    void fill();
    void fillPrecedent();
    void fillFindings(const analysis::Report& report);
    void fillCode();
    void fillOffers();
    void markFindings();
    void applyColors();
    void updateClock();
    void updateAnswers();
    void touched();
    void setEditing(bool editing);
    void sendDraft();
    void answer(execution::Verdict verdict, std::optional<Remember> remember, bool stopSession);
    void send(execution::Verdict verdict, std::optional<Remember> remember, bool stopSession);
    [[nodiscard]] bool mayReachOffers(const QKeyEvent& key);
    [[nodiscard]] bool isAnswerButton(const QObject* object) const;
    [[nodiscard]] bool isAllowButton(const QObject* object) const;
    [[nodiscard]] std::string editedCode() const;
    [[nodiscard]] bool hasEdit() const;

    struct Pressed {
        ExecutionId id;
        std::string sha256;
    };

    AnswerGuard m_guard;
    std::optional<Approval> m_approval;
    ShownCode m_shown;
    policy::Decision m_decision; ///< of what is shown: of the edit while there is one
    bool m_settled = false;
    bool m_editing = false;
    bool m_seenEnd = false;
    bool m_draftIsCurrent = true; ///< m_decision is of what the editor holds
    bool m_held = false;
    std::uint64_t m_draftToken = 0;
    std::optional<Pressed> m_pressed; ///< what was shown when an answer went down (R-94)
    QTimer m_second;
    QTimer m_draftDelay;
    QTimer m_holdEnd;

    QLabel* m_place;
    QLabel* m_clock;
    QPushButton* m_hold;
    QLabel* m_title;
    QLabel* m_who;
    QLabel* m_why;
    QListWidget* m_findings;
    QLabel* m_notice;
    QTabWidget* m_tabs;
    QsciScintilla* m_code;
    std::unique_ptr<QsciLexer> m_lexer;
    DiffView* m_precedentDiff;
    DiffView* m_editDiff;
    QLabel* m_facts;
    QLabel* m_precedent;
    QLineEdit* m_comment;
    QLabel* m_obstacle;
    QPushButton* m_deny;
    QPushButton* m_stop;
    QPushButton* m_edit;
    QToolButton* m_allowMore;
    QMenu* m_offers;
    QPushButton* m_allow;
    QLabel* m_outcome;
    QWidget* m_answers;
};

} // namespace belljar::ui
