// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/known.h"

#include "engine/base/file.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::clients {

namespace {

template <class Value>
struct Name {
    std::string_view text;
    Value value;
};
constexpr std::array kFormats{
    Name<Format>{"json", Format::Json}, Name<Format>{"toml", Format::Toml}};
constexpr std::array kAfters{
    Name<After>{"nothing", After::Nothing},
    Name<After>{"restart", After::Restart},
    Name<After>{"refresh", After::Refresh},
    Name<After>{"reconnect", After::Reconnect},
    Name<After>{"start", After::Start}};

template <class Names>
auto named(JsonReader& reader, std::string_view key, const Names& names)
{
    const std::string text = reader.string(key).value_or("");
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& name) {
        return name.text == text;
    });
    if (found == names.end()) {
        reader.refuse(key, "unknown word \"" + text + "\"");
        return names.front().value;
    }
    return found->value;
}

std::vector<std::string> texts(JsonReader& reader, std::string_view key)
{
    std::vector<std::string> list;
    const Json* value = reader.member(key);
    if (!value)
        return list;
    const bool fits =
        value->is_array() && std::all_of(value->begin(), value->end(), [](const Json& item) {
            return item.is_string();
        });
    if (!fits)
        reader.refuse(key, "expected a list of texts");
    else
        list = value->get<std::vector<std::string>>();
    return list;
}

OrderedJson entryOf(const OrderedJson& row, JsonReader& reader, std::string_view key)
{
    const auto found = row.find(std::string(key));
    if (found == row.end() || !found->is_object() || found->empty()) {
        reader.refuse(key, "expected an object with members");
        return {};
    }
    return *found;
}

/// `${NAME}` or `${NAME:-default}` at the beginning of `text`.
struct Variable {
    std::string name;
    std::optional<std::string> fallback;
    std::size_t length = 0; ///< of the whole in the text
};

std::optional<Variable> variableAt(std::string_view text)
{
    const std::size_t end = text.starts_with("${") ? text.find('}') : std::string_view::npos;
    if (end == std::string_view::npos)
        return {};
    const std::string_view inside = text.substr(2, end - 2);
    const std::size_t mark = inside.find(":-");
    Variable variable;
    variable.name = inside.substr(0, mark);
    if (mark != std::string_view::npos)
        variable.fallback = inside.substr(mark + 2);
    variable.length = end + 1;
    return variable;
}

} // namespace

Result<KnownClient> decodeKnownClient(const std::string& text, const std::string& place)
{
    auto json = parseJson(text);
    if (!json)
        return fail(json.error().within(place));
    // The door has checked it; once more for the order of the members.
    const OrderedJson row = OrderedJson::parse(text);
    JsonReader reader(*json, place);
    for (const std::string_view key :
         {"id", "title", "format", "key", "user", "installed", "names", "after", "stdio"})
        reader.require(key);
    if (reader.error())
        return fail(*reader.error());
    KnownClient client;
    client.id = reader.string("id").value_or("");
    client.title = reader.string("title").value_or("");
    client.format = named(reader, "format", kFormats);
    client.key = reader.string("key").value_or("");
    client.nested = reader.string("nested").value_or("");
    client.userFiles = texts(reader, "user");
    client.projectFile = reader.string("project").value_or("");
    client.names = texts(reader, "names");
    client.after = named(reader, "after", kAfters);
    client.stdio = entryOf(row, reader, "stdio");
    if (row.contains("http"))
        client.http = entryOf(row, reader, "http");
    JsonReader installed(*reader.member("installed"), place + ".installed");
    client.programs = texts(installed, "programs");
    client.paths = texts(installed, "paths");
    for (const JsonReader* one : {&reader, &installed}) {
        if (one->error())
            return fail(*one->error());
    }
    return client;
}

Result<std::vector<KnownClient>> loadKnownClients(const std::filesystem::path& folder)
{
    std::vector<KnownClient> known;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".json")
            continue;
        auto text = readFile(entry.path());
        if (!text)
            return fail(text.error());
        auto client = decodeKnownClient(*text, entry.path().string());
        if (!client)
            return fail(client.error());
        known.push_back(std::move(*client));
    }
    if (error)
        return fail(Errc::NotFound, folder.string() + ": " + error.message());
    std::sort(known.begin(), known.end(), [](const KnownClient& one, const KnownClient& other) {
        return one.title < other.title;
    });
    return known;
}

const KnownClient* findByName(const std::vector<KnownClient>& known, std::string_view name)
{
    const auto found = std::find_if(known.begin(), known.end(), [name](const KnownClient& client) {
        return std::find(client.names.begin(), client.names.end(), name) != client.names.end();
    });
    return found == known.end() ? nullptr : &*found;
}

const KnownClient* findById(const std::vector<KnownClient>& known, std::string_view id)
{
    const auto found = std::find_if(known.begin(), known.end(), [id](const KnownClient& client) {
        return client.id == id;
    });
    return found == known.end() ? nullptr : &*found;
}

std::optional<std::filesystem::path>
expandPath(std::string_view text, const std::filesystem::path& home, const Environment& environment)
{
    std::filesystem::path begin;
    if (const auto variable = variableAt(text)) {
        const std::string value = environment(variable->name).value_or("");
        if (value.starts_with('/'))
            begin = value;
        else if (variable->fallback)
            begin = expandPath(*variable->fallback, home, environment).value_or("");
        text.remove_prefix(variable->length);
    } else if (text.starts_with('~')) {
        begin = home;
        text.remove_prefix(1);
    } else if (text.starts_with('/')) {
        begin = "/";
    }
    if (begin.empty())
        return {};
    while (text.starts_with('/'))
        text.remove_prefix(1);
    return text.empty() ? begin : begin / text;
}

} // namespace belljar::clients
