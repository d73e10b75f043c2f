// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policy/text_map.h"

#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace belljar::policy {

namespace {

constexpr int kMostLevels = 32;
// Every value is kept with the names of all around it: a file of a megabyte must not become
// gigabytes here.
constexpr std::size_t kMostValues = 10'000;
constexpr std::size_t kLongestName = 200;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

void appendUtf8(std::string& text, std::uint32_t codePoint)
{
    const auto push = [&text](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (codePoint < 0x80) {
        push(codePoint);
    } else if (codePoint < 0x800) {
        push(0xC0U | codePoint >> 6U);
        push(0x80U | (codePoint & 0x3FU));
    } else if (codePoint < 0x10000) {
        push(0xE0U | codePoint >> 12U);
        push(0x80U | (codePoint >> 6U & 0x3FU));
        push(0x80U | (codePoint & 0x3FU));
    } else {
        push(0xF0U | codePoint >> 18U);
        push(0x80U | (codePoint >> 12U & 0x3FU));
        push(0x80U | (codePoint >> 6U & 0x3FU));
        push(0x80U | (codePoint & 0x3FU));
    }
}

/// A recursive descent over the text (RFC 8259, with comments). Stops at the first error.
class Scanner {
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    {
        m_map.plain = std::string(text);
    }

    TextMap scan()
    {
        if (m_text.starts_with("\xEF\xBB\xBF"))
            refuse("begins with a byte order mark; save it as UTF-8 without one");
        else
            checkCharacters();
        if (!failed())
            blank();
        if (!failed() && value("", 0)) {
            blank();
            if (!failed() && m_at < m_text.size())
                refuse("expected the end of the text after the value");
        }
        return std::move(m_map);
    }

private:
    [[nodiscard]] bool failed() const { return m_map.error.has_value(); }
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }

    bool refuse(std::string message)
    {
        if (!failed())
            m_map.error = SyntaxError{m_at, std::move(message)};
        return false;
    }

    /// Of what no editor shows as what it is nothing is taken, in comments neither: a control
    /// character may end the text for whoever looks at it, a lone carriage return a line.
    void checkCharacters()
    {
        for (std::size_t at = 0; at < m_text.size() && !failed(); ++at) {
            const char c = m_text[at];
            const bool lineEnd =
                c == '\n' || (c == '\r' && m_text.substr(at + 1).starts_with('\n'));
            if (lineEnd || c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != '\x7F'))
                continue;
            m_at = at;
            refuse(
                c == '\r' ? "a carriage return stands here alone; end lines with a newline"
                          : "a control character stands here; take it away"
            );
        }
    }

    void blank()
    {
        while (!atEnd()) {
            const char c = peek();
            if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
                ++m_at;
            } else if (c == '/' && !comment()) {
                return;
            } else if (c != '/') {
                return;
            }
        }
    }

    bool comment()
    {
        const std::string_view rest = m_text.substr(m_at);
        std::size_t length = 0;
        if (rest.starts_with("//")) {
            length = std::min(rest.find('\n'), rest.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t end = rest.find("*/", 2);
            if (end == std::string_view::npos)
                return refuse("this comment has no end; close it with */");
            length = end + 2;
        } else {
            return refuse("expected a comment: // or /*");
        }
        for (std::size_t at = m_at; at < m_at + length; ++at) {
            if (m_map.plain[at] != '\n' && m_map.plain[at] != '\r')
                m_map.plain[at] = ' ';
        }
        m_at += length;
        return true;
    }

    bool value(const std::string& pointer, int level)
    {
        if (m_map.values.size() >= kMostValues)
            return refuse("has more than " + std::to_string(kMostValues) + " values");
        if (level > kMostLevels)
            return refuse("nested deeper than " + std::to_string(kMostLevels) + " levels");
        const std::size_t begin = m_at;
        bool good = false;
        switch (peek()) {
        case '{': good = object(pointer, level); break;
        case '[': good = array(pointer, level); break;
        case '"': good = string(nullptr); break;
        default: good = atEnd() ? refuse("the text ends where a value is expected") : word(); break;
        }
        if (good)
            m_map.values[pointer] = Span{begin, m_at};
        return good;
    }

    bool object(const std::string& pointer, int level)
    {
        ++m_at;
        blank();
        if (!failed() && peek() == '}') {
            ++m_at;
            return true;
        }
        for (;;) {
            if (failed())
                return false;
            if (peek() != '"')
                return refuse(
                    peek() == '}' ? "a comma stands before this }; take it away"
                                  : "expected the name of a member in double quotes"
                );
            std::string key;
            const std::size_t begin = m_at;
            if (!string(&key))
                return false;
            if (key.size() > kLongestName) {
                m_at = begin;
                return refuse(
                    "this name is longer than " + std::to_string(kLongestName) + " bytes"
                );
            }
            const std::string member = pointer + "/" + pointerStep(key);
            if (m_map.keys.contains(member)) {
                m_at = begin;
                return refuse("\"" + escapeForLine(key) + "\" is here a second time");
            }
            m_map.keys[member] = Span{begin, m_at};
            blank();
            if (failed() || peek() != ':')
                return refuse("expected a colon after the name");
            ++m_at;
            blank();
            if (failed() || !value(member, level + 1))
                return false;
            blank();
            if (failed())
                return false;
            const char next = peek();
            if (next != ',' && next != '}')
                return refuse("expected a comma or } after the value");
            ++m_at;
            if (next == '}')
                return true;
            blank();
        }
    }

    bool array(const std::string& pointer, int level)
    {
        ++m_at;
        blank();
        if (!failed() && peek() == ']') {
            ++m_at;
            return true;
        }
        for (std::size_t index = 0;; ++index) {
            if (failed())
                return false;
            if (peek() == ']')
                return refuse("a comma stands before this ]; take it away");
            if (!value(pointer + "/" + std::to_string(index), level + 1))
                return false;
            blank();
            if (failed())
                return false;
            const char next = peek();
            if (next != ',' && next != ']')
                return refuse("expected a comma or ] after the value");
            ++m_at;
            if (next == ']')
                return true;
            blank();
        }
    }

    /// Its value goes to `decoded`, if there is one: two spellings of a name are one name.
    bool string(std::string* decoded)
    {
        const std::size_t begin = m_at++;
        while (!atEnd() && peek() != '"') {
            if (static_cast<unsigned char>(peek()) < 0x20)
                return refuse("a text may not hold a line break or tab; write \\n or \\t");
            if (peek() == '\\') {
                if (!escape(decoded))
                    return false;
                continue;
            }
            if (decoded)
                decoded->push_back(peek());
            ++m_at;
        }
        if (atEnd()) {
            m_at = begin;
            return refuse("this text has no closing quote");
        }
        ++m_at;
        return true;
    }

    bool escape(std::string* decoded)
    {
        constexpr std::string_view kEscapes = "\"\\/bfnrt";
        constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        const std::string_view rest = m_text.substr(m_at);
        if (rest.size() < 2)
            return refuse("this text has no closing quote");
        if (const std::size_t which = kEscapes.find(rest[1]); which != std::string_view::npos) {
            if (decoded)
                decoded->push_back(kMeant[which]);
            m_at += 2;
            return true;
        }
        if (rest[1] != 'u')
            return refuse("this escape means nothing; write \\\\ for a backslash");
        const auto first = hex4(rest.substr(2));
        if (!first)
            return refuse("expected four hexadecimal digits after \\u");
        std::size_t length = 6;
        std::uint32_t codePoint = *first;
        if (codePoint >= 0xD800 && codePoint < 0xE000) {
            const std::string_view other = rest.substr(length);
            const auto low = other.starts_with("\\u") ? hex4(other.substr(2)) : std::nullopt;
            if (codePoint >= 0xDC00 || !low || *low < 0xDC00 || *low >= 0xE000)
                return refuse("this \\u is half of a pair; its other half is missing");
            codePoint = 0x10000 + ((codePoint - 0xD800) << 10U) + (*low - 0xDC00);
            length += 6;
        }
        if (codePoint == 0)
            return refuse("\\u0000 is not taken");
        if (decoded)
            appendUtf8(*decoded, codePoint);
        m_at += length;
        return true;
    }

    static std::optional<std::uint32_t> hex4(std::string_view text)
    {
        constexpr std::size_t kDigits = 4;
        std::uint32_t value = 0;
        const std::string_view digits = text.substr(0, kDigits);
        const char* end = digits.data() + digits.size();
        const auto [rest, failed] = std::from_chars(digits.data(), end, value, 16);
        if (digits.size() < kDigits || failed != std::errc() || rest != end)
            return {};
        return value;
    }

    bool word()
    {
        const std::size_t begin = m_at;
        while (!atEnd() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 ||
                            peek() == '-' || peek() == '+' || peek() == '.'))
            ++m_at;
        const std::string_view found = m_text.substr(begin, m_at - begin);
        if (found == "true" || found == "false" || found == "null" || isNumber(found))
            return true;
        m_at = begin;
        if (!found.empty() && (found.front() == '-' || isDigit(found.front())))
            return refuse("this is no number that can be read; a unit needs quotes: \"512m\"");
        return refuse(
            "expected a value: a text in double quotes, a number, true, false, null, { or ["
        );
    }

    /// As RFC 8259 has it, and finite.
    static bool isNumber(std::string_view text)
    {
        std::string_view rest = text;
        const auto digits = [&rest] {
            const std::size_t before = rest.size();
            while (!rest.empty() && isDigit(rest.front()))
                rest.remove_prefix(1);
            return before - rest.size();
        };
        if (rest.starts_with('-'))
            rest.remove_prefix(1);
        const bool zero = rest.starts_with('0');
        const std::size_t whole = digits();
        if (whole == 0 || (zero && whole > 1))
            return false;
        if (rest.starts_with('.')) {
            rest.remove_prefix(1);
            if (digits() == 0)
                return false;
        }
        if (rest.starts_with('e') || rest.starts_with('E')) {
            rest.remove_prefix(1);
            if (rest.starts_with('+') || rest.starts_with('-'))
                rest.remove_prefix(1);
            if (digits() == 0)
                return false;
        }
        double value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        return rest.empty() && read.ec == std::errc();
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    TextMap m_map;
};

} // namespace

TextMap mapText(std::string_view text)
{
    return Scanner(text).scan();
}

LineColumn lineColumnAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    LineColumn place;
    place.line += static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t newline = before.rfind('\n');
    const std::string_view line =
        newline == std::string_view::npos ? before : before.substr(newline + 1);
    // Every byte but the continuation bytes of UTF-8 begins a character.
    place.column += static_cast<std::uint32_t>(std::count_if(line.begin(), line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
    return place;
}

std::string pointerStep(std::string_view key)
{
    std::string step;
    for (const char c : key) {
        if (c == '~')
            step += "~0";
        else if (c == '/')
            step += "~1";
        else
            step += c;
    }
    return step;
}

} // namespace belljar::policy
