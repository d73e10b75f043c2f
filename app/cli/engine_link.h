// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/file.h"
#include "engine/base/paths.h"
#include "engine/base/result.h"

#include <functional>
#include <memory>

namespace belljar::cli {

/// Hosts an engine in this process while the returned owner lives. Errors: Busy when another one
/// was faster.
using HostEngine = std::function<Result<std::shared_ptr<void>>()>;

/// A connection to this user's engine, and the engine itself where this process had to host it.
struct EngineLink {
    UniqueFd socket;
    std::shared_ptr<void> host;
};

/// Connects to the engine that runs; else has the session bus start the desktop program, which
/// hosts one; else hosts one here. Blocks up to about 15 seconds. Errors: those of hosting,
/// TimedOut.
Result<EngineLink> linkToEngine(const Paths& paths, const HostEngine& hostEngine);

/// Connects to a Unix socket. Errors: NotFound when nobody listens there, InvalidArgument for a
/// path over 107 bytes.
Result<UniqueFd> connectUnix(const std::filesystem::path& socketFile);

} // namespace belljar::cli
