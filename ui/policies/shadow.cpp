// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/shadow.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace belljar::ui {

namespace {

using Names = std::vector<std::string>;

/// Does everything that fits `narrow` fit `wide`? Both may end in `*`.
bool fits(std::string_view narrow, std::string_view wide)
{
    if (!wide.ends_with('*'))
        return narrow == wide;
    wide.remove_suffix(1);
    if (narrow.ends_with('*'))
        narrow.remove_suffix(1);
    return narrow.starts_with(wide);
}

/// An empty list asks for nothing.
bool listCovers(const Names& wide, const Names& narrow)
{
    if (wide.empty())
        return true;
    return !narrow.empty() && std::all_of(narrow.begin(), narrow.end(), [&](const auto& name) {
        return std::any_of(wide.begin(), wide.end(), [&](const auto& pattern) {
            return fits(name, pattern);
        });
    });
}

bool asksForFinding(const policy::Condition& condition)
{
    return !condition.findings.empty() || !condition.categories.empty() ||
           condition.severityAtLeast.has_value();
}

/// The three say together what one finding has to be.
bool findingCovers(const policy::Condition& wide, const policy::Condition& narrow)
{
    if (!asksForFinding(wide))
        return true;
    const auto least = analysis::Severity::Info;
    return asksForFinding(narrow) && listCovers(wide.findings, narrow.findings) &&
           listCovers(wide.categories, narrow.categories) &&
           wide.severityAtLeast.value_or(least) <= narrow.severityAtLeast.value_or(least);
}

} // namespace

bool covers(const policy::Condition& wide, const policy::Condition& narrow)
{
    static constexpr Names policy::Condition::*kLists[] = {
        &policy::Condition::clients,
        &policy::Condition::executables,
        &policy::Condition::transports,
        &policy::Condition::languages,
        &policy::Condition::codeSha256,
        &policy::Condition::networkHosts,
    };
    const bool lists = std::all_of(std::begin(kLists), std::end(kLists), [&](auto list) {
        return listCovers(wide.*list, narrow.*list);
    });
    return lists && findingCovers(wide, narrow) &&
           (!wide.analysisComplete || wide.analysisComplete == narrow.analysisComplete);
}

std::optional<std::size_t> coveredBy(const std::vector<policy::Rule>& rules, std::size_t index)
{
    for (std::size_t above = 0; above < index; ++above) {
        if (covers(rules[above].when, rules[index].when))
            return above;
    }
    return {};
}

} // namespace belljar::ui
