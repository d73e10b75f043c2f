// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/base/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belljar::mcp {

/// The method of the notification with which `belljar stdio` introduces itself, as the first line
/// on the socket.
inline constexpr std::string_view kBridgeMethod = "notifications/belljar/bridge";

/// What a client's configuration says of its runs (SANDBOX_TIMEOUT, SANDBOX_MEMORY): default and
/// upper bound of its calls. `problem` is set where a value can't be used; then its calls are
/// refused with it.
struct BridgeLimits {
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<std::uint64_t> memoryBytes;
    std::optional<std::string> problem;
};

struct BridgeIntroduction {
    std::int64_t pid = 0;   ///< of the process that started the bridge
    std::string executable; ///< of that process
    BridgeLimits limits;
};

/// Reads the parameters of kBridgeMethod. Members of the wrong type are left out.
[[nodiscard]] BridgeIntroduction readIntroduction(const Json& params);

/// "10", "2.5": seconds above 0. Errors: InvalidArgument with the allowed form.
Result<std::chrono::milliseconds> parseSeconds(std::string_view text);
/// "512m", "1g", "512MiB", "536870912": bytes, at least 16 MiB. Errors: InvalidArgument with the
/// allowed form.
Result<std::uint64_t> parseMemory(std::string_view text);

} // namespace belljar::mcp
