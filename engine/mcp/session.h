// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/revision.h"
#include "engine/mcp/tool.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belljar::mcp {

/// One client's conversation in the legacy era (SPEC.md section 4), without a transport: lines in,
/// lines out.
///
/// Requests run beside each other; a slow one holds nothing up. A cancelled one is not answered.
/// Lives on the engine thread and in a shared_ptr, since a call may outlive the connection.
class Session : public std::enable_shared_from_this<Session> {
public:
    struct Events {
        std::function<void(std::string line)> send;            ///< one message, without its newline
        std::function<void(const execution::Client&)> changed; ///< the handshake told who it is
    };

    /// `tools` has to live longer than the session.
    Session(
        asio::any_io_executor executor,
        const ToolRegistry& tools,
        execution::Client client,
        Events events
    );

    /// One line of the client.
    void receive(std::string_view line);
    /// The client sent a line that was over the bound and has been skipped.
    void receiveTooLong(std::size_t maxBytes);
    /// The client has gone: nothing is sent any more, calls in flight are cancelled.
    void close();

    [[nodiscard]] const execution::Client& client() const { return m_client; }

private:
    struct Method;
    struct Batch;
    /// Called once for each request; with null when it isn't to be answered.
    using Answer = std::function<void(Json message)>;

    static const std::vector<Method>& methods();

    void handle(Message message, const Answer& answer);
    void handleNotification(const Message& message);
    void send(const Json& message);

    void initialize(const Message& message, const Answer& answer);
    void ping(const Message& message, const Answer& answer);
    void listTools(const Message& message, const Answer& answer);
    void callTool(const Message& message, const Answer& answer);
    asio::awaitable<void> runTool(
        std::shared_ptr<Session> self,
        const Tool* tool,
        std::shared_ptr<Call> call,
        Json id,
        Json arguments,
        Answer answer
    );
    void takeResponse(const Message& message);
    [[nodiscard]] asio::awaitable<execution::Elicited>
    elicit(std::shared_ptr<Session> self, std::string text);
    std::shared_ptr<Call> makeCall(const Message& message);
    [[nodiscard]] Json describe(const Tool& tool) const;
    [[nodiscard]] Json encode(ToolResult result) const;

    const ToolRegistry& m_tools;
    execution::Client m_client;
    Events m_events;
    const Revision* m_revision = nullptr; ///< nullptr before the handshake
    BridgeLimits m_bridge;
    bool m_anyLine = false; ///< something has been received
    bool m_closed = false;
    bool m_canElicit = false; ///< the client can put a form to its person

    /// A question to the client's person that isn't answered yet.
    struct Asked {
        std::shared_ptr<asio::steady_timer> answered; ///< never expires; cancelled by the answer
        execution::Elicited answer;
        bool settled = false;
    };
    std::map<std::string, std::shared_ptr<Asked>> m_asked; ///< by the request's id
    std::uint64_t m_nextAsked = 1;
    std::map<std::string, std::shared_ptr<Call>> m_calls; ///< in flight, by the id's JSON text
    TaskGroup m_tasks;
};

} // namespace belljar::mcp
