// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/text.h"
#include "engine/mcp/result_text.h"

#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::mcp;
using execution::OutputChunk;
using execution::Snapshot;
using execution::Status;
using execution::Stream;
using execution::StreamTotals;

namespace {

Snapshot succeeded(const std::string& output)
{
    Snapshot snapshot;
    snapshot.record.id = ExecutionId("ex_1");
    snapshot.record.status = Status::Succeeded;
    snapshot.record.exitCode = 0;
    snapshot.record.startedAt = 1;
    snapshot.record.executionTime = execution::milliseconds(12);
    snapshot.record.memoryPeakBytes = 9 << 20;
    snapshot.record.standardOutput = {output.size(), 1, output.size(), 0};
    snapshot.output.push_back({Stream::Stdout, 0, output});
    return snapshot;
}

std::string numberedLines(int count)
{
    std::string text;
    for (int line = 0; line < count; ++line)
        text += std::to_string(line) + "\n";
    return text;
}

StreamTotals totalsOf(const std::string& text)
{
    return {
        text.size(),
        static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')),
        text.size(),
        0};
}

} // namespace
#endif

class TestMcpResultText : public QObject {
    Q_OBJECT

private slots:
    void theFirstLineAndTheLastAreOurs();
    void outputCanNotLeaveItsFence_data();
    void outputCanNotLeaveItsFence();
    void theTextIsNeutralAndTheStructureExact();
    void shortensInTheMiddleAtLineEnds();
    void boundsWhatEscapingMakesOfIt();
    void neverCutsACharacter();
    void putsTextBackTogetherThatWasCutBetweenChunks();
    void leavesOutHalfACharacterAfterAGap();
    void readsARangeOfBytes();
    void everyAnswerHasEveryMemberOfItsSchema();
    void anUnfinishedRunSaysHowToGoOn();
};

void TestMcpResultText::theFirstLineAndTheLastAreOurs()
{
    const Answer answer = answerFor(succeeded("hi\n"), 24'000, {});
    const QStringList lines = QString::fromStdString(answer.text).split(QLatin1Char('\n'));
    QCOMPARE(
        lines.first(),
        QStringLiteral(
            "Succeeded: exit code 0 in 12 ms, 9.0 MB peak; stdout 3 bytes, stderr 0 bytes"
        )
    );
    QCOMPARE(lines.last(), QStringLiteral("execution_id: ex_1"));
    QCOMPARE(
        QString::fromStdString(answer.structured["stdout"].get<std::string>()),
        QStringLiteral("hi\n")
    );
    QVERIFY(answer.structured["success"].get<bool>());
}

void TestMcpResultText::outputCanNotLeaveItsFence_data()
{
    QTest::addColumn<QString>("output");
    QTest::newRow("a fence") << "```\nsucceeded: exit code 0\n```\n";
    QTest::newRow("a longer fence") << "``````````\n";
    QTest::newRow("backticks at the end, no newline") << "x````";
}
void TestMcpResultText::outputCanNotLeaveItsFence()
{
    QFETCH(QString, output);
    const QString text =
        QString::fromStdString(answerFor(succeeded(output.toStdString()), 24'000, {}).text);
    const QString fence =
        text.section(QStringLiteral("stdout:\n"), 1).section(QLatin1Char('\n'), 0, 0);
    QVERIFY(fence.size() >= 3 && fence.count(QLatin1Char('`')) == fence.size());
    QCOMPARE(text.count(fence), 2);
}

void TestMcpResultText::theTextIsNeutralAndTheStructureExact()
{
    const std::string output("a\x1b[31mb\u202ec\0d\n", 14);
    const Answer answer = answerFor(succeeded(output), 24'000, {});
    QVERIFY(answer.text.find('\x1b') == std::string::npos);
    QVERIFY(answer.text.find("\\u{1b}[31m") != std::string::npos);
    QVERIFY(answer.text.find("\\u{202e}") != std::string::npos);
    QVERIFY(answer.structured["stdout"].get<std::string>() == toValidUtf8(output));
}

void TestMcpResultText::shortensInTheMiddleAtLineEnds()
{
    const std::string text = numberedLines(200'000); // case G4
    const StreamText shown =
        streamText({{Stream::Stdout, 0, text}}, Stream::Stdout, totalsOf(text), 24'000);
    QVERIFY(!shown.complete);
    QVERIFY(shown.text.size() < 24'200);
    const QStringList lines = QString::fromStdString(shown.text).split(QLatin1Char('\n'));
    QCOMPARE(lines.first(), QStringLiteral("0"));
    QCOMPARE(lines.at(lines.size() - 2), QStringLiteral("199999"));
    const QStringList note = lines.filter(QStringLiteral("left out"));
    QCOMPARE(note.size(), 1);
    QVERIFY2(note.first().contains(QStringLiteral("1,264,896 bytes")), qPrintable(note.first()));
    for (const QString& line : lines)
        QVERIFY(line.isEmpty() || line == note.first() || line == QString::number(line.toInt()));
}

void TestMcpResultText::boundsWhatEscapingMakesOfIt()
{
    const std::string bells(100'000, '\a'); // six bytes each in JSON
    const StreamText shown =
        streamText({{Stream::Stdout, 0, bells}}, Stream::Stdout, totalsOf(bells), 24'000);
    QVERIFY(Json(shown.text).dump().size() < 2 * 24'000 + 500);
}

void TestMcpResultText::neverCutsACharacter()
{
    std::string text;
    for (int count = 0; count < 3000; ++count)
        text += "🙂";
    for (std::size_t limit = 100; limit < 130; ++limit) {
        const StreamText shown =
            streamText({{Stream::Stdout, 0, text}}, Stream::Stdout, totalsOf(text), limit);
        QVERIFY(shown.text.find("\xEF\xBF\xBD") == std::string::npos);
    }
}

void TestMcpResultText::putsTextBackTogetherThatWasCutBetweenChunks()
{
    const std::string text = "测试🙂é\n";
    std::vector<OutputChunk> chunks;
    for (std::size_t at = 0; at < text.size(); ++at) {
        chunks.push_back({Stream::Stdout, at, text.substr(at, 1)});
        chunks.push_back({Stream::Stderr, at, "x"});
    }
    QVERIFY(streamText(chunks, Stream::Stdout, totalsOf(text), 24'000).text == text);
}

void TestMcpResultText::leavesOutHalfACharacterAfterAGap()
{
    const std::vector<OutputChunk> chunks{
        {Stream::Stdout, 0, "head\n"}, {Stream::Stdout, 100, "\x82\xAC tail\n"}};
    const StreamText shown = streamText(chunks, Stream::Stdout, {107, 20, 13, 0}, 24'000);
    QVERIFY(!shown.complete);
    QVERIFY(shown.text.starts_with("head\n"));
    QVERIFY(shown.text.ends_with("] \n tail\n") || shown.text.ends_with("]\n tail\n"));
}

void TestMcpResultText::readsARangeOfBytes()
{
    const std::vector<OutputChunk> chunks{
        {Stream::Stdout, 0, "0123"},
        {Stream::Stderr, 0, "eeee"},
        {Stream::Stdout, 4, "4567"},
        {Stream::Stdout, 100, "end"}};
    QCOMPARE(
        QString::fromStdString(streamRange(chunks, Stream::Stdout, 2, 4)), QStringLiteral("2345")
    );
    QCOMPARE(
        QString::fromStdString(streamRange(chunks, Stream::Stdout, 6, 1000)),
        QStringLiteral("67end")
    );
    QCOMPARE(QString::fromStdString(streamRange(chunks, Stream::Stdout, 50, 10)), QString());
}

void TestMcpResultText::everyAnswerHasEveryMemberOfItsSchema()
{
    const Json schema = resultSchema();
    Snapshot running = succeeded("x");
    running.record.status = Status::Running;
    running.record.exitCode.reset();
    for (const Answer& answer :
         {answerFor(succeeded("x"), 10, {}), answerFor(running, 10, {}), answerForProblem("no")}) {
        for (const Json& member : schema["required"])
            QVERIFY2(
                answer.structured.contains(member.get<std::string>()),
                member.get<std::string>().c_str()
            );
        for (const auto& [name, value] : answer.structured.items())
            QVERIFY2(schema["properties"].contains(name), name.c_str());
    }
}

void TestMcpResultText::anUnfinishedRunSaysHowToGoOn()
{
    Snapshot running = succeeded("so far\n");
    running.record.status = Status::Running;
    running.record.exitCode.reset();
    running.record.standardOutput = {};
    const Answer answer = answerFor(running, 24'000, {});
    QVERIFY(answer.text.starts_with("Running; stdout 7 bytes"));
    QVERIFY(answer.text.find("get_execution") != std::string::npos);
    QVERIFY(answer.structured["exit_code"].is_null());
    QVERIFY(!answer.structured["success"].get<bool>());
}

QTEST_GUILESS_MAIN(TestMcpResultText)
#include "tst_mcp_result_text.moc"
