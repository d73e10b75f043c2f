// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/program_versions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace belljar::ui {

namespace {

constexpr std::uint32_t kLookedAt = 300;
constexpr std::uint64_t kLongestCode = 128U * 1024; ///< all of them are in memory at once
constexpr double kNearlyTheSame = 0.5;

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
            line.remove_suffix(1);
        if (!line.empty())
            lines.push_back(line);
        if (end == std::string_view::npos)
            break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

struct Lines {
    std::size_t ofFirst = 0;
    std::size_t ofSecond = 0;
    std::size_t shared = 0; ///< wherever they stand
};

Lines compare(std::string_view first, std::string_view second)
{
    const auto ofFirst = linesOf(first);
    const auto ofSecond = linesOf(second);
    Lines lines{ofFirst.size(), ofSecond.size(), 0};
    std::unordered_map<std::string_view, int> counts;
    for (const std::string_view line : ofFirst)
        ++counts[line];
    for (const std::string_view line : ofSecond) {
        if (counts[line]-- > 0)
            ++lines.shared;
    }
    return lines;
}

/// The newest runs that may belong to the line of `of`, each once, newest first.
Result<std::vector<execution::Record>>
candidates(store::RunSearch& search, const execution::Record& of)
{
    store::RunQuery ofSession;
    ofSession.limit = kLookedAt;
    ofSession.filter.languages = {of.language};
    ofSession.filter.session = of.client.id.text();
    store::RunQuery ofClient = ofSession;
    ofClient.filter.session.clear();
    ofClient.filter.clients = {of.client.name};
    store::RunQuery ofCode = ofSession;
    ofCode.filter.session.clear();
    ofCode.filter.codeSha256 = of.codeSha256;
    std::map<std::int64_t, execution::Record, std::greater<>> found;
    found.emplace(of.sequence, of);
    for (const store::RunQuery& query : {ofSession, ofClient, ofCode}) {
        auto rows = search.rows(query);
        if (!rows)
            return fail(rows.error());
        for (store::RunRow& row : *rows)
            found.emplace(row.record.sequence, std::move(row.record));
    }
    std::vector<execution::Record> records;
    for (auto& [sequence, record] : found)
        records.push_back(std::move(record));
    return records;
}

} // namespace

double likeness(std::string_view first, std::string_view second)
{
    if (first == second)
        return 1;
    const Lines lines = compare(first, second);
    const std::size_t longer = std::max(lines.ofFirst, lines.ofSecond);
    return longer == 0 ? 0 : static_cast<double>(lines.shared) / static_cast<double>(longer);
}

Result<std::vector<ProgramVersion>>
readVersions(store::HistoryReader& history, store::RunSearch& search, const ExecutionId& id)
{
    auto wanted = history.record(id);
    if (!wanted)
        return fail(wanted.error());
    auto records = candidates(search, *wanted);
    if (!records)
        return fail(records.error());
    // By code: the newest run of each, and how many there are.
    std::vector<ProgramVersion> programs;
    std::unordered_map<std::string, std::size_t> known;
    std::size_t start = 0;
    for (execution::Record& record : *records) {
        if (record.codeBytes > kLongestCode && record.codeSha256 != wanted->codeSha256)
            continue;
        const auto [place, isNew] = known.emplace(record.codeSha256, programs.size());
        if (!isNew) {
            ++programs[place->second].runs;
            continue;
        }
        auto code = history.code(record.id);
        if (!code)
            return fail(code.error());
        if (record.codeSha256 == wanted->codeSha256)
            start = programs.size();
        ProgramVersion version;
        version.record = std::move(record);
        version.code = std::move(*code);
        programs.push_back(std::move(version));
    }
    // From the wanted one outwards: each next version is like the last one that was taken.
    std::set<std::size_t> line{start};
    for (const bool newer : {true, false}) {
        std::size_t last = start;
        for (std::size_t at = start; newer ? at-- > 0 : ++at < programs.size();) {
            if (likeness(programs[last].code, programs[at].code) < kNearlyTheSame)
                continue;
            line.insert(at);
            last = at;
        }
    }
    std::vector<ProgramVersion> versions;
    for (auto at = line.rbegin(); at != line.rend(); ++at)
        versions.push_back(std::move(programs[*at]));
    for (std::size_t at = 1; at < versions.size(); ++at) {
        const Lines lines = compare(versions[at - 1].code, versions[at].code);
        versions[at].added = lines.ofSecond - lines.shared;
        versions[at].removed = lines.ofFirst - lines.shared;
    }
    return versions;
}

} // namespace belljar::ui
