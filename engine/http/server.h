// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/result.h"
#include "engine/base/task_group.h"
#include "engine/http/access.h"
#include "engine/http/exchange.h"
#include "engine/http/message.h"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>

namespace belljar::http {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;      ///< 0: any that is free
    std::string certificateFile; ///< PEM, with its chain; empty: no TLS
    std::string keyFile;         ///< PEM
    Limits limits;
};

class Connection;

/// An HTTP/1.1 server on the engine thread. Requests on one connection are answered one after the
/// other; connections are served beside each other.
class Server {
public:
    Server(asio::any_io_executor executor, ServerOptions options, Access access, Handler handler);
    ~Server();

    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Begins to accept. Errors: Unsafe for an address that others can reach, without TLS; Busy
    /// when the port is taken; InvalidArgument (address, certificate, key); IoFailed.
    Result<> listen(bool hasToken);

    /// Where it listens, with the port that it got.
    [[nodiscard]] std::string url(std::string_view path) const;
    [[nodiscard]] std::uint16_t port() const { return m_port; }

    /// Another token from now on: connections that showed the old one end.
    void setToken(std::string_view token);

    [[nodiscard]] std::size_t connections() const { return m_connections.size(); }

    /// Accepts no more, ends idle connections, gives answers in progress until `deadline`, then
    /// ends all.
    asio::awaitable<void> close(Deadline deadline);

private:
    class Tls;

    Result<> openAcceptor(const asio::ip::address& address);
    Result<> loadTls();
    asio::awaitable<void> acceptAll();
    asio::awaitable<void> look();
    asio::awaitable<void> serve(std::shared_ptr<Connection> connection);
    asio::awaitable<Result<bool>> joinConnections();
    [[nodiscard]] bool hasRoomFor(const asio::ip::address& peer) const;

    asio::any_io_executor m_executor;
    ServerOptions m_options;
    Access m_access;
    Handler m_handler;
    std::unique_ptr<Tls> m_tls;
    asio::ip::tcp::acceptor m_acceptor;
    std::uint16_t m_port = 0;
    std::list<std::shared_ptr<Connection>> m_connections;
    TaskGroup m_own; ///< what accepts and what looks after time-outs
    TaskGroup m_serving;
};

} // namespace belljar::http
