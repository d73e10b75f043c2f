// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/task_group.h"

#include "engine/base/deadline.h"
#include "engine/base/log.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <list>
#include <utility>
#include <vector>

namespace belljar {

namespace {

struct Task {
    std::string name;
    asio::cancellation_signal signal;
    bool ended = false;
};

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

// Nothing in it belongs to an io_context, so a group may outlive the one it ran on.
struct TaskGroup::State {
    asio::any_io_executor executor;
    std::string name;
    std::list<std::shared_ptr<Task>> tasks;
    std::list<asio::steady_timer*> joining; ///< never expire; cancelled when the last task ends
    bool closed = false;
};

TaskGroup::TaskGroup(asio::any_io_executor executor, std::string name)
    : m_state(std::make_shared<State>())
{
    m_state->executor = std::move(executor);
    m_state->name = std::move(name);
}

TaskGroup::~TaskGroup()
{
    m_state->closed = true;
}

void TaskGroup::spawn(std::string name, asio::awaitable<void> task)
{
    if (m_state->closed)
        return;
    const auto started = std::make_shared<Task>();
    started->name = std::move(name);
    const auto place = m_state->tasks.insert(m_state->tasks.end(), started);
    auto ended = [state = m_state, place](const std::exception_ptr& thrown) {
        const std::shared_ptr<Task> endedTask = *place;
        if (thrown && !isCancellation(thrown))
            log::engine().error(
                "task={}/{} ended_by=\"{}\"",
                state->name,
                endedTask->name,
                log::safe(describe(thrown))
            );
        endedTask->ended = true;
        state->tasks.erase(place);
        if (!state->tasks.empty())
            return;
        for (asio::steady_timer* timer : state->joining)
            timer->cancel();
    };
    asio::co_spawn(
        m_state->executor,
        std::move(task),
        asio::bind_cancellation_slot(started->signal.slot(), std::move(ended))
    );
}

void TaskGroup::close()
{
    m_state->closed = true;
}

void TaskGroup::cancel()
{
    // A copy that holds on to them: a task may end on the spot, and take others with it.
    std::vector<std::shared_ptr<Task>> tasks(m_state->tasks.begin(), m_state->tasks.end());
    // Inside of the context: called from outside of it, co_spawn would post a pointer to the
    // signal, and the task could have ended with it by then.
    asio::dispatch(m_state->executor, [tasks = std::move(tasks)] {
        for (const std::shared_ptr<Task>& task : tasks) {
            if (!task->ended)
                task->signal.emit(asio::cancellation_type::terminal);
        }
    });
}

asio::awaitable<void> TaskGroup::join()
{
    const auto state = m_state;
    asio::steady_timer idle(state->executor, asio::steady_timer::time_point::max());
    const auto place = state->joining.insert(state->joining.end(), &idle);
    const auto leave = [&](void*) { state->joining.erase(place); };
    const std::unique_ptr<void, decltype(leave)> leaving(&idle, leave);
    while (!state->tasks.empty()) {
        boost::system::error_code cancelled;
        co_await idle.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    }
}

std::size_t TaskGroup::size() const
{
    return m_state->tasks.size();
}

} // namespace belljar
