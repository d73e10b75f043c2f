// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/json.h"
#include "engine/mcp/call.h"
#include "engine/mcp/content.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace belljar::mcp {

/// What a tool answers. `structured` is an object or null, also where the client's revision knows
/// only content.
struct ToolResult {
    ToolResult() = default;
    ToolResult(std::string text, Json structuredContent, bool failed)
        : content(Json::array({textBlock(std::move(text))}))
        , structured(std::move(structuredContent))
        , isError(failed)
    {}

    /// The text of the first block, which every result of a tool has.
    [[nodiscard]] std::string text() const { return content.at(0).value("text", ""); }

    Json content = Json::array(); ///< blocks
    Json structured;
    bool isError = false;
};

class Tasks;
struct ToolReply;

/// The call goes on as a task (only where Call::taskForm says that it may): `work` is called with a
/// call of the task's own, again and again while it asks for input.
struct GoesOn {
    std::function<asio::awaitable<ToolReply>(std::shared_ptr<Call> call)> work;
    std::string statusMessage; ///< for people; may be empty
};

struct ToolReply : std::variant<ToolResult, InputRequired, RpcError, GoesOn> {
    using variant::variant;
};

enum class TaskSupport : std::uint8_t { Forbidden, Optional, Required };

struct Tool {
    std::string name;
    std::string title;
    /// Of one moment: it says what the policy in force allows.
    std::function<std::string()> describe;
    Json inputSchema;
    Json outputSchema;
    Json annotations;
    Json icons; ///< null: none
    Json meta;  ///< `_meta`; null: none
    TaskSupport taskSupport = TaskSupport::Forbidden;
    std::function<asio::awaitable<ToolReply>(std::shared_ptr<Call> call, Json arguments)> handler;
};

/// Values that go on with what was typed so far.
using Completer =
    std::function<std::vector<std::string>(const std::string& argument, const std::string& typed)>;

struct Prompt {
    struct Argument {
        std::string name;
        std::string title;
        std::string description;
        bool required = false;
    };
    std::string name;
    std::string title;
    std::string description;
    std::vector<Argument> arguments;
    Completer complete;
    /// `arguments` holds texts only, and all that are required. The result's `messages`.
    std::function<asio::awaitable<Reply>(std::shared_ptr<Call> call, Json arguments)> handler;
};

struct Resource {
    std::string uri;
    std::string name;
    std::string title;
    std::string description;
    std::string mediaType;
    bool listed = true;
    Json meta; ///< `_meta`; null: none
    /// The result's `contents`.
    std::function<asio::awaitable<Reply>(std::shared_ptr<Call> call)> read;
};

struct ResourceTemplate {
    using Variables = std::map<std::string, std::string>;

    std::string uriTemplate; ///< RFC 6570, level 1: only `{name}`, which takes no slash
    std::string name;
    std::string title;
    std::string description;
    std::string mediaType;
    Completer complete;
    /// As Resource::read; RpcError kResourceNotFound where there is none of these variables.
    std::function<asio::awaitable<Reply>(std::shared_ptr<Call> call, Variables variables)> read;

    /// The variables for which the template gives `uri`; nothing: it doesn't.
    [[nodiscard]] std::optional<Variables> match(std::string_view uri) const;
};

/// What clients can be told of after they asked.
struct Change {
    enum class Of : std::uint8_t { Tools, Prompts, Resources, OneResource, Task };
    Of of = Of::Tools;
    std::string name; ///< uri of OneResource, id of Task
};

/// What a server offers; the same to every client, in the order in which it was added.
class Offer {
public:
    explicit Offer(asio::any_io_executor executor);
    ~Offer();
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;

    std::string serverName = "belljar";
    std::string serverTitle = "Belljar";
    std::string serverDescription = "Runs code in sandboxes that a person watches";
    std::function<std::string()> instructions; ///< for the model; may be empty
    Json icons;                                ///< of the server; null: none
    bool logs = false;                         ///< handlers use Call::log
    Json extensions = Json::object();          ///< besides Tasks, name -> settings

    void add(Tool tool) { m_tools.push_back(std::move(tool)); }
    void add(Prompt prompt) { m_prompts.push_back(std::move(prompt)); }
    void add(Resource resource) { m_resources.push_back(std::move(resource)); }
    void add(ResourceTemplate family) { m_templates.push_back(std::move(family)); }

    [[nodiscard]] const std::vector<Tool>& tools() const { return m_tools; }
    [[nodiscard]] const std::vector<Prompt>& prompts() const { return m_prompts; }
    [[nodiscard]] const std::vector<Resource>& resources() const { return m_resources; }
    [[nodiscard]] const std::vector<ResourceTemplate>& templates() const { return m_templates; }
    [[nodiscard]] bool hasResources() const { return !m_resources.empty() || !m_templates.empty(); }
    /// There is, or can be, a resource of this uri.
    [[nodiscard]] bool hasResource(std::string_view uri) const;
    [[nodiscard]] bool hasTasks() const;
    [[nodiscard]] const Tool* findTool(std::string_view name) const;
    [[nodiscard]] const Prompt* findPrompt(std::string_view name) const;

    /// Asked before every call of a tool: what a client whose calls are refused is answered.
    void setRefusal(std::function<std::optional<ToolResult>(const execution::Client&)> refusal)
    {
        m_refusal = std::move(refusal);
    }
    [[nodiscard]] std::optional<ToolResult> refusalFor(const execution::Client& client) const
    {
        return m_refusal ? m_refusal(client) : std::nullopt;
    }

    /// Tells everybody who listens.
    void changed(const Change& change) const;
    /// Calls `listener` for every change until the returned handle dies.
    using Listener = std::function<void(const Change&)>;
    [[nodiscard]] std::shared_ptr<void> listen(Listener listener) const;

    [[nodiscard]] Tasks& tasks() const { return *m_tasks; }

private:
    struct Listeners;

    std::vector<Tool> m_tools;
    std::vector<Prompt> m_prompts;
    std::vector<Resource> m_resources;
    std::vector<ResourceTemplate> m_templates;
    std::function<std::optional<ToolResult>(const execution::Client&)> m_refusal;
    std::shared_ptr<Listeners> m_listeners;
    std::unique_ptr<Tasks> m_tasks; ///< not part of what is offered; the same for every client
};

} // namespace belljar::mcp
