// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/tasks.h"

#include "engine/base/ids.h"
#include "engine/base/log.h"

#include <boost/asio/redirect_error.hpp>

#include <array>
#include <utility>
#include <vector>

namespace belljar::mcp {

namespace {

using namespace std::chrono_literals;

constexpr auto kPollInterval = 1000ms;
constexpr std::size_t kIdBytes = 24;

struct StatusRow {
    std::string_view name;
    bool terminal;
};
constexpr std::array<StatusRow, 5> kStatus{{
    {"working", false},
    {"input_required", false},
    {"completed", true},
    {"failed", true},
    {"cancelled", true},
}};

} // namespace

std::string_view nameOf(TaskStatus status)
{
    return kStatus.at(static_cast<std::size_t>(status)).name;
}

bool isTerminal(TaskStatus status)
{
    return kStatus.at(static_cast<std::size_t>(status)).terminal;
}

struct Tasks::Running {
    TaskState state;
    std::shared_ptr<Call> call;
    std::map<std::string, Json> answers; ///< that have come, by key
    std::uint64_t nextKey = 1;
    asio::steady_timer changed; ///< never expires; cancelled by every change

    explicit Running(const asio::any_io_executor& executor)
        : changed(executor, asio::steady_timer::time_point::max())
    {}
};

Tasks::Tasks(asio::any_io_executor executor, std::function<void(const std::string& id)> changed)
    : m_executor(executor)
    , m_changed(std::move(changed))
    , m_group(std::move(executor), "mcp tasks")
{}

Tasks::~Tasks() = default;

void Tasks::touch(Running& task)
{
    task.state.updatedAt = execution::unixNow();
    task.changed.cancel();
    m_changed(task.state.id);
}

void Tasks::prune()
{
    const execution::UnixMs now = execution::unixNow();
    std::erase_if(m_tasks, [now](const auto& entry) {
        const TaskState& state = entry.second->state;
        return isTerminal(state.status) && now > state.createdAt + state.timeToLive.count();
    });
}

const TaskState* Tasks::begin(
    const Call& by,
    Handler work,
    Reply (*failure)(std::string why),
    std::string statusMessage,
    std::chrono::milliseconds timeToLive
)
{
    prune();
    if (m_tasks.size() >= kMostTasks)
        return nullptr;
    auto task = std::make_shared<Running>(m_executor);
    task->state.id = "task_" + randomHex(kIdBytes);
    task->state.statusMessage = std::move(statusMessage);
    task->state.createdAt = execution::unixNow();
    task->state.updatedAt = task->state.createdAt;
    task->state.timeToLive = timeToLive;
    task->state.pollInterval = kPollInterval;

    auto call = std::make_shared<Call>();
    call->revision = by.revision;
    call->client = by.client;
    call->bridge = by.bridge;
    call->params = by.params;
    call->capabilities = by.capabilities;
    call->responses = by.responses;
    call->state = by.state;
    call->ask = by.ask;
    call->elicit = by.elicit;
    call->mayLast = true;
    if (!call->ask) {
        call->ask = [this, weak = std::weak_ptr(task)](Json requests
                    ) -> asio::awaitable<std::optional<Json>> {
            if (const auto known = weak.lock())
                co_return co_await ask(known, std::move(requests));
            co_return std::nullopt;
        };
    }
    task->call = std::move(call);
    m_tasks.emplace(task->state.id, task);
    m_group.spawn("task", this->work(task, std::move(work), failure));
    return &task->state;
}

asio::awaitable<void>
Tasks::work(std::shared_ptr<Running> task, Handler handler, Reply (*failure)(std::string why))
{
    Reply reply;
    try {
        reply = co_await inRounds(task->call, std::move(handler), failure);
    } catch (const std::exception& bug) {
        log::mcp().error("task={} failed=\"{}\"", task->state.id, log::safe(bug.what()));
        reply = RpcError{kInternalError, "Belljar failed; its log says how", {}};
    }
    if (isTerminal(task->state.status))
        co_return; // cancelled meanwhile
    if (auto* const result = std::get_if<Json>(&reply)) {
        task->state.status = TaskStatus::Completed;
        task->state.result = std::move(*result);
    } else {
        auto* const error = std::get_if<RpcError>(&reply);
        task->state.status = TaskStatus::Failed;
        task->state.error =
            error ? std::move(*error) : RpcError{kInternalError, "it never stopped asking", {}};
    }
    task->state.requests = Json::object();
    task->state.statusMessage.clear();
    touch(*task);
}

asio::awaitable<std::optional<Json>> Tasks::ask(std::shared_ptr<Running> task, Json requests)
{
    // Keys are never used again within a task (SPEC.md section 3.1); the handler knows its own.
    std::map<std::string, std::string> asked;
    for (const auto& [key, request] : requests.items()) {
        const std::string unique =
            task->nextKey == 1 ? key : key + "_" + std::to_string(task->nextKey);
        asked.emplace(unique, key);
        task->state.requests[unique] = request;
    }
    ++task->nextKey;
    task->state.status = TaskStatus::InputRequired;
    touch(*task);
    Json answers = Json::object();
    while (!isTerminal(task->state.status)) {
        for (const auto& [unique, key] : asked) {
            if (const auto come = task->answers.extract(unique); !come.empty())
                answers[key] = come.mapped();
        }
        if (answers.size() == asked.size())
            co_return answers;
        boost::system::error_code woken;
        co_await task->changed.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) {
            for (const auto& [unique, key] : asked)
                task->state.requests.erase(unique);
            if (task->state.requests.empty() && !isTerminal(task->state.status))
                task->state.status = TaskStatus::Working;
            touch(*task);
            co_return std::nullopt;
        }
    }
    co_return std::nullopt;
}

const TaskState* Tasks::find(const std::string& id)
{
    prune();
    const auto found = m_tasks.find(id);
    return found == m_tasks.end() ? nullptr : &found->second->state;
}

void Tasks::answer(const std::string& id, const Json& responses)
{
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end() || !responses.is_object())
        return;
    Running& task = *found->second;
    for (const auto& [key, response] : responses.items()) {
        if (task.state.requests.erase(key) > 0)
            task.answers[key] = response;
    }
    if (task.state.status == TaskStatus::InputRequired && task.state.requests.empty())
        task.state.status = TaskStatus::Working;
    touch(task);
}

void Tasks::cancel(const std::string& id)
{
    const auto found = m_tasks.find(id);
    if (found == m_tasks.end() || isTerminal(found->second->state.status))
        return;
    const std::shared_ptr<Running> task = found->second;
    task->state.status = TaskStatus::Cancelled;
    task->state.requests = Json::object();
    if (task->call)
        task->call->cancel();
    touch(*task);
}

asio::awaitable<void> Tasks::ended(std::string id)
{
    for (;;) {
        const auto found = m_tasks.find(id);
        if (found == m_tasks.end() || isTerminal(found->second->state.status))
            co_return;
        const std::shared_ptr<Running> task = found->second;
        boost::system::error_code woken;
        co_await task->changed.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

asio::awaitable<void> Tasks::close()
{
    m_group.close();
    std::vector<std::string> ids;
    for (const auto& [id, task] : m_tasks)
        ids.push_back(id);
    for (const std::string& id : ids)
        cancel(id);
    m_group.cancel();
    co_await m_group.join();
}

} // namespace belljar::mcp
