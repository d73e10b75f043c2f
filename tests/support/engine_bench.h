// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"
#include "tests/support/run_to_end.h"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <unistd.h>

namespace belljar::test {

/// A whole engine over an empty folder, and what it tells.
class EngineBench {
public:
    /// `dockerHost`: where the container engine is; empty: found by itself.
    explicit EngineBench(std::string dockerHost)
        : m_dockerHost(std::move(dockerHost))
    {
        std::string name = std::filesystem::temp_directory_path() / "belljar-test-XXXXXX";
        if (!::mkdtemp(name.data()))
            throw std::runtime_error("no folder for the test");
        m_folder = name;
        start();
    }
    ~EngineBench()
    {
        stop();
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    EngineBench(const EngineBench&) = delete;
    EngineBench& operator=(const EngineBench&) = delete;

    void restart()
    {
        stop();
        start();
    }
    void submit(Command command) { m_engine->submit(std::move(command)); }

    /// Waits for the first event of its kind that `fits`, of those not taken yet; it and all
    /// before it are taken. Throws when none comes.
    template <class T>
    T told(const std::function<bool(const T&)>& fits = [](const T&) { return true; })
    {
        std::unique_lock lock(m_mutex);
        T found;
        const auto there = [&] {
            for (std::size_t at = 0; at < m_events.size(); ++at) {
                const auto* one = std::get_if<T>(&m_events[at]);
                if (!one || !fits(*one))
                    continue;
                found = *one;
                m_events.erase(
                    m_events.begin(), m_events.begin() + static_cast<std::ptrdiff_t>(at) + 1
                );
                return true;
            }
            return false;
        };
        if (!m_changed.wait_for(lock, kLongestWait, there))
            throw std::runtime_error(std::string("the engine never said ") + typeid(T).name());
        return found;
    }
    /// Forgets what was told so far.
    void forget()
    {
        const std::lock_guard lock(m_mutex);
        m_events.clear();
    }
    /// How many events of this kind are told and not taken.
    template <class T>
    std::ptrdiff_t count()
    {
        const std::lock_guard lock(m_mutex);
        return std::count_if(m_events.begin(), m_events.end(), [](const Event& event) {
            return std::holds_alternative<T>(event);
        });
    }
    /// The details of all audit rows of this type, in their order.
    std::vector<std::string> audited(const std::string& type) const
    {
        SQLite::Database database((m_folder / "history.db").string());
        SQLite::Statement select(database, "SELECT detail FROM audit WHERE type = ?");
        select.bind(1, type);
        std::vector<std::string> details;
        while (select.executeStep())
            details.push_back(select.getColumn(0).getString());
        return details;
    }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    void start()
    {
        EngineOptions options;
        options.paths = {
            m_folder / "config",
            m_folder,
            m_folder / "state",
            m_folder / "runtime",
            m_folder / "home",
        };
        options.dockerHost = m_dockerHost;
        m_ready = false;
        m_events.clear();
        m_engine = std::make_unique<Engine>(options, [this](Event event) {
            const std::lock_guard lock(m_mutex);
            m_events.push_back(std::move(event));
            m_changed.notify_all();
        });
        m_serving = std::thread([this] {
            static_cast<void>(m_engine->run([this] {
                const std::lock_guard lock(m_mutex);
                m_ready = true;
                m_changed.notify_all();
            }));
        });
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait_for(lock, kLongestWait, [this] { return m_ready; }))
            throw std::runtime_error("the engine is not ready");
    }
    void stop()
    {
        m_engine->stop();
        m_serving.join();
    }

    std::filesystem::path m_folder;
    std::string m_dockerHost;
    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_changed;
    std::vector<Event> m_events;
    bool m_ready = false;
    std::unique_ptr<Engine> m_engine;
    std::thread m_serving;
};

} // namespace belljar::test
