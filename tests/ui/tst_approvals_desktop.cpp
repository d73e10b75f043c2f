// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions on a real screen with a window manager and keys and clicks from outside (R-126, UX.md
// section 12: focus theft, type-ahead, held keys, click-through). The guard has its real clock.
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "ui/approvals/approval_card.h"
#include "ui/approvals/approvals_screen.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "sample_approvals.h"
#endif

#include <Qsci/qsciscintilla.h>

using namespace belljar;
using namespace belljar::ui;
using test::sampleApproval;

namespace {

constexpr int kSettledMs = 900; ///< more than the guard asks for

std::chrono::milliseconds steadyNow()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch()
    );
}

Approval harmless(const std::string& id)
{
    Approval approval = sampleApproval(id, "print(1)\n");
    approval.decision.report.findings.clear();
    return approval;
}

/// As a person at the keyboard: through the X server, to whoever has the focus.
void xdotool(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral("xdotool"), arguments);
    while (process.state() != QProcess::NotRunning) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
        process.waitForFinished(10);
    }
    QCOMPARE(process.exitCode(), 0);
}

void clickOn(const QWidget* widget)
{
    const QPoint at = widget->mapToGlobal(widget->rect().center());
    xdotool(
        {QStringLiteral("mousemove"),
         QString::number(at.x()),
         QString::number(at.y()),
         QStringLiteral("click"),
         QStringLiteral("1")}
    );
}

} // namespace

class TestApprovalsDesktop : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_answers = 0;
        m_screen = std::make_unique<ApprovalsScreen>(steadyNow);
        connect(
            m_screen.get(),
            &ApprovalsScreen::commandWanted,
            this,
            [this](const Command& command) {
                if (const auto* answer = std::get_if<AnswerApproval>(&command)) {
                    ++m_answers;
                    m_last = *answer;
                }
            }
        );
        m_screen->setGeometry(20, 40, 820, 820);
        m_screen->show();
        QVERIFY(QTest::qWaitForWindowActive(m_screen.get()));
        m_other = std::make_unique<QLineEdit>();
        m_other->setGeometry(900, 60, 300, 60);
    }
    void cleanup()
    {
        m_other.reset();
        m_screen.reset();
    }

    void aQuestionTakesNoFocusAndNoCharacters()
    {
        goElsewhere();
        QProcess typing;
        typing.start(
            QStringLiteral("xdotool"), {"type", "--delay", "40", "the quick brown fox y\n jumps"}
        );
        QTRY_VERIFY(m_other->text().size() > 4);
        ask(harmless("ex_1"));
        QTRY_COMPARE(typing.state(), QProcess::NotRunning);
        QTRY_COMPARE(m_other->text(), QStringLiteral("the quick brown fox y jumps"));
        QVERIFY(m_other->isActiveWindow());
        QVERIFY(!m_screen->isActiveWindow());
        QCOMPARE(answers(), 0);
    }

    void theClickThatBringsTheWindowUpAnswersNothing()
    {
        ask(harmless("ex_1"));
        goElsewhere();
        QTest::qWait(kSettledMs);
        clickOn(button("allowButton"));
        QTRY_VERIFY(m_screen->isActiveWindow());
        QTest::qWait(200);
        QCOMPARE(answers(), 0);
        QTest::qWait(kSettledMs);
        clickOn(button("allowButton")); // and the one that is meant does
        QTRY_COMPARE(answers(), 1);
    }

    void whatWasTypedBeforeTheQuestionCameAnswersNothing()
    {
        QProcess typing;
        typing.start(
            QStringLiteral("xdotool"),
            {"key",
             "--delay",
             "60",
             "--repeat",
             "10",
             "ctrl+Return",
             "ctrl+BackSpace",
             "space",
             "y"}
        );
        QTest::qWait(100);
        ask(harmless("ex_1"));
        QTRY_COMPARE_WITH_TIMEOUT(typing.state(), QProcess::NotRunning, 10'000);
        QTest::qWait(100);
        QCOMPARE(answers(), 0);
    }

    void aHeldChordAnswersNothing()
    {
        xdotool({"keydown", "ctrl", "keydown", "Return"});
        ask(harmless("ex_1"));
        QTest::qWait(2 * kSettledMs); // the server repeats it all the while
        xdotool({"keyup", "Return", "keyup", "ctrl"});
        QTest::qWait(100);
        QCOMPARE(answers(), 0);
        QTest::qWait(kSettledMs);
        xdotool({"key", "ctrl+Return"});
        QTRY_COMPARE(answers(), 1);
    }

    void spaceOnDenyIsNoAnswerWhileKeysComeFast()
    {
        ask(harmless("ex_1"));
        QTest::qWait(kSettledMs);
        button("denyButton")->setFocus();
        xdotool({"type", "--delay", "30", "a b c d"});
        QTest::qWait(200);
        QCOMPARE(answers(), 0);
        QTest::qWait(kSettledMs);
        xdotool({"key", "space"});
        QTRY_COMPARE(answers(), 1);
    }

    void closingTheWindowIsNoAnswer()
    {
        ask(harmless("ex_1"));
        QTest::qWait(kSettledMs);
        xdotool({"key", "Escape"});
        m_screen->close();
        QTest::qWait(100);
        QCOMPARE(answers(), 0);
        QCOMPARE(m_screen->waiting(), 1);
    }

    void stoppingTheSessionIsAskedAgainAndThenDone()
    {
        ask(harmless("ex_1"));
        QTest::qWait(kSettledMs);
        QTimer::singleShot(400, this, [this] { clickOn(inBox("Deny and stop")); });
        clickOn(button("stopSessionButton"));
        QTRY_COMPARE(answers(), 1);
        QVERIFY(m_last.stopSession);
        QCOMPARE(m_last.verdict, execution::Verdict::Deny);
    }

    // While the box is open its question goes away and another one comes.
    void aBoxAnswersOnlyTheQuestionThatItWasOpenedFor()
    {
        ask(harmless("ex_1"));
        ask(sampleApproval("ex_2", "print(2)\n"));
        QTest::qWait(kSettledMs);
        QTimer::singleShot(400, this, [this] {
            m_screen->apply({ApprovalSettled{
                ExecutionId("ex_1"), {}, execution::DecidedBy::Person, std::string()}});
        });
        QTimer::singleShot(400 + 2 * kSettledMs, this, [this] { clickOn(inBox("Deny and stop")); });
        clickOn(button("stopSessionButton"));
        QTRY_VERIFY(!m_screen->findChild<QMessageBox*>());
        QTest::qWait(100);
        QCOMPARE(m_screen->waiting(), 1);
        QCOMPARE(answers(), 0);
    }

    // The button goes down over one question and comes up over the next, however long that takes.
    void aButtonAnswersTheQuestionThatItWentDownOver()
    {
        ask(harmless("ex_1"));
        ask(harmless("ex_2")); // the same code, another question
        QTest::qWait(kSettledMs);
        const QPoint at = button("denyButton")->mapToGlobal(button("denyButton")->rect().center());
        xdotool({"mousemove", QString::number(at.x()), QString::number(at.y()), "mousedown", "1"});
        m_screen->apply({ApprovalSettled{
            ExecutionId("ex_1"), {}, execution::DecidedBy::Person, std::string()}});
        QTest::qWait(2 * kSettledMs);
        xdotool({"mouseup", "1"});
        QTest::qWait(100);
        QCOMPARE(answers(), 0);
        clickOn(button("denyButton"));
        QTRY_COMPARE(answers(), 1);
        QCOMPARE(m_last.id, ExecutionId("ex_2"));
    }

    // in the menu too, Return and Space approve nothing; the chord does.
    void theMenuNeedsTheChordToo()
    {
        ask(harmless("ex_1"));
        QTest::qWait(kSettledMs);
        for (const char* key : {"Return", "KP_Enter", "space"}) {
            chooseWith(key);
            QCOMPARE(answers(), 0);
            QTest::qWait(kSettledMs);
        }
        chooseWith("ctrl+Return");
        QTRY_COMPARE(answers(), 1);
        QVERIFY(m_last.remember.has_value());
    }

    // What the editor begins with is not what was sent when that held what can't be seen.
    void theEditorRunsWhatItShows()
    {
        Approval approval = harmless("ex_1");
        approval.code = std::make_shared<const std::string>("a\xe2\x80\x8b = 1\n");
        ask(approval);
        QTest::qWait(kSettledMs);
        clickOn(button("editButton"));
        QTRY_COMPARE(
            button("allowButton")->text(), QStringLiteral("Allow the edited code  (Ctrl+Return)")
        );
    }

    // Lines that only the soft wrap makes longer than the view.
    void allowWaitsForTheEndOfWrappedLines()
    {
        std::string code;
        for (int line = 0; line < 5; ++line)
            code += "x = '" + std::string(1900, 'a') + "'\n";
        ask(harmless("ex_1")); // the card is there already when the long one comes
        QTest::qWait(kSettledMs);
        m_screen->apply({ApprovalSettled{
            ExecutionId("ex_1"), {}, execution::DecidedBy::Person, std::string()}});
        ask(sampleApproval("ex_2", code));
        QTRY_COMPARE(m_screen->findChild<ApprovalCard*>()->approval()->id, ExecutionId("ex_2"));
        for (int step = 0; step < 10; ++step) {
            QTest::qWait(50);
            QVERIFY(!button("allowButton")->isEnabled());
        }
        auto* bar = m_screen->findChild<QsciScintilla*>("approvalCode")->verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        bar->setValue(bar->maximum());
        QTRY_VERIFY(button("allowButton")->isEnabled());
    }

private:
    /// How many were given, one that could still be taken back among them.
    int answers()
    {
        m_screen->finishDenial();
        return m_answers;
    }
    void ask(const Approval& approval) { m_screen->apply({ApprovalAsked{approval}}); }
    QPushButton* button(const char* name) const { return m_screen->findChild<QPushButton*>(name); }
    /// Opens the menu, goes to its first choice, presses `key`, and closes what is still open. All
    /// of it from outside, since the menu has an event loop of its own.
    void chooseWith(const char* key) const
    {
        QProcess keys;
        keys.start(
            QStringLiteral("xdotool"),
            {"key",
             "ctrl+shift+Return",
             "sleep",
             "0.5",
             "key",
             "Down",
             "sleep",
             "0.5",
             "key",
             key,
             "sleep",
             "0.5",
             "key",
             "Escape"}
        );
        QTRY_COMPARE_WITH_TIMEOUT(keys.state(), QProcess::NotRunning, 10'000);
        QTRY_VERIFY(!m_screen->findChild<QToolButton*>("allowMoreButton")->menu()->isVisible());
    }
    /// Of the box that asks again.
    QWidget* inBox(const char* text) const
    {
        const auto* box = m_screen->findChild<QMessageBox*>();
        for (QAbstractButton* one : box->buttons()) {
            if (one->text() == QLatin1String(text))
                return one;
        }
        return nullptr;
    }
    void goElsewhere()
    {
        m_other->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_other.get()));
        clickOn(m_other.get());
        QTRY_VERIFY(m_other->isActiveWindow());
    }

    int m_answers = 0;
    AnswerApproval m_last;
    std::unique_ptr<ApprovalsScreen> m_screen;
    std::unique_ptr<QLineEdit> m_other;
};

BELLJAR_GUI_TEST_MAIN(TestApprovalsDesktop)
#include "tst_approvals_desktop.moc"
