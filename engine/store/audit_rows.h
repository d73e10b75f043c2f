// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/audit/entry.h"
#include "engine/audit/head.h"
#include "engine/audit/verifier.h"
#include "engine/base/result.h"
#include "engine/store/statements.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <SQLiteCpp/Database.h>

/// The table of the audit log: how its rows are read, checked and written.
namespace belljar::store {

/// The columns that readAuditRow() reads, in its order.
[[nodiscard]] const std::string& auditColumns();

[[nodiscard]] audit::Row readAuditRow(SQLite::Statement& row);

/// Checks the end of the log: its last 100 rows (not before the newest ChainBroken row, which says
/// itself what was found), its first row and the one that the head names. A few milliseconds.
/// Throws SQLite::Exception.
[[nodiscard]] audit::Verification
verifyAuditEnd(SQLite::Database& database, const std::filesystem::path& historyFile);

/// What the newest ChainBroken row says, if one is among the last rows or the head file knows of
/// one. Throws SQLite::Exception.
[[nodiscard]] std::optional<audit::Break>
recordedAuditBreak(SQLite::Database& database, const std::filesystem::path& historyFile);

/// Writes the log. Belongs to the store thread; throws SQLite::Exception.
///
/// Where the chain ends is known in memory and looked up again once in each transaction: a log that
/// was changed while Belljar runs gets a ChainBroken row first, and goes on behind it.
class AuditRows {
public:
    AuditRows(SQLite::Database& database, Statements& statements, std::filesystem::path file);

    /// Checks the end of the log and, where it is damaged, begins a new segment. Inside a
    /// transaction.
    Result<> checkEnd();

    /// Errors: StoreFailed. Inside a transaction.
    Result<> append(const audit::Entry& entry);

    /// The transaction that append() was called in has ended.
    void committed();
    void rolledBack();

    /// Enough rows were committed since the head was last written.
    [[nodiscard]] bool headIsDue() const;
    /// Writes the head file where it isn't up to date. What it names must be on the disk by then,
    /// so that a power cut can't leave a head that is ahead of the log. Errors: IoFailed.
    Result<> keepHead();

    /// Writes the end of the chain into Belljar's own log, one more place that tells.
    void noteHead(std::string_view when) const;

    /// What is wrong with the log, in words; nothing while nothing was found since it was opened.
    /// Taken: the next call says nothing until more is found.
    [[nodiscard]] std::optional<std::string> takeDamage();

private:
    /// Where the log ends. The first row is looked up when it is needed.
    struct End {
        std::int64_t sequence = 0;
        std::string hash;
        std::string first;
        std::int64_t segment = 0;
        std::optional<std::string> damage;
    };

    [[nodiscard]] End readEnd();
    Result<> lookAgain();
    Result<> beginSegment(std::int64_t sequence, std::string kind, std::string meaning);
    Result<> insert(const audit::Entry& entry);

    SQLite::Database& m_database;
    Statements& m_statements;
    const std::filesystem::path m_file;
    const std::filesystem::path m_headFile;
    End m_end;                        ///< with the rows of the open transaction
    End m_durable;                    ///< without them
    bool m_looked = false;            ///< in this transaction
    std::int64_t m_keptSequence = -1; ///< what the head file says; -1: not known to be ours
    std::optional<std::string> m_damage;
};

} // namespace belljar::store
