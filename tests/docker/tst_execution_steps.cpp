// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of a run's way: when each step was, and what Docker was asked for.
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "engine/store/history_reader.h"
#include "tests/support/engine_bench.h"

using namespace belljar;
using namespace belljar::test;
using execution::Record;
using execution::Status;

namespace {

/// Runs Python `code` to its end.
Record ran(EngineBench& bench, const std::string& code)
{
    SubmitProgram program;
    program.token = 1;
    program.language = "python";
    program.code = code;
    bench.submit(program);
    const auto id = bench.told<ProgramSubmitted>().result.value();
    return bench
        .told<ExecutionChanged>([&](const ExecutionChanged& told) {
            return told.record.id == id && execution::isFinal(told.record.status);
        })
        .record;
}

store::HistoryReader historyOf(const EngineBench& bench)
{
    return std::move(store::HistoryReader::open(bench.folder() / "history.db").value());
}

} // namespace
#endif

class TestExecutionSteps : public QObject {
    Q_OBJECT

private slots:
    void everyStepIsKeptInItsOrder()
    {
        EngineBench bench({});
        const Record record = ran(bench, "for i in range(20_000_000): pass\nprint('late')\n");
        QCOMPARE(record.status, Status::Succeeded);
        QVERIFY(record.analysedAt && record.decidedAt && record.queuedAt && record.startedAt);
        QVERIFY(record.firstOutputAt && record.endedAt);
        QVERIFY(record.receivedAt <= *record.analysedAt);
        QVERIFY(*record.analysedAt <= *record.decidedAt);
        QVERIFY(*record.decidedAt <= *record.queuedAt);
        QVERIFY(*record.queuedAt <= *record.startedAt);
        QVERIFY(*record.firstOutputAt - *record.startedAt >= 200);
        QVERIFY(*record.firstOutputAt <= *record.endedAt);
        QVERIFY(historyOf(bench).record(record.id).value() == record);
    }

    void samplesCountAllOutputAlsoWhatIsNotKept()
    {
        EngineBench bench({});
        const Record record = ran(bench, "import sys\nsys.stdout.write('x' * 3_000_000)\n");
        QCOMPARE(record.status, Status::Succeeded);
        QVERIFY(record.outputTruncated);
        const auto samples = historyOf(bench).samples(record.id).value();
        QVERIFY(!samples.empty());
        QVERIFY(samples.back().outputBytes == 3'000'000U);
    }

    void aSilentProgramHasNoFirstOutput()
    {
        EngineBench bench({});
        const Record record = ran(bench, "pass\n");
        QCOMPARE(record.status, Status::Succeeded);
        QVERIFY(!record.firstOutputAt);
    }

    void whatDockerWasAskedForIsKept()
    {
        EngineBench bench({});
        const Record record = ran(bench, "print(1)\n");
        const std::string kept = historyOf(bench).containerSettings(record.id).value();
        QCOMPARE(sha256Hex(kept), record.settingsSha256);
        const Json sent = parseJson(kept).value();
        QCOMPARE(sent["Image"].get<std::string>(), record.imageDigest);
        const Json& host = sent["HostConfig"];
        QCOMPARE(host["Memory"].get<std::uint64_t>(), record.limits.memoryBytes);
        QCOMPARE(host["NetworkMode"].get<std::string>(), std::string("none"));
        QVERIFY(host["CapDrop"] == Json::array({"ALL"}));
    }
};

QTEST_GUILESS_MAIN(TestExecutionSteps)
#include "tst_execution_steps.moc"
