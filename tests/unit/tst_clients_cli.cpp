// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "app/cli/commands.h"
#include "engine/base/file.h"

#include "command_output.h"
#include "private_folder.h"

using namespace belljar;
using namespace belljar::test;
namespace fs = std::filesystem;

namespace {

struct Bench {
    PrivateFolder folder;
    EngineOptions options;
    fs::path cursor = folder.path() / ".cursor/mcp.json";
    cli::ClientsEdit edit;

    Bench()
    {
        qputenv("BELLJAR_DATA_DIR", BELLJAR_RESOURCES);
        options.paths.home = folder.path();
        options.paths.data = folder.path();
        edit.client = "cursor";
    }
    void put(const std::string& text) const
    {
        fs::create_directories(cursor.parent_path());
        if (!writeFile(cursor, text, 0600))
            qFatal("can't write");
    }
    [[nodiscard]] QByteArray get() const
    {
        return QByteArray::fromStdString(readFile(cursor).value_or("(none)"));
    }
    [[nodiscard]] Ended connect() const
    {
        return test::run([this] { return cli::connectClient(options, edit); });
    }
    [[nodiscard]] Ended show() const
    {
        return test::run([this] { return cli::showClient(options, edit.client, {}); });
    }
};

const char* const kForeign = "{\"mcpServers\": {\"belljar\": {\"command\": \"/bin/\\u001b[31m\"}}}";

} // namespace
#endif

class TestClientsCli : public QObject {
    Q_OBJECT

private slots:
    void connectsShowsAndUndoes()
    {
        Bench bench;
        bench.put("{}\n");
        const Ended connected = bench.connect();
        QCOMPARE(connected.code, 0);
        QVERIFY2(connected.out.contains(QStringLiteral("+     \"belljar\": {")), "the diff");
        QVERIFY(connected.out.contains(QStringLiteral(".belljar-backup")));
        QVERIFY(connected.out.contains(QStringLiteral("refresh its list")));
        QVERIFY(bench.show().out.contains(QStringLiteral("belljar clients undo cursor")));
        const Ended list = test::run([&] { return cli::listClients(bench.options, {}); });
        QVERIFY(list.out.startsWith(QStringLiteral("cursor ")));
        QVERIFY(list.out.contains(QStringLiteral(" connected\n")));
        QVERIFY(list.out.contains(QStringLiteral(" not found\n")));
        const Ended undone = test::run([&] { return cli::undoClient(bench.options, bench.edit); });
        QCOMPARE(undone.code, 0);
        QCOMPARE(bench.get(), QByteArray("{}\n"));
    }

    void dryRunWritesNothing()
    {
        Bench bench;
        bench.put("{}\n");
        bench.edit.dryRun = true;
        const Ended ended = bench.connect();
        QCOMPARE(ended.code, 0);
        QVERIFY(ended.out.contains(QStringLiteral("belljar")));
        QCOMPARE(bench.get(), QByteArray("{}\n"));
    }

    void foreignEntriesNeedForce()
    {
        Bench bench;
        bench.put(kForeign);
        const auto disconnect = [&bench] {
            return cli::disconnectClient(bench.options, bench.edit);
        };
        for (const Ended& refused : {bench.connect(), test::run(disconnect)}) {
            QCOMPARE(refused.code, 1);
            QVERIFY(refused.error.contains(QStringLiteral("--force")));
            QVERIFY2(!refused.out.contains(QChar(0x1b)), "nothing that a terminal obeys");
        }
        QCOMPARE(bench.get(), QByteArray(kForeign));
        QVERIFY(!bench.show().out.contains(QChar(0x1b)));
        bench.edit.force = true;
        QCOMPARE(bench.connect().code, 0);
        QVERIFY(!bench.get().contains("u001b"));
        bench.edit.force = false;
        QCOMPARE(test::run(disconnect).code, 0);
        QVERIFY(!bench.get().contains("belljar"));
    }

    void clientsThatAreNotThereNeedForce()
    {
        Bench bench;
        const Ended refused = bench.connect();
        QCOMPARE(refused.code, 1);
        QVERIFY(refused.error.contains(QStringLiteral("not installed")));
        QVERIFY(!fs::exists(bench.cursor));
        bench.edit.force = true;
        QCOMPARE(bench.connect().code, 0);
        QVERIFY(bench.get().contains("belljar"));
    }

    void aBrokenFileIsToldWithItsPlace()
    {
        Bench bench;
        bench.put("{\n  \"mcpServers\" {}\n}\n");
        const Ended refused = bench.connect();
        QCOMPARE(refused.code, 1);
        QVERIFY(refused.error.contains(QStringLiteral("mcp.json: line 2, column 16: ")));
        const Ended shown = bench.show();
        QCOMPARE(shown.code, 1);
        QVERIFY(shown.out.contains(QStringLiteral("line 2, column 16: ")));
    }

    void tokensComeFromAFile()
    {
        Bench bench;
        bench.put("{}");
        bench.edit.http = true;
        const fs::path token = bench.folder.path() / "token";
        QVERIFY(writeFile(token, "abc123\n", 0600));
        bench.edit.tokenFile = token.string();
        QCOMPARE(bench.connect().code, 0);
        QVERIFY(bench.get().contains("\"Bearer abc123\""));
        QVERIFY(bench.get().contains("http://127.0.0.1:7707/mcp"));
    }

    void theTokenIsBelljarsOwnAndNobodyElseReadsIt()
    {
        Bench bench;
        bench.put("{}");
        fs::permissions(bench.cursor, fs::perms(0644));
        bench.edit.http = true;

        QCOMPARE(bench.connect().code, 0);

        const Ended shown = test::run([&] { return cli::showToken(bench.options); });
        QCOMPARE(shown.code, 0);
        QVERIFY(bench.get().contains("\"Bearer " + shown.out.trimmed().toUtf8() + "\""));
        QCOMPARE(fs::status(bench.cursor).permissions(), fs::perms(0600));
        const Ended rotated = test::run([&] { return cli::rotateToken(bench.options); });
        QVERIFY(rotated.code == 0 && rotated.out != shown.out);
    }

    void unknownClientsAreNamed()
    {
        Bench bench;
        bench.edit.client = "nobody";
        for (const Ended& ended : {bench.connect(), bench.show()}) {
            QCOMPARE(ended.code, 1);
            QVERIFY(ended.error.contains(QStringLiteral("there are claude-code")));
        }
    }
};

QTEST_GUILESS_MAIN(TestClientsCli)
#include "tst_clients_cli.moc"
