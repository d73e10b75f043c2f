// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#undef emit

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/json.h"
#include "engine/mcp/bridge.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/line_framer.h"
#include "engine/mcp/session.h"

#include <boost/asio/redirect_error.hpp>

#include <deque>
#include <memory>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::mcp;

namespace {

/// A session with two tools: echo answers at once, slow when the test lets it.
class Peer {
public:
    Peer()
        : gate(context.get_executor(), asio::steady_timer::time_point::max())
    {
        tools.add(makeTool(
            "echo",
            [](std::shared_ptr<Call> call, Json arguments) -> asio::awaitable<ToolResult> {
                call->progress("half way");
                co_return ToolResult{"text", std::move(arguments), false};
            }
        ));
        tools.add(makeTool(
            "slow",
            [this](std::shared_ptr<Call> call, Json) -> asio::awaitable<ToolResult> {
                call->onCancel([this] { cancelled = true; });
                boost::system::error_code woken;
                co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, woken));
                co_return ToolResult{"late", Json::object(), false};
            }
        ));
        Session::Events events;
        events.send = [this](const std::string& line) { sent.push_back(line); };
        events.changed = [this](const execution::Client& client) { introduced = client; };
        session = std::make_shared<Session>(
            context.get_executor(), tools, execution::Client(), std::move(events)
        );
    }

    static Tool makeTool(
        const char* name,
        std::function<asio::awaitable<ToolResult>(std::shared_ptr<Call>, Json)> handler
    )
    {
        Tool tool;
        tool.name = name;
        tool.title = name;
        tool.description = "does";
        tool.inputSchema["type"] = "object";
        tool.outputSchema["type"] = "object";
        tool.annotations["readOnlyHint"] = true;
        tool.handler = std::move(handler);
        return tool;
    }

    void say(const std::string& line)
    {
        session->receive(line);
        context.restart();
        context.poll();
    }
    void initialize(const std::string& revision)
    {
        say(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
            revision + R"(","capabilities":{},"clientInfo":{"name":"tester","version":"7"}}})");
    }
    Json take()
    {
        if (sent.empty())
            return "nothing was sent";
        const std::string line = sent.front();
        sent.pop_front();
        return *parseJson(line);
    }

    asio::io_context context;
    asio::steady_timer gate;
    ToolRegistry tools;
    std::shared_ptr<Session> session;
    std::deque<std::string> sent;
    execution::Client introduced;
    bool cancelled = false;
};

QString text(const Json& json)
{
    return QString::fromStdString(json.dump());
}

} // namespace
#endif

class TestMcpSession : public QObject {
    Q_OBJECT

private slots:
    void agreesOnARevision_data();
    void agreesOnARevision();
    void refusesWhatComesBeforeTheHandshake();
    void answersWithTheVeryIdOfTheRequest_data();
    void answersWithTheVeryIdOfTheRequest();
    void answersWhatIsNoMessage_data();
    void answersWhatIsNoMessage();
    void runsCallsBesideEachOther();
    void aCancelledCallIsNotAnswered();
    void aClientThatLeavesCancelsItsCalls();
    void tellsProgressOnlyToWhoAsks();
    void listsToolsAsTheRevisionKnowsThem();
    void answersABatchAtOnce();
    void theBridgeMayIntroduceItselfOnceAndFirst();
    void framesLines();
    void readsLimitsOfTheEnvironment_data();
    void readsLimitsOfTheEnvironment();
};

void TestMcpSession::agreesOnARevision_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("given");
    for (const char* revision : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
        QTest::newRow(revision) << revision << revision;
    QTest::newRow("unknown") << "1999-01-01"
                             << "2025-11-25";
    QTest::newRow("modern, which is never agreed on by initialize") << "2026-07-28"
                                                                    << "2025-11-25";
}
void TestMcpSession::agreesOnARevision()
{
    QFETCH(QString, asked);
    QFETCH(QString, given);
    Peer peer;
    peer.initialize(asked.toStdString());
    const Json answer = peer.take();
    QCOMPARE(text(answer["result"]["protocolVersion"]), QStringLiteral("\"%1\"").arg(given));
    QCOMPARE(text(answer["id"]), QStringLiteral("0"));
    QVERIFY(answer["result"]["capabilities"].contains("tools"));
    QVERIFY(!answer["result"].contains("resultType"));
    QCOMPARE(QString::fromStdString(peer.introduced.name), QStringLiteral("tester"));
}

void TestMcpSession::refusesWhatComesBeforeTheHandshake()
{
    Peer peer;
    peer.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    QCOMPARE(peer.take()["error"]["code"].get<int>(), kInvalidRequest);
    peer.say(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
    QCOMPARE(text(peer.take()["result"]), QStringLiteral("{}"));
    // A dual-era client asks this first and falls back on any error.
    peer.say(R"({"jsonrpc":"2.0","id":3,"method":"server/discover","params":{"_meta":{}}})");
    QCOMPARE(peer.take()["error"]["code"].get<int>(), kMethodNotFound);
}

void TestMcpSession::answersWithTheVeryIdOfTheRequest_data()
{
    QTest::addColumn<QString>("id");
    for (const char* id :
         {"0",
          "7",
          "\"7\"",
          "-1",
          "9223372036854775807",
          "18446744073709551615",
          "\"server-discover-probe-1\"",
          "\"\""})
        QTest::newRow(id) << id;
}
void TestMcpSession::answersWithTheVeryIdOfTheRequest()
{
    QFETCH(QString, id);
    Peer peer;
    peer.say(R"({"jsonrpc":"2.0","id":)" + id.toStdString() + R"(,"method":"ping"})");
    QCOMPARE(text(peer.take()["id"]), id);
}

void TestMcpSession::answersWhatIsNoMessage_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("code"); // 0: no answer
    QTest::newRow("no JSON") << QByteArray("hello") << kParseError;
    QTest::newRow("half a message") << QByteArray("{\"jsonrpc\":\"2.0\",") << kParseError;
    QTest::newRow("invalid UTF-8")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}") << kParseError;
    QTest::newRow("a lone surrogate")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}") << kParseError;
    QTest::newRow("a key twice"
    ) << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}")
      << kParseError;
    QTest::newRow("200 levels") << QByteArray(200, '[') + QByteArray(200, ']') << kParseError;
    QTest::newRow("a number") << QByteArray("5") << kInvalidRequest;
    QTest::newRow("a batch where there is none") << QByteArray("[]") << kInvalidRequest;
    QTest::newRow("wrong version")
        << QByteArray("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}") << kInvalidRequest;
    QTest::newRow("null id") << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}")
                             << kInvalidRequest;
    QTest::newRow("id with a fraction")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}") << kInvalidRequest;
    QTest::newRow("params as list")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}")
        << kInvalidRequest;
    QTest::newRow("unknown method")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\"}")
        << kMethodNotFound;
    QTest::newRow("unknown tool") << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
                                                "call\",\"params\":{\"name\":\"x\"}}")
                                  << kInvalidParams;
    QTest::newRow("arguments as text")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
                      "call\",\"params\":{\"name\":\"echo\",\"arguments\":\"\"}}")
        << kInvalidParams;
    QTest::newRow("unknown cursor") << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":"
                                                  "\"tools/list\",\"params\":{\"cursor\":\"x\"}}")
                                    << kInvalidParams;
    QTest::newRow("a response nobody waits for")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}") << 0;
    QTest::newRow("unknown notification")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}") << 0;
    QTest::newRow("cancel of nothing")
        << QByteArray("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                      "cancelled\",\"params\":{\"requestId\":99}}")
        << 0;
}
void TestMcpSession::answersWhatIsNoMessage()
{
    QFETCH(QByteArray, line);
    QFETCH(int, code);
    Peer peer;
    peer.initialize("2025-11-25");
    peer.take();
    peer.say(line.toStdString());
    if (code == 0) {
        QVERIFY(peer.sent.empty());
    } else {
        const Json answer = peer.take();
        QCOMPARE(answer["error"]["code"].get<int>(), code);
        QVERIFY(!answer.contains("id") || !answer["id"].is_null());
    }
    peer.say(R"({"jsonrpc":"2.0","id":"after","method":"ping"})");
    QCOMPARE(text(peer.take()["result"]), QStringLiteral("{}"));
}

void TestMcpSession::runsCallsBesideEachOther()
{
    Peer peer;
    peer.initialize("2025-11-25");
    peer.take();
    peer.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}})");
    peer.say(
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"a":1}}})"
    );
    const Json quick = peer.take();
    QCOMPARE(text(quick["id"]), QStringLiteral("2"));
    QCOMPARE(text(quick["result"]["structuredContent"]), QStringLiteral("{\"a\":1}"));
    peer.gate.cancel();
    peer.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    QCOMPARE(text(peer.take()["id"]), QStringLiteral("1"));
}

void TestMcpSession::aCancelledCallIsNotAnswered()
{
    Peer peer;
    peer.initialize("2025-11-25");
    peer.take();
    peer.say(R"({"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"slow"}})");
    peer.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}})");
    QVERIFY(peer.cancelled);
    peer.gate.cancel();
    peer.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}})");
    QVERIFY(peer.sent.empty());
}

void TestMcpSession::aClientThatLeavesCancelsItsCalls()
{
    Peer peer;
    peer.initialize("2025-11-25");
    peer.take();
    peer.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}})");
    peer.session->close();
    QVERIFY(peer.cancelled);
    peer.gate.cancel();
    peer.context.restart();
    peer.context.poll();
    QVERIFY(peer.sent.empty());
}

void TestMcpSession::tellsProgressOnlyToWhoAsks()
{
    for (const char* revision : {"2025-11-25", "2024-11-05"}) {
        Peer peer;
        peer.initialize(revision);
        peer.take();
        peer.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})");
        QCOMPARE(text(peer.take()["id"]), QStringLiteral("1"));
        peer.say(
            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":"t"}}})"
        );
        const Json progress = peer.take();
        QCOMPARE(text(progress["method"]), QStringLiteral("\"notifications/progress\""));
        QCOMPARE(text(progress["params"]["progressToken"]), QStringLiteral("\"t\""));
        QCOMPARE(progress["params"].contains("message"), std::string(revision) != "2024-11-05");
        QCOMPARE(text(peer.take()["id"]), QStringLiteral("2"));
        QVERIFY(peer.sent.empty());
    }
}

void TestMcpSession::listsToolsAsTheRevisionKnowsThem()
{
    const auto listed = [](const char* revision) {
        Peer peer;
        peer.initialize(revision);
        peer.take();
        peer.say(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
        return peer.take()["result"]["tools"];
    };
    const Json newest = listed("2025-11-25");
    QCOMPARE(newest.size(), std::size_t(2));
    QCOMPARE(text(newest[0]["name"]), QStringLiteral("\"echo\""));
    QVERIFY(
        newest[0].contains("title") && newest[0].contains("outputSchema") &&
        newest[0].contains("annotations")
    );
    const Json oldest = listed("2024-11-05");
    QVERIFY(
        !oldest[0].contains("title") && !oldest[0].contains("outputSchema") &&
        !oldest[0].contains("annotations")
    );
}

void TestMcpSession::answersABatchAtOnce()
{
    Peer peer;
    peer.initialize("2025-03-26");
    peer.take();
    peer.say(
        R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},)"
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}},7])"
    );
    const Json answers = peer.take();
    QVERIFY(answers.is_array());
    QCOMPARE(answers.size(), std::size_t(3));
    QVERIFY(peer.sent.empty());
}

void TestMcpSession::theBridgeMayIntroduceItselfOnceAndFirst()
{
    const std::string introduction =
        R"({"jsonrpc":"2.0","method":"notifications/belljar/bridge","params":{"parent_pid":42,"parent_executable":"/x"}})";
    Peer first;
    first.say(introduction);
    first.initialize("2025-11-25");
    QCOMPARE(first.introduced.pid, std::int64_t(42));
    QCOMPARE(QString::fromStdString(first.introduced.executable), QStringLiteral("/x"));
    Peer late;
    late.initialize("2025-11-25");
    late.say(introduction);
    QCOMPARE(late.session->client().pid, std::int64_t(0));
}

void TestMcpSession::framesLines()
{
    LineFramer framer(10);
    const auto lines = framer.feed("one\r\n\n\ntwo\n");
    QCOMPARE(lines.size(), std::size_t(2));
    QCOMPARE(QString::fromStdString(lines[0].text), QStringLiteral("one"));
    QVERIFY(framer.feed("half").empty());
    QCOMPARE(
        QString::fromStdString(framer.feed(" line\n").front().text), QStringLiteral("half line")
    );
    // Too long: told once, skipped to its end, and the next one is whole.
    QVERIFY(framer.feed("0123456789a").front().tooLong);
    QVERIFY(framer.feed("bcdef").empty());
    const auto after = framer.feed("g\nnext\n");
    QCOMPARE(after.size(), std::size_t(1));
    QCOMPARE(QString::fromStdString(after.front().text), QStringLiteral("next"));
}

void TestMcpSession::readsLimitsOfTheEnvironment_data()
{
    QTest::addColumn<QString>("timeout");
    QTest::addColumn<QString>("memory");
    QTest::addColumn<qint64>("ms"); // -1: refused
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("usual") << "10"
                           << "512m" << qint64(10'000) << qint64(512) * 1024 * 1024;
    QTest::newRow("fraction, binary unit") << "2.5"
                                           << "1GiB" << qint64(2500) << (qint64(1) << 30);
    QTest::newRow("blanks, plain bytes") << " 7 "
                                         << "33554432" << qint64(7000) << qint64(33'554'432);
    QTest::newRow("words") << "ten"
                           << "lots" << qint64(-1) << qint64(-1);
    QTest::newRow("nothing left") << "0"
                                  << "0" << qint64(-1) << qint64(-1);
    QTest::newRow("negative") << "-5"
                              << "-1g" << qint64(-1) << qint64(-1);
    QTest::newRow("too little, other unit") << "1e3x"
                                            << "4m" << qint64(-1) << qint64(-1);
    QTest::newRow("not a number") << "nan"
                                  << "infm" << qint64(-1) << qint64(-1);
}
void TestMcpSession::readsLimitsOfTheEnvironment()
{
    QFETCH(QString, timeout);
    QFETCH(QString, memory);
    QFETCH(qint64, ms);
    QFETCH(qint64, bytes);
    const auto seconds = parseSeconds(timeout.toStdString());
    QCOMPARE(seconds ? qint64(seconds->count()) : qint64(-1), ms);
    const auto amount = parseMemory(memory.toStdString());
    QCOMPARE(amount ? qint64(*amount) : qint64(-1), bytes);
}

QTEST_GUILESS_MAIN(TestMcpSession)
#include "tst_mcp_session.moc"
