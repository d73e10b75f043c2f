// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace belljar::policy {

/// Where a value stands in a text: bytes, half open.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

/// A place for people, both from 1; the column counts code points.
struct LineColumn {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

struct SyntaxError {
    std::size_t at = 0;
    std::string message;
};

/// JSON text with `//` and `/* */` comments, as a map from JSON pointers (RFC 6901) to where their
/// values stand. The values themselves are another parser's business, but what is no error here is
/// none there: names are compared as they are meant, not as they are spelt.
struct TextMap {
    std::map<std::string, Span> values;
    std::map<std::string, Span> keys; ///< of members: where the key stands, with its quotes
    std::optional<SyntaxError> error; ///< then the maps hold what came before it
    std::string plain;                ///< the text with its comments as spaces, so that places stay
};

/// Never throws; any UTF-8 text; at most 32 levels deep, 10,000 values, names of 200 bytes.
[[nodiscard]] TextMap mapText(std::string_view text);

[[nodiscard]] LineColumn lineColumnAt(std::string_view text, std::size_t offset);

/// One step of a JSON pointer: `~` and `/` escaped.
[[nodiscard]] std::string pointerStep(std::string_view key);

} // namespace belljar::policy
