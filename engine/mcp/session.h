// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/mcp/bridge.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/methods.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/revision.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace belljar::mcp {

/// A message on its way to a client.
struct Outgoing {
    std::string line;      ///< without its newline
    std::string regarding; ///< keyOf() the client's request that it belongs to; empty: to none
    bool answers = false;  ///< that request, or of a batch all of them
};

/// The id of a request, as a key: 7 and "7" are different.
[[nodiscard]] inline std::string keyOf(const Json& id)
{
    return id.dump();
}

/// What a client says of itself, shortened where it says a lot.
void introduce(execution::Client& client, const Json& clientInfo);

/// One client's conversation in the legacy era (SPEC.md section 4), without a transport: messages
/// in, lines out.
///
/// Requests run beside each other; a slow one holds nothing up. A cancelled one is not answered.
/// Lives on the engine thread and in a shared_ptr, since a call may outlive the connection.
class Session : public std::enable_shared_from_this<Session> {
public:
    struct Events {
        std::function<void(Outgoing message)> send;
        std::function<void(const execution::Client&)> changed; ///< the handshake told who it is
        /// The connection on which the answer to a request is awaited may end; the client comes
        /// back for it. Empty where that isn't so.
        std::function<void(const std::string& regarding)> letGo = {};
    };

    /// `offer` has to live longer than the session.
    Session(
        asio::any_io_executor executor, const Offer& offer, execution::Client client, Events events
    );

    /// One line or body of the client.
    void receive(Parsed parsed);
    /// What the bridge says of the client whose messages it carries.
    void introduceBridge(const BridgeIntroduction& introduction);
    /// The client has gone: nothing is sent any more, calls in flight are cancelled.
    void close();

    /// No request waits for its answer.
    [[nodiscard]] bool isIdle() const { return m_calls.empty(); }
    [[nodiscard]] const execution::Client& client() const { return m_client; }
    /// Null before the handshake.
    [[nodiscard]] const Revision* revision() const { return m_revision; }

private:
    struct Row;
    struct Batch;
    /// Called once for each request; with null when it isn't to be answered.
    using Answer = std::function<void(const Json& id, Json message)>;
    using Reading = std::function<asio::awaitable<Reply>(std::shared_ptr<Call>)>;

    static const std::vector<Row>& rows();

    void handle(Message message, const Answer& answer);
    void handleNotification(const Message& message);
    void send(const Json& message, std::string regarding = {}, bool answers = false);

    Reply initialize(const Json& params);
    Reply ping(const Json& params);
    Reply setLevel(const Json& params);
    Reply subscribe(const Json& params);
    Reply unsubscribe(const Json& params);
    Reply getTask(const Json& params);
    Reply listTasks(const Json& params);
    Reply cancelTask(const Json& params);
    asio::awaitable<Reply> resultOfTask(std::shared_ptr<Call> call);

    void begin(std::string name, const Message& message, const Answer& answer, Reading reading);
    asio::awaitable<void>
    run(std::shared_ptr<Session> self,
        std::shared_ptr<Call> call,
        Json id,
        Reading reading,
        Answer answer);
    std::shared_ptr<Call> makeCall(const Message& message);
    void tell(const Change& change);
    void takeResponse(const Message& message);
    asio::awaitable<std::optional<Json>>
    request(std::shared_ptr<Session> self, Json request, std::string regarding);

    const Offer& m_offer;
    execution::Client m_client;
    Events m_events;
    const Revision* m_revision = nullptr; ///< nullptr before the handshake
    Json m_capabilities = Json::object();
    BridgeLimits m_bridge;
    LogLevel m_logLevel = LogLevel::Info;
    bool m_closed = false;

    /// A request of ours that isn't answered yet.
    struct Asked {
        std::shared_ptr<asio::steady_timer> answered; ///< never expires; cancelled by the answer
        Json result;                                  ///< null: an error
        bool settled = false;
    };
    std::map<std::string, std::shared_ptr<Asked>> m_asked; ///< by the request's id
    std::uint64_t m_nextAsked = 1;
    std::map<std::string, std::shared_ptr<Call>> m_calls; ///< in flight, by keyOf()
    std::set<std::string> m_watched;                      ///< uris that the client wants to hear of
    std::vector<std::string> m_ownTasks;                  ///< ids, oldest first
    std::shared_ptr<void> m_listening;
    TaskGroup m_tasks;
};

} // namespace belljar::mcp
