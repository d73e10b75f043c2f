// SPDX-License-Identifier: GPL-3.0-or-later
// What a broken or captured analysis process may answer: the engine refuses it, or takes a report
// that lies in the code and can be told on. The first byte is the length of the code.
#include "engine/analysis/report_json.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace belljar;
using namespace belljar::analysis;

namespace {

void demand(bool held)
{
    if (!held)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string code(data[0], 'x');
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto json = parseJson(text);
    if (!json)
        return 0;
    const auto report = reportFromJson(*json);
    if (!report || !fits(*report, code))
        return 0;
    for (const Finding& finding : report->findings) {
        const Range& range = finding.range;
        const std::string part = code.substr(range.beginByte, range.endByte - range.beginByte);
        demand(part.size() <= code.size());
    }
    const auto again = parseJson(dumpJson(toJson(*report)));
    demand(again.has_value());
    const auto same = reportFromJson(*again);
    demand(same.has_value() && *same == *report);
    return 0;
}
