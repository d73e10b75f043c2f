// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/result.h"
#include "engine/execution/execution.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belljar::store {

/// The writing half of the history: one SQLite connection on a thread of its own.
///
/// Called on the engine thread. Writes are queued in order and committed in batches; nothing here
/// blocks. An awaited write is durable when it returns: it survives `kill -9` of everything (WAL,
/// synchronous=NORMAL).
class Store {
public:
    /// Opens or makes the database (0600) and migrates it forward. Blocking, called before the
    /// engine runs. Errors: StoreFailed with path and cause; a schema newer than this program is
    /// refused.
    static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file);

    /// Writes what is queued, then closes.
    ~Store();

    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Makes the row of a new execution with its code. Durable when it returns; the record comes
    /// back with its `sequence`. Errors: StoreFailed; then the execution must not run.
    asio::awaitable<Result<execution::Record>>
    received(execution::Record record, std::shared_ptr<const std::string> code);

    /// Replaces the row of `record.id`. Queued.
    void update(execution::Record record);

    /// Replaces the row of `record.id`. Durable when it returns.
    asio::awaitable<Result<>> commit(execution::Record record);

    /// Keeps output and samples. Queued; written within 100 ms.
    void append(ExecutionId id, std::vector<execution::OutputChunk> chunks);
    void append(ExecutionId id, std::vector<execution::Sample> samples);

    /// Closes what an earlier life left in flight: status Interrupted, with `reason`. Returns those
    /// records.
    asio::awaitable<Result<std::vector<execution::Record>>> interruptUnfinished(std::string reason);

    /// Called on the store thread when a queued write fails (disk full, ...). Set before the first
    /// write.
    void onFailure(std::function<void(Error)> report);

    [[nodiscard]] const std::filesystem::path& file() const;

private:
    class Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::store
