// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"

#include <cstdint>
#include <functional>
#include <string>

namespace belljar::execution {

/// How the client's own person answered a question that was put through the client (MCP
/// elicitation).
struct Elicited {
    enum class Action : std::uint8_t {
        Accept,
        Decline,
        Cancel, ///< closed without an answer
        Failed, ///< the client answered with an error, or has gone
    };
    Action action = Action::Failed;
    std::string comment;
};

/// Puts a question to the person through the client; empty where the client can't. Cancelling it
/// withdraws the question.
using Elicit = std::function<asio::awaitable<Elicited>(std::string message)>;

} // namespace belljar::execution
