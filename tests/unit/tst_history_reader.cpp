// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/store/row.h"

#include <algorithm>
#include <array>

#include "store_fixture.h"

using namespace belljar;
using namespace belljar::execution;
using namespace belljar::test;

namespace {

std::vector<std::int64_t> sequencesOf(const std::vector<Record>& records)
{
    std::vector<std::int64_t> sequences;
    for (const Record& record : records)
        sequences.push_back(record.sequence);
    return sequences;
}

std::vector<std::int64_t>
page(store::HistoryReader& reader, std::optional<std::int64_t> before, std::uint32_t limit)
{
    store::PageQuery query;
    query.before = before;
    query.limit = limit;
    return sequencesOf(reader.page(query).value());
}

/// Copies the first execution until there are `count`, in one statement.
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
}

/// The median of nine readings of the first page.
double firstPageMs(store::HistoryReader& reader, std::size_t expected)
{
    std::array<double, 9> readings{};
    for (double& reading : readings) {
        const auto start = std::chrono::steady_clock::now();
        const auto records = reader.page({}).value();
        reading =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        if (records.size() != expected)
            throw std::runtime_error("wrong page");
    }
    std::sort(readings.begin(), readings.end());
    return readings[readings.size() / 2];
}

} // namespace
#endif

class TestHistoryReader : public QObject {
    Q_OBJECT

private slots:
    void findsNoHistoryBeforeTheEngineHasRun()
    {
        PrivateFolder folder;

        const auto opened = store::HistoryReader::open(folder.path() / "history.db");

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::NotFound));
        QVERIFY(!std::filesystem::exists(folder.path() / "history.db"));
    }

    void whatIsOldExpires()
    {
        History history;
        std::vector<ExecutionId> ids;
        for (int day = 1; day <= 5; ++day) {
            execution::Record record = recordFor("print(" + std::to_string(day) + ")\n");
            record.receivedAt = day * 1000;
            record = *history.received(record, "print(" + std::to_string(day) + ")\n");
            ids.push_back(record.id);
            if (day == 2)
                continue; // still under way
            record.status = execution::Status::Succeeded;
            QVERIFY(history.commit(record));
        }
        QVERIFY(runToEnd(history.context, history.store->mark(ids[2], {true, "", {}})));
        auto reader = history.reader();
        store::Expiry none;
        QVERIFY(reader.expired(none, 100)->empty());
        store::Expiry old;
        old.before = 5000;
        const auto expired = reader.expired(old, 100);
        QVERIFY(expired);
        // Not what runs, not what is pinned, not the newest.
        QVERIFY(*expired == (std::vector{ids[0], ids[3]}));
        QVERIFY(*reader.expired(old, 1) == std::vector{ids[0]});
    }

    void whatIsTooMuchExpires()
    {
        History history;
        std::vector<ExecutionId> ids;
        constexpr std::size_t kOutput = 400'000;
        for (int at = 0; at < 6; ++at) {
            execution::Record record = history.receive("print(" + std::to_string(at) + ")\n");
            ids.push_back(record.id);
            std::string noise; // what doesn't pack well
            for (std::uint32_t x = 1 + static_cast<std::uint32_t>(at); noise.size() < kOutput;) {
                x = x * 1664525U + 1013904223U;
                noise += static_cast<char>(x >> 24U);
            }
            history.store->append(record.id, {{execution::Stream::Stdout, 0, noise}});
            record.status = execution::Status::Succeeded;
            QVERIFY(history.commit(record));
        }
        auto reader = history.reader();
        const auto size = reader.size();
        QVERIFY(size && size->executions == 6);
        QVERIFY2(size->usedBytes > 6 * kOutput, std::to_string(size->usedBytes).c_str());
        QVERIFY(size->fileBytes >= size->usedBytes);
        store::Expiry much;
        much.mostBytes = size->usedBytes;
        QVERIFY(reader.expired(much, 100)->empty());
        much.mostBytes = size->usedBytes - kOutput; // one is enough for that, the oldest
        QVERIFY(*reader.expired(much, 100) == std::vector{ids[0]});
        much.mostBytes = 1;
        QVERIFY(*reader.expired(much, 100) == ids);
    }

    void findsNoHistoryInAnEmptyFile()
    {
        PrivateFolder folder;
        SQLite::Database(
            (folder.path() / "history.db").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE
        )
            .exec("PRAGMA user_version = 0");

        const auto opened = store::HistoryReader::open(folder.path() / "history.db");

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::NotFound));
    }

    void refusesAnotherSchema_data()
    {
        QTest::addColumn<int>("version");
        QTest::addColumn<QString>("advice");
        QTest::newRow("older") << 0 << "start Belljar once";
        QTest::newRow("newer") << 4711 << "update Belljar";
    }
    void refusesAnotherSchema()
    {
        QFETCH(int, version);
        QFETCH(QString, advice);
        History history;
        history.store.reset();
        SQLite::Database(history.file.string(), SQLite::OPEN_READWRITE)
            .exec("PRAGMA user_version = " + std::to_string(version));

        const auto opened = store::HistoryReader::open(history.file);

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::StoreFailed));
        QVERIFY2(
            QString::fromStdString(opened.error().message()).contains(advice),
            opened.error().message().c_str()
        );
    }

    void pagesFromTheNewestBackwards()
    {
        History history;
        std::vector<std::int64_t> all;
        for (int count = 0; count < 7; ++count)
            all.insert(all.begin(), history.receive().sequence);
        auto reader = history.reader();

        const auto first = page(reader, {}, 3);
        const auto second = page(reader, first.back(), 3);
        const auto third = page(reader, second.back(), 3);

        std::vector<std::int64_t> joined = first;
        joined.insert(joined.end(), second.begin(), second.end());
        joined.insert(joined.end(), third.begin(), third.end());
        QVERIFY(joined == all);
        QCOMPARE(third.size(), 1U);
        QVERIFY(page(reader, third.back(), 3).empty());
        QVERIFY(page(reader, {}, 0).empty());
    }

    void keepsItsPlaceWhileNewRowsArrive()
    {
        History history;
        const auto one = history.receive().sequence;
        const auto two = history.receive().sequence;
        auto reader = history.reader();
        const auto first = page(reader, {}, 1);
        QVERIFY(first == std::vector<std::int64_t>{two});

        history.receive();

        QVERIFY(page(reader, first.back(), 5) == std::vector<std::int64_t>{one});
        QCOMPARE(page(reader, {}, 5).size(), 3U);
    }

    void pagesByStatus()
    {
        History history;
        std::vector<std::int64_t> failed;
        for (int count = 0; count < 6; ++count) {
            Record record = history.receive();
            record.status = count % 2 == 0 ? Status::Failed : Status::Succeeded;
            QVERIFY(history.commit(record));
            if (count % 2 == 0)
                failed.insert(failed.begin(), record.sequence);
        }
        store::PageQuery query;
        query.status = Status::Failed;

        QVERIFY(sequencesOf(history.reader().page(query).value()) == failed);
        query.before = failed.front();
        query.limit = 1;
        QVERIFY(
            sequencesOf(history.reader().page(query).value()) ==
            std::vector<std::int64_t>{failed[1]}
        );
    }

    void pagesWhatAPersonWasAskedAboutSince()
    {
        History history;
        std::vector<std::int64_t> asked;
        for (const auto verdict : {Verdict::Ask, Verdict::Allow, Verdict::Ask}) {
            Record record = history.receive();
            record.verdict = verdict;
            QVERIFY(history.commit(record));
            if (verdict == Verdict::Ask)
                asked.insert(asked.begin(), record.sequence);
        }
        store::PageQuery query;
        query.asked = true;
        query.since = 0;
        const auto rows = history.reader().page(query).value();
        QVERIFY(sequencesOf(rows) == asked);
        query.since = rows.front().receivedAt + 1;
        QVERIFY(history.reader().page(query).value().empty());
    }

    void walksAnIndexForEveryPage()
    {
        History history;
        history.receive();
        SQLite::Database database(history.file.string());
        for (const char* condition : {"sequence < 9", "sequence < 9 AND status = 'failed'"}) {
            SQLite::Statement plan(
                database,
                "EXPLAIN QUERY PLAN SELECT * FROM executions WHERE " + std::string(condition) +
                    " ORDER BY sequence DESC LIMIT 100"
            );
            while (plan.executeStep()) {
                const QString detail = QString::fromStdString(plan.getColumn("detail").getString());
                QVERIFY2(detail.startsWith("SEARCH"), qPrintable(detail));
            }
        }
    }

    void findsNothingOfAnUnknownExecution()
    {
        History history;
        history.receive();
        auto reader = history.reader();
        const ExecutionId unknown("ex_' OR 1=1 --\n\x1b[31m");

        QCOMPARE(nameOf(reader.record(unknown).error().code()), nameOf(Errc::NotFound));
        QCOMPARE(nameOf(reader.code(unknown).error().code()), nameOf(Errc::NotFound));
        QCOMPARE(nameOf(reader.output(unknown).error().code()), nameOf(Errc::NotFound));
        QCOMPARE(nameOf(reader.samples(unknown).error().code()), nameOf(Errc::NotFound));
        QVERIFY(!QString::fromStdString(reader.record(unknown).error().message()).contains('\x1b'));
    }

    void givesNoOutputForOneThatPrintedNothing()
    {
        History history;
        const Record record = history.receive();
        auto reader = history.reader();

        QVERIFY(reader.output(record.id).value().empty());
        QVERIFY(reader.samples(record.id).value().empty());
    }

    void givesTheSettingsThatWereSentAndNoticesOthers()
    {
        History history;
        const std::string settings = R"({"Image":"sha256:0f"})";
        Record record = history.receive("print(1)");
        QCOMPARE(history.reader().containerSettings(record.id).value(), std::string());
        history.store->keepSettings(sha256Hex(settings), text(settings));
        record.settingsSha256 = sha256Hex(settings);
        QVERIFY(history.commit(record));
        QCOMPARE(history.reader().containerSettings(record.id).value(), settings);
        SQLite::Database(history.file.string(), SQLite::OPEN_READWRITE, 5000)
            .exec("UPDATE blobs SET content = CAST('{}' AS BLOB), bytes = 2, packing = 0");
        const auto changed = history.reader().containerSettings(record.id);
        QVERIFY(!changed);
        QCOMPARE(nameOf(changed.error().code()), nameOf(Errc::StoreFailed));
    }

    void givesTheFilesOfARunWithNamesOfAnyBytes()
    {
        History history;
        const Record record = history.receive("print(1)");
        execution::RunFile odd;
        odd.name = "../x\n\xff<img>";
        odd.bytes = text(std::string("\0bytes", 6));
        odd.size = 6;
        odd.kind = execution::FileKind::Png;
        odd.sha256 = sha256Hex(*odd.bytes);
        execution::RunFile link;
        link.name = "link";
        link.fate = execution::FileFate::Link;
        execution::RunFiles files;
        files.files = {odd, link};
        files.counts = {1, 0, 7, 0, 1, 0, 0, 0, 0};
        files.whole = false;

        QVERIFY(history.keepFiles(record.id, files));

        auto reader = history.reader();
        QVERIFY(reader.files(record.id).value() == files);
        QCOMPARE(reader.fileBytes(record.id, 0).value(), *odd.bytes);
        const auto ofLink = reader.fileBytes(record.id, 1);
        QCOMPARE(nameOf(ofLink.error().code()), nameOf(Errc::NotFound));
        QCOMPARE(nameOf(reader.files(ExecutionId("x")).error().code()), nameOf(Errc::NotFound));
    }

    void refusesAFileThatIsNotWhatItsDigestSays()
    {
        History history;
        const Record record = history.receive("print(1)");
        execution::RunFile file;
        file.name = "a";
        file.bytes = text("other");
        file.sha256 = sha256Hex("bytes");
        execution::RunFiles files;
        files.files = {file};

        const auto kept = history.keepFiles(record.id, files);

        QVERIFY(!kept);
        QCOMPARE(nameOf(kept.error().code()), nameOf(Errc::InvalidArgument));
        QVERIFY(history.reader().files(record.id).value().files.empty()); // both or none
    }

    void noticesCodeThatWasChanged_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("other bytes") << "UPDATE blobs SET content = CAST('print(2)' AS BLOB)";
        QTest::newRow("shorter") << "UPDATE blobs SET content = x'00'";
        QTest::newRow("wrong length") << "UPDATE blobs SET bytes = 9223372036854775807";
        QTest::newRow("negative length") << "UPDATE blobs SET bytes = -1";
        QTest::newRow("unknown packing") << "UPDATE blobs SET packing = 7";
        QTest::newRow("not zstd") << "UPDATE blobs SET packing = 1";
    }
    void noticesCodeThatWasChanged()
    {
        QFETCH(QString, change);
        History history;
        const Record record = history.receive("print(1)");
        SQLite::Database(history.file.string(), SQLite::OPEN_READWRITE, 5000)
            .exec(change.toStdString());

        const auto code = history.reader().code(record.id);

        QVERIFY(!code);
        QCOMPARE(nameOf(code.error().code()), nameOf(Errc::StoreFailed));
    }

    void canNotWrite()
    {
        History history;
        history.receive();
        const auto before = std::filesystem::file_size(history.file);
        auto reader = history.reader();
        QVERIFY(reader.page({}));
        QCOMPARE(std::filesystem::file_size(history.file), before);
    }

    void readsAfterTheStoreHasGone()
    {
        History history;
        const Record record = history.receive();
        auto early = history.reader();
        history.store.reset();

        QVERIFY(early.record(record.id).value() == record);
        QVERIFY(history.reader().record(record.id).value() == record);
    }

    void countsExecutions()
    {
        History history;
        auto reader = history.reader();
        QCOMPARE(reader.count().value(), 0U);
        history.receive();
        history.receive();
        QCOMPARE(reader.count().value(), 2U);
    }

    void splitsWhatItJoined_data()
    {
        QTest::addColumn<QString>("joined");
        QTest::addColumn<int>("whole");
        QTest::newRow("nothing") << "" << 0;
        QTest::newRow("two") << "1:a,2:bc," << 2;
        QTest::newRow("empty text") << "0:," << 1;
        QTest::newRow("cut off") << "1:a,2:b" << 1;
        QTest::newRow("no length") << ":a," << 0;
        QTest::newRow("huge length") << "18446744073709551615:a," << 0;
        QTest::newRow("too huge a length") << "99999999999999999999:a," << 0;
        QTest::newRow("no comma") << "1:ab" << 0;
        QTest::newRow("negative") << "-1:a," << 0;
    }
    void splitsWhatItJoined()
    {
        QFETCH(QString, joined);
        QFETCH(int, whole);

        QCOMPARE(static_cast<int>(store::splitTexts(joined.toStdString()).size()), whole);
    }

    void findsTheFirstPageOfALongHistoryAsFast()
    {
        History small;
        small.receive();
        multiply(small.file, 100);
        History big;
        big.receive();
        multiply(big.file, 100'000);
        auto smallReader = small.reader();
        auto bigReader = big.reader();
        QCOMPARE(bigReader.count().value(), 100'000U);

        const double ofSmall = firstPageMs(smallReader, 100);
        const double ofBig = firstPageMs(bigReader, 100);

        qInfo(
            "first page of 100 rows: %.2f ms of 100 executions, %.2f ms of 100,000; ratio %.2f",
            ofSmall,
            ofBig,
            ofBig / ofSmall
        );
        // A scan would be a thousand times as long; the bound leaves room for a busy machine.
        QVERIFY2(ofBig < ofSmall * 20, "paging depends on the length of the history");
    }
};

QTEST_GUILESS_MAIN(TestHistoryReader)
#include "tst_history_reader.moc"
