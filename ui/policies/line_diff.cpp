// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/line_diff.h"

#include <algorithm>
#include <cstddef>

namespace belljar::ui {

namespace {

/// The table has the product of both in cells; policies have some hundred lines.
constexpr std::size_t kMostCells = 16'000'000;

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

} // namespace

std::vector<DiffLine> compareLines(std::string_view before, std::string_view now)
{
    const auto old = linesOf(before);
    const auto fresh = linesOf(now);
    const std::size_t width = fresh.size() + 1;
    std::vector<DiffLine> diff;
    const auto add = [&](char mark, std::string_view text) {
        diff.push_back({mark, std::string(text)});
    };
    if ((old.size() + 1) * width > kMostCells) {
        for (const auto line : old)
            add('-', line);
        for (const auto line : fresh)
            add('+', line);
        return diff;
    }
    // common[i][j]: the longest common subsequence of what follows.
    std::vector<std::uint32_t> common((old.size() + 1) * width, 0);
    for (std::size_t i = old.size(); i-- > 0;) {
        for (std::size_t j = fresh.size(); j-- > 0;)
            common[i * width + j] =
                old[i] == fresh[j]
                    ? common[(i + 1) * width + j + 1] + 1
                    : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < old.size() || j < fresh.size()) {
        if (i < old.size() && j < fresh.size() && old[i] == fresh[j]) {
            add(' ', old[i]);
            ++i;
            ++j;
        } else if (i < old.size() && (j == fresh.size() || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
            add('-', old[i++]);
        } else {
            add('+', fresh[j++]);
        }
    }
    return diff;
}

} // namespace belljar::ui
