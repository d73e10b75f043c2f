// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/base/paths.h"

#include <fstream>

#include "private_folder.h"
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::test;
namespace fs = std::filesystem;
#endif

class TestPaths : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        for (const char* variable :
             {"XDG_CONFIG_HOME",
              "XDG_DATA_HOME",
              "XDG_STATE_HOME",
              "XDG_RUNTIME_DIR",
              "XDG_DATA_DIRS",
              "BELLJAR_DATA_DIR",
              "BELLJAR_RUNNER",
              "TMPDIR"})
            qunsetenv(variable);
        qputenv("HOME", "/home/somebody");
        m_folder = std::make_unique<PrivateFolder>();
    }

    void followsTheVariables()
    {
        qputenv("XDG_CONFIG_HOME", "/x/config");
        qputenv("XDG_DATA_HOME", "/x/data");
        qputenv("XDG_STATE_HOME", "/x/state");
        qputenv("XDG_RUNTIME_DIR", "/x/run");

        const Paths paths = findPaths();

        QCOMPARE(paths.config.string(), std::string("/x/config/belljar"));
        QCOMPARE(paths.historyFile().string(), std::string("/x/data/belljar/history.db"));
        QCOMPARE(paths.logFile().string(), std::string("/x/state/belljar/belljar.log"));
        QCOMPARE(paths.socketFile().string(), std::string("/x/run/belljar/mcp.sock"));
        QCOMPARE(paths.lockFile().string(), std::string("/x/run/belljar/engine.lock"));
    }

    void ignoresWhatIsNotAbsolute_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("unset") << QByteArray();
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("relative") << QByteArray("some/where");
        QTest::newRow("dot") << QByteArray("./here");
        QTest::newRow("tilde") << QByteArray("~/here");
    }
    void ignoresWhatIsNotAbsolute()
    {
        QFETCH(QByteArray, value);
        for (const char* variable :
             {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}) {
            if (!value.isNull())
                qputenv(variable, value);
        }

        const Paths paths = findPaths();

        QCOMPARE(paths.config.string(), std::string("/home/somebody/.config/belljar"));
        QCOMPARE(paths.data.string(), std::string("/home/somebody/.local/share/belljar"));
        QCOMPARE(paths.state.string(), std::string("/home/somebody/.local/state/belljar"));
        QVERIFY(paths.runtime.is_absolute());
        const std::string user = std::to_string(::geteuid());
        QVERIFY(
            paths.runtime == "/run/user/" + user + "/belljar" ||
            paths.runtime == "/tmp/belljar-" + user
        );
    }

    void findsTheHomeOfAUserWithoutHOME()
    {
        qunsetenv("HOME");
        const passwd* user = ::getpwuid(::geteuid());
        QVERIFY(user);

        QCOMPARE(findPaths().data.string(), std::string(user->pw_dir) + "/.local/share/belljar");
    }

    void staysWhereItIsWhateverTMPDIRSays()
    {
        const fs::path before = findPaths().runtime;
        qputenv("TMPDIR", "/x/tmp");

        QCOMPARE(findPaths().runtime.string(), before.string());
    }

    void makesItsFoldersPrivate()
    {
        const std::string root = m_folder->path().string();
        for (const char* variable :
             {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
            qputenv(variable, QByteArray::fromStdString(root + "/" + variable));
        const Paths paths = findPaths();

        QVERIFY(makeFolders(paths));

        for (const fs::path& folder : {paths.config, paths.data, paths.state, paths.runtime})
            QCOMPARE(fs::status(folder).permissions(), fs::perms::owner_all);
        ::chmod(paths.runtime.c_str(), 0777);
        QCOMPARE(nameOf(makeFolders(paths).error().code()), nameOf(Errc::Unsafe));
    }

    void findsResourcesInOrder()
    {
        const fs::path root = m_folder->path();
        const auto place = [&](const char* folder) {
            fs::create_directories(root / folder);
            std::ofstream(root / folder / "thing.json") << folder;
        };
        place("dirs-b/belljar");
        qputenv(
            "XDG_DATA_DIRS",
            QByteArray::fromStdString(
                "relative:" + (root / "dirs-a").string() + "::" + (root / "dirs-b").string()
            )
        );
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((root / "home").string()));
        qputenv("BELLJAR_DATA_DIR", QByteArray::fromStdString((root / "own").string()));

        QCOMPARE(
            findResource("thing.json").value().string(),
            (root / "dirs-b/belljar/thing.json").string()
        );
        place("dirs-a/belljar");
        QCOMPARE(
            findResource("thing.json").value().string(),
            (root / "dirs-a/belljar/thing.json").string()
        );
        place("home/belljar");
        QCOMPARE(
            findResource("thing.json").value().string(), (root / "home/belljar/thing.json").string()
        );
        place("own");
        QCOMPARE(findResource("thing.json").value().string(), (root / "own/thing.json").string());
    }

    void saysWhereItLookedForAResource()
    {
        const auto found = findResource("no/such.json");

        QVERIFY(!found);
        QCOMPARE(nameOf(found.error().code()), nameOf(Errc::NotFound));
        const QString told = QString::fromStdString(found.error().message());
        QVERIFY2(
            told.contains("/home/somebody/.local/share/belljar/no/such.json"), qPrintable(told)
        );
        QVERIFY2(told.contains("/usr/share/belljar/no/such.json"), qPrintable(told));
    }

    void findsTheRunnerItIsGiven()
    {
        const fs::path runner = m_folder->path() / "runner";
        std::ofstream(runner) << "x";
        qputenv("BELLJAR_RUNNER", QByteArray::fromStdString(runner.string()));

        QCOMPARE(findRunner().value().string(), runner.string());
    }

    void knowsItsOwnFolder() { QVERIFY(fs::exists(executableFolder() / "tst_paths")); }

private:
    std::unique_ptr<PrivateFolder> m_folder;
};

QTEST_GUILESS_MAIN(TestPaths)
#include "tst_paths.moc"
