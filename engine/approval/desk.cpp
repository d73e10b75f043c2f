// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/approval/desk.h"

#include "engine/base/sha256.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace belljar::approval {

namespace {

using execution::UnixMs;

/// Would the person see the same card?
bool isSameQuestion(const Approval& one, const Approval& other)
{
    return one.client.id == other.client.id && one.language == other.language &&
           one.codeSha256 == other.codeSha256 && one.args == other.args &&
           one.standardInputSha256 == other.standardInputSha256 &&
           one.decision.reasons == other.decision.reasons &&
           one.decision.limits == other.decision.limits &&
           one.decision.container == other.decision.container &&
           one.policyName == other.policyName && one.policyVersion == other.policyVersion &&
           one.imageDigest == other.imageDigest;
}

std::string secondsText(std::chrono::milliseconds span)
{
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(span).count()) + " s";
}

} // namespace

/// One execution that waits.
struct Desk::Waiter {
    Waiter(const asio::any_io_executor& executor, ExecutionId execution)
        : id(std::move(execution))
        , answered(executor, asio::steady_timer::time_point::max())
    {}

    ExecutionId id;
    asio::steady_timer answered; ///< never expires; cancelled when there is an answer
    std::optional<Answer> answer;
};

struct Desk::Question {
    Question(
        const asio::any_io_executor& executor, Approval asked, std::chrono::milliseconds timeout
    )
        : approval(std::move(asked))
        , left(timeout)
        , whole(timeout)
        , clock(executor)
    {}

    Approval approval;
    std::vector<std::shared_ptr<Waiter>> waiters; ///< first the one whose id the card has
    std::chrono::milliseconds left;               ///< when the clock stands
    const std::chrono::milliseconds whole;
    asio::steady_timer clock;
    bool running = false;
    std::uint64_t run =
        0; ///< which run of the clock; a late expiry of an earlier one means nothing
};

Desk::Desk(asio::any_io_executor executor, Events events)
    : m_executor(std::move(executor))
    , m_events(std::move(events))
{}

Desk::~Desk() = default;

void Desk::setListening(bool listening)
{
    m_listening = listening;
    if (listening)
        return;
    // Nobody reads any more.
    for (const auto& question : m_questions)
        hold(question->approval.id, false);
}

asio::awaitable<Answer> Desk::ask(Approval asked, std::chrono::milliseconds timeout)
{
    Answer answer;
    if (m_closed) {
        answer.by = DecidedBy::Engine;
        answer.reason = "Belljar is ending";
        co_return answer;
    }
    const auto waiter = std::make_shared<Waiter>(m_executor, asked.id);
    const auto same = std::find_if(m_questions.begin(), m_questions.end(), [&](const auto& one) {
        return isSameQuestion(one->approval, asked);
    });
    std::shared_ptr<Question> question;
    if (same == m_questions.end()) {
        question = std::make_shared<Question>(m_executor, std::move(asked), timeout);
        m_questions.push_back(question);
    } else {
        question = *same;
    }
    join(question, waiter);
    // Leaves whichever way this ends: it was answered, or the wait was cancelled.
    const std::shared_ptr<void> leaving(nullptr, [this, question, waiter](void*) {
        leave(question, waiter->id);
    });
    while (!waiter->answer) {
        boost::system::error_code woken;
        co_await waiter->answered.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (!waiter->answer && state.cancelled() != asio::cancellation_type::none) {
            answer.by = DecidedBy::Nobody;
            answer.reason = "the question was withdrawn";
            co_return answer;
        }
    }
    co_return *waiter->answer;
}

void Desk::join(const std::shared_ptr<Question>& question, const std::shared_ptr<Waiter>& waiter)
{
    const bool first = question->waiters.empty();
    question->waiters.push_back(waiter);
    if (first)
        startClock(*question);
    else
        question->approval.alike.push_back(waiter->id);
    publish(*question);
}

/// One that was answered has left already; one that was cancelled leaves the others waiting.
void Desk::leave(const std::shared_ptr<Question>& question, const ExecutionId& id)
{
    const auto place =
        std::find_if(question->waiters.begin(), question->waiters.end(), [&](const auto& one) {
            return one->id == id;
        });
    if (place == question->waiters.end())
        return;
    question->waiters.erase(place);
    if (question->waiters.empty()) {
        m_questions.remove(question);
        stopClock(*question);
        Answer withdrawn;
        withdrawn.reason = "the client cancelled";
        m_events.settled(question->approval.id, withdrawn);
        return;
    }
    // The card keeps its id while it is on the screen, even when that one has left.
    std::erase(question->approval.alike, id);
    publish(*question);
}

void Desk::settle(Question& question, const Answer& answer)
{
    const auto self = std::find_if(m_questions.begin(), m_questions.end(), [&](const auto& one) {
        return one.get() == &question;
    });
    if (self == m_questions.end())
        return;
    const std::shared_ptr<Question> kept = *self;
    m_questions.erase(self);
    stopClock(*kept);
    const auto waiters = std::exchange(kept->waiters, {});
    for (const auto& waiter : waiters) {
        waiter->answer = answer;
        waiter->answered.cancel();
    }
    m_events.settled(kept->approval.id, answer);
}

void Desk::settleByMemory(const ExecutionId& id, Verdict verdict)
{
    Question* question = questionOf(id);
    if (!question || verdict == Verdict::Ask)
        return;
    Answer answer;
    answer.verdict = verdict;
    answer.by = DecidedBy::Remembered;
    answer.reason = "settled by a decision that was remembered meanwhile";
    settle(*question, answer);
}

Result<> Desk::answer(const ExecutionId& id, const std::string& shown, Answer answer)
{
    Question* question = questionOf(id);
    if (!question)
        return fail(Errc::NotFound, id.text() + " doesn't wait for an answer any more");
    if (answer.verdict == Verdict::Ask)
        return fail(Errc::InvalidArgument, "verdict: expected allow or deny");
    const std::string asked =
        answer.editedCode ? sha256Hex(*answer.editedCode) : question->approval.codeSha256;
    if (shown != asked)
        return fail(
            Errc::Conflict,
            id.text() + ": the code that was shown isn't the one that is asked about"
        );
    answer.by = DecidedBy::Person;
    settle(*question, answer);
    return {};
}

void Desk::startClock(Question& question)
{
    question.running = true;
    const std::uint64_t run = ++question.run;
    question.approval.rejectedAt = execution::unixNow() + question.left.count();
    question.clock.expires_after(question.left);
    const std::weak_ptr<Question> weak =
        *std::find_if(m_questions.begin(), m_questions.end(), [&](const auto& one) {
            return one.get() == &question;
        });
    question.clock.async_wait([this, weak, run](const boost::system::error_code& error) {
        const auto expired = weak.lock();
        if (error || !expired || !expired->running || expired->run != run)
            return;
        Answer answer;
        answer.by = DecidedBy::Timeout;
        answer.reason = "nobody answered within " + secondsText(expired->whole);
        settle(*expired, answer);
    });
}

void Desk::stopClock(Question& question)
{
    if (!question.running)
        return;
    question.running = false;
    question.left = remaining(question.clock.expiry());
    question.approval.rejectedAt.reset();
    question.clock.cancel();
}

void Desk::hold(const ExecutionId& id, bool held)
{
    Question* question = questionOf(id);
    if (!question || question->running != held)
        return;
    if (held)
        stopClock(*question);
    else
        startClock(*question);
    publish(*question);
}

void Desk::clientWaits(const ExecutionId& id, std::optional<UnixMs> until)
{
    Question* question = questionOf(id);
    if (!question || question->approval.clientWaitsUntil == until)
        return;
    question->approval.clientWaitsUntil = until;
    publish(*question);
}

std::vector<Approval> Desk::waiting() const
{
    std::vector<Approval> all;
    for (const auto& question : m_questions)
        all.push_back(question->approval);
    return all;
}

std::size_t Desk::waitingOf(const ClientId& client) const
{
    std::size_t count = 0;
    for (const auto& question : m_questions) {
        if (question->approval.client.id == client)
            count += question->waiters.size();
    }
    return count;
}

const Approval* Desk::find(const ExecutionId& id) const
{
    const Question* question = questionOf(id);
    return question ? &question->approval : nullptr;
}

Desk::Question* Desk::questionOf(const ExecutionId& id) const
{
    for (const auto& question : m_questions) {
        const bool asks =
            question->approval.id == id || std::any_of(
                                               question->waiters.begin(),
                                               question->waiters.end(),
                                               [&](const auto& waiter) { return waiter->id == id; }
                                           );
        if (asks)
            return question.get();
    }
    return nullptr;
}

void Desk::publish(const Question& question) const
{
    m_events.asked(question.approval);
}

void Desk::close(const std::string& reason)
{
    m_closed = true;
    Answer answer;
    answer.by = DecidedBy::Engine;
    answer.reason = reason;
    while (!m_questions.empty())
        settle(*m_questions.front(), answer);
}

} // namespace belljar::approval
