// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database.h"

#include "engine/base/file.h"
#include "engine/base/log.h"

#include <cerrno>
#include <string>
#include <system_error>

#include <SQLiteCpp/Column.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

namespace belljar::store {

namespace {

namespace fs = std::filesystem;

constexpr int kApplicationId = 0x424C4A52; // "BLJR" in the file's header
/// How long another process' write (a backup, the sqlite3 shell) may keep ours waiting.
constexpr int kWriterPatienceMs = 5000;
constexpr int kReaderPatienceMs = 2000;

/// A private file before SQLite sees it: -wal and -shm get the mode of the file they belong to,
/// whatever the umask.
Result<> makePrivateFile(const fs::path& file)
{
    const fs::path folder = fs::absolute(file).parent_path();
    if (auto made = makePrivateFolder(folder); !made)
        return made;
    const UniqueFd fd(
        ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)
    );
    struct stat info {};
    if (!fd.valid() || ::fstat(fd.get(), &info) != 0)
        return fail(Errc::StoreFailed, file.string() + ": " + describeErrno(errno));
    if (!S_ISREG(info.st_mode))
        return fail(Errc::StoreFailed, file.string() + " is not a regular file; move it away");
    if ((info.st_mode & 0777U) != 0600 && ::fchmod(fd.get(), 0600) != 0)
        return fail(Errc::StoreFailed, file.string() + ": " + describeErrno(errno));
    // What an earlier life with a laxer mode left behind. Usually they aren't there.
    for (const char* beside : {"-wal", "-shm"})
        static_cast<void>(::chmod((file.string() + beside).c_str(), 0600));
    return {};
}

/// A database of another program must not get our tables.
Result<> checkOwner(SQLite::Database& database)
{
    const int owner = database.execAndGet("PRAGMA application_id").getInt();
    if (owner == kApplicationId)
        return {};
    const int tables = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt();
    if (owner != 0 || tables != 0)
        return fail(
            Errc::StoreFailed,
            database.getFilename() + " is a database of another program; " +
                adviceToBeginAnew(database.getFilename())
        );
    database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    return {};
}

void harden(SQLite::Database& database)
{
    // A damaged or prepared file can't run functions of ours or be written behind SQLite's back.
    ::sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    ::sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    database.exec("PRAGMA cell_size_check = ON");
}

void configureWriter(SQLite::Database& database)
{
    const std::string mode = database.execAndGet("PRAGMA journal_mode = WAL").getString();
    if (mode != "wal")
        log::store().warn(
            "file={} journal_mode={} instead_of=wal", log::safe(database.getFilename()), mode
        );
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA foreign_keys = ON");
    database.exec("PRAGMA temp_store = MEMORY"); // no pieces of code in /tmp
    database.exec("PRAGMA journal_size_limit = 16777216");
}

} // namespace

std::string adviceToBeginAnew(const fs::path& file)
{
    return "to begin a new history, move " + file.filename().string() + "* and audit.head in " +
           fs::absolute(file).parent_path().string() + " away together, and keep them";
}

Error storeError(const fs::path& file, const SQLite::Exception& exception)
{
    std::string message = file.string() + ": " + exception.what();
    const int code = exception.getErrorCode();
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        message += "; the history is damaged; " + adviceToBeginAnew(file);
    if (code == SQLITE_FULL)
        message += "; make room on that disk";
    return Error(Errc::StoreFailed, std::move(message));
}

Result<std::unique_ptr<SQLite::Database>> openForWriting(const fs::path& file)
{
    if (auto made = makePrivateFile(file); !made)
        return fail(made.error());
    try {
        auto database = std::make_unique<SQLite::Database>(
            file.string(), SQLite::OPEN_READWRITE, kWriterPatienceMs
        );
        harden(*database);
        if (auto ours = checkOwner(*database); !ours)
            return fail(ours.error());
        configureWriter(*database);
        if (auto migrated = migrate(*database, migrations()); !migrated)
            return fail(migrated.error());
        return database;
    } catch (const SQLite::Exception& exception) {
        return fail(storeError(file, exception));
    }
}

Result<std::unique_ptr<SQLite::Database>> openForReading(const fs::path& file)
{
    std::error_code failed;
    if (!fs::exists(file, failed))
        return fail(Errc::NotFound, "there is no history yet at " + file.string());
    try {
        auto database = std::make_unique<SQLite::Database>(
            file.string(), SQLite::OPEN_READONLY, kReaderPatienceMs
        );
        harden(*database);
        database->exec("PRAGMA query_only = ON");
        const int version = database->execAndGet("PRAGMA user_version").getInt();
        if (version == 0 &&
            database->execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0)
            return fail(Errc::NotFound, "there is no history yet in " + file.string());
        if (version != schemaVersion())
            return fail(
                Errc::StoreFailed,
                file.string() + " has schema " + std::to_string(version) + ", this Belljar reads " +
                    std::to_string(schemaVersion()) +
                    (version < schemaVersion() ? "; start Belljar once to bring it forward"
                                               : "; update Belljar")
            );
        return database;
    } catch (const SQLite::Exception& exception) {
        return fail(storeError(file, exception));
    }
}

} // namespace belljar::store
