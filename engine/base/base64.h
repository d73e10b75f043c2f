// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace belljar {

/// Which of the two alphabets of RFC 4648.
enum class Base64 : std::uint8_t {
    Standard, ///< section 4: `+` and `/`, filled up with `=`
    Url,      ///< section 5: `-` and `_`, not filled up
};

[[nodiscard]] std::string toBase64(std::string_view bytes, Base64 alphabet = Base64::Standard);

/// The bytes that `text` stands for. Nothing where it has a foreign character, wrong padding, or
/// bits that no encoder sets: one value has one spelling.
[[nodiscard]] std::optional<std::string>
fromBase64(std::string_view text, Base64 alphabet = Base64::Standard);

} // namespace belljar
