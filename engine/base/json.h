// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace belljar {

using Json = nlohmann::json;

/// Bounds that are checked before anything is built (nlohmann_json itself has none; deep values
/// crash it later).
struct JsonLimits {
    std::size_t maxBytes = 16U * 1024 * 1024;
    std::size_t maxDepth = 64;
};

/// The one door for foreign JSON. Refuses what is too large or too deep, ill-formed UTF-8, lone
/// surrogates and duplicate keys; never throws. Errors: InvalidArgument, with the byte position.
Result<Json> parseJson(std::string_view bytes, JsonLimits limits = {});

/// `value` as one line of UTF-8; text that isn't valid UTF-8 is repaired with U+FFFD.
[[nodiscard]] std::string dumpJson(const Json& value);

/// Reads the members of one JSON object with errors that name the place: `limits.memory_bytes:
/// expected ...`. Readers return nothing for an absent or null member and remember the first error
/// for `error()`.
class JsonReader {
public:
    /// Reads members of `object`; `place` is the object's own path for messages, may be empty.
    JsonReader(const Json& object, std::string place);

    std::optional<std::string> string(std::string_view key);
    std::optional<bool> boolean(std::string_view key);
    /// A whole number within [low, high]; a double without fraction counts.
    std::optional<std::int64_t> integer(std::string_view key, std::int64_t low, std::int64_t high);
    std::optional<double> number(std::string_view key, double low, double high);
    /// The member itself, or nullptr.
    [[nodiscard]] const Json* member(std::string_view key) const;

    /// Remembers "place.key: message" unless an error is remembered already.
    void refuse(std::string_view key, std::string_view message);
    /// Remembers an error when `key` is absent or null.
    void require(std::string_view key);

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    const Json& m_object;
    std::string m_place;
    std::optional<Error> m_error;
};

} // namespace belljar
