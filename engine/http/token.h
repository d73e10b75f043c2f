// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

/// The token that HTTP clients show: 256 random bits in a file that only its owner can read.
namespace belljar::http {

/// The token in `file`. Errors: NotFound; as readOrMakeToken().
Result<std::string> readToken(const std::filesystem::path& file);

/// The token in `file`; made when there is none. Errors: Unsafe when the file is a link, another
/// user's, or open to others; InvalidArgument when it holds no token; IoFailed.
Result<std::string> readOrMakeToken(const std::filesystem::path& file);

/// A new token in `file`; the old one is gone with this. Errors: Unsafe, IoFailed.
Result<std::string> rotateToken(const std::filesystem::path& file);

} // namespace belljar::http
