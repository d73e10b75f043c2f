// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"

#include <cstddef>
#include <memory>
#include <string>

namespace belljar {

/// The owner of coroutines that run beside each other. Nothing in the engine is spawned without
/// one.
///
/// Lives on one thread. Closing is: close() refuses new work, cancel() asks every task to unwind,
/// `co_await join()` waits for the last one. A group that dies with tasks inside (the io_context
/// was stopped) lets go of them: they no longer report.
class TaskGroup {
public:
    TaskGroup(asio::any_io_executor executor, std::string name);
    ~TaskGroup();

    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;

    /// Starts `task`. An exception that leaves it is logged with both names; cancellation is not
    /// reported. After close() the task is dropped without having run.
    void spawn(std::string name, asio::awaitable<void> task);

    /// Refuses new tasks from now on.
    void close();

    /// Asks every task to unwind (cancellation_type::terminal).
    void cancel();

    /// Returns when no task is left.
    asio::awaitable<void> join();

    [[nodiscard]] std::size_t size() const;

private:
    struct State;
    std::shared_ptr<State>
        m_state; // shared with the completion handlers, which may outlive the group
};

} // namespace belljar
