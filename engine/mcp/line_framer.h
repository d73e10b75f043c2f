// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::mcp {

/// Cuts a stream of bytes into lines (SPEC.md section 1.2): `\n` or `\r\n` ends one, empty ones are
/// left out. A line over the bound is reported once and skipped to its end; the stream goes on.
class LineFramer {
public:
    struct Line {
        std::string text;
        bool tooLong = false; ///< `text` is empty then
    };

    explicit LineFramer(std::size_t maxBytes = 16U * 1024 * 1024)
        : m_maxBytes(maxBytes)
    {}

    [[nodiscard]] std::vector<Line> feed(std::string_view bytes);

    [[nodiscard]] std::size_t maxBytes() const { return m_maxBytes; }

private:
    std::size_t m_maxBytes;
    std::string m_partial;
    bool m_skipping = false;
};

} // namespace belljar::mcp
