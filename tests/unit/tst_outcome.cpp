// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/execution/outcome.h"

#include <csignal>

using namespace belljar;
using namespace belljar::execution;

namespace {

sandbox::Exit exitWith(std::optional<int> code, std::optional<int> signal = {})
{
    sandbox::Exit exit;
    exit.exitCode = code;
    exit.signal = signal;
    exit.wall = std::chrono::microseconds(12'345);
    exit.cpu = std::chrono::microseconds(6'789);
    exit.memoryPeakBytes = 536'870'912;
    return exit;
}

QString joined(const std::vector<std::string>& notes)
{
    QStringList list;
    for (const std::string& note : notes)
        list << QString::fromStdString(note);
    return list.join('|');
}

} // namespace
#endif

class TestOutcome : public QObject {
    Q_OBJECT

private slots:
    void tellsHowAProgramEnded_data()
    {
        QTest::addColumn<int>("code"); // -1: none
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("oomKills");
        QTest::addColumn<bool>("timedOut");
        QTest::addColumn<bool>("cancelled");
        QTest::addColumn<QString>("status");
        QTest::addColumn<int>("shownCode");
        QTest::newRow("zero") << 0 << 0 << 0 << false << false << "succeeded" << 0;
        QTest::newRow("three") << 3 << 0 << 0 << false << false << "failed" << 3;
        QTest::newRow("segmentation fault")
            << -1 << SIGSEGV << 0 << false << false << "failed" << 139;
        QTest::newRow("killed by itself")
            << -1 << SIGKILL << 0 << false << false << "failed" << 137;
        QTest::newRow("killed for memory")
            << -1 << SIGKILL << 1 << false << false << "out_of_memory" << 137;
        QTest::newRow("a child killed for memory")
            << 0 << 0 << 1 << false << false << "succeeded" << 0;
        QTest::newRow("a child killed, then gave up")
            << 1 << 0 << 1 << false << false << "failed" << 1;
        QTest::newRow("time limit") << -1 << SIGTERM << 0 << true << false << "timed_out" << -1;
        QTest::newRow("time limit, tidy end") << 0 << 0 << 0 << true << false << "timed_out" << -1;
        QTest::newRow("cancelled") << -1 << SIGKILL << 0 << false << true << "cancelled" << -1;
    }
    void tellsHowAProgramEnded()
    {
        QFETCH(int, code);
        QFETCH(int, signal);
        QFETCH(int, oomKills);
        QFETCH(bool, timedOut);
        QFETCH(bool, cancelled);
        QFETCH(QString, status);
        QFETCH(int, shownCode);
        auto exit = exitWith(
            code < 0 ? std::optional<int>() : code, signal == 0 ? std::optional<int>() : signal
        );
        exit.oomKills = static_cast<std::uint64_t>(oomKills);
        exit.timedOut = timedOut;
        exit.cancelled = cancelled;
        Record record;

        applyExit(record, exit, cancelled);

        QCOMPARE(QString::fromUtf8(statusTraits(record.status).name.data()), status);
        QCOMPARE(record.exitCode.value_or(-1), shownCode);
        QCOMPARE(record.oomKilled, oomKills > 0);
        QCOMPARE(record.timedOut, timedOut);
        QCOMPARE(record.executionTime.count(), std::int64_t(12));
        QCOMPARE(record.cpuTime.count(), std::int64_t(6));
    }

    void aProgramThatEndedJustBeforeItsCancelKeepsItsResult()
    {
        Record record;
        applyExit(record, exitWith(0), true); // the runner says that it had ended by itself
        QCOMPARE(record.status, Status::Succeeded);
    }

    void saysTheLimitsInWords()
    {
        auto exit = exitWith({}, SIGKILL);
        exit.oomKills = 1;
        Record record;
        applyExit(record, exit, false);
        QVERIFY2(
            joined(record.notes).contains("memory limit of 512 MB (peak 512 MB)"),
            qPrintable(joined(record.notes))
        );

        exit = exitWith({}, SIGTERM);
        exit.timedOut = true;
        exit.leftProcesses = 2;
        record = {};
        record.limits.timeout = std::chrono::milliseconds(2500);
        applyExit(record, exit, false);
        QVERIFY2(
            joined(record.notes).contains("time limit of 2.5 s"), qPrintable(joined(record.notes))
        );
        QVERIFY2(
            joined(record.notes).contains("2 processes were still running"),
            qPrintable(joined(record.notes))
        );
    }

    void isTruncatedExactlyWhenBytesWereDropped()
    {
        auto exit = exitWith(0);
        exit.standardOutput = {10, 1, 10, 0};
        exit.standardError = {5, 1, 5, 0};
        Record record;
        record.standardOutput.invalidBytes = 2;
        applyExit(record, exit, false);
        QVERIFY(!record.outputTruncated);
        QCOMPARE(record.standardOutput.invalidBytes, std::uint64_t(2));

        exit.standardError.totalBytes = 6;
        record = {};
        applyExit(record, exit, false);
        QVERIFY(record.outputTruncated);
    }

    void namesSignals()
    {
        QCOMPARE(signalName(SIGSEGV), std::string("SIGSEGV"));
        QCOMPARE(signalName(42), std::string("signal 42"));
    }

    void namesEveryStatusBackAndForth()
    {
        for (int value = 0; value <= static_cast<int>(Status::Error); ++value) {
            const auto status = static_cast<Status>(value);
            QCOMPARE(statusTraits(status).status, status);
            QVERIFY(statusFromName(statusTraits(status).name) == status);
        }
        QVERIFY(!statusFromName("sleeping"));
    }

    void showsTheFirstLineThatIsNotBlank_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("line");
        QTest::newRow("plain") << "print(1)\nprint(2)"
                               << "print(1)";
        QTest::newRow("blank lines first") << "\n \t\r\n  x = 1"
                                           << "x = 1";
        QTest::newRow("nothing") << ""
                                 << "";
        QTest::newRow("only blanks") << " \n\t\n"
                                     << "";
        QTest::newRow("bidirectional control") << QString::fromUtf8("a\u202eb") << "a\\u{202e}b";
    }
    void showsTheFirstLineThatIsNotBlank()
    {
        QFETCH(QString, code);
        QFETCH(QString, line);
        QCOMPARE(QString::fromStdString(firstLineOf(code.toStdString())), line);
        QVERIFY(firstLineOf(std::string(100'000, 'x')).size() <= 200);
    }
};

QTEST_GUILESS_MAIN(TestOutcome)
#include "tst_outcome.moc"
