// SPDX-License-Identifier: GPL-3.0-or-later
// What a client may write on the socket, in reads of any size: framer, parser and session with a
// tool that answers at once, one that is held until it is cancelled, and one that tells progress.
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/mcp/line_framer.h"
#include "engine/mcp/pipe.h"
#include "engine/mcp/tasks.h"

#include <boost/asio/redirect_error.hpp>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

using namespace belljar;
using namespace belljar::mcp;

namespace {

constexpr std::size_t kMaxLine = 4096;

/// Ends the fuzzer's run: `held` is what must be true of every answer.
void demand(bool held)
{
    if (!held)
        std::abort();
}

/// Every line that goes out is one JSON message (or a batch of them) on one line.
void check(const std::string& line)
{
    demand(line.find('\n') == std::string::npos);
    const Json message = Json::parse(line, nullptr, false);
    demand(message.is_object() || (message.is_array() && !message.empty()));
    for (const Json& one : message.is_array() ? message : Json::array({message})) {
        demand(one.is_object() && one.at("jsonrpc") == "2.0");
        demand(one.contains("result") + one.contains("error") + one.contains("method") == 1);
        demand(!one.contains("id") || isId(one.at("id")));
    }
}

struct Server {
    asio::io_context context;
    Offer offer{context.get_executor()};
    asio::steady_timer gate{context, asio::steady_timer::time_point::max()};
    bool released = false;
    bool closed = false;
    std::shared_ptr<Pipe> pipe;

    Server()
    {
        add("echo", &Server::echo);
        add("hold", &Server::hold);
        add("tell", &Server::tell);
        add("ask", &Server::ask, TaskSupport::Optional);
        offer.logs = true;
        Prompt prompt;
        prompt.name = "p";
        prompt.arguments.push_back({"a", "", "", true});
        prompt.complete = [](const std::string&, const std::string& typed) {
            return std::vector<std::string>(typed.size(), typed);
        };
        prompt.handler = [](std::shared_ptr<Call>, Json) -> asio::awaitable<Reply> {
            co_return Json::array();
        };
        offer.add(std::move(prompt));
        ResourceTemplate family;
        family.uriTemplate = "test://{name}/x";
        family.read = [](std::shared_ptr<Call>,
                         ResourceTemplate::Variables variables) -> asio::awaitable<Reply> {
            demand(isValidUtf8(variables.at("name")));
            co_return Json::array({textContents("test://", "", variables.at("name"))});
        };
        offer.add(std::move(family));
        execution::Client client;
        client.id = ClientId("fuzz");
        ClientEvents events;
        events.connected = [](const execution::Client&) {};
        events.disconnected = [](const ClientId&) {};
        pipe = Pipe::make(
            context.get_executor(),
            offer,
            std::move(client),
            [this](const std::string& line) {
                demand(!closed);
                check(line);
            },
            std::move(events)
        );
    }
    ~Server()
    {
        pipe->close();
        asio::co_spawn(context, offer.tasks().close(), [](const std::exception_ptr&) {});
        closed = true;
        released = true;
        gate.cancel();
        run();
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    void run()
    {
        context.restart();
        context.poll();
    }

private:
    using Handler = asio::awaitable<ToolReply> (Server::*)(std::shared_ptr<Call>, Json);

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
    asio::awaitable<ToolReply> ask(std::shared_ptr<Call> call, Json /*arguments*/)
    {
        call->log(LogLevel::Error, "asked");
        if (call->state == "asked")
            co_return ToolResult("done", call->responses, false);
        InputRequired question;
        question.requests["a"] = elicitation("?", Json::object());
        question.state = "asked";
        if (call->taskForm != TaskForm::Extension)
            co_return question;
        GoesOn goesOn;
        goesOn.work = [this](std::shared_ptr<Call> of) { return ask(std::move(of), {}); };
        co_return goesOn;
    }
    asio::awaitable<ToolReply> echo(std::shared_ptr<Call> /*call*/, Json arguments)
    {
        co_return ToolResult{"echo", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> hold(std::shared_ptr<Call> call, Json arguments)
    {
        while (!released && !call->cancelled()) {
            call->onCancel([this] { gate.cancel(); });
            boost::system::error_code woken;
            co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        co_return ToolResult{"held", std::move(arguments), false};
    }
    asio::awaitable<ToolReply> tell(std::shared_ptr<Call> call, Json arguments)
    {
        call->progress("a line of output");
        co_return ToolResult{"told", std::move(arguments), false};
    }
};

} // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/)
{
    spdlog::set_level(spdlog::level::off);
    return 0;
}

/// The first byte says how many bytes a read brings.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t step = static_cast<std::size_t>(data[0]) * 8 + 1;
    Server server;
    LineFramer framer(kMaxLine);
    for (std::size_t at = 1; at < size; at += step) {
        for (const LineFramer::Line& line : framer.feed(bytes.substr(at, step))) {
            demand(line.text.size() <= kMaxLine);
            if (line.tooLong)
                server.pipe->receiveTooLong(framer.maxBytes());
            else
                server.pipe->receive(line.text);
        }
        server.run();
    }
    return 0;
}
