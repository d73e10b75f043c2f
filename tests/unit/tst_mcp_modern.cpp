// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/base64.h"
#include "engine/mcp/pipe.h"
#include "engine/mcp/request_state.h"
#include "engine/mcp/tasks.h"

#include <boost/asio/redirect_error.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::mcp;

namespace {

const std::string kNothing = "{}";
const std::string kForms = R"({"elicitation":{}})";
const std::string kTasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";

/// Both eras on one line. Tools: `echo`; `hold` until it is cancelled or released; `tell` with
/// progress and log lines; `ask` for a name; `work` as a task that asks; `must` be a task.
struct Talk {
    asio::io_context context;
    Offer offer{context.get_executor()};
    asio::steady_timer gate{context, asio::steady_timer::time_point::max()};
    bool released = false;
    int cancels = 0;
    std::vector<std::string> lines;
    std::vector<execution::Client> came;
    std::vector<ClientId> left;
    std::shared_ptr<Pipe> pipe;

    Talk()
    {
        offer.logs = true;
        add("echo", &Talk::echo);
        add("hold", &Talk::hold);
        add("tell", &Talk::tell);
        add("ask", &Talk::ask);
        add("work", &Talk::work, TaskSupport::Optional);
        add("must", &Talk::work, TaskSupport::Required);
        for (int number = 0; number < 60; ++number) {
            Resource resource;
            resource.uri = "test://" + std::to_string(number);
            resource.name = resource.uri;
            resource.read = [uri = resource.uri](std::shared_ptr<Call>) -> asio::awaitable<Reply> {
                co_return Json::array({textContents(uri, "text/plain", "content")});
            };
            offer.add(std::move(resource));
        }
        execution::Client client;
        client.id = ClientId::make();
        ClientEvents events;
        events.connected = [this](const execution::Client& one) { came.push_back(one); };
        events.disconnected = [this](const ClientId& id) { left.push_back(id); };
        pipe = Pipe::make(
            context.get_executor(),
            offer,
            std::move(client),
            [this](std::string line) { lines.push_back(std::move(line)); },
            std::move(events)
        );
    }
    ~Talk()
    {
        pipe->close();
        released = true;
        gate.cancel();
        asio::co_spawn(context, offer.tasks().close(), [](const std::exception_ptr&) {});
        run();
    }
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;

    using Handler = asio::awaitable<ToolReply> (Talk::*)(std::shared_ptr<Call>, Json);
    void add(const char* name, Handler handler, TaskSupport support = TaskSupport::Forbidden)
    {
        Tool tool;
        tool.name = name;
        tool.inputSchema["type"] = "object";
        tool.taskSupport = support;
        tool.handler = [this, handler](std::shared_ptr<Call> call, Json arguments) {
            return (this->*handler)(std::move(call), std::move(arguments));
        };
        offer.add(std::move(tool));
    }

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
    Json last() const { return lines.empty() ? Json() : Json::parse(lines.back()); }

    /// A request with its envelope; `params` are members to go before `_meta`.
    static std::string request(
        const std::string& method,
        const std::string& params = {},
        const std::string& capabilities = kNothing,
        const std::string& meta = {},
        const std::string& id = "7"
    )
    {
        return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":{)" +
               params + (params.empty() ? "" : ",") +
               R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"},)"
               R"("io.modelcontextprotocol/clientCapabilities":)" +
               capabilities + meta + "}}}";
    }
    /// The answer to a request, which has to come at once and alone.
    Json ask(const std::string& line)
    {
        lines.clear();
        say(line);
        return lines.size() == 1 ? last() : Json();
    }
    Json call(
        const std::string& tool,
        const std::string& more = {},
        const std::string& capabilities = kNothing
    )
    {
        return ask(request(
            "tools/call",
            R"("name":")" + tool + "\"" + (more.empty() ? "" : "," + more),
            capabilities
        ));
    }

private:
    asio::awaitable<ToolReply> echo(std::shared_ptr<Call>, Json arguments)
    {
        co_return ToolResult("echo", std::move(arguments), false);
    }
    asio::awaitable<ToolReply> hold(std::shared_ptr<Call> call, Json)
    {
        call->onCancel([this] {
            ++cancels;
            gate.cancel();
        });
        while (!released && !call->cancelled()) {
            boost::system::error_code woken;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        co_return ToolResult("held", nullptr, false);
    }
    asio::awaitable<ToolReply> tell(std::shared_ptr<Call> call, Json)
    {
        call->progress("one");
        call->log(LogLevel::Warning, "logged");
        co_return ToolResult("told", nullptr, false);
    }
    asio::awaitable<ToolReply> ask(std::shared_ptr<Call> call, Json)
    {
        const Json answer = call->responses.value("who", Json());
        if (answer.is_object() && call->state == "asked")
            co_return ToolResult("hello " + answer["content"].value("name", ""), nullptr, false);
        InputRequired question;
        question.requests["who"] =
            elicitation("Who?", Json::parse(R"({"type":"object","properties":{}})"));
        question.state = "asked";
        co_return question;
    }
    asio::awaitable<ToolReply> work(std::shared_ptr<Call> call, Json)
    {
        if (call->taskForm != TaskForm::Extension)
            co_return ToolResult("at once", nullptr, false);
        GoesOn goesOn;
        goesOn.work = [](std::shared_ptr<Call> of) -> asio::awaitable<ToolReply> {
            if (of->responses.contains("who"))
                co_return ToolResult("done", nullptr, true);
            InputRequired question;
            question.requests["who"] =
                elicitation("Who?", Json::parse(R"({"type":"object","properties":{}})"));
            co_return question;
        };
        co_return goesOn;
    }
};

int codeOf(const Json& message)
{
    return message.contains("error") ? message["error"]["code"].get<int>() : 0;
}

const std::string kForm =
    R"("inputResponses":{"who":{"action":"accept","content":{"name":"you"}}})";

} // namespace
#endif

/// The modern era and what keeps the two apart: mostly the pitfalls of SPEC.md section 7, by their
/// numbers there. What only HTTP has is in tst_mcp_http.
class TestMcpModern : public QObject {
    Q_OBJECT

private slots:
    void everyResultSaysItsTypeAndWhoAnswers_data();
    void everyResultSaysItsTypeAndWhoAnswers();
    void refusesBrokenEnvelopes_data();
    void refusesBrokenEnvelopes();
    void discoverLeavesNoTrace();
    void bothErasShareOneLine();
    void acknowledgesAndTagsSubscriptions();
    void tellsProgressAndLogOnlyWhoAsks();
    void asksByItsAnswerAndGoesOnWithTheState();
    void goesOnAsATaskThatAsks();
    void runsAtOnceForWhoKnowsNoTasks();
    void cancelsByNotificationAndSendsNoAnswer();
    void aSlowCallHoldsNothingUp();   // 20
    void listsInPagesAndInOneOrder(); // 18
    void theOlderEraMakesATaskOfAnyCallThatMayBeOne();
    void decodesStrictly_data(); // 11
    void decodesStrictly();
};

#ifndef Q_MOC_RUN
void TestMcpModern::everyResultSaysItsTypeAndWhoAnswers_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("params");
    QTest::addColumn<bool>("cacheable");
    const auto row = [](const char* method, const char* params, bool cacheable) {
        QTest::newRow(method) << method << params << cacheable;
    };
    row("server/discover", "", true); // 1 and 2
    row("tools/list", "", true);
    row("resources/list", "", true);
    row("resources/templates/list", "", true);
    row("resources/read", R"("uri":"test://1")", true);
    row("tools/call", R"("name":"echo")", false);
}

void TestMcpModern::everyResultSaysItsTypeAndWhoAnswers()
{
    QFETCH(QString, method);
    QFETCH(QString, params);
    QFETCH(bool, cacheable);
    Talk talk;
    const Json result =
        talk.ask(Talk::request(method.toStdString(), params.toStdString()))["result"];

    QVERIFY(result["resultType"] == "complete");
    QVERIFY(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "belljar");
    QCOMPARE(result.contains("ttlMs"), cacheable);
    QCOMPARE(result.contains("cacheScope"), cacheable);
    if (cacheable)
        QVERIFY(result["ttlMs"].is_number_integer()); // 17
}

void TestMcpModern::refusesBrokenEnvelopes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, const std::string& line, int code) {
        QTest::newRow(name) << QString::fromStdString(line) << code;
    };
    const std::string start = R"({"jsonrpc":"2.0","id":1,"method":)";
    const std::string claim = R"("io.modelcontextprotocol/protocolVersion")";
    row("discover without _meta", start + R"("server/discover"})", kInvalidParams); // 4
    row("no capabilities",
        start + R"("tools/list","params":{"_meta":{)" + claim + R"(:"2026-07-28"}}})",
        kInvalidParams);
    row("version is a number",
        start + R"("tools/list","params":{"_meta":{)" + claim + ":5}}}",
        kInvalidParams);
    row("unknown log level",
        Talk::request("tools/list", {}, kNothing, R"(,"io.modelcontextprotocol/logLevel":"loud")"),
        kInvalidParams);
    std::string other = Talk::request("tools/list");
    other.replace(other.find("2026-07-28"), 10, "2025-11-25");
    row("a legacy claim", other, kUnsupportedVersion);
    row("initialize", Talk::request("initialize"), kMethodNotFound); // 5
    row("ping", Talk::request("ping"), kMethodNotFound);
    row("setLevel", Talk::request("logging/setLevel"), kMethodNotFound);
    row("nothing of this name", Talk::request("no/such"), kMethodNotFound);
    row("batch", "[" + Talk::request("tools/list") + "]", kInvalidRequest);
    row("unknown resource",
        Talk::request("resources/read", R"("uri":"test://none")"),
        kInvalidParams);
    row("unknown tool", Talk::request("tools/call", R"("name":"none")"), kInvalidParams);
    row("no form can be shown", Talk::request("tools/call", R"("name":"ask")"), kMissingCapability);
    row("tasks without the extension",
        Talk::request("tasks/get", R"("taskId":"none")"),
        kMissingCapability);
    row("no such task", Talk::request("tasks/get", R"("taskId":"none")", kTasks), kInvalidParams);
    row("tasks of the other era",
        Talk::request("tasks/result", R"("taskId":"none")", kTasks),
        kMethodNotFound);
    row("must be a task", Talk::request("tools/call", R"("name":"must")"), kMissingCapability);
    row("answers are a number",
        Talk::request("tools/call", R"("name":"ask","inputResponses":5)", kForms),
        kInvalidParams);
    row("state of somebody else",
        Talk::request("tools/call", R"("name":"ask","requestState":"v1.e30.AAAA")", kForms),
        kInvalidParams);
    row("filter is a list",
        Talk::request("subscriptions/listen", R"("notifications":[])"),
        kInvalidParams);
    row("foreign cursor", Talk::request("tools/list", R"("cursor":"")"), kInvalidParams);
}

void TestMcpModern::refusesBrokenEnvelopes()
{
    QFETCH(QString, line);
    QFETCH(int, code);
    Talk talk;
    const Json answer = talk.ask(line.toStdString());

    QCOMPARE(codeOf(answer), code);
    if (code == kMissingCapability)
        QVERIFY(answer["error"]["data"]["requiredCapabilities"].is_object()); // 6
    if (code == kUnsupportedVersion) {
        QVERIFY(answer["error"]["data"]["supported"] == Json::array({"2026-07-28"}));
        QVERIFY(answer["error"]["data"]["requested"] == "2025-11-25");
    }
}

void TestMcpModern::discoverLeavesNoTrace()
{
    Talk talk;
    QVERIFY(talk.ask(Talk::request("server/discover")).contains("result"));
    QVERIFY(talk.came.empty());
    talk.say(Talk::request("tools/list"));
    talk.say(Talk::request("tools/list"));
    QCOMPARE(talk.came.size(), std::size_t(1));
    QCOMPARE(talk.came[0].name, std::string("n"));
    QCOMPARE(talk.came[0].protocolRevision, std::string("2026-07-28"));
    talk.pipe->close();
    QCOMPARE(talk.left.size(), std::size_t(1));
}

void TestMcpModern::bothErasShareOneLine()
{
    Talk talk;
    talk.say(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
             R"("2025-11-25","capabilities":{},"clientInfo":{"name":"old","version":"1"}}})");
    const Json legacy =
        talk.ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}})"
        )["result"];
    const Json modern = talk.call("echo")["result"];

    QVERIFY(!legacy.contains("resultType") && !legacy.contains("_meta"));
    QVERIFY(modern["resultType"] == "complete");
    QCOMPARE(talk.came.size(), std::size_t(2));
    // 8: what changes is told to the legacy client alone, for the other didn't ask.
    talk.lines.clear();
    talk.offer.changed({Change::Of::Tools, {}});
    QCOMPARE(talk.lines.size(), std::size_t(1));
}

void TestMcpModern::acknowledgesAndTagsSubscriptions()
{
    Talk talk;
    const Json acknowledged = talk.ask(Talk::request(
        "subscriptions/listen",
        R"("notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
        R"("resourceSubscriptions":["test://1"]})",
        kNothing,
        {},
        "42"
    ));
    const char* const tag = "io.modelcontextprotocol/subscriptionId";

    QVERIFY(acknowledged["method"] == "notifications/subscriptions/acknowledged");
    QVERIFY(acknowledged["params"]["_meta"][tag] == 42); // 7: a number stays one
    const Json& honoured = acknowledged["params"]["notifications"];
    QVERIFY(honoured["toolsListChanged"] == true);
    QVERIFY(!honoured.contains("promptsListChanged")); // there are no prompts
    talk.lines.clear();
    talk.offer.changed({Change::Of::Tools, {}});
    talk.offer.changed({Change::Of::Resources, {}});
    talk.offer.changed({Change::Of::OneResource, "test://1"});
    talk.offer.changed({Change::Of::OneResource, "test://2"});
    QCOMPARE(talk.lines.size(), std::size_t(2));
    QVERIFY(talk.last()["params"]["uri"] == "test://1");
    QVERIFY(talk.last()["params"]["_meta"][tag] == 42);
    talk.lines.clear();
    talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":42}})");
    talk.offer.changed({Change::Of::Tools, {}});
    QVERIFY(talk.lines.empty());
}

void TestMcpModern::tellsProgressAndLogOnlyWhoAsks()
{
    Talk talk;
    talk.say(Talk::request("tools/call", R"("name":"tell")"));
    QCOMPARE(talk.lines.size(), std::size_t(1)); // 16
    talk.lines.clear();
    talk.say(Talk::request(
        "tools/call",
        R"("name":"tell")",
        kNothing,
        R"(,"progressToken":9007199254740993,"io.modelcontextprotocol/logLevel":"warning")"
    ));
    QCOMPARE(talk.lines.size(), std::size_t(3));
    // 17: whole numbers stay what they are
    QVERIFY(talk.lines[0].find("\"progressToken\":9007199254740993") != std::string::npos);
    QVERIFY(Json::parse(talk.lines[1])["params"]["data"] == "logged");
    talk.lines.clear();
    talk.say(Talk::request(
        "tools/call", R"("name":"tell")", kNothing, R"(,"io.modelcontextprotocol/logLevel":"error")"
    ));
    QCOMPARE(talk.lines.size(), std::size_t(1));
}

void TestMcpModern::asksByItsAnswerAndGoesOnWithTheState()
{
    Talk talk;
    const Json asked = talk.call("ask", {}, kForms)["result"];
    QVERIFY(asked["resultType"] == "input_required");
    QVERIFY(asked["inputRequests"]["who"]["method"] == "elicitation/create");
    QVERIFY(!asked.contains("ttlMs") && !asked.contains("content"));
    const std::string state = asked["requestState"];

    const Json done =
        talk.call("ask", kForm + R"(,"requestState":")" + state + "\"", kForms)["result"];
    QVERIFY(done["resultType"] == "complete");
    QVERIFY(done["content"][0]["text"] == "hello you");
    // 13: the client's capabilities are those of each request
    QCOMPARE(codeOf(talk.call("ask")), kMissingCapability);
    // The state is good for the same request alone.
    for (const std::string& other :
         {R"("arguments":{"x":1},)" + kForm + R"(,"requestState":")" + state + "\"",
          kForm + R"(,"requestState":")" + state + "x\"",
          kForm + R"(,"requestState":5)"})
        QCOMPARE(codeOf(talk.call("ask", other, kForms)), kInvalidParams);
    // Without its state the answers are no answer: it asks again.
    QVERIFY(talk.call("ask", kForm, kForms)["result"]["resultType"] == "input_required");
}

void TestMcpModern::goesOnAsATaskThatAsks()
{
    Talk talk;
    const std::string both =
        R"({"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}})";
    const Json begun = talk.call("work", {}, both)["result"];
    QVERIFY(begun["resultType"] == "task");
    for (const char* absent :
         {"task", "ttl", "pollInterval", "requestState", "inputRequests"}) // 14
        QVERIFY2(!begun.contains(absent), absent);
    QVERIFY(begun["ttlMs"].is_number_integer() && begun["pollIntervalMs"] > 0);
    const std::string id = R"("taskId":)" + begun["taskId"].dump();

    const Json waiting = talk.ask(Talk::request("tasks/get", id, kTasks))["result"];
    QVERIFY(waiting["status"] == "input_required" && waiting["resultType"] == "complete");
    QVERIFY(waiting["inputRequests"].contains("who"));
    talk.ask(Talk::request("tasks/update", id + R"(,"inputResponses":{"other":{}})", both));
    QVERIFY(
        talk.ask(Talk::request("tasks/get", id, kTasks))["result"]["status"] == "input_required"
    );
    talk.ask(Talk::request("tasks/update", id + "," + kForm, both));
    const Json ended = talk.ask(Talk::request("tasks/get", id, kTasks))["result"];
    QVERIFY(ended["status"] == "completed"); // 15: a tool that failed is no task that failed
    QVERIFY(ended["result"]["isError"] == true);
    QVERIFY(talk.ask(Talk::request("tasks/cancel", id, kTasks)).contains("result"));
    QVERIFY(talk.ask(Talk::request("tasks/get", id, kTasks))["result"]["status"] == "completed");
}

void TestMcpModern::runsAtOnceForWhoKnowsNoTasks()
{
    Talk talk;
    QVERIFY(talk.call("work")["result"]["content"][0]["text"] == "at once");
    QVERIFY(talk.call("work", R"("task":{"ttl":5})")["result"]["resultType"] == "complete");
}

void TestMcpModern::cancelsByNotificationAndSendsNoAnswer()
{
    Talk talk;
    talk.say(Talk::request("tools/call", R"("name":"hold")"));
    QCOMPARE(codeOf(talk.ask(Talk::request("tools/list"))), kInvalidRequest); // the id again
    talk.lines.clear();
    talk.say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");

    QCOMPARE(talk.cancels, 1);
    QVERIFY(talk.lines.empty());
    QVERIFY(talk.ask(Talk::request("tools/list")).contains("result"));
}

void TestMcpModern::aSlowCallHoldsNothingUp()
{
    Talk talk;
    talk.say(Talk::request("tools/call", R"("name":"hold")", kNothing, {}, "1"));
    QVERIFY(talk.ask(Talk::request("tools/list")).contains("result"));
}

void TestMcpModern::listsInPagesAndInOneOrder()
{
    Talk talk;
    const Json first = talk.ask(Talk::request("resources/list"))["result"];
    const std::string cursor = first["nextCursor"];
    const std::string at = R"("cursor":")" + cursor + "\"";
    const Json second = talk.ask(Talk::request("resources/list", at))["result"];

    QCOMPARE(first["resources"].size(), std::size_t(50));
    QCOMPARE(second["resources"].size(), std::size_t(10));
    QVERIFY(second["resources"][0]["uri"] == "test://50");
    QVERIFY(!second.contains("nextCursor"));
    QCOMPARE(codeOf(talk.ask(Talk::request("tools/list", at))), kInvalidParams);
    QVERIFY(talk.ask(Talk::request("resources/list"))["result"] == first);
}

void TestMcpModern::theOlderEraMakesATaskOfAnyCallThatMayBeOne()
{
    Talk talk;
    talk.say(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
             R"("2025-11-25","capabilities":{},"clientInfo":{"name":"old","version":"1"}}})");
    const auto ask = [&talk](const std::string& method, const std::string& params) {
        return talk.ask(
            R"({"jsonrpc":"2.0","id":2,"method":")" + method + R"(","params":{)" + params + "}}"
        );
    };
    talk.lines.clear();
    talk.say(
        R"({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"work","task":{"ttl":60000}}})"
    );
    Json task;
    for (const std::string& line : talk.lines) {
        const Json message = Json::parse(line);
        if (message.contains("result"))
            task = message["result"]["task"];
    }
    QVERIFY(task["ttl"] == 60000);
    QVERIFY(!task.contains("resultType"));
    const std::string id = R"("taskId":)" + task["taskId"].dump();
    QVERIFY(ask("tasks/get", id)["result"]["status"] == "completed");
    const Json result = ask("tasks/result", id)["result"];
    QVERIFY(result["content"][0]["text"] == "at once");
    QVERIFY(result["_meta"]["io.modelcontextprotocol/related-task"]["taskId"] == task["taskId"]);
    QCOMPARE(ask("tasks/list", "")["result"]["tasks"].size(), std::size_t(1));
    QCOMPARE(codeOf(ask("tasks/cancel", id)), kInvalidParams);
    QCOMPARE(codeOf(ask("tools/call", R"("name":"echo","task":{})")), kMethodNotFound);
    QCOMPARE(codeOf(ask("tools/call", R"("name":"must")")), kMethodNotFound);
}

void TestMcpModern::decodesStrictly_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");
    for (const char* good : {"", "SGVsbG8=", "SGVsbG8h", "+/+/", "AA==", "AAA="})
        QTest::newRow(*good ? good : "nothing") << QByteArray(good) << true;
    for (const char* bad :
         {"SGVsbG8",
          "SGVs!!!bG8=",
          "AB==",
          "AAB=",
          "A===",
          "====",
          "SGVs bG8=",
          "-_-_",
          "AA==AA=="})
        QTest::newRow(bad) << QByteArray(bad) << false;
}

void TestMcpModern::decodesStrictly()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, good);
    const auto bytes = fromBase64(text.toStdString());

    QCOMPARE(bytes.has_value(), good);
    if (good)
        QCOMPARE(toBase64(*bytes), text.toStdString());
}
#endif

QTEST_GUILESS_MAIN(TestMcpModern)
#include "tst_mcp_modern.moc"
