// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/text_rules.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace belljar::analysis {

namespace {

enum class Rule : std::uint8_t {
    Bidirectional,
    Invisible,
    Control,
    OddSpace,
    Homoglyph,
    NotUtf8,
    LongLine,
    FarRight,
    BlankGap,
    Blob,
};

struct RuleRow {
    Rule rule;
    const char* id;
    Severity severity;
    const char* category;
    const char* message;
};

constexpr std::array kRules{
    RuleRow{
        Rule::Bidirectional,
        "text.bidirectional",
        Severity::High,
        "hidden",
        "a character that changes the direction of reading makes code look like other code"},
    RuleRow{
        Rule::Invisible, "text.invisible", Severity::Medium, "hidden", "an invisible character"},
    RuleRow{Rule::Control, "text.control", Severity::Medium, "hidden", "a control character"},
    RuleRow{
        Rule::OddSpace,
        "text.odd-space",
        Severity::Medium,
        "hidden",
        "a blank that is no ordinary blank"},
    RuleRow{
        Rule::Homoglyph,
        "text.homoglyph",
        Severity::Medium,
        "hidden",
        "a name mixes letters of several scripts that look alike"},
    RuleRow{
        Rule::NotUtf8, "text.not-utf8", Severity::Medium, "hidden", "bytes that are no UTF-8 text"},
    RuleRow{
        Rule::LongLine,
        "text.long-line",
        Severity::Low,
        "hidden",
        "a line of over 2,000 characters"},
    RuleRow{
        Rule::FarRight,
        "text.far-right",
        Severity::Medium,
        "hidden",
        "code stands far to the right, after many blanks"},
    RuleRow{
        Rule::BlankGap,
        "text.blank-gap",
        Severity::Medium,
        "hidden",
        "code follows after more than 40 blank lines"},
    RuleRow{
        Rule::Blob,
        "text.blob",
        Severity::Medium,
        "hidden",
        "a long text that looks encoded or encrypted"},
};

constexpr std::size_t kMostOfOne = 5; ///< findings of one rule
constexpr std::size_t kLongLine = 2000;
constexpr std::size_t kFarColumn = 200;
constexpr std::size_t kFarBlanks = 80;
constexpr std::size_t kBlankLines = 40;
constexpr std::size_t kBlobBytes = 400;
constexpr double kBlobEntropy = 5.2; // bits; base64 of random bytes has 6, English prose 4.2, hex 4

struct Span {
    char32_t first;
    char32_t last;
};

template <std::size_t Count>
bool isIn(const std::array<Span, Count>& spans, char32_t character)
{
    return std::any_of(spans.begin(), spans.end(), [character](const Span& span) {
        return character >= span.first && character <= span.last;
    });
}

// Unicode 15: Bidi_Control without the harmless marks, which are invisible all the same.
constexpr std::array kBidirectional{Span{0x202A, 0x202E}, Span{0x2066, 0x2069}};
// Default_Ignorable_Code_Point without what text of its own needs: joiners inside of emoji and of
// Indic and Arabic words, and variation selectors after a character, are judged by their neighbours
// below.
constexpr std::array kInvisible{
    Span{0x00AD, 0x00AD},
    Span{0x034F, 0x034F},
    Span{0x061C, 0x061C},
    Span{0x115F, 0x1160},
    Span{0x17B4, 0x17B5},
    Span{0x180B, 0x180F},
    Span{0x200B, 0x200B},
    Span{0x200E, 0x200F},
    Span{0x2060, 0x2065},
    Span{0x206A, 0x206F},
    Span{0x3164, 0x3164},
    Span{0xFEFF, 0xFEFF},
    Span{0xFFA0, 0xFFA0},
    Span{0xFFF9, 0xFFFB},
    Span{0x1BCA0, 0x1BCA3},
    Span{0x1D173, 0x1D17A},
    Span{0xE0000, 0xE0FFF}};
constexpr std::array kJoiners{Span{0x200C, 0x200D}, Span{0xFE00, 0xFE0F}};
bool isDigit(char32_t c)
{
    return c >= '0' && c <= '9';
}

/// One character and how many bytes it takes; 0xFFFD with one byte where there is none.
struct Character {
    char32_t value = 0xFFFD;
    std::size_t size = 1;
    bool valid = false;
};

Character decode(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80)
        return {lead, 1, true};
    std::size_t size = 0;
    if (lead >= 0xC2 && lead <= 0xDF)
        size = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        size = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        size = 4;
    if (size == 0 || at + size > text.size())
        return {};
    char32_t value = lead & (0x7FU >> size);
    for (std::size_t index = 1; index < size; ++index) {
        if ((byte(at + index) & 0xC0U) != 0x80U)
            return {};
        value = (value << 6U) | (byte(at + index) & 0x3FU);
    }
    const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
    if (overlong || (value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF)
        return {};
    return {value, size, true};
}

class Scan {
public:
    Scan(const Source& source, Report& report)
        : m_source(source)
        , m_report(report)
    {}

    void run()
    {
        characters();
        lines();
        for (const RuleRow& row : kRules) {
            const std::size_t more =
                m_counts[row.rule] > kMostOfOne ? m_counts[row.rule] - kMostOfOne : 0;
            if (more > 0)
                m_lastOf[row.rule]->message += " (and " + std::to_string(more) + " more places)";
        }
        for (auto& [rule, finding] : m_lastOf)
            m_report.findings.push_back(std::move(*finding));
    }

private:
    /// The last one of a rule is held back, to say how many more there are.
    void tell(Rule rule, std::size_t begin, std::size_t end, const std::string& detail = {})
    {
        if (++m_counts[rule] > kMostOfOne)
            return;
        const auto row = std::find_if(kRules.begin(), kRules.end(), [rule](const RuleRow& one) {
            return one.rule == rule;
        });
        Finding finding;
        finding.rule = row->id;
        finding.severity = row->severity;
        finding.category = row->category;
        finding.message = row->message + detail;
        finding.range = m_source.range(begin, end);
        auto& last = m_lastOf[rule];
        if (last)
            m_report.findings.push_back(std::move(*last));
        last = std::move(finding);
    }

    static std::string codePoint(char32_t character)
    {
        std::array<char, 16> text{};
        std::snprintf(text.data(), text.size(), " (U+%04X)", static_cast<unsigned>(character));
        return text.data();
    }

    void characters()
    {
        const std::string_view code = m_source.code();
        char32_t before = 0;
        std::size_t wordBegin = 0;
        bool inWord = false;
        bool latin = false;
        bool lookalike = false;
        const auto endWord = [&](std::size_t end) {
            if (inWord && latin && lookalike)
                tell(Rule::Homoglyph, wordBegin, end);
            inWord = latin = lookalike = false;
        };
        for (std::size_t at = 0; at < code.size();) {
            // Most of a program is plain ASCII.
            const auto byte = static_cast<unsigned char>(code[at]);
            const Character character = decode(code, at);
            const char32_t value = character.value;
            const bool wordCharacter = isLatin(value) || isDigit(value) || looksLatin(value);
            if (wordCharacter && !inWord) {
                inWord = true;
                wordBegin = at;
            } else if (!wordCharacter) {
                // A letter of a script of its own: then the word is of that script.
                if (byte >= 0x80 && character.valid && value >= 0xC0 &&
                    !isIn(kBidirectional, value))
                    latin = latin && lookalike;
                endWord(at);
            }
            if (wordCharacter) {
                latin = latin || isLatin(value);
                lookalike = lookalike || (value >= 0x80 && looksLatin(value));
            }
            if (byte >= 0x80 || byte < 0x20 || byte == 0x7F)
                judge(character, before, at);
            before = value;
            at += character.size;
        }
        endWord(code.size());
    }

    void judge(const Character& character, char32_t before, std::size_t at)
    {
        const char32_t value = character.value;
        const std::size_t end = at + character.size;
        const std::string_view code = m_source.code();
        if (!character.valid)
            tell(Rule::NotUtf8, at, end);
        else if (value == '\n' || value == '\t' || value == '\f')
            return;
        else if (value == '\r') {
            if (end >= code.size() || code[end] != '\n')
                tell(Rule::Control, at, end, codePoint(value));
        } else if (value < 0x20 || value == 0x7F || (value >= 0x80 && value < 0xA0 && value != 0x85))
            tell(Rule::Control, at, end, codePoint(value));
        else if (isIn(kBidirectional, value))
            tell(Rule::Bidirectional, at, end, codePoint(value));
        else if (isIn(kInvisible, value))
            tell(Rule::Invisible, at, end, codePoint(value));
        else if (isOddBlank(value)) {
            // The ideographic blank and the no-break blank belong into text of people, not between
            // words of code.
            const bool inText = before >= 0x80 || (value == 0xA0 && isInText(at));
            if (!inText)
                tell(Rule::OddSpace, at, end, codePoint(value));
        } else if (isIn(kJoiners, value) && before < 0x80 && !isDigit(before) && before != '#' && before != '*')
            tell(
                Rule::Invisible, at, end, codePoint(value)
            ); // after an ASCII letter it joins nothing
    }

    /// Inside of quotes or a comment, as far as one line tells.
    [[nodiscard]] bool isInText(std::size_t at) const
    {
        const std::string_view code = m_source.code();
        const std::size_t newline = code.rfind('\n', at);
        const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
        const std::string_view line = code.substr(begin, at - begin);
        const auto quotes = std::count(line.begin(), line.end(), '"') +
                            std::count(line.begin(), line.end(), '\'') +
                            std::count(line.begin(), line.end(), '`');
        return quotes % 2 == 1 || line.find('#') != std::string_view::npos ||
               line.find("//") != std::string_view::npos;
    }

    void lines()
    {
        std::size_t blank = 0;
        for (std::size_t index = 0; index < m_source.lineCount(); ++index) {
            const std::string_view line = m_source.line(index);
            const std::size_t begin = m_source.lineStart(index);
            const std::size_t first = line.find_first_not_of(" \t");
            if (first == std::string_view::npos) {
                ++blank;
                continue;
            }
            if (blank > kBlankLines && index > blank)
                tell(Rule::BlankGap, begin, begin + line.size(), ": " + std::to_string(blank));
            blank = 0;
            if (line.size() > kLongLine)
                tell(Rule::LongLine, begin, begin + line.size());
            farRight(line, begin);
            blobs(line, begin);
        }
    }

    /// Code behind a gap of blanks, beyond where a reader looks.
    void farRight(std::string_view line, std::size_t begin)
    {
        if (line.size() <= kFarColumn)
            return;
        std::size_t at = 0;
        while ((at = line.find_first_of(" \t", at)) != std::string_view::npos) {
            const std::size_t end = std::min(line.find_first_not_of(" \t", at), line.size());
            if (end - at >= kFarBlanks && end > kFarColumn && end < line.size()) {
                tell(Rule::FarRight, begin + end, begin + line.size());
                return;
            }
            at = end;
        }
    }

    /// A run of characters as base64, hex and the like have them, of high entropy.
    void blobs(std::string_view line, std::size_t begin)
    {
        if (line.size() < kBlobBytes)
            return;
        const auto encodes = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '+' || c == '/' || c == '=' || c == '-' || c == '_' || c == '\\';
        };
        std::size_t at = 0;
        while (at < line.size()) {
            const auto start =
                std::find_if(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), encodes);
            const auto stop = std::find_if_not(start, line.end(), encodes);
            const std::string_view run(start, stop);
            const auto from = static_cast<std::size_t>(start - line.begin());
            if (run.size() >= kBlobBytes && entropy(run) >= kBlobEntropy)
                tell(Rule::Blob, begin + from, begin + from + run.size());
            at = from + run.size() + 1;
        }
    }

    static double entropy(std::string_view text)
    {
        std::array<std::size_t, 256> counts{};
        for (const char c : text)
            ++counts.at(static_cast<unsigned char>(c));
        double bits = 0;
        for (const std::size_t count : counts) {
            if (count == 0)
                continue;
            const double share = static_cast<double>(count) / static_cast<double>(text.size());
            bits -= share * std::log2(share);
        }
        return bits;
    }

    const Source& m_source;
    Report& m_report;
    std::map<Rule, std::size_t> m_counts;
    std::map<Rule, std::optional<Finding>> m_lastOf;
};

} // namespace

std::vector<RuleInfo> textRules()
{
    std::vector<RuleInfo> rules;
    for (const RuleRow& row : kRules)
        rules.push_back({row.id, "", row.severity, row.category, row.message});
    return rules;
}

void findInText(const Source& source, Report& report)
{
    Scan(source, report).run();
}

} // namespace belljar::analysis
