// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/child.h"
#include "engine/runner/json_reader.h"
#include "engine/runner/launch.h"
#include "engine/runner/text.h"

#include <climits>
#include <cstdint>
#include <string_view>

namespace belljar::runner {

/// The engine's `run` message, apart from what goes into the Launch.
struct RunOrder {
    Kind kind = Kind::Cold;
    Text<NAME_MAX> file;
    std::uint64_t codeBytes = 0;
    std::uint64_t timeoutMs = 0;
    std::uint64_t killGraceMs = 1000;
    std::uint64_t drainMs = 200;
    std::uint64_t headBytes = 0;
    std::uint64_t tailBytes = 0;
    std::uint64_t sampleMs = 100;
    std::uint64_t files = 0; ///< sent at most
    std::uint64_t fileBytes = 0;
    std::uint64_t filesBytes = 0; ///< of all together
    std::uint64_t filesMs = 0;    ///< for looking and sending
    /// What a warm interpreter reads: {"args":[...]}.
    Text<std::size_t{128} * 1024> goMessage;
};

/// Reads `prepare` into `launch`. Empty when it is fine, else what is wrong with it.
std::string_view readPrepare(const JsonDocument& document, Launch& launch);

/// Reads `run` into `order`, and into `launch` when the program is to be started from it.
std::string_view readRun(const JsonDocument& document, RunOrder& order, Launch& launch);

} // namespace belljar::runner
