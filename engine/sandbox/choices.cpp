// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/choices.h"

#include "engine/base/json.h"

namespace belljar::sandbox {

namespace {

constexpr std::size_t kMostBytes = 64U * 1024;
constexpr const char* kPoolSizes = "pool_sizes";

/// The object member `key`; an empty one where there is none.
Json objectOf(JsonReader& reader, const char* key)
{
    const Json* member = reader.member(key);
    if (!member)
        return Json::object();
    if (!member->is_object())
        reader.refuse(key, "expected an object of languages");
    return member->is_object() ? *member : Json::object();
}

} // namespace

Result<Choices> parseChoices(std::string_view text)
{
    const auto json = parseJson(text, {kMostBytes, 8});
    if (!json)
        return fail(json.error());
    if (!json->is_object())
        return fail(Errc::InvalidArgument, "expected an object");
    JsonReader reader(*json, "");
    const Json sizes = objectOf(reader, kPoolSizes);
    if (reader.error())
        return fail(*reader.error());

    Choices choices;
    JsonReader size(sizes, kPoolSizes);
    std::uint64_t together = 0;
    for (const auto& [language, value] : sizes.items()) {
        const auto count = size.integer(language, 0, kMostWarm);
        if (!count)
            size.refuse(language, "expected a number");
        choices.poolSizes[language] = static_cast<std::uint32_t>(count.value_or(0));
        together += choices.poolSizes[language];
    }
    if (size.error())
        return fail(*size.error());
    if (together > kMostWarmTogether)
        reader.refuse(
            kPoolSizes, "expected at most " + std::to_string(kMostWarmTogether) + " together"
        );
    if (reader.error())
        return fail(*reader.error());
    return choices;
}

std::string choicesText(const Choices& choices)
{
    Json json = Json::object();
    json[kPoolSizes] = choices.poolSizes;
    return dumpJson(json) + "\n";
}

} // namespace belljar::sandbox
