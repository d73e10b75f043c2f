// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::clients {

/// A line of a change.
struct DiffLine {
    char mark = ' ';          ///< '-' only before, '+' only after, ' ' both
    std::uint32_t number = 0; ///< from 1, of the text that it is in; ' ': of the text after
    std::string text;         ///< without its newline; foreign text
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

/// Where two texts differ, with up to `context` lines around it; equal texts have none. One block:
/// from the first line that differs to the last, which is what an edit in one place changes.
[[nodiscard]] std::vector<DiffLine>
diffLines(std::string_view before, std::string_view after, std::size_t context = 3);

} // namespace belljar::clients
