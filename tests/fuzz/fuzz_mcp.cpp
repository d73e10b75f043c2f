// SPDX-License-Identifier: GPL-3.0-or-later
// A hostile client: any bytes on the socket of a session with one tool.
#include "engine/base/json.h"
#include "engine/mcp/line_framer.h"
#include "engine/mcp/session.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace {

using namespace belljar;

asio::awaitable<mcp::ToolResult> echo(std::shared_ptr<mcp::Call> /*call*/, Json arguments)
{
    mcp::ToolResult result;
    result.text = "echo";
    result.structured = std::move(arguments);
    co_return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    asio::io_context context;
    mcp::ToolRegistry tools;
    mcp::Tool tool;
    tool.name = "echo";
    tool.inputSchema = Json::object();
    tool.handler = echo;
    tools.add(std::move(tool));
    mcp::Session::Events events;
    events.send = [](const std::string& line) {
        // Whatever came in, what goes out is one JSON value on one line.
        if (line.find('\n') != std::string::npos || !parseJson(line))
            std::abort();
    };
    const auto session = std::make_shared<mcp::Session>(
        context.get_executor(), tools, execution::Client(), std::move(events)
    );
    mcp::LineFramer framer(4096);
    for (const auto& line :
         framer.feed(std::string_view(reinterpret_cast<const char*>(data), size))) {
        if (line.tooLong)
            session->receiveTooLong(framer.maxBytes());
        else
            session->receive(line.text);
    }
    context.run();
    session->close();
    return 0;
}
