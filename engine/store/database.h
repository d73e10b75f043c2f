// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

/// The database file: how it is opened and which schema it has.
namespace belljar::store {

/// One step of the schema's history. Step n brings version n - 1 to version n. A step is never
/// changed once it was released, only followed by another.
struct Migration {
    int version;
    const char* sql;
};

/// Every step, in order.
[[nodiscard]] std::span<const Migration> migrations();

/// The version that this program reads and writes: the last step's.
[[nodiscard]] int schemaVersion();

/// Brings `database` forward to the last of `steps`, each step with its version in one transaction.
/// Errors: StoreFailed when the database is newer than `steps` or a step fails (then the steps
/// before it stay).
Result<> migrate(SQLite::Database& database, std::span<const Migration> steps);

/// Opens for writing: checks the folder, makes the file (0600, and so -wal and -shm) if there is
/// none, migrates forward.
/// Errors: Unsafe (folder), StoreFailed (path and cause; not a history; newer than this program).
Result<std::unique_ptr<SQLite::Database>> openForWriting(const std::filesystem::path& file);

/// Opens read-only, also while another process writes.
/// Errors: NotFound (no history yet), StoreFailed.
Result<std::unique_ptr<SQLite::Database>> openForReading(const std::filesystem::path& file);

/// What a person does to begin a new history: which files have to go together. A head file that
/// stays behind would rightly say that rows are gone.
[[nodiscard]] std::string adviceToBeginAnew(const std::filesystem::path& file);

/// What SQLite said, as our Error that names the file.
[[nodiscard]] Error
storeError(const std::filesystem::path& file, const SQLite::Exception& exception);

} // namespace belljar::store
