// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/choices.h"

#include "engine/base/json.h"
#include "engine/docker/codec.h"

namespace belljar::sandbox {

namespace {

constexpr std::size_t kMostBytes = 64U * 1024;
constexpr const char* kPoolSizes = "pool_sizes";
constexpr const char* kImages = "images";

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
    const Json images = objectOf(reader, kImages);
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
    JsonReader image(images, kImages);
    for (const auto& [language, value] : images.items()) {
        const std::string reference = image.string(language).value_or("");
        if (!docker::isImageReference(reference))
            image.refuse(language, "expected the name of an image");
        choices.images[language] = reference;
    }
    for (const JsonReader* part : {&size, &image}) {
        if (part->error())
            return fail(*part->error());
    }
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
    json[kImages] = choices.images;
    return dumpJson(json) + "\n";
}

} // namespace belljar::sandbox
