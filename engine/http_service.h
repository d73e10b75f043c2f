// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/result.h"
#include "engine/base/task_group.h"
#include "engine/engine.h"
#include "engine/http/server.h"
#include "engine/mcp/transport/streamable_http.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace belljar {

/// MCP over HTTP as the engine serves it: the server, the sessions, and the token's file, which is
/// watched so that a new token counts at once. Lives on the engine thread.
class HttpService {
public:
    /// `offer` has to live longer.
    HttpService(
        asio::any_io_executor executor,
        HttpOptions options,
        std::filesystem::path tokenFile,
        const mcp::Offer& offer,
        mcp::ClientEvents events
    );

    /// Begins to serve where it is switched on, and says to HttpOptions::told where, or why not:
    /// the engine goes on without it.
    void start();

    [[nodiscard]] std::vector<execution::Client> clients() const { return m_mcp.clients(); }
    void disconnect(const ClientId& id) { m_mcp.disconnect(id); }
    asio::awaitable<void> close(Deadline deadline);

private:
    Result<std::string> begin();
    Result<> watchToken();
    asio::awaitable<void> readChanges();
    void takeToken();

    asio::any_io_executor m_executor;
    HttpOptions m_options;
    std::filesystem::path m_tokenFile;
    std::string m_token;
    mcp::StreamableHttp m_mcp;
    std::unique_ptr<http::Server> m_server;   ///< null: it isn't served
    asio::posix::stream_descriptor m_changes; ///< inotify(7)
    TaskGroup m_tasks;
};

} // namespace belljar
