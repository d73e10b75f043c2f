// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/diff.h"

#include <algorithm>

namespace belljar::clients {

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t newline = text.find('\n');
        const std::size_t end = newline == std::string_view::npos ? text.size() : newline + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

DiffLine makeLine(char mark, std::size_t index, std::string_view line)
{
    if (line.ends_with('\n'))
        line.remove_suffix(1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return {mark, static_cast<std::uint32_t>(index + 1), std::string(line)};
}

} // namespace

std::vector<DiffLine>
diffLines(std::string_view before, std::string_view after, std::size_t context)
{
    const auto old = linesOf(before);
    const auto now = linesOf(after);
    const std::size_t most = std::min(old.size(), now.size());
    std::size_t same = 0;
    while (same < most && old[same] == now[same])
        ++same;
    std::size_t tail = 0;
    while (tail < most - same && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
        ++tail;
    std::vector<DiffLine> lines;
    if (same == old.size() && same == now.size())
        return lines;
    for (std::size_t at = same - std::min(context, same); at < same; ++at)
        lines.push_back(makeLine(' ', at, now[at]));
    for (std::size_t at = same; at < old.size() - tail; ++at)
        lines.push_back(makeLine('-', at, old[at]));
    for (std::size_t at = same; at < now.size() - tail; ++at)
        lines.push_back(makeLine('+', at, now[at]));
    const std::size_t behind = now.size() - tail;
    for (std::size_t at = behind; at < std::min(now.size(), behind + context); ++at)
        lines.push_back(makeLine(' ', at, now[at]));
    return lines;
}

} // namespace belljar::clients
