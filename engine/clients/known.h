// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The programs that speak MCP as clients, and their configuration files.
namespace belljar::clients {

/// Keeps the order of members: an entry is written as its row has it.
using OrderedJson = nlohmann::ordered_json;

enum class Format : std::uint8_t {
    Json, ///< with comments and trailing commas, as people and editors write it
    Toml,
};

/// What a person has to do in the client before it sees a changed configuration.
enum class After : std::uint8_t {
    Nothing,   ///< it watches the file
    Restart,   ///< quit it and start it again
    Refresh,   ///< refresh its list of servers
    Reconnect, ///< reconnect the server in its list
    Start,     ///< start the server in its list
};

/// How a client reaches Belljar.
enum class Transport : std::uint8_t { Stdio, Http };

/// A client, a row of resources/clients.
///
/// Paths are templates: `~` is the home folder, `${NAME}` and `${NAME:-default}` a variable of the
/// environment that holds an absolute path. One with a variable that isn't set names nothing.
struct KnownClient {
    std::string id;    ///< "claude-code"
    std::string title; ///< "Claude Code"
    Format format = Format::Json;
    std::string key;                    ///< of the object that holds the servers: "mcpServers"
    std::string nested;                 ///< member of an entry that may hold the rest of it
    std::vector<std::string> userFiles; ///< the first that names something
    std::string projectFile;            ///< relative to a project's folder; empty: it has none
    std::vector<std::string> programs;  ///< one on the search path, or one of `paths`, means that
                                        ///< it is installed
    std::vector<std::string> paths;
    std::vector<std::string> names; ///< that it gives itself in MCP
    After after = After::Nothing;
    OrderedJson stdio;               ///< with "@program@"
    std::optional<OrderedJson> http; ///< with "@url@" and "@token@"; nothing: not by a file
};

/// Reads every row of `folder`, in the order of the titles. Errors: NotFound, InvalidArgument with
/// file and member.
Result<std::vector<KnownClient>> loadKnownClients(const std::filesystem::path& folder);

/// Reads one row; `place` is for messages.
Result<KnownClient> decodeKnownClient(const std::string& text, const std::string& place);

/// The client that calls itself `name` in MCP, or null. A label, not an identity (R-85).
[[nodiscard]] const KnownClient*
findByName(const std::vector<KnownClient>& known, std::string_view name);
[[nodiscard]] const KnownClient*
findById(const std::vector<KnownClient>& known, std::string_view id);

/// Looks up a variable of the environment.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The path that a template names; nothing when a variable of it isn't set or isn't absolute.
[[nodiscard]] std::optional<std::filesystem::path> expandPath(
    std::string_view text, const std::filesystem::path& home, const Environment& environment
);

} // namespace belljar::clients
