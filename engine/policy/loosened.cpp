// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"
#include "engine/policy/policy.h"
#include "engine/policy/units.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

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

bool has(const std::vector<std::string>& list, const std::string& text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// The one runtime that is known to put more between a program and the kernel than any default;
/// what another name stands for on this machine nobody here knows.
constexpr const char* kStrongRuntime = "runsc";

void compareContainer(const Policy& before, const Policy& now, Words& words)
{
    if (before.container.readOnlyRoot && !now.container.readOnlyRoot)
        words.emplace_back("container.read_only_root: the root file system becomes writable");
    if (before.container.seccomp == execution::Seccomp::Belljar &&
        now.container.seccomp != execution::Seccomp::Belljar)
        words.emplace_back("container.seccomp: belljar -> engine");
    const auto runtime = [](const Policy& policy) {
        return policy.container.runtime.empty() ? std::string("the engine's default")
                                                : policy.container.runtime;
    };
    const bool stronger =
        before.container.runtime.empty() && now.container.runtime == kStrongRuntime;
    if (before.container.runtime != now.container.runtime && !stronger)
        words.push_back("container.runtime: " + runtime(before) + " -> " + runtime(now));
    // Another image is another program to trust.
    if (before.images != now.images)
        words.emplace_back("container.images: other images");
    for (const std::string& language : now.languages) {
        if (!has(before.languages, language))
            words.push_back("languages.allow: " + escapeForLine(language) + " is added");
    }
}

void compareAnswers(const Policy& before, const Policy& now, Words& words)
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
    if (now.approvalTimeout > before.approvalTimeout)
        words.push_back(
            "approval.timeout_seconds: what nobody answers can still be allowed after " +
            durationText(before.approvalTimeout)
        );
}

// --- analysis and rules ---

bool isPattern(std::string_view text)
{
    return text.ends_with('*');
}
std::string_view stem(std::string_view pattern)
{
    return pattern.substr(0, pattern.size() - 1);
}
bool overlap(std::string_view one, std::string_view other)
{
    const bool both = isPattern(one) && isPattern(other);
    if (both)
        return stem(one).starts_with(stem(other)) || stem(other).starts_with(stem(one));
    if (isPattern(one))
        return other.starts_with(stem(one));
    return isPattern(other) ? one.starts_with(stem(other)) : one == other;
}
/// Whatever fits `narrow` fits `wide`.
bool covers(std::string_view wide, std::string_view narrow)
{
    return wide == narrow || (isPattern(wide) && narrow.starts_with(stem(wide)) &&
                              (!isPattern(narrow) || stem(narrow).starts_with(stem(wide))));
}

struct ListRow {
    const std::vector<std::string> Condition::*list;
    bool patterns; ///< `*` at an end stands for anything
};
/// Of a question there is one of each.
constexpr std::array kSubject{
    ListRow{&Condition::clients, true},
    ListRow{&Condition::executables, false},
    ListRow{&Condition::transports, false},
    ListRow{&Condition::languages, false},
    ListRow{&Condition::codeSha256, false},
};
/// Some finding has to fit both of these, and the severity.
constexpr std::array kFinding{
    ListRow{&Condition::findings, true},
    ListRow{&Condition::categories, false},
};

bool looksAtFindings(const Condition& when)
{
    return !when.findings.empty() || !when.categories.empty() || when.severityAtLeast;
}

/// One line of a policy's decision: a rule, or the end.
struct Case {
    std::string name;
    Condition when; ///< without analysisComplete and what can't hold
    Verdict then = Verdict::Deny;
    bool isEnd = false;
};

/// What decides, from top to bottom, about programs whose analysis is complete or isn't. Advice
/// that is missing makes Allow an Ask, but where a rule has thought of that, as in decide().
std::vector<Case> casesOf(const Policy& policy, bool complete)
{
    const auto verdict = [complete](Verdict then, bool expected) {
        return then == Verdict::Allow && !complete && !expected ? Verdict::Ask : then;
    };
    std::vector<Case> cases;
    for (const Rule& rule : policy.rules) {
        const auto wanted = rule.when.analysisComplete;
        // Network grants aren't there yet: a rule for one can't hold.
        if (!rule.when.networkHosts.empty() || (wanted && *wanted != complete))
            continue;
        Case one{rule.name, rule.when, verdict(rule.then, wanted == false), false};
        one.when.analysisComplete.reset();
        cases.push_back(std::move(one));
    }
    cases.push_back({"otherwise", {}, verdict(policy.otherwise, false), true});
    return cases;
}

/// Compares what two policies make of findings, and their rules.
///
/// It proves that no question is decided more leniently; what it can't prove it tells. Everything
/// here errs to that side.
class Decisions {
public:
    Decisions(const Policy& before, const Policy& now, Words& words)
        : m_before(before)
        , m_now(now)
        , m_words(words)
    {}

    void compare()
    {
        compareSeverities();
        compareIgnored();
        compareImports();
        if (m_before.rules != m_now.rules || m_before.otherwise != m_now.otherwise || m_sharper) {
            compareRules(true);
            compareRules(false);
        }
        if (m_steps == 0)
            m_words.emplace_back("the lists are too long to compare; they may allow more");
    }

private:
    /// False once the work that a file may cause is used up; then it is told as looser, and what is
    /// said on the way doesn't matter any more.
    bool step()
    {
        if (m_steps > 0)
            --m_steps;
        return m_steps > 0;
    }
    void tell(std::string words)
    {
        if (!has(m_words, words))
            m_words.push_back(std::move(words));
    }

    bool covered(const std::vector<std::string>& wide, const std::string& narrow, bool patterns)
    {
        return std::any_of(wide.begin(), wide.end(), [&](const std::string& one) {
            return !step() || (patterns ? covers(one, narrow) : one == narrow);
        });
    }

    /// What `policy` makes of the findings that `key` of a policy speaks for: of one rule, or, for
    /// a pattern, of those rules that no longer pattern and no id of either policy names. The exact
    /// id wins, then the longest pattern (they are sorted), as in decide().
    std::optional<analysis::Severity> severityOf(const Policy& policy, const std::string& key)
    {
        const auto& all = policy.severities;
        if (const auto exact = all.find(key); exact != all.end())
            return exact->second;
        std::optional<analysis::Severity> longest;
        for (auto one = all.begin(); one != all.end() && step(); ++one) {
            if (covers(one->first, key))
                longest = one->second;
        }
        return longest;
    }

    void compareSeverities()
    {
        if (m_before.severities == m_now.severities)
            return;
        m_sharper = true;
        std::set<std::string> keys;
        for (const Policy* policy : {&m_before, &m_now}) {
            for (const auto& [key, severity] : policy->severities)
                keys.insert(key);
        }
        for (auto at = keys.begin(); at != keys.end() && m_steps > 0; ++at) {
            const std::string& key = *at;
            const auto was = severityOf(m_before, key);
            const auto is = severityOf(m_now, key);
            // A rule's own severity can't be told from here: it may be any.
            if (is && *is < was.value_or(analysis::Severity::Critical))
                tell(
                    "analysis.severities: " + escapeForLine(key) + " counts as " +
                    std::string(analysis::nameOf(*is))
                );
            if (!is && was && *was > analysis::Severity::Info)
                tell("analysis.severities: " + escapeForLine(key) + " counts as by its rule");
        }
    }

    void compareIgnored()
    {
        m_sharper = m_sharper || m_before.ignoredRules != m_now.ignoredRules;
        for (const std::string& rule : m_now.ignoredRules) {
            if (!covered(m_before.ignoredRules, rule, true))
                tell("analysis.ignore: " + escapeForLine(rule) + " is added");
        }
    }

    void compareImports()
    {
        m_sharper = m_sharper || m_before.allowedImports != m_now.allowedImports;
        for (const auto& [language, modules] : m_before.allowedImports) {
            const auto is = m_now.allowedImports.find(language);
            if (is == m_now.allowedImports.end()) {
                tell(
                    "analysis.allowed_imports: imports of " + escapeForLine(language) +
                    " are not checked any more"
                );
                continue;
            }
            for (const std::string& module : is->second) {
                if (!covered(modules, module, true))
                    tell(
                        "analysis.allowed_imports." + escapeForLine(language) + ": " +
                        escapeForLine(module) + " is added"
                    );
            }
        }
    }

    /// Whatever `narrow` holds for, `wide` holds for.
    bool implies(const Condition& narrow, const Condition& wide)
    {
        const auto within = [&](const ListRow& row) {
            const auto& outer = wide.*row.list;
            const auto& inner = narrow.*row.list;
            return outer.empty() ||
                   (!inner.empty() &&
                    std::all_of(inner.begin(), inner.end(), [&](const std::string& one) {
                        return covered(outer, one, row.patterns);
                    }));
        };
        if (!std::all_of(kSubject.begin(), kSubject.end(), within))
            return false;
        if (!looksAtFindings(wide))
            return true;
        const auto least = wide.severityAtLeast.value_or(analysis::Severity::Info);
        return looksAtFindings(narrow) && std::all_of(kFinding.begin(), kFinding.end(), within) &&
               narrow.severityAtLeast.value_or(analysis::Severity::Info) >= least;
    }

    /// Nothing holds for both.
    bool apart(const Condition& one, const Condition& other)
    {
        return std::any_of(kSubject.begin(), kSubject.end(), [&](const ListRow& row) {
            const auto& list = one.*row.list;
            const auto& against = other.*row.list;
            const auto meets = [&](const std::string& text) {
                return std::any_of(against.begin(), against.end(), [&](const std::string& also) {
                    return !step() || (row.patterns ? overlap(text, also) : text == also);
                });
            };
            return !list.empty() && !against.empty() &&
                   std::none_of(list.begin(), list.end(), meets);
        });
    }

    /// Is one of the first `count` sure to have decided before `when` is looked at? With another
    /// analysis too: where findings only become more and graver, what held still holds.
    bool decidedAbove(const std::vector<Case>& cases, std::size_t count, const Condition& when)
    {
        return std::any_of(
            cases.begin(),
            cases.begin() + static_cast<std::ptrdiff_t>(count),
            [&](const Case& one) { return implies(when, one.when); }
        );
    }

    void compareRules(bool complete)
    {
        const auto was = casesOf(m_before, complete);
        const auto is = casesOf(m_now, complete);
        for (std::size_t at = 0; at < is.size() && m_steps > 0; ++at) {
            if (!decidedAbove(is, at, is[at].when))
                compareCase(is, at, was);
        }
    }

    /// Tells of the first case before that may have decided more strictly what this one decides
    /// now.
    void compareCase(const std::vector<Case>& is, std::size_t at, const std::vector<Case>& was)
    {
        const Case& one = is[at];
        for (const Case& old : was) {
            if (!step())
                return;
            const bool stricter = old.then > one.then && !(old.isEnd && one.isEnd);
            if (stricter && !apart(one.when, old.when) && !decidedAbove(is, at, old.when)) {
                tell(
                    "approval.rules: \"" + escapeForLine(one.name) + "\" may now decide " +
                    std::string(execution::nameOf(one.then)) + " where \"" +
                    escapeForLine(old.name) + "\" decided " +
                    std::string(execution::nameOf(old.then))
                );
                return;
            }
            // Nothing that stands below it decided any of these. With another analysis it may not
            // have held for what this one holds for now.
            const bool sameFindings = !m_sharper || !looksAtFindings(old.when);
            if (sameFindings && implies(one.when, old.when))
                return;
        }
    }

    static constexpr std::size_t kMostSteps = 3'000'000; ///< some 30 ms

    const Policy& m_before;
    const Policy& m_now;
    Words& m_words;
    bool m_sharper = false; ///< findings differ: more or graver ones, or it is told already
    std::size_t m_steps = kMostSteps;
};

} // namespace

std::vector<std::string> loosened(const Policy& before, const Policy& now)
{
    Words words;
    compareLimits(before, now, words);
    compareContainer(before, now, words);
    compareAnswers(before, now, words);
    Decisions(before, now, words).compare();
    return words;
}

} // namespace belljar::policy
