// SPDX-License-Identifier: GPL-3.0-or-later
// belljar_runner over pipes, as the engine drives it. On a host it is a subreaper rather than PID
// 1; what only a container shows (cgroup, PID 1's own protection) is tested in tests/docker.

#include "tests/unit/runner_peer.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <memory>
#include <vector>

#include "belljar_runner_digest.h"
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace belljar;
using nlohmann::json;
using runner::Channel;
using test::RunnerPeer;
using test::RunReport;

namespace {

/// A fresh folder with a runner in it that has said hello.
struct Sandbox {
    Sandbox()
        : peer(folder.path().toStdString())
    {
        hello = peer.waitFor("hello");
    }

    RunReport
    run(std::string_view code, const json& changes = json::object(), std::string_view input = {})
    {
        peer.sendRun(code, changes);
        peer.sendData(Channel::Stdin, input, true);
        return peer.collect();
    }

    QByteArray file(const QString& name) const
    {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }

    QTemporaryDir folder;
    RunnerPeer peer;
    json hello;
};

bool isAlive(const QByteArray& pid)
{
    QFile stat("/proc/" + QString::fromLatin1(pid.trimmed()) + "/stat");
    if (pid.trimmed().isEmpty() || !stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray line = stat.readAll();
    return !line.mid(line.lastIndexOf(')') + 2).startsWith('Z');
}

const json kFilesWanted = {
    {"files", 32},
    {"file_bytes", 8'000'000},
    {"files_bytes", 16'000'000},
    {"files_ms", 3000},
};

QByteArray text(const json& value)
{
    return QByteArray::fromStdString(value.dump());
}

double medianMillis(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace

class TestRunner : public QObject {
    Q_OBJECT

private slots:
    void saysWhatItFindsItselfIn()
    {
        const Sandbox sandbox;

        QCOMPARE(text(sandbox.hello["op"]), "\"hello\"");
        QCOMPARE(sandbox.hello["protocol"].get<int>(), 1);
        QCOMPARE(sandbox.hello["uid"].get<uid_t>(), ::geteuid());
        QCOMPARE(sandbox.hello["gid"].get<gid_t>(), ::getegid());
        QVERIFY(sandbox.hello["groups"].is_array());
        QCOMPARE(sandbox.hello["caps"].size(), std::size_t{5});
        QCOMPARE(sandbox.hello["caps"][0].get<std::string>().size(), std::size_t{16});
        QCOMPARE(sandbox.hello["pid"].get<pid_t>(), sandbox.peer.pid());
        QCOMPARE(sandbox.hello["workspace_writable"].get<bool>(), true);
        QCOMPARE(sandbox.hello["cgroup"].get<int>(), 0);
        QVERIFY(QDir(sandbox.folder.path())
                    .isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void runsAOneLineProgram()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run("echo hello; echo oops >&2\n");

        QCOMPARE(text(report.last["op"]), "\"exit\"");
        QCOMPARE(report.last["exit_code"].get<int>(), 0);
        QCOMPARE(report.out, std::string("hello\n"));
        QCOMPARE(report.err, std::string("oops\n"));
        QCOMPARE(report.last["stdout"]["total_bytes"].get<int>(), 6);
        QCOMPARE(report.last["stdout"]["total_lines"].get<int>(), 1);
        QCOMPARE(report.last["stdout"]["kept_bytes"].get<int>(), 6);
        QCOMPARE(report.last["left_processes"].get<int>(), 0);
        QVERIFY(report.last["wall_us"].get<int>() > 0);
        QVERIFY(report.last["memory_peak_bytes"].get<int>() > 100000);
        QVERIFY(!report.samples.empty());
        sandbox.peer.closeInput();
        QCOMPARE(sandbox.peer.waitForEnd(), 0);
    }

    void sendsTheFilesThatTheProgramMade()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "printf hello > a.txt; mkdir sub; printf inner > sub/b; printf x > $'odd\\n\\xff<b>'",
            kFilesWanted
        );

        QCOMPARE(report.files.size(), std::size_t{3}); // not the program itself
        QCOMPARE(report.file("a.txt")->bytes, std::string("hello"));
        QVERIFY(report.file("a.txt")->ended);
        QCOMPARE(report.file("sub/b")->bytes, std::string("inner"));
        QCOMPARE(report.file("odd\n\xff<b>")->bytes, std::string("x"));
        QCOMPARE(report.last["files"]["counts"][0].get<int>(), 3);
        QCOMPARE(report.last["files"]["whole"].get<bool>(), true);
    }

    void sendsTheProgramItselfOnlyWhereItHasChanged()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run("printf 'echo other' > main.sh\n", kFilesWanted);

        QCOMPARE(report.files.size(), std::size_t{1});
        QCOMPARE(report.file("main.sh")->bytes, std::string("echo other"));
    }

    void sendsFilesAfterATimeOutButNotAfterACancel()
    {
        Sandbox sandbox;
        json changes = kFilesWanted;
        changes["timeout_ms"] = 200;
        changes["kill_grace_ms"] = 50;

        const RunReport report = sandbox.run("printf hello > a.txt; sleep 20", changes);

        QCOMPARE(report.last["timed_out"].get<bool>(), true);
        QVERIFY(report.file("a.txt") != nullptr);

        Sandbox other;
        other.peer.sendRun("printf hello > a.txt; echo; sleep 20", kFilesWanted);
        other.peer.waitFor("started");
        QTRY_COMPARE(other.file("a.txt"), QByteArray("hello"));
        other.peer.sendControl({{"op", "cancel"}});
        const RunReport cancelled = other.peer.collect();
        QCOMPARE(cancelled.last["cancelled"].get<bool>(), true);
        QVERIFY(cancelled.files.empty());
        QCOMPARE(cancelled.last["files"]["whole"].get<bool>(), false);
    }

    void leavesOutWhatIsNotAPlainFile() // R-59
    {
        Sandbox sandbox;
        json changes = kFilesWanted;
        changes["file_bytes"] = 1000;

        const RunReport report = sandbox.run(
            "ln -s /etc/passwd link; ln -s /etc folder; mkfifo fifo; printf x > one; ln one two\n"
            "truncate -s 200M sparse; printf x > closed; chmod 0 closed; mkdir shut; chmod 0 shut\n"
            "printf good > good",
            changes
        );

        using runner::FileFate;
        QCOMPARE(report.file("link")->fate, FileFate::Link);
        QCOMPARE(report.file("folder")->fate, FileFate::Link);
        QCOMPARE(report.file("fifo")->fate, FileFate::Special);
        QCOMPARE(report.file("one")->fate, FileFate::HardLink);
        QCOMPARE(report.file("two")->fate, FileFate::HardLink);
        QCOMPARE(report.file("sparse")->fate, FileFate::TooLarge);
        QCOMPARE(report.file("sparse")->size, std::uint64_t{200} * 1024 * 1024);
        QCOMPARE(report.file("good")->bytes, std::string("good"));
        const bool isRoot = ::geteuid() == 0; // whom no mode keeps out
        QCOMPARE(report.file("closed")->fate, isRoot ? FileFate::Kept : FileFate::Unreadable);
        QCOMPARE(report.last["files"]["whole"].get<bool>(), isRoot);
        for (const RunReport::File& file : report.files)
            QVERIFY(file.fate == FileFate::Kept || file.bytes.empty());
    }

    void boundsWhatItSends() // R-60
    {
        Sandbox sandbox;
        json changes = kFilesWanted;
        changes["files"] = 5;

        const RunReport report = sandbox.run(
            "mkdir many; cd many; seq 10000 | split -l 1 -a 4; cd ..\n"
            "d=.; for i in $(seq 20); do d=$d/d; mkdir $d; done; echo x > $d/deep; echo top > top",
            changes
        );

        QVERIFY(report.file("top") != nullptr); // the folders come last
        QCOMPARE(report.last["files"]["counts"][0].get<int>(), 5);
        QCOMPARE(report.last["files"]["counts"][2].get<int>(), 10001 - 5);
        QCOMPARE(report.last["files"]["whole"].get<bool>(), false); // too deep
        QCOMPARE(report.files.size(), std::size_t{5 + 64});
        QVERIFY(report.took < std::chrono::seconds(15));

        Sandbox other;
        changes["files_bytes"] = 10;
        const RunReport full = other.run("printf 12345678 > a; printf 12345678 > b", changes);
        QCOMPARE(full.last["files"]["counts"][0].get<int>(), 1);
        QCOMPARE(full.last["files"]["counts"][3].get<int>(), 1);
    }

    void endsLookingAtItsDeadline()
    {
        Sandbox sandbox;
        json changes = kFilesWanted;
        changes["files_ms"] = 0;

        const RunReport report = sandbox.run("printf x > a", changes);

        QVERIFY(report.files.empty());
        QCOMPARE(report.last["files"]["whole"].get<bool>(), false);
    }

    void reportsHowTheProgramEnded_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("member");
        QTest::addColumn<int>("value");
        QTest::newRow("zero") << QByteArray("exit 0") << QByteArray("exit_code") << 0;
        QTest::newRow("one") << QByteArray("exit 1") << QByteArray("exit_code") << 1;
        QTest::newRow("three") << QByteArray("exit 3") << QByteArray("exit_code") << 3;
        QTest::newRow("segv") << QByteArray("kill -SEGV $$") << QByteArray("signal") << SIGSEGV;
        QTest::newRow("kill") << QByteArray("kill -KILL $$") << QByteArray("signal") << SIGKILL;
        QTest::newRow("pipe") << QByteArray("kill -PIPE $$") << QByteArray("signal") << SIGPIPE;
    }

    void reportsHowTheProgramEnded()
    {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, member);
        QFETCH(int, value);
        Sandbox sandbox;

        const RunReport report = sandbox.run(code.toStdString());

        QVERIFY2(report.last.contains(member.toStdString()), text(report.last));
        QCOMPARE(report.last[member.toStdString()].get<int>(), value);
        QCOMPARE(report.last.contains("signal") && report.last.contains("exit_code"), false);
    }

    void saysWhichInterpreterIsMissing()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run("x", {{"argv", {"no-such-language", "main.sh"}}});

        QCOMPARE(text(report.last["message"]), "\"no-such-language is not in the image\"");
        sandbox.peer.closeInput();
        QCOMPARE(sandbox.peer.waitForEnd(), 0);
    }

    void saysWhyAPreparedInterpreterEnded()
    {
        Sandbox sandbox;

        sandbox.peer.sendControl(
            {{"op", "prepare"}, {"argv", {"bash", "-c", "echo no such option >&2; exit 9"}}}
        );

        const json fault = sandbox.peer.waitFor("prepared");
        QCOMPARE(text(fault["op"]), "\"fault\"");
        const QString message = QString::fromStdString(fault["message"]);
        QVERIFY2(
            message.contains("exit code 9") && message.contains("no such option"), text(fault)
        );
    }

    void givesTheProgramOnlyItsThreeDescriptors()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "for f in /proc/$BASHPID/fd/*; do readlink $f; done; ps -o sid=,pgid=,pid= $$"
        );

        const QStringList lines =
            QString::fromStdString(report.out).split('\n', Qt::SkipEmptyParts);
        QStringList pipes = lines.filter("pipe:");
        QCOMPARE(pipes.size(), 3);
        QCOMPARE(lines.size() - 1 - lines.filter("main.sh").size(), 3);
        const QStringList ids = lines.last().simplified().split(' ');
        QCOMPARE(ids, QStringList({ids[2], ids[2], ids[2]}));
    }

    void startsTheProgramWithDefaultSignals()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run("grep -E 'Sig(Blk|Ign)' /proc/self/status");

        QCOMPARE(
            QByteArray::fromStdString(report.out),
            QByteArray("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n")
        );
    }

    void setsArgumentsAndEnvironment()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "printf '<%s>' \"$@\" \"$GREETING\"",
            {{"args", {"a b", "", "quo\"te\\", "zeile\n2", "é🙂"}},
             {"env", {{"GREETING", "hi there"}}}}
        );

        QCOMPARE(report.out, std::string("<a b><><quo\"te\\><zeile\n2><é🙂><hi there>"));
    }

    void endsAtTheDeadline_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<int>("atLeastMs");
        QTest::newRow("sleeping") << QByteArray("exec sleep 60") << 300;
        QTest::newRow("ends on SIGTERM")
            << QByteArray("trap 'exit 5' TERM; while :; do :; done") << 300;
        QTest::newRow("ignores SIGTERM")
            << QByteArray("trap '' TERM INT HUP; while :; do :; done") << 700;
        QTest::newRow("so does a grandchild in a session of its own")
            << QByteArray("trap '' TERM; setsid bash -c 'echo $BASHPID > pid; while :; do sleep 1; "
                          "done' & "
                          "while :; do :; done")
            << 700;
        QTest::newRow("stopped") << QByteArray("kill -STOP $$; sleep 60") << 300;
        QTest::newRow("all stopped")
            << QByteArray("trap '' CONT; sleep 60 & kill -STOP $!; kill -STOP $$; sleep 60") << 300;
    }

    void endsAtTheDeadline()
    {
        QFETCH(QByteArray, code);
        QFETCH(int, atLeastMs);
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "echo before; echo $$ > main; " + code.toStdString(),
            {{"timeout_ms", 300}, {"kill_grace_ms", 400}}
        );

        QCOMPARE(report.last["timed_out"].get<bool>(), true);
        QCOMPARE(report.out, std::string("before\n"));
        QVERIFY2(report.took.count() >= atLeastMs, text(report.last));
        QVERIFY2(report.took.count() < atLeastMs + 1000, text(report.last));
        QVERIFY(!isAlive(sandbox.file("main")));
        QVERIFY(!isAlive(sandbox.file("pid")));
    }

    void doesNotWaitForAGrandchildThatHoldsThePipes()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "setsid sleep 300 & echo $! > a; sleep 300 > /dev/null & echo $! > b; echo done"
        );

        QCOMPARE(report.last["exit_code"].get<int>(), 0);
        QCOMPARE(report.out, std::string("done\n"));
        QCOMPARE(report.last["left_processes"].get<int>(), 2);
        QVERIFY(report.took.count() < 1200);
        QVERIFY(report.last["wall_us"].get<int>() < 200'000 + 100'000);
        QVERIFY(!isAlive(sandbox.file("a")));
        QVERIFY(!isAlive(sandbox.file("b")));
    }

    void letsAGrandchildFinishWithinTheGrace()
    {
        Sandbox sandbox;

        const RunReport report =
            sandbox.run("(sleep 0.3; echo late) & echo early", {{"drain_ms", 5000}});

        QCOMPARE(report.out, std::string("early\nlate\n"));
        QCOMPARE(report.last["left_processes"].get<int>(), 0);
        QVERIFY(report.took.count() < 3000);
    }

    void keepsHeadAndTailOfAFlood()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "seq 1 13000000 | head -c 100000000",
            {{"output_head_bytes", 100'000}, {"output_tail_bytes", 65'537}, {"timeout_ms", 60000}}
        );

        const json& out = report.last["stdout"];
        QCOMPARE(out["total_bytes"].get<int>(), 100'000'000);
        QCOMPARE(out["kept_bytes"].get<int>(), 165'537);
        QCOMPARE(report.out.size(), std::size_t{100'000});
        QCOMPARE(report.outTail.size(), std::size_t{65'537});
        QCOMPARE(report.outTailOffset, std::uint64_t{100'000'000 - 65'537});
        // seq's lines are as good as a checksum: each byte tells its place.
        std::string whole;
        for (int number = 1; whole.size() < 100'000'000; ++number)
            whole.append(std::to_string(number)).push_back('\n');
        whole.resize(100'000'000);
        QVERIFY(whole.starts_with(report.out));
        QVERIFY(whole.ends_with(report.outTail));
        const auto lines = std::ranges::count(whole, '\n') + (whole.back() == '\n' ? 0 : 1);
        QCOMPARE(out["total_lines"].get<long>(), lines);
        QVERIFY2(
            sandbox.peer.peakResidentBytes() < 8U * 1024 * 1024,
            QByteArray::number(static_cast<qulonglong>(sandbox.peer.peakResidentBytes()))
        );
    }

    void staysSmallWhateverLimitsTheEngineAsksFor()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "head -c 30000000 /dev/zero | tee /dev/stderr",
            {{"output_head_bytes", 0}, {"output_tail_bytes", 1'000'000'000}}
        );

        QCOMPARE(report.outTail.size(), std::size_t{1024} * 1024);
        QCOMPARE(report.last["stdout"]["kept_bytes"].get<int>(), 1024 * 1024);
        QVERIFY(sandbox.peer.peakResidentBytes() < 8U * 1024 * 1024);
    }

    void coalescesSingleBytes()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run("for ((i=0;i<20000;i++)); do printf x; done");

        QCOMPARE(report.out, std::string(20000, 'x'));
        // One frame per 20 ms at most, and those of at least 4 KiB.
        const auto most = static_cast<std::size_t>(report.took.count()) / 20 + 20000 / 4096 + 3;
        QVERIFY2(report.outFrames <= most, QByteArray::number(qulonglong(report.outFrames)));
    }

    void sendsTheFirstLineAtOnce()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run("echo now");

        const auto inside = report.last["wall_us"].get<long>() / 1000;
        QVERIFY2(
            report.took.count() < inside + 18, QByteArray::number(qlonglong(report.took.count()))
        );
    }

    void passesStandardInputOn_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::newRow("none") << 0;
        QTest::newRow("one line") << 12;
        QTest::newRow("more than a pipe holds") << 300'000;
        QTest::newRow("5 MB") << 5'000'000;
    }

    void passesStandardInputOn()
    {
        QFETCH(int, bytes);
        Sandbox sandbox;
        std::string input(static_cast<std::size_t>(bytes), '\0');
        for (std::size_t index = 0; index < input.size(); ++index)
            input[index] = static_cast<char>(index * 7 + index / 251);

        const RunReport report =
            sandbox.run("sleep 0.2; sha256sum; echo end", json::object(), input);

        const QByteArray digest =
            QCryptographicHash::hash(QByteArray::fromStdString(input), QCryptographicHash::Sha256)
                .toHex();
        QCOMPARE(QByteArray::fromStdString(report.out), digest + "  -\nend\n");
        QVERIFY(sandbox.peer.peakResidentBytes() < 8U * 1024 * 1024);
    }

    void dropsStandardInputThatNobodyReads()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "exec 0<&-; sleep 0.1; echo end", json::object(), std::string(3'000'000, 'x')
        );

        QCOMPARE(report.out, std::string("end\n"));
        QCOMPARE(report.last["exit_code"].get<int>(), 0);
    }

    void seesACancelBehindUnreadStandardInput()
    {
        Sandbox sandbox;
        sandbox.peer.sendRun("echo $$ > main; exec sleep 60", json::object());
        sandbox.peer.sendData(Channel::Stdin, std::string(5'000'000, 'x'), true);

        sandbox.peer.sendControl({{"op", "cancel"}});

        const RunReport report = sandbox.peer.collect();
        QCOMPARE(report.last["cancelled"].get<bool>(), true);
        QVERIFY(report.took.count() < 1000);
    }

    void endsOnCancel()
    {
        Sandbox sandbox;
        sandbox.peer.sendRun(
            "trap '' TERM; setsid sleep 60 & echo $! > child; echo started; wait", json::object()
        );
        sandbox.peer.sendData(Channel::Stdin, {}, true);
        QCOMPARE(text(sandbox.peer.waitFor("started")["op"]), "\"started\"");
        QTRY_VERIFY(
            !sandbox.file("child").trimmed().isEmpty() && sandbox.file("child") != "(missing)"
        );

        sandbox.peer.sendControl({{"op", "cancel"}});

        const RunReport report = sandbox.peer.collect();
        QCOMPARE(report.last["cancelled"].get<bool>(), true);
        QCOMPARE(report.last["timed_out"].get<bool>(), false);
        QCOMPARE(report.last["signal"].get<int>(), SIGKILL);
        QVERIFY(report.took.count() < 1000);
        QVERIFY(!isAlive(sandbox.file("child")));
    }

    void killsEverythingWhenTheEngineGoes()
    {
        Sandbox sandbox;
        sandbox.peer.sendRun(
            "trap '' TERM; echo $$ > main; setsid sleep 60 & echo $! > child; wait", json::object()
        );
        QTRY_VERIFY(
            !sandbox.file("child").trimmed().isEmpty() && sandbox.file("child") != "(missing)"
        );

        sandbox.peer.closeInput();

        QCOMPARE(sandbox.peer.waitForEnd(), 0);
        QVERIFY(!isAlive(sandbox.file("main")));
        QVERIFY(!isAlive(sandbox.file("child")));
    }

    void noticesThatTheEngineGoesWhileItCanTakeNoMore()
    {
        Sandbox sandbox;
        sandbox.peer.sendRun("echo $$ > main; exec sleep 60", json::object());
        std::string frames;
        // More than the runner holds and the pipe takes is left in the pipe when we close it.
        sandbox.peer.sendData(
            Channel::Stdin, std::string(16 * 1024 * 1024 + 300'000 - 200'000, 'x'), false
        );

        sandbox.peer.closeInput();

        QCOMPARE(sandbox.peer.waitForEnd(), 0);
        QVERIFY(!isAlive(sandbox.file("main")));
    }

    void reapsAStormOfOrphans()
    {
        Sandbox sandbox;

        const RunReport report =
            sandbox.run("for ((i=0;i<1000;i++)); do (true & ) ; done; ps -eo ppid=,stat= | "
                        "awk -v p=$PPID '$1==p && /Z/' | wc -l");

        QCOMPARE(report.last["exit_code"].get<int>(), 0);
        QVERIFY2(std::stoi(report.out) < 20, report.out.c_str());
        QCOMPARE(report.last["left_processes"].get<int>(), 0);
    }

    void endsWithAMessageOnJunk_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("zeros") << QByteArray(8000, '\0');
        QTest::newRow("text") << QByteArray("GET / HTTP/1.1\r\n\r\n").repeated(1000);
        QTest::newRow("too long a control frame") << QByteArray::fromHex("0100000001000100");
        QTest::newRow("too long a data frame") << QByteArray::fromHex("0200010001001000");
        QTest::newRow("a channel of the other direction")
            << QByteArray::fromHex("020002000100000041");
        QTest::newRow("not JSON") << QByteArray::fromHex("0100000003000000") + "{a}";
        QTest::newRow("an unknown op")
            << QByteArray::fromHex("010000000c000000") + R"({"op":"fly"})";
        QTest::newRow("code before run") << QByteArray::fromHex("020105000100000041");
        QTest::newRow("stdin before code") << QByteArray::fromHex("020101000100000041");
    }

    void endsWithAMessageOnJunk()
    {
        QFETCH(QByteArray, bytes);
        Sandbox sandbox;

        sandbox.peer.sendRaw({bytes.constData(), static_cast<std::size_t>(bytes.size())});

        QCOMPARE(sandbox.peer.waitForEnd(), 2);
        const QByteArray words = QByteArray::fromStdString(sandbox.peer.lastWords());
        QVERIFY2(words.startsWith("belljar_runner: ") && words.size() > 20, words);
    }

    void refusesOrdersThatMakeNoSense_data()
    {
        QTest::addColumn<QByteArray>("changes");
        QTest::newRow("a path as file") << QByteArray(R"({"file":"../main.sh"})");
        QTest::newRow("no file") << QByteArray(R"({"file":""})");
        QTest::newRow("a dot") << QByteArray(R"({"file":".."})");
        QTest::newRow("a negative time") << QByteArray(R"({"timeout_ms":-1})");
        QTest::newRow("a time as text") << QByteArray(R"({"timeout_ms":"5"})");
        QTest::newRow("no program") << QByteArray(R"({"argv":[]})");
        QTest::newRow("a number as argument") << QByteArray(R"({"args":[1]})");
        QTest::newRow("warm, but not prepared") << QByteArray(R"({"warm":true})");
        QTest::newRow("less code than announced") << QByteArray(R"({"code_bytes":99})");
        QTest::newRow("more code than announced") << QByteArray(R"({"code_bytes":1})");
    }

    void refusesOrdersThatMakeNoSense()
    {
        QFETCH(QByteArray, changes);
        Sandbox sandbox;

        sandbox.peer.sendRun("true", json::parse(changes.toStdString()));

        QCOMPARE(sandbox.peer.waitForEnd(), 2);
    }

    void refusesToOverwriteWhatLooksLikeTheProgramFile()
    {
        Sandbox sandbox;
        QVERIFY(QFile::link("/tmp/belljar-elsewhere", sandbox.folder.filePath("main.sh")));

        const RunReport report = sandbox.run("true");

        QVERIFY2(
            QString::fromStdString(report.last.value("message", "")).contains("File exists"),
            text(report.last)
        );
        QVERIFY(!QFileInfo::exists("/tmp/belljar-elsewhere"));
    }

    void losesNothingWhenTheEngineIsSlow()
    {
        Sandbox sandbox;
        sandbox.peer.sendRun(
            "seq 1 400000; echo $SECONDS > took; exec sleep 60",
            {{"timeout_ms", 1000}, {"kill_grace_ms", 100}, {"output_head_bytes", 10'000'000}}
        );
        sandbox.peer.sendData(Channel::Stdin, {}, true);
        // Nothing is read until long after the deadline: the writer must be dead by then all the
        // same.
        QTest::qWait(2000);
        QCOMPARE(sandbox.file("took"), QByteArray("(missing)"));

        const RunReport report = sandbox.peer.collect();

        QCOMPARE(report.last["timed_out"].get<bool>(), true);
        QVERIFY(report.last["wall_us"].get<long>() < 1'500'000);
        QVERIFY(report.out.size() > 256 * 1024);
        QCOMPARE(report.last["stdout"]["total_bytes"].get<std::size_t>(), report.out.size());
        std::string whole;
        for (int number = 1; whole.size() < report.out.size(); ++number)
            whole.append(std::to_string(number)).push_back('\n');
        QVERIFY(whole.starts_with(report.out));
    }

    void writesTheCodeByteForByte_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("BOM and CRLF") << QByteArray("\xEF\xBB\xBF# x\r\ntrue\r\n");
        QTest::newRow("NUL and no newline") << QByteArray("true\n\0\xff\xfe", 8);
        QTest::newRow("2 MB") << QByteArray("# 0123456789abcdef\n").repeated(110'000);
        QTest::newRow("a block of SHA-256 less its length") << QByteArray(55, '#');
        QTest::newRow("and one byte more") << QByteArray(56, '#');
        QTest::newRow("a whole block") << QByteArray(64, '#');
    }

    void writesTheCodeByteForByte()
    {
        QFETCH(QByteArray, code);
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            {code.constData(), static_cast<std::size_t>(code.size())},
            {{"argv", {"true"}}, {"file", "prog ä.txt"}}
        );

        const QByteArray digest =
            QCryptographicHash::hash(code, QCryptographicHash::Sha256).toHex();
        QCOMPARE(QByteArray::fromStdString(report.started["code_sha256"]), digest);
        QCOMPARE(sandbox.file("prog ä.txt"), code);
    }

    void samplesTenTimesASecond()
    {
        Sandbox sandbox;

        const RunReport report = sandbox.run(
            "end=$((SECONDS+2)); sleep 5 & while ((SECONDS<end)); do :; done; kill $!",
            {{"timeout_ms", 10000}}
        );

        const auto seconds = report.last["wall_us"].get<double>() / 1e6;
        const auto count = static_cast<double>(report.samples.size());
        QVERIFY2(count > seconds * 7 && count < seconds * 10 + 3, QByteArray::number(count));
        const json& middle = report.samples[report.samples.size() / 2];
        QCOMPARE(middle["processes"].get<int>(), 2);
        QVERIFY(middle["memory_bytes"].get<long>() > 500'000);
        long before = -1;
        for (const json& sample : report.samples) {
            QVERIFY(sample["t_ms"].get<long>() > before);
            before = sample["t_ms"].get<long>();
        }
        QVERIFY(report.samples.back()["cpu_us"].get<long>() > 500'000);
        QVERIFY(report.last["cpu_us"].get<long>() > 500'000);
    }

    void isWhatTheEngineWasBuiltWith()
    {
        const auto digestOf = [](const QString& path) {
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly))
                return QByteArray("(missing)");
            return QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex();
        };

        QCOMPARE(digestOf(BELLJAR_RUNNER_FILE), QByteArray(sandbox::kRunnerSha256.data(), 64));
        std::size_t files = 0;
        for (QDirIterator it(BELLJAR_DRIVERS_FOLDER, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();
             ++files)
            it.next();
        QCOMPARE(sandbox::kDriverSha256.size(), files);
        for (const sandbox::FileDigest& file : sandbox::kDriverSha256) {
            const QString path = QString(BELLJAR_DRIVERS_FOLDER) + '/' +
                                 QString::fromUtf8(file.path.data(), qsizetype(file.path.size()));
            QCOMPARE(digestOf(path), QByteArray(file.sha256.data(), 64));
        }
    }

    void isSmall() { QVERIFY(QFileInfo(BELLJAR_RUNNER_FILE).size() < 1'000'000); }

    void startsFast()
    {
        std::vector<double> bare;
        std::vector<double> ours;
        using Clock = std::chrono::steady_clock;
        const auto millis = [](auto since) {
            return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
        };
        for (int round = 0; round < 20; ++round) {
            const auto begin = Clock::now();
            pid_t pid = -1;
            std::array<char*, 2> arguments = {const_cast<char*>("true"), nullptr};
            QCOMPARE(
                ::posix_spawn(&pid, "/bin/true", nullptr, nullptr, arguments.data(), environ), 0
            );
            ::waitpid(pid, nullptr, 0);
            bare.push_back(millis(begin));

            const QTemporaryDir folder;
            const auto start = Clock::now();
            RunnerPeer peer(folder.path().toStdString());
            const json hello = peer.waitFor("hello");
            ours.push_back(millis(start));
            QVERIFY(hello.is_object());
        }
        qInfo(
            "spawn of /bin/true %.2f ms, runner to hello %.2f ms",
            medianMillis(bare),
            medianMillis(ours)
        );
        // The quickest of each: what else the machine does must not decide.
        const double quickest = *std::min_element(ours.begin(), ours.end());
        QVERIFY(quickest < std::max(2.0, *std::min_element(bare.begin(), bare.end()) * 4));
    }
};

QTEST_GUILESS_MAIN(TestRunner)
#include "tst_runner.moc"
