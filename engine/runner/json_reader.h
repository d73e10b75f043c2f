// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace belljar::runner {

enum class JsonKind : std::uint8_t { Null, False, True, Integer, Fraction, String, Array, Object };

/// One value. Strings point into the text that was parsed and end with a NUL byte.
struct JsonNode {
    JsonKind kind = JsonKind::Null;
    std::uint16_t firstChild = 0; ///< of Array and Object; 0 when empty
    std::uint16_t next = 0;       ///< sibling; 0 at the end
    std::string_view key;         ///< of an Object's member
    std::string_view text;        ///< of String
    std::int64_t number = 0;      ///< of Integer
};

/// A JSON text of at most 64 KiB with at most 4,095 values, nested at most 16 deep, parsed
/// in place with no allocation. A string that holds a NUL character is refused: none of ours has a
/// use for it and system calls would cut it.
class JsonDocument {
public:
    /// False when `text` isn't one JSON value within the limits. `text` is overwritten.
    bool parse(std::span<char> text);

    [[nodiscard]] const JsonNode& root() const { return m_nodes[1]; }

    /// The member `name` of an object; null when there is none or `object` isn't one.
    [[nodiscard]] const JsonNode* find(const JsonNode& object, std::string_view name) const;

    [[nodiscard]] const JsonNode* firstChild(const JsonNode& node) const
    {
        return at(node.firstChild);
    }

    [[nodiscard]] const JsonNode* next(const JsonNode& node) const { return at(node.next); }

private:
    static constexpr std::size_t kMaxNodes = 4096;
    static constexpr int kMaxDepth = 16;

    [[nodiscard]] const JsonNode* at(std::uint16_t index) const
    {
        return index == 0 ? nullptr : &m_nodes[index];
    }

    std::uint16_t parseValue(int depth);
    bool parseMembers(JsonNode& parent, int depth, char close);
    bool parseString(std::string_view& out);
    bool parseEscape(char*& out);
    bool parseHex4(std::uint32_t& value);
    bool parseNumber(JsonNode& node);
    bool takeWord(std::string_view word);
    bool take(char expected);
    void skipBlanks();

    std::array<JsonNode, kMaxNodes> m_nodes; // [0] means none
    std::uint16_t m_used = 0;
    char* m_next = nullptr;
    char* m_end = nullptr;
};

} // namespace belljar::runner
