// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stdio_bridge.h"

namespace belljar::cli {

namespace {

constexpr const char* kReplayId = "belljar-bridge-handshake";
constexpr int kInternalError = -32603; // JSON-RPC 2.0, section 5.1
constexpr JsonLimits kLineLimits{17U * 1024 * 1024, 128};

/// The messages of a line: one, or those of a batch. Empty for what is no JSON; the engine answers
/// that.
std::vector<Json> messagesOf(std::string_view line)
{
    auto json = parseJson(line, kLineLimits);
    if (!json)
        return {};
    if (!json->is_array())
        return {std::move(*json)};
    return json->get<std::vector<Json>>();
}

bool isRequest(const Json& message)
{
    return message.is_object() && message.contains("id") &&
           message.value("method", Json()).is_string();
}

bool isResponse(const Json& message)
{
    return message.is_object() && message.contains("id") && !message.contains("method");
}

} // namespace

void BridgeLedger::sent(std::string_view line)
{
    for (Json& message : messagesOf(line)) {
        if (!message.is_object())
            continue;
        const Json method = message.value("method", Json());
        if (method == "notifications/initialized")
            m_initialized = true;
        if (method == "notifications/cancelled")
            m_inFlight.erase(
                message.value("params", Json::object()).value("requestId", Json()).dump()
            );
        if (!isRequest(message))
            continue;
        m_inFlight[message["id"].dump()] = message["id"];
        if (method == "initialize")
            m_initialize = std::move(message);
    }
}

bool BridgeLedger::received(std::string_view line)
{
    bool forClient = true;
    for (const Json& message : messagesOf(line)) {
        if (!isResponse(message))
            continue;
        m_inFlight.erase(message["id"].dump());
        forClient &= message["id"] != kReplayId;
    }
    return forClient;
}

std::vector<std::string> BridgeLedger::answersForLost(std::string_view reason)
{
    std::vector<std::string> answers;
    for (const auto& [key, id] : m_inFlight) {
        Json answer;
        answer["jsonrpc"] = "2.0";
        answer["id"] = id;
        answer["error"]["code"] = kInternalError;
        answer["error"]["message"] = std::string(reason);
        answers.push_back(dumpJson(answer));
    }
    m_inFlight.clear();
    return answers;
}

std::vector<std::string> BridgeLedger::handshake() const
{
    std::vector<std::string> lines;
    if (!m_initialize)
        return lines;
    Json initialize = *m_initialize;
    initialize["id"] = kReplayId;
    lines.push_back(dumpJson(initialize));
    if (m_initialized)
        lines.emplace_back(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return lines;
}

} // namespace belljar::cli
