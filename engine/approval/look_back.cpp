// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/approval/look_back.h"

#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace belljar::approval {

namespace {

using execution::Record;

constexpr std::uint32_t kLastRuns = 200;

bool isOfSameClient(const Record& record, const execution::Client& client)
{
    return record.client.name == client.name && record.client.executable == client.executable;
}

policy::Question questionOf(const Record& record, analysis::Report report, std::string imageDigest)
{
    policy::Question question;
    question.client = record.client;
    question.language = record.language;
    question.codeSha256 = record.codeSha256;
    question.report = std::move(report);
    question.imageDigest = std::move(imageDigest);
    question.now = record.receivedAt;
    return question;
}

std::vector<std::string> rulesOf(const analysis::Report& report)
{
    std::vector<std::string> rules;
    for (const analysis::Finding& finding : report.findings)
        rules.push_back(finding.rule);
    std::sort(rules.begin(), rules.end());
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    return rules;
}

std::string clientWords(const execution::Client& client)
{
    return client.name.empty() ? "this client" : "\"" + escapeForLine(client.name) + "\"";
}

std::string caseWords(const Approval& approval)
{
    std::string words = approval.languageTitle + " of " + clientWords(approval.client) +
                        " that asks by the rule \"" +
                        escapeForLine(approval.decision.reasons.front().rule) + "\"";
    const auto rules = rulesOf(approval.decision.report);
    if (rules.empty())
        return words + ", with no finding";
    words += ", with no other finding than ";
    for (std::size_t at = 0; at < rules.size(); ++at)
        words += (at == 0 ? "" : ", ") + escapeForLine(rules[at]);
    return words;
}

} // namespace

policy::Remembered rememberedFor(
    const Approval& approval, const policy::Named& policy, const Remember& how, Verdict verdict
)
{
    policy::Remembered kept;
    kept.id = "rd_" + randomHex(16);
    kept.verdict = verdict;
    kept.scope = how.scope;
    kept.language = approval.language;
    if (how.scope == policy::Scope::ThisCode) {
        kept.codeSha256 = approval.codeSha256;
    } else {
        kept.rule = approval.decision.reasons.front().rule;
        kept.findings = rulesOf(approval.decision.report);
    }
    kept.clientName = approval.client.name;
    kept.clientExecutable = approval.client.executable;
    if (how.sessionOnly)
        kept.session = approval.client.id;
    kept.policyName = policy.name;
    kept.policySha256 = policy.sha256;
    kept.imageDigest = approval.imageDigest;
    kept.createdAt = execution::unixNow();
    if (how.lasts)
        kept.expiresAt = kept.createdAt + std::chrono::milliseconds(*how.lasts).count();
    kept.madeFrom = approval.id;
    return kept;
}

Result<Background>
lookBack(store::HistoryReader& history, const Approval& approval, const policy::Named& policy)
{
    Background background;
    Precedent& precedent = background.precedent;
    auto sameCode = history.countOfCode(approval.codeSha256);
    if (!sameCode)
        return fail(sameCode.error());
    precedent.sameCodeRuns = *sameCode > 0 ? *sameCode - 1 : 0; // this one is in it

    ScopeOffer thisCode{
        policy::Scope::ThisCode,
        "exactly this code, sent by " + clientWords(approval.client),
        0,
        0};
    ScopeOffer ruleCase{policy::Scope::RuleCase, caseWords(approval), 0, 0};
    // Made under an unknown image it would hold for nothing; what analysis couldn't see can't be
    // shown.
    const bool canRemember = !approval.imageDigest.empty();
    const bool canShowCase = canRemember && approval.decision.report.complete;
    const auto exact =
        rememberedFor(approval, policy, {policy::Scope::ThisCode, false, {}}, Verdict::Allow);
    const auto like =
        rememberedFor(approval, policy, {policy::Scope::RuleCase, false, {}}, Verdict::Allow);

    store::PageQuery query;
    query.limit = kLastRuns;
    query.clientName = approval.client.name;
    auto records = history.page(query);
    if (!records)
        return fail(records.error());
    for (const Record& record : *records) {
        if (record.id == approval.id || !isOfSameClient(record, approval.client))
            continue;
        ++precedent.runs;
        precedent.lastAt = std::max(precedent.lastAt, record.receivedAt);
        const bool allowed = record.startedAt.has_value();
        precedent.allowed += allowed ? 1U : 0U;
        if (allowed && precedent.previous.empty() && record.language == approval.language) {
            auto code = history.ranCode(record.id);
            if (!code)
                return fail(code.error());
            precedent.previous = record.id;
            precedent.previousCode = std::make_shared<const std::string>(std::move(*code));
        }
        auto report = history.report(record.id);
        if (!report)
            return fail(report.error());
        const auto question =
            questionOf(record, report->value_or(analysis::Report()), approval.imageDigest);
        const auto decision = policy::decide(policy, question, {});
        for (auto [offer, remembered] :
             {std::pair(&thisCode, &exact), std::pair(&ruleCase, &like)}) {
            ++offer->of;
            offer->wouldHaveMatched +=
                policy::matches(*remembered, policy, question, decision) ? 1U : 0U;
        }
    }
    if (canRemember)
        background.offers.push_back(std::move(thisCode));
    if (canShowCase)
        background.offers.push_back(std::move(ruleCase));
    return background;
}

} // namespace belljar::approval
