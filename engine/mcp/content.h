// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/mcp/revision.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Content blocks (SPEC.md section 1.3).
namespace belljar::mcp {

[[nodiscard]] Json textBlock(std::string text);
/// `mediaType` as "image/png".
[[nodiscard]] Json imageBlock(std::string_view bytes, std::string_view mediaType);
[[nodiscard]] Json audioBlock(std::string_view bytes, std::string_view mediaType);
/// A list with the one icon that the PNG `bytes` are.
[[nodiscard]] Json pngIcon(std::string_view bytes, std::string size);
/// A resource's text inside a result.
[[nodiscard]] Json embeddedText(std::string uri, std::string_view mediaType, std::string text);
/// Where a resource can be read. `mediaType` may be empty.
[[nodiscard]] Json resourceLink(
    std::string uri,
    std::string name,
    std::string_view mediaType,
    std::optional<std::uint64_t> sizeBytes
);

/// An item of what resources/read answers.
[[nodiscard]] Json textContents(std::string uri, std::string_view mediaType, std::string text);
[[nodiscard]] Json
blobContents(std::string uri, std::string_view mediaType, std::string_view bytes);

/// `block` for a client of `revision`: one of a type that came later is told in words.
[[nodiscard]] Json blockFor(Json block, const Revision& revision);

} // namespace belljar::mcp
