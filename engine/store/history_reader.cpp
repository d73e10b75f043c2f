// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/history_reader.h"

#include "engine/analysis/report_json.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/store/columns.h"
#include "engine/store/database.h"
#include "engine/store/row.h"
#include "engine/store/statements.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

#include <SQLiteCpp/Column.h>

namespace belljar::store {

using execution::OutputChunk;
using execution::Record;
using execution::Sample;

class HistoryReader::Impl {
public:
    Impl(std::filesystem::path file, std::unique_ptr<SQLite::Database> database)
        : m_file(std::move(file))
        , m_database(std::move(database))
        , m_statements(*m_database)
    {}

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    Statements::Use prepared(const std::string& sql) { return m_statements.prepared(sql); }

    /// Runs `read`; what SQLite throws becomes an Error that names the file.
    template <class Read>
    auto guarded(Read read) -> decltype(read())
    {
        try {
            return read();
        } catch (const SQLite::Exception& exception) {
            return fail(storeError(m_file, exception));
        }
    }

    /// Errors: NotFound.
    Result<std::int64_t> sequenceOf(const ExecutionId& id)
    {
        auto select = prepared("SELECT sequence FROM executions WHERE id = ?");
        select->bind(1, id.text());
        if (!select->executeStep())
            return missing(id);
        return select->getColumn(0).getInt64();
    }

    /// Columns packing, content, bytes, sha256 of a text of `id` by `sql`.
    Result<std::string> textBy(const ExecutionId& id, const char* sql);

    /// The id may come from a client, so it is shown like foreign text.
    static tl::unexpected<Error> missing(const ExecutionId& id)
    {
        constexpr std::size_t kShownBytes = 80;
        return fail(
            Errc::NotFound,
            "the history has no execution " + escapeForLine(prefixWithin(id.text(), kShownBytes))
        );
    }

private:
    std::filesystem::path m_file;
    std::unique_ptr<SQLite::Database> m_database;
    Statements m_statements;
};

namespace {

std::vector<PolicyVersion> readVersions(SQLite::Statement& rows)
{
    std::vector<PolicyVersion> versions;
    while (rows.executeStep()) {
        PolicyVersion version;
        version.name = rows.getColumn(0).getString();
        version.version = rows.getColumn(1).getInt64();
        version.sha256 = rows.getColumn(2).getString();
        version.text = rows.getColumn(3).getString();
        version.author = rows.getColumn(4).getString();
        version.note = rows.getColumn(5).getString();
        version.source = rows.getColumn(6).getString();
        version.savedAt = rows.getColumn(7).getInt64();
        versions.push_back(std::move(version));
    }
    return versions;
}

Sample readSample(SQLite::Statement& row)
{
    Sample sample;
    sample.at = execution::milliseconds(row.getColumn(0).getInt64());
    sample.cpuPercent = row.getColumn(1).isNull() ? std::numeric_limits<double>::quiet_NaN()
                                                  : row.getColumn(1).getDouble();
    sample.memoryBytes = fromBits(row.getColumn(2));
    sample.processes = row.getColumn(3).getUInt();
    sample.readBytes = fromBits(row.getColumn(4));
    sample.writtenBytes = fromBits(row.getColumn(5));
    if (!row.getColumn(6).isNull())
        sample.outputBytes = fromBits(row.getColumn(6));
    return sample;
}

} // namespace

HistoryReader::HistoryReader(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

HistoryReader::HistoryReader(HistoryReader&&) noexcept = default;
HistoryReader& HistoryReader::operator=(HistoryReader&&) noexcept = default;
HistoryReader::~HistoryReader() = default;

Result<HistoryReader> HistoryReader::open(const std::filesystem::path& file)
{
    auto database = openForReading(file);
    if (!database)
        return fail(database.error());
    return HistoryReader(std::make_unique<Impl>(file, std::move(*database)));
}

Result<std::vector<Record>> HistoryReader::page(const PageQuery& query)
{
    // A condition more where there is one to hold, rather than ORs: each is one walk along one
    // index.
    std::string sql =
        "SELECT sequence, " + recordColumns() + " FROM executions WHERE sequence < ?1";
    if (query.status)
        sql += " AND status = ?3";
    if (query.clientName)
        sql += " AND client_name = ?4";
    if (query.asked)
        sql += " AND verdict = 'ask'";
    if (query.since)
        sql += " AND received_at >= ?5";
    sql += " ORDER BY sequence DESC LIMIT ?2";
    return m_impl->guarded([&]() -> Result<std::vector<Record>> {
        auto select = m_impl->prepared(sql);
        select->bind(1, query.before.value_or(std::numeric_limits<std::int64_t>::max()));
        select->bind(2, query.limit);
        if (query.status)
            select->bind(3, std::string(execution::statusTraits(*query.status).name));
        if (query.clientName)
            select->bind(4, *query.clientName);
        if (query.since)
            select->bind(5, *query.since);
        std::vector<Record> records;
        while (select->executeStep())
            records.push_back(readRecord(*select));
        return records;
    });
}

Result<Record> HistoryReader::record(const ExecutionId& id)
{
    static const std::string sql =
        "SELECT sequence, " + recordColumns() + " FROM executions WHERE id = ?";
    return m_impl->guarded([&]() -> Result<Record> {
        auto select = m_impl->prepared(sql);
        select->bind(1, id.text());
        if (!select->executeStep())
            return Impl::missing(id);
        return readRecord(*select);
    });
}

Result<std::string> HistoryReader::code(const ExecutionId& id)
{
    return m_impl->textBy(
        id,
        "SELECT packing, content, bytes, sha256 FROM executions "
        "JOIN blobs ON sha256 = code_sha256 WHERE executions.id = ?"
    );
}

Result<std::string> HistoryReader::ranCode(const ExecutionId& id)
{
    return m_impl->textBy(
        id,
        "SELECT packing, content, bytes, sha256 FROM executions "
        "JOIN blobs ON sha256 = CASE ran_sha256 WHEN '' THEN code_sha256 ELSE ran_sha256 END "
        "WHERE executions.id = ?"
    );
}

Result<std::string> HistoryReader::containerSettings(const ExecutionId& id)
{
    const auto kept = record(id);
    if (!kept)
        return fail(kept.error());
    if (kept->settingsSha256.empty())
        return std::string();
    return m_impl->textBy(
        id,
        "SELECT packing, content, bytes, sha256 FROM executions "
        "JOIN blobs ON sha256 = settings_sha256 WHERE executions.id = ?"
    );
}

Result<std::optional<analysis::Report>> HistoryReader::report(const ExecutionId& id)
{
    return m_impl->guarded([&]() -> Result<std::optional<analysis::Report>> {
        const auto sequence = m_impl->sequenceOf(id);
        if (!sequence)
            return fail(sequence.error());
        auto select = m_impl->prepared("SELECT report FROM reports WHERE execution = ?");
        select->bind(1, *sequence);
        if (!select->executeStep())
            return std::optional<analysis::Report>();
        const auto json = parseJson(select->getColumn(0).getString());
        if (!json)
            return fail(json.error().within("report of " + id.text()));
        auto report = analysis::reportFromJson(*json);
        if (!report)
            return fail(report.error().within("report of " + id.text()));
        return std::optional<analysis::Report>(std::move(*report));
    });
}

Result<std::uint64_t> HistoryReader::countOfCode(const std::string& sha256)
{
    return m_impl->guarded([&]() -> Result<std::uint64_t> {
        auto select = m_impl->prepared("SELECT count(*) FROM executions WHERE code_sha256 = ?");
        select->bind(1, sha256);
        select->executeStep();
        return fromBits(select->getColumn(0));
    });
}

Result<std::string> HistoryReader::Impl::textBy(const ExecutionId& id, const char* sql)
{
    return guarded([&]() -> Result<std::string> {
        auto select = prepared(sql);
        select->bind(1, id.text());
        if (!select->executeStep())
            return missing(id);
        auto text = unpackAt(*select, 0);
        if (text && sha256Hex(*text) != select->getColumn(3).getString())
            return fail(Errc::StoreFailed, id.text() + ": a text of it was changed in the history");
        return text;
    });
}

Result<execution::Marks> HistoryReader::marks(const ExecutionId& id)
{
    return m_impl->guarded([&]() -> Result<execution::Marks> {
        const auto sequence = m_impl->sequenceOf(id);
        if (!sequence)
            return fail(sequence.error());
        execution::Marks marks;
        auto select = m_impl->prepared("SELECT pinned, note FROM marks WHERE execution = ?");
        select->bind(1, *sequence);
        if (select->executeStep()) {
            marks.pinned = select->getColumn(0).getInt() != 0;
            marks.note = select->getColumn(1).getString();
        }
        auto tags = m_impl->prepared("SELECT tag FROM tags WHERE execution = ? ORDER BY tag");
        tags->bind(1, *sequence);
        while (tags->executeStep())
            marks.tags.push_back(tags->getColumn(0).getString());
        return marks;
    });
}

Result<execution::RunFiles> HistoryReader::files(const ExecutionId& id)
{
    return m_impl->guarded([&]() -> Result<execution::RunFiles> {
        const auto sequence = m_impl->sequenceOf(id);
        if (!sequence)
            return fail(sequence.error());
        execution::RunFiles files;
        auto totals = m_impl->prepared("SELECT counts, whole FROM file_totals WHERE execution = ?");
        totals->bind(1, *sequence);
        if (totals->executeStep()) {
            std::istringstream counts(totals->getColumn(0).getString());
            std::string number;
            for (std::uint64_t& count : files.counts) {
                if (std::getline(counts, number, ','))
                    std::from_chars(number.data(), number.data() + number.size(), count);
            }
            files.whole = totals->getColumn(1).getInt() != 0;
        }
        auto select = m_impl->prepared(
            "SELECT name, fate, size, kind, sha256 FROM files WHERE execution = ? ORDER BY ordinal"
        );
        select->bind(1, *sequence);
        while (select->executeStep()) {
            execution::RunFile file;
            file.name = std::string(bytesOf(select->getColumn(0)));
            const std::int64_t fate = select->getColumn(1).getInt64();
            if (fate < 0 || fate >= static_cast<std::int64_t>(runner::kFileFates))
                return fail(Errc::StoreFailed, "files of " + id.text() + ": unknown fate");
            file.fate = static_cast<execution::FileFate>(fate);
            file.size = fromBits(select->getColumn(2));
            file.kind = execution::fileKindFromName(select->getColumn(3).getString())
                            .value_or(execution::FileKind::Other);
            file.sha256 = select->getColumn(4).getString();
            files.files.push_back(std::move(file));
        }
        return files;
    });
}

Result<std::string> HistoryReader::fileBytes(const ExecutionId& id, std::size_t place)
{
    return m_impl->guarded([&]() -> Result<std::string> {
        const auto sequence = m_impl->sequenceOf(id);
        if (!sequence)
            return fail(sequence.error());
        auto select = m_impl->prepared(
            "SELECT packing, content, bytes, files.sha256 FROM files "
            "JOIN blobs ON blobs.sha256 = files.sha256 WHERE execution = ? AND ordinal = ?"
        );
        select->bind(1, *sequence);
        select->bind(2, static_cast<std::int64_t>(place));
        if (!select->executeStep())
            return fail(Errc::NotFound, "nothing is kept of this file");
        auto bytes = unpackAt(*select, 0);
        if (!bytes)
            return fail(bytes.error().within("a file of " + id.text()));
        if (sha256Hex(*bytes) != select->getColumn(3).getString())
            return fail(
                Errc::StoreFailed, "a file of " + id.text() + " isn't what its SHA-256 says"
            );
        return bytes;
    });
}

Result<std::vector<OutputChunk>> HistoryReader::output(const ExecutionId& id)
{
    return m_impl->guarded([&]() -> Result<std::vector<OutputChunk>> {
        const auto sequence = m_impl->sequenceOf(id);
        if (!sequence)
            return fail(sequence.error());
        auto select = m_impl->prepared(
            "SELECT packing, content, bytes, stream, offset FROM output WHERE execution = ? "
            "ORDER BY ordinal"
        );
        select->bind(1, *sequence);
        std::vector<OutputChunk> chunks;
        while (select->executeStep()) {
            auto bytes = unpackAt(*select, 0);
            if (!bytes)
                return fail(bytes.error().within("output of " + id.text()));
            OutputChunk chunk;
            chunk.stream = select->getColumn(3).getInt() == 0 ? execution::Stream::Stdout
                                                              : execution::Stream::Stderr;
            chunk.offset = fromBits(select->getColumn(4));
            chunk.bytes = std::move(*bytes);
            chunks.push_back(std::move(chunk));
        }
        return chunks;
    });
}

Result<std::vector<Sample>> HistoryReader::samples(const ExecutionId& id)
{
    return m_impl->guarded([&]() -> Result<std::vector<Sample>> {
        const auto sequence = m_impl->sequenceOf(id);
        if (!sequence)
            return fail(sequence.error());
        auto select = m_impl->prepared(
            "SELECT at_ms, cpu_percent, memory_bytes, processes, read_bytes, written_bytes, "
            "output_bytes FROM samples WHERE execution = ? ORDER BY ordinal"
        );
        select->bind(1, *sequence);
        std::vector<Sample> samples;
        while (select->executeStep())
            samples.push_back(readSample(*select));
        return samples;
    });
}

Result<std::uint64_t> HistoryReader::count()
{
    return m_impl->guarded([&]() -> Result<std::uint64_t> {
        auto select = m_impl->prepared("SELECT count(*) FROM executions");
        select->executeStep();
        return fromBits(select->getColumn(0));
    });
}

Result<HistorySize> HistoryReader::size()
{
    // Of a row of the audit log besides its texts: two hashes, ids, the index.
    constexpr std::uint64_t kAuditRowBytes = 300;
    auto size = m_impl->guarded([&]() -> Result<HistorySize> {
        const auto number = [&](const char* sql) {
            auto select = m_impl->prepared(sql);
            select->executeStep();
            return fromBits(select->getColumn(0));
        };
        HistorySize found;
        found.executions = number("SELECT count(*) FROM executions");
        const std::uint64_t page = number("PRAGMA page_size");
        const std::uint64_t pages = number("PRAGMA page_count") - number("PRAGMA freelist_count");
        const std::uint64_t audit = number("SELECT count(*) FROM audit") * kAuditRowBytes +
                                    number("SELECT coalesce(sum(length(detail)), 0) FROM audit");
        found.usedBytes = pages * page - std::min(pages * page, audit);
        return found;
    });
    if (!size)
        return size;
    for (const char* part : {"", "-wal", "-shm"}) {
        std::error_code absent; // then there is none
        const auto bytes = std::filesystem::file_size(m_impl->file().string() + part, absent);
        size->fileBytes += absent ? 0 : bytes;
    }
    return size;
}

Result<std::vector<ExecutionId>> HistoryReader::expired(const Expiry& expiry, std::uint32_t limit)
{
    constexpr std::uint64_t kRowBytes = 4096; // of an execution besides its output, about
    std::uint64_t excess = 0;
    if (expiry.mostBytes > 0) {
        const auto now = size();
        if (!now)
            return fail(now.error());
        excess = now->usedBytes - std::min(now->usedBytes, expiry.mostBytes);
    }
    return m_impl->guarded([&]() -> Result<std::vector<ExecutionId>> {
        auto select = m_impl->prepared(
            "SELECT id, received_at, status, "
            "(SELECT coalesce(sum(length(content)), 0) FROM output WHERE execution = sequence) + "
            "(SELECT coalesce(sum(size), 0) FROM files "
            "WHERE execution = sequence AND sha256 <> '') "
            "FROM executions LEFT JOIN marks ON marks.execution = sequence "
            "WHERE coalesce(pinned, 0) = 0 ORDER BY sequence"
        );
        std::vector<ExecutionId> ids;
        while (ids.size() < limit && select->executeStep()) {
            const bool isOld = select->getColumn(1).getInt64() < expiry.before;
            if (!isOld && excess == 0)
                break; // who comes later is younger
            const auto status = execution::statusFromName(select->getColumn(2).getString());
            if (status && !execution::isFinal(*status))
                continue;
            ids.emplace_back(select->getColumn(0).getString());
            excess -= std::min(excess, fromBits(select->getColumn(3)) + kRowBytes);
        }
        return ids;
    });
}

Result<std::vector<PolicyVersion>> HistoryReader::policyVersions(const std::string& name)
{
    return m_impl->guarded([&]() -> Result<std::vector<PolicyVersion>> {
        auto select =
            m_impl->prepared("SELECT name, version, sha256, text, author, note, source, saved_at "
                             "FROM policy_versions WHERE name = ? ORDER BY version DESC");
        select->bind(1, name);
        return readVersions(*select);
    });
}

Result<std::vector<PolicyVersion>> HistoryReader::latestPolicyVersions()
{
    return m_impl->guarded([&]() -> Result<std::vector<PolicyVersion>> {
        auto select = m_impl->prepared(
            "SELECT name, max(version), sha256, text, author, note, source, saved_at "
            "FROM policy_versions GROUP BY name ORDER BY name"
        );
        return readVersions(*select);
    });
}

Result<std::vector<RememberedRow>> HistoryReader::remembered()
{
    return m_impl->guarded([&]() -> Result<std::vector<RememberedRow>> {
        auto select = m_impl->prepared("SELECT id, decision, hits, last_used_at FROM remembered "
                                       "WHERE revoked_at IS NULL ORDER BY rowid DESC");
        std::vector<RememberedRow> rows;
        while (select->executeStep()) {
            RememberedRow row;
            row.id = select->getColumn(0).getString();
            row.decision = select->getColumn(1).getString();
            row.hits = fromBits(select->getColumn(2));
            if (!select->getColumn(3).isNull())
                row.lastUsedAt = select->getColumn(3).getInt64();
            rows.push_back(std::move(row));
        }
        return rows;
    });
}

} // namespace belljar::store
