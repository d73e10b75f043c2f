// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/reaper.h"

#include "engine/base/log.h"
#include "engine/sandbox/sandbox.h"

#include <utility>

namespace belljar::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr auto kRemoveDeadline = 10s;
constexpr std::int64_t kUnknownAfterSeconds = 60;

asio::awaitable<Result<>> joinAll(TaskGroup& tasks)
{
    co_await tasks.join();
    co_return Result<>();
}

} // namespace

Reaper::Reaper(asio::any_io_executor executor, std::string owner)
    : m_owner(std::move(owner))
    , m_tasks(std::move(executor), "reaper")
{}

void Reaper::adopt(const std::string& containerId, Resident resident)
{
    m_alive.insert_or_assign(containerId, std::move(resident));
}

void Reaper::reap(std::shared_ptr<docker::Client> client, std::string containerId)
{
    if (const auto resident = m_alive.find(containerId); resident != m_alive.end())
        resident->second.ending = true;
    std::string name = "remove " + containerId;
    m_tasks.spawn(std::move(name), remove(std::move(client), std::move(containerId)));
}

asio::awaitable<void>
Reaper::remove(std::shared_ptr<docker::Client> client, std::string containerId)
{
    auto removed = co_await client->remove(containerId, deadlineIn(kRemoveDeadline));
    m_alive.erase(containerId);
    if (!removed)
        log::sandbox().warn(
            "container={} not_removed=\"{}\"",
            log::safe(containerId),
            log::safe(removed.error().message())
        );
}

bool Reaper::isOrphan(const docker::ContainerSummary& container) const
{
    const auto owner = container.labels.find(kOwnerLabel);
    if (owner == container.labels.end())
        return false;
    if (owner->second != m_owner)
        return isDeadOwner(owner->second);
    const std::int64_t age = execution::unixNow() / 1000 - container.createdUnix;
    return age > kUnknownAfterSeconds && !m_alive.contains(container.id);
}

asio::awaitable<Result<std::size_t>>
Reaper::removeOrphans(std::shared_ptr<docker::Client> client, Deadline deadline)
{
    auto containers = co_await client->containersWithLabel(kOwnerLabel, deadline);
    if (!containers)
        co_return fail(containers.error());
    std::size_t removed = 0;
    for (const docker::ContainerSummary& container : *containers) {
        if (!isOrphan(container))
            continue;
        auto gone = co_await client->remove(container.id, deadline);
        if (!gone)
            co_return fail(gone.error());
        ++removed;
    }
    co_return removed;
}

asio::awaitable<void> Reaper::settle(Deadline deadline)
{
    auto joined = co_await finishBy(deadline, joinAll(m_tasks));
    if (!joined)
        log::sandbox().warn("containers_left={} reason=\"the deadline passed\"", m_tasks.size());
}

} // namespace belljar::sandbox
