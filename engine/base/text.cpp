// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace belljar {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byteAt(std::string_view text, std::size_t index)
{
    return static_cast<unsigned char>(text[index]);
}

struct Sequence {
    std::size_t length = 1; ///< bytes of the character, or of the ill-formed part
    char32_t codePoint = 0;
    bool valid = false;
    bool incomplete = false; ///< well-formed so far, but the input ends before the character does
};

/// The range that the second byte of a sequence may have (Unicode 15, table 3-7).
struct SecondByte {
    unsigned char low;
    unsigned char high;
};

SecondByte secondByteRange(unsigned char lead)
{
    switch (lead) {
    case 0xE0: return {0xA0, 0xBF};
    case 0xED: return {0x80, 0x9F};
    case 0xF0: return {0x90, 0xBF};
    case 0xF4: return {0x80, 0x8F};
    default: return {0x80, 0xBF};
    }
}

std::size_t sequenceLength(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    if (lead >= 0xF0 && lead <= 0xF4)
        return 4;
    return 0;
}

Sequence decodeAt(std::string_view text, std::size_t at)
{
    const unsigned char lead = byteAt(text, at);
    const std::size_t length = sequenceLength(lead);
    Sequence sequence;
    if (length == 0)
        return sequence;
    if (length == 1) {
        sequence.codePoint = lead;
        sequence.valid = true;
        return sequence;
    }
    char32_t value = lead & (0xFFU >> (length + 1));
    for (std::size_t index = 1; index < length; ++index) {
        if (at + index >= text.size()) {
            sequence.length = index;
            sequence.incomplete = true;
            return sequence;
        }
        const unsigned char next = byteAt(text, at + index);
        const SecondByte range = index == 1 ? secondByteRange(lead) : SecondByte{0x80, 0xBF};
        if (next < range.low || next > range.high) {
            sequence.length = index;
            return sequence;
        }
        value = (value << 6U) | (next & 0x3FU);
    }
    sequence.length = length;
    sequence.codePoint = value;
    sequence.valid = true;
    return sequence;
}

struct Range {
    char32_t first;
    char32_t last;
};

// Controls, and what Unicode 15 calls Bidi_Control, Default_Ignorable_Code_Point or a separator
// that is no space.
constexpr std::array kUnusual{
    Range{0x00, 0x08},       Range{0x0B, 0x1F},       Range{0x7F, 0x9F},
    Range{0xAD, 0xAD},       Range{0x034F, 0x034F},   Range{0x061C, 0x061C},
    Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},   Range{0x180B, 0x180F},
    Range{0x200B, 0x200F},   Range{0x2028, 0x202E},   Range{0x2060, 0x206F},
    Range{0x3164, 0x3164},   Range{0xFE00, 0xFE0F},   Range{0xFEFF, 0xFEFF},
    Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFB},   Range{0x1BCA0, 0x1BCA3},
    Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF},
};

constexpr std::array kOddBlanks{
    Range{0x85, 0x85},
    Range{0xA0, 0xA0},
    Range{0x1680, 0x1680},
    Range{0x2000, 0x200A},
    Range{0x2028, 0x2029},
    Range{0x202F, 0x202F},
    Range{0x205F, 0x205F},
    Range{0x3000, 0x3000},
};

constexpr std::array kLooksLatin{
    Range{0x0391, 0x0392}, Range{0x0395, 0x0397}, Range{0x0399, 0x039A},   Range{0x039C, 0x039D},
    Range{0x039F, 0x039F}, Range{0x03A1, 0x03A1}, Range{0x03A4, 0x03A5},   Range{0x03A7, 0x03A7},
    Range{0x03B1, 0x03B1}, Range{0x03B9, 0x03B9}, Range{0x03BD, 0x03BD},   Range{0x03BF, 0x03BF},
    Range{0x03C1, 0x03C1}, Range{0x03C5, 0x03C5}, Range{0x0405, 0x0406},   Range{0x0408, 0x0408},
    Range{0x0410, 0x0410}, Range{0x0412, 0x0412}, Range{0x0415, 0x0415},   Range{0x041A, 0x041A},
    Range{0x041C, 0x041E}, Range{0x0420, 0x0422}, Range{0x0425, 0x0425},   Range{0x0430, 0x0430},
    Range{0x0435, 0x0435}, Range{0x043E, 0x043E}, Range{0x0440, 0x0441},   Range{0x0443, 0x0443},
    Range{0x0445, 0x0445}, Range{0x0455, 0x0456}, Range{0x0458, 0x0458},   Range{0x04BB, 0x04BB},
    Range{0x0501, 0x0501}, Range{0x051B, 0x051B}, Range{0x051D, 0x051D},   Range{0x13A0, 0x13F4},
    Range{0xFF21, 0xFF3A}, Range{0xFF41, 0xFF5A}, Range{0x1D400, 0x1D7FF},
};

constexpr std::array kLooksLikeQuote{
    Range{0xB4, 0xB4},
    Range{0x02B9, 0x02BC},
    Range{0x02EE, 0x02EE},
    Range{0x2018, 0x201F},
    Range{0x2032, 0x2036},
    Range{0xFF02, 0xFF02},
    Range{0xFF07, 0xFF07},
    Range{0xFF40, 0xFF40},
};

template <std::size_t Count>
bool isIn(const std::array<Range, Count>& ranges, char32_t codePoint)
{
    return std::any_of(ranges.begin(), ranges.end(), [codePoint](const Range& range) {
        return codePoint >= range.first && codePoint <= range.last;
    });
}

void appendEscape(std::string& out, char32_t codePoint)
{
    std::array<char, 16> buffer{};
    const int written =
        std::snprintf(buffer.data(), buffer.size(), "\\u{%x}", static_cast<unsigned>(codePoint));
    out.append(buffer.data(), static_cast<std::size_t>(written));
}

template <class MustEscape>
std::string escape(std::string_view text, MustEscape mustEscape)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Sequence sequence = decodeAt(text, at);
        if (!sequence.valid)
            out.append(kReplacement);
        else if (mustEscape(sequence.codePoint))
            appendEscape(out, sequence.codePoint);
        else
            out.append(text.substr(at, sequence.length));
        at += sequence.length;
    }
    return out;
}

/// Where the character begins that `at` lies within; `at` itself when it isn't inside of one.
std::size_t startOfCharacter(std::string_view text, std::size_t at)
{
    constexpr std::size_t kLongest = 4;
    for (std::size_t back = 1; back < kLongest && back <= at; ++back) {
        const Sequence sequence = decodeAt(text, at - back);
        if (sequence.valid)
            return sequence.length > back ? at - back : at;
    }
    return at;
}

} // namespace

std::string Utf8Decoder::feed(std::string_view bytes)
{
    std::string joined;
    if (!m_pending.empty()) {
        joined = std::move(m_pending);
        m_pending.clear();
        joined.append(bytes);
        bytes = joined;
    }
    std::string out;
    out.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const Sequence sequence = decodeAt(bytes, at);
        if (sequence.incomplete) {
            m_pending.assign(bytes.substr(at));
            break;
        }
        if (sequence.valid) {
            out.append(bytes.substr(at, sequence.length));
        } else {
            out.append(kReplacement);
            m_invalidBytes += sequence.length;
        }
        at += sequence.length;
    }
    return out;
}

std::string Utf8Decoder::finish()
{
    if (m_pending.empty())
        return {};
    m_invalidBytes += m_pending.size();
    m_pending.clear();
    return std::string(kReplacement);
}

std::string toValidUtf8(std::string_view bytes)
{
    Utf8Decoder decoder;
    std::string text = decoder.feed(bytes);
    text += decoder.finish();
    return text;
}

bool isValidUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const Sequence sequence = decodeAt(text, at);
        if (!sequence.valid)
            return false;
        at += sequence.length;
    }
    return true;
}

bool isUnusual(char32_t codePoint)
{
    return isIn(kUnusual, codePoint);
}

bool isOddBlank(char32_t codePoint)
{
    return isIn(kOddBlanks, codePoint);
}

bool looksLatin(char32_t codePoint)
{
    return isIn(kLooksLatin, codePoint);
}

bool isLatin(char32_t codePoint)
{
    return (codePoint >= U'a' && codePoint <= U'z') || (codePoint >= U'A' && codePoint <= U'Z') ||
           codePoint == U'_';
}

bool looksLikeQuote(char32_t codePoint)
{
    return isIn(kLooksLikeQuote, codePoint);
}

std::string escapeUnusual(std::string_view text)
{
    return escape(text, isUnusual);
}

std::string escapeForLine(std::string_view text)
{
    return escape(text, [](char32_t codePoint) {
        return codePoint == U'\n' || codePoint == U'\t' || isUnusual(codePoint);
    });
}

std::string_view prefixWithin(std::string_view text, std::size_t maxBytes)
{
    if (text.size() <= maxBytes)
        return text;
    return text.substr(0, startOfCharacter(text, maxBytes));
}

std::string_view suffixWithin(std::string_view text, std::size_t maxBytes)
{
    if (text.size() <= maxBytes)
        return text;
    const std::size_t cut = text.size() - maxBytes;
    const std::size_t start = startOfCharacter(text, cut);
    return text.substr(start == cut ? cut : start + decodeAt(text, start).length);
}

std::string groupedDigits(std::uint64_t count)
{
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string humanBytes(std::uint64_t bytes)
{
    constexpr std::array kUnits{"KB", "MB", "GB", "TB"};
    constexpr double kStep = 1024;
    constexpr double kRoundsUp = 1023.95; // would be shown as 1024.0
    if (bytes < 1024)
        return std::to_string(bytes) + " bytes";
    double value = static_cast<double>(bytes) / kStep;
    std::size_t unit = 0;
    while (value >= kRoundsUp && unit + 1 < kUnits.size()) {
        value /= kStep;
        ++unit;
    }
    std::array<char, 32> buffer{};
    const int digits = std::floor(value) == value ? 0 : 1;
    std::snprintf(buffer.data(), buffer.size(), "%.*f %s", digits, value, kUnits.at(unit));
    return std::string(buffer.data());
}

} // namespace belljar
