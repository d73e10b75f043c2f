// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/http/access.h"
#include "engine/http/exchange.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <array>
#include <memory>
#include <optional>

namespace belljar::http {

/// One client's connection: two coroutines, one that reads all the time, so that a client that
/// leaves is noticed while its answer is in the making, and one that parses and answers. Every wait
/// has a deadline, which look() enforces.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    /// `tls` null: none. `limits` and `access` have to live longer.
    Connection(
        asio::ip::tcp::socket socket,
        asio::ssl::context* tls,
        const Limits& limits,
        const Access& access
    );

    /// TLS, where it is; before all else. False: the client can't.
    asio::awaitable<bool> shakeHands();
    /// Reads until the client or shut() ends it.
    asio::awaitable<void> pump(std::shared_ptr<Connection> self);
    /// Answers requests until either side ends it.
    asio::awaitable<void> serve(std::shared_ptr<Connection> self, Handler handler);

    /// Ends it now, whatever is in progress.
    void shut();
    /// Ends it as soon as no answer is in progress.
    void finish();
    /// Ends it where a deadline has passed; keeps a quiet stream alive.
    void look(SteadyClock::time_point now);

    [[nodiscard]] const asio::ip::address& peer() const { return m_peer; }

private:
    class Answer;
    class Reader;

    asio::awaitable<void> answerAll(Handler handler);
    asio::awaitable<bool> send(std::shared_ptr<Answer> answer);
    asio::awaitable<bool> writeAll(std::string bytes);
    asio::awaitable<void> linger();
    /// Until there is news: bytes, something to send, the end.
    asio::awaitable<void> waitForNews();
    void tellNews() { m_news.cancel(); }

    asio::ip::tcp::socket m_socket;
    std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> m_tls;
    asio::ip::address m_peer;
    const Limits& m_limits;
    const Access& m_access;

    static constexpr std::size_t kReadBytes = 16U * 1024;
    std::array<char, kReadBytes> m_chunk; // not initialised: an idle connection touches none of it
    boost::beast::flat_buffer m_unread;   ///< read and not parsed
    bool m_open = true;
    bool m_ended = false;             ///< the client sends no more
    bool m_finishing = false;         ///< no further request
    bool m_discarding = false;        ///< what comes is not looked at
    Deadline m_deadline;              ///< of the wait that is going on; max: it may last
    std::shared_ptr<Answer> m_answer; ///< in progress
    asio::steady_timer m_news;        ///< never expires; cancelled by tellNews()
    asio::steady_timer m_room;        ///< never expires; cancelled when bytes have been parsed
};

} // namespace belljar::http
