// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <spdlog/logger.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace belljar::log {

/// The loggers, one per area, over shared sinks. Before start() they write warnings to stderr.
/// One event is one line of `key=value` fields, execution id first. Foreign text goes through
/// safe().
spdlog::logger& engine();
spdlog::logger& docker();
spdlog::logger& sandbox();
spdlog::logger& store();
spdlog::logger& mcp();
spdlog::logger& ui();

/// Sends every logger to `file` (rotating, 3 x 5 MiB, mode 0600) and to stderr from `stderrLevel`
/// up. The level comes from BELLJAR_LOG (trace, debug, info, warn, error), default info. A file
/// that can't be opened is reported and left out: logging never stops the program.
void start(const std::filesystem::path& file, spdlog::level::level_enum stderrLevel);

/// `text` made safe for one log line: unusual characters escaped, at most 1 KiB (requirement R-46).
std::string safe(std::string_view text);

} // namespace belljar::log
