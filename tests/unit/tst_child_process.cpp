// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/images/child_process.h"
#include "tests/support/run_to_end.h"

#include <QtTest>

#include <algorithm>
#include <csignal>
#include <optional>

#include <sys/types.h>

using namespace belljar;
using namespace std::chrono_literals;
using images::ChildProcess;

namespace {

constexpr auto kLongest = 10s;

template <class T>
T toEnd(asio::awaitable<T> operation)
{
    asio::io_context context;
    return test::runToEnd(context, std::move(operation));
}

/// `sh -c script`, with an environment of PATH and `MARK` alone.
ChildProcess::Command shell(std::string script)
{
    ChildProcess::Command command;
    command.argv = {"/bin/sh", "-c", std::move(script)};
    command.environment = {{"PATH", "/usr/bin:/bin"}, {"MARK", "a b"}};
    return command;
}

struct Said {
    std::string output;
    std::vector<std::string> lines;
    int status = -1;
};

asio::awaitable<Result<Said>> runToItsEnd(ChildProcess::Command command)
{
    Said said;
    const auto executor = co_await asio::this_coro::executor;
    ChildProcess::OnLine listen = [&said](std::string line) {
        said.lines.push_back(std::move(line));
    };
    auto child = ChildProcess::start(executor, command, std::move(listen));
    if (!child)
        co_return fail(child.error());
    const Deadline deadline = deadlineIn(kLongest);
    for (;;) {
        const auto bytes = co_await child->readOutput(deadline);
        if (!bytes)
            co_return fail(bytes.error());
        if (bytes->empty())
            break;
        said.output += *bytes;
    }
    const auto status = co_await child->wait(deadline);
    if (!status)
        co_return fail(status.error());
    said.status = *status;
    co_return said;
}

bool isAlive(pid_t pid)
{
    return ::kill(pid, 0) == 0;
}

} // namespace

class TestChildProcess : public QObject {
    Q_OBJECT

private slots:
    void readsOutputLinesOfErrorAndTheStatus()
    {
        const auto said =
            toEnd(runToItsEnd(shell("echo out; echo one >&2; printf two >&2; exit 3")));

        QVERIFY2(said.has_value(), said ? "" : said.error().message().c_str());
        QCOMPARE(said->output, std::string("out\n"));
        QCOMPARE(said->lines, std::vector<std::string>({"one", "two"}));
        QCOMPARE(said->status, 3);
    }

    void readsMoreThanAPipeHoldsOnBothSides()
    {
        const auto said = toEnd(runToItsEnd(
            shell("head -c 3000000 /dev/zero; yes long | head -n 200000 >&2; head -c 7 /dev/zero")
        ));

        QVERIFY2(said.has_value(), said ? "" : said.error().message().c_str());
        QCOMPARE(said->output.size(), std::size_t{3'000'007});
        QCOMPARE(said->lines.size(), std::size_t{200'000});
    }

    void reportsTheSignalThatEndedIt()
    {
        const auto said = toEnd(runToItsEnd(shell("kill -KILL $$")));

        QCOMPARE(said->status, 128 + SIGKILL);
    }

    void passesTheGivenEnvironmentAndNothingElse()
    {
        qputenv("BELLJAR_TEST_SECRET", "leaks");

        const auto said = toEnd(runToItsEnd(shell("env | sort | grep -v ^_= | grep -v ^PWD=")));

        QCOMPARE(said->output, std::string("MARK=a b\nPATH=/usr/bin:/bin\n"));
    }

    void givesAnEmptyInputAndNoOtherDescriptor()
    {
        const auto said = toEnd(runToItsEnd(shell("cat; ls /proc/self/fd | tr '\\n' ' '")));

        QCOMPARE(said->output, std::string("0 1 2 3 ")); // 3 is the folder that ls reads
    }

    void reportsAProgramThatIsNotThere()
    {
        ChildProcess::Command command;
        command.argv = {"/no/such/program"};

        const auto said = toEnd(runToItsEnd(command));

        QCOMPARE(said.error().code(), Errc::IoFailed);
        QVERIFY(said.error().message().find("/no/such/program") != std::string::npos);
    }

    void findsProgramsInThePathAndSaysWhatIsMissing()
    {
        QVERIFY(images::findProgram("sh").value().ends_with("/sh"));
        QCOMPARE(images::findProgram("no-such-program").error().code(), Errc::NotFound);
    }

    void endsAProgramThatTidiesUpOnRequest()
    {
        auto story = []() -> asio::awaitable<Result<std::vector<std::string>>> {
            std::vector<std::string> lines;
            const auto executor = co_await asio::this_coro::executor;
            ChildProcess::OnLine listen = [&lines](std::string line) {
                lines.push_back(std::move(line));
            };
            auto child = ChildProcess::start(
                executor,
                shell("trap 'echo tidied >&2; exit 0' TERM; echo up; while :; do sleep 0.02; done"),
                std::move(listen)
            );
            const auto up = co_await child->readOutput(deadlineIn(kLongest));
            if (!up)
                co_return fail(up.error());
            co_await child->end(deadlineIn(kLongest));
            co_return lines;
        };

        const auto lines = toEnd(story()).value();

        QVERIFY(std::find(lines.begin(), lines.end(), "tidied") != lines.end());
    }

    void killsAProgramThatIgnoresTheRequest()
    {
        auto story = []() -> asio::awaitable<Result<std::string>> {
            const auto executor = co_await asio::this_coro::executor;
            ChildProcess::OnLine ignore = [](std::string) {};
            auto child = ChildProcess::start(
                executor, shell("trap '' TERM; echo $$; exec sleep 300"), std::move(ignore)
            );
            auto pid = co_await child->readOutput(deadlineIn(kLongest));
            co_await child->end(deadlineIn(100ms));
            co_return pid;
        };

        const auto pid = toEnd(story());

        QVERIFY(!isAlive(static_cast<pid_t>(std::stol(*pid))));
    }

    void takesTheWholeGroupAlongWhenItIsDropped()
    {
        auto story = []() -> asio::awaitable<Result<std::string>> {
            const auto executor = co_await asio::this_coro::executor;
            ChildProcess::OnLine ignore = [](std::string) {};
            auto child = ChildProcess::start(
                executor, shell("sleep 300 & echo $!; wait"), std::move(ignore)
            );
            co_return co_await child->readOutput(deadlineIn(kLongest));
        };

        const auto pid = toEnd(story());

        QTRY_VERIFY(!isAlive(static_cast<pid_t>(std::stol(*pid))));
    }

    void givesUpWaitingAtTheDeadline()
    {
        auto story = []() -> asio::awaitable<Result<int>> {
            const auto executor = co_await asio::this_coro::executor;
            ChildProcess::OnLine ignore = [](std::string) {};
            auto child = ChildProcess::start(executor, shell("exec sleep 300"), std::move(ignore));
            co_return co_await child->wait(deadlineIn(50ms));
        };

        QCOMPARE(toEnd(story()).error().code(), Errc::TimedOut);
    }
};

QTEST_GUILESS_MAIN(TestChildProcess)
#include "tst_child_process.moc"
