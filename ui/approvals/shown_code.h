// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#endif

namespace belljar::ui {

/// A program as the card shows it: nothing hidden to the right, below, or between the characters
///
struct ShownCode {
    std::string text; ///< valid UTF-8, lines of at most kLongestLine characters
    std::vector<std::uint32_t>
        firstShownLine; ///< by source line (from 0): where it begins in `text`
    /// What is written as \u{...} here: `begin` and `end` are byte offsets in `text`. A program
    /// that has such letters itself is told apart by that.
    struct Mark {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::vector<Mark> marks;
    std::uint32_t unusual = 0;    ///< invisible, control and direction characters
    std::uint32_t lookalikes = 0; ///< letters, quotes and blanks that may be taken for ASCII ones
    std::uint32_t blankRuns = 0;  ///< of more than kMostBlankLines lines, shown as one counted line
    std::uint32_t gaps = 0;       ///< of more than kMostBlanks blanks in a line, shown counted
    std::uint32_t longLines = 0;  ///< over kLongestLine characters, broken with a mark

    [[nodiscard]] bool isShownAsItIs() const
    {
        return unusual + lookalikes + blankRuns + gaps + longLines == 0;
    }
};

inline constexpr std::size_t kMostBlankLines = 20;
inline constexpr std::size_t kMostBlanks = 200;
inline constexpr std::size_t kLongestLine = 2000;

/// Any bytes.
[[nodiscard]] ShownCode showCode(std::string_view code);

/// `code` without what can't be seen: what an edit begins with.
[[nodiscard]] std::string withoutUnusual(std::string_view code);

} // namespace belljar::ui
