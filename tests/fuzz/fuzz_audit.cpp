// SPDX-License-Identifier: GPL-3.0-or-later
// What a database or a head file may hold that somebody else has written: verification never says
// intact of what wasn't sealed, an export is one line of ASCII that says what was in the row, and
// masking ends. The input is lines: the head file, then the fields of rows, eight to a row.
#include "engine/audit/chain.h"
#include "engine/audit/head.h"
#include "engine/audit/masking.h"
#include "engine/audit/verifier.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace belljar;
using namespace belljar::audit;

namespace {

constexpr std::size_t kFields = 8;

void demand(bool held)
{
    if (!held)
        std::abort();
}

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Row rowOf(const std::vector<std::string>& lines, std::size_t at)
{
    Row row;
    row.sequence = std::strtoll(lines[at].c_str(), nullptr, 10);
    row.at = std::strtoll(lines[at + 1].c_str(), nullptr, 10);
    row.type = lines[at + 2];
    row.execution = lines[at + 3];
    row.client = lines[at + 4];
    row.detail = lines[at + 5];
    row.previous = lines[at + 6];
    row.hash = lines[at + 7] == "seal" ? hashOf(row) : lines[at + 7];
    return row;
}

void checkExport(const Row& row)
{
    const std::string line = exportLine(row);
    demand(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c < 127; }));
    const auto json = parseJson(line);
    demand(json.has_value() && (*json)["sequence"] == row.sequence && (*json)["at"] == row.at);
    const auto type = json->find("type");
    demand(type != json->end() && type->is_string());
}

void checkVerified(const Result<Head>& head, const std::vector<Row>& rows)
{
    Verifier verifier(head);
    for (const Row& row : rows)
        verifier.add(row);
    const Verification found = verifier.finish();
    demand(!found.summary().empty());
    demand(found.rows == rows.size());
    demand(found.intact == (found.breakCount == 0));
    demand(
        found.breaks.size() == std::min<std::uint64_t>(found.breakCount, Verification::kMostBreaks)
    );
    if (!found.intact)
        return;
    // Intact says: numbered from 1 without a gap, each bound to the one before, and the head is of
    // this log.
    std::string previous = zeroHash();
    std::int64_t sequence = 0;
    for (const Row& row : rows) {
        demand(row.sequence == ++sequence && row.previous == previous && hashOf(row) == row.hash);
        previous = row.hash;
    }
    demand(rows.empty() || (head && head->sequence <= sequence));
    if (head && head->sequence > 0)
        demand(rows[static_cast<std::size_t>(head->sequence) - 1].hash == head->hash);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::vector<std::string> lines = linesOf(text);
    if (lines.empty())
        return 0;
    const auto head = parseHead(lines.front());
    std::vector<Row> rows;
    for (std::size_t at = 1; at + kFields <= lines.size(); at += kFields) {
        rows.push_back(rowOf(lines, at));
        checkExport(rows.back());
        static_cast<void>(recordedBreak(rows.back()));
        static_cast<void>(maskedText(rows.back().detail));
        if (const auto detail = parseJson(rows.back().detail)) {
            const Json hidden = masked(*detail);
            demand(parseJson(canonicalJson(hidden)).has_value());
        }
    }
    checkVerified(head, rows);
    return 0;
}
