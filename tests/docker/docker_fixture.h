// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/docker/client.h"
#include "tests/support/run_to_end.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <unistd.h>

#pragma push_macro("emit") // Qt's, which has no place in a name of Asio's
#undef emit

namespace belljar::test {

/// The value of `result`; throws with the error's message when there is none.
template <class T>
T take(Result<T> result)
{
    if (!result)
        throw std::runtime_error("unexpected error: " + result.error().message());
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

/// An operation that runs beside the test.
template <class T>
class Beside {
public:
    Beside(asio::io_context& context, asio::awaitable<T> operation)
        : m_context(context)
        , m_state(std::make_shared<State>())
    {
        asio::co_spawn(
            context,
            std::move(operation),
            asio::bind_cancellation_slot(
                m_state->signal.slot(),
                [state = m_state](std::exception_ptr thrown, T result) {
                    state->ended = true;
                    state->thrown = thrown;
                    if (!thrown)
                        state->value.emplace(std::move(result));
                }
            )
        );
    }

    /// Asks it to end.
    void cancel()
    {
        asio::dispatch(m_context, [state = m_state] {
            state->signal.emit(asio::cancellation_type::terminal);
        });
    }

    /// Runs the context until it has ended; false when it takes longer than `longest`.
    bool ends(std::chrono::milliseconds longest = kLongestWait)
    {
        m_context.restart();
        const Deadline deadline = deadlineIn(longest);
        while (!m_state->ended && SteadyClock::now() < deadline)
            m_context.run_one_until(deadline);
        return m_state->ended;
    }

    /// Did it unwind by an exception?
    [[nodiscard]] bool threw() const { return m_state->thrown != nullptr; }

    T value()
    {
        if (!ends())
            throw std::runtime_error("the operation did not end in time");
        if (m_state->thrown)
            std::rethrow_exception(m_state->thrown);
        return std::move(*m_state->value);
    }

private:
    struct State {
        asio::cancellation_signal signal;
        bool ended = false;
        std::exception_ptr thrown;
        std::optional<T> value;
    };
    asio::io_context& m_context;
    std::shared_ptr<State> m_state;
};

/// How many descriptors this process has open.
inline std::size_t openDescriptors()
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        ++count;
    return count;
}

} // namespace belljar::test

#pragma pop_macro("emit")
