// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/text.h"

namespace belljar::runner {

/// The `hello` message: what this process finds itself in, so that the engine can refuse a sandbox
/// that isn't as it must be.
Text<4096> makeHello(int cgroupVersion);

} // namespace belljar::runner
