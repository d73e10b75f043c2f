// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace belljar::sandbox {

/// Where the runner folder appears inside every sandbox.
inline constexpr const char* kRunnerMountPoint = "/belljar";

/// Makes the folder that every sandbox mounts read-only: the runner and the interpreter drivers,
/// below `dataFolder`/runner/<digest>. Every file is compared with the SHA-256 this program was
/// built with, before and after copying. Returns the folder. Errors: NotFound, Unsafe (a
/// file is not the one we were built with), IoFailed.
Result<std::filesystem::path> stageRunnerFolder(const std::filesystem::path& dataFolder);

} // namespace belljar::sandbox
