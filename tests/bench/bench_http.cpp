// SPDX-License-Identifier: GPL-3.0-or-later
// Requests a second on one connection: `ping` over Streamable HTTP, and a bare Beast server that
// sends a body of the same size back, in the same run and with the same client. One JSON line:
// {"bare":N,"mcp":N}.
#include "engine/http/server.h"
#include "engine/mcp/transport/streamable_http.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <thread>

using namespace belljar;

namespace {

namespace beast_http = boost::beast::http;
using asio::ip::tcp;
using Message = beast_http::request<beast_http::string_body>;

constexpr int kRequests = 10'000;
constexpr int kRounds = 5;
const std::string kToken(64, 't');

asio::awaitable<void> echo(tcp::acceptor& acceptor)
{
    for (;;) {
        tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
        socket.set_option(tcp::no_delay(true));
        boost::beast::flat_buffer buffer;
        try {
            for (;;) {
                Message message;
                co_await beast_http::async_read(socket, buffer, message, asio::use_awaitable);
                beast_http::response<beast_http::string_body> answer(beast_http::status::ok, 11);
                answer.set(beast_http::field::content_type, "application/json");
                answer.body() = std::move(message.body());
                answer.prepare_payload();
                co_await beast_http::async_write(socket, answer, asio::use_awaitable);
            }
        } catch (const boost::system::system_error&) {
            // the client has gone: the next one
        }
    }
}

class Client {
public:
    explicit Client(std::uint16_t port)
        : m_socket(m_context)
    {
        m_socket.connect({asio::ip::address_v4::loopback(), port});
        m_socket.set_option(tcp::no_delay(true));
    }

    beast_http::response<beast_http::string_body> ask(const std::string& body)
    {
        Message message(beast_http::verb::post, "/mcp", 11);
        message.set(beast_http::field::host, "127.0.0.1");
        message.set(beast_http::field::authorization, "Bearer " + kToken);
        message.set(beast_http::field::content_type, "application/json");
        message.set(beast_http::field::accept, "application/json, text/event-stream");
        if (!m_session.empty())
            message.set("Mcp-Session-Id", m_session);
        message.body() = body;
        message.prepare_payload();
        beast_http::write(m_socket, message);
        beast_http::response<beast_http::string_body> answer;
        beast_http::read(m_socket, m_buffer, answer);
        return answer;
    }
    void begin()
    {
        const auto answer = ask(
            R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
        );
        m_session = std::string(answer["Mcp-Session-Id"]);
    }
    /// Requests a second.
    double measure()
    {
        const auto began = std::chrono::steady_clock::now();
        for (int id = 1; id <= kRequests; ++id) {
            const auto answer =
                ask(R"({"jsonrpc":"2.0","method":"ping","id":)" + std::to_string(id) + "}");
            if (answer.result() != beast_http::status::ok)
                throw std::runtime_error(answer.body());
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        return kRequests / took.count();
    }

private:
    asio::io_context m_context;
    tcp::socket m_socket;
    boost::beast::flat_buffer m_buffer;
    std::string m_session;
};

} // namespace

int main()
{
    asio::io_context context;
    mcp::Offer offer(context.get_executor());
    mcp::ClientEvents events;
    events.connected = events.changed = [](const execution::Client&) {};
    events.disconnected = [](const ClientId&) {};
    mcp::StreamableHttp transport(context.get_executor(), offer, std::move(events), {});
    http::Access access(mcp::StreamableHttp::places(), {}, {});
    access.setToken(kToken);
    http::Server server(
        context.get_executor(),
        http::ServerOptions(),
        std::move(access),
        [&](const std::shared_ptr<http::Exchange>& exchange, http::Request request) {
            transport.handle(exchange, std::move(request));
        }
    );
    if (!server.listen(true))
        return 1;
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    asio::co_spawn(context, echo(acceptor), [](const std::exception_ptr&) {});
    std::thread thread([&context] { context.run(); });
    double bare = 0;
    double ours = 0;
    {
        Client plain(acceptor.local_endpoint().port());
        Client mcp(server.port());
        mcp.begin();
        // Turn by turn, and the best of each: what else the machine does hits both.
        for (int round = 0; round < kRounds; ++round) {
            bare = std::max(bare, plain.measure());
            ours = std::max(ours, mcp.measure());
        }
    }
    const auto close = [&]() -> asio::awaitable<void> {
        co_await transport.close();
        co_await server.close(deadlineIn(std::chrono::seconds(1)));
        context.stop();
    };
    asio::co_spawn(context, close(), [](const std::exception_ptr&) {});
    thread.join();
    std::cout << "{\"bare\":" << static_cast<long>(bare) << ",\"mcp\":" << static_cast<long>(ours)
              << "}\n";
    return 0;
}
