// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/rule_draft.h"

#include "engine/base/text.h"
#include "ui/policies/schema_guide.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace belljar::ui {

namespace {

using execution::Verdict;

constexpr std::size_t kMostFindings = 20;
constexpr std::size_t kMostNameBytes = 90; // the schema takes 100 characters
constexpr std::size_t kHashBytes = 12;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(RuleDraft)
};

/// Ids of the worst findings, each once.
std::vector<std::string> worstRules(const std::vector<analysis::Finding>& findings)
{
    const auto worst =
        std::max_element(findings.begin(), findings.end(), [](const auto& one, const auto& other) {
            return one.severity < other.severity;
        });
    std::set<std::string> rules;
    for (const analysis::Finding& finding : findings) {
        if (finding.severity == worst->severity && rules.size() < kMostFindings)
            rules.insert(finding.rule);
    }
    return {rules.begin(), rules.end()};
}

/// By everything that tells this client from others. A name that would be taken for a pattern is
/// left out.
Json conditionOn(const execution::Client& client)
{
    Json when = Json::object();
    const std::string name = toValidUtf8(client.name);
    if (!name.empty() && !name.ends_with('*'))
        when["clients"] = Json::array({name});
    if (!client.executable.empty())
        when["executables"] = Json::array({toValidUtf8(client.executable)});
    return when;
}

bool wasAsked(const execution::Record& record)
{
    return record.verdict == Verdict::Ask || !record.remembered.empty();
}

bool wasAllowed(const execution::Record& record)
{
    using execution::DecidedBy;
    const bool answered = record.decidedBy == DecidedBy::Person ||
                          record.decidedBy == DecidedBy::Client ||
                          record.decidedBy == DecidedBy::Remembered;
    // What ran after an edit is not what was asked about.
    return answered && record.status != execution::Status::Rejected && record.ranSha256.empty();
}

Verdict wanted(const execution::Record& record)
{
    if (wasAsked(record))
        return wasAllowed(record) ? Verdict::Allow : Verdict::Deny;
    return Verdict::Ask;
}

QString whyText(Verdict then)
{
    switch (then) {
    case Verdict::Allow: return Words::tr("A person has allowed exactly this code before.");
    case Verdict::Ask: return Words::tr("A person wants to see this first.");
    case Verdict::Deny: return Words::tr("A person has not allowed such a program before.");
    }
    return {};
}

} // namespace

bool canMakeRule(const execution::Record& record)
{
    return record.verdict &&
           (record.findings > 0 || *record.verdict != Verdict::Allow || !record.remembered.empty());
}

Json draftRule(const execution::Record& record, const std::vector<analysis::Finding>& findings)
{
    const Verdict then = wanted(record);
    const bool allowsMore =
        then == Verdict::Allow || (then == Verdict::Ask && record.verdict == Verdict::Deny);
    Json when = conditionOn(record.client);
    // Without a way to tell the client nothing is allowed: the rule would be everybody's.
    const Verdict safe = then == Verdict::Allow && when.empty() ? Verdict::Ask : then;
    when["languages"] = Json::array({record.language});
    std::string about;
    if (allowsMore || findings.empty()) {
        when["code_sha256"] = Json::array({record.codeSha256});
        about = "code " + record.codeSha256.substr(0, kHashBytes);
    } else {
        const auto rules = worstRules(findings);
        when["findings"] = rules;
        for (const std::string& rule : rules)
            about += (about.empty() ? "" : ", ") + rule;
    }
    Json rule = Json::object();
    rule["name"] =
        std::string(prefixWithin(std::string(execution::nameOf(safe)) + " " + about, kMostNameBytes)
        );
    rule["when"] = std::move(when);
    rule["then"] = execution::nameOf(safe);
    rule["why"] = whyText(safe).toStdString();
    return rule;
}

std::size_t draftPlace(const Json* rules, const execution::Record& record)
{
    // A remembered decision answers the question of a rule that the record doesn't name, and
    // "otherwise" none: the first place comes before all of them.
    for (std::size_t at = 0; rules && rules->is_array() && at < rules->size(); ++at) {
        if (textOf((*rules)[at], "name") == record.decidingRule)
            return at;
    }
    const bool byDefault = record.decidingRule == "otherwise";
    return byDefault && rules && rules->is_array() ? rules->size() : 0;
}

std::string freeRuleName(const Json* rules, const std::string& name)
{
    const auto taken = [rules](const std::string& wanted) {
        return rules && rules->is_array() &&
               std::any_of(rules->begin(), rules->end(), [&](const Json& rule) {
                   return textOf(rule, "name") == wanted;
               });
    };
    std::string free = name;
    for (int number = 2; taken(free); ++number)
        free = name + " " + std::to_string(number);
    return free;
}

} // namespace belljar::ui
