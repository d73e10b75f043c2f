// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Ended {
    int code = -1;
    QString out;
    QString error;
};

/// `belljar policy ...` of a person who has never run anything.
Ended policy(const QStringList& arguments, const QByteArray& input = {})
{
    const QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.path());
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(BELLJAR_PROGRAM), QStringList{"policy"} + arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished())
        return {};
    return {
        process.exitCode(),
        QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class TestPolicyCli : public QObject {
    Q_OBJECT

private slots:
    void checkSaysThatAPolicyIsGood()
    {
        const Ended ended = policy({"check", BELLJAR_POLICIES "/balanced.json"});
        QCOMPARE(ended.code, 0);
        QCOMPARE(
            ended.out,
            QStringLiteral(BELLJAR_POLICIES
                           "/balanced.json: 0 errors, 0 warnings: it is a policy\n"
                           "  runs python, javascript, bash; 2 approval rules, otherwise allow\n")
        );
        QVERIFY(ended.error.isEmpty());
    }

    void checkNamesThePlaceOfEveryProblem()
    {
        const Ended ended = policy({"check", "-"}, "{\n  \"languages\": 3,\n  \"x\\u001b\": 1\n}");
        QCOMPARE(ended.code, 1);
        QVERIFY2(
            ended.out.contains("-:2:16: error: /languages: expected an object\n"),
            qPrintable(ended.out)
        );
        QVERIFY(ended.out.contains(": it is no policy and takes no effect\n"));
        QVERIFY(ended.out.contains(", 1 warning:"));
        QVERIFY(!ended.out.contains(QChar(0x1b)));
    }

    void explainSaysWhatTheDecisionMeans_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("says");
        QTest::newRow("allow") << "balanced" << QByteArray("print(1)\n")
                               << "allow (policy balanced, as it was shipped): it runs without a "
                                  "question"
                               << "rule \"otherwise\": ";
        QTest::newRow("ask") << "balanced" << QByteArray("import os\nos.system('ls')\n")
                             << "ask (policy balanced, as it was shipped): a person is asked "
                                "before it runs"
                             << "remembered are not looked at here";
        QTest::newRow("deny") << "strict" << QByteArray("eval('1')\n")
                              << "deny (policy strict, as it was shipped): it does not run"
                              << "allowed instead: ";
    }
    void explainSaysWhatTheDecisionMeans()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, code);
        QFETCH(QString, first);
        QFETCH(QString, says);
        const Ended ended = policy({"explain", "-l", "python", "--policy", name, "-"}, code);
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.out.section('\n', 0, 0), first);
        QVERIFY2(ended.out.contains(says), qPrintable(ended.out));
        QVERIFY(ended.out.endsWith("belljar policy show " + name + "\n"));
    }

    void whatCanNotBeDoneEndsWithTwo()
    {
        for (const QStringList& arguments :
             {QStringList{"check", "/nowhere/x.json"},
              QStringList{"explain", "-l", "cobol", "-"},
              QStringList{"explain", "-l", "python", "--policy", "none", "-"},
              QStringList{"show", "none"}}) {
            const Ended ended = policy(arguments);
            QCOMPARE(ended.code, 2);
            QVERIFY(ended.error.startsWith("belljar policy: "));
            QVERIFY(ended.out.isEmpty());
        }
    }

    void helpTellsTheExitCodes()
    {
        for (const char* command : {"check", "show", "explain"}) {
            const Ended ended = policy({command, "--help"});
            QCOMPARE(ended.code, 0);
            QVERIFY2(ended.out.contains("Exit code: 0"), command);
        }
    }
};

QTEST_GUILESS_MAIN(TestPolicyCli)
#include "tst_policy_cli.moc"
