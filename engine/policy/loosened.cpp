// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"
#include "engine/policy/policy.h"
#include "engine/policy/units.h"

#include <algorithm>
#include <array>

namespace belljar::policy {

namespace {

struct LimitRow {
    const char* name;
    const Limit Policy::*limit;
    std::string (*words)(std::uint64_t);
};

std::string timeWords(std::uint64_t milliseconds)
{
    return durationText(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
}
std::string cpuWords(std::uint64_t cpuMillis)
{
    return cpusText(static_cast<std::uint32_t>(cpuMillis));
}
std::string countWords(std::uint64_t count)
{
    return std::to_string(count);
}

constexpr std::array kLimits{
    LimitRow{"timeout", &Policy::timeoutMs, timeWords},
    LimitRow{"memory", &Policy::memoryBytes, humanBytes},
    LimitRow{"cpus", &Policy::cpuMillis, cpuWords},
    LimitRow{"pids", &Policy::pids, countWords},
    LimitRow{"output", &Policy::outputBytes, humanBytes},
    LimitRow{"workspace", &Policy::workspaceBytes, humanBytes},
    LimitRow{"tmp", &Policy::tmpBytes, humanBytes},
};

using Words = std::vector<std::string>;

void compareLimits(const Policy& before, const Policy& now, Words& words)
{
    for (const LimitRow& row : kLimits) {
        const Limit& was = before.*row.limit;
        const Limit& is = now.*row.limit;
        if (is.preset > was.preset)
            words.push_back(
                "limits." + std::string(row.name) + ".default: " + row.words(was.preset) + " -> " +
                row.words(is.preset)
            );
        if (is.most > was.most)
            words.push_back(
                "limits." + std::string(row.name) + ".max: " + row.words(was.most) + " -> " +
                row.words(is.most)
            );
    }
    if (before.overLimit == OverLimit::Refuse && now.overLimit == OverLimit::Clamp)
        words.emplace_back("limits.over_limit: refuse -> clamp");
    if (now.maxConcurrent > before.maxConcurrent)
        words.emplace_back("limits.max_concurrent is higher");
    if (now.requestsPerMinute > before.requestsPerMinute)
        words.emplace_back("limits.requests_per_minute is higher");
}

void compareContainer(const Policy& before, const Policy& now, Words& words)
{
    if (before.container.readOnlyRoot && !now.container.readOnlyRoot)
        words.emplace_back("container.read_only_root: the root file system becomes writable");
    if (before.container.seccomp == execution::Seccomp::Belljar &&
        now.container.seccomp != execution::Seccomp::Belljar)
        words.emplace_back("container.seccomp: belljar -> engine");
    if (before.container.runtime != now.container.runtime && !before.container.runtime.empty())
        words.push_back(
            "container.runtime: " + before.container.runtime + " -> " +
            (now.container.runtime.empty() ? "the engine's default" : now.container.runtime)
        );
    // Another image is another program to trust.
    if (before.images != now.images)
        words.emplace_back("container.images: other images");
    for (const std::string& language : now.languages) {
        if (std::find(before.languages.begin(), before.languages.end(), language) ==
            before.languages.end())
            words.push_back("languages.allow: " + escapeForLine(language) + " is added");
    }
}

void compareAnalysis(const Policy& before, const Policy& now, Words& words)
{
    for (const auto& [rule, severity] : now.severities) {
        const auto was = before.severities.find(rule);
        // Where it had the rule's own severity, it can't be told from here: then anything below
        // critical may be less.
        const auto old =
            was == before.severities.end() ? analysis::Severity::Critical : was->second;
        if (severity < old)
            words.push_back(
                "analysis.severities: " + escapeForLine(rule) + " counts as " +
                std::string(analysis::nameOf(severity))
            );
    }
    for (const auto& [rule, severity] : before.severities) {
        if (!now.severities.contains(rule))
            words.push_back(
                "analysis.severities: " + escapeForLine(rule) + " counts as by its rule"
            );
    }
    for (const std::string& rule : now.ignoredRules) {
        if (std::find(before.ignoredRules.begin(), before.ignoredRules.end(), rule) ==
            before.ignoredRules.end())
            words.push_back("analysis.ignore: " + escapeForLine(rule) + " is added");
    }
    for (const auto& [language, modules] : before.allowedImports) {
        if (!now.allowedImports.contains(language))
            words.push_back(
                "analysis.allowed_imports: imports of " + escapeForLine(language) +
                " are not checked any more"
            );
    }
    for (const auto& [language, modules] : now.allowedImports) {
        const auto was = before.allowedImports.find(language);
        if (was == before.allowedImports.end())
            continue;
        for (const std::string& module : modules) {
            if (std::find(was->second.begin(), was->second.end(), module) == was->second.end())
                words.push_back(
                    "analysis.allowed_imports." + escapeForLine(language) + ": " +
                    escapeForLine(module) + " is added"
                );
        }
    }
}

/// Which of two lists of rules allows more can't be told from their texts alone; but a list that is
/// the other with rules that only ask or deny put in front can't.
void compareRules(const Policy& before, const Policy& now, Words& words)
{
    if (now.otherwise < before.otherwise)
        words.push_back(
            "approval.otherwise: " + std::string(execution::nameOf(before.otherwise)) + " -> " +
            std::string(execution::nameOf(now.otherwise))
        );
    if (before.headless == Headless::Deny && now.headless == Headless::Elicit)
        words.emplace_back("approval.headless: deny -> elicit");
    if (before.cancelOnDisconnect && !now.cancelOnDisconnect)
        words.emplace_back("approval.cancel_on_disconnect: programs outlive their client");
    if (now.maxWaiting > before.maxWaiting)
        words.emplace_back("approval.max_waiting is higher");

    std::size_t next = 0; // of the rules before that have to come in this order
    for (const Rule& rule : now.rules) {
        const bool known = next < before.rules.size() && before.rules[next].when == rule.when &&
                           before.rules[next].then <= rule.then;
        if (known) {
            ++next;
            continue;
        }
        // Put in where a rule below would have decided: stricter than all of those, it loosens
        // nothing.
        auto strictest = now.otherwise;
        for (std::size_t at = next; at < before.rules.size(); ++at)
            strictest = std::max(strictest, before.rules[at].then);
        if (rule.then < strictest)
            words.push_back(
                "approval.rules: \"" + escapeForLine(rule.name) +
                "\" is new or changed and may decide " + std::string(execution::nameOf(rule.then)) +
                " where it was stricter"
            );
    }
    for (; next < before.rules.size(); ++next) {
        if (before.rules[next].then != Verdict::Allow)
            words.push_back(
                "approval.rules: \"" + escapeForLine(before.rules[next].name) + "\" (" +
                std::string(execution::nameOf(before.rules[next].then)) +
                ") is gone, changed or in another place"
            );
    }
}

} // namespace

std::vector<std::string> loosened(const Policy& before, const Policy& now)
{
    Words words;
    compareLimits(before, now, words);
    compareContainer(before, now, words);
    compareAnalysis(before, now, words);
    compareRules(before, now, words);
    return words;
}

} // namespace belljar::policy
