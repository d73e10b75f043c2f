// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/entry.h"

#include "engine/clients/formats.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace belljar::clients {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
/// Where an address stands, by client.
constexpr std::array kUrlMembers{"url", "serverUrl", "httpUrl"};
/// What decides where an entry leads and whether it is on. The rest (time limits, environment,
/// approvals) is the person's.
constexpr std::array kDecisiveMembers{
    "type",
    "command",
    "args",
    "url",
    "serverUrl",
    "httpUrl",
    "headers",
    "http_headers",
    "disabled"};
/// These stay outside of the member that holds the rest of an entry (KnownClient::nested).
constexpr std::array kOuterMembers{"disabled", "enabled"};
/// Of the same name in one text; more is no mistake any more.
constexpr int kMostEntries = 16;

const FormatFunctions& functionsOf(Format format)
{
    return format == Format::Toml ? kTomlFunctions : kJsonFunctions;
}

/// A text with its byte order mark apart.
struct Marked {
    explicit Marked(std::string_view text)
        : mark(text.starts_with(kByteOrderMark) ? kByteOrderMark : "")
        , body(text.substr(mark.size()))
    {}
    std::string_view mark;
    std::string_view body;
};

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

const Json* memberOf(const Json& object, const std::string& key)
{
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

/// The object with the entries, or null; an error when something else stands in its place.
Result<const Json*> serversIn(const KnownClient& client, const Json& whole)
{
    if (!whole.is_object())
        return fail(Errc::Unsupported, "the configuration is no object");
    const Json* servers = memberOf(whole, client.key);
    if (servers && !servers->is_object())
        return fail(Errc::Unsupported, client.key + " is no object");
    return servers;
}

const Json* entryIn(const KnownClient& client, const Json& whole)
{
    const auto servers = serversIn(client, whole);
    return servers && *servers ? memberOf(**servers, std::string(kServerName)) : nullptr;
}

/// Where the members of an entry stand: in it, or in the member that this client may nest them in.
std::string insideOf(const KnownClient& client, const Json& entry)
{
    const Json* nested =
        entry.is_object() && !client.nested.empty() ? memberOf(entry, client.nested) : nullptr;
    return nested && nested->is_object() ? client.nested : std::string();
}

Entry decode(const KnownClient& client, const Json& json)
{
    Entry entry;
    entry.whole = json;
    if (!json.is_object())
        return entry;
    const std::string inside = insideOf(client, json);
    const Json& members = inside.empty() ? json : json.at(inside);
    if (const Json* command = memberOf(members, "command"); command && command->is_string()) {
        entry.transport = Transport::Stdio;
        entry.command = command->get<std::string>();
        const Json* args = memberOf(members, "args");
        for (const Json& arg : args && args->is_array() ? *args : Json::array())
            entry.args.push_back(arg.is_string() ? arg.get<std::string>() : dumpJson(arg));
        return entry;
    }
    for (const char* name : kUrlMembers) {
        if (const Json* url = memberOf(members, name); url && url->is_string()) {
            entry.transport = Transport::Http;
            entry.url = url->get<std::string>();
            return entry;
        }
    }
    return entry;
}

/// What of `entry` has to change so that it leads where `wanted` does; `outer` stands outside of
/// the nested member.
struct Changes {
    Members inner;
    Members outer;
};

Changes changesOf(const KnownClient& client, const Json& entry, const OrderedJson& wanted)
{
    const std::string inside = insideOf(client, entry);
    const Json& members = inside.empty() ? entry : entry.at(inside);
    Changes changes;
    for (const auto& [name, value] : wanted.items()) {
        const auto is = [&name = name](const char* one) { return name == one; };
        if (std::none_of(kDecisiveMembers.begin(), kDecisiveMembers.end(), is))
            continue;
        const bool isOuter = std::any_of(kOuterMembers.begin(), kOuterMembers.end(), is);
        const Json* present = memberOf(isOuter ? entry : members, name);
        // What isn't there and would be off is off.
        if (present ? *present == Json(value) : value == false)
            continue;
        (isOuter ? changes.outer : changes.inner).emplace_back(name, value);
    }
    if (const Json* enabled = memberOf(entry, "enabled"); enabled && *enabled == false)
        changes.outer.emplace_back("enabled", true);
    return changes;
}

/// Equal whatever an empty list of servers looks like.
Json normal(const KnownClient& client, Json whole)
{
    const Json* servers = memberOf(whole, client.key);
    if (servers && servers->is_object() && servers->empty())
        whole.erase(client.key);
    return whole;
}

/// `text` means `expected` and nothing else: the last check before anything is written.
Result<> demandMeaning(const KnownClient& client, std::string_view text, Json expected)
{
    std::optional<Problem> problem;
    const Json whole = functionsOf(client.format).read(text, problem);
    if (problem || normal(client, whole) != normal(client, std::move(expected)))
        return fail(
            Errc::Unsupported,
            client.key + " is written in a form that Belljar doesn't edit; change it by hand"
        );
    return {};
}

struct Parsed {
    Json whole;
    const Json* entry = nullptr; ///< in `whole`, or null
};

Result<std::unique_ptr<Parsed>> parsed(const KnownClient& client, std::string_view text)
{
    std::optional<Problem> problem;
    auto found = std::make_unique<Parsed>();
    found->whole = functionsOf(client.format).read(text, problem);
    if (problem)
        return fail(Errc::InvalidArgument, problem->text());
    if (auto servers = serversIn(client, found->whole); !servers)
        return fail(servers.error());
    found->entry = entryIn(client, found->whole);
    return found;
}

Result<std::string>
updated(const KnownClient& client, std::string text, const Json& entry, const Changes& changes)
{
    const FormatFunctions& functions = functionsOf(client.format);
    const auto set = [&](const std::string& inside, const Members& members) -> Result<> {
        if (members.empty())
            return {};
        auto changed = functions.update(client, text, inside, members);
        if (!changed)
            return fail(changed.error());
        text = std::move(*changed);
        return {};
    };
    if (auto done = set(insideOf(client, entry), changes.inner); !done)
        return fail(done.error());
    if (auto done = set({}, changes.outer); !done)
        return fail(done.error());
    return text;
}

void replaceIn(std::string& text, std::string_view mark, const std::string& value)
{
    if (const std::size_t at = text.find(mark); at != std::string::npos)
        text.replace(at, mark.size(), value);
}

void fillIn(OrderedJson& json, const EntryValues& values)
{
    if (json.is_structured()) {
        for (OrderedJson& element : json)
            fillIn(element, values);
    } else if (json.is_string()) {
        auto& text = json.get_ref<std::string&>();
        if (text == "@program@")
            text = values.program;
        else if (text == "@url@")
            text = values.url;
        else
            replaceIn(text, "@token@", values.token);
    }
}

} // namespace

std::string Problem::text() const
{
    return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + message;
}

Problem problemAt(std::string_view text, std::size_t offset, std::string message)
{
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    Problem problem;
    problem.message = std::move(message);
    problem.line += static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    // Every byte but the continuation bytes of UTF-8 begins a character.
    problem.column +=
        static_cast<std::uint32_t>(std::count_if(line.begin(), line.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
        }));
    return problem;
}

Reading readEntry(const KnownClient& client, std::string_view text)
{
    Reading reading;
    const Marked marked(text);
    if (isBlank(marked.body))
        return reading;
    const Json whole = functionsOf(client.format).read(marked.body, reading.problem);
    if (reading.problem)
        return reading;
    if (const auto servers = serversIn(client, whole); !servers)
        reading.problem = Problem{1, 1, servers.error().message()};
    else if (const Json* entry = entryIn(client, whole))
        reading.entry = decode(client, *entry);
    return reading;
}

bool leadsTo(const KnownClient& client, const Entry& entry, const OrderedJson& wanted)
{
    if (!entry.whole.is_object() || entry.transport != decode(client, Json(wanted)).transport)
        return false;
    const Changes changes = changesOf(client, entry.whole, wanted);
    return changes.inner.empty() && changes.outer.empty();
}

Result<OrderedJson> makeEntry(const KnownClient& client, const EntryValues& values)
{
    if (values.transport == Transport::Http && !client.http)
        return fail(
            Errc::Unsupported, client.title + " takes no HTTP server from its configuration file"
        );
    const bool isPlain = std::all_of(values.token.begin(), values.token.end(), [](char c) {
        return c > ' ' && c < '\x7F';
    });
    if (values.transport == Transport::Http && (values.token.empty() || !isPlain))
        return fail(Errc::InvalidArgument, "the token: expected visible ASCII characters");
    OrderedJson entry = values.transport == Transport::Http ? *client.http : client.stdio;
    fillIn(entry, values);
    return entry;
}

Result<std::string>
withEntry(const KnownClient& client, std::string_view text, const OrderedJson& entry)
{
    const Marked marked(text);
    const FormatFunctions& functions = functionsOf(client.format);
    std::string body(marked.body);
    if (isBlank(body))
        body = client.format == Format::Json ? "{}\n" : "";
    const auto before = parsed(client, body);
    if (!before)
        return fail(before.error());
    Json expected = (*before)->whole;
    const auto transport = decode(client, Json(entry)).transport;
    Result<std::string> changed = body;
    if (const Json* present = (*before)->entry;
        present && present->is_object() && decode(client, *present).transport == transport) {
        const Changes changes = changesOf(client, *present, entry);
        changed = updated(client, body, *present, changes);
        Json& whole = expected[client.key][std::string(kServerName)];
        const std::string inside = insideOf(client, whole);
        for (const auto& [name, value] : changes.inner)
            (inside.empty() ? whole : whole[inside])[name] = Json(value);
        for (const auto& [name, value] : changes.outer)
            whole[name] = Json(value);
    } else {
        if (present) {
            auto without = withoutEntry(client, body);
            if (!without)
                return fail(without.error());
            body = std::move(*without);
        }
        changed = functions.add(client, body, entry);
        expected[client.key][std::string(kServerName)] = Json(entry);
    }
    if (!changed)
        return fail(changed.error());
    if (auto same = demandMeaning(client, *changed, std::move(expected)); !same)
        return fail(same.error());
    return std::string(marked.mark) + *changed;
}

Result<std::string> withoutEntry(const KnownClient& client, std::string_view text)
{
    const Marked marked(text);
    if (isBlank(marked.body))
        return fail(Errc::NotFound, "there is no entry for Belljar");
    const auto before = parsed(client, marked.body);
    if (!before)
        return fail(before.error());
    if (!(*before)->entry)
        return fail(Errc::NotFound, "there is no entry for Belljar");
    Json expected = (*before)->whole;
    expected[client.key].erase(std::string(kServerName));
    std::string body(marked.body);
    // A key may be there twice; then the last counts, and would uncover the one before.
    for (int round = 0; round < kMostEntries; ++round) {
        auto without = functionsOf(client.format).remove(client, body);
        if (!without)
            return fail(without.error());
        if (*without == body)
            break;
        body = std::move(*without);
    }
    if (auto same = demandMeaning(client, body, std::move(expected)); !same)
        return fail(same.error());
    return std::string(marked.mark) + body;
}

} // namespace belljar::clients
