// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/line_framer.h"

#include <utility>

namespace belljar::mcp {

std::vector<LineFramer::Line> LineFramer::feed(std::string_view bytes)
{
    std::vector<Line> lines;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        if (!m_skipping && m_partial.size() + part.size() > m_maxBytes) {
            m_skipping = true;
            m_partial = std::string(); // gives the memory back
            lines.push_back({{}, true});
        }
        if (!m_skipping)
            m_partial.append(part);
        if (end == std::string_view::npos)
            break;
        if (!m_partial.empty() && m_partial.back() == '\r')
            m_partial.pop_back();
        if (!m_skipping && !m_partial.empty())
            lines.push_back({std::exchange(m_partial, {}), false});
        m_partial.clear();
        m_skipping = false;
    }
    return lines;
}

} // namespace belljar::mcp
