// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"
#include "engine/policy/policy.h"
#include "engine/policy/units.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::policy {

namespace {

using analysis::Finding;
using analysis::Report;
using analysis::Severity;
using execution::Limits;

constexpr const char* kImportRule = "policy.import";
constexpr std::size_t kShownBytes = 200;
constexpr std::size_t kMostImportFindings = 50;

/// `*` at the end stands for anything.
bool fits(std::string_view pattern, std::string_view text)
{
    if (pattern.ends_with('*'))
        return text.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern == text;
}

bool fitsAny(const std::vector<std::string>& patterns, std::string_view text)
{
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return fits(pattern, text);
    });
}

bool contains(const std::vector<std::string>& list, std::string_view text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

std::string joined(const std::vector<std::string>& list)
{
    std::string text;
    for (const std::string& one : list)
        text += (text.empty() ? "" : ", ") + one;
    return text.empty() ? "none" : text;
}

std::string shown(std::string_view text)
{
    return escapeForLine(prefixWithin(text, kShownBytes));
}

// --- what analysis found, as this policy sees it ---

Report weighed(const Policy& policy, const Question& question)
{
    Report report = question.report;
    std::erase_if(report.findings, [&](const Finding& finding) {
        return fitsAny(policy.ignoredRules, finding.rule);
    });
    for (Finding& finding : report.findings) {
        // The exact id wins over a pattern, whichever comes first in the file.
        if (const auto exact = policy.severities.find(finding.rule);
            exact != policy.severities.end()) {
            finding.severity = exact->second;
            continue;
        }
        for (const auto& [pattern, severity] : policy.severities) {
            if (fits(pattern, finding.rule))
                finding.severity = severity;
        }
    }
    const auto allowed = policy.allowedImports.find(question.language);
    if (allowed == policy.allowedImports.end())
        return report;
    std::size_t added = 0;
    for (const analysis::Import& import : report.imports) {
        if (fitsAny(allowed->second, import.module))
            continue;
        if (++added > kMostImportFindings)
            break;
        Finding finding;
        finding.rule = kImportRule;
        finding.severity = Severity::Medium;
        finding.category = "import";
        finding.message = "imports " + shown(import.module) + ", which is not in the policy's list";
        finding.range = import.range;
        report.findings.push_back(std::move(finding));
    }
    std::stable_sort(
        report.findings.begin(),
        report.findings.end(),
        [](const Finding& one, const Finding& other) {
            return one.range.beginByte < other.range.beginByte;
        }
    );
    return report;
}

// --- rules ---

bool looksAtFindings(const Condition& when)
{
    return !when.findings.empty() || !when.categories.empty() || when.severityAtLeast;
}

bool fits(const Condition& when, const Finding& finding)
{
    return (when.findings.empty() || fitsAny(when.findings, finding.rule)) &&
           (when.categories.empty() || contains(when.categories, finding.category)) &&
           (!when.severityAtLeast || finding.severity >= *when.severityAtLeast);
}

bool holds(const Condition& when, const Question& question, const Report& report)
{
    // Network grants aren't there yet: a rule for one can't hold.
    if (!when.networkHosts.empty())
        return false;
    return (when.clients.empty() || fitsAny(when.clients, question.client.name)) &&
           (when.executables.empty() || contains(when.executables, question.client.executable)) &&
           (when.transports.empty() || contains(when.transports, question.client.transport)) &&
           (when.languages.empty() || contains(when.languages, question.language)) &&
           (when.codeSha256.empty() || contains(when.codeSha256, question.codeSha256)) &&
           (!when.analysisComplete || *when.analysisComplete == report.complete) &&
           (!looksAtFindings(when) ||
            std::any_of(
                report.findings.begin(),
                report.findings.end(),
                [&](const Finding& finding) { return fits(when, finding); }
            ));
}

/// "high python.process in line 3: starts a process".
std::string findingWords(const Finding& finding)
{
    return std::string(analysis::nameOf(finding.severity)) + " " + finding.rule + " in line " +
           std::to_string(finding.range.beginLine) + ": " + shown(finding.message);
}

std::string ruleWords(const Rule& rule, const Report& report)
{
    std::string words =
        rule.why.empty() ? "the rule \"" + shown(rule.name) + "\" matches" : shown(rule.why);
    if (!looksAtFindings(rule.when))
        return words;
    std::vector<const Finding*> matching;
    for (const Finding& finding : report.findings) {
        if (fits(rule.when, finding))
            matching.push_back(&finding);
    }
    std::stable_sort(
        matching.begin(),
        matching.end(),
        [](const Finding* one, const Finding* other) { return one->severity > other->severity; }
    );
    constexpr std::size_t kMost = 3;
    words += " (";
    for (std::size_t at = 0; at < std::min(kMost, matching.size()); ++at)
        words += (at == 0 ? "" : "; ") + findingWords(*matching[at]);
    if (matching.size() > kMost)
        words += "; and " + std::to_string(matching.size() - kMost) + " more";
    return words + ")";
}

// --- limits ---

/// The two that a request may name; the others are the policy's alone.
struct AskedRow {
    const char* name;
    std::optional<std::uint64_t> (*asked)(const execution::Asked&);
    const Limit Policy::*limit;
    std::string (*words)(std::uint64_t);
};

std::string timeoutWords(std::uint64_t milliseconds)
{
    return durationText(std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds)));
}

constexpr std::array kAsked{
    AskedRow{
        "timeout",
        [](const execution::Asked& asked) {
            return asked.timeout ? std::optional(static_cast<std::uint64_t>(asked.timeout->count()))
                                 : std::optional<std::uint64_t>();
        },
        &Policy::timeoutMs,
        timeoutWords},
    AskedRow{
        "memory",
        [](const execution::Asked& asked) { return asked.memoryBytes; },
        &Policy::memoryBytes,
        humanBytes},
};

Limits presets(const Policy& policy)
{
    Limits limits;
    limits.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(policy.timeoutMs.preset));
    limits.memoryBytes = policy.memoryBytes.preset;
    limits.cpuMillis = static_cast<std::uint32_t>(policy.cpuMillis.preset);
    limits.pids = static_cast<std::uint32_t>(policy.pids.preset);
    limits.outputBytes = policy.outputBytes.preset;
    limits.workspaceBytes = policy.workspaceBytes.preset;
    limits.tmpBytes = policy.tmpBytes.preset;
    return limits;
}

/// Grants what was asked for within the policy's most. Nothing, or why it is refused.
std::optional<std::string> grant(const Named& named, const Question& question, Decision& decision)
{
    std::array<std::uint64_t, kAsked.size()> granted{};
    for (std::size_t at = 0; at < kAsked.size(); ++at) {
        const AskedRow& row = kAsked.at(at);
        const Limit& limit = named.policy.*row.limit;
        const auto asked = row.asked(question.asked);
        granted.at(at) = std::min(asked.value_or(limit.preset), limit.most);
        if (!asked || *asked <= limit.most)
            continue;
        if (named.policy.overLimit == OverLimit::Refuse)
            return std::string(row.name) + " of " + row.words(*asked) + " is more than the " +
                   row.words(limit.most) + " that policy " + named.name + " allows";
        decision.notes.push_back(
            std::string(row.name) + " was lowered from " + row.words(*asked) + " to " +
            row.words(limit.most) + ", the most that policy " + named.name + " allows."
        );
    }
    decision.limits.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(granted[0]));
    decision.limits.memoryBytes = granted[1];
    return {};
}

/// what is weaker than the shipped defaults.
std::vector<std::string> weakenings(const Decision& decision)
{
    std::vector<std::string> list;
    const Limits shipped;
    if (!decision.container.readOnlyRoot)
        list.emplace_back("the root file system is writable");
    if (decision.container.seccomp != execution::Seccomp::Belljar)
        list.emplace_back("system calls are filtered by the container engine's own list, which may "
                          "leave io_uring, 32-bit calls and odd socket families open");
    const auto tooMuch =
        [&list](const char* name, auto has, auto normal, const std::string& words) {
            if (has > 2 * normal)
                list.push_back(std::string(name) + " " + words + " is more than twice the default");
        };
    const Limits& limits = decision.limits;
    tooMuch("memory", limits.memoryBytes, shipped.memoryBytes, humanBytes(limits.memoryBytes));
    tooMuch("processors", limits.cpuMillis, shipped.cpuMillis, cpusText(limits.cpuMillis));
    tooMuch("processes", limits.pids, shipped.pids, std::to_string(limits.pids));
    return list;
}

/// A sentence that tells a client what would run.
std::string allowedWords(const Named& named)
{
    const Policy& policy = named.policy;
    std::string words = "policy " + named.name + " runs " + joined(policy.languages) + " within " +
                        timeoutWords(policy.timeoutMs.most) + " and " +
                        humanBytes(policy.memoryBytes.most) + ", without network";
    std::vector<std::string> not_;
    for (const Rule& rule : policy.rules) {
        if (rule.then == Verdict::Deny)
            not_.push_back(shown(rule.name));
    }
    if (!not_.empty())
        words += "; it refuses: " + joined(not_);
    return words + ".";
}

Decision denied(Decision decision, const Named& named, Reason reason)
{
    decision.verdict = Verdict::Deny;
    decision.reasons.insert(decision.reasons.begin(), std::move(reason));
    decision.allowedInstead = allowedWords(named);
    return decision;
}

std::string_view verb(Verdict verdict)
{
    constexpr std::array<std::string_view, 3> kVerbs{"allows", "asks a person about", "refuses"};
    return kVerbs.at(static_cast<std::size_t>(verdict));
}

} // namespace

bool matches(
    const Remembered& remembered,
    const Named& policy,
    const Question& question,
    const Decision& asked
)
{
    if (remembered.verdict == Verdict::Ask || asked.verdict != Verdict::Ask)
        return false;
    if (remembered.expiresAt && question.now >= *remembered.expiresAt)
        return false;
    // Made under this policy, with this image, by this client: another is another question.
    if (remembered.policyName != policy.name || remembered.policySha256 != policy.sha256 ||
        remembered.imageDigest != question.imageDigest || remembered.imageDigest.empty())
        return false;
    if (remembered.language != question.language || remembered.clientName != question.client.name ||
        remembered.clientExecutable != question.client.executable)
        return false;
    if (!remembered.session.empty() && remembered.session != question.client.id)
        return false;
    if (remembered.scope == Scope::ThisCode)
        return !remembered.codeSha256.empty() && remembered.codeSha256 == question.codeSha256;
    return !remembered.rule.empty() && !asked.reasons.empty() &&
           asked.reasons.front().rule == remembered.rule &&
           std::all_of(
               asked.report.findings.begin(),
               asked.report.findings.end(),
               [&](const Finding& finding) { return contains(remembered.findings, finding.rule); }
           );
}

Decision
decide(const Named& named, const Question& question, const std::vector<Remembered>& remembered)
{
    const Policy& policy = named.policy;
    Decision decision;
    decision.report = weighed(policy, question);
    decision.limits = presets(policy);
    decision.container = policy.container;
    if (const auto image = policy.images.find(question.language); image != policy.images.end())
        decision.image = image->second;

    const auto overLimit = grant(named, question, decision);
    decision.weakened = weakenings(decision);
    if (!contains(policy.languages, question.language))
        return denied(
            std::move(decision),
            named,
            {"languages",
             "policy " + named.name + " does not run " + shown(question.language) + "; it runs " +
                 joined(policy.languages)}
        );
    if (overLimit)
        return denied(std::move(decision), named, {"limits", *overLimit});

    const auto rule = std::find_if(policy.rules.begin(), policy.rules.end(), [&](const Rule& one) {
        return holds(one.when, question, decision.report);
    });
    const bool matched = rule != policy.rules.end();
    decision.verdict = matched ? rule->then : policy.otherwise;
    Reason reason{"otherwise", ""};
    if (matched)
        reason = {rule->name, ruleWords(*rule, decision.report)};
    else
        reason.words = "no rule matches, and policy " + named.name + " " +
                       std::string(verb(policy.otherwise)) + " what no rule matches";
    if (decision.verdict == Verdict::Deny)
        return denied(std::move(decision), named, std::move(reason));
    decision.reasons.push_back(std::move(reason));

    // Advice that is missing is no advice to go on, unless a rule says that it has thought
    // of that.
    const bool expected = matched && rule->when.analysisComplete == false;
    if (decision.verdict == Verdict::Allow && !decision.report.complete && !expected) {
        decision.verdict = Verdict::Ask;
        decision.reasons.insert(
            decision.reasons.begin(),
            {"analysis-incomplete", "static analysis could not look at the whole program"}
        );
    }
    for (const Remembered& one : remembered) {
        if (!matches(one, named, question, decision))
            continue;
        decision.verdict = one.verdict;
        decision.remembered = one.id;
        decision.reasons.insert(
            decision.reasons.begin(),
            {"remembered",
             std::string(one.verdict == Verdict::Allow ? "allowed" : "denied") +
                 " by a decision that the person has made before (from execution " +
                 one.madeFrom.text() + ")"}
        );
        if (one.verdict == Verdict::Deny)
            decision.allowedInstead = allowedWords(named);
        break;
    }
    return decision;
}

} // namespace belljar::policy
