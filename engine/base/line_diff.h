// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belljar {

/// One row of a side-by-side diff.
struct DiffRow {
    enum class Kind : std::uint8_t { Same, Changed, Removed, Added };
    Kind kind = Kind::Same;
    std::string before; ///< empty for Added
    std::string after;  ///< empty for Removed

    friend bool operator==(const DiffRow&, const DiffRow&) = default;
};

/// The lines of two texts beside each other: a longest common subsequence of what differs between
/// their common beginning and end; where over a million pairs of lines differ one block replaced by
/// the other.
[[nodiscard]] std::vector<DiffRow> diffLines(std::string_view before, std::string_view after);

/// One line of a diff in one column.
struct DiffLine {
    char mark = ' '; ///< '-' only before, '+' only after, ' ' both
    std::string text;

    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

/// The same one below the other: what is gone, then what came instead.
[[nodiscard]] std::vector<DiffLine> compareLines(std::string_view before, std::string_view after);

} // namespace belljar
