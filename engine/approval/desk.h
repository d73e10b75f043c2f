// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/approval/approval.h"
#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/result.h"

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace belljar::approval {

using execution::DecidedBy;
using execution::Verdict;

/// What came of a question.
struct Answer {
    Verdict verdict = Verdict::Deny; ///< Allow or Deny, never Ask
    DecidedBy by = DecidedBy::Nobody;
    std::string reason;  ///< of a denial that isn't the person's: "nobody answered within 300 s"
    std::string comment; ///< the person's, to the client
    std::shared_ptr<const std::string> editedCode; ///< what is allowed instead of what was sent
    std::optional<Remember> remember;
    bool stopSession = false;
};

/// The questions that wait for a person at a window (UX.md section 4).
///
/// Whatever happens, each question gets exactly one answer, and Allow only from the person, now or
/// by an answer of theirs that is remembered: a time-out, the engine's end and a withdrawal deny
/// . Identical questions of one client are shown as one and answered together (UX.md rule
/// 9). Lives on the engine thread.
class Desk {
public:
    struct Events {
        std::function<void(const Approval&)> asked; ///< or changed
        std::function<void(const ExecutionId&, const Answer&)> settled;
    };

    Desk(asio::any_io_executor executor, Events events);
    ~Desk();

    /// There is somebody who can be asked.
    void setListening(bool listening);
    [[nodiscard]] bool listening() const { return m_listening; }

    /// Waits for the answer, `timeout` at most while nobody holds it. Cancelling withdraws the
    /// question.
    asio::awaitable<Answer> ask(Approval question, std::chrono::milliseconds timeout);

    /// The client stops waiting at `until` (nothing: it has stopped already); shown on the card.
    void clientWaits(const ExecutionId& id, std::optional<execution::UnixMs> until);

    /// Errors: NotFound when it doesn't wait any more; Conflict when `shown` isn't the SHA-256 of
    /// the code that is asked about, or of the edited code where there is one;
    /// InvalidArgument for Ask.
    Result<> answer(const ExecutionId& id, const std::string& shown, Answer answer);

    /// A decision that has been remembered since answers this question too (UX.md rule 9).
    void settleByMemory(const ExecutionId& id, Verdict verdict);

    /// Stops the clock, or lets it go on.
    void hold(const ExecutionId& id, bool held);

    /// Everything that waits, oldest first, identical ones as one.
    [[nodiscard]] std::vector<Approval> waiting() const;
    /// How many executions of `client` wait.
    [[nodiscard]] std::size_t waitingOf(const ClientId& client) const;
    [[nodiscard]] const Approval* find(const ExecutionId& id) const;

    /// Denies everything that waits: the engine ends.
    void close(const std::string& reason);

private:
    struct Question;
    struct Waiter;

    Question* questionOf(const ExecutionId& id) const;
    void join(const std::shared_ptr<Question>& question, const std::shared_ptr<Waiter>& waiter);
    void leave(const std::shared_ptr<Question>& question, const ExecutionId& id);
    void settle(Question& question, const Answer& answer);
    void startClock(Question& question);
    void stopClock(Question& question);
    void publish(const Question& question) const;

    asio::any_io_executor m_executor;
    Events m_events;
    std::list<std::shared_ptr<Question>> m_questions; ///< oldest first
    bool m_listening = false;
    bool m_closed = false;
};

} // namespace belljar::approval
