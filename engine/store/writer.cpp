// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/writer.h"

#include "engine/base/file.h"
#include "engine/base/sha256.h"
#include "engine/store/database.h"
#include "engine/store/packing.h"
#include "engine/store/row.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include <SQLiteCpp/Column.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

namespace belljar::store {

namespace {

using execution::OutputChunk;
using execution::Record;
using execution::Sample;
using execution::Status;

void bindPacked(SQLite::Statement& statement, int at, const Packed& packed)
{
    // SQLite's own limit is lower (1 billion), and it says so itself.
    const std::size_t size = packed.bytes().size();
    if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw SQLite::Exception("content too large", SQLITE_TOOBIG);
    statement.bind(at, static_cast<std::int32_t>(packed.packing()));
    statement.bindNoCopy(at + 1, packed.bytes().data(), static_cast<int>(size));
}

std::int64_t bits(std::uint64_t value)
{
    return static_cast<std::int64_t>(value);
}

Result<> checkMarks(const execution::Marks& marks)
{
    using execution::Marks;
    if (marks.note.size() > Marks::kMaxNoteBytes)
        return fail(
            Errc::InvalidArgument,
            "note: at most " + std::to_string(Marks::kMaxNoteBytes) + " bytes"
        );
    const bool fits = std::all_of(marks.tags.begin(), marks.tags.end(), [](const std::string& tag) {
        return !tag.empty() && tag.size() <= Marks::kMaxTagBytes;
    });
    if (!fits || marks.tags.size() > Marks::kMaxTags)
        return fail(
            Errc::InvalidArgument,
            "tags: at most " + std::to_string(Marks::kMaxTags) + " of 1 to " +
                std::to_string(Marks::kMaxTagBytes) + " bytes"
        );
    return {};
}

} // namespace

Writer::Writer(std::filesystem::path file, std::unique_ptr<SQLite::Database> database)
    : m_file(std::move(file))
    , m_database(std::move(database))
    , m_statements(*m_database)
    , m_audit(*m_database, m_statements, m_file)
    , m_search(m_statements)
    , m_lastOfEarlierLife(
          m_database->execAndGet("SELECT coalesce(max(sequence), 0) FROM executions").getInt64()
      )
{}

Writer::Ended Writer::transaction(const std::function<Result<>()>& work)
{
    bool begun = false;
    Result<> result;
    try {
        m_statements.prepared("BEGIN IMMEDIATE")->exec();
        begun = true;
        result = work();
        if (result) {
            m_statements.prepared("COMMIT")->exec();
            m_audit.committed();
            return {End::Committed, {}};
        }
    } catch (const SQLite::Exception& exception) {
        result = fail(storeError(m_file, exception));
    } catch (const std::exception& exception) { // memory
        result = fail(Errc::StoreFailed, m_file.string() + ": " + exception.what());
    }
    rollBack();
    m_audit.rolledBack();
    return {begun ? End::RolledBack : End::NotBegun, std::move(result)};
}

void Writer::rollBack()
{
    // A full disk may have made SQLite roll back already; then there is nothing left to do.
    if (::sqlite3_get_autocommit(m_database->getHandle()) == 0)
        static_cast<void>(m_database->tryExec("ROLLBACK"));
}

Result<Record> Writer::insert(Record record, const std::string& code)
{
    if (sha256Hex(code) != record.codeSha256)
        return fail(
            Errc::InvalidArgument,
            record.id.text() + ": the code and its SHA-256 don't belong together"
        );
    keepBlob(record.codeSha256, code);
    static const std::string sql =
        "INSERT INTO executions (" + recordColumns() + ") VALUES (" + recordPlaceholders() + ")";
    auto insertion = m_statements.prepared(sql);
    bindRecord(*insertion, record);
    insertion->exec();
    record.sequence = m_database->getLastInsertRowid();
    return record;
}

void Writer::keepBlob(const std::string& sha256, const std::string& content)
{
    auto known = m_statements.prepared("SELECT 1 FROM blobs WHERE sha256 = ?");
    known->bind(1, sha256);
    if (known->executeStep())
        return;
    const Packed packed(content);
    auto insertion = m_statements.prepared(
        "INSERT INTO blobs (sha256, bytes, packing, content) VALUES (?, ?, ?, ?)"
    );
    insertion->bind(1, sha256);
    insertion->bind(2, bits(content.size()));
    bindPacked(*insertion, 3, packed);
    insertion->exec();
}

Result<> Writer::replace(const Record& record)
{
    static const std::string sql = "UPDATE executions SET " + recordAssignments() + " WHERE id = ?";
    auto update = m_statements.prepared(sql);
    const int next = bindRecord(*update, record);
    update->bind(next, record.id.text());
    if (update->exec() != 1)
        return fail(Errc::NotFound, "the history has no execution " + record.id.text());
    if (execution::isFinal(record.status))
        m_search.add(*sequenceOf(record.id));
    return {};
}

Result<std::int64_t> Writer::sequenceOf(const ExecutionId& id)
{
    auto select = m_statements.prepared("SELECT sequence FROM executions WHERE id = ?");
    select->bind(1, id.text());
    if (!select->executeStep())
        return fail(Errc::NotFound, "the history has no execution " + id.text());
    return select->getColumn(0).getInt64();
}

Result<> Writer::keep(const ExecutionId& id, const std::vector<OutputChunk>& chunks)
{
    const auto sequence = sequenceOf(id);
    if (!sequence)
        return fail(sequence.error());
    for (const OutputChunk& chunk : chunks) {
        const Packed packed(chunk.bytes);
        auto insertion = m_statements.prepared(
            "INSERT INTO output (execution, ordinal, stream, offset, bytes, packing, content) "
            "VALUES "
            "(?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM output WHERE execution = ?1), "
            "?2, ?3, ?4, ?5, ?6)"
        );
        insertion->bind(1, *sequence);
        insertion->bind(2, static_cast<std::int32_t>(chunk.stream));
        insertion->bind(3, bits(chunk.offset));
        insertion->bind(4, bits(chunk.bytes.size()));
        bindPacked(*insertion, 5, packed);
        insertion->exec();
    }
    return {};
}

Result<> Writer::keep(const ExecutionId& id, const std::vector<Sample>& samples)
{
    const auto sequence = sequenceOf(id);
    if (!sequence)
        return fail(sequence.error());
    for (const Sample& sample : samples) {
        auto insertion = m_statements.prepared(
            "INSERT INTO samples (execution, ordinal, at_ms, cpu_percent, memory_bytes, processes, "
            "read_bytes, written_bytes, output_bytes) VALUES "
            "(?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM samples WHERE execution = ?1), "
            "?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        );
        insertion->bind(1, *sequence);
        insertion->bind(2, static_cast<std::int64_t>(sample.at.count()));
        if (std::isnan(sample.cpuPercent)) // SQLite has no NaN
            insertion->bind(3);
        else
            insertion->bind(3, sample.cpuPercent);
        insertion->bind(4, bits(sample.memoryBytes));
        insertion->bind(5, sample.processes);
        insertion->bind(6, bits(sample.readBytes));
        insertion->bind(7, bits(sample.writtenBytes));
        if (sample.outputBytes)
            insertion->bind(8, bits(*sample.outputBytes));
        else
            insertion->bind(8);
        insertion->exec();
    }
    return {};
}

Result<> Writer::keep(const ExecutionId& id, const execution::RunFiles& files)
{
    const auto sequence = sequenceOf(id);
    if (!sequence)
        return fail(sequence.error());
    std::string counts;
    for (const std::uint64_t count : files.counts)
        counts += (counts.empty() ? "" : ",") + std::to_string(count);
    auto totals =
        m_statements.prepared("INSERT INTO file_totals (execution, counts, whole) VALUES (?, ?, ?)"
        );
    totals->bind(1, *sequence);
    totals->bind(2, counts);
    totals->bind(3, files.whole ? 1 : 0);
    totals->exec();
    std::int64_t ordinal = 0;
    for (const execution::RunFile& file : files.files) {
        if (file.fate == execution::FileFate::Kept) {
            if (!file.bytes || sha256Hex(*file.bytes) != file.sha256)
                return fail(Errc::InvalidArgument, "a file and its SHA-256 don't belong together");
            keepBlob(file.sha256, *file.bytes);
        }
        auto insertion = m_statements.prepared(
            "INSERT INTO files (execution, ordinal, name, fate, size, kind, sha256) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)"
        );
        insertion->bind(1, *sequence);
        insertion->bind(2, ordinal++);
        insertion->bind(3, file.name.data(), static_cast<int>(file.name.size()));
        insertion->bind(4, static_cast<std::int32_t>(file.fate));
        insertion->bind(5, bits(file.size));
        insertion->bind(6, std::string(nameOf(file.kind)));
        insertion->bind(7, file.sha256);
        insertion->exec();
    }
    return {};
}

Result<> Writer::keepReport(const ExecutionId& id, const std::string& report)
{
    const auto sequence = sequenceOf(id);
    if (!sequence)
        return fail(sequence.error());
    auto insertion =
        m_statements.prepared("INSERT OR REPLACE INTO reports (execution, report) VALUES (?, ?)");
    insertion->bind(1, *sequence);
    insertion->bind(2, report);
    insertion->exec();
    return {};
}

Result<> Writer::keepText(const std::string& sha256, const std::string& text)
{
    if (sha256Hex(text) != sha256)
        return fail(Errc::InvalidArgument, "a text and its SHA-256 don't belong together");
    keepBlob(sha256, text);
    return {};
}

Result<> Writer::mark(const ExecutionId& id, const execution::Marks& marks)
{
    const auto sequence = sequenceOf(id);
    if (!sequence)
        return fail(sequence.error());
    if (auto checked = checkMarks(marks); !checked)
        return checked;
    auto mark = m_statements.prepared(
        "INSERT OR REPLACE INTO marks (execution, pinned, note) VALUES (?, ?, ?)"
    );
    mark->bind(1, *sequence);
    mark->bind(2, marks.pinned ? 1 : 0);
    mark->bind(3, marks.note);
    mark->exec();
    auto untag = m_statements.prepared("DELETE FROM tags WHERE execution = ?");
    untag->bind(1, *sequence);
    untag->exec();
    for (const std::string& text : marks.tags) {
        auto tag =
            m_statements.prepared("INSERT OR IGNORE INTO tags (execution, tag) VALUES (?, ?)");
        tag->bind(1, *sequence);
        tag->bind(2, text);
        tag->exec();
    }
    return {};
}

Result<> Writer::erase(const ExecutionId& id, const audit::Entry& entry)
{
    auto select = m_statements.prepared(
        "SELECT sequence, status, code_sha256, ran_sha256, settings_sha256 FROM executions "
        "WHERE id = ?"
    );
    select->bind(1, id.text());
    if (!select->executeStep())
        return fail(Errc::NotFound, "the history has no execution " + id.text());
    const auto status = execution::statusFromName(select->getColumn(1).getString());
    if (status && !execution::isFinal(*status))
        return fail(Errc::InvalidArgument, id.text() + " has not ended; stop it first");
    const std::int64_t sequence = select->getColumn(0).getInt64();
    m_search.remove(sequence);
    std::vector<std::string> files;
    auto ofRun = m_statements.prepared("SELECT sha256 FROM files WHERE execution = ?");
    ofRun->bind(1, sequence);
    while (ofRun->executeStep())
        files.push_back(ofRun->getColumn(0).getString());
    const std::string code = select->getColumn(2).getString();
    const std::string ran = select->getColumn(3).getString();
    const std::string settings = select->getColumn(4).getString();
    auto removal = m_statements.prepared("DELETE FROM executions WHERE sequence = ?");
    removal->bind(1, sequence);
    removal->exec();
    forgetBlob(code);
    forgetBlob(ran);
    forgetBlob(settings);
    for (const std::string& file : files)
        forgetBlob(file);
    return m_audit.append(entry);
}

void Writer::forgetBlob(const std::string& sha256)
{
    auto removal = m_statements.prepared(
        "DELETE FROM blobs WHERE sha256 = ?1 AND sha256 <> '' "
        "AND NOT EXISTS (SELECT 1 FROM executions WHERE code_sha256 = ?1) "
        "AND NOT EXISTS (SELECT 1 FROM executions WHERE ran_sha256 = ?1 AND ran_sha256 <> '') "
        "AND NOT EXISTS (SELECT 1 FROM executions WHERE settings_sha256 = ?1 "
        "AND settings_sha256 <> '') "
        "AND NOT EXISTS (SELECT 1 FROM files WHERE sha256 = ?1 AND sha256 <> '')"
    );
    removal->bind(1, sha256);
    removal->exec();
}

Result<std::int64_t> Writer::addPolicyVersion(const PolicyVersion& version)
{
    auto last =
        m_statements.prepared("SELECT coalesce(max(version), 0) FROM policy_versions WHERE name = ?"
        );
    last->bind(1, version.name);
    last->executeStep();
    const std::int64_t number = last->getColumn(0).getInt64() + 1;
    auto insertion = m_statements.prepared(
        "INSERT INTO policy_versions (name, version, sha256, text, author, note, source, saved_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    );
    insertion->bind(1, version.name);
    insertion->bind(2, number);
    insertion->bind(3, version.sha256);
    insertion->bind(4, version.text);
    insertion->bind(5, version.author);
    insertion->bind(6, version.note);
    insertion->bind(7, version.source);
    insertion->bind(8, version.savedAt);
    insertion->exec();
    return number;
}

Result<> Writer::remember(const RememberedRow& row)
{
    auto insertion =
        m_statements.prepared("INSERT OR REPLACE INTO remembered (id, decision) VALUES (?, ?)");
    insertion->bind(1, row.id);
    insertion->bind(2, row.decision);
    insertion->exec();
    return {};
}

Result<> Writer::countUse(const std::string& id, execution::UnixMs at)
{
    auto update =
        m_statements.prepared("UPDATE remembered SET hits = hits + 1, last_used_at = ? WHERE id = ?"
        );
    update->bind(1, at);
    update->bind(2, id);
    update->exec();
    return {};
}

Result<> Writer::revoke(const std::string& id, execution::UnixMs at)
{
    auto update = m_statements.prepared(
        "UPDATE remembered SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
    );
    update->bind(1, at);
    update->bind(2, id);
    if (update->exec() != 1)
        return fail(Errc::NotFound, "no remembered decision stands as " + id);
    return {};
}

Result<std::vector<Record>> Writer::interruptUnfinished(const std::string& reason)
{
    static const std::string sql = "SELECT sequence, " + recordColumns() +
                                   " FROM executions WHERE status = ? AND sequence <= ? "
                                   "ORDER BY sequence";
    std::vector<Record> records;
    for (const Status status :
         {Status::Received,
          Status::Analysing,
          Status::AwaitingApproval,
          Status::Queued,
          Status::Running}) {
        auto select = m_statements.prepared(sql);
        select->bind(1, std::string(execution::statusTraits(status).name));
        select->bind(2, m_lastOfEarlierLife);
        while (select->executeStep())
            records.push_back(readRecord(*select));
    }
    const execution::UnixMs now = execution::unixNow();
    for (Record& record : records) {
        record.status = Status::Interrupted;
        record.endedAt = now;
        record.error = reason;
        if (auto replaced = replace(record); !replaced)
            return fail(replaced.error());
    }
    return records;
}

Result<> Writer::openAudit()
{
    if (auto checked = transaction([this] { return m_audit.checkEnd(); }).result; !checked)
        return checked;
    // The end of an earlier life that was killed may not be on the disk yet.
    if (auto synced = syncToDisk(); !synced)
        return synced;
    m_audit.noteHead("opened");
    return m_audit.keepHead();
}

Result<> Writer::append(const audit::Entry& entry)
{
    return m_audit.append(entry);
}

Result<> Writer::syncToDisk()
{
    // With synchronous=NORMAL SQLite itself syncs the log only at checkpoints. Opening it beside
    // SQLite is safe: the locks are on the other two files.
    const std::string log = m_file.string() + "-wal";
    const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid())
        return fail(Errc::StoreFailed, log + ": " + describeErrno(errno));
    if (::fdatasync(fd.get()) != 0)
        return fail(Errc::StoreFailed, log + ": " + describeErrno(errno));
    return {};
}

} // namespace belljar::store
