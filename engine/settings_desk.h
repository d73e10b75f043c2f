// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/audit/entry.h"
#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/paths.h"
#include "engine/base/task_group.h"
#include "engine/events.h"
#include "engine/http_service.h"
#include "engine/store/history_reader.h"
#include "engine/store/store.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belljar {

/// What a person sets about the engine: the file that keeps it, MCP over HTTP as it is set, and how
/// long the history is kept. Lives on the engine thread, as long as what its parts refer to.
class SettingsDesk {
public:
    struct Parts {
        Paths paths;
        HttpOptions commandLine; ///< wins over the file where it is on
        store::Store& store;
        std::function<std::unique_ptr<HttpService>(HttpOptions)> makeHttp;
        std::function<void(std::uint32_t)> setMaxRunning;
        /// Blocking reads of the history, away from the engine thread.
        std::function<asio::awaitable<Result<DataMeasured>>(store::Expiry)> measure;
        std::function<asio::awaitable<Result<std::vector<ExecutionId>>>(store::Expiry)> expired;
        std::function<void(Event)> emit;
        std::function<void(audit::Entry)> audit;
    };

    SettingsDesk(asio::any_io_executor executor, Parts parts);

    /// What the file says, before anything runs: a file that can't be read changes nothing and is
    /// told as SettingsChanged::problem.
    [[nodiscard]] const EngineSettings& settings() const { return m_settings; }
    /// Serves HTTP where it is on, and begins to delete what has expired, now and every hour.
    void start();
    /// For a window that has just come.
    void tell();
    /// Null: MCP over HTTP is off.
    [[nodiscard]] HttpService* http() const { return m_http.get(); }

    asio::awaitable<void> perform(ChangeSettings command);
    asio::awaitable<void> perform(RotateToken command);
    asio::awaitable<void> perform(RevealToken command);
    asio::awaitable<void> perform(MeasureData command);
    asio::awaitable<void> perform(CleanUp command);

    asio::awaitable<void> close();

private:
    void load();
    Result<> keep(const EngineSettings& settings);
    [[nodiscard]] HttpOptions httpOptions() const;
    [[nodiscard]] store::Expiry expiry() const;
    void serveHttp();
    asio::awaitable<void> serveHttpAnew();
    asio::awaitable<void> expireHourly();
    asio::awaitable<Result<>> expire();
    asio::awaitable<void> tellData();
    void answer(std::uint64_t token, const Result<>& outcome);

    asio::any_io_executor m_executor;
    Parts m_parts;
    EngineSettings m_settings;
    std::string m_problem;
    HttpState m_httpState;
    std::unique_ptr<HttpService> m_http;
    bool m_expiring = false;
    TaskGroup m_tasks;
};

} // namespace belljar
