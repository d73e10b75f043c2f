// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QProcess>
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/audit/chain.h"
#include "engine/audit/head.h"
#include "engine/audit/log_reader.h"
#include "engine/base/file.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <mutex>

#include "store_fixture.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::audit;
using namespace belljar::test;
using execution::Record;
using execution::Status;

namespace {

namespace fs = std::filesystem;

Entry entryOf(Type type, Json detail = Json::object(), const std::string& execution = "")
{
    Entry entry;
    entry.type = type;
    entry.execution = ExecutionId(execution);
    entry.client = ClientId("cl_1");
    entry.detail = std::move(detail);
    return entry;
}

/// A history whose audit log can be written, damaged and verified.
struct Log : History {
    fs::path head = headFileOf(file);

    Result<> write(Entry entry) { return runToEnd(context, store->auditDurable(std::move(entry))); }
    /// Ten rows with everything in them, written and closed.
    void fill(int rows = 10)
    {
        for (int number = 1; number <= rows; ++number)
            store->audit(
                entryOf(Type::Decided, {{"number", number}}, "ex_" + std::to_string(number % 3))
            );
        close();
    }
    void close() { store.reset(); }
    /// What somebody with an editor for databases does.
    void damage(const std::string& sql)
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, 5000);
        database.exec(sql);
    }
    /// Rehashes row `sequence`, as somebody does who knows how.
    void rehash(std::int64_t sequence, bool relink)
    {
        Row row = reader().row(sequence).value();
        if (relink)
            row.previous = reader().row(sequence - 1).value().hash;
        row.hash = hashOf(row);
        damage(
            "UPDATE audit SET hash = '" + row.hash + "', previous = '" + row.previous +
            "' WHERE sequence = " + std::to_string(sequence)
        );
    }
    LogReader reader() const { return LogReader::open(file).value(); }
    Verification verify() const { return reader().verify().value(); }
    std::vector<Row> rows() const
    {
        LogQuery query;
        query.limit = 100'000;
        auto rows = reader().page(query).value();
        std::reverse(rows.begin(), rows.end());
        return rows;
    }
};

QString words(const Verification& found)
{
    QStringList lines;
    for (const Break& line : found.breaks)
        lines << QStringLiteral("%1 %2")
                     .arg(line.sequence)
                     .arg(QString::fromStdString(std::string(nameOf(line.kind))));
    return lines.join(QStringLiteral(", "));
}

QString types(const std::vector<Row>& rows)
{
    QStringList names;
    for (const Row& row : rows)
        names << QString::fromStdString(row.type);
    return names.join(QStringLiteral(", "));
}

/// What the child process does: writes durable rows, and is gone the moment the last is written.
int writeAndDie(const std::string& file)
{
    asio::io_context context;
    auto store = store::Store::open(file).value();
    for (int number = 0; number < 5; ++number) {
        if (!runToEnd(context, store->auditDurable(entryOf(Type::Decided))))
            return 1;
    }
    ::kill(::getpid(), SIGKILL);
    return 2;
}

} // namespace
#endif

class TestAuditLog : public QObject {
    Q_OBJECT

private slots:
    void chainsRowsInTheOrderOfTheWrites()
    {
        Log log;
        Record record = recordFor("a");
        QVERIFY(runToEnd(
            log.context,
            log.store->received(record, text("a"), entryOf(Type::RequestReceived, {}, "ex_a"))
        ));
        log.store->audit(entryOf(Type::Decided, {{"verdict", "allow"}}));
        record.status = Status::Succeeded;
        QVERIFY(runToEnd(log.context, log.store->commit(record, entryOf(Type::ExecutionEnded))));
        QVERIFY(log.write(entryOf(Type::EngineStopped)));

        const auto rows = log.rows();
        QCOMPARE(
            types(rows),
            QStringLiteral("request_received, decided, execution_ended, engine_stopped")
        );
        std::string previous = zeroHash();
        std::int64_t sequence = 0;
        for (const Row& row : rows) {
            QCOMPARE(row.sequence, ++sequence);
            QVERIFY(row.previous == previous);
            QVERIFY(row.hash == hashOf(row));
            previous = row.hash;
        }
        QVERIFY(log.verify().intact);
    }

    void anExecutionAndItsRowAreBothThereOrNeither()
    {
        Log log;
        const Record record = recordFor("a");
        const auto refused = runToEnd(
            log.context, log.store->received(record, text("other"), entryOf(Type::RequestReceived))
        );
        QVERIFY(!refused);
        Record unknown = recordFor("b");
        QVERIFY(!runToEnd(log.context, log.store->commit(unknown, entryOf(Type::ExecutionEnded))));
        QCOMPARE(log.rows().size(), 0U);

        // A trigger is what a table that can't be written looks like.
        log.damage("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN "
                   "SELECT RAISE(ABORT, 'no room'); END");
        const auto unwritten = runToEnd(
            log.context, log.store->received(record, text("a"), entryOf(Type::RequestReceived))
        );
        QVERIFY2(!unwritten, "no unrecorded run (R-112)");
        QVERIFY(!log.write(entryOf(Type::Decided)));
        QCOMPARE(store::HistoryReader::open(log.file).value().count().value(), 0U);

        log.damage("DROP TRIGGER full");
        QVERIFY(log.write(entryOf(Type::Decided)));
        QCOMPARE(log.rows().size(), 1U);
        QVERIFY2(log.verify().intact, "what failed left no trace in the chain");
    }

    /// One failing write takes its batch back; the rows before and behind it are written again.
    void aBatchThatFallsApartLeavesNoGap()
    {
        Log log;
        for (int number = 0; number < 20; ++number) {
            log.store->audit(entryOf(Type::Decided, {{"number", number}}));
            if (number % 5 == 0)
                log.store->update(recordFor("unknown"));
        }
        log.close();

        const auto rows = log.rows();
        QCOMPARE(rows.size(), 20U);
        for (std::size_t index = 0; index < rows.size(); ++index)
            QCOMPARE(
                QString::fromStdString(rows[index].detail),
                QStringLiteral("{\"number\":%1}").arg(index)
            );
        QVERIFY(log.verify().intact);
    }

    void goesOnWithTheChainInTheNextLife()
    {
        Log log;
        log.fill(3);
        log.store = log.open();
        QVERIFY(!log.store->auditDamage());
        QVERIFY(log.write(entryOf(Type::EngineStarted)));
        QCOMPARE(log.rows().back().sequence, 4);
        QVERIFY(log.verify().intact);
    }

    void theHeadIsWrittenAtStartAndAtTheEnd()
    {
        Log log;
        const auto atStart = readHead(log.head);
        QVERIFY(atStart);
        QCOMPARE(atStart->sequence, 0);
        log.fill(3);
        const auto atEnd = readHead(log.head);
        QVERIFY(atEnd);
        const auto rows = log.rows();
        const Head expected{rows.front().hash, 3, rows.back().hash, 0};
        QVERIFY(*atEnd == expected);
        struct stat info {};
        QCOMPARE(::stat(log.head.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
    }

    void theHeadIsWrittenAfterAHundredRowsAtLeast()
    {
        Log log;
        for (int number = 0; number < 100; ++number)
            log.store->audit(entryOf(Type::Decided));
        QTRY_COMPARE(readHead(log.head).value().sequence, 100);
    }

    /// Killed between a commit and the head: the log is longer than the head, which is no damage.
    void survivesAKillBeforeTheHeadIsWritten()
    {
        PrivateFolder folder;
        const fs::path file = folder.path() / "history.db";
        for (int life = 1; life <= 3; ++life) {
            QProcess child;
            child.start(
                QCoreApplication::applicationFilePath(),
                {QStringLiteral("--die"), QString::fromStdString(file.string())}
            );
            QVERIFY(child.waitForFinished(60'000));
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            auto reader = LogReader::open(file).value();
            const Verification found = reader.verify().value();
            QVERIFY2(found.intact, qPrintable(words(found)));
            QCOMPARE(found.rows, std::uint64_t(5 * life));
        }
        QVERIFY(!store::Store::open(file).value()->auditDamage());
    }

    void theNewestComeOldestFirst()
    {
        Log log;
        log.fill(2500); // more than are read at once
        auto reader = log.reader();
        for (const std::uint64_t limit : {1U, 999U, 1000U, 1001U, 2500U, 9999U}) {
            std::int64_t last = 0;
            std::int64_t first = 0;
            const auto take = [&](const Row& row) {
                first = first == 0 ? row.sequence : first;
                last = row.sequence;
                return true;
            };
            const std::uint64_t expected = std::min<std::uint64_t>(limit, 2500);
            QCOMPARE(reader.newest({}, limit, take).value(), expected);
            QCOMPARE(last, 2500);
            QCOMPARE(first, 2501 - static_cast<std::int64_t>(expected));
        }
        LogFilter filter;
        filter.execution = "ex_1"; // every third
        std::vector<std::int64_t> seen;
        const auto take = [&](const Row& row) {
            seen.push_back(row.sequence);
            return seen.size() < 3; // and no more
        };
        QVERIFY(reader.newest(filter, 5, take));
        QVERIFY((seen == std::vector<std::int64_t>{2488, 2491, 2494}));
        QCOMPARE(reader.newest({}, 0, take).value(), 0U);
    }

    void findsDamage_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const char* sql, const char* found) {
            QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(found);
        };
        row("untouched", "SELECT 1", "");
        row("edited time", "UPDATE audit SET at_ms = at_ms + 1 WHERE sequence = 5", "5 edited");
        row("edited type", "UPDATE audit SET type = 'ended' WHERE sequence = 5", "5 edited");
        row("edited execution", "UPDATE audit SET execution = 'ex_x' WHERE sequence = 5", "5 edited"
        );
        row("edited client", "UPDATE audit SET client = '' WHERE sequence = 5", "5 edited");
        row("edited detail", "UPDATE audit SET detail = '{}' WHERE sequence = 5", "5 edited");
        row("edited previous hash",
            "UPDATE audit SET previous = replace(previous, substr(previous, 1, 1), 'x') "
            "WHERE sequence = 5",
            "5 unlinked, 5 edited");
        row("edited hash",
            "UPDATE audit SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE sequence = 5",
            "5 edited, 6 unlinked");
        row("edited sequence",
            "UPDATE audit SET sequence = 11 WHERE sequence = 10",
            "11 missing, 11 edited");
        row("edited first row", "UPDATE audit SET detail = '{}' WHERE sequence = 1", "1 edited");
        row("edited last row", "UPDATE audit SET detail = '{}' WHERE sequence = 10", "10 edited");
        // The same bytes to whoever reads them as text or number, and not there for whoever
        // searches.
        row("type no longer a text",
            "UPDATE audit SET type = CAST(type AS BLOB) WHERE sequence = 5",
            "5 edited");
        row("execution no longer a text",
            "UPDATE audit SET execution = CAST(execution AS BLOB) WHERE sequence = 5",
            "5 edited");
        row("detail no longer a text",
            "UPDATE audit SET detail = CAST(detail AS BLOB) WHERE sequence = 5",
            "5 edited");
        row("time no longer a number",
            "UPDATE audit SET at_ms = at_ms || ' or so' WHERE sequence = 5",
            "5 edited");
        row("time no longer a whole number",
            "UPDATE audit SET at_ms = at_ms + 0.25 WHERE sequence = 5",
            "5 edited");
        row("a row at the last number there is",
            "INSERT INTO audit SELECT 9223372036854775807, at_ms, type, execution, client, "
            "detail, previous, hash FROM audit WHERE sequence = 10",
            "9223372036854775807 missing, 9223372036854775807 edited");
        row("deleted row", "DELETE FROM audit WHERE sequence = 5", "6 missing");
        row("deleted rows", "DELETE FROM audit WHERE sequence BETWEEN 3 AND 7", "8 missing");
        row("deleted first row", "DELETE FROM audit WHERE sequence = 1", "2 missing, 2 head_differs"
        );
        row("deleted and closed up",
            "DELETE FROM audit WHERE sequence = 9; "
            "UPDATE audit SET sequence = 9 WHERE sequence = 10",
            "9 unlinked, 9 edited, 10 truncated");
        row("inserted before the first",
            "INSERT INTO audit SELECT 0, at_ms, type, execution, client, detail, previous, hash "
            "FROM audit WHERE sequence = 1",
            "0 misplaced, 0 edited");
        row("inserted behind the last",
            "INSERT INTO audit SELECT 11, at_ms, type, execution, client, detail, previous, hash "
            "FROM audit WHERE sequence = 10",
            "11 unlinked, 11 edited");
        row("inserted between",
            "UPDATE audit SET sequence = 11 WHERE sequence = 10; "
            "INSERT INTO audit SELECT 10, at_ms, type, execution, client, detail, previous, hash "
            "FROM audit WHERE sequence = 9",
            "10 unlinked, 10 edited, 10 head_differs, 11 edited");
        row("reordered",
            "UPDATE audit SET sequence = -1 WHERE sequence = 5; "
            "UPDATE audit SET sequence = 5 WHERE sequence = 6; "
            "UPDATE audit SET sequence = 6 WHERE sequence = -1",
            "5 unlinked, 5 edited, 6 unlinked, 6 edited, 7 unlinked");
        row("cut off by one", "DELETE FROM audit WHERE sequence = 10", "10 truncated");
        row("cut off", "DELETE FROM audit WHERE sequence > 4", "5 truncated");
        row("emptied", "DELETE FROM audit", "1 truncated");
    }
    void findsDamage()
    {
        QFETCH(QString, sql);
        QFETCH(QString, found);
        Log log;
        log.fill();
        log.damage(sql.toStdString());

        const Verification result = log.verify();

        QCOMPARE(words(result), found);
        QCOMPARE(result.intact, found.isEmpty());
    }

    /// Damage by somebody who makes the hashes fit again.
    void findsDamageThatWasRehashed()
    {
        {
            Log log;
            log.fill();
            log.damage("UPDATE audit SET detail = '{}' WHERE sequence = 5");
            log.rehash(5, false);
            QCOMPARE(words(log.verify()), QStringLiteral("6 unlinked"));
        }
        {
            Log log;
            log.fill();
            log.damage("UPDATE audit SET detail = '{}' WHERE sequence = 10");
            log.rehash(10, false);
            QCOMPARE(words(log.verify()), QStringLiteral("10 head_differs"));
        }
        Log log;
        log.fill();
        log.damage("UPDATE audit SET detail = '{}' WHERE sequence = 1");
        log.rehash(1, false);
        for (int sequence = 2; sequence <= 10; ++sequence)
            log.rehash(sequence, true);
        const Verification found = log.verify();
        QCOMPARE(words(found), QStringLiteral("1 head_differs, 10 head_differs"));
        QVERIFY(found.head == HeadState::Differs);
    }

    void findsAReplacedDatabase()
    {
        Log log;
        log.fill();
        Log other;
        other.fill(12);
        fs::copy_file(other.file, log.file, fs::copy_options::overwrite_existing);
        const Verification found = log.verify();
        QCOMPARE(words(found), QStringLiteral("1 head_differs, 10 head_differs"));
    }

    void findsThatTheDatabaseIsGone()
    {
        Log log;
        log.fill();
        for (const char* beside : {"", "-wal", "-shm"})
            fs::remove(log.file.string() + beside);
        QCOMPARE(words(verifyLog(log.file).value()), QStringLiteral("1 truncated"));
        fs::remove(log.head);
        QVERIFY2(verifyLog(log.file)->intact, "before the first start there is nothing to lose");
    }

    void findsADamagedHead_data()
    {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("found");
        const QString hash(64, QLatin1Char('a'));
        QTest::newRow("gone") << QString() << "10 head_missing";
        QTest::newRow("empty") << " "
                               << "10 head_unreadable";
        QTest::newRow("other hash")
            << "{\"first\":\"FIRST\",\"hash\":\"" + hash + "\",\"sequence\":10}"
            << "10 head_differs";
        QTest::newRow("other first row")
            << "{\"first\":\"" + hash + "\",\"hash\":\"LAST\",\"sequence\":10}"
            << "1 head_differs";
        QTest::newRow("smaller number") << "{\"first\":\"FIRST\",\"hash\":\"LAST\",\"sequence\":8}"
                                        << "8 head_differs";
        QTest::newRow("greater number") << "{\"first\":\"FIRST\",\"hash\":\"LAST\",\"sequence\":11}"
                                        << "11 truncated";
    }
    void findsADamagedHead()
    {
        QFETCH(QString, content);
        QFETCH(QString, found);
        Log log;
        log.fill();
        const auto rows = log.rows();
        content.replace(QStringLiteral("FIRST"), QString::fromStdString(rows.front().hash));
        content.replace(QStringLiteral("LAST"), QString::fromStdString(rows.back().hash));
        fs::remove(log.head);
        if (!content.isEmpty())
            QVERIFY(writeFile(log.head, content.toStdString(), 0600));

        QCOMPARE(words(log.verify()), found);
        QVERIFY2(!log.reader().verifyEnd()->intact, "and so does the quick check at the start");
    }

    void namesTheBreakInANewSegment_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<int>("sequence");
        QTest::addColumn<QString>("meaning");
        QTest::newRow("cut off") << "DELETE FROM audit WHERE sequence > 7" << 11
                                 << "rows 8 to 10 were cut off at the end";
        QTest::newRow("edited") << "UPDATE audit SET detail = '{}' WHERE sequence = 9" << 11
                                << "row 9 isn't what was written";
        QTest::newRow("emptied") << "DELETE FROM audit" << 11
                                 << "the database was emptied or replaced";
        QTest::newRow("begun later")
            << "DELETE FROM audit WHERE sequence < 3" << 11 << "rows 1 to 2 were deleted";
    }
    void namesTheBreakInANewSegment()
    {
        QFETCH(QString, sql);
        QFETCH(int, sequence);
        QFETCH(QString, meaning);
        Log log;
        log.fill();
        log.damage(sql.toStdString());

        log.store = log.open();
        QVERIFY(log.store->auditDamage());
        QVERIFY(QString::fromStdString(*log.store->auditDamage()).contains(meaning));
        QVERIFY(log.write(entryOf(Type::EngineStarted)));
        const auto rows = log.rows();
        const Row& broken = rows[rows.size() - 2];
        QCOMPARE(broken.sequence, sequence);
        QCOMPARE(QString::fromStdString(broken.type), QStringLiteral("chain_broken"));
        QVERIFY(QString::fromStdString(broken.detail).contains(meaning));
        QVERIFY2(!log.verify().intact, "damage isn't healed by naming it (R-113)");

        for (int life = 0; life < 2; ++life) {
            log.close();
            log.store = log.open();
            QVERIFY2(log.store->auditDamage(), "it is shown in every later life");
            QVERIFY(QString::fromStdString(*log.store->auditDamage()).contains(meaning));
            QVERIFY(!log.reader().verifyEnd()->intact);
        }
        QCOMPARE(log.rows().size(), rows.size());
    }

    void findsDamageFarBehindTheEndAtTheStart()
    {
        Log log;
        log.fill(500);
        log.damage("DELETE FROM audit WHERE sequence = 1");
        log.store = log.open();
        QVERIFY2(log.store->auditDamage(), "the first row is looked at");
        log.close();

        Log other;
        other.fill(500);
        other.damage("UPDATE audit SET detail = '{}' WHERE sequence = 50");
        other.store = other.open();
        QVERIFY2(!other.store->auditDamage(), "the quick check reads only the end");
        QCOMPARE(words(other.verify()), QStringLiteral("50 edited"));
    }

    void noticesChangesWhileItRuns()
    {
        Log log;
        std::mutex mutex;
        std::string told;
        log.store->onFailure([&](const Error& error) {
            const std::lock_guard lock(mutex);
            told = error.message();
        });
        for (int number = 0; number < 5; ++number)
            QVERIFY(log.write(entryOf(Type::Decided)));
        log.damage("DELETE FROM audit WHERE sequence > 3");
        QVERIFY(log.write(entryOf(Type::PolicyChanged)));

        QCOMPARE(
            types(log.rows()),
            QStringLiteral("decided, decided, decided, chain_broken, policy_changed")
        );
        QCOMPARE(log.rows().back().sequence, 7);
        const auto message = [&] {
            const std::lock_guard lock(mutex);
            return QString::fromStdString(told);
        };
        QTRY_VERIFY(message().contains("changed while Belljar ran"));
        QCOMPARE(words(log.verify()), QStringLiteral("6 recorded, 6 missing"));
        QVERIFY2(log.write(entryOf(Type::Decided)), "and goes on");
        QCOMPARE(log.verify().breakCount, 2U);
    }

    void masksSecretsOnTheirWayIn()
    {
        Log log;
        const std::string key = "sk-" + std::string(30, 'a');
        QVERIFY(log.write(entryOf(Type::ApprovalAnswered, {{"comment", "use " + key}})));
        QVERIFY(log.rows().back().detail.find(key) == std::string::npos);
        QVERIFY(log.verify().intact);
    }

    void pagesByKey()
    {
        Log log;
        log.fill(25);
        auto reader = log.reader();
        LogQuery query;
        query.limit = 10;
        std::vector<std::int64_t> seen;
        for (std::vector<Row> page; !(page = reader.page(query).value()).empty();) {
            for (const Row& row : page)
                seen.push_back(row.sequence);
            query.before = seen.back();
        }
        QCOMPARE(seen.size(), 25U);
        QVERIFY(std::is_sorted(seen.rbegin(), seen.rend()));
        query = {};
        query.after = 23;
        QCOMPARE(reader.page(query).value().size(), 2U);
    }

    void filters()
    {
        Log log;
        log.store->audit(entryOf(Type::Decided, {{"rule", "Network \"off\""}}, "ex_1"));
        log.store->audit(entryOf(Type::PolicyChanged, {{"name", "100%_sure"}}));
        log.store->audit(entryOf(Type::ExecutionEnded, Json::object(), "ex_1"));
        log.close();
        const auto found = [&](LogFilter filter) {
            LogQuery query;
            query.filter = std::move(filter);
            return types(log.reader().page(query).value());
        };
        LogFilter filter;
        filter.text = "network";
        QCOMPARE(found(filter), QStringLiteral("decided"));
        filter.text = "%";
        QCOMPARE(found(filter), QStringLiteral("policy_changed"));
        filter.text = "POLICY_";
        QCOMPARE(found(filter), QStringLiteral("policy_changed"));
        filter = {};
        filter.execution = "ex_1";
        QCOMPARE(found(filter), QStringLiteral("execution_ended, decided"));
        filter.types = {"decided", "policy_changed"};
        QCOMPARE(found(filter), QStringLiteral("decided"));
        filter = {};
        filter.client = "cl_2";
        QCOMPARE(found(filter), QString());
        filter = {};
        filter.until = log.rows().front().at;
        QCOMPARE(found(filter), QString());
        filter.until.reset();
        filter.since = log.rows().front().at;
        QCOMPARE(log.reader().page({filter, {}, {}, 10}).value().size(), 3U);
    }

    /// search text is a value and nothing else.
    void searchTextCannotLeaveItsContext_data()
    {
        QTest::addColumn<QByteArray>("search");
        QTest::newRow("statement") << QByteArray("'; DROP TABLE audit; --");
        QTest::newRow("quotes") << QByteArray("\"'`]");
        QTest::newRow("full text operators") << QByteArray("NEAR( AND OR NOT * ^ -");
        QTest::newRow("placeholder") << QByteArray("?1 :x @y $z");
        QTest::newRow("wildcards") << QByteArray("%_*?[");
        QTest::newRow("not text") << QByteArray("\xff\xfe\x80");
        QTest::newRow("NUL") << QByteArray("a\0b", 3);
        QTest::newRow("very long") << QByteArray(1'000'000, 'x');
    }
    void searchTextCannotLeaveItsContext()
    {
        QFETCH(QByteArray, search);
        Log log;
        log.fill(3);
        LogQuery query;
        query.filter.text = query.filter.execution = query.filter.client = search.toStdString();
        query.filter.types = {search.toStdString()};
        const auto page = log.reader().page(query);
        QVERIFY2(page, page ? "" : page.error().message().c_str());
        QCOMPARE(page->size(), 0U);
        query.filter = {};
        query.filter.text = search.toStdString();
        QVERIFY(log.reader().page(query));
        QCOMPARE(log.rows().size(), 3U);
    }

    void tellsItsProgressAndCanBeStopped()
    {
        Log log;
        log.fill(2500);
        std::vector<std::uint64_t> steps;
        const auto keep = [&](std::uint64_t done, std::uint64_t total) {
            QCOMPARE(total, 2500U);
            steps.push_back(done);
        };
        QVERIFY(log.reader().verify(keep)->intact);
        QVERIFY((steps == std::vector<std::uint64_t>{1000, 2000, 2500}));
        const auto stopped = log.reader().verify({}, [] { return true; });
        QVERIFY(stopped->stopped);
        QVERIFY(!stopped->intact);
        QCOMPARE(stopped->rows, 1000U);
    }

    /// The documented preimage is enough for somebody who has nothing of Belljar.
    void anExportIsVerifiedByAStranger()
    {
        Log log;
        QVERIFY(log.write(entryOf(Type::Decided, {{"text", "<\xe2\x80\xae\xf0\x9f\x94\x94\\\"\n"}}))
        );
        log.fill(1200);
        const fs::path file = log.folder.path() / "export.jsonl";
        ::umask(0);
        QCOMPARE(log.reader().exportTo(file, {}).value(), 1201U);
        struct stat info {};
        QCOMPARE(::stat(file.c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        const auto check = [&] {
            QProcess python;
            python.start(
                QStringLiteral("python3"),
                {QStringLiteral(BELLJAR_AUDIT_CHECKER), QString::fromStdString(file.string())}
            );
            python.waitForFinished(60'000);
            return QString::fromUtf8(python.readAllStandardOutput() + python.readAllStandardError())
                .trimmed();
        };
        QCOMPARE(
            check(),
            QStringLiteral("intact, 0 gaps, ends with 1201 ") +
                QString::fromStdString(log.rows().back().hash)
        );

        std::string content = readFile(file).value();
        content.replace(content.find("number"), 6, "NUMBER");
        QVERIFY(writeFile(file, content, 0600));
        QCOMPARE(check(), QStringLiteral("row 2 was changed"));
    }

    void aStoppedExportLeavesTheFileAsItWas()
    {
        Log log;
        log.fill(1500);
        const fs::path file = log.folder.path() / "export.jsonl";
        QVERIFY(writeFile(file, "before", 0600));
        const auto stopped = log.reader().exportTo(file, {}, {}, [] { return true; });
        QVERIFY(!stopped);
        QCOMPARE(QString::fromStdString(readFile(file).value()), QStringLiteral("before"));
        const auto unwritable = log.reader().exportTo(log.folder.path() / "no" / "x", {});
        QVERIFY(!unwritable);
        for (const auto& entry : fs::directory_iterator(log.folder.path()))
            QVERIFY(entry.path().extension() != ".tmp");
    }
};

#ifndef Q_MOC_RUN
int main(int argc, char** argv)
{
    if (argc == 3 && std::string_view(argv[1]) == "--die")
        return writeAndDie(argv[2]);
    QCoreApplication application(argc, argv);
    TestAuditLog test;
    return QTest::qExec(&test, argc, argv);
}
#endif
#include "tst_audit_log.moc"
