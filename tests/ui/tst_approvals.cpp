// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules of UX.md section 3, and where each is proved (undo of section 4:
// aDenialCanBeTakenBackForAWhile):
//   1 keystrokes meant for something else   guard*, typingNeverAnswers, neitherReturnNorSpaceAllows
//   2 the click that brought the window up  theClickThatBringsTheWindowUpAnswersNothing
//   3 focus is never taken                  tst_approvals_desktop: aQuestionTakesNoFocus...
//   4 the question is missed                tst_main_window: tellsOfWhatWaits
//   5 one notification for all              tst_approval_notifier
//   6 notification for what was allowed     tst_approval: letsHarmlessCodeThroughWithoutAsking
//   7 time-outs write no rule               tst_approval: rejectsWhatNobodyAnswers
//   8 the gate is in the engine             tst_approval: theEnginesEndDeniesWhatWaits
//   9 identical questions are one           tst_approval: identicalQuestionsAreOne, whatIsRe...;
//                                           tellsWhatTheNewDecisionSettled
//  10 rules that never match                offersScopesWithTheirCounts
//  11 rules pile up                         listsAndRevokesWhatIsRemembered
//  12 from an event to its rule             Record::decidingRule in the execution's facts
//  13 hidden content                        showsWhatCanNotBeSeen, allowWaitsUntilTheEndWasSeen
//  14 approve-all                           there is none
//  15 fatigue                               tst_policy: decides (balanced asks above medium only)
//  16 typed text is lost                    keepsCommentsAndEditsOverOtherQuestions
//  17 keyboard users                        canBeWorkedByKeyboardAlone
#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/sha256.h"
#include "tests/support/gui_test.h"
#include "ui/approvals/answer_guard.h"
#include "ui/approvals/answered_view.h"
#include "ui/approvals/approval_card.h"
#include "ui/approvals/approvals_screen.h"
#include "ui/approvals/shown_code.h"
#include "ui/shell/banner.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sample_approvals.h"
#include "sample_runs.h"
#endif

#include <Qsci/qsciscintilla.h>

using namespace belljar;
using namespace belljar::ui;
using namespace std::chrono_literals;
using test::kRiskyCode;
using test::sampleApproval;

namespace {

const std::string kHarmless = "print(1)\n";

Approval harmless(const std::string& id)
{
    Approval approval = sampleApproval(id, kHarmless);
    approval.decision.report.findings.clear();
    return approval;
}

} // namespace

class TestApprovals : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_now = 10s;
        m_commands.clear();
        m_screen = std::make_unique<ApprovalsScreen>([this] { return m_now; });
        connect(
            m_screen.get(),
            &ApprovalsScreen::commandWanted,
            this,
            [this](const Command& command) { m_commands.push_back(command); }
        );
        m_screen->resize(1100, 800);
        m_screen->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_screen.get()));
    }
    void cleanup() { m_screen.reset(); }

    void guardNeedsTheCardToHaveSettled()
    {
        AnswerGuard guard([this] { return m_now; });
        QVERIFY(!guard.isSettled());
        guard.cardChanged();
        m_now += 699ms;
        QVERIFY(!guard.keyPressed(false));
        m_now += 151ms;
        QVERIFY(guard.keyPressed(false));
        guard.windowActivated();
        m_now += 699ms;
        QVERIFY(!guard.isSettled());
    }

    void guardTakesNoTypingAndNoRepeats()
    {
        AnswerGuard guard([this] { return m_now; });
        guard.cardChanged();
        m_now += 1s;
        QVERIFY(guard.keyPressed(false));
        m_now += 149ms;
        QVERIFY(!guard.keyPressed(false));
        m_now += 150ms;
        QVERIFY(guard.keyPressed(false));
        m_now += 1s;
        QVERIFY(!guard.keyPressed(true));
    }

    void guardSwallowsTheClickThatBringsTheWindowUp()
    {
        AnswerGuard guard([this] { return m_now; });
        guard.windowActivated();
        m_now += 299ms;
        QVERIFY(!guard.pointerPressed());
        QVERIFY(guard.pointerPressed()); // only the first
        guard.windowActivated();
        m_now += 300ms;
        QVERIFY(guard.pointerPressed());
    }

    void showsWhatCanNotBeSeen_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<int>("marks"); // unusual, blank runs, gaps, long lines added up
        QTest::newRow("plain") << QByteArray("a = 1\n") << "a = 1\n" << 0;
        QTest::newRow("Chinese, emoji")
            << QByteArray("s = '你好 🎉'") << QString::fromUtf8("s = '你好 🎉'") << 0;
        QTest::newRow("direction") << QByteArray("x = '\xe2\x80\xae'") << "x = '\\u{202e}'" << 1;
        QTest::newRow("zero width") << QByteArray("a\xe2\x80\x8b = 1") << "a\\u{200b} = 1" << 1;
        QTest::newRow("escape") << QByteArray("\x1b[2J") << "\\u{1b}[2J" << 1;
        QTest::newRow("stray CR") << QByteArray("a\rb\r\nc") << "a\\u{d}b\nc" << 1;
        QTest::newRow("mixed word") << QByteArray("p\xd0\xb0y = 1") << "p\\u{430}y = 1" << 1;
        QTest::newRow("word of its own script")
            << QByteArray("# \xd1\x80\xd0\xb0\xd0\xb7") << QString::fromUtf8("# раз") << 0;
        QTest::newRow("quotes") << QByteArray("echo \xe2\x80\x9c"
                                              "a\xe2\x80\x9d")
                                << "echo \\u{201c}a\\u{201d}" << 2;
        QTest::newRow("blank") << QByteArray("a\xc2\xa0= 1") << "a\\u{a0}= 1" << 1;
        QTest::newRow("21 blank lines") << "a" + QByteArray(22, '\n') + "b"
                                        << QString::fromUtf8("a\n[… 21 blank lines …]\nb") << 1;
        QTest::newRow("20 blank lines") << "a" + QByteArray(21, '\n') + "b"
                                        << "a" + QString(21, '\n') + "b" << 0;
        QTest::newRow("far to the right")
            << "a;" + QByteArray(300, ' ') + "b" << QString::fromUtf8("a;[… 300 blanks …]b") << 1;
    }
    void showsWhatCanNotBeSeen()
    {
        QFETCH(QByteArray, code);
        QFETCH(QString, shown);
        QFETCH(int, marks);
        const ShownCode result = showCode(code.toStdString());
        QCOMPARE(QString::fromStdString(result.text), shown);
        QCOMPARE(
            int(result.unusual + result.lookalikes + result.blankRuns + result.gaps +
                result.longLines),
            marks
        );
        QCOMPARE(result.marks.size(), std::size_t{result.unusual + result.lookalikes});
        QCOMPARE(result.isShownAsItIs(), marks == 0);
    }

    // A program that spells an escape itself is told from one that was written out.
    void marksWhatWasWrittenOut()
    {
        const std::string code =
            "'\\u{430}'\n" + std::string(kLongestLine - 1, 'x') + "\xe2\x80\xae" + "y";
        const ShownCode shown = showCode(code);
        QCOMPARE(shown.marks.size(), std::size_t{1});
        const auto [begin, end] = shown.marks.front();
        QCOMPARE(shown.text.substr(begin, end - begin), std::string("\\ ↩\nu{202e}"));
    }

    void breaksLongLinesAndKnowsWhereEachLineIs()
    {
        const std::string code = "first\n" + std::string(5000, 'x') + "\nlast";
        const ShownCode shown = showCode(code);
        QCOMPARE(shown.longLines, 1U);
        QCOMPARE(shown.firstShownLine, (std::vector<std::uint32_t>{0, 1, 4}));
        QCOMPARE(
            std::count(shown.text.begin(), shown.text.end(), 'x'), std::ptrdiff_t(5000)
        ); // nothing is lost
    }

    void saysWhoAsksWhatAndWhy()
    {
        ask(sampleApproval("ex_1", kRiskyCode));
        QCOMPARE(
            text("approvalTitle"),
            QStringLiteral("Claude Code wants to run Python, 6 lines, 190 bytes")
        );
        QVERIFY(text("approvalWho").contains("calls itself"));
        QVERIFY(text("approvalWho").contains("pid 4711"));
        QVERIFY(text("approvalWhy").contains("above medium severity"));
        QVERIFY(text("approvalFacts").contains("512 MB"));
        QVERIFY(text("approvalFacts").contains("no network"));
        QVERIFY(text("approvalPrecedent").contains("12 earlier runs, 11 allowed"));
        auto* findings = m_screen->findChild<QListWidget*>("approvalFindings");
        QCOMPARE(findings->count(), 2);
        QVERIFY(findings->item(0)->text().startsWith("!!  high  line 3"));
        QCOMPARE(code()->text().toStdString(), kRiskyCode);
        QVERIFY(code()->isReadOnly());
        QCOMPARE(code()->wrapMode(), QsciScintilla::WrapCharacter);
    }

    void showsWeakenedContainers()
    {
        Approval approval = harmless("ex_1");
        approval.decision.weakened = {"the root file system is writable"};
        ask(approval);
        QVERIFY(text("approvalFacts").contains("Weakened: the root file system is writable"));
    }

    void theChordAllowsWhatIsShown()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
        const auto answer = lastAnswer();
        QVERIFY(answer.has_value());
        QCOMPARE(answer->verdict, execution::Verdict::Allow);
        QCOMPARE(answer->shown, sha256Hex(kHarmless));
        QCOMPARE(answer->id, ExecutionId("ex_1"));
        QVERIFY(!answer->remember && !answer->editedCode);
    }

    void nothingAnswersBeforeTheCardHasSettled()
    {
        ask(harmless("ex_1"));
        m_now += 600ms;
        QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
        click("allowButton");
        click("denyButton");
        QVERIFY(!lastAnswer());
    }

    void aCardThatChangesHasToSettleAgain()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        m_screen->apply({ApprovalSettled{
            ExecutionId("ex_1"), {}, execution::DecidedBy::Timeout, "nobody answered"}});
        ask(sampleApproval("ex_2", kHarmless));
        QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!lastAnswer());
    }

    void typingNeverAnswers()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        QTest::keyClick(focused(), Qt::Key_L);
        m_now += 50ms;
        QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!lastAnswer());
    }

    void neitherReturnNorSpaceAllows()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        for (const char* name : {"allowButton", "allowMoreButton"}) {
            auto* button = m_screen->findChild<QWidget*>(name);
            button->setFocus();
            for (const auto key :
                 {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space, Qt::Key_Y, Qt::Key_A}) {
                m_now += 1s;
                QTest::keyClick(button, key);
            }
        }
        code()->setFocus();
        m_now += 1s;
        QTest::keyClick(code(), Qt::Key_Return);
        m_now += 1s;
        QTest::keyClick(code(), Qt::Key_Escape);
        QVERIFY(!lastAnswer());
    }

    void theClickThatBringsTheWindowUpAnswersNothing()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        QEvent activate(QEvent::WindowActivate);
        QCoreApplication::sendEvent(m_screen.get(), &activate);
        m_now += 100ms;
        click("denyButton");
        QVERIFY(!lastAnswer());
        m_now += 1s;
        click("denyButton");
        QVERIFY(lastAnswer().has_value());
    }

    void deniesWithAComment()
    {
        ask(sampleApproval("ex_1", kRiskyCode));
        m_now += 1s;
        m_screen->findChild<QLineEdit*>("approvalComment")->setText("no processes, please");
        click("denyButton");
        const auto answer = lastAnswer();
        QVERIFY(answer.has_value());
        QCOMPARE(answer->verdict, execution::Verdict::Deny);
        QCOMPARE(answer->comment, std::string("no processes, please"));
        QVERIFY(!answer->stopSession);
    }

    void allowWaitsUntilTheEndWasSeen()
    {
        std::string longCode = kRiskyCode;
        for (int line = 0; line < 400; ++line)
            longCode += "x = " + std::to_string(line) + "\n";
        ask(sampleApproval("ex_1", longCode));
        m_now += 1s;
        QVERIFY(!button("allowButton")->isEnabled());
        QVERIFY(text("approvalObstacle").contains("Scroll to the end"));
        QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(!lastAnswer());
        // Wrapping is laid out by and by, so the end may move while one scrolls.
        const auto scrolled = [this] {
            code()->verticalScrollBar()->setValue(code()->verticalScrollBar()->maximum());
            return button("allowButton")->isEnabled();
        };
        QTRY_VERIFY(scrolled());
        m_now += 1s;
        QTest::keyClick(focused(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(lastAnswer().has_value());
    }

    void offersScopesWithTheirCounts()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        auto* more = m_screen->findChild<QToolButton*>("allowMoreButton");
        const auto actions = more->menu()->actions();
        QStringList texts;
        for (const QAction* action : actions)
            texts << action->text();
        QVERIFY(texts.join('\n').contains(
            QString::fromUtf8("for an hour — would have matched 7 of the last 12 runs")
        ));
        for (QAction* action : actions) {
            if (action->text().startsWith("for an hour") && action->text().contains("7 of"))
                action->trigger();
        }
        const auto answer = lastAnswer();
        QVERIFY(answer && answer->remember);
        QCOMPARE(answer->remember->scope, policy::Scope::RuleCase);
        QVERIFY(answer->remember->lasts == 1h);
        QVERIFY(!answer->remember->sessionOnly);
        // Nothing is offered for what can't be remembered.
        Approval unknown = harmless("ex_2");
        unknown.offers.clear();
        m_screen->apply({ApprovalSettled{ExecutionId("ex_1"), {}, execution::DecidedBy::Person, ""}}
        );
        ask(unknown);
        QTRY_COMPARE(shownId(), std::string("ex_2"));
        QVERIFY(more->isHidden());
    }

    void editsThenAllowsTheEditedCode()
    {
        ask(sampleApproval("ex_1", kRiskyCode));
        m_now += 1s;
        click("editButton");
        QVERIFY(!code()->isReadOnly());
        code()->setText("print('mine')\n");
        QVERIFY(!button("allowButton")->isEnabled()); // it hasn't been looked at yet
        QTRY_VERIFY(std::any_of(m_commands.begin(), m_commands.end(), [](const Command& one) {
            return std::holds_alternative<AnalyseDraft>(one);
        }));
        DraftAnalysed analysed;
        for (const Command& command : m_commands) {
            if (const auto* draft = std::get_if<AnalyseDraft>(&command))
                analysed.token = draft->token;
        }
        analysed.id = ExecutionId("ex_1");
        analysed.decision.verdict = policy::Verdict::Allow;
        m_screen->apply({analysed});
        QTRY_VERIFY(button("allowButton")->isEnabled());
        QCOMPARE(
            button("allowButton")->text(), QStringLiteral("Allow the edited code  (Ctrl+Return)")
        );
        m_now += 1s;
        click("allowButton");
        const auto answer = lastAnswer();
        QVERIFY(answer && answer->editedCode);
        QCOMPARE(*answer->editedCode, std::string("print('mine')\n"));
        QCOMPARE(answer->shown, sha256Hex("print('mine')\n"));
    }

    void anEditCanNotBringInWhatCanNotBeSeen()
    {
        ask(sampleApproval("ex_1", "a\xe2\x80\xae = 1\n"));
        QVERIFY(text("approvalNotice").contains("1 invisible"));
        m_now += 1s;
        click("editButton");
        QCOMPARE(code()->text(), QStringLiteral("a = 1\n"));
        code()->setText(QString::fromUtf8("b\xe2\x80\xae = 1\n"));
        DraftAnalysed analysed;
        QTRY_VERIFY(!m_commands.empty() && std::holds_alternative<AnalyseDraft>(m_commands.back()));
        analysed.token = std::get<AnalyseDraft>(m_commands.back()).token;
        analysed.id = ExecutionId("ex_1");
        m_screen->apply({analysed});
        QVERIFY(!button("allowButton")->isEnabled());
        QVERIFY(text("approvalObstacle").contains("invisible"));
    }

    void keepsCommentsAndEditsOverOtherQuestions()
    {
        ask(harmless("ex_1"));
        ask(sampleApproval("ex_2", kRiskyCode));
        m_now += 1s;
        auto* comment = m_screen->findChild<QLineEdit*>("approvalComment");
        comment->setText("for the first");
        auto* queue = m_screen->findChild<QListWidget*>("approvalQueue");
        QCOMPARE(queue->count(), 2);
        queue->setCurrentRow(1);
        QCOMPARE(comment->text(), QString());
        click("editButton");
        m_now += 1s;
        click("editButton");
        queue->setCurrentRow(0);
        QCOMPARE(comment->text(), QStringLiteral("for the first"));
        QCOMPARE(shownId(), std::string("ex_1"));
    }

    void severalWaitInOrderAndAnsweringMovesOn()
    {
        for (const char* id : {"ex_1", "ex_2", "ex_3"})
            ask(sampleApproval(id, std::string("# ") + id + "\n" + kRiskyCode));
        QCOMPARE(m_screen->waiting(), 3);
        QCOMPARE(shownId(), std::string("ex_1")); // a new one never replaces what is looked at
        m_now += 1s;
        click("denyButton");
        QTRY_COMPARE(shownId(), std::string("ex_2"));
        m_now += 100ms;
        click("denyButton"); // the guard begins anew
        m_screen->finishDenial();
        QCOMPARE(
            std::count_if(
                m_commands.begin(),
                m_commands.end(),
                [](const Command& one) { return std::holds_alternative<AnswerApproval>(one); }
            ),
            std::ptrdiff_t(1)
        );
    }

    void aDenialCanBeTakenBackForAWhile()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        m_screen->findChild<QLineEdit*>("approvalComment")->setText(QStringLiteral("why?"));
        click("denyButton");
        QCOMPARE(m_screen->waiting(), 0);
        QVERIFY(m_screen->findChild<Banner*>("deniedStrip")->text().contains("print(1)"));
        click("deniedStripButton");
        QCOMPARE(m_screen->waiting(), 1);
        QCOMPARE(shownId(), std::string("ex_1"));
        QCOMPARE(
            m_screen->findChild<QLineEdit*>("approvalComment")->text(), QStringLiteral("why?")
        );
        QVERIFY(!lastAnswer()); // nothing was sent

        m_now += 1s;
        click("denyButton");
        QTRY_VERIFY_WITH_TIMEOUT(!m_screen->findChild<Banner*>("deniedStrip")->isVisible(), 7'000);
        QCOMPARE(lastAnswer()->comment, std::string("why?"));
    }

    // While it can be taken back it waits in the engine, where its client or the clock may be
    // faster.
    void aDenialThatCameTooLateIsNotSent()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        click("denyButton");
        m_screen->apply({ApprovalSettled{
            ExecutionId("ex_1"), {}, execution::DecidedBy::Nobody, "the client cancelled"}});
        QVERIFY(!m_screen->findChild<Banner*>("deniedStrip")->isVisible());
        QVERIFY(!lastAnswer());
    }

    // UX.md rule 9: what a new decision settles beside its own question.
    void tellsWhatTheNewDecisionSettled()
    {
        for (const char* id : {"ex_1", "ex_2", "ex_3"})
            ask(sampleApproval(id, std::string("# ") + id + "\n" + kRiskyCode));
        for (const char* id : {"ex_2", "ex_3"}) {
            m_screen->apply({ApprovalSettled{
                ExecutionId(id), execution::Verdict::Allow, execution::DecidedBy::Remembered, ""}});
            execution::Record record = answered(1, id);
            record.decidedBy = execution::DecidedBy::Remembered;
            record.remembered = "rm_7";
            m_screen->apply({ExecutionChanged{record}});
        }
        const auto* strip = m_screen->findChild<Banner*>("settledStrip");
        QVERIFY2(strip->text().startsWith("2 question"), qPrintable(strip->text()));
        click("settledStripButton");
        const auto* revoked = std::get_if<RevokeRemembered>(&m_commands.back());
        QVERIFY(revoked);
        QCOMPARE(revoked->ids, std::vector<std::string>{"rm_7"});
        QVERIFY(!strip->isVisible());
    }

    void listsWhatWasAnsweredToday()
    {
        execution::Record denied = answered(7, "ex_7");
        denied.status = execution::Status::Rejected;
        denied.comment = "no\nnever";
        execution::Record open = answered(8, "ex_8");
        open.decidedBy = execution::DecidedBy::Nobody;
        open.status = execution::Status::AwaitingApproval;
        execution::Record old = answered(1, "ex_1");
        old.receivedAt = AnsweredView::midnight() - 1;
        execution::Record unasked = answered(9, "ex_9");
        unasked.verdict = execution::Verdict::Allow;
        m_screen->addAnswered({denied, open, old, unasked});
        m_screen->apply({ExecutionChanged{answered(10, "ex_10")}});
        const auto* table = m_screen->findChild<QTableWidget*>("answeredTable");
        QCOMPARE(table->rowCount(), 2);
        QCOMPARE(table->item(0, 3)->text(), QStringLiteral("You allowed it"));
        QCOMPARE(table->item(1, 3)->text(), QStringLiteral("You denied it"));
        QCOMPARE(table->item(1, 4)->text(), QStringLiteral("no\\u{a}never"));
        QSignalSpy activated(m_screen.get(), &ApprovalsScreen::executionActivated);
        emit m_screen->findChild<QTableWidget*>("answeredTable")->itemActivated(table->item(1, 0));
        QCOMPARE(activated.at(0).at(0).value<ExecutionId>(), ExecutionId("ex_7"));
    }

    void whatTheClientWithdrewTurnsGrey()
    {
        ask(harmless("ex_1"));
        m_screen->apply({ApprovalSettled{
            ExecutionId("ex_1"), {}, execution::DecidedBy::Nobody, "the client cancelled"}});
        QVERIFY(text("approvalOutcome").contains("the client cancelled"));
        QVERIFY(!m_screen->findChild<ApprovalCard*>()->isEnabled());
        QVERIFY(!button("allowButton")->isVisible());
        QCOMPARE(m_screen->waiting(), 0);
    }

    void readingStopsTheClock()
    {
        ask(harmless("ex_1"));
        m_now += 1s;
        QTest::keyClick(focused(), Qt::Key_Down);
        QVERIFY(!m_commands.empty());
        const auto* hold = std::get_if<HoldApproval>(&m_commands.back());
        QVERIFY(hold && hold->held);
        m_screen->hide(); // nobody reads any more
        hold = std::get_if<HoldApproval>(&m_commands.back());
        QVERIFY(hold && !hold->held);
    }

    void listsAndRevokesWhatIsRemembered()
    {
        policy::Remembered one;
        one.id = "rd_1";
        one.scope = policy::Scope::RuleCase;
        one.rule = "serious finding";
        one.clientName = "<b>Claude</b>";
        one.hits = 3;
        m_screen->apply({RememberedChanged{{one}}});
        auto* table = m_screen->findChild<QTableWidget*>("rememberedTable");
        QCOMPARE(table->rowCount(), 1);
        QCOMPARE(table->item(0, 2)->text(), QStringLiteral("<b>Claude</b>")); // as text
        QCOMPARE(table->item(0, 5)->text(), QStringLiteral("3"));
        QCOMPARE(table->item(0, 6)->text(), QStringLiteral("never"));
        table->selectRow(0);
        button("revokeButton")->click();
        const auto* revoke = std::get_if<RevokeRemembered>(&m_commands.back());
        QVERIFY(revoke);
        QCOMPARE(revoke->ids, std::vector<std::string>{"rd_1"});
    }

    //
    void foreignTextStaysTextAndStaysSmall()
    {
        const std::string hostile =
            "<img src='http://x/'><b>&lt;\xe2\x80\xae\n" + std::string(64'000, 'W');
        Approval approval = sampleApproval("ex_1", hostile);
        approval.client.name = hostile;
        approval.client.executable = hostile;
        approval.decision.reasons.front().words = hostile;
        approval.decision.weakened = {"x"};
        for (int count = 0; count < 100; ++count) {
            analysis::Finding finding;
            finding.rule = hostile;
            finding.message = hostile;
            finding.range.beginLine = 99;
            approval.decision.report.findings.push_back(finding);
        }
        approval.offers.front().words = hostile;
        ask(approval);
        for (const QLabel* label : m_screen->findChildren<QLabel*>()) {
            if (label->text().contains("<img"))
                QCOMPARE(label->textFormat(), Qt::PlainText);
            QVERIFY(!label->text().contains(QChar(0x202e)));
            QVERIFY(!label->toolTip().contains("<img"));
        }
        const QRect screen(m_screen->mapToGlobal(QPoint()), m_screen->size());
        QCOMPARE(m_screen->size(), QSize(1100, 800));
        for (const char* name : {"allowButton", "denyButton"}) {
            auto* one = button(name);
            QVERIFY(screen.contains(QRect(one->mapToGlobal(QPoint()), one->size())));
        }
    }

    void canBeWorkedByKeyboardAlone()
    {
        ask(harmless("ex_1"));
        QStringList order;
        QCOMPARE(focused()->objectName(), QStringLiteral("approvalTitle"));
        for (int step = 0; step < 20; ++step) {
            QTest::keyClick(
                focused(), Qt::Key_Tab, focused() == code() ? Qt::ControlModifier : Qt::NoModifier
            );
            order << focused()->objectName();
        }
        for (const char* name :
             {"holdButton",
              "approvalComment",
              "denyButton",
              "stopSessionButton",
              "editButton",
              "allowMoreButton",
              "allowButton"})
            QVERIFY2(order.contains(name), name);
        for (const QWidget* widget : m_screen->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible())
                continue;
            const QAccessibleInterface* face =
                QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            if (face &&
                (face->role() == QAccessible::Button || face->role() == QAccessible::EditableText))
                QVERIFY2(
                    !face->text(QAccessible::Name).isEmpty() || widget == code(),
                    qPrintable(widget->objectName())
                );
        }
    }

private:
    static execution::Record answered(std::int64_t sequence, const std::string& id)
    {
        execution::Record record = test::sampleRun(sequence, execution::Status::Succeeded);
        record.id = ExecutionId(id);
        record.receivedAt = execution::unixNow();
        record.verdict = execution::Verdict::Ask;
        record.decidedBy = execution::DecidedBy::Person;
        return record;
    }
    void ask(const Approval& approval) { m_screen->apply({ApprovalAsked{approval}}); }
    QString text(const char* name) const { return m_screen->findChild<QLabel*>(name)->text(); }
    QPushButton* button(const char* name) const { return m_screen->findChild<QPushButton*>(name); }
    QsciScintilla* code() const { return m_screen->findChild<QsciScintilla*>("approvalCode"); }
    void click(const char* name) const { QTest::mouseClick(button(name), Qt::LeftButton); }
    QWidget* focused() const
    {
        QWidget* focus = m_screen->focusWidget();
        return focus ? focus : m_screen.get();
    }
    std::string shownId() const
    {
        const auto& approval = m_screen->findChild<ApprovalCard*>()->approval();
        return approval ? approval->id.text() : "";
    }
    /// One that could still be taken back among them.
    std::optional<AnswerApproval> lastAnswer()
    {
        m_screen->finishDenial();
        for (auto command = m_commands.rbegin(); command != m_commands.rend(); ++command) {
            if (const auto* answer = std::get_if<AnswerApproval>(&*command))
                return *answer;
        }
        return {};
    }

    std::chrono::milliseconds m_now{0};
    std::vector<Command> m_commands;
    std::unique_ptr<ApprovalsScreen> m_screen;
};

BELLJAR_GUI_TEST_MAIN(TestApprovals)
#include "tst_approvals.moc"
