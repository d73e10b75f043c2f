// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/images/child_process.h"
#include "engine/images/recipe.h"

#include <string>
#include <string_view>

/// Making an image's root file system from the packages of a Debian-like distribution.
namespace belljar::images {

/// Where the packages come from.
struct PackageSource {
    std::string suite;      ///< "bookworm"
    std::string components; ///< "main", "main,universe"
    friend bool operator==(const PackageSource&, const PackageSource&) = default;
};

/// The host's own release where it is one of Debian or Ubuntu (their keys are there), else
/// `fallbackSuite` of Debian. `osRelease` is the text of /etc/os-release.
[[nodiscard]] PackageSource
packageSource(std::string_view osRelease, std::string_view fallbackSuite);

/// The mmdebstrap command that writes the root file system of `recipe` to its standard output.
/// Errors: Unsupported, with what to install, when a program is missing.
Result<ChildProcess::Command> bootstrapCommand(const Recipe& recipe);

} // namespace belljar::images
