// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace belljar {

/// The SHA-256 of `bytes` as 64 lower-case hex digits.
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

/// The SHA-256 of the file's content. Errors: IoFailed when it can't be read.
Result<std::string> sha256OfFile(const std::filesystem::path& file);

/// `size` bytes at `data` as lower-case hex digits.
[[nodiscard]] std::string toHex(const std::uint8_t* data, std::size_t size);

} // namespace belljar
