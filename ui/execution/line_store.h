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

    /// Which of the lines: all as they came, or one stream's with Belljar's words about it.
    enum class Part : std::uint8_t { Both, Stdout, Stderr };

    void append(const std::vector<execution::OutputChunk>& chunks);
    /// The program has ended: lines without newline end too.
    void finish();

    [[nodiscard]] std::size_t size(Part part = Part::Both) const;
    /// Row `index` below size(part); those from closed(part) on may still grow.
    [[nodiscard]] const Row& at(std::size_t index, Part part = Part::Both) const;
    /// How many rows won't change any more.
    [[nodiscard]] std::size_t closed(Part part) const;
    /// How many rows of the part have given way.
    [[nodiscard]] std::uint64_t dropped(Part part) const;
    /// Where the row stands among all that ever came; rows that follow each other came without
    /// another stream's in between.
    [[nodiscard]] std::uint64_t ordinalOf(std::size_t index, Part part) const;
    [[nodiscard]] std::uint64_t droppedLines() const { return m_dropped; }
    /// The length of the longest line, in characters.
    [[nodiscard]] int longestLine() const { return m_longest; }

private:
    struct StreamState {
        AnsiDecoder decoder;
        std::uint64_t nextOffset = 0;
        std::optional<Row> open;
    };

    void add(Row row);
    void takeDone(StreamState& state, execution::Stream stream, std::vector<OutputLine>& done);

    std::deque<Row> m_rows;
    std::array<std::deque<std::uint64_t>, 2> m_ordinals; ///< of the rows of each stream
    std::array<std::uint64_t, 2> m_droppedOf{};
    std::array<StreamState, 2> m_streams; ///< by execution::Stream
    std::size_t m_characters = 0;         ///< of m_rows
    std::uint64_t m_dropped = 0;
    int m_longest = 0;
};

} // namespace belljar::ui
