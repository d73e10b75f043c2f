// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/deadline.h"
#include "engine/execution/executions.h"
#include "engine/mcp/offer.h"
#include "engine/policy/policy.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belljar::mcp {

/// What a call that is refused is answered; `message` says why.
[[nodiscard]] ToolResult refusalResult(const std::string& message);

/// What a client needs to know of a language.
struct LanguageInfo {
    std::string id;
    std::string title;
    std::vector<std::string> names; ///< lower case, also accepted for it
    std::string has;                ///< "Python 3 with ..."
};

/// The bounds of what a call may ask for.
struct CallBounds {
    std::chrono::milliseconds maxTimeout{3'600'000}; ///< no policy grants more
    std::size_t maxCodeBytes = 8U * 1024 * 1024;
    std::size_t maxStdinBytes = 4U * 1024 * 1024;
    std::size_t maxArgs = 64;
    std::size_t maxArgBytes = 4096;
    std::size_t defaultOutputBytes = 24'000;
    std::size_t maxOutputBytes = 1'000'000;
    std::chrono::seconds maxWait{45};
};

struct ExecutionToolOptions {
    std::chrono::seconds answerWithin{
        50}; ///< a call is answered by then, whatever state the run is in
    /// Where the call may go on as a task, it does after so long.
    std::chrono::milliseconds taskAfter{1500};
    CallBounds bounds;
    /// The policy in force for who isn't anybody in particular; empty: nothing is said of it.
    std::function<std::shared_ptr<const policy::Named>()> policy;
};

/// execute_code, get_execution and cancel_execution.
class ExecutionTools {
public:
    /// `executions` has to live longer than the tools.
    ExecutionTools(
        execution::Executions& executions,
        std::vector<LanguageInfo> languages,
        ExecutionToolOptions options = {}
    );

    void addTo(Offer& offer);

    /// A call's arguments, checked. Errors: InvalidArgument, naming the argument and what is
    /// allowed. `notes` gets what was changed (a clamp).
    struct ExecuteArguments {
        execution::Request request;
        std::size_t maxOutputBytes = 0;
        std::vector<std::string> notes;
    };
    [[nodiscard]] Result<ExecuteArguments>
    readExecute(const Call& call, const Json& arguments) const;

private:
    /// A run that its caller stopped waiting for; the same call again joins it.
    struct Unfinished {
        ExecutionId id;
        SteadyClock::time_point since;
    };

    /// A question to the person at a client that can't be asked while its call lasts: the answer to
    /// the call, until another call brings what the person said.
    struct Parked {
        std::optional<std::string> question; ///< nothing: there is none now
        std::optional<execution::Elicited> answer;
        asio::steady_timer asked;    ///< never expires; cancelled when there is a question
        asio::steady_timer answered; ///< likewise, when there is an answer

        explicit Parked(const asio::any_io_executor& executor);
    };

    /// What a call of execute_code wants to hear, once its execution is known.
    struct Outcome {
        ExecutionId id;
        std::string key;
        std::size_t maxOutputBytes = 0;
        std::vector<std::string> notes;
        bool joined = false;
    };

    asio::awaitable<ToolReply> execute(std::shared_ptr<Call> call, Json arguments);
    asio::awaitable<ToolReply>
    outcome(std::shared_ptr<Call> call, Outcome wanted, Deadline deadline);
    asio::awaitable<ToolReply> get(std::shared_ptr<Call> call, Json arguments);
    asio::awaitable<ToolReply> cancel(std::shared_ptr<Call> call, Json arguments);

    asio::awaitable<Result<execution::Snapshot>>
    follow(std::shared_ptr<Call> call, ExecutionId id, Deadline deadline);
    execution::Elicit elicitLater(const ExecutionId& id, const asio::any_io_executor& executor);
    static asio::awaitable<execution::Elicited>
    park(std::shared_ptr<Parked> parked, std::string question);
    std::shared_ptr<Parked> findParked(const ExecutionId& id);
    void takeAnswer(const ExecutionId& id, const Json& responses);
    std::optional<ExecutionId> findUnfinished(const std::string& key);
    void forget(const ExecutionId& id);
    [[nodiscard]] const LanguageInfo* findLanguage(const std::string& name) const;
    [[nodiscard]] std::string languageIds() const;
    [[nodiscard]] std::string describeExecute() const;
    [[nodiscard]] Tool executeTool();
    [[nodiscard]] Tool getTool();
    [[nodiscard]] Tool cancelTool();

    execution::Executions& m_executions;
    std::vector<LanguageInfo> m_languages;
    ExecutionToolOptions m_options;
    std::map<std::string, Unfinished>
        m_unfinished; ///< by client, language, code, arguments and input
    std::map<ExecutionId, std::weak_ptr<Parked>> m_parked;
};

} // namespace belljar::mcp
