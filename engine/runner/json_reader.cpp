// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/json_reader.h"

#include <limits>

namespace belljar::runner {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

char* putUtf8(char* out, std::uint32_t code)
{
    const auto put = [&out](std::uint32_t byte) { *out++ = static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0U | (code >> 6U));
        put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        put(0xE0U | (code >> 12U));
        put(0x80U | ((code >> 6U) & 0x3FU));
        put(0x80U | (code & 0x3FU));
    } else {
        put(0xF0U | (code >> 18U));
        put(0x80U | ((code >> 12U) & 0x3FU));
        put(0x80U | ((code >> 6U) & 0x3FU));
        put(0x80U | (code & 0x3FU));
    }
    return out;
}

} // namespace

bool JsonDocument::parse(std::span<char> text)
{
    if (text.size() > kMaxControlBytes)
        return false;
    m_used = 0;
    m_next = text.data();
    m_end = text.data() + text.size();
    if (parseValue(1) == 0)
        return false;
    skipBlanks();
    return m_next == m_end;
}

const JsonNode* JsonDocument::find(const JsonNode& object, std::string_view name) const
{
    if (object.kind != JsonKind::Object)
        return nullptr;
    for (const JsonNode* member = firstChild(object); member != nullptr; member = next(*member)) {
        if (member->key == name)
            return member;
    }
    return nullptr;
}

std::uint16_t JsonDocument::parseValue(int depth)
{
    if (depth > kMaxDepth || m_used + 1U >= kMaxNodes)
        return 0;
    const auto index = ++m_used;
    JsonNode& node = m_nodes[index];
    node = JsonNode();
    skipBlanks();
    if (m_next == m_end)
        return 0;
    bool good = false;
    switch (*m_next) {
    case '{':
        node.kind = JsonKind::Object;
        good = parseMembers(node, depth, '}');
        break;
    case '[':
        node.kind = JsonKind::Array;
        good = parseMembers(node, depth, ']');
        break;
    case '"':
        node.kind = JsonKind::String;
        good = parseString(node.text);
        break;
    case 't':
        node.kind = JsonKind::True;
        good = takeWord("true");
        break;
    case 'f':
        node.kind = JsonKind::False;
        good = takeWord("false");
        break;
    case 'n': good = takeWord("null"); break;
    default: good = parseNumber(node); break;
    }
    return good ? index : std::uint16_t{0};
}

bool JsonDocument::parseMembers(JsonNode& parent, int depth, char close)
{
    ++m_next; // the bracket
    skipBlanks();
    if (take(close))
        return true;
    std::uint16_t* link = &parent.firstChild;
    do {
        std::string_view key;
        if (close == '}') {
            skipBlanks();
            if (!parseString(key))
                return false;
            skipBlanks();
            if (!take(':'))
                return false;
        }
        const std::uint16_t child = parseValue(depth + 1);
        if (child == 0)
            return false;
        m_nodes[child].key = key;
        *link = child;
        link = &m_nodes[child].next;
        skipBlanks();
    } while (take(','));
    return take(close);
}

bool JsonDocument::parseString(std::string_view& out)
{
    if (!take('"'))
        return false;
    char* const begin = m_next;
    char* end = begin; // never ahead of m_next: no escape is shorter than what it stands for
    while (m_next != m_end) {
        const char c = *m_next++;
        if (c == '"') {
            *end = '\0'; // at the closing quote or before it
            out = std::string_view(begin, static_cast<std::size_t>(end - begin));
            return true;
        }
        if (static_cast<unsigned char>(c) < 0x20)
            return false;
        if (c != '\\')
            *end++ = c;
        else if (!parseEscape(end))
            return false;
    }
    return false;
}

bool JsonDocument::parseEscape(char*& out)
{
    if (m_next == m_end)
        return false;
    switch (*m_next++) {
    case '"': *out++ = '"'; return true;
    case '\\': *out++ = '\\'; return true;
    case '/': *out++ = '/'; return true;
    case 'b': *out++ = '\b'; return true;
    case 'f': *out++ = '\f'; return true;
    case 'n': *out++ = '\n'; return true;
    case 'r': *out++ = '\r'; return true;
    case 't': *out++ = '\t'; return true;
    case 'u': break;
    default: return false;
    }
    std::uint32_t code = 0;
    if (!parseHex4(code) || code == 0 || (code >= 0xDC00 && code < 0xE000))
        return false;
    if (code >= 0xD800 && code < 0xDC00) {
        std::uint32_t low = 0;
        if (!take('\\') || !take('u') || !parseHex4(low) || low < 0xDC00 || low >= 0xE000)
            return false;
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    out = putUtf8(out, code);
    return true;
}

bool JsonDocument::parseHex4(std::uint32_t& value)
{
    value = 0;
    for (int index = 0; index < 4; ++index) {
        if (m_next == m_end)
            return false;
        const char c = *m_next++;
        const char lower = static_cast<char>(c | 0x20);
        if (isDigit(c))
            value = value * 16 + static_cast<std::uint32_t>(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
        else
            return false;
    }
    return true;
}

bool JsonDocument::parseNumber(JsonNode& node)
{
    const bool negative = take('-');
    if (m_next == m_end || !isDigit(*m_next))
        return false;
    node.kind = JsonKind::Integer;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    for (; m_next != m_end && isDigit(*m_next); ++m_next) {
        const int digit = *m_next - '0';
        if (node.number > (kMost - digit) / 10)
            return false;
        node.number = node.number * 10 + digit;
    }
    if (negative)
        node.number = -node.number;
    const auto skipDigits = [this] {
        const char* const begin = m_next;
        while (m_next != m_end && isDigit(*m_next))
            ++m_next;
        return m_next != begin;
    };
    if (take('.')) {
        node.kind = JsonKind::Fraction;
        if (!skipDigits())
            return false;
    }
    if (take('e') || take('E')) {
        node.kind = JsonKind::Fraction;
        if (!take('+'))
            take('-');
        return skipDigits();
    }
    return true;
}

bool JsonDocument::takeWord(std::string_view word)
{
    const std::string_view rest(m_next, static_cast<std::size_t>(m_end - m_next));
    if (!rest.starts_with(word))
        return false;
    m_next += word.size();
    return true;
}

bool JsonDocument::take(char expected)
{
    if (m_next == m_end || *m_next != expected)
        return false;
    ++m_next;
    return true;
}

void JsonDocument::skipBlanks()
{
    while (m_next != m_end &&
           (*m_next == ' ' || *m_next == '\t' || *m_next == '\n' || *m_next == '\r'))
        ++m_next;
}

} // namespace belljar::runner
