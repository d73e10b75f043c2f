// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/task_group.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace belljar::test {

/// Something that listens where an engine should, and misbehaves as the test says.
class FakeEngine {
public:
    using Socket = asio::local::stream_protocol::socket;

    enum class Then { Close, StayOpen, Repeat };
    struct Answer {
        std::string bytes;
        Then then = Then::Close;
        std::string repeated; ///< sent again and again, for Then::Repeat
    };
    /// Gets the head of the request ("GET /version HTTP/1.1\r\n...").
    using Script = std::function<Answer(const std::string&)>;

    FakeEngine(asio::io_context& context, std::string path, Script script, int backlog = 16)
        : m_context(context)
        , m_path(std::move(path))
        , m_script(std::move(script))
        , m_acceptor(context)
        , m_tasks(context.get_executor(), "fake engine")
    {
        ::unlink(m_path.c_str());
        m_acceptor.open();
        m_acceptor.bind(asio::local::stream_protocol::endpoint(m_path));
        m_acceptor.listen(backlog);
    }
    ~FakeEngine() { stop(); }
    FakeEngine(const FakeEngine&) = delete;
    FakeEngine& operator=(const FakeEngine&) = delete;

    /// Begins to accept.
    void start() { m_tasks.spawn("accept", acceptAll()); }

    /// Ends as a daemon that is killed: connections break, the socket's file stays.
    void stop()
    {
        boost::system::error_code ignored;
        m_acceptor.close(ignored);
        for (Socket& socket : m_sockets)
            socket.close(ignored);
        m_tasks.close();
        m_context.restart();
        while (m_tasks.size() > 0)
            m_context.run_one();
    }

    [[nodiscard]] const std::vector<std::string>& requests() const { return m_requests; }

private:
    static constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

    asio::awaitable<void> acceptAll()
    {
        for (;;) {
            Socket& socket = m_sockets.emplace_back(m_context);
            const auto [error] = co_await m_acceptor.async_accept(socket, kTuple);
            if (error)
                co_return;
            m_tasks.spawn("serve", serve(&socket));
        }
    }

    asio::awaitable<void> serve(Socket* socket)
    {
        std::string head;
        const auto [error, size] = co_await asio::async_read_until(
            *socket, asio::dynamic_buffer(head), "\r\n\r\n", kTuple
        );
        if (error)
            co_return;
        m_requests.push_back(head.substr(0, head.find("\r\n")));
        const Answer answer = m_script(head);
        auto [writeError, written] =
            co_await asio::async_write(*socket, asio::buffer(answer.bytes), kTuple);
        while (answer.then == Then::Repeat && !writeError) {
            const auto [failed, count] =
                co_await asio::async_write(*socket, asio::buffer(answer.repeated), kTuple);
            writeError = failed;
        }
        if (answer.then != Then::StayOpen)
            socket->close(writeError);
    }

    asio::io_context& m_context;
    std::string m_path;
    Script m_script;
    asio::local::stream_protocol::acceptor m_acceptor;
    std::list<Socket> m_sockets;
    std::vector<std::string> m_requests;
    TaskGroup m_tasks;
};

/// A whole reply.
inline std::string reply(const std::string& status, const std::string& body)
{
    return "HTTP/1.1 " + status +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

} // namespace belljar::test
