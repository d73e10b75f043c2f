// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/base/result.h"
#include "engine/execution/execution.h"
#include "engine/execution/files.h"
#include "engine/store/policy_version.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belljar::store {

/// Which executions a page holds: the `limit` newest with a sequence below `before`.
struct PageQuery {
    std::optional<std::int64_t> before; ///< nothing: from the newest
    std::uint32_t limit = 100;
    std::optional<execution::Status> status; ///< nothing: of every status
    std::optional<std::string> clientName;   ///< nothing: of every client
    bool asked = false;                      ///< only those that the policy left to a person
    std::optional<execution::UnixMs> since;  ///< only those received then or later
};

/// What of the history is to go.
struct Expiry {
    execution::UnixMs before = 0; ///< received earlier; 0: however old
    std::uint64_t mostBytes = 0;  ///< in use by executions; 0: however much
};

/// How large the history is.
struct HistorySize {
    std::uint64_t executions = 0;
    std::uint64_t fileBytes = 0; ///< of the database's files
    std::uint64_t usedBytes = 0; ///< in use by executions: without free pages and the audit log
};

/// The history, read only, over a connection of its own. One object per thread; blocking calls (a
/// page of 100 rows takes about a millisecond), so the window reads on a worker thread.
class HistoryReader {
public:
    /// Opens the database; somebody may be writing it. Errors: NotFound before the engine has ever
    /// run, StoreFailed (path and cause, or another schema than this program's).
    static Result<HistoryReader> open(const std::filesystem::path& file);

    HistoryReader(HistoryReader&&) noexcept;
    HistoryReader& operator=(HistoryReader&&) noexcept;
    ~HistoryReader();

    /// Newest first.
    Result<std::vector<execution::Record>> page(const PageQuery& query);
    /// Errors: NotFound.
    Result<execution::Record> record(const ExecutionId& id);
    /// The code as it was received, byte for byte. Errors: NotFound; StoreFailed when it isn't what
    /// its SHA-256 says.
    Result<std::string> code(const ExecutionId& id);
    /// The code that ran: the same unless it was edited before. Errors as code().
    Result<std::string> ranCode(const ExecutionId& id);
    /// The body that asked Docker for the container it ran in, JSON; empty where it never got one,
    /// or one of a time when that wasn't kept. Errors as code().
    Result<std::string> containerSettings(const ExecutionId& id);
    /// What a person attached to it. Errors: NotFound.
    Result<execution::Marks> marks(const ExecutionId& id);
    /// The files that it left, without their bytes. Errors: NotFound.
    Result<execution::RunFiles> files(const ExecutionId& id);
    /// The bytes of one of them, by its place in the list. Errors: NotFound, also where nothing was
    /// kept; StoreFailed when they aren't what their SHA-256 says.
    Result<std::string> fileBytes(const ExecutionId& id, std::size_t place);
    /// What analysis found, as it was decided on; nothing for an execution that never came so far.
    /// Errors: NotFound.
    Result<std::optional<analysis::Report>> report(const ExecutionId& id);
    /// How often this code was received, by anybody.
    Result<std::uint64_t> countOfCode(const std::string& sha256);
    /// What was kept of the output, in the order it came. Errors: NotFound.
    Result<std::vector<execution::OutputChunk>> output(const ExecutionId& id);
    /// In the order they were taken. Errors: NotFound.
    Result<std::vector<execution::Sample>> samples(const ExecutionId& id);
    Result<std::uint64_t> count();
    Result<HistorySize> size();
    /// The oldest of what is to go, at most `limit`; never what is pinned or hasn't ended. Of what
    /// is too large only as many as bring it about to its bound.
    Result<std::vector<ExecutionId>> expired(const Expiry& expiry, std::uint32_t limit);
    /// Every text of this policy that was in force, newest first.
    Result<std::vector<PolicyVersion>> policyVersions(const std::string& name);
    /// The newest of every name.
    Result<std::vector<PolicyVersion>> latestPolicyVersions();
    /// The remembered decisions that were not revoked, newest first.
    Result<std::vector<RememberedRow>> remembered();

private:
    class Impl;
    explicit HistoryReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::store
