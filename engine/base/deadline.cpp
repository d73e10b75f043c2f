// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/deadline.h"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace belljar {

bool isCancellation(const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& error) {
        return error.code() == asio::error::operation_aborted;
    } catch (...) {
        return false;
    }
}

asio::awaitable<void> sleepUntil(Deadline deadline)
{
    asio::steady_timer timer(co_await asio::this_coro::executor, deadline);
    co_await timer.async_wait(asio::use_awaitable);
}

} // namespace belljar
