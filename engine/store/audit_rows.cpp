// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/audit_rows.h"

#include "engine/audit/chain.h"
#include "engine/base/log.h"
#include "engine/store/database.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

namespace belljar::store {

namespace {

using audit::Row;

constexpr int kEndRows = 100;
constexpr std::int64_t kHeadRows = 100;
/// Far beyond what can be written in a life time; a row numbered so was put there, and numbers
/// behind it would run out.
constexpr std::int64_t kMostRows = std::int64_t{1} << 52;

constexpr std::string_view kBrokenName = "chain_broken";

/// The newest rows, oldest first.
std::vector<Row> lastRows(SQLite::Database& database, int limit)
{
    SQLite::Statement select(
        database, "SELECT " + auditColumns() + " FROM audit ORDER BY sequence DESC LIMIT ?"
    );
    select.bind(1, limit);
    std::vector<Row> rows;
    while (select.executeStep())
        rows.push_back(readAuditRow(select));
    std::reverse(rows.begin(), rows.end());
    return rows;
}

std::optional<Row> rowAt(SQLite::Database& database, std::int64_t sequence)
{
    SQLite::Statement select(
        database, "SELECT " + auditColumns() + " FROM audit WHERE sequence = ?"
    );
    select.bind(1, sequence);
    if (!select.executeStep())
        return std::nullopt;
    return readAuditRow(select);
}

std::optional<Row> firstRow(SQLite::Database& database)
{
    SQLite::Statement select(
        database, "SELECT " + auditColumns() + " FROM audit ORDER BY sequence LIMIT 1"
    );
    if (!select.executeStep())
        return std::nullopt;
    return readAuditRow(select);
}

/// The index behind the newest ChainBroken row, or 0.
std::size_t beginOfSegment(const std::vector<Row>& rows)
{
    const auto broken = std::find_if(rows.rbegin(), rows.rend(), [](const Row& row) {
        return row.type == kBrokenName;
    });
    return static_cast<std::size_t>(std::distance(broken, rows.rend()));
}

} // namespace

const std::string& auditColumns()
{
    static const std::string columns =
        "sequence, at_ms, type, execution, client, detail, previous, hash";
    return columns;
}

Row readAuditRow(SQLite::Statement& row)
{
    Row read;
    read.sequence = row.getColumn(0).getInt64();
    // A value of another kind than was written reads the same, but no search finds it; what it is
    // read as can't have the row's hash.
    const SQLite::Column at = row.getColumn(1);
    read.at = at.isInteger() ? at.getInt64() : -1;
    const std::array<std::string*, 6> texts{
        &read.type, &read.execution, &read.client, &read.detail, &read.previous, &read.hash};
    int number = 2;
    for (std::string* text : texts) {
        const SQLite::Column column = row.getColumn(number++);
        *text = (column.isText() ? "" : "(no text) ") + column.getString();
    }
    return read;
}

audit::Verification
verifyAuditEnd(SQLite::Database& database, const std::filesystem::path& historyFile)
{
    auto head = audit::readHead(audit::headFileOf(historyFile));
    const std::vector<Row> rows = lastRows(database, kEndRows + 1);
    std::size_t begin = beginOfSegment(rows);
    const bool newSegment = begin > 0;
    if (!newSegment && rows.size() > kEndRows)
        begin = 1;
    // A head from before the newest segment: Belljar ended before it could write the next.
    const std::int64_t segment = newSegment ? rows[begin - 1].sequence : 0;
    if (head && head->sequence < segment)
        head = audit::Head{"", segment, rows[begin - 1].hash, segment};

    audit::Verifier verifier =
        begin > 0 ? audit::Verifier(head, rows[begin - 1]) : audit::Verifier(head);
    for (std::size_t index = begin; index < rows.size(); ++index)
        verifier.add(rows[index]);
    if (begin == 0 || !head || head->sequence == 0)
        return verifier.finish();

    const auto first = firstRow(database);
    if (first && !head->first.empty())
        verifier.compareFirst(*first);
    if (head->sequence <= rows[begin - 1].sequence) {
        // Where the row isn't there it is as good as another one.
        Row named = rowAt(database, head->sequence).value_or(Row());
        named.sequence = head->sequence;
        verifier.compareNamed(named);
    }
    return verifier.finish();
}

std::optional<audit::Break>
recordedAuditBreak(SQLite::Database& database, const std::filesystem::path& historyFile)
{
    // The head follows the rows by up to a second.
    const std::vector<Row> rows = lastRows(database, kEndRows);
    if (const std::size_t behind = beginOfSegment(rows); behind > 0)
        return audit::recordedBreak(rows[behind - 1]);
    const auto head = audit::readHead(audit::headFileOf(historyFile));
    const auto row = head && head->segment > 0 ? rowAt(database, head->segment) : std::nullopt;
    return row ? std::optional(audit::recordedBreak(*row)) : std::nullopt;
}

AuditRows::AuditRows(SQLite::Database& database, Statements& statements, std::filesystem::path file)
    : m_database(database)
    , m_statements(statements)
    , m_file(std::move(file))
    , m_headFile(audit::headFileOf(m_file))
    , m_end(readEnd())
    , m_durable(m_end)
{
    if (const auto head = audit::readHead(m_headFile); head)
        m_end.segment = m_durable.segment = head->segment;
}

AuditRows::End AuditRows::readEnd()
{
    auto last =
        m_statements.prepared("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1");
    if (!last->executeStep())
        return {0, audit::zeroHash(), "", 0, std::nullopt};
    End end;
    end.sequence = std::clamp<std::int64_t>(last->getColumn(0).getInt64(), 0, kMostRows);
    end.hash = last->getColumn(1).getString();
    return end;
}

Result<> AuditRows::checkEnd()
{
    m_looked = true;
    const audit::Verification found = verifyAuditEnd(m_database, m_file);
    if (found.intact) {
        if (const auto earlier = recordedAuditBreak(m_database, m_file))
            m_end.damage = earlier->meaning;
        return {};
    }
    // Behind what the head file says, so that no number is given away twice.
    const auto head = audit::readHead(m_headFile);
    const std::int64_t last = std::max(m_end.sequence, head ? head->sequence : 0);
    const audit::Break& first = found.breaks.front();
    std::string meaning = first.meaning;
    if (found.breakCount > 1)
        meaning += " (and " + std::to_string(found.breakCount - 1) + " more)";
    return beginSegment(last + 1, std::string(audit::nameOf(first.kind)), std::move(meaning));
}

/// Is the last row still the one that we wrote?
Result<> AuditRows::lookAgain()
{
    m_looked = true;
    End found = readEnd();
    if (found.sequence == m_end.sequence && found.hash == m_end.hash)
        return {};
    const std::int64_t last = std::max(found.sequence, m_end.sequence);
    const std::string was = std::to_string(m_end.sequence);
    m_end.hash = std::move(found.hash);
    return beginSegment(
        last + 1,
        "changed_while_running",
        "the log was changed while Belljar ran: it ended with row " + was + ", and now with row " +
            std::to_string(found.sequence) +
            (found.sequence == m_end.sequence ? " of another content" : "")
    );
}

Result<> AuditRows::beginSegment(std::int64_t sequence, std::string kind, std::string meaning)
{
    audit::Entry entry;
    entry.type = audit::Type::ChainBroken;
    entry.detail = {
        {"kind", std::move(kind)},
        {"meaning", meaning},
        {"expected_sequence", m_durable.sequence},
        {"expected_hash", m_durable.hash},
    };
    if (const auto head = audit::readHead(m_headFile); head)
        entry.detail["head"] = {
            {"first", head->first}, {"hash", head->hash}, {"sequence", head->sequence}};
    m_end.sequence = sequence - 1;
    m_end.segment = sequence;
    m_end.damage = std::move(meaning);
    return insert(entry);
}

Result<> AuditRows::append(const audit::Entry& entry)
{
    if (!m_looked) {
        if (auto looked = lookAgain(); !looked)
            return looked;
    }
    return insert(entry);
}

Result<> AuditRows::insert(const audit::Entry& entry)
{
    if (m_end.sequence >= kMostRows)
        return fail(
            Errc::StoreFailed,
            m_file.string() +
                ": the audit log has a row with an impossible number; export it as "
                "evidence; " +
                adviceToBeginAnew(m_file)
        );
    const Row row = audit::seal(entry, m_end.sequence + 1, m_end.hash);
    auto insertion = m_statements.prepared(
        "INSERT INTO audit (sequence, at_ms, type, execution, client, detail, previous, hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    );
    insertion->bind(1, row.sequence);
    insertion->bind(2, row.at);
    int column = 3;
    for (const std::string* text :
         {&row.type, &row.execution, &row.client, &row.detail, &row.previous, &row.hash})
        insertion->bindNoCopy(column++, *text);
    insertion->exec();
    m_end.sequence = row.sequence;
    m_end.hash = row.hash;
    if (entry.type == audit::Type::ChainBroken)
        m_end.segment = row.sequence;
    return {};
}

void AuditRows::committed()
{
    m_looked = false;
    if (m_end.damage)
        m_damage = std::exchange(m_end.damage, std::nullopt);
    m_durable = m_end;
}

void AuditRows::rolledBack()
{
    m_looked = false;
    m_end = m_durable;
}

bool AuditRows::headIsDue() const
{
    return m_durable.sequence - std::max<std::int64_t>(m_keptSequence, 0) >= kHeadRows;
}

Result<> AuditRows::keepHead()
{
    if (m_keptSequence == m_durable.sequence)
        return {};
    if (m_durable.sequence > 0 && (m_durable.first.empty() || m_durable.segment > m_keptSequence)) {
        const auto first = firstRow(m_database);
        m_end.first = m_durable.first = first ? first->hash : "";
    }
    const audit::Head head{m_durable.first, m_durable.sequence, m_durable.hash, m_durable.segment};
    if (auto written = audit::writeHead(m_headFile, head); !written)
        return written;
    m_keptSequence = m_durable.sequence;
    return {};
}

void AuditRows::noteHead(std::string_view when) const
{
    log::store().info(
        "audit_head={} sequence={} hash={}", when, m_durable.sequence, log::safe(m_durable.hash)
    );
}

std::optional<std::string> AuditRows::takeDamage()
{
    return std::exchange(m_damage, std::nullopt);
}

} // namespace belljar::store
