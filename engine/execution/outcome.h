// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"
#include "engine/sandbox/runner_protocol.h"

#include <string>

namespace belljar::execution {

/// Writes into `record` how its program ended: status, exit code, times, peaks and the notes that a
/// person needs to make sense of them. `cancelled` says that we asked for the end.
void applyExit(Record& record, const sandbox::Exit& exit, bool cancelled);

/// "SIGSEGV" for 11; "signal 42" for one without a name.
[[nodiscard]] std::string signalName(int signal);

} // namespace belljar::execution
