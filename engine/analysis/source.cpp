// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/source.h"

#include <algorithm>

namespace belljar::analysis {

namespace {

/// Every byte but the continuation bytes of UTF-8 begins a character.
std::uint32_t characters(std::string_view text)
{
    return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

} // namespace

Source::Source(std::string_view code)
    : m_code(code)
{
    m_starts.push_back(0);
    for (std::size_t at = code.find('\n'); at != std::string_view::npos;
         at = code.find('\n', at + 1))
        m_starts.push_back(at + 1);
}

std::string_view Source::line(std::size_t index) const
{
    const std::size_t begin = m_starts[index];
    const std::size_t end = index + 1 < m_starts.size() ? m_starts[index + 1] - 1 : m_code.size();
    std::string_view line = m_code.substr(begin, end - begin);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

Range Source::range(std::size_t begin, std::size_t end) const
{
    const auto place = [this](std::size_t offset, std::uint32_t& line, std::uint32_t& column) {
        const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), offset);
        const auto index = static_cast<std::size_t>(after - m_starts.begin()) - 1;
        line = static_cast<std::uint32_t>(index) + 1;
        column = characters(m_code.substr(m_starts[index], offset - m_starts[index])) + 1;
    };
    Range range;
    range.beginByte = std::min(begin, m_code.size());
    range.endByte = std::min(std::max(begin, end), m_code.size());
    place(range.beginByte, range.beginLine, range.beginColumn);
    place(range.endByte, range.endLine, range.endColumn);
    return range;
}

} // namespace belljar::analysis
