// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/audit/entry.h"
#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "engine/execution/elicitation.h"
#include "engine/execution/execution.h"
#include "engine/execution/files.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belljar::approval {
class Gate;
} // namespace belljar::approval
namespace belljar::store {
class Store;
} // namespace belljar::store
namespace belljar::sandbox {
class Pool;
class Languages;
} // namespace belljar::sandbox

namespace belljar::execution {

/// What a run did so far, as one consistent picture.
struct Snapshot {
    Record record;
    std::vector<OutputChunk> output; ///< what is kept, in the order it came
    RunFiles files;                  ///< of an ended run; bytes only of small pictures
    analysis::Report report;         ///< as it was decided on
    std::string allowedInstead;      ///< for a rejection: what would be allowed
    Deadline answerBy =
        Deadline::max(); ///< while a person is asked: when the call is answered without
    bool paused = false; ///< Queued because the person has paused everything
};

/// Does it wait for nothing but the end of a pause?
[[nodiscard]] inline bool isHeldByPause(const Snapshot& snapshot)
{
    return snapshot.paused && snapshot.record.status == Status::Queued;
}

/// Told what happens to executions; on the engine thread, must not block.
struct Observer {
    std::function<void(const Record&)> changed;
    std::function<void(const ExecutionId&, const std::vector<OutputChunk>&)> output;
    std::function<void(const ExecutionId&, const std::vector<Sample>&)> samples;
    std::function<void(const ExecutionId&, const RunFiles&)> files; ///< without bytes
    std::function<void(audit::Entry)> audit; ///< what happened, beside what the gate records itself
};

/// All executions of this life of the engine: takes requests in, drives each through the pipeline
/// (pipeline.cpp), lets callers wait for them and cancel them.
///
/// Lives on the engine thread. An execution belongs to the client that asked; it goes on when
/// nobody waits.
class Executions {
public:
    struct Options {
        std::uint32_t maxRunning = 8; ///< in a sandbox at once
        std::uint32_t maxWaiting =
            256; ///< received and not yet running, over all clients; more is refused (Busy)
    };

    Executions(
        asio::any_io_executor executor,
        Options options,
        store::Store& store,
        sandbox::Pool& pool,
        const sandbox::Languages& languages,
        approval::Gate& gate,
        Observer observer
    );
    ~Executions();

    /// Records the request durably and starts it. The record is in state Received or later.
    /// `elicit` puts a question to the person through the client. Errors: Busy, StoreFailed, Closed
    /// (the engine is ending).
    asio::awaitable<Result<Record>> submit(Request request, Elicit elicit = {});

    /// Returns when the execution is final, or at `deadline`, whichever is first: the snapshot says
    /// which. An ended execution is looked up in the history. Errors: NotFound, also when `owner`
    /// is not empty and another client asked for it.
    asio::awaitable<Result<Snapshot>> wait(ExecutionId id, ClientId owner, Deadline deadline);

    /// Ends the execution, wherever it is; its status becomes Cancelled with `reason`. One that is
    /// final or unknown stays as it is.
    void cancel(const ExecutionId& id, const std::string& reason);

    /// The client has gone: ends everything that it asked for and that isn't final, unless
    /// the policy that decided on it lets it go on.
    void clientLeft(const ClientId& client, const std::string& reason);

    /// Calls `listener` for every change of and all output of execution `id` until the returned
    /// handle dies.
    using Listener = std::function<void(const Snapshot&)>;
    [[nodiscard]] std::shared_ptr<void> watch(const ExecutionId& id, Listener listener);

    /// How many may be in a sandbox at once from now on; what runs goes on.
    void setMaxRunning(std::uint32_t count);

    /// While paused nothing new enters a sandbox; requests are taken, decided on and asked about as
    /// ever, and wait in state Queued. What runs goes on.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const;

    /// Everything in flight.
    [[nodiscard]] std::vector<Record> active() const;

    /// Refuses new requests, cancels what runs, waits for it.
    asio::awaitable<void> close(Deadline deadline);

private:
    class Impl;
    std::shared_ptr<Impl>
        m_impl; // shared with the coroutines of its own task group until they have ended
};

} // namespace belljar::execution
