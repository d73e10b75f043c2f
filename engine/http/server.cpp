// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/server.h"

#include "engine/base/log.h"
#include "engine/http/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <sys/resource.h>

namespace belljar::http {

namespace {

using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto kAcceptPause = 100ms; // when descriptors have run out
constexpr rlim_t kOtherDescriptors = 1024;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

/// The usual 1,024 descriptors are fewer than the connections that are promised.
void raiseDescriptorLimit(std::size_t connections)
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, connections + kOtherDescriptors);
    if (limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = wanted;
    ::setrlimit(RLIMIT_NOFILE, &limit); // refused, it stays as it is, and accepting waits
}

} // namespace

class Server::Tls {
public:
    asio::ssl::context context{asio::ssl::context::tls_server};
};

Server::Server(
    asio::any_io_executor executor, ServerOptions options, Access access, Handler handler
)
    : m_executor(executor)
    , m_options(std::move(options))
    , m_access(std::move(access))
    , m_handler(std::move(handler))
    , m_acceptor(executor)
    , m_own(executor, "http")
    , m_serving(executor, "http connections")
{
    if (m_options.address == "localhost")
        m_options.address = "127.0.0.1";
}

Server::~Server() = default;

Result<> Server::loadTls()
{
    if (m_options.certificateFile.empty() && m_options.keyFile.empty())
        return {};
    auto tls = std::make_unique<Tls>();
    error_code error;
    ::SSL_CTX_set_min_proto_version(tls->context.native_handle(), TLS1_2_VERSION);
    tls->context.use_certificate_chain_file(m_options.certificateFile, error);
    if (error)
        return fail(
            Errc::InvalidArgument,
            "the TLS certificate '" + m_options.certificateFile + "': " + error.message()
        );
    tls->context.use_private_key_file(m_options.keyFile, asio::ssl::context::pem, error);
    if (error)
        return fail(
            Errc::InvalidArgument, "the TLS key '" + m_options.keyFile + "': " + error.message()
        );
    m_tls = std::move(tls);
    return {};
}

Result<> Server::openAcceptor(const asio::ip::address& address)
{
    const tcp::endpoint endpoint(address, m_options.port);
    error_code error;
    m_acceptor.open(endpoint.protocol(), error);
    // What an earlier life left in TIME_WAIT is no reason to refuse; a listener still is.
    if (!error)
        m_acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error)
        m_acceptor.bind(endpoint, error);
    if (!error)
        m_acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error)
        m_port = m_acceptor.local_endpoint(error).port();
    if (!error)
        return {};
    error_code ignored; // the first error is the one to tell
    m_acceptor.close(ignored);
    const std::string place = m_options.address + " port " + std::to_string(m_options.port);
    if (error == asio::error::address_in_use)
        return fail(
            Errc::Busy, place + " is taken by another program; end that one or choose another port"
        );
    return fail(Errc::IoFailed, place + ": " + error.message());
}

Result<> Server::listen(bool hasToken)
{
    error_code error;
    const auto address = asio::ip::make_address(m_options.address, error);
    if (error)
        return fail(
            Errc::InvalidArgument,
            "the HTTP address '" + m_options.address + "': expected an IP address like 127.0.0.1"
        );
    const bool hasTls = !m_options.certificateFile.empty() && !m_options.keyFile.empty();
    if (!address.is_loopback() && (!hasTls || !hasToken))
        return fail(
            Errc::Unsafe,
            "HTTP isn't served on " + m_options.address +
                ", which other machines can reach, without TLS and a token; give a certificate and "
                "its key, or use 127.0.0.1"
        );
    if (!hasToken)
        return fail(Errc::Unsafe, "HTTP isn't served without a token");
    if (auto loaded = loadTls(); !loaded)
        return loaded;
    if (auto opened = openAcceptor(address); !opened)
        return opened;
    raiseDescriptorLimit(m_options.limits.connections);
    m_own.spawn("accept", acceptAll());
    m_own.spawn("look", look());
    return {};
}

std::string Server::url(std::string_view path) const
{
    const bool isV6 = m_options.address.find(':') != std::string::npos;
    return (m_tls ? "https://" : "http://") +
           (isV6 ? "[" + m_options.address + "]" : m_options.address) + ":" +
           std::to_string(m_port) + std::string(path);
}

bool Server::hasRoomFor(const asio::ip::address& peer) const
{
    if (m_connections.size() >= m_options.limits.connections)
        return false;
    if (peer.is_loopback())
        return true;
    const auto ofPeer =
        std::count_if(m_connections.begin(), m_connections.end(), [&](const auto& one) {
            return one->peer() == peer;
        });
    return static_cast<std::size_t>(ofPeer) < m_options.limits.connectionsOfPeer;
}

asio::awaitable<void> Server::acceptAll()
{
    for (;;) {
        auto [error, socket] = co_await m_acceptor.async_accept(kTuple);
        if (error == asio::error::operation_aborted || !m_acceptor.is_open())
            co_return;
        if (error) {
            log::mcp().warn("http_accept_failed=\"{}\"", error.message());
            co_await sleepUntil(deadlineIn(kAcceptPause));
            continue;
        }
        auto connection = std::make_shared<Connection>(
            std::move(socket), m_tls ? &m_tls->context : nullptr, m_options.limits, m_access
        );
        if (!hasRoomFor(connection->peer())) {
            connection->shut();
            continue;
        }
        m_connections.push_back(connection);
        m_serving.spawn("serve", serve(std::move(connection)));
    }
}

asio::awaitable<void> Server::serve(std::shared_ptr<Connection> connection)
{
    const std::shared_ptr<void> leave(nullptr, [this, connection](void*) {
        connection->shut();
        m_connections.remove(connection);
    });
    if (!co_await connection->shakeHands())
        co_return;
    m_serving.spawn("read", connection->pump(connection));
    co_await connection->serve(connection, m_handler);
}

asio::awaitable<void> Server::look()
{
    for (;;) {
        co_await sleepUntil(deadlineIn(m_options.limits.look));
        const auto now = SteadyClock::now();
        for (const auto& connection : m_connections)
            connection->look(now);
    }
}

void Server::setToken(std::string_view token)
{
    m_access.setToken(token);
    for (const auto& connection : m_connections)
        connection->shut();
}

asio::awaitable<Result<bool>> Server::joinConnections()
{
    co_await m_serving.join();
    co_return true;
}

asio::awaitable<void> Server::close(Deadline deadline)
{
    error_code ignored; // it is closed whatever close() reports
    m_acceptor.close(ignored);
    m_own.close();
    m_own.cancel();
    co_await m_own.join();
    for (const auto& connection : m_connections)
        connection->finish();
    const auto ended = co_await finishBy(deadline, joinConnections());
    if (!ended)
        log::mcp().info("http=closed in_progress={}", m_connections.size());
    for (const auto& connection : m_connections)
        connection->shut();
    m_serving.close();
    m_serving.cancel();
    co_await m_serving.join();
}

} // namespace belljar::http
