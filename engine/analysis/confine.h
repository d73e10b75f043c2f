// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

namespace belljar::analysis {

/// Takes everything from this process that reading descriptor 0, thinking, and writing descriptors
/// 1 and 2 doesn't need: it reads hostile text with parsers that can be broken by it.
///
/// From then on: no descriptor but these three, no new ones, 2 GiB of memory, none of it
/// executable but what is already, and of the system calls only those in confine.cpp; any other
/// one ends the process (SIGSYS). It can't be taken back and holds for every thread. It also ends
/// with its parent.
///
/// Errors: IoFailed where the system can't do it; then nothing hostile may be read.
Result<> confineThisProcess();

} // namespace belljar::analysis
