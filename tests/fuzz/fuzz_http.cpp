// SPDX-License-Identifier: GPL-3.0-or-later
// What a client may send over HTTP: bytes on the connection, fields of a request that is let in, or
// the body of one, with a session of each revision that has them and one by the older endpoints.
#include "engine/http/endpoint.h"
#include "engine/http/server.h"
#include "engine/mcp/transport/event_log.h"
#include "engine/mcp/transport/streamable_http.h"

#include <boost/asio/write.hpp>
#include <spdlog/spdlog.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

using namespace belljar;
using namespace belljar::mcp;

namespace {

using asio::ip::tcp;
const std::string kToken(64, 't');

/// Ends the fuzzer's run: `held` is what must be true whatever was sent.
void demand(bool held)
{
    if (!held)
        std::abort();
}

struct Setup {
    asio::io_context context;
    Offer offer{context.get_executor()};
    std::unique_ptr<StreamableHttp> mcp;
    std::unique_ptr<http::Server> server;

    Setup()
    {
        Tool tool;
        tool.name = "tell";
        tool.inputSchema["type"] = "object";
        tool.handler = [](std::shared_ptr<Call> call, Json arguments) {
            return tell(std::move(call), std::move(arguments));
        };
        offer.add(std::move(tool));
        ClientEvents events;
        events.connected = events.changed = [](const execution::Client&) {};
        events.disconnected = [](const ClientId&) {};
        mcp = std::make_unique<StreamableHttp>(
            context.get_executor(), offer, std::move(events), StreamableHttp::Limits()
        );
        http::Access access(StreamableHttp::places(), {}, {});
        access.setToken(kToken);
        server = std::make_unique<http::Server>(
            context.get_executor(),
            http::ServerOptions(),
            std::move(access),
            [this](const std::shared_ptr<http::Exchange>& exchange, http::Request request) {
                mcp->handle(exchange, std::move(request));
            }
        );
        demand(server->listen(true).has_value());
    }

    /// What the server says to `bytes`, until there is nothing left to do at once.
    std::string say(const std::string& bytes)
    {
        tcp::socket socket(context);
        boost::system::error_code error;
        socket.connect({asio::ip::address_v4::loopback(), server->port()}, error);
        demand(!error);
        settle();
        asio::write(socket, asio::buffer(bytes), error); // fits into the kernel's buffers
        settle();
        std::string got;
        std::array<char, 65536> buffer{};
        socket.non_blocking(true);
        for (std::size_t count = 1; count > 0 && !error;) {
            count = socket.read_some(asio::buffer(buffer), error);
            got.append(buffer.data(), count);
            settle();
        }
        return got;
    }
    void settle()
    {
        context.restart();
        while (context.poll() > 0)
            context.restart();
    }

private:
    static asio::awaitable<ToolReply> tell(std::shared_ptr<Call> call, Json arguments)
    {
        call->progress("told");
        co_return ToolResult{"told", std::move(arguments), false};
    }
};

std::string post(const std::string& target, const std::string& fields, std::string_view body)
{
    return "POST " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + kToken +
           "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
           fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           std::string(body);
}

/// The id of a session with the revision.
std::string begin(Setup& setup, const std::string& revision)
{
    const std::string got = setup.say(post(
        "/mcp",
        "",
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
            revision + "\"}}"
    ));
    const std::size_t at = got.find("Mcp-Session-Id: ");
    demand(at != std::string::npos);
    return got.substr(at + 16, 48);
}

/// `sent` is the fuzzer's own part: an answer may quote what was in that.
void check(const std::string& got, std::string_view sent)
{
    const auto quoted = [sent](std::string_view text) {
        return sent.find(text) != std::string_view::npos;
    };
    demand(got.empty() || got.starts_with("HTTP/1.1 "));
    demand(quoted("Access-Control-") || got.find("Access-Control-") == std::string::npos);
    demand(quoted(kToken) || got.find(kToken) == std::string::npos);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/)
{
    spdlog::set_level(spdlog::level::off);
    return 0;
}

/// The first byte says what the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    static Setup setup;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 6) {
    case 0: check(setup.say(std::string(bytes)), bytes); break;
    case 1:
        check(
            setup.say(
                "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + kToken + "\r\n" +
                std::string(bytes)
            ),
            bytes
        );
        break;
    case 2:
    case 3: {
        const std::string id = begin(setup, data[0] % 6 == 2 ? "2025-11-25" : "2025-03-26");
        const std::string field = "Mcp-Session-Id: " + id + "\r\n";
        check(setup.say(post("/mcp", field, bytes)), bytes);
        break;
    }
    case 4: // of the modern era; what it subscribes to is left as the client goes
        check(
            setup.say(post(
                "/mcp",
                "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: tell\r\n",
                bytes
            )),
            bytes
        );
        break;
    default: {
        static_cast<void>(http::parseEndpoint(bytes));
        const auto event = EventId::parse(bytes);
        demand(!event || EventId::parse(event->text()) == event);
        const std::string target = "/messages?session=" + std::string(bytes.substr(0, 60));
        check(setup.say(post(target, "", bytes)), bytes);
    }
    }
    setup.mcp->endAll();
    setup.settle();
    demand(setup.server->connections() < 8); // those of before have been let go
    return 0;
}
