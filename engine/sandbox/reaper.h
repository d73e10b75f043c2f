// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/docker/client.h"

#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>

namespace belljar::sandbox {

/// Removes containers. Lives as long as the engine and is the one owner of every container's end: a
/// Sandbox hands its id over when it dies, and what an earlier life or a lost reply left behind is
/// found by its label.
class Reaper {
public:
    /// `owner` is the label value of this engine.
    Reaper(asio::any_io_executor executor, std::string owner);

    /// Remembers a container that lives; removeOrphans() leaves it alone.
    void adopt(const std::string& containerId);

    /// Removes the container in the background, by force and under a deadline of its own.
    void reap(std::shared_ptr<docker::Client> client, std::string containerId);

    /// Removes containers of dead engines of this user, and those of this engine that nobody here
    /// knows and that are older than a minute (their creation was interrupted). Returns how many.
    asio::awaitable<Result<std::size_t>>
    removeOrphans(std::shared_ptr<docker::Client> client, Deadline deadline);

    /// Waits until everything handed over is removed, at most until `deadline`.
    asio::awaitable<void> close(Deadline deadline);

private:
    asio::awaitable<void> remove(std::shared_ptr<docker::Client> client, std::string containerId);
    [[nodiscard]] bool isOrphan(const docker::ContainerSummary& container) const;

    std::string m_owner;
    std::unordered_set<std::string> m_alive;
    TaskGroup m_tasks;
};

} // namespace belljar::sandbox
