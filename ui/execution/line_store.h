// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"
#include "ui/execution/ansi_decoder.h"

#include <QString>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace belljar::ui {

/// The lines of one execution's output, both streams in the order in which they came. Bounded: of
/// very many lines the oldest give way, and are counted.
class LineStore {
public:
    static constexpr std::size_t kMaxLines = 200'000;
    static constexpr std::size_t kMaxCharacters = 16U * 1024 * 1024;

    struct Row {
        OutputLine line;
        execution::Stream stream = execution::Stream::Stdout;
        bool note = false; ///< Belljar's own words about what is missing, not the program's
    };

    void append(const std::vector<execution::OutputChunk>& chunks);
    /// The program has ended: lines without newline end too.
    void finish();

    [[nodiscard]] std::size_t size() const { return m_rows.size() + openCount(); }
    /// Row `index` below size(); the last ones may still grow.
    [[nodiscard]] const Row& at(std::size_t index) const;
    [[nodiscard]] std::uint64_t droppedLines() const { return m_dropped; }
    /// The length of the longest line, in characters.
    [[nodiscard]] int longestLine() const { return m_longest; }

private:
    struct StreamState {
        AnsiDecoder decoder;
        std::uint64_t nextOffset = 0;
        std::optional<Row> open;
    };

    [[nodiscard]] std::size_t openCount() const;
    void add(Row row);
    void takeDone(StreamState& state, execution::Stream stream, std::vector<OutputLine>& done);

    std::deque<Row> m_rows;
    std::array<StreamState, 2> m_streams; ///< by execution::Stream
    std::size_t m_characters = 0;         ///< of m_rows
    std::uint64_t m_dropped = 0;
    int m_longest = 0;
};

} // namespace belljar::ui
