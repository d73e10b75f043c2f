// SPDX-License-Identifier: GPL-3.0-or-later
// toml++ reads and tells where things stand; the text is edited here, since it can only write a
// file anew.
#include "engine/clients/formats.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace belljar::clients {

namespace {

/// Tables that dotted keys open nest without bound and are freed recursively: `a.a.a.a = 1` of
/// some 100 KB ends the process. A key with more parts than this counts against kMostParts.
constexpr std::size_t kUsualParts = 8;
constexpr std::size_t kMostParts = 2000;

/// Do keys stay within what can be freed? Dots in other places are counted too; nobody writes that
/// many of them in a row.
bool isShallow(std::string_view text)
{
    std::size_t run = 0;
    std::size_t many = 0;
    for (const char c : text) {
        if (c == '.')
            many += ++run > kUsualParts ? 1U : 0U;
        else if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos)
            run = 0;
    }
    return many <= kMostParts;
}

/// The byte at a place that toml++ names: its columns count characters.
std::size_t offsetOf(std::string_view text, const toml::source_position& place)
{
    std::size_t at = 0;
    for (toml::source_index line = 1; line < place.line && at < text.size(); ++line)
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    for (toml::source_index column = 1; column < place.column && at < text.size(); ++column) {
        do
            ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
    }
    return at;
}

std::size_t lineBegin(std::string_view text, std::size_t at)
{
    return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
}

/// After the newline of the line that `at` is in, or the end of the text.
std::size_t lineEnd(std::string_view text, std::size_t at)
{
    const std::size_t newline = text.find('\n', at);
    return newline == std::string_view::npos ? text.size() : newline + 1;
}

Json toJson(const toml::node& node)
{
    if (const toml::table* table = node.as_table()) {
        Json object = Json::object();
        for (const auto& [key, value] : *table)
            object[std::string(key.str())] = toJson(value);
        return object;
    }
    if (const toml::array* array = node.as_array()) {
        Json list = Json::array();
        for (const toml::node& element : *array)
            list.push_back(toJson(element));
        return list;
    }
    if (const auto* text = node.as_string())
        return text->get();
    if (const auto* number = node.as_integer())
        return number->get();
    // What isn't equal to itself (nan) is none that can be compared.
    if (const auto* number = node.as_floating_point(); number && std::isfinite(number->get()))
        return number->get();
    if (const auto* number = node.as_floating_point())
        return std::to_string(number->get());
    if (const auto* word = node.as_boolean())
        return word->get();
    std::ostringstream moment; // of the four kinds that JSON lacks
    node.visit([&moment](const auto& value) {
        if constexpr (toml::is_chronological<decltype(value)>)
            moment << value.get();
    });
    return moment.str();
}

std::string newlineOf(std::string_view text)
{
    return text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
}

std::string keyText(const std::string& key)
{
    const bool isBare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               c == '_' || c == '-';
    });
    return isBare ? key : Json(key).dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// On one line. Texts, numbers and words are written alike in JSON and TOML.
std::string valueText(const OrderedJson& value)
{
    if (!value.is_structured())
        return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    std::string items;
    for (const auto& [key, item] : value.items())
        items += (items.empty() ? "" : ", ") +
                 (value.is_object() ? keyText(key) + " = " : std::string()) + valueText(item);
    if (value.is_array())
        return "[" + items + "]";
    return items.empty() ? "{}" : "{ " + items + " }";
}

struct Root {
    toml::table table;
    const toml::table* entry = nullptr;
    const toml::key* key = nullptr; ///< of the entry
};

/// The text has been read without a problem before.
Root rootOf(const KnownClient& client, std::string_view text)
{
    Root root;
    if (toml::parse_result parsed = toml::parse(text))
        root.table = std::move(parsed).table();
    const toml::table* servers = root.table.get_as<toml::table>(client.key);
    if (!servers)
        return root;
    for (const auto& [key, value] : *servers) {
        if (key.str() != kServerName)
            continue;
        root.key = &key;
        root.entry = value.as_table();
    }
    return root;
}

Json read(std::string_view text, std::optional<Problem>& problem)
{
    if (!isShallow(text)) {
        problem = Problem{1, 1, "too many levels"};
        return {};
    }
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        const toml::source_position place = parsed.error().source().begin;
        problem = Problem{place.line, place.column, std::string(parsed.error().description())};
        return {};
    }
    return toJson(parsed.table());
}

/// Appends the entry as a table of its own, with an empty line before it; a last line without a
/// newline stays one.
Result<std::string> add(const KnownClient& client, std::string_view text, const OrderedJson& entry)
{
    const std::string newline = newlineOf(text);
    std::string section = "[" + keyText(client.key) + "." + std::string(kServerName) + "]";
    for (const auto& [name, value] : entry.items())
        section += newline + keyText(name) + " = " + valueText(value);
    if (text.empty())
        return section + newline;
    if (text.ends_with('\n'))
        return std::string(text) + newline + section + newline;
    return std::string(text) + newline + newline + section;
}

Result<std::string> update(
    const KnownClient& client,
    std::string_view text,
    const std::string& /*inside*/,
    const Members& members
)
{
    std::string changed(text);
    for (const auto& [name, value] : members) {
        const Root root = rootOf(client, changed);
        if (!root.entry)
            return fail(Errc::Unsupported, "the entry is no table");
        if (const toml::node* present = root.entry->get(name)) {
            const std::size_t begin = offsetOf(changed, present->source().begin);
            const std::size_t end = offsetOf(changed, present->source().end);
            if (begin > end)
                return fail(Errc::Unsupported, name + " is written in an unusual form");
            changed.replace(begin, end - begin, valueText(value));
            continue;
        }
        // Behind one that is there: in the same table, whichever form that has.
        const toml::node* beside = root.entry->get("command");
        beside = beside ? beside : root.entry->get("url");
        if (!beside)
            return fail(Errc::Unsupported, "the entry has no command");
        const std::size_t at = offsetOf(changed, beside->source().end);
        const std::string item = keyText(name) + " = " + valueText(value);
        if (root.entry->is_inline())
            changed.insert(at, ", " + item);
        else
            changed.insert(lineEnd(changed, at), item + newlineOf(changed));
    }
    return changed;
}

/// The end of what stands in `node` and below it.
std::size_t endOf(std::string_view text, const toml::node& node)
{
    std::size_t end = offsetOf(text, node.source().end);
    const auto take = [&](const toml::node& child) { end = std::max(end, endOf(text, child)); };
    if (const toml::table* table = node.as_table()) {
        for (const auto& [key, value] : *table)
            take(value);
    } else if (const toml::array* array = node.as_array()) {
        for (const toml::node& element : *array)
            take(element);
    }
    return end;
}

Result<std::string> remove(const KnownClient& client, std::string_view text)
{
    const Root root = rootOf(client, text);
    if (!root.key || !root.entry)
        return std::string(text);
    const bool isInline = root.entry->is_inline();
    std::size_t begin = lineBegin(
        text, offsetOf(text, isInline ? root.key->source().begin : root.entry->source().begin)
    );
    std::size_t end = lineEnd(text, endOf(text, *root.entry));
    if (!isInline && begin > 0) {
        // The empty line before it, and where it was the last without a newline, that before it.
        const auto newlineBefore = [&](std::size_t at) {
            if (at > 0 && text[at - 1] == '\n')
                return at - (at > 1 && text[at - 2] == '\r' ? 2U : 1U);
            return at;
        };
        const std::size_t blank = newlineBefore(begin);
        const bool isBlank = blank == 0 || text[blank - 1] == '\n';
        const bool endsText = end == text.size() && !text.ends_with('\n');
        if (isBlank)
            begin = endsText ? newlineBefore(blank) : blank;
    }
    if (begin > end)
        return fail(Errc::Unsupported, "the entry is written in an unusual form");
    std::string changed(text);
    return changed.erase(begin, end - begin);
}

} // namespace

const FormatFunctions kTomlFunctions{read, add, update, remove};

} // namespace belljar::clients
