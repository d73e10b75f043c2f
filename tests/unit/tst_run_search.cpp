// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/audit/verifier.h"
#include "engine/base/deadline.h"
#include "engine/store/database.h"
#include "engine/store/row.h"
#include "engine/store/run_search.h"
#include "engine/store/search_index.h"

#include <functional>
#include <thread>

#include "store_fixture.h"

using namespace belljar;
using namespace belljar::execution;
using namespace belljar::test;
using store::Grouping;
using store::RunFilter;
using store::RunQuery;
using store::RunRow;
using namespace std::chrono_literals;

namespace {

using Change = std::function<void(Record&)>;

/// A history with a search over it.
struct Bench : History {
    store::RunSearch search() const
    {
        auto opened = store::RunSearch::open(file);
        if (!opened)
            throw std::runtime_error(opened.error().message());
        return std::move(*opened);
    }
    Record ended(const std::string& code, const Change& change = {}, const std::string& output = {})
    {
        Record record = recordFor(code);
        if (change)
            change(record);
        Record kept = received(record, code).value();
        if (!output.empty())
            store->append(kept.id, std::vector{OutputChunk{Stream::Stdout, 0, output}});
        kept.status = record.status == Status::Received ? Status::Succeeded : record.status;
        kept.startedAt = kept.receivedAt;
        if (!commit(kept))
            throw std::runtime_error("not committed");
        return kept;
    }
    void waitForIndex() const
    {
        auto reader = search();
        for (int turn = 0; turn < 2000; ++turn) {
            if (reader.countOfUnindexed().value() == 0)
                return;
            std::this_thread::sleep_for(5ms);
        }
        throw std::runtime_error("not indexed within ten seconds");
    }
    std::vector<std::int64_t> found(const RunFilter& filter) const
    {
        std::vector<std::int64_t> sequences;
        RunQuery query;
        query.filter = filter;
        auto reader = search();
        for (const RunRow& row : reader.rows(query).value())
            sequences.push_back(row.record.sequence);
        if (reader.count(filter).value() != sequences.size())
            throw std::runtime_error("the count is another than the page's");
        return sequences;
    }
    std::vector<std::int64_t> foundText(const std::string& phrase) const
    {
        RunFilter filter;
        filter.phrases = {phrase};
        return found(filter);
    }
    Result<> erase(const ExecutionId& id)
    {
        audit::Entry entry;
        entry.type = audit::Type::HistoryDeleted;
        entry.execution = id;
        return runToEnd(context, store->erase(id, entry));
    }
};

using Sequences = std::vector<std::int64_t>;

/// Copies the first execution until there are `count`, every tenth failed, each with other times.
void multiply(const std::filesystem::path& file, int count)
{
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, 5000);
    std::string others = store::recordColumns();
    others.erase(0, std::string("id, ").size());
    SQLite::Statement copy(
        database,
        "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO "
        "executions (id, " +
            others + ") SELECT 'ex_copy_' || i, " + others +
            " FROM n, executions WHERE sequence = (SELECT min(sequence) FROM executions)"
    );
    copy.bind(1, count);
    copy.exec();
    database.exec("UPDATE executions SET execution_ms = sequence % 1000, status = "
                  "CASE sequence % 10 WHEN 0 THEN 'failed' ELSE 'succeeded' END");
}

double millisecondsOf(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

struct FilterCase {
    const char* name;
    void (*set)(RunFilter&);
    bool inMemory = true; ///< matches() tells it as well
};

/// Each finds the second of the executions that filtersByEveryFact() makes, and no other.
constexpr FilterCase kFilters[] = {
    {"status",
     [](RunFilter& f) {
         f.statuses = {Status::TimedOut, Status::Failed};
     }},
    {"client in any case",
     [](RunFilter& f) {
         f.clients = {"nope", "KIRO"};
     }},
    {"client's title", [](RunFilter& f) { f.clients = {"editor"}; }},
    {"language", [](RunFilter& f) { f.languages = {"bash"}; }},
    {"policy", [](RunFilter& f) { f.policies = {"strict"}; }},
    {"since", [](RunFilter& f) { f.since = 5000; }},
    {"since and before", [](RunFilter& f) { f.since = 5000, f.before = 5001; }},
    {"longer", [](RunFilter& f) { f.longerThan = 1999ms; }},
    {"more memory", [](RunFilter& f) { f.moreMemoryThan = 200U << 20U; }},
    {"finding", [](RunFilter& f) { f.hasFinding = true; }},
    {"severity", [](RunFilter& f) { f.findingAtLeast = analysis::Severity::Medium; }},
    {"asked", [](RunFilter& f) { f.asked = true; }},
    {"session", [](RunFilter& f) { f.session = "cl_second"; }},
    {"all at once",
     [](RunFilter& f) { f.statuses = {Status::Failed}, f.languages = {"bash"}, f.asked = true; }},
    {"rule", [](RunFilter& f) { f.findingRule = "bash.network"; }, false},
    {"tag",
     [](RunFilter& f) {
         f.tags = {"keep", "never"};
     },
     false},
    {"pinned", [](RunFilter& f) { f.pinned = true; }, false},
    {"note", [](RunFilter& f) { f.noted = true; }, false},
};

} // namespace
#endif

class TestRunSearch : public QObject {
    Q_OBJECT

private slots:
    void filtersByEveryFact_data()
    {
        QTest::addColumn<int>("at");
        for (int at = 0; at < int(std::size(kFilters)); ++at)
            QTest::newRow(kFilters[at].name) << at;
    }
    void filtersByEveryFact()
    {
        QFETCH(int, at);
        Bench bench;
        const Record first = bench.ended("print(1)", [](Record& r) { r.receivedAt = 1000; });
        const Record second = bench.ended("curl x", [](Record& r) {
            r.receivedAt = 5000;
            r.status = Status::Failed;
            r.client.id = ClientId("cl_second");
            r.client.name = "kiro-cli";
            r.client.title = "Kiro Editor";
            r.language = "bash";
            r.policy = "strict";
            r.verdict = Verdict::Ask;
            r.executionTime = 2000ms;
            r.memoryPeakBytes = 300U << 20U;
            r.findings = 1;
            r.worstFinding = "high";
        });
        analysis::Report report;
        report.findings.push_back({"bash.network", analysis::Severity::High, "network", "", {}});
        bench.store->keepReport(second.id, report);
        QVERIFY(runToEnd(bench.context, bench.store->mark(second.id, {true, "look", {"keep"}})));
        RunFilter filter;
        kFilters[at].set(filter);

        QCOMPARE(bench.found(filter), Sequences{second.sequence});
        QCOMPARE(bench.found({}), (Sequences{second.sequence, first.sequence}));
        QCOMPARE(store::needsDatabase(filter), !kFilters[at].inMemory);
        if (kFilters[at].inMemory) {
            QVERIFY(store::matches(filter, second));
            QVERIFY(!store::matches(filter, first));
        }
    }

    void whatDidNotStartIsNeitherLongNorShort()
    {
        Bench bench;
        const Record waiting = bench.receive();
        RunFilter filter;
        filter.shorterThan = 10s;
        QVERIFY(bench.found(filter).empty());
        QVERIFY(!store::matches(filter, waiting));
        RunFilter light;
        light.lessMemoryThan = 1U << 20U;
        QVERIFY(bench.found(light).empty());
        QVERIFY(!store::matches(light, waiting));
    }

    void pagesWithAFilter()
    {
        Bench bench;
        Sequences all;
        for (int count = 0; count < 7; ++count)
            all.insert(all.begin(), bench.ended("x").sequence);
        auto search = bench.search();
        RunQuery query;
        query.filter.languages = {"python"};
        query.limit = 3;
        Sequences paged;
        for (;;) {
            const auto rows = search.rows(query).value();
            for (const RunRow& row : rows)
                paged.push_back(row.record.sequence);
            if (rows.size() < query.limit)
                break;
            query.before = rows.back().record.sequence;
        }
        QCOMPARE(paged, all);
    }

    void groups()
    {
        Bench bench;
        const auto from = [](const char* id) {
            return [id](Record& r) { r.client.id = ClientId(id); };
        };
        bench.ended("a", from("one"));
        const Record b = bench.ended("b", from("one"));
        const Record a = bench.ended("a", from("two"));
        auto search = bench.search();
        RunQuery query;

        query.grouping = Grouping::Session;
        auto rows = search.rows(query).value();
        QCOMPARE(rows.size(), 2U);
        QVERIFY(rows[0].record.id == a.id && rows[0].count == 1);
        QVERIFY(rows[1].record.id == b.id && rows[1].count == 2);

        query.grouping = Grouping::Code;
        rows = search.rows(query).value();
        QCOMPARE(rows.size(), 2U);
        QVERIFY(rows[0].record.id == a.id && rows[0].count == 2);
        query.before = rows[0].record.sequence;
        rows = search.rows(query).value();
        QCOMPARE(rows.size(), 1U);
        QVERIFY(rows[0].record.id == b.id);
    }

    void findsTextOfCodeAndOutput_data()
    {
        QTest::addColumn<QString>("phrase");
        QTest::addColumn<bool>("found");
        QTest::newRow("word") << "requests" << true;
        QTest::newRow("beginning of a word") << "requ" << true;
        QTest::newRow("another case") << "IMPORT" << true;
        QTest::newRow("phrase") << "import requests" << true;
        QTest::newRow("words apart") << "import numpy" << false;
        QTest::newRow("with punctuation") << "np.linalg.norm(" << true;
        QTest::newRow("accents") << "resume" << true;
        QTest::newRow("output") << "hello from" << true;
        QTest::newRow("Chinese in the middle") << QString::fromUtf8("沙箱") << true;
        QTest::newRow("Chinese apart") << QString::fromUtf8("箱沙") << false;
        QTest::newRow("quote") << "say \"hi" << true;
        QTest::newRow("nothing like it") << "zebra" << false;
        QTest::newRow("operator of FTS5") << "import OR zebra" << false;
        QTest::newRow("column of FTS5") << "code:import" << false;
        QTest::newRow("near") << "NEAR(import requests)" << false;
        QTest::newRow("star") << "*" << false;
        QTest::newRow("only quotes") << "\"\"\"" << false;
        QTest::newRow("bracket") << "(" << false;
        QTest::newRow("SQL") << "'; DROP TABLE executions; --" << false;
        QTest::newRow("hat") << "^requests" << true;
        QTest::newRow("minus") << "-requests" << true;
    }
    void findsTextOfCodeAndOutput()
    {
        QFETCH(QString, phrase);
        QFETCH(bool, found);
        Bench bench;
        bench.ended("print(2)");
        const Record record = bench.ended(
            "import requests\nimport os, numpy as np\nnp.linalg.norm(x)  # r\u00e9sum\u00e9 "
            "\u6211\u7684\u6c99\u7bb1\u7a0b\u5e8f\nprint('say \"hi\"')\n",
            {},
            "hello from\xff the inside\n"
        );
        bench.waitForIndex();

        QCOMPARE(
            bench.foundText(phrase.toStdString()), found ? Sequences{record.sequence} : Sequences{}
        );
    }

    void foreignTextIsNeverSyntax()
    {
        Bench bench;
        bench.ended("print(1)");
        bench.waitForIndex();
        for (int byte = 0; byte < 256; ++byte) {
            const std::string odd(1, static_cast<char>(byte));
            for (const std::string& phrase : {odd, "a" + odd, odd + "a", "a" + odd + odd + "b"}) {
                RunFilter filter;
                filter.phrases = {phrase, "\"" + phrase};
                filter.clients = filter.tags = filter.policies = {phrase};
                const auto rows = bench.search().rows({filter, {}, {}, 1});
                QVERIFY2(rows, rows ? "" : rows.error().message().c_str());
            }
        }
    }

    void editedCodeIsFoundToo()
    {
        Bench bench;
        Record record = bench.receive("original = 1");
        const std::string edited = "replacement = 2";
        QVERIFY(runToEnd(bench.context, bench.store->keepEdited(sha256Hex(edited), text(edited))));
        record.ranSha256 = sha256Hex(edited);
        record.status = Status::Succeeded;
        QVERIFY(bench.commit(record));
        bench.waitForIndex();
        QCOMPARE(bench.foundText("replacement"), Sequences{record.sequence});
        QCOMPARE(bench.foundText("original"), Sequences{record.sequence});
    }

    void aLongOutputIsFoundByItsBeginning()
    {
        Bench bench;
        const std::string filler(store::kSearchedOutputBytes, ' ');
        const Record record = bench.ended("x", {}, "early" + filler + "late");
        bench.waitForIndex();
        QCOMPARE(bench.foundText("early"), Sequences{record.sequence});
        QVERIFY(bench.foundText("late").empty());
    }

    void keepsMarks()
    {
        Bench bench;
        const Record record = bench.ended("x");
        const Marks marks{true, "a \"note\"\n", {"later", "net"}};
        QVERIFY(runToEnd(bench.context, bench.store->mark(record.id, {false, "old", {"old"}})));
        QVERIFY(runToEnd(bench.context, bench.store->mark(record.id, marks)));
        QVERIFY(bench.commit(record)); // the engine's row doesn't take them away
        auto search = bench.search();
        QVERIFY(search.rows({}).value().front().marks == marks);
        QVERIFY(search.tags().value() == marks.tags);
    }

    void refusesMarksThatAreTooMuch()
    {
        Bench bench;
        const Record record = bench.ended("x");
        const auto codeOf = [&](const ExecutionId& id, const Marks& marks) {
            const auto done = runToEnd(bench.context, bench.store->mark(id, marks));
            return done ? std::string("done") : std::string(nameOf(done.error().code()));
        };
        const std::string invalid(nameOf(Errc::InvalidArgument));
        QCOMPARE(codeOf(record.id, {false, std::string(4097, 'x'), {}}), invalid);
        QCOMPARE(codeOf(record.id, {false, "", {std::string(65, 'x')}}), invalid);
        QCOMPARE(codeOf(record.id, {false, "", {""}}), invalid);
        QCOMPARE(codeOf(record.id, {false, "", std::vector<std::string>(33, "x")}), invalid);
        QCOMPARE(codeOf(ExecutionId("ex_none"), {}), std::string(nameOf(Errc::NotFound)));
    }

    void deletesAllOfAnExecutionButItsAudit()
    {
        Bench bench;
        const Record gone = bench.ended("secretword = 1", {}, "secretoutput");
        const Record kept = bench.ended("print(1)");
        bench.store->append(gone.id, std::vector{Sample{}});
        QVERIFY(runToEnd(bench.context, bench.store->mark(gone.id, {true, "n", {"t"}})));
        bench.waitForIndex();

        QVERIFY(bench.erase(gone.id));

        QCOMPARE(bench.found({}), Sequences{kept.sequence});
        QVERIFY(bench.foundText("secretword").empty());
        QCOMPARE(nameOf(bench.reader().record(gone.id).error().code()), nameOf(Errc::NotFound));
        bench.store.reset();
        SQLite::Database database(bench.file.string(), SQLite::OPEN_READWRITE);
        for (const char* table : {"output", "samples", "marks", "tags"})
            QCOMPARE(database.execAndGet(std::string("SELECT count(*) FROM ") + table).getInt(), 0);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM blobs").getInt(), 1);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM search_rows").getInt(), 1);
        database.exec("INSERT INTO search(search) VALUES ('integrity-check')");
        SQLite::Statement vocabulary(
            database, "SELECT count(*) FROM search WHERE search MATCH 'secretword OR secretoutput'"
        );
        vocabulary.executeStep();
        QCOMPARE(vocabulary.getColumn(0).getInt(), 0);
        QCOMPARE(
            database
                .execAndGet(
                    "SELECT count(*) FROM audit WHERE type = 'history_deleted' AND "
                    "execution = '" +
                    gone.id.text() + "'"
                )
                .getInt(),
            1
        );
    }

    void keepsCodeThatAnotherExecutionHas()
    {
        Bench bench;
        const Record one = bench.ended("same");
        const Record two = bench.ended("same");
        QVERIFY(bench.erase(one.id));
        QCOMPARE(bench.reader().code(two.id).value(), std::string("same"));
    }

    void keepsSettingsUntilTheLastExecutionThatHadThemIsDeleted()
    {
        Bench bench;
        const std::string settings = R"({"Image":"sha256:0f"})";
        bench.store->keepSettings(sha256Hex(settings), text(settings));
        const auto withThem = [&](Record& r) { r.settingsSha256 = sha256Hex(settings); };
        const Record one = bench.ended("first", withThem);
        const Record two = bench.ended("second", withThem);
        QVERIFY(bench.erase(one.id));
        QCOMPARE(bench.reader().containerSettings(two.id).value(), settings);
        QVERIFY(bench.erase(two.id));
        bench.store.reset();
        SQLite::Database database(bench.file.string(), SQLite::OPEN_READONLY);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM blobs").getInt(), 0);
    }

    void keepsAFileUntilTheLastExecutionThatLeftItIsDeleted()
    {
        Bench bench;
        execution::RunFile plot;
        plot.name = "plot.png";
        plot.bytes = text("bytes");
        plot.size = 5;
        plot.sha256 = sha256Hex(*plot.bytes);
        execution::RunFiles files;
        files.files = {plot, plot};
        files.counts[0] = 2;
        const Record one = bench.ended("first");
        const Record two = bench.ended("second");
        QVERIFY(bench.keepFiles(one.id, files));
        QVERIFY(bench.keepFiles(two.id, files));
        QVERIFY(bench.erase(one.id));
        QCOMPARE(bench.reader().fileBytes(two.id, 1).value(), std::string("bytes"));
        QVERIFY(bench.erase(two.id));
        bench.store.reset();
        SQLite::Database database(bench.file.string(), SQLite::OPEN_READONLY);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM blobs").getInt(), 0);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM files").getInt(), 0);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM file_totals").getInt(), 0);
    }

    void deletesNothingInFlight()
    {
        Bench bench;
        const Record record = bench.receive();
        const auto erased = bench.erase(record.id);
        QVERIFY(!erased);
        QCOMPARE(nameOf(erased.error().code()), nameOf(Errc::InvalidArgument));
        QCOMPARE(nameOf(bench.erase(ExecutionId("x")).error().code()), nameOf(Errc::NotFound));
        QCOMPARE(bench.found({}), Sequences{record.sequence});
    }

    void statesTheNumbers()
    {
        Bench bench;
        const auto lasting = [](int ms, Status status, UnixMs at) {
            return [=](Record& r) {
                r.executionTime = execution::milliseconds(ms);
                r.status = status;
                r.receivedAt = at;
            };
        };
        bench.ended("old", lasting(9999, Status::Failed, 10));
        for (int ms = 1; ms <= 100; ++ms)
            bench.ended("x", lasting(ms, ms <= 75 ? Status::Succeeded : Status::TimedOut, 1000));
        bench.receive();
        Record running = bench.receive();
        running.status = Status::Running;
        running.startedAt = 5;
        QVERIFY(bench.commit(running));
        const auto numbers = bench.search().statistics(1000).value();
        QCOMPARE(numbers.received, 102U);
        QCOMPARE(numbers.succeeded, 75U);
        QCOMPARE(numbers.unsuccessful, 25U);
        QCOMPARE(numbers.running, 1U);
        QCOMPARE(numbers.waiting, 1U);
        QCOMPARE(numbers.measured, 100U);
        QCOMPARE(numbers.median.count(), 50);
        QCOMPARE(numbers.percentile95.count(), 95);
        QCOMPARE(numbers.clients.size(), 1U);
        QCOMPARE(numbers.clients[0].second, 102U);
    }

    void bringsAnOlderHistoryForwardAndIndexesItInTheBackground()
    {
        Bench bench;
        const Record record = bench.ended("import ancient", {}, "relic");
        bench.store.reset();
        {
            // As the release before left it.
            SQLite::Database database(bench.file.string(), SQLite::OPEN_READWRITE);
            database.exec("DROP TABLE search; DROP TABLE search_rows; DROP TABLE tags; DROP TABLE "
                          "marks; DROP INDEX executions_facts; DROP INDEX executions_by_ran; "
                          "DROP INDEX executions_by_settings; "
                          "DROP TABLE files; DROP TABLE file_totals; "
                          "ALTER TABLE executions DROP COLUMN analysed_at; "
                          "ALTER TABLE executions DROP COLUMN decided_at; "
                          "ALTER TABLE executions DROP COLUMN queued_at; "
                          "ALTER TABLE executions DROP COLUMN first_output_at; "
                          "ALTER TABLE executions DROP COLUMN settings_sha256; "
                          "ALTER TABLE samples DROP COLUMN output_bytes; "
                          "PRAGMA user_version = 3");
        }
        bench.store = bench.open();
        QCOMPARE(bench.found({}), Sequences{record.sequence});
        const Record old = bench.reader().record(record.id).value();
        QVERIFY(!old.analysedAt && !old.decidedAt && !old.queuedAt && !old.firstOutputAt);
        QCOMPARE(bench.reader().containerSettings(record.id).value(), std::string());
        QVERIFY(bench.reader().files(record.id).value().isEmpty());
        bench.waitForIndex();
        QCOMPARE(bench.foundText("ancient"), Sequences{record.sequence});
        QCOMPARE(bench.foundText("relic"), Sequences{record.sequence});
    }

    void aDamagedPieceStopsNoIndex()
    {
        Bench bench;
        const Record damaged = bench.receive("broken");
        SQLite::Database(bench.file.string(), SQLite::OPEN_READWRITE, 5000)
            .exec("UPDATE blobs SET bytes = -1");
        Record ended = damaged;
        ended.status = Status::Failed;
        QVERIFY(bench.commit(ended));
        const Record sound = bench.ended("healthy");
        bench.waitForIndex();
        QCOMPARE(bench.foundText("healthy"), Sequences{sound.sequence});
    }

    void answersQuicklyOverALongHistory()
    {
        Bench bench;
        bench.ended("import requests");
        bench.waitForIndex();
        multiply(bench.file, 100'000);
        auto search = bench.search();
        RunQuery query;
        query.limit = 200;
        const double opening = millisecondsOf([&] { (void)store::RunSearch::open(bench.file); });
        const double first = millisecondsOf([&] { (void)search.rows(query).value(); });
        query.filter.statuses = {Status::TimedOut}; // none: every execution is looked at
        const double none = millisecondsOf([&] { (void)search.rows(query).value(); });
        query.filter.statuses = {};
        query.filter.phrases = {"requests"};
        const double byText = millisecondsOf([&] { (void)search.rows(query).value(); });
        query.filter.phrases = {};
        query.grouping = Grouping::Code;
        const double grouped = millisecondsOf([&] { (void)search.rows(query).value(); });
        const double numbers = millisecondsOf([&] { (void)search.statistics(0).value(); });
        qInfo(
            "100,000 executions: open %.1f ms, first page %.1f, filter that finds none %.1f, text "
            "%.1f, groups %.1f, dashboard %.1f",
            opening,
            first,
            none,
            byText,
            grouped,
            numbers
        );
        QVERIFY2(opening + first < 200, "the first page takes too long");
    }
};

QTEST_GUILESS_MAIN(TestRunSearch)
#include "tst_run_search.moc"
