// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/audit/entry.h"
#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/docker/client.h"
#include "engine/events.h"
#include "engine/images/recipe.h"
#include "engine/sandbox/choices.h"
#include "engine/sandbox/languages.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace belljar::execution {
class Executions;
} // namespace belljar::execution
namespace belljar::sandbox {
class Pool;
class Reaper;
} // namespace belljar::sandbox

namespace belljar {

/// What a person at the window sees of the sandboxes and their images, and does with them.
///
/// Nothing is measured while nobody looks. Lives on the engine thread, as long as what its parts
/// refer to.
class SandboxDesk {
public:
    /// How a program of a language usually runs.
    struct Usual {
        execution::Limits limits;
        execution::Container settings;
        std::string image; ///< reference; empty: the language's own
    };
    struct Parts {
        sandbox::Languages& languages;
        const std::vector<images::Recipe>& recipes;
        sandbox::Pool& pool;
        sandbox::Reaper& reaper;
        execution::Executions& executions;
        std::filesystem::path choicesFile;
        std::function<asio::awaitable<Result<std::shared_ptr<docker::Client>>>(Deadline)> client;
        std::function<bool()> dockerIsThere;
        std::function<Usual(const std::string& language)> usual; ///< by the policy in force
        std::function<void(Event)> emit;
        std::function<void(audit::Entry)> audit;
    };

    SandboxDesk(const asio::any_io_executor& executor, Parts parts);

    /// Takes up what was chosen in earlier lives. A file that can't be read changes nothing and is
    /// told as SandboxesChanged::problem.
    void takeUp();
    /// Has warm sandboxes made of the languages whose number a person has chosen, as the policy in
    /// force runs them. Nothing while Docker isn't there.
    void keepWarm();
    /// Tells which images there are.
    asio::awaitable<void> tellImages();
    /// Something has changed: tells it soon where somebody looks, however much changes at once.
    void changed();

    asio::awaitable<void> perform(WatchSandboxes command);
    asio::awaitable<void> perform(KillSandbox command);
    asio::awaitable<void> perform(SetPoolSize command);
    asio::awaitable<void> perform(BuildImage command);
    asio::awaitable<void> perform(RemoveImage command);
    asio::awaitable<void> perform(UseImage command);

    asio::awaitable<void> close();

private:
    /// The newest numbers of a container.
    struct Reading {
        std::string name;
        std::optional<std::uint64_t> cpuNanos;
        SteadyClock::time_point at;
        std::optional<double> cpuPercent;
        std::optional<std::uint64_t> memoryBytes;
    };

    asio::awaitable<void> keepTelling();
    asio::awaitable<void> tellSoon();
    asio::awaitable<void> measure(Deadline deadline);
    void take(const std::string& id, const Result<docker::ContainerStats>& stats);
    void tell();
    [[nodiscard]] std::vector<SandboxStatus> sandboxes() const;
    [[nodiscard]] std::vector<PoolStatus> pools(const std::vector<SandboxStatus>& all) const;
    [[nodiscard]] std::uint32_t mostWarm(const std::string& language) const;

    Result<> kill(const std::string& id);
    Result<> setPoolSize(const std::string& language, std::uint32_t size);
    asio::awaitable<Result<>> build(std::string language);
    asio::awaitable<Result<>> remove(std::string language);
    asio::awaitable<Result<>> use(std::string language, std::string reference);
    asio::awaitable<Result<std::string>> tryImage(sandbox::Language language);
    asio::awaitable<Result<ChosenImage>>
    describeChosen(std::shared_ptr<docker::Client> client, std::string reference);
    Result<> keep(sandbox::Choices choices);
    void audit(
        audit::Type type,
        const std::string& language,
        const std::string& reference,
        const std::string& digest
    );
    void answer(std::uint64_t token, const Result<>& outcome);
    [[nodiscard]] const images::Recipe* recipeOf(const std::string& language) const;

    Parts m_parts;
    sandbox::Choices m_choices;
    std::string m_problem;
    std::set<std::string> m_building;             ///< languages
    std::set<std::string> m_trying;               ///< likewise
    std::map<std::string, std::string> m_shipped; ///< language -> reference of our own image
    bool m_watched = false;
    bool m_telling = false;     ///< keepTelling() runs
    bool m_tellingSoon = false; ///< tellSoon() runs
    std::map<std::string, Reading> m_readings;
    TaskGroup m_tasks;
};

} // namespace belljar
