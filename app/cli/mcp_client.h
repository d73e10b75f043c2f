// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace belljar::cli {

/// A small MCP client for our own engine: the subcommands use the same door as every other client,
/// so that their runs are decided on, shown and recorded like any.
class McpClient {
public:
    /// Connects to the engine's socket and shakes hands. Errors: NotFound when no engine listens,
    /// IoFailed, ProtocolViolation.
    static Result<McpClient> connect(const std::filesystem::path& socketFile);

    /// Calls `tool` and returns the whole result object. Blocks. Errors: InvalidArgument with the
    /// engine's words for a JSON-RPC error, Closed, ProtocolViolation.
    Result<Json> callTool(const std::string& tool, const Json& arguments);

private:
    Result<> send(const Json& message);
    Result<Json> request(const std::string& method, const Json& params);
    Result<std::string> readLine();

    UniqueFd m_socket;
    std::string m_buffer;
    std::int64_t m_nextId = 1;
};

} // namespace belljar::cli
