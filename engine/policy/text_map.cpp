// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policy/text_map.h"

#include <algorithm>
#include <utility>

namespace belljar::policy {

namespace {

constexpr int kMostLevels = 32;

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
            const std::string member = pointer + "/" + pointerStep(key);
            if (m_map.keys.contains(member)) {
                m_at = begin;
                return refuse("\"" + key + "\" is here a second time");
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

    /// Escapes are taken over undecoded into `key`, but for the simple ones that a key may have.
    bool string(std::string* key)
    {
        const std::size_t begin = m_at++;
        while (!atEnd() && peek() != '"') {
            if (static_cast<unsigned char>(peek()) < 0x20)
                return refuse("a text may not hold a line break or control character; write \\n");
            if (peek() == '\\' && m_at + 1 < m_text.size()) {
                const char escaped = m_text[m_at + 1];
                if (std::string_view("\"\\/bfnrtu").find(escaped) == std::string_view::npos)
                    return refuse(
                        "\\" + std::string(1, escaped) +
                        " means nothing; write \\\\ for a backslash"
                    );
                if (key && (escaped == '"' || escaped == '\\' || escaped == '/'))
                    key->push_back(escaped);
                else if (key)
                    key->append(m_text.substr(m_at, 2));
                m_at += 2;
                continue;
            }
            if (key)
                key->push_back(peek());
            ++m_at;
        }
        if (atEnd()) {
            m_at = begin;
            return refuse("this text has no closing quote");
        }
        ++m_at;
        return true;
    }

    bool word()
    {
        const std::size_t begin = m_at;
        while (!atEnd() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 ||
                            peek() == '-' || peek() == '+' || peek() == '.'))
            ++m_at;
        const std::string_view found = m_text.substr(begin, m_at - begin);
        const bool number = !found.empty() && (found.front() == '-' ||
                                               (found.front() >= '0' && found.front() <= '9'));
        if (number || found == "true" || found == "false" || found == "null")
            return true;
        m_at = begin;
        return refuse(
            "expected a value: a text in double quotes, a number, true, false, null, { or ["
        );
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
