// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/execution/line_store.h"

#include <QFont>
#include <QString>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace belljar::ui {

/// Where the lines of a part of a store stand when they are shown in rows: one each, or as many as
/// the width asks for. Each line is measured once, so that a hundred thousand stay quick; only
/// those that may still grow are measured again.
class Wrapping {
public:
    /// A piece of a line: `length` characters from `start` on.
    struct Piece {
        int start = 0;
        int length = 0;
    };
    struct Place {
        std::size_t line = 0; ///< index in the part
        std::size_t piece = 0;
    };

    /// Measures anew. `width` in pixels; 0: nothing is wrapped.
    void begin(const LineStore& store, LineStore::Part part, const QFont& font, int width);
    /// Takes what the store has got and lost since; returns how many rows were lost at the front.
    std::uint64_t update(const LineStore& store);

    [[nodiscard]] std::size_t rows(const LineStore& store) const;
    /// Of a row below rows().
    [[nodiscard]] Place placeOf(const LineStore& store, std::size_t row) const;
    /// The first row of a line.
    [[nodiscard]] std::size_t rowOf(const LineStore& store, std::size_t line) const;
    /// The pieces of a text, at least one.
    [[nodiscard]] std::vector<Piece> piecesOf(const QString& text) const;

private:
    [[nodiscard]] int widthOf(const QString& text, int at, int units) const;
    [[nodiscard]] std::size_t countPieces(const QString& text) const;

    LineStore::Part m_part = LineStore::Part::Both;
    QFont m_font;
    int m_width = 0;
    int m_columns = 0; ///< of plain characters
    mutable std::unordered_map<char32_t, int> m_widths;
    std::uint64_t m_first = 0;        ///< how many lines the store had dropped before m_ends
    std::uint64_t m_base = 0;         ///< rows before m_ends
    std::deque<std::uint64_t> m_ends; ///< row after each closed line, counted from the beginning
};

} // namespace belljar::ui
