// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a program in any language (the first byte says which): the analysis ends, says the
// same twice, and what it found lies in the text and survives the way to the engine.
#include "engine/analysis/analyzer.h"
#include "engine/analysis/report_json.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace belljar;
using namespace belljar::analysis;

namespace {

/// Debian's tree-sitter 0.20.7 breaks its heap at nodes with more than 65,535 children (ADR 0003).
constexpr std::size_t kMostBytes = 60'000;
constexpr std::array<std::string_view, 8> kLanguages{
    "python", "javascript", "typescript", "bash", "go", "rust", "java", "cobol"};

void demand(bool held)
{
    if (!held)
        std::abort();
}

const Analyzer& analyzer()
{
    static const auto loaded = Analyzer::load(BELLJAR_QUERIES);
    demand(loaded.has_value());
    return *loaded;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0 || size > kMostBytes)
        return 0;
    const std::string_view language = kLanguages[data[0] % kLanguages.size()];
    const std::string_view code(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Report report = analyzer().analyse(language, code);
    demand(fits(report, code));
    demand(report.complete || !report.findings.empty());
    const auto json = parseJson(dumpJson(toJson(report)));
    demand(json.has_value());
    const auto again = reportFromJson(*json);
    demand(again.has_value());
    demand(again->findings.size() == report.findings.size());
    demand(again->imports.size() == report.imports.size());
    demand(again->complete == report.complete);
    return 0;
}
