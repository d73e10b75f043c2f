// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/approval/desk.h"
#include "engine/audit/entry.h"
#include "engine/execution/elicitation.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace belljar::approval {

/// One request before the gate.
struct Case {
    execution::Request request;
    execution::Elicit elicit; ///< empty where the client can't
    std::string languageTitle;
    std::string image; ///< the language's own
};

/// What the gate has settled: what may run, within what, or why not.
struct Ruling {
    Verdict verdict = Verdict::Deny; ///< Allow or Deny
    DecidedBy by = DecidedBy::Nobody;
    policy::Decision decision;
    std::shared_ptr<const policy::Named> policy;
    std::shared_ptr<const std::string> code; ///< that may run
    std::string codeSha256;
    bool edited = false;
    std::string imageDigest; ///< that was approved; empty: any that the reference names
    std::string reason;      ///< of a denial, a sentence
    std::string comment;     ///< of the person, to the client
    std::chrono::milliseconds waited{0};
};

/// What earlier runs say of a question.
struct Background {
    Precedent precedent;
    std::vector<ScopeOffer> offers;
};

/// Whatever is to be run passes here: analysis, policy, and the person where the policy says so
/// (DESIGN.md section 5, steps 3 to 5). Lives on the engine thread.
class Gate {
public:
    /// What the gate works with.
    struct Parts {
        std::function<asio::awaitable<analysis::Report>(
            std::string language, std::shared_ptr<const std::string> code
        )>
            analyse;
        std::function<std::shared_ptr<const policy::Named>(const execution::Client&)> policyFor;
        std::function<const std::vector<policy::Remembered>&()> remembered;
        std::function<void(const std::string& id)> rememberedWasUsed;
        std::function<asio::awaitable<Result<>>(policy::Remembered)> remember;
        /// Digest of an image; empty when it isn't known now.
        std::function<asio::awaitable<std::string>(std::string reference)> imageDigest;
        std::function<asio::awaitable<
            Background>(std::shared_ptr<const Approval>, std::shared_ptr<const policy::Named>)>
            lookBack;
        /// Durable when it returns.
        std::function<asio::awaitable<Result<>>(audit::Entry)> audit;
        std::function<void()> stoppedChanged;
    };
    /// Told on the way.
    struct Progress {
        std::function<void(const policy::Decision&, const policy::Named&)> decided;
        std::function<void(const policy::Named&)> asking; ///< a person is asked from now on
    };

    Gate(Parts parts, Desk& desk);

    /// Settles `asked`. Errors: StoreFailed when what was decided can't be recorded; then it must
    /// not run. Cancelling withdraws a question.
    asio::awaitable<Result<Ruling>> rule(std::shared_ptr<const Case> asked, Progress progress);

    [[nodiscard]] std::shared_ptr<const policy::Named> policyFor(const execution::Client& client
    ) const
    {
        return m_parts.policyFor(client);
    }

    /// What would be decided of `code` in place of what waits as `id`. Errors: NotFound.
    asio::awaitable<Result<policy::Decision>> tryOut(ExecutionId id, std::string code);

    /// Rejects what follows from this client and denies what waits, until lift().
    asio::awaitable<void> stopSession(execution::Client client);
    asio::awaitable<void> lift(ClientId client);
    [[nodiscard]] const std::vector<execution::Client>& stopped() const { return m_stopped; }

private:
    struct Asked; // a question and what it came from

    asio::awaitable<Result<Ruling>>
    askThePerson(std::shared_ptr<const Case> asked, Ruling ruling, Progress progress);
    asio::awaitable<Result<Ruling>>
    askThroughTheClient(std::shared_ptr<const Case> asked, Ruling ruling);
    asio::awaitable<Result<Ruling>>
    takeAnswer(std::shared_ptr<const Case> asked, Ruling ruling, Approval shown, Answer answer);
    asio::awaitable<Result<>> remember(Approval shown, Ruling ruling, Remember how);
    asio::awaitable<Result<>> recordDecision(std::shared_ptr<const Case> asked, Ruling ruling);
    [[nodiscard]] bool isStopped(const execution::Client& client) const;
    [[nodiscard]] policy::Question questionFor(
        const Case& asked,
        const std::string& codeSha256,
        analysis::Report report,
        std::string digest
    ) const;
    void settleWaiting();

    Parts m_parts;
    Desk& m_desk;
    std::vector<execution::Client> m_stopped;
    struct Waiting {
        std::shared_ptr<const Case> asked;
        policy::Question question;
        std::shared_ptr<const policy::Named> policy;
        policy::Decision decision;
    };
    std::map<ExecutionId, Waiting> m_waiting;
};

/// The text that is put to the client's person: what would run, why it is asked, the code as far as
/// it fits.
[[nodiscard]] std::string elicitationText(const Case& asked, const policy::Decision& decision);

} // namespace belljar::approval
