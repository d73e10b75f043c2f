// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/launch.h"

#include <sys/types.h>

namespace belljar::runner {

enum class Kind {
    Cold, ///< runs the program at once
    Warm, ///< gets descriptor 3 and waits there
};

/// The runner's ends of what joins it to the program. All non-blocking and close-on-exec.
struct Child {
    pid_t pid = -1;
    int standardInput = -1;
    int standardOutput = -1;
    int standardError = -1;
    int channel = -1; ///< the other end of a warm interpreter's descriptor 3

    /// 0, or the error number of what failed: the exec itself, or a step before it.
    int error = 0;
};

/// Starts a program in its own session with nothing of ours but its pipes, with default
/// signals, and first in line for the OOM killer. Returns when exec has succeeded or failed.
Child startChild(const Launch& launch, Kind kind);

} // namespace belljar::runner
