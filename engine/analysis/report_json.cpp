// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/report_json.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace belljar::analysis {

namespace {

constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostLines = std::numeric_limits<std::uint32_t>::max();

Json toJson(const Range& range)
{
    Json json;
    json["begin_byte"] = range.beginByte;
    json["end_byte"] = range.endByte;
    json["line"] = range.beginLine;
    json["column"] = range.beginColumn;
    json["end_line"] = range.endLine;
    json["end_column"] = range.endColumn;
    return json;
}

Range readRange(JsonReader& reader)
{
    const auto bytes = [&reader](std::string_view key) {
        return static_cast<std::size_t>(reader.integer(key, 0, kMostBytes).value_or(0));
    };
    const auto place = [&reader](std::string_view key) {
        return static_cast<std::uint32_t>(reader.integer(key, 1, kMostLines).value_or(1));
    };
    Range range;
    range.beginByte = bytes("begin_byte");
    range.endByte = bytes("end_byte");
    range.beginLine = place("line");
    range.beginColumn = place("column");
    range.endLine = place("end_line");
    range.endColumn = place("end_column");
    return range;
}

Result<Finding> readFinding(const Json& json, const std::string& place)
{
    JsonReader reader(json, place);
    Finding finding;
    finding.rule = reader.string("rule").value_or("");
    const auto severity = severityFromName(reader.string("severity").value_or(""));
    if (!severity)
        reader.refuse("severity", "expected info, low, medium, high or critical");
    finding.severity = severity.value_or(Severity::Info);
    finding.category = reader.string("category").value_or("");
    finding.message = reader.string("message").value_or("");
    finding.range = readRange(reader);
    if (reader.error())
        return fail(*reader.error());
    return finding;
}

Result<Import> readImport(const Json& json, const std::string& place)
{
    JsonReader reader(json, place);
    Import import;
    import.module = reader.string("module").value_or("");
    import.range = readRange(reader);
    if (reader.error())
        return fail(*reader.error());
    return import;
}

/// Reads a list with a reader for its elements; an absent one is empty.
template <class T>
Result<std::vector<T>> readList(
    const Json& object, std::string_view key, Result<T> (*read)(const Json&, const std::string&)
)
{
    std::vector<T> list;
    const std::string name(key);
    const auto found = object.find(name);
    if (found == object.end())
        return list;
    if (!found->is_array())
        return fail(Errc::InvalidArgument, name + ": expected a list");
    for (std::size_t at = 0; at < found->size(); ++at) {
        const Json& element = (*found)[at];
        std::string place = name;
        place.append("[").append(std::to_string(at)).append("]");
        if (!element.is_object())
            return fail(Errc::InvalidArgument, place + ": expected an object");
        auto one = read(element, place);
        if (!one)
            return fail(one.error());
        list.push_back(std::move(*one));
    }
    return list;
}

} // namespace

Json toJson(const Finding& finding)
{
    Json json = toJson(finding.range);
    json["rule"] = finding.rule;
    json["severity"] = nameOf(finding.severity);
    json["category"] = finding.category;
    json["message"] = finding.message;
    return json;
}

Json toJson(const Report& report)
{
    Json json;
    json["findings"] = Json::array();
    for (const Finding& finding : report.findings)
        json["findings"].push_back(toJson(finding));
    json["imports"] = Json::array();
    for (const Import& import : report.imports) {
        Json one = toJson(import.range);
        one["module"] = import.module;
        json["imports"].push_back(std::move(one));
    }
    json["complete"] = report.complete;
    json["took_us"] = report.took.count();
    return json;
}

Result<Report> reportFromJson(const Json& json)
{
    if (!json.is_object())
        return fail(Errc::InvalidArgument, "a report: expected an object");
    Report report;
    auto findings = readList<Finding>(json, "findings", readFinding);
    if (!findings)
        return fail(findings.error());
    auto imports = readList<Import>(json, "imports", readImport);
    if (!imports)
        return fail(imports.error());
    report.findings = std::move(*findings);
    report.imports = std::move(*imports);
    JsonReader reader(json, "");
    report.complete = reader.boolean("complete").value_or(false);
    report.took = std::chrono::microseconds(reader.integer("took_us", 0, kMostBytes).value_or(0));
    if (reader.error())
        return fail(*reader.error());
    return report;
}

bool fits(const Report& report, std::string_view code)
{
    const auto lines = static_cast<std::size_t>(std::count(code.begin(), code.end(), '\n')) + 1;
    const auto lies = [&](const Range& range) {
        return range.beginByte <= range.endByte && range.endByte <= code.size() &&
               range.beginLine <= range.endLine && range.endLine <= lines &&
               range.beginColumn <= code.size() + 1 && range.endColumn <= code.size() + 1;
    };
    return std::all_of(
               report.findings.begin(),
               report.findings.end(),
               [&](const Finding& one) { return lies(one.range); }
           ) &&
           std::all_of(report.imports.begin(), report.imports.end(), [&](const Import& one) {
               return lies(one.range);
           });
}

} // namespace belljar::analysis
