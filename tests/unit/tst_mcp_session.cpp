// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/mcp/pipe.h"

#include <boost/asio/redirect_error.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::mcp;

namespace {

/// A conversation with four tools: `echo` answers at once, `hold` when it is cancelled or released,
/// `tell` sends three progress messages first, `throw` is a bug.
struct Talk {
    asio::io_context context;
    Offer offer{context.get_executor()};
    asio::steady_timer gate{context, asio::steady_timer::time_point::max()};
    bool released = false;
    int begun = 0;
    int cancels = 0;
    std::vector<std::string> lines;
    std::vector<execution::Client> changes;
    std::shared_ptr<Call> lastCall;
    std::vector<ClientId> left;
    std::shared_ptr<Pipe> pipe;

    explicit Talk(const char* revision = "2025-11-25")
    {
        const auto add = [this](const char* name, auto handle) {
            Tool tool;
            tool.name = name;
            tool.title = "A title";
            tool.describe = [] { return std::string("What it does"); };
            tool.inputSchema["type"] = "object";
            tool.outputSchema["type"] = "object";
            tool.annotations["readOnlyHint"] = true;
            tool.handler = [this, handle](std::shared_ptr<Call> call, Json arguments) {
                return (this->*handle)(std::move(call), std::move(arguments));
            };
            offer.add(std::move(tool));
        };
        offer.instructions = [] { return std::string("How to use it"); };
        add("hold", &Talk::hold);
        add("echo", &Talk::echo);
        add("tell", &Talk::tell);
        add("throw", &Talk::failing);
        execution::Client client;
        client.id = ClientId::make();
        ClientEvents events;
        events.connected = [this](const execution::Client& changed) { changes.push_back(changed); };
        events.disconnected = [this](const ClientId& id) { left.push_back(id); };
        pipe = Pipe::make(
            context.get_executor(),
            offer,
            std::move(client),
            [this](std::string line) { lines.push_back(std::move(line)); },
            std::move(events)
        );
        if (revision) {
            say(initialize(revision));
            lines.clear();
        }
    }
    ~Talk()
    {
        release();
        run();
    }
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;

    static std::string initialize(const std::string& revision)
    {
        return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
               revision + R"(","capabilities":{},"clientInfo":{"name":"n","version":"1"}}})";
    }
    static std::string call(const std::string& id, const std::string& tool, const char* more = "")
    {
        return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" +
               tool + "\"" + more + "}}";
    }
    static std::string cancel(const std::string& id)
    {
        return R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
               id + "}}";
    }

    /// Runs what can run now.
    void run()
    {
        context.restart();
        context.poll();
    }
    void say(const std::string& line)
    {
        pipe->receive(line);
        run();
    }
    void release()
    {
        released = true;
        gate.cancel();
    }
    Json last() const { return lines.empty() ? Json() : Json::parse(lines.back()); }
    /// What one request is answered with.
    Json ask(const std::string& line)
    {
        lines.clear();
        say(line);
        return lines.size() == 1 ? last() : Json();
    }

private:
    asio::awaitable<ToolReply> hold(std::shared_ptr<Call> call, Json arguments)
    {
        ++begun;
        lastCall = call;
        call->onCancel([this] { ++cancels; });
        while (!released) {
            boost::system::error_code woken;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        co_return ToolResult{"held", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> echo(std::shared_ptr<Call> call, Json arguments)
    {
        lastCall = std::move(call);
        co_return ToolResult{"echo", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> tell(std::shared_ptr<Call> call, Json arguments)
    {
        lastCall = call;
        for (const char* text : {"one", "two", "three"})
            call->progress(text);
        co_return ToolResult{"told", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> failing(std::shared_ptr<Call> /*call*/, Json /*arguments*/)
    {
        throw std::runtime_error("a bug");
        co_return ToolResult{};
    }
};

int codeOf(const Json& message)
{
    return message.contains("error") ? message["error"]["code"].get<int>() : 0;
}

const char* const kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";

} // namespace
#endif

class TestMcpSession : public QObject {
    Q_OBJECT

private slots:
    void agreesOnARevision_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("agreed");
        for (const char* known : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
            QTest::newRow(known) << known << known;
        QTest::newRow("modern") << "2026-07-28"
                                << "2025-11-25";
        QTest::newRow("nonsense") << "tomorrow"
                                  << "2025-11-25";
    }
    void agreesOnARevision()
    {
        QFETCH(QString, asked);
        QFETCH(QString, agreed);
        Talk talk(nullptr);
        const Json answer = talk.ask(Talk::initialize(asked.toStdString()));

        QCOMPARE(
            QString::fromStdString(answer["result"]["protocolVersion"].get<std::string>()), agreed
        );
        QVERIFY(answer["result"]["capabilities"].contains("tools"));
        QVERIFY(answer["result"]["instructions"].get<std::string>().size() <= 2048);
        QCOMPARE(talk.changes.size(), std::size_t(1));
        QCOMPARE(talk.changes[0].name, std::string("n"));
        QCOMPARE(QString::fromStdString(talk.changes[0].protocolRevision), agreed);
    }

    void refusesAHandshakeWithoutARevision()
    {
        Talk talk(nullptr);
        const Json answer = talk.ask(R"({"jsonrpc":"2.0","id":0,"method":"initialize"})");

        QCOMPARE(codeOf(answer), kInvalidParams);
        QVERIFY(talk.changes.empty());
    }

    void answersPingBeforeTheHandshakeAndCallsOnlyAfterIt()
    {
        Talk talk(nullptr);
        QVERIFY(talk.ask(kPing)["result"] == Json::object());
        QVERIFY(codeOf(talk.ask(Talk::call("1", "echo"))) != 0);
        talk.say(Talk::initialize("2025-11-25"));

        // Without notifications/initialized: clients exist that never send it.
        QVERIFY(talk.ask(Talk::call("1", "echo")).contains("result"));
    }

    void listsToolsInTheOrderOfTheirAddingByTheRevision_data()
    {
        QTest::addColumn<bool>("annotations");
        QTest::addColumn<bool>("title");
        QTest::addColumn<bool>("outputSchema");
        QTest::newRow("2025-11-25") << true << true << true;
        QTest::newRow("2025-06-18") << true << true << true;
        QTest::newRow("2025-03-26") << true << false << false;
        QTest::newRow("2024-11-05") << false << false << false;
    }
    void listsToolsInTheOrderOfTheirAddingByTheRevision()
    {
        QFETCH(bool, annotations);
        QFETCH(bool, title);
        QFETCH(bool, outputSchema);
        Talk talk(QTest::currentDataTag());
        const Json tools =
            talk.ask(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})")["result"]["tools"];

        QCOMPARE(tools.size(), std::size_t(4));
        QCOMPARE(tools[0]["name"].get<std::string>(), std::string("hold"));
        QCOMPARE(tools[3]["name"].get<std::string>(), std::string("throw"));
        QCOMPARE(tools[0].contains("annotations"), annotations);
        QCOMPARE(tools[0].contains("title"), title);
        QCOMPARE(tools[0].contains("outputSchema"), outputSchema);
    }

    void answersWithTheRightError_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, const std::string& line, int code) {
            QTest::newRow(name) << QByteArray::fromStdString(line) << code;
        };
        const std::string start = R"({"jsonrpc":"2.0","id":1,"method":)";
        row("unknown method", start + R"("no/such"})", kMethodNotFound);
        row("modern method", start + R"("server/discover"})", kInvalidParams);
        row("unknown tool", Talk::call("1", "no_such_tool"), kInvalidParams);
        row("no tool named", start + R"("tools/call"})", kInvalidParams);
        row("tool is a number", start + R"("tools/call","params":{"name":5}})", kInvalidParams);
        row("arguments are a list", Talk::call("1", "echo", R"(,"arguments":[])"), kInvalidParams);
        row("cursor", start + R"("tools/list","params":{"cursor":""}})", kInvalidParams);
        row("not json", "{", kParseError);
        row("batch", std::string("[") + kPing + "]", kInvalidRequest);
        row("a tool's bug", Talk::call("1", "throw"), kInternalError);
    }
    void answersWithTheRightError()
    {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        Talk talk;

        QCOMPARE(codeOf(talk.ask(line.toStdString())), code);
        QVERIFY(talk.ask(kPing).contains("result"));
    }

    void takesMissingOrNullArgumentsForNone()
    {
        Talk talk;

        QVERIFY(talk.ask(Talk::call("1", "echo"))["result"]["structuredContent"] == Json::object());
        QVERIFY(
            talk.ask(Talk::call("1", "echo", R"(,"arguments":null)")
            )["result"]["structuredContent"] == Json::object()
        );
    }

    void goesOnWhileACallIsHeld()
    {
        Talk talk;
        talk.say(Talk::call("\"slow\"", "hold"));
        const Json quick = talk.ask(Talk::call("2", "echo"));
        talk.lines.clear();
        talk.release();
        talk.run();

        QVERIFY(quick["id"] == 2);
        QCOMPARE(talk.lines.size(), std::size_t(1));
        QVERIFY(talk.last()["id"] == "slow");
    }

    void endsACancelledCallWithoutAnAnswer()
    {
        Talk talk;
        talk.say(Talk::call("5", "hold"));
        talk.say(Talk::cancel("\"5\"")); // another id
        QCOMPARE(talk.cancels, 0);
        talk.say(Talk::cancel("5"));
        talk.say(Talk::cancel("5"));
        talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})");
        QCOMPARE(talk.cancels, 1);
        talk.release();
        talk.run();

        QVERIFY(talk.lines.empty());
        QVERIFY(talk.ask(Talk::call("5", "echo")).contains("result"));
    }

    void startsNothingThatWasCancelledInTheSameRead()
    {
        Talk talk;
        talk.pipe->receive(Talk::call("5", "hold"));
        talk.pipe->receive(Talk::cancel("5"));
        talk.pipe->receive(Talk::call("6", "hold"));
        talk.pipe->close();
        talk.run();

        QCOMPARE(talk.begun, 0);
        QVERIFY(talk.lines.empty());
    }

    void cancelsAllCallsOfAClientThatLeaves()
    {
        Talk talk;
        talk.say(Talk::call("1", "hold"));
        talk.say(Talk::call("2", "hold"));
        talk.pipe->close();
        QCOMPARE(talk.cancels, 2);
        talk.release();
        talk.run();

        QVERIFY(talk.lines.empty());
    }

    void refusesASecondCallWithAnIdInFlightAndMoreThan64()
    {
        Talk talk;
        for (int id = 1; id <= 64; ++id)
            talk.say(Talk::call(std::to_string(id), "hold"));
        QVERIFY(talk.lines.empty());

        QCOMPARE(codeOf(talk.ask(Talk::call("64", "hold"))), kInvalidRequest);
        QCOMPARE(codeOf(talk.ask(Talk::call("65", "echo"))), kInvalidRequest);
        QCOMPARE(talk.begun, 64);
        talk.lines.clear();
        talk.release();
        talk.run();
        QCOMPARE(talk.lines.size(), std::size_t(64));
    }

    void tellsProgressOnlyToWhoAsksAndNeverAfterTheAnswer()
    {
        Talk talk;
        talk.say(Talk::call("1", "tell"));
        QCOMPARE(talk.lines.size(), std::size_t(1));
        talk.lines.clear();
        talk.say(Talk::call("2", "tell", R"(,"_meta":{"progressToken":"t"})"));
        talk.lastCall->progress("late");

        QCOMPARE(talk.lines.size(), std::size_t(4));
        for (int at = 0; at < 3; ++at) {
            const Json params = Json::parse(talk.lines[static_cast<std::size_t>(at)])["params"];
            QVERIFY(params["progressToken"] == "t");
            QCOMPARE(params["progress"].get<int>(), at + 1);
            QVERIFY(params.contains("message"));
        }
        QVERIFY(talk.last().contains("result"));
    }

    void leavesTheMessageOutWhereTheRevisionHasNone()
    {
        Talk talk("2024-11-05");
        talk.say(Talk::call("2", "tell", R"(,"_meta":{"progressToken":7})"));
        const Json first = Json::parse(talk.lines.front())["params"];

        QVERIFY(first["progressToken"] == 7);
        QVERIFY(!first.contains("message"));
    }

    void answersABatchTogether()
    {
        Talk talk("2025-03-26");
        const std::string hold = Talk::call("1", "hold");
        talk.say("[" + hold + "," + kPing + R"(,7,{"jsonrpc":"2.0","method":"x"}])");
        QVERIFY(talk.lines.empty());
        talk.release();
        talk.run();

        QCOMPARE(talk.lines.size(), std::size_t(1));
        QCOMPARE(talk.last().size(), std::size_t(3));
    }

    void answersTheRestOfABatchWhenOneOfItIsCancelled()
    {
        Talk talk("2025-03-26");
        talk.say("[" + Talk::call("8", "hold") + "," + kPing + "]");
        talk.say(Talk::cancel("8"));
        talk.release();
        talk.run();

        QCOMPARE(talk.lines.size(), std::size_t(1));
        QCOMPARE(talk.last().size(), std::size_t(1));
        QVERIFY(talk.last()[0]["id"] == 1);
    }

    void answersNoBatchOfNotifications()
    {
        Talk talk("2025-03-26");
        talk.say(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");

        QVERIFY(talk.lines.empty());
    }

    void listensToTheBridgeOnlyInTheFirstLine()
    {
        const std::string bridge =
            R"({"jsonrpc":"2.0","method":"notifications/belljar/bridge","params":{"protocol":1,)"
            R"("pid":1,"parent_pid":42,"parent_executable":"/bin/x","sandbox_timeout":"5"}})";
        Talk first(nullptr);
        first.say(bridge);
        first.say(Talk::initialize("2025-11-25"));
        first.say(Talk::call("1", "echo"));
        Talk later;
        later.say(bridge);
        later.say(Talk::call("1", "echo"));
        Talk afterFlood(nullptr);
        afterFlood.pipe->receiveTooLong(16);
        afterFlood.say(bridge);

        QVERIFY(first.lines.size() == 2);
        QCOMPARE(first.changes[0].pid, 42);
        QCOMPARE(first.changes[0].executable, std::string("/bin/x"));
        QVERIFY(first.lastCall->bridge.timeout == std::chrono::seconds(5));
        QCOMPARE(later.changes[0].pid, 0);
        QVERIFY(!later.lastCall->bridge.timeout);
        afterFlood.say(Talk::initialize("2025-11-25"));
        QCOMPARE(afterFlood.changes[0].pid, 0);
    }

    void survivesALineThatWasTooLong()
    {
        Talk talk;
        talk.pipe->receiveTooLong(16);

        QCOMPARE(codeOf(talk.last()), kInvalidRequest);
        QVERIFY(!talk.last().contains("id"));
        QVERIFY(talk.ask(kPing).contains("result"));
    }
};

QTEST_GUILESS_MAIN(TestMcpSession)
#include "tst_mcp_session.moc"
