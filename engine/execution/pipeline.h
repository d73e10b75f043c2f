// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/approval/gate.h"
#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/text.h"
#include "engine/execution/executions.h"
#include "engine/execution/slots.h"
#include "engine/sandbox/pool.h"
#include "engine/store/store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belljar::execution {

/// One execution on its way. Owned by Executions and by the coroutine that drives it.
struct Entry {
    Entry(const asio::any_io_executor& executor, Request asked, Elicit throughClient);
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

    Request request;
    Elicit elicit;
    Snapshot snapshot;
    Record& record = snapshot.record;
    Utf8Decoder stdoutText; ///< only to count what isn't text
    Utf8Decoder stderrText;

    bool recorded = false;            ///< the row is durable
    std::optional<Error> recordError; ///< or why it could not be made
    bool ended = false;               ///< final, and the row that says so is durable
    bool cancelRequested = false;
    std::string cancelReason;
    bool engineEnds = false;
    std::shared_ptr<const std::string> code; ///< that may run, once that is settled
    bool endsWithClient = true;              ///< ends when its client disconnects
    std::uint32_t maxConcurrent = 1;         ///< of its client, by the policy that decided
    std::string approvedDigest;              ///< of the image that was shown; empty: any
    bool imageMoved = false;                 ///< the image isn't the one that was shown any more
    sandbox::Sandbox* sandbox = nullptr;     ///< while the program runs in it
    asio::steady_timer cancelled;            ///< expires when a cancel is requested
    asio::steady_timer changed;              ///< never expires; cancelled to wake who waits
    std::vector<std::weak_ptr<Executions::Listener>> listeners;
};

/// Drives executions from received to answered: DESIGN.md section 5.
class Pipeline {
public:
    Pipeline(
        asio::any_io_executor executor,
        std::uint32_t maxRunning,
        store::Store& store,
        sandbox::Pool& pool,
        const sandbox::Languages& languages,
        approval::Gate& gate,
        Observer observer
    );

    /// The whole story of one run; ends when the record is final and durable. Never fails: what
    /// goes wrong is the record's status and error.
    asio::awaitable<void> drive(std::shared_ptr<Entry> entry);

    /// The engine ends: what waits for a person is rejected, what runs is cancelled.
    void interrupt(Entry& entry);
    /// Asks `entry` to end. drive() makes it final.
    void cancel(Entry& entry, const std::string& reason);

    /// While paused nothing enters a sandbox: what is allowed waits in state Queued.
    void setMaxRunning(std::uint32_t count) { m_slots.setCount(count); }
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_slots.isPaused(); }
    /// Tells those who wait for `entry` whether it is held by a pause.
    void tellPause(Entry& entry);

private:
    asio::awaitable<bool> record(Entry& entry);
    asio::awaitable<bool> mayRun(std::shared_ptr<Entry> entry, sandbox::Language& language);
    asio::awaitable<Result<>> adopt(Entry& entry, approval::Ruling ruling);
    approval::Gate::Progress progressFor(Entry& entry);
    asio::awaitable<Result<sandbox::Exit>>
    runInSandbox(Entry& entry, const sandbox::Language& language);
    asio::awaitable<Result<std::unique_ptr<sandbox::Sandbox>>>
    takeSandbox(Entry& entry, const sandbox::Language& language);
    asio::awaitable<void> finish(Entry& entry);

    sandbox::RunSink sinkFor(Entry& entry);
    asio::awaitable<void> keepFiles(Entry& entry, RunFiles files);
    void conclude(Entry& entry, const Result<sandbox::Exit>& exit);
    void audit(audit::Entry entry);
    void setStatus(Entry& entry, Status status);
    void publish(Entry& entry);

    store::Store& m_store;
    sandbox::Pool& m_pool;
    const sandbox::Languages& m_languages;
    approval::Gate& m_gate;
    Observer m_observer;
    Slots m_slots;
};

} // namespace belljar::execution
