// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/execution/execution.h"
#include "engine/execution/files.h"
#include "engine/store/audit_rows.h"
#include "engine/store/policy_version.h"
#include "engine/store/search_index.h"
#include "engine/store/statements.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/Database.h>

namespace belljar::store {

/// The statements that write the history, over the one writing connection. Belongs to the store
/// thread. The functions that write are called inside transaction(); they throw SQLite::Exception,
/// which transaction() turns into an Error.
class Writer {
public:
    Writer(std::filesystem::path file, std::unique_ptr<SQLite::Database> database);

    enum class End : std::uint8_t {
        Committed,
        RolledBack, ///< the work or the commit failed; nothing of it is there
        NotBegun,   ///< another process holds the write lock; the same may work later
    };
    struct Ended {
        End end = End::Committed;
        Result<> result;
    };
    /// Runs `work` in one transaction and commits it if it succeeds.
    Ended transaction(const std::function<Result<>()>& work);

    /// Errors: InvalidArgument when the code isn't what the record says it is.
    Result<execution::Record> insert(execution::Record record, const std::string& code);
    /// Errors: NotFound.
    Result<> replace(const execution::Record& record);
    /// Errors: NotFound.
    Result<> keep(const ExecutionId& id, const std::vector<execution::OutputChunk>& chunks);
    /// Errors: NotFound.
    Result<> keep(const ExecutionId& id, const std::vector<execution::Sample>& samples);
    /// Keeps the files of an ended run, once. Errors: NotFound; InvalidArgument where a kept one
    /// has no bytes or others than its SHA-256 says.
    Result<> keep(const ExecutionId& id, const execution::RunFiles& files);
    /// Replaces what analysis found. Errors: NotFound.
    Result<> keepReport(const ExecutionId& id, const std::string& report);
    /// Keeps a text that a row names by its SHA-256: code that is run in place of what was
    /// received, settings of a container. Errors: InvalidArgument when it isn't what that says.
    Result<> keepText(const std::string& sha256, const std::string& text);
    /// Adds a text to its policy's versions; returns its number.
    Result<std::int64_t> addPolicyVersion(const PolicyVersion& version);
    /// Keeps a decision under its id; one that is there already is replaced.
    Result<> remember(const RememberedRow& row);
    Result<> countUse(const std::string& id, execution::UnixMs at);
    /// Errors: NotFound.
    Result<> revoke(const std::string& id, execution::UnixMs at);
    /// Replaces what a person attached. Errors: NotFound, InvalidArgument (too long or too many).
    Result<> mark(const ExecutionId& id, const execution::Marks& marks);
    /// Deletes an ended execution with its code (where no other has the same), output, samples,
    /// report and marks; `entry` says so in the audit log, whose other rows stay. Errors: NotFound,
    /// InvalidArgument while it is in flight.
    Result<> erase(const ExecutionId& id, const audit::Entry& entry);
    /// Makes some of what has ended findable by text, in about ten milliseconds. Returns whether
    /// more waits.
    bool indexSome() { return m_search.step(); }
    /// Closes what was unfinished when this writer was made; what came later is alive.
    Result<std::vector<execution::Record>> interruptUnfinished(const std::string& reason);

    /// Checks the end of the audit log, begins a new segment where it is damaged, and writes the
    /// head. Called once, before anything is written. Errors: StoreFailed, IoFailed.
    Result<> openAudit();
    /// Writes one row of the audit log. Errors: StoreFailed.
    Result<> append(const audit::Entry& entry);
    /// Enough rows of the audit log are behind the head to write it at once.
    [[nodiscard]] bool auditHeadIsDue() const { return m_audit.headIsDue(); }
    /// Errors: IoFailed.
    Result<> keepAuditHead() { return m_audit.keepHead(); }
    /// See AuditRows::noteHead().
    void noteAuditHead(std::string_view when) const { m_audit.noteHead(when); }
    /// See AuditRows::takeDamage().
    [[nodiscard]] std::optional<std::string> takeAuditDamage() { return m_audit.takeDamage(); }

    /// Makes what is committed survive a power cut as well.
    Result<> syncToDisk();

private:
    void forgetBlob(const std::string& sha256);
    void keepBlob(const std::string& sha256, const std::string& content);
    Result<std::int64_t> sequenceOf(const ExecutionId& id);
    void rollBack();

    std::filesystem::path m_file;
    std::unique_ptr<SQLite::Database> m_database;
    Statements m_statements;
    AuditRows m_audit;
    SearchIndex m_search;
    std::int64_t m_lastOfEarlierLife;
};

} // namespace belljar::store
