// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/http/exchange.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/stateless.h"

#include <chrono>
#include <memory>
#include <vector>

namespace belljar::mcp {

/// The modern era over HTTP (SPEC.md section 2.10): an answer is plain JSON unless something comes
/// before it or it takes a while; then it is a stream. A client that goes away cancels. Lives on
/// the engine thread.
class StatelessHttp {
public:
    struct Limits {
        std::chrono::milliseconds idle = std::chrono::minutes(30); ///< then a client has left
        /// Then an answer becomes a stream, so that the client sees that it is being worked on.
        std::chrono::milliseconds plain = std::chrono::milliseconds(500);
    };

    /// `offer` has to live longer.
    StatelessHttp(
        asio::any_io_executor executor, const Offer& offer, Stateless::Events events, Limits limits
    );

    /// Is it this era's (SPEC.md section 5.1)?
    [[nodiscard]] static bool takes(const Parsed& parsed, const http::Request& request);

    void post(
        const std::shared_ptr<http::Exchange>& exchange,
        const http::Request& request,
        const Message& message
    );

    [[nodiscard]] std::vector<execution::Client> clients() const { return m_stateless->clients(); }
    void disconnect(const ClientId& id) { m_stateless->disconnect(id); }
    void endAll() { m_stateless->leave(); }
    asio::awaitable<void> close();

private:
    class Answering;

    static asio::awaitable<void>
    becomeStreamLater(std::weak_ptr<Answering> answering, std::chrono::milliseconds after);

    std::shared_ptr<Stateless> m_stateless;
    Limits m_limits;
    TaskGroup m_tasks;
};

} // namespace belljar::mcp
