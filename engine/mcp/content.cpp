// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/content.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"

#include <array>
#include <utility>

namespace belljar::mcp {

namespace {

Json mediaBlock(const char* type, std::string_view bytes, std::string_view mediaType)
{
    Json block;
    block["type"] = type;
    block["data"] = toBase64(bytes);
    block["mimeType"] = mediaType;
    return block;
}

std::string audioInWords(const Json& block)
{
    return "[audio, " + block.value("mimeType", "of unknown type") +
           ": this client's protocol revision has no audio]";
}

std::string linkInWords(const Json& block)
{
    std::string text = block.value("name", "") + ": " + block.value("uri", "");
    if (block.contains("size"))
        text += " (" + groupedDigits(block["size"].get<std::uint64_t>()) + " bytes)";
    return text;
}

struct LaterType {
    std::string_view type;
    bool Revision::*known;
    std::string (*inWords)(const Json&);
};

constexpr std::array kLaterTypes{
    LaterType{"audio", &Revision::audio, audioInWords},
    LaterType{"resource_link", &Revision::resourceLinks, linkInWords},
};

} // namespace

Json textBlock(std::string text)
{
    Json block;
    block["type"] = "text";
    block["text"] = std::move(text);
    return block;
}

Json imageBlock(std::string_view bytes, std::string_view mediaType)
{
    return mediaBlock("image", bytes, mediaType);
}

Json audioBlock(std::string_view bytes, std::string_view mediaType)
{
    return mediaBlock("audio", bytes, mediaType);
}

Json pngIcon(std::string_view bytes, std::string size)
{
    Json icon;
    icon["src"] = "data:image/png;base64," + toBase64(bytes);
    icon["mimeType"] = "image/png";
    icon["sizes"] = Json::array({std::move(size)});
    return Json::array({std::move(icon)});
}

Json embeddedText(std::string uri, std::string_view mediaType, std::string text)
{
    Json block;
    block["type"] = "resource";
    block["resource"] = textContents(std::move(uri), mediaType, std::move(text));
    return block;
}

Json resourceLink(
    std::string uri,
    std::string name,
    std::string_view mediaType,
    std::optional<std::uint64_t> sizeBytes
)
{
    Json block;
    block["type"] = "resource_link";
    block["uri"] = std::move(uri);
    block["name"] = std::move(name);
    if (!mediaType.empty())
        block["mimeType"] = mediaType;
    if (sizeBytes)
        block["size"] = *sizeBytes;
    return block;
}

Json textContents(std::string uri, std::string_view mediaType, std::string text)
{
    Json item;
    item["uri"] = std::move(uri);
    item["mimeType"] = mediaType;
    item["text"] = std::move(text);
    return item;
}

Json blobContents(std::string uri, std::string_view mediaType, std::string_view bytes)
{
    Json item;
    item["uri"] = std::move(uri);
    item["mimeType"] = mediaType;
    item["blob"] = toBase64(bytes);
    return item;
}

Json blockFor(Json block, const Revision& revision)
{
    for (const LaterType& later : kLaterTypes) {
        if (block.value("type", "") == later.type && !(revision.*later.known))
            return textBlock(later.inWords(block));
    }
    return block;
}

} // namespace belljar::mcp
