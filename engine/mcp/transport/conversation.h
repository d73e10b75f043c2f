// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/deadline.h"
#include "engine/http/exchange.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/session.h"
#include "engine/mcp/transport/event_log.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::mcp {

/// One HTTP session with its streams: which of them a message of ours goes to, and what is said
/// again to a client that lost one.
class Conversation : public std::enable_shared_from_this<Conversation> {
public:
    /// The two endpoints of 2024-11-05, or the one of the revisions after it.
    enum class Form : std::uint8_t { OneEndpoint, TwoEndpoints };
    using Exchange = std::shared_ptr<http::Exchange>;

    Conversation(std::string id, Form form, std::size_t replayBytes);

    [[nodiscard]] const std::string& id() const { return m_id; }
    [[nodiscard]] Form form() const { return m_form; }

    /// Opens a stream for the answers to the requests in `parsed`. Its number.
    std::uint64_t open(const Exchange& exchange, const Parsed& parsed);
    /// Is a request of one of these ids unanswered?
    [[nodiscard]] bool awaitsAny(const Parsed& parsed) const;
    /// Makes server-sent events of an answer that isn't there yet.
    void becomeStream(std::uint64_t stream);
    [[nodiscard]] bool isUnanswered(std::uint64_t stream) const
    {
        return m_streams.contains(stream);
    }
    /// The client won't wait for the answer to the request of this id any more.
    void forget(const Json& requestId);

    [[nodiscard]] bool hasListener() const { return m_standalone.isHeard(); }
    /// The stream of what belongs to no request.
    void listen(const Exchange& exchange);
    /// Goes on with the stream of `last` after it.
    void resume(const Exchange& exchange, EventId last);
    /// The one stream of the older form; `first` is its first event.
    void listenTo(const Exchange& exchange, std::string_view first);

    /// A message of the session.
    void say(Outgoing message);
    /// Ends the stream on which the answer to a request is awaited, so that its client comes back
    /// for the rest; nothing where it couldn't.
    void letGo(const std::string& regarding);

    /// Nothing is going on and nobody listens.
    [[nodiscard]] bool isIdleSince(SteadyClock::time_point when) const;
    void touch() { m_lastUsed = SteadyClock::now(); }
    [[nodiscard]] SteadyClock::time_point lastUsed() const { return m_lastUsed; }

    /// Ends the session and its streams.
    void close();

    std::shared_ptr<Session> session;

private:
    struct Stream {
        std::uint64_t number = 0;
        Exchange exchange;             ///< null: the client has lost it
        std::set<std::string> awaited; ///< keyOf() requests
        std::uint64_t last = 0;        ///< number of its newest event
        bool isSse = false;

        [[nodiscard]] bool isHeard() const { return exchange && exchange->isOpen(); }
    };

    [[nodiscard]] Stream* awaiting(const std::string& key);
    [[nodiscard]] bool primes() const;
    void begin(Stream& stream, EventId after);
    void tell(Stream& stream, const std::string& line);
    void complete(std::uint64_t stream);
    void watch(const Stream& stream);
    [[nodiscard]] std::vector<http::Field> fields() const;

    std::string m_id;
    Form m_form;
    EventLog m_log;
    std::map<std::uint64_t, Stream> m_streams; ///< of requests that aren't answered yet
    Stream m_standalone;                       ///< number 0
    std::uint64_t m_heard = 0;                 ///< of m_standalone: up to here somebody listened
    std::uint64_t m_newest = 0;
    SteadyClock::time_point m_lastUsed = SteadyClock::now();
};

} // namespace belljar::mcp
