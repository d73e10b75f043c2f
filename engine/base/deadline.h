// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/result.h"

#include <boost/asio/experimental/parallel_group.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace belljar {

using SteadyClock = std::chrono::steady_clock;

/// The point in time by which an operation has to be done. Made once where a request comes in,
/// handed down.
using Deadline = SteadyClock::time_point;

/// The deadline that lies `span` from now.
[[nodiscard]] inline Deadline deadlineIn(SteadyClock::duration span)
{
    return SteadyClock::now() + span;
}

/// What is left until `deadline`, never negative.
[[nodiscard]] inline std::chrono::milliseconds remaining(Deadline deadline)
{
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    return left.count() > 0 ? left : std::chrono::milliseconds(0);
}

/// Is `thrown` the exception that unwinds a cancelled coroutine?
[[nodiscard]] bool isCancellation(const std::exception_ptr& thrown);

/// Waits until `deadline`. Cancelling ends the wait with an exception.
asio::awaitable<void> sleepUntil(Deadline deadline);

/// Runs `operation` and cancels it when `deadline` passes: then the result is Errc::TimedOut.
///
/// The operation has ended when this returns, whoever won. An exception of the operation is
/// rethrown at once; cancelling from outside cancels the operation. `T` has to be
/// default-constructible.
template <class T>
asio::awaitable<Result<T>> finishBy(Deadline deadline, asio::awaitable<Result<T>> operation)
{
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, deadline);
    auto race = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(operation), asio::deferred),
        timer.async_wait(asio::deferred)
    );
    auto [order, thrown, value, timerError] =
        co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    // The timer is first also when somebody cancels us: then it ends with an error, and what the
    // operation made of the cancellation counts.
    const bool timedOut = order[0] == 1 && !timerError;
    if (thrown && !(timedOut && isCancellation(thrown)))
        std::rethrow_exception(thrown);
    if (timedOut)
        co_return fail(Errc::TimedOut, "the deadline passed");
    co_return std::move(value);
}

/// Runs `operation` and cancels it when a wait on `signal` would end, however it does: then there
/// is no result. The operation has ended when this returns. `T` has to be default-constructible.
template <class T>
asio::awaitable<std::optional<T>>
unlessSignalled(asio::steady_timer& signal, asio::awaitable<T> operation)
{
    const auto executor = co_await asio::this_coro::executor;
    auto race = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(operation), asio::deferred),
        signal.async_wait(asio::deferred)
    );
    auto [order, thrown, value, signalled] =
        co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    const bool first = order[0] == 1;
    if (thrown && !(first && isCancellation(thrown)))
        std::rethrow_exception(thrown);
    if (first)
        co_return std::nullopt;
    co_return std::move(value);
}

} // namespace belljar
