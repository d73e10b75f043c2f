// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/docker/client.h"
#include "engine/execution/execution.h"
#include "engine/sandbox/languages.h"
#include "engine/sandbox/sandbox.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace belljar::sandbox {

/// Warm sandboxes, ready before they are asked for: one for each language and size in use, made
/// anew in the background whenever one is taken. Each is used once.
///
/// Making a container is never interrupted, since one whose creation was cut off has an id that
/// nobody knows: a caller only waits for the shelf to be filled, and what it no longer wants serves
/// the next one. Lives on the engine thread; closed before it dies, since what it makes belongs to
/// it.
class Pool {
public:
    struct Options {
        std::size_t warmPerKind = 1; ///< where no other number was set for the language
        std::size_t maxWarm = 6;     ///< over all kinds; the kind unused for longest gives way
        std::size_t maxCreating = 4; ///< containers being made at once
        std::chrono::seconds forgetAfter{
            600}; ///< a kind nobody has used for so long is no longer kept warm
    };

    /// Gives a ready client or says why there is none.
    using FindClient =
        std::function<asio::awaitable<Result<std::shared_ptr<docker::Client>>>(Deadline)>;

    Pool(
        asio::any_io_executor executor,
        Options options,
        Surroundings surroundings,
        FindClient findClient
    );
    ~Pool();

    /// A sandbox for `language` within `limits` and as `settings` say: a warm one, else a new one.
    /// Errors: EngineUnreachable, ImageMissing (names the command that builds it), Unsafe,
    /// TimedOut, ...
    asio::awaitable<Result<std::unique_ptr<Sandbox>>> take(
        Language language,
        execution::Limits limits,
        execution::Container settings,
        Deadline deadline
    );

    /// A new sandbox, made for the caller alone, whatever is warm. Errors: those of take().
    asio::awaitable<Result<std::unique_ptr<Sandbox>>> make(
        Language language,
        execution::Limits limits,
        execution::Container settings,
        Deadline deadline
    );

    /// Keeps `count` sandboxes of each kind of `languageId` warm from now on; what is too much is
    /// let go of, what is missing is made.
    void setWarm(const std::string& languageId, std::size_t count);
    [[nodiscard]] std::size_t warmWanted(const std::string& languageId) const;
    /// Has sandboxes of this kind made as many as are to be warm, before one is taken, and keeps
    /// them however long nobody takes one. One kind for each language: the last.
    void keepWarm(
        const Language& language,
        const execution::Limits& limits,
        const execution::Container& settings
    );
    /// Removes the warm sandbox in this container and makes another in its place. Is it one?
    bool replace(const std::string& containerId);
    [[nodiscard]] bool isWarm(const std::string& containerId) const;

    /// The digest of the image `reference` as the container engine has it now. Errors:
    /// EngineUnreachable, ImageMissing, TimedOut.
    asio::awaitable<Result<std::string>> imageDigest(std::string reference, Deadline deadline);

    /// Drops what is warm for `languageId` (its image was rebuilt), or everything when it is empty
    /// (Docker has gone).
    void dropWarm(std::string_view languageId);

    [[nodiscard]] std::size_t warmCount() const;

    /// Refuses new work and lets go of every sandbox, those that are being made too; the Reaper
    /// removes them.
    asio::awaitable<void> close(Deadline deadline);

private:
    /// What makes two sandboxes interchangeable.
    struct Kind {
        std::string language;
        std::string image;
        std::uint64_t memoryBytes = 0;
        std::uint32_t cpuMillis = 0;
        std::uint32_t pids = 0;
        std::uint64_t workspaceBytes = 0;
        std::uint64_t tmpBytes = 0;
        bool readOnlyRoot = true;
        execution::Seccomp seccomp = execution::Seccomp::Belljar;
        std::string runtime;
        auto operator<=>(const Kind&) const = default;
    };
    struct Shelf {
        explicit Shelf(const asio::any_io_executor& executor);

        Language language;
        execution::Limits limits;
        execution::Container settings;
        std::deque<std::unique_ptr<Sandbox>> warm;
        std::size_t creating = 0;
        std::size_t waiting = 0;
        std::uint64_t failures = 0; ///< so far; who waits returns when it rises
        Error lastFailure;
        SteadyClock::time_point lastUsed;
        bool kept = false;          ///< stays warm however long nobody takes one
        asio::steady_timer changed; ///< never expires; cancelled when one was made or couldn't be

        [[nodiscard]] bool inUse() const { return creating > 0 || waiting > 0; }
    };

    static Kind kindOf(
        const Language& language,
        const execution::Limits& limits,
        const execution::Container& settings
    );
    Shelf& shelfFor(
        const Kind& kind,
        const Language& language,
        const execution::Limits& limits,
        const execution::Container& settings
    );
    void startCreating(const Kind& kind, Shelf& shelf);
    asio::awaitable<void> create(Kind kind, Shelf& shelf);
    asio::awaitable<Result<bool>> waitForChange(Shelf& shelf);
    asio::awaitable<void> waitForTurn();
    void trim(const std::string& languageId, Shelf& shelf);
    void refill(const std::string& languageId);
    void makeRoomFor(const Kind& kind);
    [[nodiscard]] std::size_t maxWarm() const;

    asio::any_io_executor m_executor;
    Options m_options;
    Surroundings m_surroundings;
    FindClient m_findClient;
    std::map<Kind, Shelf> m_shelves;             ///< one that is in use stays
    std::map<std::string, std::size_t> m_wanted; ///< warm of each kind, by language
    std::size_t m_making = 0;
    asio::steady_timer m_turn; ///< never expires; cancelled when a creation ends
    bool m_closed = false;
    TaskGroup m_tasks;
};

} // namespace belljar::sandbox
