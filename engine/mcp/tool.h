// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/json.h"
#include "engine/execution/elicitation.h"
#include "engine/execution/execution.h"
#include "engine/mcp/bridge.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::mcp {

/// What a tool answers. `structured` is an object, also where the client's revision knows only
/// text.
struct ToolResult {
    std::string text;
    Json structured;
    bool isError = false;
};

/// One call, for as long as it lasts. Shared by the session, which may cancel it, and the handler.
class Call {
public:
    execution::Client client;
    BridgeLimits bridge;

    /// Tells the client how far it is; without effect where it didn't ask. At most a few a second,
    /// please.
    std::function<void(std::string message)> progress = [](const std::string&) {};

    /// Asks the person at the client; empty where the client can't.
    execution::Elicit elicit;

    /// What cancelling does; set by the handler. Runs at once when the call is cancelled already.
    void onCancel(std::function<void()> action)
    {
        m_onCancel = std::move(action);
        if (m_cancelled)
            m_onCancel();
    }
    void cancel()
    {
        if (std::exchange(m_cancelled, true))
            return;
        if (m_onCancel)
            m_onCancel();
    }
    /// Nobody waits for the answer any more.
    [[nodiscard]] bool cancelled() const { return m_cancelled; }

private:
    std::function<void()> m_onCancel;
    bool m_cancelled = false;
};

struct Tool {
    std::string name;
    std::string title;
    std::string description;
    Json inputSchema;
    Json outputSchema;
    Json annotations;
    std::function<asio::awaitable<ToolResult>(std::shared_ptr<Call> call, Json arguments)> handler;
};

/// The tools that a server offers, always in the order in which they were added.
class ToolRegistry {
public:
    void add(Tool tool) { m_tools.push_back(std::move(tool)); }
    /// Asked before every call: what a client whose calls are refused is answered instead.
    void setRefusal(std::function<std::optional<ToolResult>(const execution::Client&)> refusal)
    {
        m_refusal = std::move(refusal);
    }
    [[nodiscard]] std::optional<ToolResult> refusalFor(const execution::Client& client) const
    {
        return m_refusal ? m_refusal(client) : std::nullopt;
    }
    [[nodiscard]] const std::vector<Tool>& all() const { return m_tools; }
    [[nodiscard]] const Tool* find(std::string_view name) const
    {
        for (const Tool& tool : m_tools) {
            if (tool.name == name)
                return &tool;
        }
        return nullptr;
    }

private:
    std::vector<Tool> m_tools;
    std::function<std::optional<ToolResult>(const execution::Client&)> m_refusal;
};

} // namespace belljar::mcp
