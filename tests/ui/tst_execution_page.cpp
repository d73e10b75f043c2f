// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of one execution says of its way, its output and its surroundings.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QToolTip>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_runs.h"
#include "ui/execution/execution_page.h"
#include "ui/execution/facts_view.h"
#include "ui/execution/timeline_strip.h"

using namespace belljar;
using namespace belljar::ui;
using execution::Record;
using execution::Status;
using State = TimelineStep::State;

namespace {

/// A run that went all its way, with a question in between.
Record wholeRun()
{
    Record record = test::sampleRun(1, Status::Succeeded);
    record.receivedAt = 1'700'000'000'000;
    record.analysedAt = record.receivedAt + 3;
    record.decidedAt = record.receivedAt + 8'403;
    record.queuedAt = record.receivedAt + 8'404;
    record.startedAt = record.receivedAt + 8'454;
    record.firstOutputAt = record.receivedAt + 8'554;
    record.endedAt = record.receivedAt + 9'454;
    record.policy = "balanced";
    record.verdict = execution::Verdict::Ask;
    record.decidedBy = execution::DecidedBy::Person;
    record.approvalTime = execution::milliseconds(8'400);
    record.standardOutput.totalBytes = 5;
    return record;
}

QStringList spans(const Record& record)
{
    QStringList texts;
    for (const TimelineStep& step : timelineOf(record))
        texts << step.name + QLatin1Char(' ') + spanText(step);
    return texts;
}

std::vector<State> states(const Record& record)
{
    std::vector<State> all;
    for (const TimelineStep& step : timelineOf(record))
        all.push_back(step.state);
    return all;
}

} // namespace
#endif

class TestExecutionPage : public QObject {
    Q_OBJECT

private slots:
    void everyStepHasItsTimeSinceTheOneBefore();
    void aRunOnItsWaySaysWhatIsNext();
    void aRejectedRunNeverStarted();
    void whatAnOlderRowDoesNotKnowIsNotMadeUp();
    void aClockThatWasSetBackGivesNoDuration();
    void theTimelineIsReadAndWalkedByKeys();
    void hostileNamesStayPlainText();
    void theContainersSettingsAreThoseThatWereSent();
    void settingsThatAreNotKnownAreNotMadeUp();
    void settingsOfARunUnderWayAreAskedForWhenItMovesOn();
    void damagedSettingsDoNoHarm_data();
    void damagedSettingsDoNoHarm();
};

void TestExecutionPage::everyStepHasItsTimeSinceTheOneBefore()
{
    QCOMPARE(
        spans(wholeRun()),
        QStringList(
            {"Received ",
             "Analysed +3 ms",
             "Approved +8.40 s",
             "Queued +1 ms",
             "Started +50 ms",
             "First output +100 ms",
             "Succeeded +900 ms"}
        )
    );
    const QString decision = sentenceOf(timelineOf(wholeRun())[2]);
    QVERIFY2(decision.contains("by: You"), qPrintable(decision));
    QVERIFY2(decision.contains("the question waited 8.40 s"), qPrintable(decision));
    QVERIFY2(decision.contains("policy balanced"), qPrintable(decision));
}

void TestExecutionPage::aRunOnItsWaySaysWhatIsNext()
{
    Record record = wholeRun();
    record.status = Status::AwaitingApproval;
    record.decidedAt = record.queuedAt = record.startedAt = record.firstOutputAt = record.endedAt =
        std::nullopt;
    record.decidedBy = execution::DecidedBy::Nobody;
    record.standardOutput = {};
    QVERIFY(
        states(record) == std::vector<State>(
                              {State::Done,
                               State::Done,
                               State::Now,
                               State::Ahead,
                               State::Ahead,
                               State::Ahead,
                               State::Ahead}
                          )
    );
    QVERIFY(sentenceOf(timelineOf(record)[2]).contains("waiting for an answer"));
}

void TestExecutionPage::aRejectedRunNeverStarted()
{
    Record record = wholeRun();
    record.status = Status::Rejected;
    record.queuedAt = record.startedAt = record.firstOutputAt = std::nullopt;
    record.standardOutput = {};
    QCOMPARE(
        spans(record),
        QStringList(
            {"Received ",
             "Analysed +3 ms",
             "Rejected +8.40 s",
             "Queued never",
             "Started never",
             "First output never",
             "Ended +1.05 s"}
        )
    );
}

void TestExecutionPage::whatAnOlderRowDoesNotKnowIsNotMadeUp()
{
    Record record = wholeRun();
    record.analysedAt = record.decidedAt = record.queuedAt = record.firstOutputAt = std::nullopt;
    const auto all = states(record);
    QVERIFY(
        all == std::vector<State>(
                   {State::Done,
                    State::Unknown,
                    State::Unknown,
                    State::Unknown,
                    State::Done,
                    State::Unknown,
                    State::Done}
               )
    );
    record.standardOutput = {};
    QVERIFY(states(record)[5] == State::Never);
}

void TestExecutionPage::aClockThatWasSetBackGivesNoDuration()
{
    Record record = wholeRun();
    record.analysedAt = record.receivedAt - 60'000;
    QVERIFY(!timelineOf(record)[1].since);
    QCOMPARE(spanText(timelineOf(record)[1]), QString());
}

void TestExecutionPage::theTimelineIsReadAndWalkedByKeys()
{
    ExecutionPage page;
    page.resize(1100, 700);
    page.QWidget::show();
    page.show(wholeRun());
    auto* strip = page.findChild<TimelineStrip*>();
    QVERIFY(strip && strip->isVisible());
    QVERIFY(strip->accessibleDescription().contains("First output +100 ms"));
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Right);
    QTest::keyClick(strip, Qt::Key_Right);
    QCOMPARE(strip->currentStep(), 2);
    QVERIFY2(strip->accessibleName().contains("Approved"), qPrintable(strip->accessibleName()));
    QTest::keyClick(strip, Qt::Key_End);
    QCOMPARE(strip->currentStep(), 6);
    QTest::keyClick(strip, Qt::Key_Right);
    QCOMPARE(strip->currentStep(), 6);
    page.clear();
    QVERIFY(!strip->isVisible());
}

void TestExecutionPage::hostileNamesStayPlainText()
{
    Record record = wholeRun();
    record.policy = "<img src=x>\x1b[31m\xe2\x80\xae";
    const QString decision = sentenceOf(timelineOf(record)[2]);
    QVERIFY(!decision.contains(QChar(0x1b)) && !decision.contains(QChar(0x202e)));
    ExecutionPage page;
    page.resize(1100, 700);
    page.QWidget::show();
    page.show(record);
    for (const QLabel* label : page.findChildren<QLabel*>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    auto* strip = page.findChild<TimelineStrip*>();
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Right);
    QTest::keyClick(strip, Qt::Key_Right);
    QVERIFY(!QToolTip::text().contains("<img"));
    QVERIFY(QToolTip::text().contains("&lt;img"));
}

void TestExecutionPage::theContainersSettingsAreThoseThatWereSent()
{
    Record record = wholeRun();
    record.containerId = "c0ffee";
    record.settingsSha256 = "0f";
    const std::string sent =
        R"({"Image":"sha256:0f","User":"65532:65532","Env":["A=<b>\u202e\u001b[31m"],)"
        R"("HostConfig":{"NetworkMode":"none","CapDrop":["ALL"],"CapAdd":[],)"
        R"("SecurityOpt":["no-new-privileges:true","seccomp={}"],"Memory":536870912,)"
        R"("NanoCpus":500000000,"ReadonlyRootfs":false,"Ulimits":[{"Name":"nofile","Soft":1,"Hard":2}],)"
        R"("Tmpfs":{"/tmp":"rw,nosuid"},)"
        R"("Mounts":[{"Type":"bind","Source":"/run/b","Target":"/b","ReadOnly":true}]}})";
    ExecutionPage page;
    page.show(record);
    page.setDetails({record, "", {}, {}, sent});
    auto* table = page.findChild<QTableWidget*>("settingsTable");
    const auto value = [table](const QString& name) {
        for (int row = 0; row < table->rowCount(); ++row) {
            if (table->item(row, 0)->text() == name)
                return table->item(row, 1)->text();
        }
        return QStringLiteral("no such row");
    };
    QCOMPARE(value("Image"), QStringLiteral("sha256:0f"));
    QCOMPARE(value("Network"), QStringLiteral("none"));
    QCOMPARE(value("Capabilities dropped"), QStringLiteral("ALL"));
    QCOMPARE(value("Capabilities added"), QStringLiteral("none"));
    QCOMPARE(value("Read-only root"), QStringLiteral("no"));
    QCOMPARE(value("CPU"), QStringLiteral("0.50 of a core"));
    QCOMPARE(value("Runtime"), QStringLiteral("not set"));
    QCOMPARE(value("Limits per process (soft/hard)"), QStringLiteral("nofile 1/2"));
    QCOMPARE(value("Folders in memory"), QStringLiteral("/tmp: rw,nosuid"));
    QCOMPARE(value("Mounts"), QString::fromUtf8("bind /run/b → /b, read-only"));
    QVERIFY(value("System call filter").contains("2 bytes"));
    QCOMPARE(value("Security options"), QStringLiteral("no-new-privileges:true"));
    QVERIFY(value("Memory").contains("536,870,912"));
    QVERIFY(!value("Environment").contains(QChar(0x202e)));
    QVERIFY(!value("Environment").contains(QChar(0x1b)));
    page.findChild<QPushButton*>("copySettings")->click();
    QCOMPARE(QApplication::clipboard()->text().toStdString(), sent);
}

void TestExecutionPage::settingsThatAreNotKnownAreNotMadeUp()
{
    Record record = wholeRun();
    record.containerId = "c0ffee";
    ExecutionPage page;
    page.show(record);
    page.setDetails({record, "", {}, {}, ""});
    QCOMPARE(page.findChild<QTableWidget*>("settingsTable")->rowCount(), 0);
    QVERIFY(page.findChild<QPushButton*>("copySettings")->isHidden());
    const auto labels = page.findChild<QWidget*>("settingsView")->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->text().contains("not recorded");
    }));
    for (const QLabel* label : page.findChild<FactsView*>()->findChildren<QLabel*>())
        QVERIFY2(!label->text().contains("no capabilities"), qPrintable(label->text()));
}

void TestExecutionPage::settingsOfARunUnderWayAreAskedForWhenItMovesOn()
{
    Record record = wholeRun();
    record.status = Status::Queued;
    record.endedAt = std::nullopt;
    ExecutionPage page;
    QSignalSpy wanted(&page, &ExecutionPage::settingsWanted);
    page.show(record);
    page.setDetails({record, "", {}, {}, ""});
    record.status = Status::Running;
    record.settingsSha256 = "0f";
    page.apply({ExecutionChanged{record}});
    QCOMPARE(wanted.count(), 1);
    page.apply({ExecutionChanged{record}}); // nothing has moved
    QCOMPARE(wanted.count(), 1);
    page.setSettings(ExecutionId("ex_other"), R"({"Image":"x"})");
    QCOMPARE(page.findChild<QTableWidget*>("settingsTable")->rowCount(), 0);
    page.setSettings(record.id, R"({"Image":"x"})");
    QVERIFY(page.findChild<QTableWidget*>("settingsTable")->rowCount() > 10);
    record.status = Status::Succeeded;
    page.apply({ExecutionChanged{record}});
    QCOMPARE(wanted.count(), 1);
}

void TestExecutionPage::damagedSettingsDoNoHarm_data()
{
    QTest::addColumn<QString>("settings");
    QTest::newRow("no JSON") << "<b>";
    QTest::newRow("a list") << "[]";
    QTest::newRow("host config is a number") << R"({"HostConfig":7})";
    QTest::newRow("wrong kinds"
    ) << R"({"HostConfig":{"Mounts":[1,{}],"Tmpfs":[],"Ulimits":[{"Name":{}}],"SecurityOpt":[7],)"
         R"("Memory":"much","NanoCpus":[],"CapDrop":{"a":1}}})";
    QTest::newRow("huge number") << R"({"HostConfig":{"Memory":18446744073709551615}})";
}

void TestExecutionPage::damagedSettingsDoNoHarm()
{
    QFETCH(QString, settings);
    const Record record = wholeRun();
    ExecutionPage page;
    page.show(record);
    page.setDetails({record, "", {}, {}, settings.toStdString()});
    page.resize(1100, 700);
    QVERIFY(!page.grab().isNull());
}

BELLJAR_GUI_TEST_MAIN(TestExecutionPage)
#include "tst_execution_page.moc"
