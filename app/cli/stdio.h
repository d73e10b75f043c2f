// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/engine_link.h"
#include "engine/base/paths.h"

namespace belljar::cli {

struct StdioOptions {
    Paths paths;
    HostEngine hostEngine;
};

/// `belljar stdio`: joins stdin and stdout to the engine's socket until stdin ends or the process
/// is told to.
///
/// Nothing but protocol goes to stdout. The engine is looked for when the first line comes, so a
/// start has no side effect. An engine that goes away in the middle is answered for: requests in
/// flight get a JSON-RPC error, then the bridge finds or hosts another and repeats the handshake.
/// Returns the exit code.
int runStdio(const StdioOptions& options);

} // namespace belljar::cli
