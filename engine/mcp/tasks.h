// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/task_group.h"
#include "engine/execution/execution.h"
#include "engine/mcp/rounds.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace belljar::mcp {

enum class TaskStatus : std::uint8_t { Working, InputRequired, Completed, Failed, Cancelled };

/// "input_required".
[[nodiscard]] std::string_view nameOf(TaskStatus status);
[[nodiscard]] bool isTerminal(TaskStatus status);

/// A call of a tool that goes on after it was answered.
struct TaskState {
    std::string id; ///< whoever knows it may read the task
    TaskStatus status = TaskStatus::Working;
    std::string statusMessage;
    execution::UnixMs createdAt = 0;
    execution::UnixMs updatedAt = 0;
    std::chrono::milliseconds timeToLive{0}; ///< from its creation; readable at least so long
    std::chrono::milliseconds pollInterval{0};
    Json requests = Json::object(); ///< not answered yet, by key
    Json result;                    ///< of tools/call, once Completed
    std::optional<RpcError> error;  ///< once Failed
};

/// All tasks of a server. Lives on the engine thread.
class Tasks {
public:
    static constexpr std::chrono::milliseconds kTimeToLive = std::chrono::hours(1);
    static constexpr std::size_t kMostTasks = 1000;

    /// `changed` is called with the id after every change.
    Tasks(asio::any_io_executor executor, std::function<void(const std::string& id)> changed);
    ~Tasks();

    /// Begins a task that `by` asked for: `work` is called with a call of the task's own, again and
    /// again while it asks. A call without Call::ask has its questions put by answer(). Null: there
    /// are kMostTasks already.
    const TaskState* begin(
        const Call& by,
        Handler work,
        Reply (*failure)(std::string why),
        std::string statusMessage,
        std::chrono::milliseconds timeToLive = kTimeToLive
    );

    /// Null: there is none, or its time is over. Good until the next call.
    [[nodiscard]] const TaskState* find(const std::string& id);

    /// Takes the answers to requests that it still waits for; others are ignored.
    void answer(const std::string& id, const Json& responses);
    /// Ends it as Cancelled. One that has ended stays as it is.
    void cancel(const std::string& id);
    /// Returns when the task has ended or doesn't exist.
    asio::awaitable<void> ended(std::string id);

    /// Cancels all and waits for them.
    asio::awaitable<void> close();

private:
    struct Running;

    asio::awaitable<void>
    work(std::shared_ptr<Running> task, Handler handler, Reply (*failure)(std::string why));
    asio::awaitable<std::optional<Json>> ask(std::shared_ptr<Running> task, Json requests);
    void touch(Running& task);
    void prune();

    asio::any_io_executor m_executor;
    std::function<void(const std::string&)> m_changed;
    std::map<std::string, std::shared_ptr<Running>> m_tasks;
    TaskGroup m_group;
};

} // namespace belljar::mcp
