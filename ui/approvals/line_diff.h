// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#endif

namespace belljar::ui {

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

} // namespace belljar::ui
