// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/http/access.h"
#include "engine/http/exchange.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/pipe.h"
#include "engine/mcp/transport/conversation.h"
#include "engine/mcp/transport/stateless_http.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belljar::mcp {

/// MCP over HTTP: at /mcp both eras, the legacy one with sessions by `Mcp-Session-Id` (SPEC.md
/// section 4.5), and the two endpoints of 2024-11-05, /sse and /messages (section 4.8). Requests
/// come in by handle(), which the HTTP server calls; no sockets here. Lives on the engine thread.
class StreamableHttp {
public:
    struct Limits {
        std::size_t sessions = 256;
        std::size_t replayBytes = 4U * 1024 * 1024;                      ///< of each session
        std::chrono::milliseconds idle = std::chrono::minutes(30);       ///< then a session ends
        std::chrono::milliseconds clientIdle = std::chrono::minutes(30); ///< of the modern era
        /// Then an answer becomes a stream, so that the client sees that it is being worked on.
        std::chrono::milliseconds plain = std::chrono::milliseconds(500);
    };

    /// `offer` has to live longer.
    StreamableHttp(
        asio::any_io_executor executor, const Offer& offer, ClientEvents events, Limits limits
    );
    ~StreamableHttp();

    /// What http::Access has to let in.
    [[nodiscard]] static std::vector<http::Place> places();

    void handle(const std::shared_ptr<http::Exchange>& exchange, http::Request request);

    /// Who is connected and has introduced itself.
    [[nodiscard]] std::vector<execution::Client> clients() const;
    /// Ends the session of a client; its calls are cancelled. None of the id: nothing happens.
    void disconnect(const ClientId& id);
    /// Ends all sessions: whose token they were made with isn't good any more.
    void endAll();

    asio::awaitable<void> close();

private:
    using Exchange = std::shared_ptr<http::Exchange>;

    void post(const Exchange& exchange, const http::Request& request);
    void get(const Exchange& exchange, const http::Request& request);
    void erase(const Exchange& exchange, const http::Request& request);
    void openSse(const Exchange& exchange, const http::Request& request);
    void postMessage(const Exchange& exchange, const http::Request& request);

    void begin(const Exchange& exchange, const http::Request& request, Parsed parsed);
    void converse(
        const Exchange& exchange,
        Parsed parsed,
        const std::shared_ptr<Conversation>& conversation,
        bool likesStreams
    );
    std::shared_ptr<Conversation> makeConversation(Conversation::Form form);
    bool makeRoom();
    /// The conversation that the request's field names; answers itself where there is none.
    std::shared_ptr<Conversation>
    conversationOf(const Exchange& exchange, const http::Request& request);
    void end(const std::string& id);
    asio::awaitable<void> becomeStreamLater(std::weak_ptr<Conversation> of, std::uint64_t stream);
    asio::awaitable<void> endIdle();

    asio::any_io_executor m_executor;
    const Offer& m_offer;
    ClientEvents m_events;
    Limits m_limits;
    StatelessHttp m_stateless;
    std::map<std::string, std::shared_ptr<Conversation>> m_conversations; ///< by session id
    TaskGroup m_tasks;
};

} // namespace belljar::mcp
