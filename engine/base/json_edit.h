// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Edits of a JSON text that leave every other byte alone: comments, order, unknown members and
/// layout survive. Pure functions over UTF-8; offsets are bytes.
namespace belljar::json {

enum class Kind : std::uint8_t { Object, Array, String, Number, Word };

/// A value and where it stands.
struct Node {
    Kind kind = Kind::Word;
    std::size_t begin = 0;
    std::size_t end = 0; ///< after the last byte
    std::string key;     ///< of a member
    std::size_t keyBegin = 0;
    std::size_t keyEnd = 0; ///< after the closing quote
    std::vector<Node> children;

    /// Where the member or element begins: at its key if it has one.
    [[nodiscard]] std::size_t itemBegin() const { return keyEnd > keyBegin ? keyBegin : begin; }
};

struct SyntaxError {
    std::size_t at = 0;
    std::string message; ///< says what is expected
};

struct Tree {
    std::optional<Node> root; ///< there unless `error` is
    std::optional<SyntaxError> error;
};

/// What a text may have beyond RFC 8259 and comments.
enum class Dialect : std::uint8_t {
    Plain,
    TrailingCommas, ///< one after the last member or element, as editors' settings have it
};

/// RFC 8259 with `//` and `/* */` comments, at most 32 levels deep. Any bytes; never throws.
[[nodiscard]] Tree parse(std::string_view text, Dialect dialect = Dialect::Plain);

/// The value at `pointer` (RFC 6901); of members with the same key the last. Null: there is none.
[[nodiscard]] const Node* find(const Node& root, std::string_view pointer);

/// The innermost value that `offset` is in, as a pointer; works in broken text too, as far as what
/// stands before `offset` tells. In an object between members: the object's.
struct Place {
    std::string pointer;        ///< of the value that would stand here, or of the object for a key
    bool isKey = false;         ///< a member's key would stand here
    std::size_t tokenBegin = 0; ///< of the string or word that `offset` is in or at the end of
};
[[nodiscard]] Place placeAt(std::string_view text, std::size_t offset);

/// The value as JSON; of members with the same key the last.
[[nodiscard]] Json valueOf(std::string_view text, const Node& node);

/// `removed` bytes at `at` become `inserted`.
struct Edit {
    std::size_t at = 0;
    std::size_t removed = 0;
    std::string inserted;
    friend bool operator==(const Edit&, const Edit&) = default;
};

[[nodiscard]] std::string applied(std::string text, const Edit& edit);

/// Replaces the value at `pointer`, or adds it as the last member of its object in the layout of
/// its neighbours; missing objects on the way are made.
/// Errors: InvalidArgument when the text is broken, or something on the way is no object.
Result<Edit> setValue(std::string_view text, std::string_view pointer, const Json& value);
/// The same with the members in the order that they have in `value`.
Result<Edit> setValue(
    std::string_view text,
    std::string_view pointer,
    const nlohmann::ordered_json& value,
    Dialect dialect = Dialect::Plain
);

/// Takes out a member or element with its comma. Nothing to take out is an edit of nothing.
Result<Edit>
removeValue(std::string_view text, std::string_view pointer, Dialect dialect = Dialect::Plain);

/// Puts `value` before element `index` of the array at `pointer` (its size: at the end); a missing
/// array is made.
Result<Edit> insertElement(
    std::string_view text, std::string_view pointer, std::size_t index, const Json& value
);

/// Moves an element to where `to` will be its index; comments on lines above it go with it.
Result<Edit>
moveElement(std::string_view text, std::string_view pointer, std::size_t from, std::size_t to);

/// `value` over lines, two spaces a level, small things on one line; `indent` goes before every
/// line but the first.
[[nodiscard]] std::string
layOut(const Json& value, std::string_view indent, std::string_view step, std::string_view newline);

/// One step of a pointer, escaped.
[[nodiscard]] std::string step(std::string_view key);
/// The steps of a pointer, unescaped.
[[nodiscard]] std::vector<std::string> steps(std::string_view pointer);

} // namespace belljar::json
