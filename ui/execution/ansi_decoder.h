// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/text.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::ui {

/// How a piece of output looks. Colours are numbers of the 16 basic ones; the view picks readable
/// shades.
struct TextStyle {
    std::int8_t foreground = -1; ///< 0..15, -1: the default
    std::int8_t background = -1;
    bool bold = false;
    bool underline = false;
    friend bool operator==(const TextStyle&, const TextStyle&) = default;
};

struct StyledRun {
    int length = 0;
    TextStyle style;
    friend bool operator==(const StyledRun&, const StyledRun&) = default;
};

/// One line as it is shown. Plain text: every control character that isn't interpreted is written
/// out.
struct OutputLine {
    QString text;
    std::vector<StyledRun>
        runs; ///< cover the text from its start; what follows has the default style
};

/// Turns a program's bytes into lines. Interprets SGR colours, bold and underline, carriage return
/// and backspace within the line; every other escape sequence and control, bidirectional or
/// invisible character is shown as a visible escape, never executed. Concealed text and
/// text in its background's colour are shown readable.
class AnsiDecoder {
public:
    /// Feeds bytes of one stream. Lines that are complete are appended to `done`.
    void feed(std::string_view bytes, std::vector<OutputLine>& done);
    /// The end of the stream: what is incomplete is shown as it is.
    void finish(std::vector<OutputLine>& done);

    /// The line that has begun and not ended; nothing when the last one has ended.
    [[nodiscard]] std::optional<OutputLine> openLine() const;

private:
    enum class Phase : std::uint8_t { Text, Escape, Sequence };

    void take(const QString& text, std::vector<OutputLine>& done);
    void put(char32_t character, std::vector<OutputLine>& done);
    void putPlain(const QString& text, std::vector<OutputLine>& done);
    void putVisible(char32_t character);
    void putText(const QString& text);
    void endFullLine(std::vector<OutputLine>& done);
    void endLine(std::vector<OutputLine>& done);
    void endSequence(char32_t final, std::vector<OutputLine>& done);
    void applySgr();

    Utf8Decoder m_decoder;
    Phase m_phase = Phase::Text;
    QString m_sequence; ///< parameters of the escape sequence under way
    TextStyle m_style;
    QString m_text;                  ///< of the open line
    std::vector<TextStyle> m_styles; ///< one for each unit of m_text
    int m_cursor = 0;
    bool m_begun = false;
};

} // namespace belljar::ui
