// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/analysis/process.h"
#include "engine/base/task_group.h"
#include "tests/support/run_to_end.h"

#include <algorithm>
#include <memory>
#include <string>

#include <signal.h>

using namespace belljar;
using namespace belljar::analysis;
using namespace belljar::test;
using namespace std::chrono_literals;
#endif

namespace {

bool has(const Report& report, const char* rule)
{
    return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& one) {
        return one.rule == rule;
    });
}

} // namespace

class TestAnalysisProcess : public QObject {
    Q_OBJECT

private slots:
    void looksAtProgramsOneAfterAnother()
    {
        asio::io_context context;
        AnalysisProcess process(context.get_executor(), BELLJAR_PROGRAM);
        const Report first = look(context, process, "python", "import os\nos.system('ls')\n");
        const pid_t pid = process.pid();
        const Report second = look(context, process, "bash", "echo hello\n");
        QVERIFY(first.complete && has(first, "python.process"));
        QVERIFY(second.complete && second.findings.empty());
        QVERIFY(pid > 0);
        QCOMPARE(process.pid(), pid);
    }

    void manyAtOnceTakeTurns()
    {
        asio::io_context context;
        AnalysisProcess process(context.get_executor(), BELLJAR_PROGRAM);
        TaskGroup tasks(context.get_executor(), "test");
        int complete = 0;
        for (int count = 0; count < 30; ++count)
            tasks.spawn("look", counted(&process, "x = " + std::to_string(count), &complete));
        context.run_for(20s);
        QCOMPARE(complete, 30);
    }

    // a text that breaks the parser (tree-sitter 0.20.7: a node with over 65,535 children).
    void whatBreaksTheParserIsAskedAboutAndBreaksNothingElse()
    {
        asio::io_context context;
        AnalysisProcess process(context.get_executor(), BELLJAR_PROGRAM);
        for (const char* language : {"python", "javascript", "bash"}) {
            for (const char* text : {"(", "[{", "f("}) {
                std::string code;
                for (int count = 0; count < 100'000; ++count)
                    code += text;
                const Report report = look(context, process, language, code);
                // Where a newer library doesn't break at it, it is looked at.
                QVERIFY(report.complete || has(report, "analysis.incomplete"));
            }
        }
        QVERIFY(look(context, process, "python", "print(1)").complete);
    }

    void aProcessThatWasKilledIsReplaced()
    {
        asio::io_context context;
        AnalysisProcess process(context.get_executor(), BELLJAR_PROGRAM);
        QVERIFY(look(context, process, "python", "print(1)").complete);
        ::kill(process.pid(), SIGKILL);
        const Report lost = look(context, process, "python", "print(1)");
        QVERIFY(!lost.complete && has(lost, "analysis.incomplete"));
        QVERIFY(look(context, process, "python", "print(1)").complete);
    }

    void whatCanNotBeStartedIsIncomplete()
    {
        asio::io_context context;
        for (const char* program : {"/nonexistent/belljar", "/bin/true", "/bin/cat"}) {
            AnalysisProcess process(context.get_executor(), program);
            QVERIFY(!look(context, process, "python", "print(1)").complete);
        }
    }

    void cancellingLeavesItUsable()
    {
        asio::io_context context;
        AnalysisProcess process(context.get_executor(), BELLJAR_PROGRAM);
        TaskGroup tasks(context.get_executor(), "test");
        int complete = 0;
        std::string large;
        for (int line = 0; line < 50'000; ++line)
            large += "x = [1, 2, 3]\n";
        tasks.spawn("look", counted(&process, large, &complete));
        context.poll();
        tasks.cancel();
        context.restart();
        context.run_for(5s);
        QCOMPARE(tasks.size(), std::size_t(0));
        QVERIFY(look(context, process, "python", "print(1)").complete);
    }

    void itEndsWithItsOwner()
    {
        asio::io_context context;
        auto process = std::make_unique<AnalysisProcess>(context.get_executor(), BELLJAR_PROGRAM);
        QVERIFY(look(context, *process, "python", "print(1)").complete);
        const pid_t pid = process->pid();
        process.reset();
        QCOMPARE(::kill(pid, 0), -1);
    }

private:
    static Report look(
        asio::io_context& context, AnalysisProcess& process, const char* language, std::string code
    )
    {
        auto text = std::make_shared<const std::string>(std::move(code));
        return runToEnd(context, process.analyse(language, text));
    }
    static asio::awaitable<void> counted(AnalysisProcess* process, std::string code, int* complete)
    {
        auto text = std::make_shared<const std::string>(std::move(code));
        const Report report = co_await process->analyse("python", text);
        *complete += report.complete ? 1 : 0;
    }
};

QTEST_GUILESS_MAIN(TestAnalysisProcess)
#include "tst_analysis_process.moc"
