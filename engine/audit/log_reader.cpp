// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/log_reader.h"

#include "engine/audit/chain.h"
#include "engine/audit/head.h"
#include "engine/base/file.h"
#include "engine/base/ids.h"
#include "engine/store/audit_rows.h"
#include "engine/store/database.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>
#include <fcntl.h>
#include <unistd.h>

namespace belljar::audit {

namespace {

constexpr std::uint32_t kRowsAtOnce = 1000;
constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

std::string lowerAscii(std::string_view text)
{
    std::string lower(text);
    for (char& byte : lower) {
        if (byte >= 'A' && byte <= 'Z')
            byte = static_cast<char>(byte - 'A' + 'a');
    }
    return lower;
}

/// A WHERE clause of fixed pieces, and what is bound to them: foreign text never becomes SQL
///
class Condition {
public:
    Condition& number(std::string_view piece, std::int64_t value)
    {
        add(piece);
        m_values.push_back({value, {}, false});
        return *this;
    }
    Condition& text(std::string_view piece, std::string value)
    {
        add(piece);
        m_values.push_back({0, std::move(value), true});
        return *this;
    }
    Condition& oneOf(std::string_view column, const std::vector<std::string>& values)
    {
        std::string piece(column);
        piece += " IN (";
        for (std::size_t index = 0; index < values.size(); ++index)
            piece += index == 0 ? "?" : ", ?";
        add(piece + ")");
        for (const std::string& value : values)
            m_values.push_back({0, value, true});
        return *this;
    }

    [[nodiscard]] std::string sql() const
    {
        return m_pieces.empty() ? std::string() : " WHERE " + m_pieces;
    }
    /// Returns the number of the next placeholder.
    int bind(SQLite::Statement& statement) const
    {
        int at = 1;
        for (const Value& value : m_values) {
            if (value.isText)
                statement.bind(at++, value.text);
            else
                statement.bind(at++, value.number);
        }
        return at;
    }

private:
    struct Value {
        std::int64_t number;
        std::string text;
        bool isText;
    };

    void add(std::string_view piece)
    {
        if (!m_pieces.empty())
            m_pieces += " AND ";
        m_pieces += piece;
    }

    std::string m_pieces;
    std::vector<Value> m_values;
};

Condition conditionOf(const LogFilter& filter)
{
    Condition condition;
    if (!filter.execution.empty())
        condition.text("execution = ?", filter.execution);
    if (!filter.client.empty())
        condition.text("client = ?", filter.client);
    if (!filter.types.empty())
        condition.oneOf("type", filter.types);
    if (filter.since)
        condition.number("at_ms >= ?", *filter.since);
    if (filter.until)
        condition.number("at_ms < ?", *filter.until);
    // instr() knows no wildcards and no longest pattern, so any text means itself.
    if (!filter.text.empty())
        condition.text(
            "instr(lower(type || ' ' || execution || ' ' || client || ' ' || detail), ?) > 0",
            lowerAscii(filter.text)
        );
    return condition;
}

/// The file that an export grows in until it is whole.
class PartialFile {
public:
    explicit PartialFile(const std::filesystem::path& file)
        : m_file(file)
        , m_partial(file.string() + "." + randomHex(6) + ".tmp")
        , m_fd(::open(m_partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)
          )
    {}
    ~PartialFile()
    {
        if (m_fd.valid())
            ::unlink(m_partial.c_str());
    }
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;

    [[nodiscard]] Result<> opened() const { return m_fd.valid() ? Result<>() : failed(); }

    Result<> add(std::string_view bytes)
    {
        m_waiting += bytes;
        constexpr std::size_t kEnough = 256U * 1024;
        return m_waiting.size() < kEnough ? Result<>() : flush();
    }
    Result<> finish()
    {
        if (auto flushed = flush(); !flushed)
            return flushed;
        if (::fchmod(m_fd.get(), 0600) != 0 || ::fsync(m_fd.get()) != 0 ||
            ::rename(m_partial.c_str(), m_file.c_str()) != 0)
            return failed();
        m_fd.reset();
        return {};
    }

private:
    [[nodiscard]] Result<> failed() const
    {
        return fail(Errc::IoFailed, m_file.string() + ": " + describeErrno(errno));
    }
    Result<> flush()
    {
        std::string_view rest = m_waiting;
        while (!rest.empty()) {
            const ssize_t written = ::write(m_fd.get(), rest.data(), rest.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return failed();
            rest.remove_prefix(static_cast<std::size_t>(written));
        }
        m_waiting.clear();
        return {};
    }

    std::filesystem::path m_file;
    std::filesystem::path m_partial;
    UniqueFd m_fd;
    std::string m_waiting;
};

} // namespace

class LogReader::Impl {
public:
    Impl(std::filesystem::path path, std::unique_ptr<SQLite::Database> connection)
        : file(std::move(path))
        , database(std::move(connection))
    {}

    /// Runs `read`; what SQLite throws becomes an Error that names the file.
    template <class Read>
    auto guarded(Read read) -> decltype(read())
    {
        try {
            return read();
        } catch (const SQLite::Exception& exception) {
            return fail(store::storeError(file, exception));
        }
    }

    std::uint64_t count(const Condition& condition) const
    {
        SQLite::Statement select(*database, "SELECT count(*) FROM audit" + condition.sql());
        condition.bind(select);
        select.executeStep();
        return static_cast<std::uint64_t>(select.getColumn(0).getInt64());
    }

    /// Of the `number`th newest row that matches; of the very first where there are fewer.
    std::int64_t sequenceOfNewest(const LogFilter& filter, std::uint64_t number) const
    {
        const Condition condition = conditionOf(filter);
        SQLite::Statement select(
            *database,
            "SELECT sequence FROM audit" + condition.sql() +
                " ORDER BY sequence DESC LIMIT 1 OFFSET ?"
        );
        select.bind(condition.bind(select), static_cast<std::int64_t>(number - 1));
        return select.executeStep() ? select.getColumn(0).getInt64() : kFirst;
    }

    /// Every row that matches, by rising sequence, until `take` says false. In steps, so that no
    /// transaction stays open long enough to keep the write-ahead log from being cleared.
    void walk(
        const LogFilter& filter,
        const std::function<bool(const Row&)>& take,
        std::int64_t from = kFirst
    ) const
    {
        for (;;) {
            Condition condition = conditionOf(filter);
            condition.number("sequence >= ?", from);
            SQLite::Statement select(
                *database,
                "SELECT " + store::auditColumns() + " FROM audit" + condition.sql() +
                    " ORDER BY sequence LIMIT ?"
            );
            select.bind(condition.bind(select), kRowsAtOnce);
            std::vector<Row> rows;
            while (select.executeStep())
                rows.push_back(store::readAuditRow(select));
            select.reset();
            for (const Row& row : rows) {
                if (!take(row))
                    return;
            }
            if (rows.size() < kRowsAtOnce || rows.back().sequence == kLast)
                return;
            from = rows.back().sequence + 1;
        }
    }

    const std::filesystem::path file;
    const std::unique_ptr<SQLite::Database> database;
};

LogReader::LogReader(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

LogReader::LogReader(LogReader&&) noexcept = default;
LogReader& LogReader::operator=(LogReader&&) noexcept = default;
LogReader::~LogReader() = default;

Result<LogReader> LogReader::open(const std::filesystem::path& historyFile)
{
    auto database = store::openForReading(historyFile);
    if (!database)
        return fail(database.error());
    return LogReader(std::make_unique<Impl>(historyFile, std::move(*database)));
}

Result<std::vector<Row>> LogReader::page(const LogQuery& query)
{
    Condition condition = conditionOf(query.filter);
    if (query.before)
        condition.number("sequence < ?", *query.before);
    if (query.after)
        condition.number("sequence > ?", *query.after);
    return m_impl->guarded([&]() -> Result<std::vector<Row>> {
        SQLite::Statement select(
            *m_impl->database,
            "SELECT " + store::auditColumns() + " FROM audit" + condition.sql() +
                " ORDER BY sequence DESC LIMIT ?"
        );
        select.bind(condition.bind(select), query.limit);
        std::vector<Row> rows;
        while (select.executeStep())
            rows.push_back(store::readAuditRow(select));
        return rows;
    });
}

Result<std::uint64_t> LogReader::newest(
    const LogFilter& filter, std::uint64_t limit, const std::function<bool(const Row& row)>& take
)
{
    if (limit == 0)
        return std::uint64_t{0};
    return m_impl->guarded([&]() -> Result<std::uint64_t> {
        const std::int64_t from = m_impl->sequenceOfNewest(filter, limit);
        std::uint64_t taken = 0;
        const auto takeSome = [&](const Row& row) {
            // Rows that came meanwhile would be too many.
            return take(row) && ++taken < limit;
        };
        m_impl->walk(filter, takeSome, from);
        return taken;
    });
}

Result<Row> LogReader::row(std::int64_t sequence)
{
    return m_impl->guarded([&]() -> Result<Row> {
        Condition condition;
        condition.number("sequence = ?", sequence);
        SQLite::Statement select(
            *m_impl->database, "SELECT " + store::auditColumns() + " FROM audit" + condition.sql()
        );
        condition.bind(select);
        if (!select.executeStep())
            return fail(Errc::NotFound, "the audit log has no row " + std::to_string(sequence));
        return store::readAuditRow(select);
    });
}

Result<std::uint64_t> LogReader::count()
{
    return m_impl->guarded([&]() -> Result<std::uint64_t> { return m_impl->count({}); });
}

Result<Verification> LogReader::verify(const Progress& progress, const Stop& stop)
{
    // The head first: what is written meanwhile makes the log longer than it, never shorter.
    Verifier verifier(readHead(headFileOf(m_impl->file)));
    return m_impl->guarded([&]() -> Result<Verification> {
        const std::uint64_t total = m_impl->count({});
        std::uint64_t done = 0;
        m_impl->walk({}, [&](const Row& row) {
            verifier.add(row);
            if (++done % kRowsAtOnce != 0)
                return true;
            if (progress)
                progress(done, std::max(done, total));
            if (!stop || !stop())
                return true;
            verifier.stop();
            return false;
        });
        if (progress)
            progress(done, std::max(done, total));
        return verifier.finish();
    });
}

Result<Verification> LogReader::verifyEnd()
{
    return m_impl->guarded([&]() -> Result<Verification> {
        Verification found = store::verifyAuditEnd(*m_impl->database, m_impl->file);
        if (auto recorded = store::recordedAuditBreak(*m_impl->database, m_impl->file))
            found.add(std::move(*recorded));
        return found;
    });
}

Result<std::uint64_t> LogReader::exportLines(
    const LogFilter& filter,
    const std::function<Result<>(const std::string& line)>& take,
    const Progress& progress,
    const Stop& stop
)
{
    return m_impl->guarded([&]() -> Result<std::uint64_t> {
        const std::uint64_t total = m_impl->count(conditionOf(filter));
        std::uint64_t done = 0;
        Result<> taken;
        m_impl->walk(filter, [&](const Row& row) {
            taken = take(exportLine(row));
            if (!taken)
                return false;
            if (++done % kRowsAtOnce != 0)
                return true;
            if (progress)
                progress(done, std::max(done, total));
            if (stop && stop())
                taken = fail(Errc::Closed, "the export was stopped");
            return taken.has_value();
        });
        if (!taken)
            return fail(taken.error());
        return done;
    });
}

Result<std::uint64_t> LogReader::exportTo(
    const std::filesystem::path& file,
    const LogFilter& filter,
    const Progress& progress,
    const Stop& stop
)
{
    PartialFile partial(file);
    if (auto opened = partial.opened(); !opened)
        return fail(opened.error());
    const auto done = exportLines(
        filter, [&](const std::string& line) { return partial.add(line + "\n"); }, progress, stop
    );
    if (!done)
        return done;
    if (auto finished = partial.finish(); !finished)
        return fail(finished.error());
    return done;
}

Result<Verification> verifyLog(
    const std::filesystem::path& historyFile,
    const LogReader::Progress& progress,
    const LogReader::Stop& stop
)
{
    auto reader = LogReader::open(historyFile);
    if (reader)
        return reader->verify(progress, stop);
    if (reader.error().code() != Errc::NotFound)
        return fail(reader.error());
    return Verifier(readHead(headFileOf(historyFile))).finish();
}

} // namespace belljar::audit
