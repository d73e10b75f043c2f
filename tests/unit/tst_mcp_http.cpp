// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/mcp/transport/event_log.h"
#include "engine/mcp/transport/streamable_http.h"
#include "tests/support/run_to_end.h"

#include <boost/asio/redirect_error.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::mcp;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

/// What a client would get.
class Got : public http::Exchange {
public:
    void answer(http::Response given) override
    {
        response = std::move(given);
        done = true;
    }
    void beginStream(std::vector<http::Field> fields) override
    {
        isStream = true;
        response.fields = std::move(fields);
    }
    void write(std::string_view piece) override { events += piece; }
    void end() override { done = true; }
    void onGone(std::function<void()> action) override { m_gone = std::move(action); }
    [[nodiscard]] bool isOpen() const override { return !done && !left; }

    void leave()
    {
        left = true;
        if (const auto action = std::exchange(m_gone, {}))
            action();
    }
    [[nodiscard]] std::string field(const std::string& name) const
    {
        for (const http::Field& one : response.fields) {
            if (http::sameName(one.name, name))
                return one.value;
        }
        return {};
    }
    [[nodiscard]] bool says(const std::string& text) const
    {
        return (response.body + events).find(text) != std::string::npos;
    }

    http::Response response;
    std::string events;
    bool isStream = false;
    bool done = false;
    bool left = false;

private:
    std::function<void()> m_gone;
};

const std::string kInitialize =
    R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":")";

/// The transport with a tool `hold`, which tells progress and waits until release() or
/// cancellation.
struct Setup {
    asio::io_context context;
    Offer offer{context.get_executor()};
    asio::steady_timer gate{context, asio::steady_timer::time_point::max()};
    bool released = false;
    int holding = 0;
    int cancels = 0;
    std::vector<execution::Client> connected;
    std::vector<ClientId> disconnected;
    std::unique_ptr<StreamableHttp> http;

    explicit Setup(StreamableHttp::Limits limits = {})
    {
        Tool tool;
        tool.name = "hold";
        tool.inputSchema["type"] = "object";
        tool.handler = [this](std::shared_ptr<Call> call, Json) { return hold(std::move(call)); };
        offer.add(std::move(tool));
        Tool now;
        now.name = "now";
        now.inputSchema = Json::parse(R"({"type":"object","properties":{)"
                                      R"("region":{"type":"string","x-mcp-header":"Region"},)"
                                      R"("level":{"type":"integer","x-mcp-header":"Level"}}})");
        now.handler = [](std::shared_ptr<Call>, Json) -> asio::awaitable<ToolReply> {
            co_return ToolResult("done", nullptr, false);
        };
        offer.add(std::move(now));
        ClientEvents events;
        events.connected = [this](const auto& client) { connected.push_back(client); };
        events.changed = [](const auto&) {};
        events.disconnected = [this](const ClientId& id) { disconnected.push_back(id); };
        http = std::make_unique<StreamableHttp>(
            context.get_executor(), offer, std::move(events), limits
        );
    }
    ~Setup()
    {
        release();
        auto end = [](StreamableHttp* closing) -> asio::awaitable<Result<bool>> {
            co_await closing->close();
            co_return true;
        };
        static_cast<void>(runToEnd(context, end(http.get())));
    }

    asio::awaitable<ToolReply> hold(std::shared_ptr<Call> call)
    {
        ++holding;
        call->onCancel([this] {
            ++cancels;
            gate.cancel();
        });
        call->progress("holding");
        while (!released && !call->cancelled()) {
            boost::system::error_code woken;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        co_return ToolResult{"held", Json::object(), false};
    }
    void release()
    {
        released = true;
        gate.cancel();
        run();
    }
    void run()
    {
        context.restart();
        context.poll();
    }
    bool until(const std::function<bool()>& condition)
    {
        const auto limit = deadlineIn(kLongestWait);
        context.restart();
        while (!condition() && SteadyClock::now() < limit)
            context.run_one_for(10ms);
        return condition();
    }

    std::shared_ptr<Got>
    ask(const std::string& method,
        const std::string& path,
        std::vector<http::Field> fields,
        std::string body = {})
    {
        http::Request request;
        request.method = method;
        const std::size_t mark = path.find('?');
        request.path = path.substr(0, mark);
        request.query = mark == std::string::npos ? "" : path.substr(mark + 1);
        request.fields = std::move(fields);
        request.body = std::move(body);
        auto got = std::make_shared<Got>();
        http->handle(got, std::move(request));
        run();
        return got;
    }
    std::shared_ptr<Got>
    post(const std::string& session, std::string body, std::vector<http::Field> more = {})
    {
        more.push_back({"Content-Type", "application/json"});
        more.push_back({"Accept", "application/json, text/event-stream"});
        if (!session.empty())
            more.push_back({"Mcp-Session-Id", session});
        return ask("POST", "/mcp", std::move(more), std::move(body));
    }
    std::shared_ptr<Got> get(const std::string& session, const std::string& last = {})
    {
        std::vector<http::Field> fields{
            {"Accept", "text/event-stream"}, {"Mcp-Session-Id", session}};
        if (!last.empty())
            fields.push_back({"Last-Event-ID", last});
        return ask("GET", "/mcp", std::move(fields));
    }
    /// What a request of the modern era carries besides its body; `name` of a tool, or nothing.
    static std::vector<http::Field> modernFields(const std::string& method, const std::string& name)
    {
        std::vector<http::Field> fields{
            {"Content-Type", "application/json"},
            {"Accept", "application/json, text/event-stream"},
            {"MCP-Protocol-Version", "2026-07-28"},
            {"mcp-method", " " + method + " "}};
        if (!name.empty())
            fields.push_back({"MCP-NAME", name});
        if (name == "now")
            fields.push_back({"Mcp-Param-Region", "eu"});
        return fields;
    }
    static std::string modern(
        const std::string& method,
        const std::string& name,
        const std::string& meta = {},
        const std::string& params = {}
    )
    {
        const std::string named =
            name.empty() ? "" : R"("arguments":{"region":"eu"},"name":")" + name + R"(",)";
        return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + params +
               named +
               R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{})" +
               meta + "}}}";
    }
    std::string begin(const std::string& revision = "2025-11-25")
    {
        return post("", initialize(revision))->field("Mcp-Session-Id");
    }
    static std::string initialize(const std::string& revision)
    {
        return kInitialize + revision + R"(","capabilities":{"elicitation":{}},"clientInfo":)" +
               R"({"name":"t","version":"1"}}})";
    }
};

std::string call(const std::string& id, const std::string& meta = R"({"progressToken":"p"})")
{
    return R"({"jsonrpc":"2.0","id":)" + id +
           R"(,"method":"tools/call","params":{"name":"hold","arguments":{},"_meta":)" + meta +
           "}}";
}
const std::string kPing = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
const std::string kNotice = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

} // namespace
#endif

class TestMcpHttp : public QObject {
    Q_OBJECT

private slots:
    void beginsASession()
    {
        Setup setup;

        const auto got = setup.post("", Setup::initialize("2025-06-18"));

        QCOMPARE(got->response.status, 200);
        QCOMPARE(got->response.contentType, std::string("application/json"));
        QVERIFY(got->says(R"("protocolVersion":"2025-06-18")"));
        QCOMPARE(got->field("Mcp-Session-Id").size(), std::size_t(48));
        QCOMPARE(setup.connected.size(), std::size_t(1));
        QCOMPARE(setup.connected.front().transport, std::string("http"));
        QCOMPARE(setup.http->clients().size(), std::size_t(1));
    }

    void makesNoSessionOfAHandshakeThatFails()
    {
        Setup setup;

        const auto got =
            setup.post("", R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})");

        QVERIFY(got->says("-32602"));
        QCOMPARE(got->field("Mcp-Session-Id"), std::string());
        QVERIFY(setup.http->clients().empty());
    }

    void answersByTheRules_data()
    {
        QTest::addColumn<QString>("name"); // of the field that is set, besides the usual ones
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");

        const QString ping = QString::fromStdString(kPing);
        QTest::newRow("request") << ""
                                 << "" << ping << 200 << R"("result":{})";
        QTest::newRow("notification") << ""
                                      << "" << QString::fromStdString(kNotice) << 202 << "";
        QTest::newRow("answer to nothing")
            << ""
            << ""
            << R"({"jsonrpc":"2.0","id":"x","result":{}})" << 202 << "";
        QTest::newRow("unknown method")
            << ""
            << ""
            << R"({"jsonrpc":"2.0","id":1,"method":"no/such"})" << 200 << "-32601";
        QTest::newRow("no JSON") << ""
                                 << ""
                                 << "{" << 400 << "-32700";
        QTest::newRow("no message") << ""
                                    << ""
                                    << "{}" << 400 << "-32600";
        QTest::newRow("empty") << ""
                               << ""
                               << "" << 400 << "-32700";
        QTest::newRow("deep") << ""
                              << "" << QString(10000, '[') << 400 << "-32700";
        QTest::newRow("batch, which this revision hasn't") << ""
                                                           << ""
                                                           << "[" + ping + "]" << 400 << "-32600";
        QTest::newRow("second handshake")
            << ""
            << "" << QString::fromStdString(Setup::initialize("2025-11-25")) << 400 << "-32600";
        QTest::newRow("bridge, which says who is there")
            << ""
            << ""
            << QString(R"({"jsonrpc":"2.0","method":"%1","params":{"pid":1}})")
                   .arg(QString::fromStdString(std::string(kBridgeMethod)))
            << 400 << "-32601";
        QTest::newRow("revision that it speaks") << "MCP-Protocol-Version"
                                                 << "2025-06-18" << ping << 200 << "result";
        QTest::newRow("revision that nobody speaks") << "MCP-Protocol-Version"
                                                     << "1999-01-01" << ping << 400 << "-32600";
        QTest::newRow("unknown session") << "Mcp-Session-Id"
                                         << "other" << ping << 404 << "ended";
        QTest::newRow("no session") << "Mcp-Session-Id"
                                    << "" << ping << 400 << "required";
        QTest::newRow("form") << "Content-Type"
                              << "text/plain" << ping << 415 << "";
        QTest::newRow("takes no stream") << "Accept"
                                         << "application/json" << ping << 406 << "";
    }
    void answersByTheRules()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, body);
        QFETCH(int, status);
        QFETCH(QString, says);
        Setup setup;
        std::vector<http::Field> fields{
            {"Content-Type", "application/json"},
            {"Accept", "application/json, text/event-stream"},
            {"Mcp-Session-Id", setup.begin()}};
        std::erase_if(fields, [&](const auto& one) { return one.name == name.toStdString(); });
        if (!value.isEmpty())
            fields.push_back({name.toStdString(), value.toStdString()});

        const auto got = setup.ask("POST", "/mcp", fields, body.toStdString());

        QVERIFY(got->done);
        QCOMPARE(got->response.status, status);
        QVERIFY2(got->says(says.toStdString()), got->response.body.c_str());
        QCOMPARE(setup.connected.size(), std::size_t(1));
    }

    void theModernEraByItsRules_data();
    void theModernEraByItsRules();
    void choosesTheEraByBodyAndField();
    void leavingCancelsInTheModernEraAlone();
    void becomesAStreamWithoutIdsOnceSomethingComesBefore();
    void saysWhatChangesOnASubscriptionUntilTheEnd();

    void takesBatchesOfTheRevisionThatHasThem()
    {
        Setup setup;
        const std::string session = setup.begin("2025-03-26");

        const auto got = setup.post(
            session, "[" + kPing + R"(,{"jsonrpc":"2.0","id":2,"method":"ping"},)" + kNotice + "]"
        );

        QVERIFY(got->done && !got->isStream);
        const Json answers = Json::parse(got->response.body);
        QCOMPARE(answers.size(), std::size_t(2));
        QCOMPARE(setup.post(session, "[" + kNotice + "]")->response.status, 202);
        QCOMPARE(setup.post(session, "[" + kPing + "," + kPing + "]")->response.status, 400);
        QCOMPARE(setup.post(session, "[" + kPing + ",1]")->response.status, 400);
    }

    void putsEachCallsProgressAndAnswerOnItsOwnStream()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto first = setup.post(session, call("1", R"({"progressToken":"one"})"));
        const auto second = setup.post(session, call("\"1\"", R"({"progressToken":2})"));
        const auto ping = setup.post(session, R"({"jsonrpc":"2.0","id":3,"method":"ping"})");

        QVERIFY(ping->done && !ping->isStream);
        QVERIFY(first->isStream && second->isStream);
        QVERIFY(first->says(R"("progressToken":"one")") && !first->says(R"("progressToken":2)"));
        QVERIFY(second->says(R"("progressToken":2)") && !second->says("one"));
        setup.release();
        QVERIFY(first->done && first->says(R"("id":1,)") && !first->says(R"("id":"1")"));
        QVERIFY(second->done && second->says(R"("id":"1",)"));
    }

    void refusesAnIdThatIsInFlight()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto first = setup.post(session, call("1"));

        const auto second = setup.post(session, call("1"));

        QCOMPARE(second->response.status, 400);
        QCOMPARE(setup.holding, 1);
        setup.release();
        QVERIFY(first->says("held"));
    }

    void becomesAStreamWhenTheAnswerTakesItsTime()
    {
        StreamableHttp::Limits limits;
        limits.plain = 20ms;
        Setup setup(limits);
        const auto got = setup.post(setup.begin(), call("1", "{}"));
        QVERIFY(!got->isStream);

        QVERIFY(setup.until([&] { return got->isStream; }));

        QVERIFY2(got->events.starts_with("id: 2-0\ndata:\n\n"), got->events.c_str());
        setup.release();
        QVERIFY(got->done && got->says("held"));
    }

    void primesOnlyClientsThatKnowOfIt()
    {
        Setup setup;
        const auto got = setup.post(setup.begin("2025-06-18"), call("1"));

        QVERIFY2(got->events.starts_with(": "), got->events.c_str());
        QVERIFY(!got->says("data:\n"));
    }

    void goesOnWhenTheStreamIsLostAndSaysItAgain()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto lost = setup.post(session, call("1"));
        QVERIFY(lost->says("id: 2-1\n"));
        lost->leave();
        setup.run();
        QCOMPARE(setup.cancels, 0);

        const auto again = setup.get(session, "2-0");
        QVERIFY(again->isStream && again->says("id: 2-1\n") && !again->done);
        setup.release();

        QVERIFY(again->done && again->says("held"));
        const auto afterwards = setup.get(session, "2-1");
        QVERIFY(afterwards->done && afterwards->says("held") && !afterwards->says("holding"));
    }

    void saysNothingOfOtherSessions()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto first = setup.post(session, call("1"));

        const auto other = setup.get(setup.begin(), "2-0");

        QVERIFY(!other->says("holding"));
        QVERIFY(!first->done);
    }

    void cancelsByNotificationAndEndsItsStream()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto got = setup.post(session, call("1"));

        const auto cancelled = setup.post(
            session,
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
        );

        QCOMPARE(cancelled->response.status, 202);
        QCOMPARE(setup.cancels, 1);
        QVERIFY(got->done && !got->says("\"result\""));
    }

    void hasOneStreamOfItsOwn()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto first = setup.get(session);
        QVERIFY(first->isStream && !first->done);

        QCOMPARE(setup.get(session)->response.status, 409);
        first->leave();
        QVERIFY(setup.get(session)->isStream);
    }

    void endsASession()
    {
        Setup setup;
        const std::string session = setup.begin();
        const auto stream = setup.get(session);
        const auto running = setup.post(session, call("1"));

        const auto got = setup.ask("DELETE", "/mcp", {{"Mcp-Session-Id", session}});

        QCOMPARE(got->response.status, 204);
        QVERIFY(stream->done && running->done);
        QCOMPARE(setup.cancels, 1);
        QCOMPARE(setup.disconnected.size(), std::size_t(1));
        QCOMPARE(setup.post(session, kPing)->response.status, 404);
        QCOMPARE(setup.get(session)->response.status, 404);
    }

    void endsSessionsThatNobodyUses()
    {
        StreamableHttp::Limits limits;
        limits.idle = 40ms;
        Setup setup(limits);
        const std::string used = setup.begin();
        const auto stream = setup.get(used);
        setup.begin();

        QVERIFY(setup.until([&] { return setup.disconnected.size() == 1; }));

        QCOMPARE(setup.post(used, kPing)->response.status, 200);
    }

    void makesRoomByTheSessionThatIsIdleLongest()
    {
        StreamableHttp::Limits limits;
        limits.sessions = 2;
        Setup setup(limits);
        const std::string busy = setup.begin();
        const auto call1 = setup.post(busy, call("1"));
        const std::string idle = setup.begin();
        setup.until([next = deadlineIn(2ms)] { return SteadyClock::now() > next; });

        const std::string third = setup.begin();
        QVERIFY(!third.empty());
        QCOMPARE(setup.post(idle, kPing)->response.status, 404);
        QVERIFY(!call1->done);
        const auto call2 = setup.post(third, call("1"));
        QCOMPARE(setup.post("", Setup::initialize("2025-11-25"))->response.status, 503);
    }

    void speaksTheFormOfTwoEndpoints()
    {
        Setup setup;
        const auto sse = setup.ask("GET", "/sse", {});
        const std::size_t at = sse->events.find("data: /messages?session=");
        QVERIFY(at != std::string::npos);
        const std::string path = sse->events.substr(at + 6, sse->events.find('\n', at) - at - 6);
        const auto say = [&](const std::string& body) {
            return setup.ask("POST", path, {{"Content-Type", "application/json"}}, body);
        };

        QCOMPARE(say(Setup::initialize("2024-11-05"))->response.status, 202);
        QVERIFY(sse->says(R"("protocolVersion":"2024-11-05")"));
        QVERIFY(!sse->says("id: "));
        QCOMPARE(say(call("1"))->response.status, 202);
        QVERIFY(sse->says("\"progressToken\":\"p\""));
        QCOMPARE(say("{")->response.status, 400);
        // Its id is none for the other endpoint.
        QCOMPARE(setup.post(path.substr(path.find('=') + 1), kPing)->response.status, 404);
        sse->leave();
        setup.run();

        QCOMPARE(setup.cancels, 1);
        QCOMPARE(say(kPing)->response.status, 404);
        QCOMPARE(setup.disconnected.size(), std::size_t(1));
    }

    void keepsABoundedLog()
    {
        EventLog log(100, 3);
        for (std::uint64_t number = 1; number <= 5; ++number)
            log.add({7, number}, "<" + std::to_string(number) + ">");

        QCOMPARE(log.since({7, 0}), std::string("<3><4><5>"));
        QCOMPARE(log.since({7, 4}), std::string("<5>"));
        QCOMPARE(log.since({8, 0}), std::string());
        log.add({7, 6}, std::string(1000, 'x'));
        QCOMPARE(log.since({7, 0}).size(), std::size_t(1000));
    }

    void readsEventIds()
    {
        const EventId id{12, 34};
        QCOMPARE(*EventId::parse(id.text()), id);
        for (const char* text :
             {"", "-", "1", "1-", "-1", "1-2-3", "a-1", "1-99999999999999999999"})
            QVERIFY2(!EventId::parse(text), text);
    }
};

#ifndef Q_MOC_RUN
void TestMcpHttp::theModernEraByItsRules_data()
{
    QTest::addColumn<QString>("field"); // that is set besides the usual ones
    QTest::addColumn<QString>("value"); // empty: it is left out
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("name"); // of the tool; empty: params are none
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* label,
                        const char* field,
                        const char* value,
                        const char* method,
                        const char* name,
                        int status,
                        const char* says) {
        QTest::newRow(label) << field << value << method << name << status << says;
    };
    const char* const list = "tools/list";
    row("a list", "", "", list, "", 200, "\"resultType\":\"complete\"");
    row("a removed method", "Mcp-Method", "ping", "ping", "", 404, "-32601");
    row("no method field", "Mcp-Method", "", list, "", 400, "-32020");
    row("another method field", "Mcp-Method", "tools/call", list, "", 400, "-32020");
    row("the method in capitals", "Mcp-Method", "TOOLS/LIST", list, "", 400, "-32020");
    row("no version field", "MCP-Protocol-Version", "", list, "", 400, "-32020");
    row("another version field", "MCP-Protocol-Version", "2025-11-25", list, "", 400, "-32020");
    row("a session is ignored", "Mcp-Session-Id", "none", list, "", 200, "resultType");
    row("any Accept will do", "Accept", "application/json", list, "", 200, "resultType");
    row("no name field", "Mcp-Name", "", "tools/call", "now", 400, "-32020");
    row("another name field", "Mcp-Name", "hold", "tools/call", "now", 400, "-32020");
    row("the name encoded", "Mcp-Name", "=?base64?bm93?=", "tools/call", "now", 200, "done");
    row("badly padded", "Mcp-Name", "=?base64?bm9=?=", "tools/call", "now", 400, "-32020");
    row("half encoded", "Mcp-Name", "=?base64?bm93", "tools/call", "now", 400, "-32020");
    row("an unknown tool", "Mcp-Name", "none", "tools/call", "none", 200, "-32602");
    row("a mirrored argument is missing", "Mcp-Param-Region", "", "tools/call", "now", 400, "-32020"
    );
    row("a mirrored argument differs", "Mcp-Param-Region", "us", "tools/call", "now", 400, "-32020"
    );
    row("one that the body lacks", "Mcp-Param-Level", "3", "tools/call", "now", 400, "-32020");
}

void TestMcpHttp::theModernEraByItsRules()
{
    QFETCH(QString, field);
    QFETCH(QString, value);
    QFETCH(QString, method);
    QFETCH(QString, name);
    QFETCH(int, status);
    QFETCH(QString, says);
    Setup setup;
    auto fields = Setup::modernFields(method.toStdString(), name.toStdString());
    std::erase_if(fields, [&](const auto& one) {
        return http::sameName(one.name, field.toStdString());
    });
    if (!value.isEmpty())
        fields.push_back({field.toStdString(), value.toStdString()});

    const auto got =
        setup.ask("POST", "/mcp", fields, Setup::modern(method.toStdString(), name.toStdString()));

    QVERIFY(got->done);
    QCOMPARE(got->response.status, status);
    QVERIFY2(got->says(says.toStdString()), got->response.body.c_str());
    QVERIFY(got->says("\"id\":7"));
    QCOMPARE(got->field("Mcp-Session-Id"), std::string());
}

void TestMcpHttp::choosesTheEraByBodyAndField()
{
    Setup setup;
    const std::string bare = R"({"jsonrpc":"2.0","id":7,"method":"server/discover","params":{}})";
    const auto fields = Setup::modernFields("server/discover", {});

    const auto unclaimed = setup.ask("POST", "/mcp", fields, bare);
    QCOMPARE(unclaimed->response.status, 400);
    QVERIFY(unclaimed->says("-32602"));
    const auto legacy = setup.post("", bare);
    QCOMPARE(legacy->response.status, 400);
    QVERIFY(legacy->says("-32600"));
    const auto batch = setup.post("", "[" + Setup::modern("tools/list", {}) + "]");
    QCOMPARE(batch->response.status, 400);
    QVERIFY(batch->says("-32600"));
    const auto handshake =
        setup.post("", Setup::initialize("2025-11-25"), {{"MCP-Protocol-Version", "2026-07-28"}});
    QCOMPARE(handshake->response.status, 400);
    QVERIFY(handshake->says("-32020"));
    const auto removed = setup.ask(
        "POST", "/mcp", Setup::modernFields("initialize", {}), Setup::modern("initialize", {})
    );
    QCOMPARE(removed->response.status, 404);
    const auto told = setup.ask(
        "POST",
        "/mcp",
        fields,
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})"
    );
    QCOMPARE(told->response.status, 202);
}

void TestMcpHttp::leavingCancelsInTheModernEraAlone()
{
    Setup setup;
    const std::string session = setup.begin();
    const auto legacy = setup.post(session, call("1"));
    const auto modern = setup.ask(
        "POST",
        "/mcp",
        Setup::modernFields("tools/call", "hold"),
        Setup::modern("tools/call", "hold")
    );
    QCOMPARE(setup.holding, 2);
    legacy->leave();
    setup.run();
    QCOMPARE(setup.cancels, 0);
    modern->leave();
    setup.run();
    QCOMPARE(setup.cancels, 1);
}

void TestMcpHttp::becomesAStreamWithoutIdsOnceSomethingComesBefore()
{
    Setup setup;
    const auto got = setup.ask(
        "POST",
        "/mcp",
        Setup::modernFields("tools/call", "hold"),
        Setup::modern("tools/call", "hold", R"(,"progressToken":"p")")
    );
    QVERIFY(got->isStream);
    QVERIFY(got->says("\"progressToken\":\"p\""));
    setup.release();
    QVERIFY(setup.until([&] { return got->done; }));
    QVERIFY(got->says("held"));
    QVERIFY(!got->says("id: ") && !got->says("retry:"));
}

void TestMcpHttp::saysWhatChangesOnASubscriptionUntilTheEnd()
{
    auto setup = std::make_unique<Setup>();
    const auto got = setup->ask(
        "POST",
        "/mcp",
        Setup::modernFields("subscriptions/listen", {}),
        Setup::modern(
            "subscriptions/listen", {}, {}, R"("notifications":{"toolsListChanged":true},)"
        )
    );
    QVERIFY(got->isStream);
    QVERIFY(got->says("notifications/subscriptions/acknowledged"));
    setup->offer.changed({Change::Of::Tools, {}});
    QVERIFY(got->says("notifications/tools/list_changed"));
    setup.reset();
    QVERIFY(got->done);
    QVERIFY(got->says(R"("resultType":"complete")"));
}
#endif

QTEST_GUILESS_MAIN(TestMcpHttp)
#include "tst_mcp_http.moc"
