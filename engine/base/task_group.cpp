// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/task_group.h"

#include "engine/base/log.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <list>
#include <utility>

namespace belljar {

namespace {

struct Task {
    std::string name;
    asio::cancellation_signal signal;
};

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

std::string describe(const std::exception_ptr& thrown)
{
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "unknown exception";
    }
}

} // namespace

struct TaskGroup::State {
    State(asio::any_io_executor groupExecutor, std::string groupName)
        : executor(std::move(groupExecutor))
        , name(std::move(groupName))
        , idle(executor, asio::steady_timer::time_point::max())
    {}

    asio::any_io_executor executor;
    std::string name;
    asio::steady_timer idle; ///< never expires; cancelled when the last task ends
    std::list<Task> tasks;
    bool closed = false;
};

TaskGroup::TaskGroup(asio::any_io_executor executor, std::string name)
    : m_state(std::make_shared<State>(std::move(executor), std::move(name)))
{}

TaskGroup::~TaskGroup()
{
    m_state->closed = true;
}

void TaskGroup::spawn(std::string name, asio::awaitable<void> task)
{
    if (m_state->closed)
        return;
    const auto entry = m_state->tasks.emplace(m_state->tasks.end());
    entry->name = std::move(name);
    auto ended = [state = m_state, entry](const std::exception_ptr& thrown) {
        if (thrown && !isCancellation(thrown))
            log::engine().error(
                "task={}/{} ended_by=\"{}\"", state->name, entry->name, log::safe(describe(thrown))
            );
        state->tasks.erase(entry);
        if (state->tasks.empty())
            state->idle.cancel();
    };
    asio::co_spawn(
        m_state->executor,
        std::move(task),
        asio::bind_cancellation_slot(entry->signal.slot(), std::move(ended))
    );
}

void TaskGroup::close()
{
    m_state->closed = true;
}

void TaskGroup::cancel()
{
    const auto state = m_state;
    for (auto task = state->tasks.begin(); task != state->tasks.end();) {
        // The task may end on the spot and remove itself, so step past it first.
        const auto current = task++;
        current->signal.emit(asio::cancellation_type::terminal);
    }
}

asio::awaitable<void> TaskGroup::join()
{
    const auto state = m_state;
    while (!state->tasks.empty()) {
        boost::system::error_code cancelled;
        co_await state->idle.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

std::size_t TaskGroup::size() const
{
    return m_state->tasks.size();
}

} // namespace belljar
