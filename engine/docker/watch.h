// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/docker/client.h"
#include "engine/events.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace belljar::docker {

/// Knows whether a container engine is there: finds one, notices when it goes (its stream of events
/// ends or stalls) and when it comes back. Lives on the engine thread.
class Watch {
public:
    using OnChange = std::function<void(const DockerStatus&)>;
    using OnContainer = std::function<void(const EngineEvent&)>;

    /// `configured` is a unix:// address or empty. `onChange` is called for every change of the
    /// status, `onContainer` for what happens to containers of Belljar ("oom", "die", "destroy").
    Watch(
        asio::any_io_executor executor,
        std::string configured,
        OnChange onChange,
        OnContainer onContainer = {}
    );
    ~Watch();

    /// Begins to look.
    void start();
    /// Looks now instead of at the next attempt; nothing while an engine is there.
    void retryNow();

    [[nodiscard]] const DockerStatus& status() const { return m_status; }

    /// The client of the engine that is there. Waits while the first look goes on; errors:
    /// EngineUnreachable with what to do when there is none, TimedOut.
    asio::awaitable<Result<std::shared_ptr<Client>>> client(Deadline deadline);

    asio::awaitable<void> close();

private:
    asio::awaitable<void> look();
    asio::awaitable<Result<std::shared_ptr<Client>>> find();
    asio::awaitable<Error> untilGone(std::shared_ptr<Client> client);
    asio::awaitable<Result<>> listen(std::shared_ptr<Client> client);
    asio::awaitable<void> pause(std::chrono::milliseconds span);
    void settle(DockerStatus status);

    asio::any_io_executor m_executor;
    std::string m_configured;
    OnChange m_onChange;
    OnContainer m_onContainer;
    DockerStatus m_status;
    std::shared_ptr<Client> m_client;
    asio::steady_timer m_retry;   ///< the pause between two attempts; cancelled by retryNow()
    asio::steady_timer m_settled; ///< never expires; cancelled on every change
    TaskGroup m_tasks;
};

} // namespace belljar::docker
