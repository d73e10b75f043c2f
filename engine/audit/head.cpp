// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/head.h"

#include "engine/audit/chain.h"
#include "engine/base/file.h"
#include "engine/base/json.h"

#include <algorithm>

namespace belljar::audit {

namespace {

constexpr std::uint64_t kMostBytes = 4096;
/// Numbers of rows beyond it are nobody's: a head that names one was made up.
constexpr std::int64_t kMostRows = std::int64_t{1} << 50;

bool isHash(std::string_view text)
{
    return text.size() == 64 &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

std::filesystem::path headFileOf(const std::filesystem::path& historyFile)
{
    return std::filesystem::absolute(historyFile).parent_path() / "audit.head";
}

Result<Head> parseHead(std::string_view content)
{
    const auto json = parseJson(content);
    if (!json)
        return fail(json.error());
    if (!json->is_object())
        return fail(Errc::InvalidArgument, "no head of an audit log");
    JsonReader reader(*json, "");
    Head head;
    head.first = reader.string("first").value_or("");
    head.hash = reader.string("hash").value_or("");
    head.sequence = reader.integer("sequence", 0, kMostRows).value_or(-1);
    head.segment = reader.integer("segment", 0, kMostRows).value_or(0);
    const bool hasFirst = head.sequence == 0 ? head.first.empty() : isHash(head.first);
    if (reader.error() || head.sequence < 0 || !isHash(head.hash) || !hasFirst)
        return fail(Errc::InvalidArgument, "no head of an audit log");
    return head;
}

Result<Head> readHead(const std::filesystem::path& file)
{
    const auto content = readFile(file, kMostBytes);
    if (!content)
        return fail(content.error());
    auto head = parseHead(*content);
    if (!head)
        return fail(head.error().within(file.string()));
    return head;
}

Result<> writeHead(const std::filesystem::path& file, const Head& head)
{
    const Json json{
        {"first", head.first},
        {"hash", head.hash},
        {"segment", head.segment},
        {"sequence", head.sequence},
    };
    return writeFile(file, canonicalJson(json) + "\n", 0600);
}

} // namespace belljar::audit
