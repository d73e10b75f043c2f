// SPDX-License-Identifier: GPL-3.0-or-later
// The server that the official conformance suite is run against: belljar-conformance TOKEN ORIGIN.
// Says its address on stdout and serves until stdin ends. ORIGIN is what the suite says that it is,
// like http://localhost:1234.
#include "engine/http/server.h"
#include "engine/mcp/tasks.h"
#include "engine/mcp/transport/streamable_http.h"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>

#include <array>
#include <iostream>
#include <utility>

#include "fixtures.h"
#include <unistd.h>

using namespace belljar;
using namespace std::chrono_literals;

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::cerr << "usage: belljar-conformance TOKEN ORIGIN\n";
        return 2;
    }

    asio::io_context context;
    mcp::Offer offer(context.get_executor());
    conformance::addFixtures(offer);
    conformance::addInputFixtures(offer);
    conformance::addTaskFixtures(offer);
    mcp::ClientEvents events;
    events.connected = events.changed = [](const execution::Client&) {};
    events.disconnected = [](const ClientId&) {};
    mcp::StreamableHttp transport(context.get_executor(), offer, events, {});
    http::Access access(mcp::StreamableHttp::places(), {}, {argv[2]});
    access.setToken(argv[1]);
    http::Server server(
        context.get_executor(),
        http::ServerOptions(),
        std::move(access),
        [&transport](const std::shared_ptr<http::Exchange>& exchange, http::Request request) {
            transport.handle(exchange, std::move(request));
        }
    );
    if (const auto listening = server.listen(true); !listening) {
        std::cerr << listening.error().message() << "\n";
        return 1;
    }
    std::cout << server.url("/mcp") << std::endl;

    asio::posix::stream_descriptor input(context, ::dup(STDIN_FILENO));
    std::array<char, 256> ignored{};
    const auto close = [&]() -> asio::awaitable<void> {
        co_await transport.close();
        co_await offer.tasks().close();
        co_await server.close(deadlineIn(1s));
    };
    std::function<void()> listen = [&] {
        input.async_read_some(
            asio::buffer(ignored),
            [&](const boost::system::error_code& ended, std::size_t) {
                if (!ended)
                    return listen();
                asio::co_spawn(context, close(), [&](const std::exception_ptr&) {
                    context.stop();
                });
            }
        );
    };
    listen();
    context.run();
    return 0;
}
