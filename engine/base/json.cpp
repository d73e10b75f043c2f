// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <vector>

namespace belljar {

namespace {

/// The deepest nesting of arrays and objects, found without building anything.
std::size_t nestingDepth(std::string_view bytes)
{
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool inString = false;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const char byte = bytes[at];
        if (inString) {
            if (byte == '\\')
                ++at;
            else if (byte == '"')
                inString = false;
        } else if (byte == '"') {
            inString = true;
        } else if (byte == '[' || byte == '{') {
            deepest = std::max(deepest, ++depth);
        } else if ((byte == ']' || byte == '}') && depth > 0) {
            --depth;
        }
    }
    return deepest;
}

/// Watches a parse for keys that occur twice in one object.
class DuplicateKeys {
public:
    bool operator()(int /*depth*/, Json::parse_event_t event, Json& parsed)
    {
        switch (event) {
        case Json::parse_event_t::object_start: m_keys.emplace_back(); break;
        case Json::parse_event_t::object_end: m_keys.pop_back(); break;
        case Json::parse_event_t::key:
            if (!m_keys.back().insert(parsed.get<std::string>()).second && m_duplicate.empty())
                m_duplicate = parsed.get<std::string>();
            break;
        case Json::parse_event_t::array_start:
        case Json::parse_event_t::array_end:
        case Json::parse_event_t::value: break;
        }
        return true;
    }

    [[nodiscard]] const std::string& duplicate() const { return m_duplicate; }

private:
    std::vector<std::unordered_set<std::string>> m_keys;
    std::string m_duplicate;
};

/// Foreign text in a message: nlohmann_json quotes the whole of the token that it didn't like.
std::string shown(std::string_view text)
{
    constexpr std::size_t kShownBytes = 200;
    if (text.size() <= kShownBytes)
        return escapeForLine(text);
    return escapeForLine(prefixWithin(text, kShownBytes)) + "...";
}

/// A number as a whole one, if it is one and std::int64_t has it.
std::optional<std::int64_t> wholeNumber(const Json& number)
{
    if (number.is_number_unsigned()) {
        const auto value = number.get<std::uint64_t>();
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return {};
        return static_cast<std::int64_t>(value);
    }
    if (number.is_number_integer())
        return number.get<std::int64_t>();
    const double value = number.get<double>();
    // 2^63 is a double, 2^63 - 1 isn't.
    constexpr double kEnd = 9223372036854775808.0;
    if (std::trunc(value) != value || value < -kEnd || value >= kEnd)
        return {};
    return static_cast<std::int64_t>(value);
}

std::string typeOf(const Json& value)
{
    return value.type_name();
}

} // namespace

Result<Json> parseJson(std::string_view bytes, JsonLimits limits)
{
    if (bytes.size() > limits.maxBytes)
        return fail(
            Errc::InvalidArgument,
            "JSON of " + std::to_string(bytes.size()) + " bytes; at most " +
                std::to_string(limits.maxBytes) + " are accepted"
        );
    if (nestingDepth(bytes) > limits.maxDepth)
        return fail(
            Errc::InvalidArgument,
            "JSON nested deeper than " + std::to_string(limits.maxDepth) + " levels"
        );
    // nlohmann_json takes a NUL for the end and would pass over whatever stands behind it.
    if (const std::size_t nul = bytes.find('\0'); nul != std::string_view::npos)
        return fail(
            Errc::InvalidArgument, "not valid JSON: NUL at byte " + std::to_string(nul + 1)
        );
    DuplicateKeys keys;
    try {
        Json value = Json::parse(bytes, std::ref(keys));
        if (!keys.duplicate().empty())
            return fail(
                Errc::InvalidArgument, "JSON has the key \"" + shown(keys.duplicate()) + "\" twice"
            );
        return value;
    } catch (const Json::parse_error& error) {
        return fail(
            Errc::InvalidArgument,
            "not valid JSON at byte " + std::to_string(error.byte) + ": " + shown(error.what())
        );
    } catch (const Json::exception& error) {
        return fail(Errc::InvalidArgument, "not valid JSON: " + shown(error.what()));
    }
}

std::string dumpJson(const Json& value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

JsonReader::JsonReader(const Json& object, std::string place)
    : m_object(object)
    , m_place(std::move(place))
{
    if (!object.is_object())
        m_error = Error(
            Errc::InvalidArgument,
            (m_place.empty() ? std::string("value") : m_place) + ": expected an object, got " +
                typeOf(object)
        );
}

const Json* JsonReader::member(std::string_view key) const
{
    if (!m_object.is_object())
        return nullptr;
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

void JsonReader::refuse(std::string_view key, std::string_view message)
{
    if (m_error)
        return;
    std::string place = m_place;
    if (!place.empty() && !key.empty())
        place += '.';
    place += key;
    m_error = Error(Errc::InvalidArgument, place + ": " + std::string(message));
}

void JsonReader::require(std::string_view key)
{
    if (!member(key))
        refuse(key, "is required");
}

std::optional<std::string> JsonReader::string(std::string_view key)
{
    const Json* value = member(key);
    if (!value)
        return {};
    if (!value->is_string()) {
        refuse(key, "expected text, got " + typeOf(*value));
        return {};
    }
    return value->get<std::string>();
}

std::optional<bool> JsonReader::boolean(std::string_view key)
{
    const Json* value = member(key);
    if (!value)
        return {};
    if (!value->is_boolean()) {
        refuse(key, "expected true or false, got " + typeOf(*value));
        return {};
    }
    return value->get<bool>();
}

std::optional<double> JsonReader::number(std::string_view key, double low, double high)
{
    const Json* value = member(key);
    if (!value)
        return {};
    const auto allowed = [&] {
        return "expected a number from " + Json(low).dump() + " to " + Json(high).dump();
    };
    if (!value->is_number()) {
        refuse(key, allowed() + ", got " + typeOf(*value));
        return {};
    }
    const double got = value->get<double>();
    if (!std::isfinite(got) || got < low || got > high) {
        refuse(key, allowed() + ", got " + value->dump());
        return {};
    }
    return got;
}

std::optional<std::int64_t>
JsonReader::integer(std::string_view key, std::int64_t low, std::int64_t high)
{
    const Json* value = member(key);
    if (!value)
        return {};
    const auto allowed = [&] {
        return "expected a whole number from " + std::to_string(low) + " to " +
               std::to_string(high);
    };
    if (!value->is_number()) {
        refuse(key, allowed() + ", got " + typeOf(*value));
        return {};
    }
    const auto whole = wholeNumber(*value);
    if (!whole || *whole < low || *whole > high) {
        refuse(key, allowed() + ", got " + value->dump());
        return {};
    }
    return whole;
}

} // namespace belljar
