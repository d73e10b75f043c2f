// SPDX-License-Identifier: GPL-3.0-or-later
// What a client's configuration may hold: what can't be read is not written; what is written leads
// to Belljar, is stable, and can be taken out again. The first byte chooses the client.
#include "engine/clients/entry.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace belljar;
using namespace belljar::clients;

namespace {

void demand(bool held)
{
    if (!held)
        std::abort();
}

KnownClient row(const std::string& format, const std::string& nested)
{
    const std::string text = R"({"id": "c", "title": "C", "key": "s", "user": [], "names": [],
        "installed": {}, "after": "nothing", "format": ")" +
                             format + R"(", "nested": ")" + nested + R"(",
        "stdio": {"command": "@program@", "args": ["stdio"], "disabled": false, "limit": 60},
        "http": {"url": "@url@", "headers": {"Authorization": "Bearer @token@"}}})";
    auto client = decodeKnownClient(text, "row");
    demand(client.has_value());
    return std::move(*client);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const std::vector<KnownClient> clients{
        row("json", ""), row("toml", ""), row("json", "transport")};
    if (size == 0)
        return 0;
    const KnownClient& client = clients[data[0] / 2U % clients.size()];
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    EntryValues values;
    values.transport = data[0] % 2 == 0 ? Transport::Stdio : Transport::Http;
    values.program = "/usr/bin/belljar";
    values.url = "http://127.0.0.1:7707/mcp";
    values.token = "t";
    const auto wanted = makeEntry(client, values);
    demand(wanted.has_value());

    const Reading reading = readEntry(client, text);
    demand(!reading.problem || (!reading.entry && reading.problem->line >= 1));
    const auto without = withoutEntry(client, text);
    demand(reading.entry || !without);
    if (without)
        demand(!readEntry(client, *without).entry && !readEntry(client, *without).problem);
    const auto with = withEntry(client, text, *wanted);
    demand(!reading.problem || !with);
    if (!with)
        return 0;
    const Reading again = readEntry(client, *with);
    demand(again.entry && again.entry->transport == values.transport);
    demand(leadsTo(client, *again.entry, *wanted));
    const auto twice = withEntry(client, *with, *wanted);
    demand(twice && *twice == *with);
    return 0;
}
