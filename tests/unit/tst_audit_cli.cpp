// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "app/cli/commands.h"
#include "engine/audit/head.h"
#include "engine/base/file.h"

#include "command_output.h"
#include "store_fixture.h"

using namespace belljar;
using namespace belljar::test;

namespace {

struct Bench : History {
    EngineOptions options;

    Bench() { options.paths.data = folder.path(); }
    /// Writes two rows, one of which holds what a terminal must not get, and closes.
    void fill()
    {
        for (const audit::Type type : {audit::Type::Decided, audit::Type::PolicyChanged}) {
            audit::Entry entry;
            entry.type = type;
            entry.at = 1'700'000'000'000; // 2023-11-14T22:13:20Z
            entry.execution = ExecutionId(type == audit::Type::Decided ? "ex_1" : "");
            entry.detail = {{"name", "\x1b[31m\xe2\x80\xae"}};
            store->audit(std::move(entry));
        }
        store.reset();
    }
    void damage(const std::string& sql)
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, 5000);
        database.exec(sql);
    }
    Ended verify() const
    {
        return run([&] { return cli::verifyAudit(options); });
    }
    Ended exported(const cli::AuditExportOptions& wanted) const
    {
        return run([&] { return cli::exportAudit(options, wanted); });
    }
};

} // namespace
#endif

class TestAuditCli : public QObject {
    Q_OBJECT

private slots:
    void verifyEndsWithZeroWhileTheLogIsIntact()
    {
        Bench bench;
        bench.fill();
        const Ended ended = bench.verify();
        QCOMPARE(ended.code, 0);
        QVERIFY(ended.out.startsWith(QStringLiteral("intact: 2 rows")));
    }

    void verifyEndsWithOneWhenTheLogIsDamaged()
    {
        Bench bench;
        bench.fill();
        bench.damage("DELETE FROM audit WHERE sequence = 2");
        const Ended ended = bench.verify();
        QCOMPARE(ended.code, 1);
        QVERIFY(ended.out.startsWith(QStringLiteral("damaged at row 2")));
        QVERIFY(ended.out.contains(QStringLiteral("row 2  truncated")));
        QVERIFY(ended.out.contains(QStringLiteral("audit.head")));
    }

    void verifyEndsWithTwoWhenTheLogCannotBeRead()
    {
        Bench bench;
        bench.store.reset();
        for (const char* beside : {"-wal", "-shm"})
            std::filesystem::remove(bench.file.string() + beside);
        QVERIFY(writeFile(bench.file, "this is no database, and long enough for one", 0600));
        const Ended ended = bench.verify();
        QCOMPARE(ended.code, 2);
        QVERIFY(ended.error.contains(QStringLiteral("history.db")));
        QVERIFY2(
            ended.error.contains(QStringLiteral("audit.head")), "what has to go away together"
        );
    }

    void showPrintsNothingThatATerminalObeys()
    {
        Bench bench;
        bench.fill();
        cli::AuditShowOptions options;
        const Ended all = run([&] { return cli::showAudit(bench.options, options); });
        QCOMPARE(all.code, 0);
        QCOMPARE(all.out.count(QLatin1Char('\n')), 2);
        QVERIFY(!all.out.contains(QChar(0x1b)) && !all.out.contains(QChar(0x202e)));
        options.execution = "ex_1";
        const Ended one = run([&] { return cli::showAudit(bench.options, options); });
        QCOMPARE(one.out.count(QLatin1Char('\n')), 1);
        QVERIFY(one.out.contains(QStringLiteral("decided")));
    }

    void showRefusesALimitOutOfItsRange()
    {
        Bench bench;
        bench.fill();
        for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1'000'001}}) {
            cli::AuditShowOptions options;
            options.limit = limit;
            const Ended ended = run([&] { return cli::showAudit(bench.options, options); });
            QCOMPARE(ended.code, 1);
            QVERIFY(ended.out.isEmpty());
            QVERIFY(ended.error.contains(QStringLiteral("--limit: expected 1 to 1000000")));
        }
    }

    void showPrintsTheNewestOldestFirst()
    {
        Bench bench;
        bench.fill();
        cli::AuditShowOptions options;
        options.limit = 1;
        const Ended newest = run([&] { return cli::showAudit(bench.options, options); });
        QCOMPARE(newest.out.count(QLatin1Char('\n')), 1);
        QVERIFY(newest.out.startsWith(QStringLiteral("2  ")));
        options.limit = 1'000'000;
        const Ended all = run([&] { return cli::showAudit(bench.options, options); });
        QCOMPARE(all.out.count(QLatin1Char('\n')), 2);
        QVERIFY(all.out.startsWith(QStringLiteral("1  ")) && all.out.endsWith(newest.out));
    }

    void exportPicksByTime_data()
    {
        QTest::addColumn<QString>("since");
        QTest::addColumn<QString>("until");
        QTest::addColumn<int>("rows");
        QTest::newRow("no bounds") << ""
                                   << "" << 2;
        QTest::newRow("its day") << "2023-11-14"
                                 << "2023-11-14" << 2;
        QTest::newRow("the day before") << ""
                                        << "2023-11-13" << 0;
        QTest::newRow("the day after") << "2023-11-15"
                                       << "" << 0;
        QTest::newRow("its minute") << "2023-11-14 22:13"
                                    << "2023-11-14T22:13" << 2;
        QTest::newRow("the minute before") << ""
                                           << "2023-11-14 22:12" << 0;
        QTest::newRow("its second") << "2023-11-14T22:13:20Z"
                                    << "2023-11-14T22:13:20Z" << 2;
        QTest::newRow("the next second") << "2023-11-14T22:13:21Z"
                                         << "" << 0;
    }
    void exportPicksByTime()
    {
        QFETCH(QString, since);
        QFETCH(QString, until);
        QFETCH(int, rows);
        Bench bench;
        bench.fill();
        cli::AuditExportOptions options;
        options.since = since.toStdString();
        options.until = until.toStdString();
        const Ended ended = bench.exported(options);
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.out.count(QLatin1Char('\n')), rows);
    }

    void exportRefusesWhatItDoesNotUnderstand()
    {
        Bench bench;
        bench.fill();
        for (const char* time : {"yesterday", "2023-11", "2023-11-14x", "2023-13-40", "14:02"}) {
            cli::AuditExportOptions options;
            options.until = time;
            const Ended ended = bench.exported(options);
            QVERIFY2(ended.code == 1 && ended.out.isEmpty(), time);
            QVERIFY(ended.error.contains(QLatin1String(time)));
        }
        cli::AuditExportOptions options;
        options.types = {"nonsense"};
        QCOMPARE(bench.exported(options).code, 1);
    }

    void exportWritesAFile()
    {
        Bench bench;
        bench.fill();
        cli::AuditExportOptions options;
        options.types = {"policy_changed"};
        options.file = (bench.folder.path() / "x.jsonl").string();
        QCOMPARE(bench.exported(options).code, 0);
        const std::string content = readFile(options.file).value();
        QVERIFY(content.find("policy_changed") != std::string::npos);
        QVERIFY(content.find("decided") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestAuditCli)
#include "tst_audit_cli.moc"
