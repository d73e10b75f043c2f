// SPDX-License-Identifier: GPL-3.0-or-later
// The header fields of the modern era against the body: lines are the values of four fields, the
// rest is the body.
#include "engine/base/base64.h"
#include "engine/mcp/stateless.h"
#include "engine/mcp/tasks.h"

#include <spdlog/spdlog.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace belljar;
using namespace belljar::mcp;

namespace {

void demand(bool held)
{
    if (!held)
        std::abort();
}

struct Server {
    asio::io_context context;
    Offer offer{context.get_executor()};
    std::shared_ptr<Stateless> stateless;

    Server()
    {
        Tool tool;
        tool.name = "now";
        tool.taskSupport = TaskSupport::Optional;
        tool.inputSchema = Json::parse(
            R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},)"
            R"("inner":{"type":"object","properties":{"level":{"type":"integer","x-mcp-header":"Level"}}}}})"
        );
        tool.handler = [](std::shared_ptr<Call> call, Json) -> asio::awaitable<ToolReply> {
            if (call->responses.empty()) {
                InputRequired question;
                question.state = "asked";
                co_return question;
            }
            co_return ToolResult("done", nullptr, false);
        };
        offer.add(std::move(tool));
        Stateless::Events events{[](const execution::Client&) {}, [](const ClientId&) {}};
        stateless = std::make_shared<Stateless>(
            context.get_executor(),
            offer,
            execution::Client(),
            std::move(events),
            Stateless::Limits()
        );
    }
};

} // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/)
{
    spdlog::set_level(spdlog::level::off);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static constexpr std::array kNames{
        "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Param-Region", "Mcp-Param-Level"};
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    std::array<std::string, kNames.size()> values;
    for (std::string& value : values) {
        const std::size_t end = rest.find('\n');
        value = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    for (const Base64 alphabet : {Base64::Standard, Base64::Url}) {
        const auto bytes = fromBase64(values[2], alphabet);
        demand(!bytes || toBase64(*bytes, alphabet) == values[2]);
    }
    Parsed parsed = parseLine(rest);
    if (parsed.batch || !parsed.elements.front().message ||
        parsed.elements.front().message->kind != MessageKind::Request)
        return 0;
    static Server server;
    int answers = 0;
    Sink sink;
    sink.notify = [](const Json& message) { demand(message.contains("method")); };
    sink.answer = [&answers](const Json& message, int status) {
        ++answers;
        demand(status == 200 || status == 400 || status == 404);
        demand(message.contains("error") || message["result"].contains("resultType"));
        demand(status == 200 || message.contains("error"));
    };
    const FieldOf fieldOf = [&values](std::string_view name) -> std::optional<std::string> {
        for (std::size_t at = 0; at < kNames.size(); ++at) {
            if (name == kNames.at(at) && !values.at(at).empty())
                return values.at(at);
        }
        return {};
    };
    const auto cancel =
        server.stateless->receive(*parsed.elements.front().message, fieldOf, std::move(sink));
    server.context.restart();
    server.context.poll();
    if (cancel)
        cancel();
    server.stateless->leave();
    server.context.restart();
    server.context.poll();
    demand(answers <= 1);
    return 0;
}
