// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/base/result.h"
#include "engine/execution/execution.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What may run, where, and who is asked (DESIGN.md section 8).
namespace belljar::policy {

using execution::UnixMs;
using execution::Verdict;

/// What an approval rule looks at. Every member that is set has to hold; an empty condition always
/// does. Lists hold when one of them does.
struct Condition {
    std::vector<std::string> clients;     ///< self-declared names, `*` at an end allowed (R-85)
    std::vector<std::string> executables; ///< path of the client's process
    std::vector<std::string> transports;
    std::vector<std::string> languages;
    std::vector<std::string> findings; ///< rule ids, `*` at the end allowed: "python.*"
    std::vector<std::string> categories;
    std::optional<analysis::Severity> severityAtLeast; ///< of a finding that fits the two above
    std::vector<std::string> codeSha256;
    std::optional<bool> analysisComplete;
    std::vector<std::string> networkHosts; ///< asked for; waits for network grants

    friend bool operator==(const Condition&, const Condition&) = default;
};

struct Rule {
    std::string name; ///< unique within the policy
    Condition when;
    Verdict then = Verdict::Ask;
    std::string why; ///< a sentence for the person and the client

    friend bool operator==(const Rule&, const Rule&) = default;
};

/// What a request gets and what it can get at most.
struct Limit {
    std::uint64_t preset = 0;
    std::uint64_t most = 0;

    friend bool operator==(const Limit&, const Limit&) = default;
};

enum class OverLimit : std::uint8_t { Clamp, Refuse };
/// What happens to a question when there is no window to ask in.
enum class Headless : std::uint8_t { Elicit, Deny };

/// One policy, as parsed. The text stays the truth; this is what it means.
struct Policy {
    std::string title;
    std::string description;

    Limit timeoutMs;
    Limit memoryBytes;
    Limit cpuMillis;
    Limit pids;
    Limit outputBytes;
    Limit workspaceBytes;
    Limit tmpBytes;
    OverLimit overLimit = OverLimit::Clamp;

    execution::Container container; ///< for every language
    std::map<std::string, std::string>
        images;                         ///< language -> reference; absent: the language's own
    std::vector<std::string> languages; ///< that may run; empty allows none

    std::map<std::string, analysis::Severity>
        severities; ///< rule id -> severity instead of the rule's own
    std::vector<std::string> ignoredRules;
    /// language -> modules it may import without a finding; a language that isn't listed isn't
    /// checked.
    std::map<std::string, std::vector<std::string>> allowedImports;

    std::vector<Rule> rules; ///< first match wins
    Verdict otherwise = Verdict::Ask;
    std::chrono::seconds approvalWait{50};     ///< until the call returns awaiting_approval
    std::chrono::seconds approvalTimeout{300}; ///< until it is rejected
    Headless headless = Headless::Elicit;
    bool cancelOnDisconnect = true;
    std::uint32_t maxConcurrent = 8;        ///< of one client in a sandbox at once
    std::uint32_t maxWaiting = 16;          ///< of one client waiting for a person at once
    std::uint32_t requestsPerMinute = 3000; ///< of one client

    friend bool operator==(const Policy&, const Policy&) = default;
};

/// One thing that is wrong with, or odd about, a policy's text.
struct Problem {
    bool isError = true; ///< false: a warning (an unknown key)
    std::string place;   ///< JSON pointer: "/limits/memory/max"; empty where it isn't JSON at all
    std::string message; ///< says what is allowed
    std::uint32_t line = 0; ///< from 1
    std::uint32_t column = 0;

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// `policy` is there exactly when no problem is an error.
struct Checked {
    std::optional<Policy> policy;
    std::vector<Problem> problems;
};

/// Parses and checks a policy's text against the schema and beyond it. Any bytes; never throws.
[[nodiscard]] Checked check(std::string_view text);

/// The JSON Schema of a policy, with titles, descriptions and defaults
/// (resources/schemas/policy.json).
Result<std::string> schemaText();

/// A policy in force: which, and since which version.
struct Named {
    std::string name;
    std::int64_t version = 0;
    std::string sha256; ///< of its text
    Policy policy;
};

/// Everything that a decision may depend on.
struct Question {
    execution::Client client;
    std::string language;
    std::string codeSha256;
    execution::Asked asked; ///< the limits that the request names
    analysis::Report report;
    std::string imageDigest; ///< of the image that would run it, empty when unknown
    UnixMs now = 0;
};

/// A rule that led to the decision, and how in words.
struct Reason {
    std::string rule; ///< "medium-findings", "default", "limits", "languages", "remembered:..."
    std::string words;

    friend bool operator==(const Reason&, const Reason&) = default;
};

struct Decision {
    Verdict verdict = Verdict::Deny;
    std::vector<Reason> reasons; ///< the one that decided first; never empty
    execution::Limits limits;    ///< what it would run with
    execution::Container container;
    std::string image;              ///< reference; empty: the language's own
    std::vector<std::string> notes; ///< "timeout was lowered to ...": for the client and the person
    std::vector<std::string> weakened; ///< what is weaker than the shipped defaults (R-20)
    analysis::Report report; ///< with the policy's severities, and findings for imports not allowed
    std::string allowedInstead; ///< for a denial: what would be allowed, in words
    std::string remembered;     ///< id of the remembered decision that decided, or empty

    friend bool operator==(const Decision&, const Decision&) = default;
};

/// What a remembered decision covers.
enum class Scope : std::uint8_t {
    ThisCode, ///< exactly this code, arguments and input do not matter
    RuleCase, ///< what this rule asks about, with no finding beyond those it was made for
};

/// An answer of the person that stands for later ones.
struct Remembered {
    std::string id;
    Verdict verdict = Verdict::Allow; ///< or Deny
    Scope scope = Scope::ThisCode;
    std::string language;
    std::string codeSha256;            ///< ThisCode
    std::string rule;                  ///< RuleCase: Reason::rule of the question
    std::vector<std::string> findings; ///< RuleCase: rule ids that it covers
    std::string clientName;            ///< both have to be the same
    std::string clientExecutable;
    ClientId session; ///< empty: of every connection
    std::string policyName;
    std::string policySha256; ///< it is void once the policy changes
    std::string imageDigest;  ///< and once the image does
    UnixMs createdAt = 0;
    std::optional<UnixMs> expiresAt;
    ExecutionId madeFrom;
    std::uint64_t hits = 0;
    std::optional<UnixMs> lastUsedAt;

    friend bool operator==(const Remembered&, const Remembered&) = default;
};

/// Does `remembered` answer `question` under `policy`, whose decision without it is `asked`?
[[nodiscard]] bool matches(
    const Remembered& remembered,
    const Named& policy,
    const Question& question,
    const Decision& asked
);

/// The decision, with no side effect: the same input gives the same decision. A remembered one only
/// turns Ask into Allow or Deny, never a Deny into anything.
[[nodiscard]] Decision
decide(const Named& policy, const Question& question, const std::vector<Remembered>& remembered);

/// Everything in which `now` allows more than `before`, in words; empty: it loosens nothing.
[[nodiscard]] std::vector<std::string> loosened(const Policy& before, const Policy& now);

} // namespace belljar::policy
