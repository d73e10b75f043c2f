// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace belljar::analysis {

/// A program's text with its lines, for turning bytes into places.
class Source {
public:
    explicit Source(std::string_view code);

    [[nodiscard]] std::string_view code() const { return m_code; }
    [[nodiscard]] std::string_view text(std::size_t begin, std::size_t end) const
    {
        return m_code.substr(begin, end - begin);
    }
    /// Every line without its line end.
    [[nodiscard]] std::size_t lineCount() const { return m_starts.size(); }
    [[nodiscard]] std::string_view line(std::size_t index) const;
    [[nodiscard]] std::size_t lineStart(std::size_t index) const { return m_starts[index]; }

    /// Bytes as a Range; the columns count code points.
    [[nodiscard]] Range range(std::size_t begin, std::size_t end) const;

private:
    std::string_view m_code;
    std::vector<std::size_t> m_starts; ///< of lines
};

} // namespace belljar::analysis
