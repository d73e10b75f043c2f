// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp_client.h"

#include "app/cli/engine_link.h"

#include <array>
#include <cerrno>
#include <utility>

#include "belljar_version.h"
#include <sys/socket.h>
#include <unistd.h>

namespace belljar::cli {

namespace {

constexpr std::size_t kMaxLineBytes = 64U * 1024 * 1024;

} // namespace

Result<McpClient> McpClient::connect(const std::filesystem::path& socketFile)
{
    auto socket = connectUnix(socketFile);
    if (!socket)
        return fail(socket.error());
    McpClient client;
    client.m_socket = std::move(*socket);

    Json params;
    params["protocolVersion"] = "2025-11-25";
    params["capabilities"] = Json::object();
    params["clientInfo"]["name"] = "belljar";
    params["clientInfo"]["version"] = kVersion;
    if (auto greeted = client.request("initialize", params); !greeted)
        return fail(greeted.error());
    Json initialized;
    initialized["jsonrpc"] = "2.0";
    initialized["method"] = "notifications/initialized";
    if (auto sent = client.send(initialized); !sent)
        return fail(sent.error());
    return client;
}

Result<Json> McpClient::callTool(const std::string& tool, const Json& arguments)
{
    Json params;
    params["name"] = tool;
    params["arguments"] = arguments;
    return request("tools/call", params);
}

Result<Json> McpClient::request(const std::string& method, const Json& params)
{
    const std::int64_t id = m_nextId++;
    Json message;
    message["jsonrpc"] = "2.0";
    message["id"] = id;
    message["method"] = method;
    message["params"] = params;
    if (auto sent = send(message); !sent)
        return fail(sent.error());
    for (;;) {
        const auto line = readLine();
        if (!line)
            return fail(line.error());
        auto answer = parseJson(*line, JsonLimits{kMaxLineBytes, 128});
        if (!answer)
            return fail(answer.error().within("the engine's answer"));
        // Notifications come in between; only this request is in flight.
        if (!answer->is_object() || answer->value("id", Json()) != Json(id))
            continue;
        if (const auto error = answer->find("error"); error != answer->end() && error->is_object())
            return fail(
                Errc::InvalidArgument, error->value("message", std::string("the engine refused"))
            );
        if (const auto result = answer->find("result"); result != answer->end())
            return *result;
        return fail(Errc::ProtocolViolation, "the engine's answer has neither result nor error");
    }
}

Result<> McpClient::send(const Json& message)
{
    const std::string line = dumpJson(message) + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t sent = ::send(m_socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return fail(Errc::Closed, "the engine has gone: " + describeErrno(errno));
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
}

Result<std::string> McpClient::readLine()
{
    std::array<char, 65536> buffer{};
    for (;;) {
        if (const std::size_t end = m_buffer.find('\n'); end != std::string::npos) {
            std::string line = m_buffer.substr(0, end);
            m_buffer.erase(0, end + 1);
            return line;
        }
        if (m_buffer.size() > kMaxLineBytes)
            return fail(Errc::ProtocolViolation, "the engine's answer is too long");
        const ssize_t got = ::read(m_socket.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(Errc::Closed, "the engine has gone");
        m_buffer.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

} // namespace belljar::cli
