// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace belljar::test {

/// The longest any single wait of a test may take.
inline constexpr std::chrono::seconds kLongestWait{60};

/// Runs `operation` on `context` to its end and returns its value; rethrows what leaves it. Throws
/// when it has not ended after `longest`.
template <class T>
T runToEnd(
    asio::io_context& context,
    asio::awaitable<T> operation,
    std::chrono::seconds longest = kLongestWait
)
{
    std::exception_ptr thrown;
    std::optional<T> value;
    asio::co_spawn(context, std::move(operation), [&](std::exception_ptr error, T result) {
        thrown = error;
        if (!error)
            value.emplace(std::move(result));
        context.stop();
    });
    context.restart();
    context.run_for(longest);
    if (thrown)
        std::rethrow_exception(thrown);
    if (!value)
        throw std::runtime_error("the operation did not end in time");
    return std::move(*value);
}

} // namespace belljar::test
