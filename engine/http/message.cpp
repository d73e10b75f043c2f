// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/message.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>

namespace belljar::http {

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// The part before `separator`, which is taken off `rest` with it.
std::string_view takePart(std::string_view& rest, char separator)
{
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return part;
}

} // namespace

bool sameName(std::string_view left, std::string_view right)
{
    return boost::beast::iequals(
        {left.data(), left.size()}, boost::beast::string_view(right.data(), right.size())
    );
}

std::optional<std::string_view> Request::field(std::string_view name) const
{
    for (const Field& one : fields) {
        if (sameName(one.name, name))
            return trimmed(one.value);
    }
    return {};
}

std::size_t Request::count(std::string_view name) const
{
    return static_cast<std::size_t>(std::count_if(
        fields.begin(), fields.end(), [name](const Field& one) { return sameName(one.name, name); }
    ));
}

bool isOfType(std::string_view contentType, std::string_view type)
{
    return sameName(trimmed(takePart(contentType, ';')), type);
}

bool accepts(std::string_view accept, std::string_view type)
{
    const std::string group = std::string(type.substr(0, type.find('/'))) + "/*";
    while (!accept.empty()) {
        std::string_view part = takePart(accept, ',');
        const std::string_view range = trimmed(takePart(part, ';'));
        if (sameName(range, type) || sameName(range, group) || range == "*/*")
            return true;
    }
    return false;
}

std::optional<std::string_view> queryValue(std::string_view query, std::string_view key)
{
    while (!query.empty()) {
        std::string_view pair = takePart(query, '&');
        if (takePart(pair, '=') == key)
            return pair;
    }
    return {};
}

std::string_view reasonOf(int status)
{
    const auto reason =
        boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
    return {reason.data(), reason.size()};
}

} // namespace belljar::http
