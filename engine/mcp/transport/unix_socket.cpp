// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/transport/unix_socket.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/mcp/line_framer.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <string>
#include <utility>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace belljar::mcp {

namespace {

using Socket = asio::local::stream_protocol::socket;
using namespace std::chrono_literals;

constexpr std::size_t kMaxConnections = 64;
constexpr std::size_t kReadBytes = 64U * 1024;
constexpr std::size_t kSlowReaderBytes =
    8U * 1024 * 1024; // unsent, then nothing more is read of this client
constexpr std::size_t kDeadReaderBytes = 256U * 1024 * 1024; // unsent, then the connection ends
constexpr std::size_t kMaxPathBytes = 107;                   // sun_path, unix(7)
constexpr auto kAcceptPause = 100ms;                         // when descriptors have run out
constexpr auto kLastAnswers = 300ms;                         // at the end, for those on their way
constexpr auto kLook = 5ms;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

/// The file at `path` may be replaced: it is absent, or a socket of ours.
Result<> clearWay(const std::filesystem::path& path)
{
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0)
        return errno == ENOENT
                   ? Result<>()
                   : Result<>(fail(Errc::IoFailed, path.string() + ": " + describeErrno(errno)));
    if (!S_ISSOCK(info.st_mode) || info.st_uid != ::geteuid())
        return fail(
            Errc::Unsafe, path.string() + " is not a socket of yours; move it away and start again"
        );
    if (::unlink(path.c_str()) != 0)
        return fail(Errc::IoFailed, path.string() + ": " + describeErrno(errno));
    return {};
}

bool isOurUser(Socket& socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           peer.uid == ::geteuid();
}

} // namespace

/// A socket with its session, and the lines that are on their way out.
class UnixSocketListener::Connection {
public:
    Connection(Socket socket, asio::any_io_executor executor)
        : m_socket(std::move(socket))
        , m_wake(executor, asio::steady_timer::time_point::max())
        , m_drained(executor, asio::steady_timer::time_point::max())
    {}

    void send(std::string line)
    {
        if (!m_open)
            return;
        line += '\n';
        m_unsentBytes += line.size();
        m_unsent.push_back(std::move(line));
        m_wake.cancel();
        if (m_unsentBytes > kDeadReaderBytes) {
            log::mcp().warn("connection={} closed=\"does not read\"", id.text());
            close();
        }
    }

    asio::awaitable<void> read()
    {
        LineFramer framer;
        std::string buffer(kReadBytes, '\0');
        for (;;) {
            const auto [error, count] =
                co_await m_socket.async_read_some(asio::buffer(buffer), kTuple);
            if (error || !m_open)
                co_return;
            for (const LineFramer::Line& line :
                 framer.feed(std::string_view(buffer).substr(0, count))) {
                // Asked line by line: one read may hold hundreds of calls with large answers.
                while (m_open && m_unsentBytes > kSlowReaderBytes) {
                    boost::system::error_code woken;
                    co_await m_drained.async_wait(asio::redirect_error(asio::use_awaitable, woken));
                }
                if (!m_open)
                    co_return;
                if (line.tooLong)
                    pipe->receiveTooLong(framer.maxBytes());
                else
                    pipe->receive(line.text);
            }
        }
    }

    /// `self` keeps the connection until the last wait has come back: closing only asks for it.
    asio::awaitable<void> write(std::shared_ptr<Connection> /*self*/)
    {
        while (m_open) {
            while (!m_unsent.empty()) {
                const std::string line = std::move(m_unsent.front());
                m_unsent.pop_front();
                const auto [error, count] =
                    co_await asio::async_write(m_socket, asio::buffer(line), kTuple);
                if (error) {
                    close();
                    co_return;
                }
                m_unsentBytes -= line.size();
                m_drained.cancel();
            }
            if (!m_open)
                co_return;
            boost::system::error_code woken;
            co_await m_wake.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
    }

    /// Every answer has been sent.
    [[nodiscard]] bool isDone() const { return !m_open || (pipe->isIdle() && m_unsentBytes == 0); }

    void close()
    {
        m_open = false;
        boost::system::error_code ignored; // it is closed whatever close() reports
        m_socket.close(ignored);
        m_wake.cancel();
        m_drained.cancel();
    }

    std::shared_ptr<Pipe> pipe;
    ClientId id; ///< of who shook hands on it; others have ids of their own

private:
    Socket m_socket;
    bool m_open = true;
    std::deque<std::string> m_unsent;
    std::size_t m_unsentBytes = 0;
    asio::steady_timer m_wake;    ///< never expires; cancelled when there is something to send
    asio::steady_timer m_drained; ///< never expires; cancelled when something has been sent
};

UnixSocketListener::UnixSocketListener(
    asio::any_io_executor executor,
    std::filesystem::path socketFile,
    const Offer& offer,
    ClientEvents events
)
    : m_executor(executor)
    , m_socketFile(std::move(socketFile))
    , m_offer(offer)
    , m_events(std::move(events))
    , m_acceptor(executor)
    , m_tasks(executor, "mcp socket")
{}

UnixSocketListener::~UnixSocketListener() = default;

Result<> UnixSocketListener::listen()
{
    if (m_socketFile.native().size() > kMaxPathBytes)
        return fail(
            Errc::Unsafe,
            m_socketFile.string() + ": the path has " +
                std::to_string(m_socketFile.native().size()) +
                " bytes and a socket's at most 107; set XDG_RUNTIME_DIR to a shorter folder"
        );
    if (auto made = makePrivateFolder(m_socketFile.parent_path()); !made)
        return made;
    if (auto cleared = clearWay(m_socketFile); !cleared)
        return cleared;
    const asio::local::stream_protocol::endpoint endpoint(m_socketFile.string());
    boost::system::error_code error;
    m_acceptor.open(endpoint.protocol(), error);
    // Private from its first moment: no one can connect between bind and chmod.
    const mode_t before = ::umask(0177);
    if (!error)
        m_acceptor.bind(endpoint, error);
    ::umask(before);
    if (!error)
        m_acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
        return fail(Errc::IoFailed, m_socketFile.string() + ": " + error.message());
    m_tasks.spawn("accept", acceptAll());
    return {};
}

asio::awaitable<void> UnixSocketListener::acceptAll()
{
    for (;;) {
        auto [error, socket] = co_await m_acceptor.async_accept(kTuple);
        if (error == asio::error::operation_aborted || !m_acceptor.is_open())
            co_return;
        if (error) {
            log::mcp().warn("accept_failed=\"{}\"", error.message());
            co_await sleepUntil(deadlineIn(kAcceptPause));
            continue;
        }
        if (m_connections.size() >= kMaxConnections || !isOurUser(socket))
            continue; // the socket closes as it goes out of scope
        auto connection = std::make_shared<Connection>(std::move(socket), m_executor);
        execution::Client client;
        client.id = ClientId::make();
        client.transport = "socket";
        client.connectedAt = execution::unixNow();
        connection->id = client.id;
        connection->pipe = Pipe::make(
            m_executor,
            m_offer,
            std::move(client),
            [weak = std::weak_ptr(connection)](std::string line) {
                if (const auto open = weak.lock())
                    open->send(std::move(line));
            },
            m_events
        );
        m_connections.push_back(connection);
        m_tasks.spawn("write", connection->write(connection));
        m_tasks.spawn("serve", serve(std::move(connection)));
    }
}

asio::awaitable<void> UnixSocketListener::serve(std::shared_ptr<Connection> connection)
{
    // Also when the listener closes and this wait is cancelled, the client's runs have to end.
    const std::shared_ptr<void> leave(nullptr, [this, connection](void*) {
        connection->pipe->close();
        connection->close();
        m_connections.remove(connection);
    });
    co_await connection->read();
}

std::vector<execution::Client> UnixSocketListener::clients() const
{
    std::vector<execution::Client> clients;
    for (const auto& connection : m_connections) {
        for (execution::Client& client : connection->pipe->clients())
            clients.push_back(std::move(client));
    }
    return clients;
}

void UnixSocketListener::disconnect(const ClientId& id)
{
    for (const auto& connection : m_connections) {
        const auto clients = connection->pipe->clients();
        if (std::any_of(clients.begin(), clients.end(), [&id](const execution::Client& client) {
                return client.id == id;
            }))
            connection->close(); // what reads of it takes it out of the list
    }
}

asio::awaitable<void> UnixSocketListener::close()
{
    boost::system::error_code ignored; // it is closed whatever close() reports
    m_acceptor.close(ignored);
    ::unlink(m_socketFile.c_str());
    // What has ended by now is still on its way to its client.
    const auto isDone = [](const auto& connection) { return connection->isDone(); };
    for (const Deadline end = deadlineIn(kLastAnswers); SteadyClock::now() < end;) {
        if (std::all_of(m_connections.begin(), m_connections.end(), isDone))
            break;
        co_await sleepUntil(deadlineIn(kLook));
    }
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
}

} // namespace belljar::mcp
