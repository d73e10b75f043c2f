// SPDX-License-Identifier: GPL-3.0-or-later
// What a policy's file may hold: a text with an error never yields a policy, every problem stands
// in the text, and what is read decides the same way twice and never allows what nothing in it
// allows.
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/policy/policy.h"
#include "engine/policy/text_map.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace belljar;
using namespace belljar::policy;

namespace {

void demand(bool held)
{
    if (!held)
        std::abort();
}

Question question()
{
    Question asked;
    asked.language = "python";
    asked.client.name = "fuzz";
    asked.asked.timeout = std::chrono::hours(1);
    analysis::Finding finding;
    finding.rule = "python.process";
    finding.severity = analysis::Severity::Critical;
    asked.report.findings.push_back(finding);
    asked.report.imports.push_back({"os", {}});
    return asked;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Checked checked = check(text);
    const bool refused =
        std::any_of(checked.problems.begin(), checked.problems.end(), [](const Problem& one) {
            return one.isError;
        });
    demand(checked.policy.has_value() != refused);
    // What has a place is what is read: the two parsers are of one mind.
    if (isValidUtf8(text)) {
        const TextMap map = mapText(text);
        demand(map.error || parseJson(map.plain, {1 << 20, 40}));
    }
    for (const Problem& problem : checked.problems)
        demand(problem.line >= 1 && problem.column >= 1 && !problem.message.empty());
    if (!checked.policy)
        return 0;
    const Named named{"fuzz", 1, "sha", *checked.policy};
    const Decision decision = decide(named, question(), {});
    demand(decision == decide(named, question(), {}));
    demand(!decision.reasons.empty());
    const Policy& policy = named.policy;
    const bool allows = policy.otherwise == Verdict::Allow ||
                        std::any_of(policy.rules.begin(), policy.rules.end(), [](const Rule& rule) {
                            return rule.then == Verdict::Allow;
                        });
    demand(allows || decision.verdict != Verdict::Allow);
    demand(
        decision.verdict == Verdict::Deny ||
        static_cast<std::uint64_t>(decision.limits.timeout.count()) <= policy.timeoutMs.most
    );
    demand(loosened(policy, policy).empty());
    // Against one that refuses whatever it is asked, all that allows is looser.
    Policy none = policy;
    none.rules.clear();
    none.otherwise = Verdict::Deny;
    demand(decision.verdict == Verdict::Deny || !loosened(none, policy).empty());
    return 0;
}
