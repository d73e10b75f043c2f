// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/wrapping.h"

#include <QFontMetrics>

#include <algorithm>

namespace belljar::ui {

namespace {

constexpr int kFewestColumns = 8;

bool isPlain(const QString& text)
{
    return std::all_of(text.begin(), text.end(), [](QChar one) {
        return one.unicode() >= 0x20 && one.unicode() < 0x7f;
    });
}

} // namespace

void Wrapping::begin(const LineStore& store, LineStore::Part part, const QFont& font, int width)
{
    m_part = part;
    if (m_font != font)
        m_widths.clear();
    m_font = font;
    m_width = width;
    const QFontMetrics metrics(font);
    // The widest of the plain ones, should the font not be of one width after all.
    const int cell = std::max({1, metrics.horizontalAdvance('M'), metrics.averageCharWidth()});
    m_columns = std::max(kFewestColumns, width / cell);
    m_width = width == 0 ? 0 : std::max(width, kFewestColumns * cell);
    m_ends.clear();
    m_base = 0;
    m_first = store.dropped(part);
    update(store);
}

std::uint64_t Wrapping::update(const LineStore& store)
{
    if (m_width == 0) {
        const std::uint64_t lost = store.dropped(m_part) - m_first;
        m_first += lost;
        return lost;
    }
    const std::uint64_t before = m_base;
    const std::uint64_t gone = store.dropped(m_part);
    while (m_first < gone && !m_ends.empty()) {
        m_base = m_ends.front();
        m_ends.pop_front();
        ++m_first;
    }
    m_first = gone; // lines that came and went unmeasured take no row
    while (m_ends.size() < store.closed(m_part)) {
        const std::uint64_t end = m_ends.empty() ? m_base : m_ends.back();
        m_ends.push_back(end + countPieces(store.at(m_ends.size(), m_part).line.text));
    }
    return m_base - before;
}

std::size_t Wrapping::rows(const LineStore& store) const
{
    const std::size_t size = store.size(m_part);
    if (m_width == 0)
        return size;
    std::size_t rows = m_ends.empty() ? 0 : static_cast<std::size_t>(m_ends.back() - m_base);
    for (std::size_t line = m_ends.size(); line < size; ++line)
        rows += countPieces(store.at(line, m_part).line.text);
    return rows;
}

Wrapping::Place Wrapping::placeOf(const LineStore& store, std::size_t row) const
{
    if (m_width == 0)
        return {row, 0};
    const std::uint64_t wanted = m_base + row;
    const auto end = std::upper_bound(m_ends.begin(), m_ends.end(), wanted);
    auto line = static_cast<std::size_t>(end - m_ends.begin());
    std::uint64_t start = line == 0 ? m_base : m_ends[line - 1];
    for (; line + 1 < store.size(m_part) && line >= m_ends.size(); ++line) {
        const std::size_t pieces = countPieces(store.at(line, m_part).line.text);
        if (wanted < start + pieces)
            break;
        start += pieces;
    }
    return {line, static_cast<std::size_t>(wanted - start)};
}

std::size_t Wrapping::rowOf(const LineStore& store, std::size_t line) const
{
    if (m_width == 0)
        return line;
    const std::size_t known = std::min(line, m_ends.size());
    std::uint64_t row = known == 0 ? 0 : m_ends[known - 1] - m_base;
    for (std::size_t open = known; open < line; ++open)
        row += countPieces(store.at(open, m_part).line.text);
    return static_cast<std::size_t>(row);
}

int Wrapping::widthOf(const QString& text, int at, int units) const
{
    const char32_t character =
        units == 2 ? QChar::surrogateToUcs4(text[at], text[at + 1]) : text[at].unicode();
    const auto known = m_widths.find(character);
    if (known != m_widths.end())
        return known->second;
    const int width = QFontMetrics(m_font).horizontalAdvance(text.mid(at, units));
    m_widths.emplace(character, width);
    return width;
}

std::vector<Wrapping::Piece> Wrapping::piecesOf(const QString& text) const
{
    const int size = static_cast<int>(text.size());
    if (m_width == 0 || size == 0)
        return {{0, size}};
    std::vector<Piece> pieces;
    if (isPlain(text)) {
        for (int at = 0; at < size; at += m_columns)
            pieces.push_back({at, std::min(m_columns, size - at)});
        return pieces;
    }
    int start = 0;
    int used = 0;
    for (int at = 0; at < size;) {
        const bool pair =
            text[at].isHighSurrogate() && at + 1 < size && text[at + 1].isLowSurrogate();
        const int units = pair ? 2 : 1;
        const int width = widthOf(text, at, units);
        if (used + width > m_width && at > start) {
            pieces.push_back({start, at - start});
            start = at;
            used = 0;
        }
        used += width;
        at += units;
    }
    pieces.push_back({start, size - start});
    return pieces;
}

std::size_t Wrapping::countPieces(const QString& text) const
{
    // Most lines are short; a look at every character of them would cost more than the rest.
    if (text.size() <= 1)
        return 1;
    if (isPlain(text))
        return static_cast<std::size_t>((text.size() + m_columns - 1) / m_columns);
    return piecesOf(text).size();
}

} // namespace belljar::ui
