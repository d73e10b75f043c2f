// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/deadline.h"

namespace belljar {

asio::awaitable<void> sleepUntil(Deadline deadline)
{
    asio::steady_timer timer(co_await asio::this_coro::executor, deadline);
    co_await timer.async_wait(asio::use_awaitable);
}

} // namespace belljar
