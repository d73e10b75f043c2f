// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/mcp/call.h"

#include <functional>
#include <memory>
#include <string>

namespace belljar::mcp {

using Handler = std::function<asio::awaitable<Reply>(std::shared_ptr<Call> call)>;

/// Calls `handler` until its reply is no question any more, putting each to the client by
/// Call::ask. Where the call has none, the question is the reply. `failure` makes the reply of a
/// question that the client can't or doesn't answer.
asio::awaitable<Reply>
inRounds(std::shared_ptr<Call> call, Handler handler, Reply (*failure)(std::string why));

} // namespace belljar::mcp
