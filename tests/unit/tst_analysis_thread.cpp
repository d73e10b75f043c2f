// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/analysis/worker.h"
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "tests/support/run_to_end.h"

#include <atomic>
#include <memory>
#include <string>

using namespace belljar;
using namespace belljar::analysis;
using namespace std::chrono_literals;
#endif

class TestAnalysisThread : public QObject {
    Q_OBJECT

private slots:
    void looksAtManyBesideEachOther()
    {
        asio::io_context context;
        AnalysisThread thread(Analyzer::load(BELLJAR_QUERIES).value());
        TaskGroup tasks(context.get_executor(), "test");
        int ended = 0;
        for (int count = 0; count < 40; ++count)
            tasks.spawn(
                "one",
                look(&thread, "import os\nos.system('ls')\n# " + std::to_string(count), &ended)
            );
        context.run();
        QCOMPARE(ended, 40);
    }

    void whoStopsWaitingLeavesTheWorkBehind()
    {
        asio::io_context context;
        auto thread = std::make_unique<AnalysisThread>(Analyzer::load(BELLJAR_QUERIES).value());
        TaskGroup tasks(context.get_executor(), "test");
        int ended = 0;
        std::string large;
        for (int line = 0; line < 20'000; ++line)
            large += "x = [1, 2, 3]\n";
        tasks.spawn("one", look(thread.get(), large, &ended));
        context.poll();
        tasks.cancel();
        context.restart();
        context.run_for(10s);
        QCOMPARE(tasks.size(), std::size_t(0));
        thread.reset(); // waits for what is being looked at
    }

private:
    static asio::awaitable<void> look(AnalysisThread* thread, std::string code, int* ended)
    {
        auto text = std::make_shared<const std::string>(std::move(code));
        const Report report = co_await thread->analyse("python", text);
        if (report.complete)
            ++*ended;
    }
};

QTEST_GUILESS_MAIN(TestAnalysisThread)
#include "tst_analysis_thread.moc"
