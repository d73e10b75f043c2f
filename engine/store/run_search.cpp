// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_search.h"

#include "engine/store/columns.h"
#include "engine/store/database.h"
#include "engine/store/row.h"
#include "engine/store/search_index.h"
#include "engine/store/statements.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <variant>

namespace belljar::store {

using execution::Status;

namespace {

/// Conditions of a WHERE with the values of their parameters, in order.
class Conditions {
public:
    using Value = std::variant<std::int64_t, std::string>;

    void add(std::string_view condition, std::vector<Value> values = {})
    {
        m_sql.append(m_sql.empty() ? "" : " AND ").append(condition);
        m_values.insert(
            m_values.end(),
            std::make_move_iterator(values.begin()),
            std::make_move_iterator(values.end())
        );
    }

    /// `each` once for every one of `texts`, any of which may hold.
    void addAny(std::string_view each, const std::vector<std::string>& texts, int parameters = 1)
    {
        if (texts.empty())
            return;
        std::string any;
        std::vector<Value> values;
        for (const std::string& text : texts) {
            any.append(any.empty() ? "(" : " OR ").append(each);
            for (int parameter = 0; parameter < parameters; ++parameter)
                values.emplace_back(text);
        }
        add(any + ")", std::move(values));
    }

    [[nodiscard]] std::string where() const { return m_sql.empty() ? "1" : m_sql; }

    /// Binds from parameter `at` on; returns the number of the next.
    int bind(SQLite::Statement& statement, int at = 1) const
    {
        for (const Value& value : m_values) {
            if (const auto* number = std::get_if<std::int64_t>(&value))
                statement.bind(at++, *number);
            else
                statement.bind(at++, std::get<std::string>(value));
        }
        return at;
    }

private:
    std::string m_sql;
    std::vector<Value> m_values;
};

/// A number of SQL for one of ours; what doesn't fit is more than anything that is stored.
std::int64_t clamped(std::uint64_t value)
{
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return value > static_cast<std::uint64_t>(kMost) ? kMost : static_cast<std::int64_t>(value);
}

void addStatuses(Conditions& to, const std::vector<Status>& statuses)
{
    std::vector<std::string> names;
    for (const Status status : statuses)
        names.emplace_back(execution::statusTraits(status).name);
    to.addAny("status = ?", names);
}

void addBounds(Conditions& to, const RunFilter& filter)
{
    if (filter.since)
        to.add("received_at >= ?", {*filter.since});
    if (filter.before)
        to.add("received_at < ?", {*filter.before});
    if (filter.longerThan)
        to.add(
            "started_at IS NOT NULL AND execution_ms > ?",
            {static_cast<std::int64_t>(filter.longerThan->count())}
        );
    if (filter.shorterThan)
        to.add(
            "started_at IS NOT NULL AND execution_ms < ?",
            {static_cast<std::int64_t>(filter.shorterThan->count())}
        );
    if (filter.moreMemoryThan)
        to.add("memory_peak_bytes > ?", {clamped(*filter.moreMemoryThan)});
    if (filter.lessMemoryThan)
        to.add(
            "memory_peak_bytes > 0 AND memory_peak_bytes < ?", {clamped(*filter.lessMemoryThan)}
        );
}

void addFindings(Conditions& to, const RunFilter& filter)
{
    if (filter.hasFinding)
        to.add("findings > 0");
    if (filter.findingAtLeast) {
        std::vector<std::string> names;
        for (auto at = static_cast<std::size_t>(*filter.findingAtLeast);
             at < analysis::kSeverityNames.size();
             ++at)
            names.emplace_back(analysis::kSeverityNames.at(at));
        to.addAny("worst_finding = ?", names);
    }
    if (!filter.findingRule.empty())
        to.add(
            "findings > 0 AND EXISTS (SELECT 1 FROM reports, json_each("
            "CASE json_valid(report) WHEN 1 THEN report ELSE '{}' END, '$.findings') AS one "
            "WHERE reports.execution = sequence AND json_extract(one.value, '$.rule') = ?)",
            {filter.findingRule}
        );
}

Conditions conditionsOf(const RunFilter& filter)
{
    Conditions conditions;
    addStatuses(conditions, filter.statuses);
    conditions.addAny(
        "instr(lower(client_name), lower(?)) > 0 OR instr(lower(client_title), lower(?)) > 0",
        filter.clients,
        2
    );
    conditions.addAny("language = ?", filter.languages);
    conditions.addAny("policy = ?", filter.policies);
    addBounds(conditions, filter);
    addFindings(conditions, filter);
    conditions.addAny("sequence IN (SELECT execution FROM tags WHERE tag = ?)", filter.tags);
    if (filter.asked)
        conditions.add("verdict = 'ask'");
    if (filter.pinned)
        conditions.add("sequence IN (SELECT execution FROM marks WHERE pinned <> 0)");
    if (filter.noted)
        conditions.add("sequence IN (SELECT execution FROM marks WHERE note <> '')");
    if (!filter.session.empty())
        conditions.add("client_id = ?", {filter.session});
    if (!filter.codeSha256.empty())
        conditions.add("code_sha256 = ?", {filter.codeSha256});
    if (!filter.phrases.empty()) {
        const std::string expression = matchExpression(filter.phrases);
        if (expression.empty())
            conditions.add("0"); // nothing that could be searched for is found nowhere
        else
            conditions.add(
                "sequence IN (SELECT rowid FROM search WHERE search MATCH ?)", {expression}
            );
    }
    return conditions;
}

const char* keyOf(Grouping grouping)
{
    return grouping == Grouping::Session ? "client_id" : "code_sha256";
}

/// Sequences and counts of the page's rows: a walk over the narrow index alone.
std::string sequencesSql(const Conditions& conditions, Grouping grouping)
{
    const std::string from = " FROM executions INDEXED BY executions_facts WHERE ";
    if (grouping == Grouping::None)
        return "SELECT sequence, 1" + from + conditions.where() +
               " AND sequence < ? ORDER BY sequence DESC LIMIT ?";
    return "SELECT max(sequence) AS newest, count(*)" + from + conditions.where() + " GROUP BY " +
           keyOf(grouping) + " HAVING newest < ? ORDER BY newest DESC LIMIT ?";
}

std::vector<std::pair<std::string, std::uint64_t>> readCounts(SQLite::Statement& rows)
{
    std::vector<std::pair<std::string, std::uint64_t>> counts;
    while (rows.executeStep())
        counts.emplace_back(rows.getColumn(0).getString(), fromBits(rows.getColumn(1)));
    return counts;
}

} // namespace

class RunSearch::Impl {
public:
    Impl(std::filesystem::path file, std::unique_ptr<SQLite::Database> database)
        : m_file(std::move(file))
        , m_database(std::move(database))
        , m_statements(*m_database)
    {}

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

    void readRecord(std::int64_t sequence, RunRow& row);
    void readMarks(std::vector<RunRow>& rows);
    void readInFlight(RunStatistics& statistics);
    void readOutcomes(execution::UnixMs since, RunStatistics& statistics);
    void readDurations(execution::UnixMs since, RunStatistics& statistics);

private:
    std::filesystem::path m_file;
    std::unique_ptr<SQLite::Database> m_database;
    Statements m_statements;
};

void RunSearch::Impl::readRecord(std::int64_t sequence, RunRow& row)
{
    static const std::string sql =
        "SELECT sequence, " + recordColumns() + " FROM executions WHERE sequence = ?";
    auto select = prepared(sql);
    select->bind(1, sequence);
    if (select->executeStep())
        row.record = store::readRecord(*select);
}

void RunSearch::Impl::readMarks(std::vector<RunRow>& rows)
{
    if (rows.empty())
        return;
    std::unordered_map<std::int64_t, execution::Marks*> marks;
    for (RunRow& row : rows)
        marks.emplace(row.record.sequence, &row.marks);
    const auto ask = [&](const char* sql, auto take) {
        auto select = prepared(sql);
        select->bind(1, rows.back().record.sequence);
        select->bind(2, rows.front().record.sequence);
        while (select->executeStep()) {
            const auto found = marks.find(select->getColumn(0).getInt64());
            if (found != marks.end())
                take(*select, *found->second);
        }
    };
    ask("SELECT execution, pinned, note FROM marks WHERE execution BETWEEN ? AND ?",
        [](SQLite::Statement& from, execution::Marks& to) {
            to.pinned = from.getColumn(1).getInt() != 0;
            to.note = from.getColumn(2).getString();
        });
    ask("SELECT execution, tag FROM tags WHERE execution BETWEEN ? AND ? ORDER BY execution, tag",
        [](SQLite::Statement& from, execution::Marks& to) {
            to.tags.push_back(from.getColumn(1).getString());
        });
}

void RunSearch::Impl::readInFlight(RunStatistics& statistics)
{
    const auto countOf = [this](Status status) {
        auto select = prepared("SELECT count(*) FROM executions WHERE status = ?");
        select->bind(1, std::string(execution::statusTraits(status).name));
        select->executeStep();
        return fromBits(select->getColumn(0));
    };
    statistics.asked = countOf(Status::AwaitingApproval);
    statistics.running = countOf(Status::Running);
    statistics.waiting = statistics.asked + countOf(Status::Received) + countOf(Status::Analysing) +
                         countOf(Status::Queued);
}

void RunSearch::Impl::readOutcomes(execution::UnixMs since, RunStatistics& statistics)
{
    auto select = prepared("SELECT status, started_at IS NOT NULL, count(*) FROM executions "
                           "INDEXED BY executions_facts WHERE received_at >= ? GROUP BY 1, 2");
    select->bind(1, since);
    while (select->executeStep()) {
        const auto status = execution::statusFromName(select->getColumn(0).getString());
        const bool started = select->getColumn(1).getInt() != 0;
        const std::uint64_t count = fromBits(select->getColumn(2));
        statistics.received += count;
        if (status == Status::Succeeded)
            statistics.succeeded += count;
        else if (started && status && execution::isFinal(*status))
            statistics.unsuccessful += count;
    }
}

void RunSearch::Impl::readDurations(execution::UnixMs since, RunStatistics& statistics)
{
    auto select =
        prepared("SELECT execution_ms FROM executions INDEXED BY executions_facts "
                 "WHERE received_at >= ? AND started_at IS NOT NULL AND status <> 'running'");
    select->bind(1, since);
    std::vector<std::int64_t> times;
    while (select->executeStep())
        times.push_back(select->getColumn(0).getInt64());
    statistics.measured = times.size();
    if (times.empty())
        return;
    // The nearest rank: a time that was measured, not one in between.
    const auto rank = [&times](std::size_t percent) {
        const std::size_t at = (times.size() * percent + 99) / 100 - 1;
        const auto wanted = times.begin() + static_cast<std::ptrdiff_t>(at);
        std::nth_element(times.begin(), wanted, times.end());
        return execution::milliseconds(*wanted);
    };
    statistics.median = rank(50);
    statistics.percentile95 = rank(95);
}

RunSearch::RunSearch(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}

RunSearch::RunSearch(RunSearch&&) noexcept = default;
RunSearch& RunSearch::operator=(RunSearch&&) noexcept = default;
RunSearch::~RunSearch() = default;

Result<RunSearch> RunSearch::open(const std::filesystem::path& file)
{
    auto database = openForReading(file);
    if (!database)
        return fail(database.error());
    return RunSearch(std::make_unique<Impl>(file, std::move(*database)));
}

Result<std::vector<RunRow>> RunSearch::rows(const RunQuery& query)
{
    return m_impl->guarded([&]() -> Result<std::vector<RunRow>> {
        const Conditions conditions = conditionsOf(query.filter);
        auto select = m_impl->prepared(sequencesSql(conditions, query.grouping));
        const int next = conditions.bind(*select);
        select->bind(next, query.before.value_or(std::numeric_limits<std::int64_t>::max()));
        select->bind(next + 1, query.limit);
        std::vector<RunRow> rows;
        while (select->executeStep()) {
            RunRow row;
            row.count = fromBits(select->getColumn(1));
            m_impl->readRecord(select->getColumn(0).getInt64(), row);
            rows.push_back(std::move(row));
        }
        m_impl->readMarks(rows);
        return rows;
    });
}

Result<std::uint64_t> RunSearch::count(const RunFilter& filter)
{
    return m_impl->guarded([&]() -> Result<std::uint64_t> {
        const Conditions conditions = conditionsOf(filter);
        auto select = m_impl->prepared(
            "SELECT count(*) FROM executions INDEXED BY executions_facts WHERE " +
            conditions.where()
        );
        conditions.bind(*select);
        select->executeStep();
        return fromBits(select->getColumn(0));
    });
}

Result<RunStatistics> RunSearch::statistics(execution::UnixMs since)
{
    return m_impl->guarded([&]() -> Result<RunStatistics> {
        RunStatistics statistics;
        m_impl->readInFlight(statistics);
        m_impl->readOutcomes(since, statistics);
        m_impl->readDurations(since, statistics);
        for (const auto& [column, counts] :
             {std::pair("client_name", &statistics.clients),
              std::pair("language", &statistics.languages)}) {
            auto select = m_impl->prepared(
                std::string("SELECT ") + column +
                ", count(*) FROM executions INDEXED BY executions_facts "
                "WHERE received_at >= ? GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20"
            );
            select->bind(1, since);
            *counts = readCounts(*select);
        }
        return statistics;
    });
}

Result<std::uint64_t> RunSearch::countOfUnindexed()
{
    return m_impl->guarded([&]() -> Result<std::uint64_t> {
        auto select = m_impl->prepared("SELECT count(*) FROM search_rows WHERE chunks IS NULL");
        select->executeStep();
        return fromBits(select->getColumn(0));
    });
}

Result<std::vector<std::string>> RunSearch::tags()
{
    return m_impl->guarded([&]() -> Result<std::vector<std::string>> {
        auto select = m_impl->prepared(
            "SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY 2 DESC, 1 LIMIT 200"
        );
        std::vector<std::string> tags;
        for (auto& counted : readCounts(*select))
            tags.push_back(std::move(counted.first));
        return tags;
    });
}

} // namespace belljar::store
