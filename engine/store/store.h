// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/audit/entry.h"
#include "engine/base/asio.h"
#include "engine/base/result.h"
#include "engine/execution/execution.h"
#include "engine/execution/files.h"
#include "engine/store/policy_version.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belljar::store {

/// The writing half of the history: one SQLite connection on a thread of its own.
///
/// Called on the engine thread. Writes are queued in order and committed in batches; nothing here
/// blocks. An awaited write is durable when it returns: it survives `kill -9` of everything (WAL,
/// synchronous=NORMAL), and 1 s later a power cut too. Cancelling an awaited write ends the wait
/// with an exception, not the write.
///
/// The queue holds 64 MiB: beyond a quarter of it samples are dropped, beyond it output; both are
/// counted and reported through onFailure(). States and awaited writes are never dropped.
///
/// Destroyed before the io_context whose coroutines wait for it.
class Store {
public:
    /// Opens or makes the database (0600) and migrates it forward. Blocking, called before the
    /// engine runs. Errors: Unsafe when its folder isn't private; StoreFailed with path and cause;
    /// a schema newer than this program is refused. The end of the audit log is checked; where it
    /// is damaged, a new segment is begun (auditDamage()).
    static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file);

    /// Writes what is queued, then closes.
    ~Store();

    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// Makes the row of a new execution with its code. Durable when it returns; the record comes
    /// back with its `sequence`. Errors: StoreFailed, InvalidArgument when `code` isn't what
    /// `record.codeSha256` says; then the execution must not run.
    asio::awaitable<Result<execution::Record>>
    received(execution::Record record, std::shared_ptr<const std::string> code);

    /// The same, with `entry` in the audit log: both or none.
    asio::awaitable<Result<execution::Record>>
    received(execution::Record record, std::shared_ptr<const std::string> code, audit::Entry entry);

    /// Replaces the row of `record.id`. Queued.
    void update(execution::Record record);

    /// Replaces the row of `record.id`. Durable when it returns.
    asio::awaitable<Result<>> commit(execution::Record record);

    /// Keeps what analysis found of an execution. Queued.
    void keepReport(ExecutionId id, const analysis::Report& report);
    /// Keeps code that is run in place of what was received. Durable when it returns. Errors:
    /// StoreFailed, InvalidArgument when `code` isn't what `sha256` says.
    asio::awaitable<Result<>>
    keepEdited(std::string sha256, std::shared_ptr<const std::string> code);
    /// Keeps the files of an ended run with their bytes, once. Durable when it returns. Errors:
    /// StoreFailed, NotFound, InvalidArgument when bytes aren't what their SHA-256 says.
    asio::awaitable<Result<>> keepFiles(ExecutionId id, execution::RunFiles files);
    /// Keeps what Docker was asked for; the row that names it follows. Queued.
    void keepSettings(std::string sha256, std::shared_ptr<const std::string> json);

    /// The same, with `entry` in the audit log: both or none.
    asio::awaitable<Result<>> commit(execution::Record record, audit::Entry entry);

    /// Writes a row of the audit log. Queued, in order with all other writes.
    void audit(audit::Entry entry);

    /// Writes a row of the audit log. Durable when it returns. Errors: StoreFailed; then what it
    /// says must not happen.
    asio::awaitable<Result<>> auditDurable(audit::Entry entry);

    /// What open() found wrong with the audit log, or an earlier one did, in words; nothing when
    /// its end is intact. What is found later goes to onFailure(). Whether the whole of it is
    /// intact: audit::LogReader::verify().
    [[nodiscard]] const std::optional<std::string>& auditDamage() const;

    /// Adds a text to its policy's versions, and `entry` to the audit log: both or none. Durable
    /// when it returns the number of the version.
    asio::awaitable<Result<std::int64_t>>
    addPolicyVersion(PolicyVersion version, audit::Entry entry);
    /// Keeps a remembered decision. Durable when it returns.
    asio::awaitable<Result<>> remember(RememberedRow row);
    /// It has answered a question once more. Queued.
    void countUse(std::string id, execution::UnixMs at);
    /// It stands no longer; `entry` says so in the audit log: both or none. Durable when it
    /// returns. Errors: NotFound.
    asio::awaitable<Result<>> revoke(std::string id, execution::UnixMs at, audit::Entry entry);

    /// Keeps output and samples. Queued; written within 100 ms.
    void append(ExecutionId id, std::vector<execution::OutputChunk> chunks);
    void append(ExecutionId id, std::vector<execution::Sample> samples);

    /// Replaces what a person attached to an execution. Durable when it returns. Errors: NotFound,
    /// InvalidArgument (too long or too many), StoreFailed.
    asio::awaitable<Result<>> mark(ExecutionId id, execution::Marks marks);
    /// Deletes an ended execution from the history; `entry` says so in the audit log, whose other
    /// rows stay: both or none. Durable when it returns. Errors: NotFound, InvalidArgument while it
    /// is in flight, StoreFailed.
    asio::awaitable<Result<>> erase(ExecutionId id, audit::Entry entry);

    /// Closes what an earlier life left in flight: status Interrupted, with `reason`. Returns those
    /// records. What was received since open() stays.
    asio::awaitable<Result<std::vector<execution::Record>>> interruptUnfinished(std::string reason);

    /// Called on the store thread when queued writes fail (disk full, ...) or were dropped; once
    /// per batch, and the message says how many. Without it, they are logged.
    void onFailure(std::function<void(Error)> report);

    [[nodiscard]] const std::filesystem::path& file() const;

private:
    class Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::store
