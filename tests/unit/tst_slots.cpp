// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/task_group.h"
#include "engine/execution/slots.h"

#include <memory>
#include <string>
#include <vector>

using namespace belljar;
using belljar::execution::Slots;
#endif

namespace {

/// Executions of clients over the slots; each holds its slot until it is ended.
struct Bench {
    asio::io_context context;
    Slots pool;
    TaskGroup tasks{context.get_executor(), "test"};
    std::vector<std::string> running; ///< in the order they got one
    std::vector<Slots::Slot> held;

    explicit Bench(std::uint32_t count)
        : pool(context.get_executor(), count)
    {}
    void ask(const char* client, const char* name, std::uint32_t most)
    {
        tasks.spawn(name, hold(this, ClientId(client), name, most));
        context.restart();
        context.poll();
    }
    void end(std::size_t place)
    {
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(place));
        context.restart();
        context.poll();
    }
    static asio::awaitable<void>
    hold(Bench* bench, ClientId client, std::string name, std::uint32_t most)
    {
        auto slot = co_await bench->pool.take(client, most);
        bench->running.push_back(name);
        bench->held.push_back(std::move(*slot));
    }
};

} // namespace

class TestSlots : public QObject {
    Q_OBJECT

private slots:
    void whilePausedNobodysTurnComes()
    {
        Bench bench(2);
        bench.ask("a", "before", 8);
        bench.pool.setPaused(true);
        bench.ask("a", "a1", 8);
        bench.ask("b", "b1", 8);
        bench.end(0); // what is given back is not given out either
        QCOMPARE(bench.running, (std::vector<std::string>{"before"}));
        bench.pool.setPaused(false);
        bench.context.restart();
        bench.context.poll();
        QCOMPARE(bench.running, (std::vector<std::string>{"before", "a1", "b1"}));
    }

    void theOthersWaitInTheOrderTheyCame()
    {
        Bench bench(1);
        bench.ask("a", "a1", 8);
        bench.ask("a", "a2", 8);
        bench.ask("b", "b1", 8);
        QCOMPARE(bench.running, (std::vector<std::string>{"a1"}));
        bench.end(0);
        QCOMPARE(bench.running, (std::vector<std::string>{"a1", "a2"}));
        bench.end(0);
        QCOMPARE(bench.running, (std::vector<std::string>{"a1", "a2", "b1"}));
    }

    void oneClientDoesNotTakeThemAll()
    {
        Bench bench(4);
        for (const char* name : {"a1", "a2", "a3"})
            bench.ask("a", name, 2);
        bench.ask("b", "b1", 2);
        QCOMPARE(bench.running, (std::vector<std::string>{"a1", "a2", "b1"})); // past a3
        bench.end(2);
        QCOMPARE(bench.running.size(), std::size_t(3)); // b's slot is none for a
        bench.end(0);
        QCOMPARE(bench.running.back(), std::string("a3"));
    }

    void whoIsCancelledGivesUpItsPlace()
    {
        Bench bench(1);
        bench.ask("a", "a1", 8);
        bench.ask("b", "b1", 8);
        bench.tasks.cancel();
        bench.context.restart();
        bench.context.poll();
        bench.ask("c", "c1", 8);
        bench.end(0);
        QCOMPARE(bench.running, (std::vector<std::string>{"a1", "c1"}));
    }
};

QTEST_GUILESS_MAIN(TestSlots)
#include "tst_slots.moc"
