// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Quantities as people type them.
namespace belljar::policy {

/// "30s", "1.5 min", "500ms", "1h"; a bare number is seconds. Nothing when it is none, negative or
/// absurd.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);
/// "512m", "1.5 GB", "64k", "100 bytes"; a bare number is bytes, k, m and g are powers of 1024.
[[nodiscard]] std::optional<std::uint64_t> parseSize(std::string_view text);
/// "0.5", "2": thousandths of one processor.
[[nodiscard]] std::optional<std::uint32_t> parseCpus(std::string_view text);

/// The shortest way to say it: "90 s", "5 min", "1 h".
[[nodiscard]] std::string durationText(std::chrono::milliseconds span);
[[nodiscard]] std::string cpusText(std::uint32_t cpuMillis);

} // namespace belljar::policy
