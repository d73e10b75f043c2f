// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/docker/client.h"
#include "engine/execution/execution.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace belljar::sandbox {

/// What is known of a container from its making to its removal.
struct Resident {
    std::string language; ///< id
    std::string image;    ///< reference
    std::string imageDigest;
    execution::Limits limits;
    execution::UnixMs madeAt = 0;
    bool ending = false; ///< handed over, and not removed yet
};

/// Removes containers. Lives as long as the engine and is the one owner of every container's end: a
/// Sandbox hands its id over when it dies, and what an earlier life or a lost reply left behind is
/// found by its label.
class Reaper {
public:
    /// `owner` is the label value of this engine.
    Reaper(asio::any_io_executor executor, std::string owner);

    /// Remembers a container that lives; removeOrphans() leaves it alone.
    void adopt(const std::string& containerId, Resident resident);

    /// Every container of this engine that is there, by its id.
    [[nodiscard]] const std::map<std::string, Resident>& residents() const { return m_alive; }

    /// Removes the container in the background, by force and under a deadline of its own.
    void reap(std::shared_ptr<docker::Client> client, std::string containerId);

    /// Removes containers of dead engines of this user, and those of this engine that nobody here
    /// knows and that are older than a minute (their creation was interrupted). Returns how many.
    asio::awaitable<Result<std::size_t>>
    removeOrphans(std::shared_ptr<docker::Client> client, Deadline deadline);

    /// Waits until everything handed over is removed, at most until `deadline`.
    asio::awaitable<void> settle(Deadline deadline);

private:
    asio::awaitable<void> remove(std::shared_ptr<docker::Client> client, std::string containerId);
    [[nodiscard]] bool isOrphan(const docker::ContainerSummary& container) const;

    std::string m_owner;
    std::map<std::string, Resident> m_alive;
    TaskGroup m_tasks;
};

} // namespace belljar::sandbox
