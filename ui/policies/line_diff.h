// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace belljar::ui {

struct DiffLine {
    char mark = ' '; ///< '-' only before, '+' only now, ' ' both
    std::string text;
    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};

/// What changed, line by line: a shortest way from `before` to `now`.
[[nodiscard]] std::vector<DiffLine> compareLines(std::string_view before, std::string_view now);

} // namespace belljar::ui
