// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/ansi_decoder.h"

#include <QStringList>

#include <algorithm>

namespace belljar::ui {

namespace {

constexpr char32_t kEscape = 0x1B;
constexpr int kMaxSequence = 64; // longer ones are no SGR; shown as text
constexpr int kMaxLine = 8192;   // UTF-16 units; a longer line goes on in the next row
constexpr int kTabWidth = 8;

QString visible(char32_t character)
{
    return QStringLiteral("\\u{%1}").arg(static_cast<uint>(character), 0, 16);
}

/// 256-colour and 24-bit colours, brought to the nearest of the 16 basic ones.
std::int8_t nearestBasic(int red, int green, int blue)
{
    const int brightest = std::max({red, green, blue});
    if (brightest < 48)
        return 0;
    const auto bit = [brightest](int channel) { return channel * 2 > brightest ? 1 : 0; };
    const int base = bit(red) | (bit(green) << 1) | (bit(blue) << 2);
    return static_cast<std::int8_t>(base + (brightest > 191 ? 8 : 0));
}

std::int8_t basicOf256(int index)
{
    if (index < 16)
        return static_cast<std::int8_t>(std::max(0, index));
    if (index >= 232) {
        const int grey = (std::min(index, 255) - 232) * 10 + 8;
        return nearestBasic(grey, grey, grey);
    }
    const auto level = [](int step) { return step == 0 ? 0 : 55 + step * 40; };
    const int cube = index - 16;
    return nearestBasic(level(cube / 36), level(cube / 6 % 6), level(cube % 6));
}

/// Printable ASCII: most of what programs write, and never more than itself.
bool isPlain(char32_t character)
{
    return character >= 0x20 && character <= 0x7E;
}

QString plainText(const QList<uint>& characters, qsizetype from, qsizetype end)
{
    QString text(end - from, Qt::Uninitialized);
    for (qsizetype at = from; at < end; ++at)
        text[at - from] = QChar(static_cast<ushort>(characters[at]));
    return text;
}

} // namespace

void AnsiDecoder::feed(std::string_view bytes, std::vector<OutputLine>& done)
{
    take(QString::fromStdString(m_decoder.feed(bytes)), done);
}

void AnsiDecoder::finish(std::vector<OutputLine>& done)
{
    take(QString::fromStdString(m_decoder.finish()), done);
    if (m_phase != Phase::Text) {
        m_phase = Phase::Text;
        putVisible(kEscape);
        putText(m_sequence);
    }
    if (m_begun)
        endLine(done);
}

std::optional<OutputLine> AnsiDecoder::openLine() const
{
    if (!m_begun)
        return {};
    AnsiDecoder copy = *this;
    std::vector<OutputLine> lines;
    copy.endLine(lines);
    return lines.back();
}

void AnsiDecoder::take(const QString& text, std::vector<OutputLine>& done)
{
    const QList<uint> characters = text.toUcs4();
    for (qsizetype at = 0; at < characters.size(); ++at) {
        const char32_t character = characters[at];
        switch (m_phase) {
        case Phase::Text:
            if (character == kEscape) {
                m_phase = Phase::Escape;
                m_sequence.clear();
            } else if (isPlain(character)) {
                const qsizetype from = at;
                while (at + 1 < characters.size() && isPlain(characters[at + 1]))
                    ++at;
                putPlain(plainText(characters, from, at + 1), done);
            } else {
                put(character, done);
            }
            break;
        case Phase::Escape:
            if (character == U'[') {
                m_phase = Phase::Sequence;
                m_sequence = QStringLiteral("[");
                break;
            }
            m_phase = Phase::Text;
            putVisible(kEscape);
            put(character, done);
            break;
        case Phase::Sequence:
            // Parameter and intermediate bytes (ECMA-48, 5.4) go on; anything else ends it.
            if (character >= 0x20 && character <= 0x3F && m_sequence.size() < kMaxSequence)
                m_sequence += QChar(static_cast<ushort>(character));
            else
                endSequence(character, done);
            break;
        }
    }
}

void AnsiDecoder::endSequence(char32_t final, std::vector<OutputLine>& done)
{
    m_phase = Phase::Text;
    if (final == U'm') {
        applySgr();
        return;
    }
    putVisible(kEscape);
    putText(m_sequence);
    put(final, done);
}

void AnsiDecoder::applySgr()
{
    const QStringList parts =
        m_sequence.mid(1).replace(QLatin1Char(':'), QLatin1Char(';')).split(QLatin1Char(';'));
    for (qsizetype at = 0; at < parts.size(); ++at) {
        const int code = parts.at(at).toInt();
        const auto parameter = [&parts, at](int offset) {
            return parts.value(at + offset).toInt();
        };
        if (code == 0)
            m_style = {};
        else if (code == 1)
            m_style.bold = true;
        else if (code == 22)
            m_style.bold = false;
        else if (code == 4)
            m_style.underline = true;
        else if (code == 24)
            m_style.underline = false;
        else if (code == 7)
            std::swap(m_style.foreground, m_style.background);
        else if (code >= 30 && code <= 37)
            m_style.foreground = static_cast<std::int8_t>(code - 30);
        else if (code >= 90 && code <= 97)
            m_style.foreground = static_cast<std::int8_t>(code - 90 + 8);
        else if (code == 39)
            m_style.foreground = -1;
        else if (code >= 40 && code <= 47)
            m_style.background = static_cast<std::int8_t>(code - 40);
        else if (code >= 100 && code <= 107)
            m_style.background = static_cast<std::int8_t>(code - 100 + 8);
        else if (code == 49)
            m_style.background = -1;
        if (code != 38 && code != 48)
            continue;
        std::int8_t& color = code == 38 ? m_style.foreground : m_style.background;
        if (parameter(1) == 5) {
            color = basicOf256(parameter(2));
            at += 2;
        } else if (parameter(1) == 2) {
            color = nearestBasic(parameter(2), parameter(3), parameter(4));
            at += 4;
        }
    }
    // Text in its background's colour would be hidden; 8 (conceal) is not interpreted at all.
    if (m_style.foreground >= 0 && m_style.foreground == m_style.background)
        m_style.background = -1;
}

void AnsiDecoder::put(char32_t character, std::vector<OutputLine>& done)
{
    switch (character) {
    case U'\n': endLine(done); return;
    case U'\r':
        m_cursor = 0;
        m_begun = true;
        return;
    case U'\b': m_cursor = std::max(0, m_cursor - 1); return;
    case U'\t':
        do
            putText(QStringLiteral(" "));
        while (m_cursor % kTabWidth != 0);
        return;
    default: break;
    }
    endFullLine(done);
    if (isUnusual(character))
        putVisible(character);
    else
        putText(QString::fromUcs4(&character, 1));
}

/// Many characters at once, as put() would one by one.
void AnsiDecoder::putPlain(const QString& text, std::vector<OutputLine>& done)
{
    for (qsizetype at = 0; at < text.size();) {
        endFullLine(done);
        const qsizetype piece = std::clamp<qsizetype>(kMaxLine - m_cursor, 1, text.size() - at);
        putText(text.mid(at, piece));
        at += piece;
    }
}

void AnsiDecoder::putVisible(char32_t character)
{
    putText(visible(character));
}

/// Writes at the cursor, over what a carriage return or backspace went back to.
void AnsiDecoder::putText(const QString& text)
{
    m_begun = true;
    const int length = static_cast<int>(text.size());
    m_text.replace(m_cursor, std::min<qsizetype>(length, m_text.size() - m_cursor), text);
    m_styles.resize(static_cast<std::size_t>(m_text.size()));
    std::fill_n(m_styles.begin() + m_cursor, length, m_style);
    m_cursor += length;
}

/// A line that is too long goes on in the next row.
void AnsiDecoder::endFullLine(std::vector<OutputLine>& done)
{
    if (m_text.size() >= kMaxLine && m_cursor >= m_text.size())
        endLine(done);
}

void AnsiDecoder::endLine(std::vector<OutputLine>& done)
{
    OutputLine line{m_text, {}};
    for (const TextStyle& style : m_styles) {
        if (!line.runs.empty() && line.runs.back().style == style)
            ++line.runs.back().length;
        else
            line.runs.push_back({1, style});
    }
    if (line.runs.size() == 1 && line.runs.front().style == TextStyle{})
        line.runs.clear();
    done.push_back(std::move(line));
    m_text.clear();
    m_styles.clear();
    m_cursor = 0;
    m_begun = false;
}

} // namespace belljar::ui
