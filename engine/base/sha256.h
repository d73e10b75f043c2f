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

/// HMAC-SHA-256 (RFC 2104) of `message` under `key`: 32 bytes.
[[nodiscard]] std::string hmacSha256(std::string_view key, std::string_view message);

/// Are they the same? Takes as long whatever the answer is.
[[nodiscard]] bool sameSecret(std::string_view left, std::string_view right);

} // namespace belljar
