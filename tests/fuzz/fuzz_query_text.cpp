// SPDX-License-Identifier: GPL-3.0-or-later
// Any line: it is understood or its problems are named, tokens lie in it, and what is written of
// them reads the same.
#include "engine/store/search_index.h"
#include "ui/runs/query_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace belljar;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    const auto parsed = ui::parseQuery(line, 1'796'000'000'000);
    std::size_t end = 0;
    for (const ui::QueryToken& token : parsed.tokens) {
        if (token.begin < end || token.end <= token.begin || token.end > size)
            std::abort();
        end = token.end;
        const auto again = ui::parseQuery(ui::writeToken(token.key, token.value), 0).tokens;
        if (again.size() != 1 || again[0].key != token.key || again[0].value != token.value)
            std::abort();
        if (ui::parseQuery(ui::withoutToken(line, token), 0).tokens.size() + 1 !=
            parsed.tokens.size())
            std::abort();
    }
    // Outside of its quotes an expression has nothing but what we put there.
    bool quoted = false;
    for (const char byte : store::matchExpression(parsed.filter.phrases)) {
        if (byte == '"')
            quoted = !quoted;
        else if (!quoted && std::string_view("* AND").find(byte) == std::string_view::npos)
            std::abort();
    }
    return quoted ? std::abort(), 0 : 0;
}
