// SPDX-License-Identifier: GPL-3.0-or-later
// The schema's history and how a database is brought to its end.
//
// Units are in the names. Unsigned 64-bit values are stored by their bits, so one above 2^63 looks
// negative in SQL and comes back right. Text is bytes: SQLite keeps NUL and invalid UTF-8 as they
// are.
#include "engine/store/database.h"

#include <array>
#include <string>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Transaction.h>

namespace belljar::store {

namespace {

constexpr std::array kMigrations{
    // - blobs: content-addressed, so running the same code again costs one row of executions. With
    //   rowids: a WITHOUT ROWID table keeps big rows inside its tree and gets slow to search.
    // - executions: AUTOINCREMENT, so that a deleted run's sequence is never given away again.
    // - samples: one row each, without rowid; measured, in bytes per sample: this 39, with rowid
    // and
    //   index 48, ten packed into a blob 54, each packed 65 (SQLite's integers are as long as their
    //   value).
    Migration{1, R"sql(
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    packing INTEGER NOT NULL,
    content BLOB NOT NULL
);
CREATE TABLE executions (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    language TEXT NOT NULL,
    first_line TEXT NOT NULL,
    client_name TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    execution_ms INTEGER NOT NULL,
    cpu_ms INTEGER NOT NULL,
    queue_ms INTEGER NOT NULL,
    approval_ms INTEGER NOT NULL,
    memory_peak_bytes INTEGER NOT NULL,
    exit_code INTEGER,
    signal INTEGER,
    timed_out INTEGER NOT NULL,
    oom_killed INTEGER NOT NULL,
    output_truncated INTEGER NOT NULL,
    left_processes INTEGER NOT NULL,
    code_sha256 TEXT NOT NULL REFERENCES blobs (sha256),
    code_bytes INTEGER NOT NULL,
    args TEXT NOT NULL,
    client_id TEXT NOT NULL,
    client_title TEXT NOT NULL,
    client_version TEXT NOT NULL,
    client_transport TEXT NOT NULL,
    client_protocol_revision TEXT NOT NULL,
    client_pid INTEGER NOT NULL,
    client_executable TEXT NOT NULL,
    client_connected_at INTEGER NOT NULL,
    limit_timeout_ms INTEGER NOT NULL,
    limit_memory_bytes INTEGER NOT NULL,
    limit_cpu_millis INTEGER NOT NULL,
    limit_pids INTEGER NOT NULL,
    limit_output_bytes INTEGER NOT NULL,
    limit_workspace_bytes INTEGER NOT NULL,
    limit_tmp_bytes INTEGER NOT NULL,
    image TEXT NOT NULL,
    image_digest TEXT NOT NULL,
    container_id TEXT NOT NULL,
    stdout_total_bytes INTEGER NOT NULL,
    stdout_total_lines INTEGER NOT NULL,
    stdout_kept_bytes INTEGER NOT NULL,
    stdout_invalid_bytes INTEGER NOT NULL,
    stderr_total_bytes INTEGER NOT NULL,
    stderr_total_lines INTEGER NOT NULL,
    stderr_kept_bytes INTEGER NOT NULL,
    stderr_invalid_bytes INTEGER NOT NULL,
    notes TEXT NOT NULL,
    error TEXT NOT NULL
);
CREATE INDEX executions_by_status ON executions (status, sequence);
CREATE INDEX executions_by_code ON executions (code_sha256);
CREATE TABLE output (
    id INTEGER PRIMARY KEY,
    execution INTEGER NOT NULL REFERENCES executions (sequence) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    packing INTEGER NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (execution, ordinal)
);
CREATE TABLE samples (
    execution INTEGER NOT NULL REFERENCES executions (sequence) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    cpu_percent REAL,
    memory_bytes INTEGER NOT NULL,
    processes INTEGER NOT NULL,
    read_bytes INTEGER NOT NULL,
    written_bytes INTEGER NOT NULL,
    PRIMARY KEY (execution, ordinal)
) WITHOUT ROWID;
)sql"},
    // - what was decided of an execution, and why;
    // - reports: what analysis found, as JSON, apart from the row that lists read;
    // - audit: audit::Row; nothing ever updates or deletes a row of it;
    // - policy_versions: every text that was ever in force, by name;
    // - remembered: policy::Remembered as JSON; a revoked one stays as a record.
    Migration{2, R"sql(
ALTER TABLE executions ADD COLUMN policy TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN policy_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE executions ADD COLUMN verdict TEXT;
ALTER TABLE executions ADD COLUMN decided_by TEXT NOT NULL DEFAULT 'nobody';
ALTER TABLE executions ADD COLUMN reasons TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN deciding_rule TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN remembered TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN comment TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN ran_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN findings INTEGER NOT NULL DEFAULT 0;
ALTER TABLE executions ADD COLUMN worst_finding TEXT NOT NULL DEFAULT '';
ALTER TABLE executions ADD COLUMN container_read_only_root INTEGER NOT NULL DEFAULT 1;
ALTER TABLE executions ADD COLUMN container_seccomp TEXT NOT NULL DEFAULT 'belljar';
ALTER TABLE executions ADD COLUMN container_runtime TEXT NOT NULL DEFAULT '';
CREATE INDEX executions_by_client ON executions (client_name, sequence);
CREATE TABLE reports (
    execution INTEGER PRIMARY KEY REFERENCES executions (sequence) ON DELETE CASCADE,
    report TEXT NOT NULL
);
CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    type TEXT NOT NULL,
    execution TEXT NOT NULL,
    client TEXT NOT NULL,
    detail TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX audit_by_execution ON audit (execution, sequence);
CREATE TABLE policy_versions (
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    text TEXT NOT NULL,
    author TEXT NOT NULL,
    note TEXT NOT NULL,
    source TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (name, version)
) WITHOUT ROWID;
CREATE TABLE remembered (
    id TEXT PRIMARY KEY,
    decision TEXT NOT NULL,
    hits INTEGER NOT NULL DEFAULT 0,
    last_used_at INTEGER,
    revoked_at INTEGER
);
)sql"},
    Migration{3, R"sql(
CREATE INDEX executions_asked ON executions (sequence) WHERE verdict = 'ask';
)sql"},
    // - executions_facts: every column that lists are filtered, grouped and counted by, so that
    //   those walk a tenth of the bytes of the rows;
    // - marks, tags: a person's own, apart from the row that the engine replaces as a whole;
    // - search: words alone. It has no copy of the text (contentless), so a row is taken out of it
    //   with the text that went in: search_rows says how much of the output that was. A row whose
    //   `chunks` is null waits to be indexed (search_index.cpp).
    Migration{4, R"sql(
CREATE INDEX executions_facts ON executions (
    sequence, status, language, client_name, client_title, client_id, policy, verdict, received_at,
    started_at, execution_ms, memory_peak_bytes, findings, worst_finding, code_sha256
);
CREATE INDEX executions_by_ran ON executions (ran_sha256) WHERE ran_sha256 <> '';
CREATE TABLE marks (
    execution INTEGER PRIMARY KEY REFERENCES executions (sequence) ON DELETE CASCADE,
    pinned INTEGER NOT NULL,
    note TEXT NOT NULL
);
CREATE TABLE tags (
    execution INTEGER NOT NULL REFERENCES executions (sequence) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (execution, tag)
) WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag, execution);
CREATE VIRTUAL TABLE search USING fts5(
    code, output, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2'
);
CREATE TABLE search_rows (
    execution INTEGER PRIMARY KEY REFERENCES executions (sequence) ON DELETE CASCADE,
    chunks INTEGER
);
CREATE INDEX search_waiting ON search_rows (execution) WHERE chunks IS NULL;
INSERT INTO search_rows (execution) SELECT sequence FROM executions;
)sql"},
    // - the steps of an execution that weren't kept before; of older rows they stay unknown;
    // - settings_sha256: a blob, so that runs of the same settings share one.
    Migration{5, R"sql(
ALTER TABLE executions ADD COLUMN analysed_at INTEGER;
ALTER TABLE executions ADD COLUMN decided_at INTEGER;
ALTER TABLE executions ADD COLUMN queued_at INTEGER;
ALTER TABLE executions ADD COLUMN first_output_at INTEGER;
ALTER TABLE executions ADD COLUMN settings_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE samples ADD COLUMN output_bytes INTEGER;
CREATE INDEX executions_by_settings ON executions (settings_sha256) WHERE settings_sha256 <> '';
)sql"},
    // - files: what became of a run's workspace; bytes are blobs, so that lists never pass them;
    //   `name` is any bytes, `sha256` empty where nothing was kept;
    // - file_totals: entries by FileFate with commas between; no row: nothing to say.
    Migration{6, R"sql(
CREATE TABLE files (
    execution INTEGER NOT NULL REFERENCES executions (sequence) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name BLOB NOT NULL,
    fate INTEGER NOT NULL,
    size INTEGER NOT NULL,
    kind TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (execution, ordinal)
) WITHOUT ROWID;
CREATE INDEX files_by_sha256 ON files (sha256) WHERE sha256 <> '';
CREATE TABLE file_totals (
    execution INTEGER PRIMARY KEY REFERENCES executions (sequence) ON DELETE CASCADE,
    counts TEXT NOT NULL,
    whole INTEGER NOT NULL
);
)sql"},
};

int versionOf(SQLite::Database& database)
{
    return database.execAndGet("PRAGMA user_version").getInt();
}

/// False when the step turned out to be done already.
bool applyStep(SQLite::Database& database, const Migration& step)
{
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Looked at again behind the lock: another process may have been quicker.
    if (versionOf(database) >= step.version)
        return false;
    database.exec(step.sql);
    // A PRAGMA takes no bound parameters; the number is ours.
    database.exec("PRAGMA user_version = " + std::to_string(step.version));
    transaction.commit();
    return true;
}

} // namespace

std::span<const Migration> migrations()
{
    return kMigrations;
}

int schemaVersion()
{
    return kMigrations.back().version;
}

Result<> migrate(SQLite::Database& database, std::span<const Migration> steps)
{
    try {
        const int found = versionOf(database);
        const int known = steps.empty() ? 0 : steps.back().version;
        if (found > known)
            return fail(
                Errc::StoreFailed,
                database.getFilename() + " was written by a newer Belljar (schema " +
                    std::to_string(found) + ", this one knows " + std::to_string(known) +
                    "); update Belljar; " + adviceToBeginAnew(database.getFilename())
            );
        for (const Migration& step : steps) {
            if (step.version > found)
                applyStep(database, step);
        }
        return {};
    } catch (const SQLite::Exception& exception) {
        return fail(storeError(database.getFilename(), exception));
    }
}

} // namespace belljar::store
