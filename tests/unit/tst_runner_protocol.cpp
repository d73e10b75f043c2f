// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "tests/unit/runner_frames.h"

using namespace belljar;
using namespace belljar::test;
#endif

class TestRunnerProtocol : public QObject {
    Q_OBJECT

private slots:
    void decodesARunFromHelloToExit();
    void givesTheSameEventsWhereverTheBytesAreCut();
    void keepsOffsetsAcrossAGap();
    void refusesWhatTheProtocolDoesNotAllow_data();
    void refusesWhatTheProtocolDoesNotAllow();
    void refusesMoreOutputThanMayBeKept();
    void collectsTheFilesOfARun();
    void callsAFileThatEndsEarlyUnreadable();
    void refusesMoreFilesThanWereAskedFor();
    void showsTheOffendingBytesAsHexAndNoMoreThan256();
    void boundsTheFaultMessage();
    void encodesCodeOfAnySizeInFramesThatTheRunnerAccepts_data();
    void encodesCodeOfAnySizeInFramesThatTheRunnerAccepts();
    void findsEveryWeaknessOfASandbox_data();
    void findsEveryWeaknessOfASandbox();
    void findsNoWeaknessWhereThereIsNone();
};

void TestRunnerProtocol::decodesARunFromHelloToExit()
{
    RunnerDecoder decoder;

    const auto events = decoder.feed(
        kHello + control(R"({"op":"prepared"})") + kStarted + output("hi\n") +
        sample(
            R"({"t_ms":100,"cpu_us":50000,"memory_bytes":7,"processes":2,"read_bytes":1,"written_bytes":2,"output_bytes":3})"
        ) +
        kExit
    );

    QVERIFY2(events.has_value(), events ? "" : events.error().message().c_str());
    QCOMPARE(events->size(), std::size_t(6));
    QCOMPARE(std::get<Hello>(events->at(0)).uid, std::int64_t(65532));
    QVERIFY(std::holds_alternative<Prepared>(events->at(1)));
    QCOMPARE(std::get<Started>(events->at(2)).codeSha256, std::string("ab"));
    QVERIFY((std::get<OutputChunk>(events->at(3)) == OutputChunk{Stream::Stdout, 0, "hi\n"}));
    QCOMPARE(std::get<Sample>(events->at(4)).cpuPercent, 50.0);
    QVERIFY(std::get<Sample>(events->at(4)).outputBytes == 3U);
    const Exit& exit = std::get<Exit>(events->at(5));
    QCOMPARE(*exit.exitCode, 3);
    QCOMPARE(exit.oomKills, std::uint64_t(2));
    QCOMPARE(exit.wall.count(), std::int64_t(1500));
    QCOMPARE(exit.leftProcesses, 1U);
    QCOMPARE(exit.standardOutput.totalBytes, std::uint64_t(3));
}

void TestRunnerProtocol::givesTheSameEventsWhereverTheBytesAreCut()
{
    const std::string bytes = kHello + kStarted + output("one") + outputAt(100, "two") + kExit;
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        RunnerDecoder decoder;
        auto first = decoder.feed(std::string_view(bytes).substr(0, cut));
        auto second = decoder.feed(std::string_view(bytes).substr(cut));
        QVERIFY(first && second);
        QCOMPARE(first->size() + second->size(), std::size_t(5));
    }
}

void TestRunnerProtocol::keepsOffsetsAcrossAGap()
{
    RunnerDecoder decoder;
    const auto events =
        decoder.feed(kHello + kStarted + output("abc") + outputAt(90, "xyz") + output("!"));
    QVERIFY(events.has_value());
    QVERIFY((std::get<OutputChunk>(events->at(3)) == OutputChunk{Stream::Stdout, 90, "xyz"}));
    QVERIFY((std::get<OutputChunk>(events->at(4)) == OutputChunk{Stream::Stdout, 93, "!"}));
}

void TestRunnerProtocol::refusesWhatTheProtocolDoesNotAllow_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    row("unknown frame type", std::string("\x03\x00\x00\x00\x00\x00\x00\x00", 8));
    row("control frame over 64 KiB", std::string("\x01\x00\x00\x00\x01\x00\x01\x00", 8));
    row("data frame over 1 MiB", std::string("\x02\x00\x02\x00\x01\x00\x10\x00", 8));
    row("length 2^32-1", std::string("\x02\x00\x02\x00\xff\xff\xff\xff", 8));
    row("unknown channel", kHello + kStarted + frame(FrameType::Data, Channel{9}, "x"));
    row("data on the control channel", kHello + frame(FrameType::Data, Channel::Control, "{}"));
    row("the engine's own direction",
        kHello + kStarted + frame(FrameType::Data, Channel::Stdin, "x"));
    row("control on stdout", kHello + kStarted + frame(FrameType::Control, Channel::Stdout, "{}"));
    row("output before hello", output("x"));
    row("output before the start", kHello + output("x"));
    row("started before hello", kStarted);
    row("hello twice", kHello + kHello);
    row("started twice", kHello + kStarted + kStarted);
    row("exit before the start", kHello + kExit);
    row("exit twice", kHello + kStarted + kExit + kExit);
    row("data after exit", kHello + kStarted + kExit + output("x"));
    row("sample before the start", kHello + sample("{}"));
    row("output that goes backwards", kHello + kStarted + output("abcdef") + outputAt(3, "x"));
    row("offset frame of 3 bytes",
        kHello + kStarted +
            frame(
                FrameType::Data,
                Channel::Stdout,
                "abc",
                static_cast<std::uint8_t>(FrameFlag::HasOffset)
            ));
    row("offset 2^63", kHello + kStarted + outputAt(1ULL << 63U, "x"));
    row("not JSON", control("{op"));
    row("JSON that is no object", control("[]"));
    row("17 levels of JSON", control(std::string(17, '[') + std::string(17, ']')));
    row("unknown message", control(R"({"op":"launch"})"));
    row("other protocol", helloWith("\"protocol\":1", "\"protocol\":2"));
    row("uid as text", helloWith("65532", "\"65532\""));
    row("exit code 300",
        kHello + kStarted + control(R"({"op":"exit","exit_code":300,)" + kTotals + "}"));
    row("exit code and signal",
        kHello + kStarted + control(R"({"op":"exit","exit_code":0,"signal":9,)" + kTotals + "}"));
    row("neither exit code nor signal",
        kHello + kStarted + control(R"({"op":"exit",)" + kTotals + "}"));
    const std::string run = kHello + kStarted;
    const std::string three = R"({"name":"61","fate":0,"size":3})";
    row("a file before the start", kHello + fileMessage(three));
    row("a file within a file", run + fileMessage(three) + fileMessage(three));
    row("bytes of no file", run + fileBytes("x"));
    row("bytes of a file left out",
        run + fileMessage(R"({"name":"61","fate":1,"size":3})") + fileBytes("abc"));
    row("more bytes than announced", run + fileMessage(three) + fileBytes("abcd"));
    row("bytes after the last", run + fileMessage(three) + fileBytes("abc") + fileBytes(""));
    row("exit within a file", run + fileMessage(three) + kExit);
    row("other files than counted", run + fileMessage(three) + fileBytes("abc") + kExit);
    row("exit without files", run + exitWithFiles("7"));
    row("too few counts", run + exitWithFiles(R"({"whole":true,"counts":[0]})"));
    row("a count that is none",
        run + exitWithFiles(R"({"whole":true,"counts":[0,0,0,0,0,0,0,0,-1]})"));
    const auto named = [&run](const std::string& hex) {
        return run + fileMessage(R"({"fate":0,"size":0,"name":")" + hex + "\"}");
    };
    row("a file without a name", named(""));
    row("half a byte", named("6"));
    row("a name that isn't hexadecimal", named("zz"));
    row("NUL in a name", named("610061"));
    row("an absolute name", named("2f65"));
    row("a name that leads out", named("2e2e2f61"));
    row("a name that leads out from within", named("612f2e2e"));
    row("a name of 513 bytes", named(std::string(1026, '6')));
    row("an unknown fate", run + fileMessage(R"({"name":"61","fate":9,"size":0})"));
    row("exit without totals", kHello + kStarted + control(R"({"op":"exit","exit_code":0})"));
    row("negative peak",
        kHello + kStarted +
            control(R"({"op":"exit","exit_code":0,"memory_peak_bytes":-1,)" + kTotals + "}"));
}

void TestRunnerProtocol::refusesWhatTheProtocolDoesNotAllow()
{
    QFETCH(QByteArray, bytes);
    RunnerDecoder decoder;

    const auto events =
        decoder.feed(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));

    QVERIFY(!events.has_value());
    QCOMPARE(events.error().code(), Errc::ProtocolViolation);
    QVERIFY2(!decoder.feed(kHello).has_value(), "stays broken");
}

void TestRunnerProtocol::collectsTheFilesOfARun()
{
    RunnerDecoder decoder;

    const auto events = decoder.feed(
        kHello + kStarted + fileMessage(R"({"name":"612fff","fate":0,"size":5})") +
        fileBytes("he", false) + output("between") + fileBytes("llo") +
        fileMessage(R"({"name":"6c","fate":4,"size":0})") +
        exitWithFiles(R"({"whole":false,"counts":[1,0,0,0,1,0,7,0,0]})")
    );

    QVERIFY2(events.has_value(), events ? "" : events.error().message().c_str());
    QCOMPARE(events->size(), std::size_t(4)); // files come with the exit
    const execution::RunFiles& files = std::get<Exit>(events->at(3)).files;
    QCOMPARE(files.files.size(), std::size_t(2));
    QCOMPARE(files.files[0].name, std::string("a/\xff"));
    QCOMPARE(*files.files[0].bytes, std::string("hello"));
    QVERIFY(files.files[0].kind == execution::FileKind::Text);
    QCOMPARE(files.files[0].sha256.substr(0, 8), std::string("2cf24dba"));
    QVERIFY(files.files[1].fate == execution::FileFate::Link);
    QCOMPARE(files.leftOut(), std::uint64_t(8));
    QCOMPARE(files.whole, false);
}

void TestRunnerProtocol::callsAFileThatEndsEarlyUnreadable()
{
    RunnerDecoder decoder;

    const auto events = decoder.feed(
        kHello + kStarted + fileMessage(R"({"name":"61","fate":0,"size":5})") + fileBytes("he") +
        exitWithFiles(R"({"whole":true,"counts":[1,0,0,0,0,0,0,0,0]})")
    );

    QVERIFY(events.has_value());
    const execution::RunFiles& files = std::get<Exit>(events->at(2)).files;
    QVERIFY(files.files[0].fate == execution::FileFate::Unreadable);
    QVERIFY(files.files[0].bytes == nullptr);
    QCOMPARE(files.kept(), std::uint64_t(0));
    QCOMPARE(files.leftOut(), std::uint64_t(1));
}

void TestRunnerProtocol::refusesMoreFilesThanWereAskedFor()
{
    execution::FileBudget budget;
    budget.files = 2;
    budget.bytesEach = 4;
    budget.bytesTogether = 6;
    const auto refuses = [&budget](const std::string& frames) {
        RunnerDecoder decoder;
        decoder.setBudget({}, budget);
        const auto events = decoder.feed(kHello + kStarted + frames);
        return !events && events.error().code() == Errc::ProtocolViolation;
    };
    const std::string four = fileMessage(R"({"name":"61","fate":0,"size":4})") + fileBytes("abcd");
    const std::string none = fileMessage(R"({"name":"62","fate":0,"size":0})") + fileBytes("");
    std::string left;
    for (std::uint64_t index = 0; index < execution::kMostNamedLeftOut; ++index)
        left += fileMessage(R"({"name":"61","fate":1,"size":4})");

    QVERIFY(!refuses(four + none + left));
    QVERIFY(refuses(four + none + none));
    QVERIFY(refuses(fileMessage(R"({"name":"61","fate":0,"size":5})")));
    QVERIFY(refuses(four + fileMessage(R"({"name":"61","fate":0,"size":3})")));
    QVERIFY(refuses(left + fileMessage(R"({"name":"61","fate":1,"size":4})")));
}

void TestRunnerProtocol::refusesMoreOutputThanMayBeKept()
{
    RunnerDecoder decoder;
    decoder.setBudget({6, 4});
    QVERIFY(decoder.feed(kHello + kStarted + output("0123456789")).has_value());
    QVERIFY(!decoder.feed(output("x")).has_value());
}

void TestRunnerProtocol::showsTheOffendingBytesAsHexAndNoMoreThan256()
{
    RunnerDecoder decoder;
    const auto events = decoder.feed(kHello + kStarted + kExit + output(std::string(1000, '\xAB')));
    QVERIFY(!events.has_value());
    const std::string& message = events.error().message();
    QVERIFY(message.find("abab") != std::string::npos);
    QVERIFY(message.size() < 700);
}

void TestRunnerProtocol::boundsTheFaultMessage()
{
    RunnerDecoder decoder;
    const auto events = decoder.feed(
        kHello + control(R"({"op":"fault","message":")" + std::string(9000, 'x') + "\"}")
    );
    QVERIFY(events.has_value());
    QCOMPARE(std::get<Fault>(events->at(1)).message.size(), std::size_t(1024));
}

void TestRunnerProtocol::encodesCodeOfAnySizeInFramesThatTheRunnerAccepts_data()
{
    QTest::addColumn<int>("size");
    QTest::newRow("nothing") << 0;
    QTest::newRow("one byte") << 1;
    QTest::newRow("exactly one frame") << 256 * 1024;
    QTest::newRow("one byte more") << 256 * 1024 + 1;
    QTest::newRow("two megabytes") << 2'000'000;
}

void TestRunnerProtocol::encodesCodeOfAnySizeInFramesThatTheRunnerAccepts()
{
    QFETCH(int, size);
    const std::string code(static_cast<std::size_t>(size), 'c');
    std::string bytes = encodeData(Channel::Code, code);
    std::string joined;
    int ends = 0;
    while (!bytes.empty()) {
        const FrameHeader header =
            runner::decodeHeader(reinterpret_cast<const std::uint8_t*>(bytes.data()));
        QVERIFY(header.type == FrameType::Data && header.channel == Channel::Code);
        QVERIFY(header.length <= runner::kMaxPayloadBytes);
        ends += hasFlag(header, FrameFlag::End) ? 1 : 0;
        joined += bytes.substr(runner::kHeaderBytes, header.length);
        bytes.erase(0, runner::kHeaderBytes + header.length);
        QCOMPARE(hasFlag(header, FrameFlag::End), bytes.empty());
    }
    QCOMPARE(ends, 1);
    QVERIFY(joined == code);
}

// R-9: each of these alone has to be found.
void TestRunnerProtocol::findsEveryWeaknessOfASandbox_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("not PID 1") << "\"pid\":1"
                               << "\"pid\":7";
    QTest::newRow("root") << "\"uid\":65532"
                          << "\"uid\":0";
    QTest::newRow("root's group") << "\"gid\":65532"
                                  << "\"gid\":0";
    QTest::newRow("another group") << "\"groups\":[65532]"
                                   << "\"groups\":[65532,999]";
    QTest::newRow("a capability") << "[\"0000000000000000\""
                                  << "[\"0000000000000400\"";
    QTest::newRow("no capabilities told") << "\"caps\""
                                          << "\"other\"";
    QTest::newRow("new privileges") << "\"no_new_privs\":1"
                                    << "\"no_new_privs\":0";
    QTest::newRow("no filter") << "\"seccomp\":2"
                               << "\"seccomp\":0";
    QTest::newRow("workspace read-only") << "\"workspace_writable\":true"
                                         << "\"workspace_writable\":false";
    QTest::newRow("tmp read-only") << "\"tmp_writable\":true"
                                   << "\"tmp_writable\":false";
}

void TestRunnerProtocol::findsEveryWeaknessOfASandbox()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    RunnerDecoder decoder;
    const auto events = decoder.feed(helloWith(from.toStdString(), to.toStdString()));
    QVERIFY2(events.has_value(), events ? "" : events.error().message().c_str());
    QCOMPARE(weaknesses(std::get<Hello>(events->front()), 65532, 65532).size(), std::size_t(1));
}

void TestRunnerProtocol::findsNoWeaknessWhereThereIsNone()
{
    RunnerDecoder decoder;
    const auto events = decoder.feed(kHello);
    QVERIFY(events.has_value());
    QVERIFY(weaknesses(std::get<Hello>(events->front()), 65532, 65532).empty());
}

QTEST_GUILESS_MAIN(TestRunnerProtocol)
#include "tst_runner_protocol.moc"
