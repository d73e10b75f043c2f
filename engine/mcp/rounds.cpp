// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/rounds.h"

#include <utility>

namespace belljar::mcp {

namespace {

constexpr int kMostRounds = 8; // SPEC.md section 4.3

} // namespace

asio::awaitable<Reply>
inRounds(std::shared_ptr<Call> call, Handler handler, Reply (*failure)(std::string why))
{
    for (int round = 0; round < kMostRounds; ++round) {
        Reply reply = co_await handler(call);
        auto* const question = std::get_if<InputRequired>(&reply);
        if (!question || !call->ask)
            co_return reply;
        const Json missing = undeclaredFor(*call, question->requests);
        if (!missing.is_null())
            co_return failure(
                "This needs an answer that the client can't give: it has not declared " +
                missing.dump() + "."
            );
        std::optional<Json> answers = co_await call->ask(question->requests);
        if (!answers)
            co_return failure("The question to the client was not answered.");
        call->responses = std::move(*answers);
        call->state = std::move(question->state);
    }
    co_return RpcError{kInternalError, "the handler asked too often and never ended", {}};
}

} // namespace belljar::mcp
