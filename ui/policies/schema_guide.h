// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace belljar::ui {

/// The policy's JSON Schema, asked by the place in a document.
class SchemaGuide {
public:
    SchemaGuide();

    [[nodiscard]] const Json& root() const { return m_schema; }
    /// What the schema says of the value at `pointer`; null where it says nothing.
    [[nodiscard]] const Json* at(std::string_view pointer) const;
    /// The default of the value at `pointer`; null where there is none.
    [[nodiscard]] const Json* defaultAt(std::string_view pointer) const;

    /// A key or value that may stand somewhere, as JSON text, and what it means.
    struct Proposal {
        std::string text;
        std::string meaning;
    };
    /// Keys of the object at `pointer`, without those in `taken`.
    [[nodiscard]] std::vector<Proposal> keysAt(std::string_view pointer, const Json* taken) const;
    [[nodiscard]] std::vector<Proposal> valuesAt(std::string_view pointer) const;

private:
    Json m_schema;
};

/// The keys of the properties of an object's schema, in the order they were written in.
[[nodiscard]] std::vector<std::string> propertiesOf(const Json& schema);
/// "title" of a schema, or the key where it has none.
[[nodiscard]] std::string titleOf(const Json& schema, std::string_view key);
/// A text member of a schema, or nothing.
[[nodiscard]] std::string textOf(const Json& schema, const char* member);

} // namespace belljar::ui
