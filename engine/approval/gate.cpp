// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/approval/gate.h"

#include "engine/approval/look_back.h"
#include "engine/base/log.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/policy/memory.h"

#include <algorithm>
#include <utility>

namespace belljar::approval {

namespace {

using analysis::Report;

constexpr std::size_t kElicitedCodeBytes = 4000;
constexpr int kMostRounds =
    5; ///< that one request may be decided in, should its policy keep changing

Json describeFindings(const Report& report)
{
    std::map<std::string, int> counts;
    for (const analysis::Finding& finding : report.findings)
        ++counts[finding.rule];
    Json json = Json::object();
    for (const auto& [rule, count] : counts)
        json[rule] = count;
    return json;
}

Json describeLimits(const execution::Limits& limits)
{
    Json json;
    json["timeout_ms"] = limits.timeout.count();
    json["memory_bytes"] = limits.memoryBytes;
    json["cpu_millis"] = limits.cpuMillis;
    json["pids"] = limits.pids;
    json["output_bytes"] = limits.outputBytes;
    json["workspace_bytes"] = limits.workspaceBytes;
    json["tmp_bytes"] = limits.tmpBytes;
    return json;
}

audit::Entry entryFor(audit::Type type, const Case& asked)
{
    audit::Entry entry;
    entry.type = type;
    entry.execution = asked.request.id;
    entry.client = asked.request.client.id;
    return entry;
}

/// The same program for the person? A new process of the same client isn't the session that was
/// stopped.
bool isSameSession(const execution::Client& one, const execution::Client& other)
{
    return one.id == other.id ||
           (one.pid != 0 && one.pid == other.pid && one.executable == other.executable);
}

} // namespace

Gate::Gate(Parts parts, Desk& desk)
    : m_parts(std::move(parts))
    , m_desk(desk)
{}

policy::Question Gate::questionFor(
    const Case& asked, const std::string& codeSha256, Report report, std::string digest
) const
{
    policy::Question question;
    question.client = asked.request.client;
    question.language = asked.request.language;
    question.codeSha256 = codeSha256;
    question.asked = asked.request.asked;
    question.report = std::move(report);
    question.imageDigest = std::move(digest);
    question.now = execution::unixNow();
    return question;
}

asio::awaitable<Result<Ruling>> Gate::rule(std::shared_ptr<const Case> asked, Progress progress)
{
    const execution::Request& request = asked->request;
    const Report report = co_await m_parts.analyse(request.language, request.code);
    for (int round = 1;; ++round) {
        Ruling ruling;
        ruling.code = request.code;
        ruling.codeSha256 = request.codeSha256;
        ruling.policy = m_parts.policyFor(request.client);
        ruling.by = DecidedBy::Policy;
        ruling.decision =
            policy::decide(*ruling.policy, questionFor(*asked, request.codeSha256, report, {}), {});
        if (ruling.decision.verdict == Verdict::Ask) {
            // What was remembered holds for one image: only now is it worth asking which it is.
            const std::string reference =
                ruling.decision.image.empty() ? asked->image : ruling.decision.image;
            ruling.imageDigest = co_await m_parts.imageDigest(reference);
            const auto question =
                questionFor(*asked, request.codeSha256, report, ruling.imageDigest);
            ruling.decision = policy::decide(*ruling.policy, question, m_parts.remembered());
        }
        if (!ruling.decision.remembered.empty()) {
            ruling.by = DecidedBy::Remembered;
            m_parts.rememberedWasUsed(ruling.decision.remembered);
        }
        if (isStopped(request.client) && ruling.decision.verdict != Verdict::Deny) {
            ruling.decision.verdict = Verdict::Deny;
            ruling.decision.reasons.insert(
                ruling.decision.reasons.begin(),
                {"stopped-session", "the person has stopped this client's session"}
            );
            ruling.by = DecidedBy::Person;
        }
        ruling.verdict = ruling.decision.verdict;
        ruling.reason = ruling.decision.reasons.front().words;
        progress.decided(ruling.decision, *ruling.policy);
        auto recorded = co_await recordDecision(asked, ruling);
        if (!recorded)
            co_return fail(recorded.error());
        if (ruling.verdict != Verdict::Ask)
            co_return std::move(ruling);

        const auto decidedUnder = ruling.policy;
        Result<Ruling> answered;
        if (m_desk.listening()) {
            progress.asking(*ruling.policy);
            answered = co_await askThePerson(asked, std::move(ruling), progress);
        } else {
            answered = co_await askThroughTheClient(asked, std::move(ruling));
        }
        if (!answered || answered->verdict != Verdict::Allow)
            co_return std::move(answered);
        // What was allowed was allowed under a policy; if that has changed meanwhile, it is another
        // question.
        const auto now = m_parts.policyFor(request.client);
        if (now->name == decidedUnder->name && now->sha256 == decidedUnder->sha256)
            co_return std::move(answered);
        if (round == kMostRounds)
            co_return fail(Errc::Conflict, "the policy kept changing while this was asked");
    }
}

asio::awaitable<Result<>> Gate::recordDecision(std::shared_ptr<const Case> asked, Ruling ruling)
{
    const policy::Decision& decision = ruling.decision;
    audit::Entry entry = entryFor(audit::Type::Decided, *asked);
    Json reasons = Json::array();
    for (const policy::Reason& reason : decision.reasons) {
        Json one;
        one["rule"] = reason.rule;
        one["words"] = reason.words;
        reasons.push_back(std::move(one));
    }
    entry.detail["verdict"] = execution::nameOf(decision.verdict);
    entry.detail["by"] = execution::nameOf(ruling.by);
    entry.detail["reasons"] = std::move(reasons);
    entry.detail["policy"] = ruling.policy->name;
    entry.detail["policy_version"] = ruling.policy->version;
    entry.detail["policy_sha256"] = ruling.policy->sha256;
    entry.detail["code_sha256"] = ruling.codeSha256;
    entry.detail["findings"] = describeFindings(decision.report);
    entry.detail["analysis_complete"] = decision.report.complete;
    entry.detail["limits"] = describeLimits(decision.limits);
    entry.detail["weakened"] = decision.weakened;
    entry.detail["remembered"] = decision.remembered;
    co_return co_await m_parts.audit(std::move(entry));
}

asio::awaitable<Result<Ruling>>
Gate::askThePerson(std::shared_ptr<const Case> asked, Ruling ruling, Progress /*progress*/)
{
    const execution::Request& request = asked->request;
    if (m_desk.waitingOf(request.client.id) >= ruling.policy->policy.maxWaiting) {
        ruling.verdict = Verdict::Deny;
        ruling.by = DecidedBy::Policy;
        ruling.reason = std::to_string(ruling.policy->policy.maxWaiting) +
                        " programs of this client wait for the person already; try again when they "
                        "have been answered";
        co_return std::move(ruling);
    }
    auto approval = std::make_shared<Approval>();
    approval->id = request.id;
    approval->client = request.client;
    approval->language = request.language;
    approval->languageTitle = asked->languageTitle;
    approval->code = request.code;
    approval->codeSha256 = request.codeSha256;
    approval->args = request.args;
    approval->standardInputBytes = request.standardInput.size();
    approval->standardInputSha256 = sha256Hex(request.standardInput);
    approval->decision = ruling.decision;
    approval->policyName = ruling.policy->name;
    approval->policyVersion = ruling.policy->version;
    approval->image = ruling.decision.image.empty() ? asked->image : ruling.decision.image;
    approval->imageDigest = ruling.imageDigest;
    approval->askedAt = execution::unixNow();
    approval->clientWaitsUntil =
        approval->askedAt + std::chrono::milliseconds(ruling.policy->policy.approvalWait).count();
    auto background = co_await m_parts.lookBack(approval, ruling.policy);
    approval->precedent = std::move(background.precedent);
    approval->offers = std::move(background.offers);

    audit::Entry entry = entryFor(audit::Type::ApprovalAsked, *asked);
    entry.detail["code_sha256"] = request.codeSha256;
    entry.detail["rule"] = ruling.decision.reasons.front().rule;
    entry.detail["image_digest"] = ruling.imageDigest;
    auto recorded = co_await m_parts.audit(std::move(entry));
    if (!recorded)
        co_return fail(recorded.error());

    const auto began = SteadyClock::now();
    Waiting waiting{
        asked,
        questionFor(*asked, request.codeSha256, ruling.decision.report, ruling.imageDigest),
        ruling.policy,
        ruling.decision};
    m_waiting.insert_or_assign(request.id, std::move(waiting));
    const std::shared_ptr<void> leaving(nullptr, [this, id = request.id](void*) {
        m_waiting.erase(id);
    });
    Approval shown = *approval;
    Answer answer = co_await m_desk.ask(std::move(shown), ruling.policy->policy.approvalTimeout);
    ruling.waited =
        std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - began);
    co_return co_await takeAnswer(asked, std::move(ruling), *approval, std::move(answer));
}

asio::awaitable<Result<Ruling>>
Gate::takeAnswer(std::shared_ptr<const Case> asked, Ruling ruling, Approval shown, Answer answer)
{
    ruling.verdict = answer.verdict;
    ruling.by = answer.by;
    ruling.comment = answer.comment;
    if (answer.verdict == Verdict::Deny)
        ruling.reason = answer.reason.empty() ? "the person rejected it" : answer.reason;
    if (answer.verdict == Verdict::Allow && answer.editedCode) {
        ruling.edited = true;
        ruling.code = answer.editedCode;
        ruling.codeSha256 = sha256Hex(*answer.editedCode);
        Report report = co_await m_parts.analyse(asked->request.language, answer.editedCode);
        policy::Decision decision = policy::decide(
            *ruling.policy,
            questionFor(*asked, ruling.codeSha256, std::move(report), ruling.imageDigest),
            {}
        );
        // A person answers questions; what the policy denies is none.
        if (decision.verdict == Verdict::Deny) {
            ruling.verdict = Verdict::Deny;
            ruling.by = DecidedBy::Policy;
            ruling.reason = decision.reasons.front().words;
        }
        ruling.decision = std::move(decision);
    }
    audit::Entry entry = entryFor(audit::Type::ApprovalAnswered, *asked);
    entry.detail["verdict"] = execution::nameOf(ruling.verdict);
    entry.detail["by"] = execution::nameOf(ruling.by);
    entry.detail["waited_ms"] = ruling.waited.count();
    entry.detail["asked_sha256"] = shown.codeSha256;
    entry.detail["code_sha256"] = ruling.codeSha256;
    entry.detail["edited"] = ruling.edited;
    entry.detail["comment"] = ruling.comment;
    entry.detail["reason"] = ruling.reason;
    auto recorded = co_await m_parts.audit(std::move(entry));
    if (!recorded)
        co_return fail(recorded.error());
    if (answer.remember && answer.by == DecidedBy::Person && ruling.verdict == answer.verdict) {
        auto kept = co_await remember(std::move(shown), ruling, *answer.remember);
        if (!kept) // the answer holds all the same, this once
            log::engine().error("not_remembered=\"{}\"", log::safe(kept.error().message()));
        settleWaiting();
    }
    if (answer.stopSession && answer.verdict == Verdict::Deny)
        co_await stopSession(asked->request.client);
    co_return std::move(ruling);
}

asio::awaitable<Result<>> Gate::remember(Approval shown, Ruling ruling, Remember how)
{
    // Of an edited program it is the edited one.
    shown.codeSha256 = ruling.codeSha256;
    shown.decision = ruling.decision;
    policy::Remembered kept = rememberedFor(shown, *ruling.policy, how, ruling.verdict);
    audit::Entry entry;
    entry.type = audit::Type::DecisionRemembered;
    entry.execution = shown.id;
    entry.client = shown.client.id;
    entry.detail = policy::toJson(kept);
    auto recorded = co_await m_parts.audit(std::move(entry));
    if (!recorded)
        co_return std::move(recorded);
    co_return co_await m_parts.remember(std::move(kept));
}

/// Every question that a remembered decision answers by now is settled.
void Gate::settleWaiting()
{
    const auto waiting = m_waiting; // settling takes them out
    for (const auto& [id, one] : waiting) {
        for (const policy::Remembered& remembered : m_parts.remembered()) {
            if (policy::matches(remembered, *one.policy, one.question, one.decision)) {
                m_parts.rememberedWasUsed(remembered.id);
                m_desk.settleByMemory(id, remembered.verdict);
                break;
            }
        }
    }
}

asio::awaitable<Result<Ruling>>
Gate::askThroughTheClient(std::shared_ptr<const Case> asked, Ruling ruling)
{
    ruling.verdict = Verdict::Deny;
    ruling.by = DecidedBy::Engine;
    const std::string why = "the policy asks a person first (" + ruling.reason + "), and ";
    if (ruling.policy->policy.headless == policy::Headless::Deny) {
        ruling.reason = why + "no Belljar window is open to ask in";
        co_return std::move(ruling);
    }
    if (!asked->elicit) {
        ruling.reason =
            why +
            "no Belljar window is open, and this client can't ask (it has no MCP elicitation)";
        co_return std::move(ruling);
    }
    const auto began = SteadyClock::now();
    const Deadline deadline = began + ruling.policy->policy.approvalTimeout;
    std::string text = elicitationText(*asked, ruling.decision);
    auto ask = [](execution::Elicit elicit,
                  std::string message) -> asio::awaitable<Result<execution::Elicited>> {
        co_return co_await elicit(std::move(message));
    };
    auto asking = ask(asked->elicit, std::move(text));
    auto elicited = co_await finishBy(deadline, std::move(asking));
    ruling.waited =
        std::chrono::duration_cast<std::chrono::milliseconds>(SteadyClock::now() - began);
    Answer answer;
    answer.by = DecidedBy::Client;
    if (!elicited) {
        answer.by = DecidedBy::Timeout;
        answer.reason = "nobody answered the client's question in time";
    } else {
        answer.comment = elicited->comment;
        using Action = execution::Elicited::Action;
        switch (elicited->action) {
        case Action::Accept: answer.verdict = Verdict::Allow; break;
        case Action::Decline: answer.reason = "the person declined in the client"; break;
        case Action::Cancel: answer.reason = "the question was closed in the client"; break;
        case Action::Failed: answer.reason = "the client could not ask"; break;
        }
    }
    Approval shown;
    shown.codeSha256 = asked->request.codeSha256;
    co_return co_await takeAnswer(asked, std::move(ruling), std::move(shown), std::move(answer));
}

asio::awaitable<Result<policy::Decision>> Gate::tryOut(ExecutionId id, std::string code)
{
    const auto found = m_waiting.find(id);
    if (found == m_waiting.end())
        co_return fail(Errc::NotFound, id.text() + " doesn't wait for an answer any more");
    const Waiting waiting = found->second;
    const std::string sha256 = sha256Hex(code);
    auto text = std::make_shared<const std::string>(std::move(code));
    Report report = co_await m_parts.analyse(waiting.asked->request.language, std::move(text));
    co_return policy::decide(
        *waiting.policy,
        questionFor(*waiting.asked, sha256, std::move(report), waiting.question.imageDigest),
        {}
    );
}

bool Gate::isStopped(const execution::Client& client) const
{
    return std::any_of(m_stopped.begin(), m_stopped.end(), [&](const execution::Client& stopped) {
        return isSameSession(stopped, client);
    });
}

asio::awaitable<void> Gate::stopSession(execution::Client client)
{
    if (isStopped(client))
        co_return;
    m_stopped.push_back(client);
    m_parts.stoppedChanged();
    Answer denied;
    denied.reason = "the person has stopped this client's session";
    for (const Approval& approval : m_desk.waiting()) {
        if (isSameSession(approval.client, client))
            static_cast<void>(m_desk.answer(approval.id, approval.codeSha256, denied));
    }
    audit::Entry entry;
    entry.type = audit::Type::SessionStopped;
    entry.client = client.id;
    entry.detail["name"] = client.name;
    entry.detail["pid"] = client.pid;
    entry.detail["executable"] = client.executable;
    auto recorded = co_await m_parts.audit(std::move(entry));
    if (!recorded)
        log::engine().error("not_audited=\"{}\"", log::safe(recorded.error().message()));
}

asio::awaitable<void> Gate::lift(ClientId client)
{
    const auto lifted = std::erase_if(m_stopped, [&](const auto& one) { return one.id == client; });
    if (lifted == 0)
        co_return;
    m_parts.stoppedChanged();
    audit::Entry entry;
    entry.type = audit::Type::SessionLifted;
    entry.client = client;
    auto recorded = co_await m_parts.audit(std::move(entry));
    if (!recorded)
        log::engine().error("not_audited=\"{}\"", log::safe(recorded.error().message()));
}

std::string elicitationText(const Case& asked, const policy::Decision& decision)
{
    const std::string& code = *asked.request.code;
    const auto lines = static_cast<std::uint64_t>(std::count(code.begin(), code.end(), '\n')) + 1;
    std::string text =
        "Belljar asks: may this " + asked.languageTitle + " program of " + groupedDigits(lines) +
        " lines run in a sandbox?\nWhy it asks: " + escapeForLine(decision.reasons.front().words) +
        "\n";
    for (const analysis::Finding& finding : decision.report.findings) {
        text += "- " + std::string(analysis::nameOf(finding.severity)) + ", line " +
                std::to_string(finding.range.beginLine) + ": " + escapeForLine(finding.message) +
                "\n";
        if (text.size() > kElicitedCodeBytes)
            break;
    }
    text += "SHA-256 of the code: " + asked.request.codeSha256 + "\n\n";
    const std::string_view shown = prefixWithin(code, kElicitedCodeBytes);
    text += escapeUnusual(shown);
    if (shown.size() < code.size())
        text +=
            "\n[" + groupedDigits(code.size() - shown.size()) + " more bytes are not shown here]";
    return text;
}

} // namespace belljar::approval
