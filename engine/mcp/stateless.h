// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/mcp/bridge.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/methods.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/request_state.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::mcp {

/// Where the messages that one request causes go.
struct Sink {
    std::function<void(const Json& message)> notify;
    /// The answer, with the HTTP status that it has there. Called once, or never where the request
    /// was cancelled.
    std::function<void(const Json& message, int status)> answer;
};

/// The value of a header field of the request's transport, as it was sent; null: it has no fields.
using FieldOf = std::function<std::optional<std::string>(std::string_view name)>;

/// Does the message say which revision it is of (SPEC.md section 5.1)?
[[nodiscard]] bool claimsRevision(const Message& message);
/// Is it meant for this era by what it says?
[[nodiscard]] bool isModern(const Message& message);
/// Is `name`, a date, a revision of this era, served or not?
[[nodiscard]] bool isModernRevision(std::string_view name);

/// The modern era (SPEC.md section 2), without a transport: every request says who asks and what
/// they can do. Lives on the engine thread and in a shared_ptr, since a call may outlive the
/// connection.
class Stateless : public std::enable_shared_from_this<Stateless> {
public:
    struct Events {
        std::function<void(const execution::Client&)> connected;
        std::function<void(const ClientId&)> disconnected;
    };
    struct Limits {
        std::size_t inFlight = 4096;
        std::size_t subscriptions = 1024;
        std::size_t clients = 256;
        std::chrono::milliseconds idle{0}; ///< then a client has left; 0: not before its transport
    };

    /// `offer` has to live longer. `origin` is what all clients have in common: how they come.
    Stateless(
        asio::any_io_executor executor,
        const Offer& offer,
        execution::Client origin,
        Events events,
        Limits limits
    );
    ~Stateless();

    /// Answers a request. What it returns cancels the request; empty: it has been answered.
    std::function<void()> receive(const Message& message, const FieldOf& fieldOf, Sink sink);

    /// What the bridge says of the client whose messages it carries.
    void introduceBridge(const BridgeIntroduction& introduction);

    /// No request waits for its answer; subscriptions don't count.
    [[nodiscard]] bool isIdle() const { return m_inFlight.size() == m_subscriptions; }
    /// Who has asked for something lately.
    [[nodiscard]] std::vector<execution::Client> clients() const;
    /// Cancels what a client has in flight; what it asks later is a new client's.
    void disconnect(const ClientId& id);
    /// Cancels all that is in flight; nobody is there any more.
    void leave();
    /// Ends subscriptions in due form and cancels the rest.
    asio::awaitable<void> close();

private:
    struct Row;
    struct Caller;
    struct InFlight;
    struct Refusal {
        RpcError error;
        int status = 400;
    };

    static const std::vector<Row>& rows();
    [[nodiscard]] std::optional<Refusal>
    problemWith(const Message& message, const FieldOf& fieldOf) const;
    [[nodiscard]] std::shared_ptr<InFlight> take(const Message& message, Sink sink, bool known);
    std::shared_ptr<Caller> callerOf(const Json& clientInfo);

    asio::awaitable<Reply> discover(std::shared_ptr<Call> call);
    asio::awaitable<Reply> getTask(std::shared_ptr<Call> call);
    asio::awaitable<Reply> updateTask(std::shared_ptr<Call> call);
    asio::awaitable<Reply> cancelTask(std::shared_ptr<Call> call);

    static asio::awaitable<void>
    run(std::shared_ptr<Stateless> self,
        std::shared_ptr<InFlight> request,
        std::function<asio::awaitable<Reply>(std::shared_ptr<Call>)> reading,
        Caching caching);
    void finish(const std::shared_ptr<InFlight>& request, Reply reply, Caching caching);
    void subscribe(const std::shared_ptr<InFlight>& request);
    void cancel(const std::shared_ptr<InFlight>& request);
    void release(const std::shared_ptr<InFlight>& request);
    static asio::awaitable<void> dropIdle(std::weak_ptr<Stateless> of, Limits limits);

    const Offer& m_offer;
    execution::Client m_origin;
    BridgeLimits m_bridge;
    Events m_events;
    Limits m_limits;
    RequestState m_states;
    std::map<std::string, std::shared_ptr<Caller>> m_callers; ///< by what they say of themselves
    std::set<std::shared_ptr<InFlight>> m_inFlight;
    std::size_t m_subscriptions = 0;
    bool m_dropping = false; ///< dropIdle() runs
    TaskGroup m_tasks;
};

} // namespace belljar::mcp
