// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/result.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/pipe.h"

#include <boost/asio/local/stream_protocol.hpp>

#include <filesystem>
#include <list>
#include <memory>
#include <vector>

namespace belljar::mcp {

/// Serves MCP on a Unix socket that only this user can reach: one Pipe for each connection
///
///
/// The caller holds the engine's lock, so a socket file that is there already is a leftover. Lives
/// on the engine thread.
class UnixSocketListener {
public:
    /// `offer` has to live longer than the listener.
    UnixSocketListener(
        asio::any_io_executor executor,
        std::filesystem::path socketFile,
        const Offer& offer,
        ClientEvents events
    );
    ~UnixSocketListener();

    /// Begins to accept. Errors: Unsafe (folder or file of another user, a link, a path over 107
    /// bytes), IoFailed.
    Result<> listen();

    /// Who is connected and has introduced itself.
    [[nodiscard]] std::vector<execution::Client> clients() const;

    /// Ends the connection of a client; its calls are cancelled. None of the id: nothing happens.
    void disconnect(const ClientId& id);

    /// Accepts no more, ends every connection, removes the socket file.
    asio::awaitable<void> close();

private:
    class Connection;

    asio::awaitable<void> acceptAll();
    asio::awaitable<void> serve(std::shared_ptr<Connection> connection);

    asio::any_io_executor m_executor;
    std::filesystem::path m_socketFile;
    const Offer& m_offer;
    ClientEvents m_events;
    asio::local::stream_protocol::acceptor m_acceptor;
    std::list<std::shared_ptr<Connection>> m_connections;
    TaskGroup m_tasks;
};

} // namespace belljar::mcp
