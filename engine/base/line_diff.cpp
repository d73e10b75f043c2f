// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace belljar {

namespace {

constexpr std::size_t kMostCells = 1'000'000; // of the table; a few milliseconds

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// Lines that are gone and lines that came instead stand beside each other.
void addBlock(
    std::vector<DiffRow>& rows,
    const std::vector<std::string_view>& removed,
    const std::vector<std::string_view>& added
)
{
    for (std::size_t at = 0; at < std::max(removed.size(), added.size()); ++at) {
        DiffRow row;
        row.kind = at >= added.size()     ? DiffRow::Kind::Removed
                   : at >= removed.size() ? DiffRow::Kind::Added
                                          : DiffRow::Kind::Changed;
        if (at < removed.size())
            row.before = removed[at];
        if (at < added.size())
            row.after = added[at];
        rows.push_back(std::move(row));
    }
}

} // namespace

std::vector<DiffRow> diffLines(std::string_view before, std::string_view after)
{
    const auto old = linesOf(before);
    const auto now = linesOf(after);
    std::size_t begin = 0;
    while (begin < old.size() && begin < now.size() && old[begin] == now[begin])
        ++begin;
    std::size_t end = 0;
    while (end < old.size() - begin && end < now.size() - begin &&
           old[old.size() - 1 - end] == now[now.size() - 1 - end])
        ++end;
    const std::size_t rowsOld = old.size() - begin - end;
    const std::size_t rowsNow = now.size() - begin - end;
    std::vector<DiffRow> rows;
    const auto same = [&rows](std::string_view line) {
        rows.push_back({DiffRow::Kind::Same, std::string(line), std::string(line)});
    };
    for (std::size_t at = 0; at < begin; ++at)
        same(old[at]);
    std::vector<std::string_view> removed;
    std::vector<std::string_view> added;
    const auto flush = [&] {
        addBlock(rows, removed, added);
        removed.clear();
        added.clear();
    };
    if (rowsOld > 0 && rowsNow > kMostCells / rowsOld) {
        removed.assign(
            old.begin() + static_cast<std::ptrdiff_t>(begin),
            old.end() - static_cast<std::ptrdiff_t>(end)
        );
        added.assign(
            now.begin() + static_cast<std::ptrdiff_t>(begin),
            now.end() - static_cast<std::ptrdiff_t>(end)
        );
    } else {
        // length[i][j]: of the longest common subsequence of what follows i and j.
        std::vector<std::vector<std::uint16_t>> length(
            rowsOld + 1, std::vector<std::uint16_t>(rowsNow + 1, 0)
        );
        for (std::size_t i = rowsOld; i-- > 0;) {
            for (std::size_t j = rowsNow; j-- > 0;)
                length[i][j] = old[begin + i] == now[begin + j]
                                   ? static_cast<std::uint16_t>(length[i + 1][j + 1] + 1)
                                   : std::max(length[i + 1][j], length[i][j + 1]);
        }
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < rowsOld && j < rowsNow) {
            if (old[begin + i] == now[begin + j]) {
                flush();
                same(old[begin + i]);
                ++i, ++j;
            } else if (length[i + 1][j] >= length[i][j + 1]) {
                removed.push_back(old[begin + i++]);
            } else {
                added.push_back(now[begin + j++]);
            }
        }
        while (i < rowsOld)
            removed.push_back(old[begin + i++]);
        while (j < rowsNow)
            added.push_back(now[begin + j++]);
    }
    flush();
    for (std::size_t at = old.size() - end; at < old.size(); ++at)
        same(old[at]);
    return rows;
}

std::vector<DiffLine> compareLines(std::string_view before, std::string_view after)
{
    std::vector<DiffLine> lines;
    std::vector<DiffLine> added; // of the block under way
    const auto flush = [&] {
        lines.insert(lines.end(), added.begin(), added.end());
        added.clear();
    };
    for (DiffRow& row : diffLines(before, after)) {
        if (row.kind == DiffRow::Kind::Same) {
            flush();
            lines.push_back({' ', std::move(row.before)});
            continue;
        }
        if (row.kind != DiffRow::Kind::Added)
            lines.push_back({'-', std::move(row.before)});
        if (row.kind != DiffRow::Kind::Removed)
            added.push_back({'+', std::move(row.after)});
    }
    flush();
    return lines;
}

} // namespace belljar
