// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/deadline.h"
#include "engine/base/task_group.h"
#include "tests/support/run_to_end.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/redirect_error.hpp>

#include <memory>
#include <stdexcept>

using namespace belljar;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

struct Counts {
    int started = 0;
    int ended = 0; ///< frames gone
};

struct Frame {
    explicit Frame(Counts& counts)
        : m_counts(counts)
    {
        ++m_counts.started;
    }
    ~Frame() { ++m_counts.ended; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

private:
    Counts& m_counts;
};

asio::awaitable<void> sleepForever(Counts* counts)
{
    const Frame frame(*counts);
    co_await sleepUntil(Deadline::max());
}

asio::awaitable<void> passThrough(Counts* counts)
{
    const Frame frame(*counts);
    co_return;
}

asio::awaitable<void> throwing(Counts* counts)
{
    const Frame frame(*counts);
    throw std::logic_error("expected by the test");
    co_return;
}

/// Ends on the spot when it is cancelled: the handler is called by the signal itself.
asio::awaitable<void> endOnTheSpot(Counts* counts)
{
    const Frame frame(*counts);
    auto wait = [](auto handler) {
        auto slot = asio::get_associated_cancellation_slot(handler);
        auto kept = std::make_shared<decltype(handler)>(std::move(handler));
        slot.assign([kept](asio::cancellation_type /*type*/) {
            auto resumed = std::move(*kept);
            std::move(resumed)();
        });
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>&, void()>(
        wait, asio::use_awaitable
    );
}

/// Cancels the others of its group when it is cancelled.
asio::awaitable<void> cancelOthers(TaskGroup* group, Counts* counts)
{
    const Frame frame(*counts);
    asio::steady_timer timer(co_await asio::this_coro::executor, Deadline::max());
    boost::system::error_code cancelled;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    group->cancel();
}

asio::awaitable<bool> joined(TaskGroup* group)
{
    co_await group->join();
    co_return group->size() == 0;
}

} // namespace
#endif

class TestTaskGroup : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_context = std::make_unique<asio::io_context>();
        m_group = std::make_unique<TaskGroup>(m_context->get_executor(), "test");
        m_counts = {};
    }

    void joinsAtOnceWhenItIsEmpty() { QVERIFY(runToEnd(*m_context, joined(m_group.get()))); }

    void joinsWhenTheLastTaskHasEnded()
    {
        for (int count = 0; count < 5; ++count)
            m_group->spawn("passes", passThrough(&m_counts));
        QCOMPARE(m_group->size(), 5U);

        QVERIFY(runToEnd(*m_context, joined(m_group.get())));

        QCOMPARE(m_counts.ended, 5);
    }

    void cancelsEveryTask_data()
    {
        QTest::addColumn<bool>("inside");
        QTest::newRow("on the context") << true;
        QTest::newRow("from outside of run") << false;
    }
    void cancelsEveryTask()
    {
        QFETCH(bool, inside);
        for (int count = 0; count < 5; ++count) {
            m_group->spawn("sleeps", sleepForever(&m_counts));
            m_group->spawn("ends on the spot", endOnTheSpot(&m_counts));
            m_group->spawn("passes", passThrough(&m_counts));
        }
        m_context->poll();
        QCOMPARE(m_group->size(), 10U);

        if (inside)
            asio::post(*m_context, [this] { m_group->cancel(); });
        else
            m_group->cancel();
        QVERIFY(runToEnd(*m_context, joined(m_group.get())));

        QCOMPARE(m_counts.started, 15);
        QCOMPARE(m_counts.ended, 15);
    }

    void cancelsATaskThatHasNotBegun()
    {
        m_group->spawn("sleeps", sleepForever(&m_counts));
        m_group->cancel();

        QVERIFY(runToEnd(*m_context, joined(m_group.get())));
        QCOMPARE(m_counts.ended, m_counts.started);
    }

    void survivesATaskThatCancelsTheGroup()
    {
        m_group->spawn("cancels", cancelOthers(m_group.get(), &m_counts));
        for (int count = 0; count < 5; ++count)
            m_group->spawn("ends on the spot", endOnTheSpot(&m_counts));
        m_group->spawn("cancels", cancelOthers(m_group.get(), &m_counts));
        m_context->poll();

        asio::post(*m_context, [this] { m_group->cancel(); });

        QVERIFY(runToEnd(*m_context, joined(m_group.get())));
        QCOMPARE(m_counts.ended, 7);
    }

    void refusesTasksOnceItIsClosed()
    {
        m_group->spawn("sleeps", sleepForever(&m_counts));
        m_group->close();
        m_group->spawn("too late", passThrough(&m_counts));
        QCOMPARE(m_group->size(), 1U);

        m_group->cancel();
        QVERIFY(runToEnd(*m_context, joined(m_group.get())));

        QCOMPARE(m_counts.ended, m_counts.started);
    }

    void outlivesATaskThatThrows()
    {
        m_group->spawn("throws", throwing(&m_counts));
        m_group->spawn("passes", passThrough(&m_counts));

        QVERIFY(runToEnd(*m_context, joined(m_group.get())));

        QCOMPARE(m_counts.ended, 2);
    }

    void letsSeveralJoin()
    {
        m_group->spawn("sleeps", sleepForever(&m_counts));
        int both = 0;
        for (int count = 0; count < 2; ++count)
            asio::co_spawn(*m_context, joined(m_group.get()), [&](const std::exception_ptr&, bool) {
                ++both;
            });
        m_context->poll();
        QCOMPARE(both, 0);

        m_group->cancel();
        m_context->restart();
        m_context->run_for(kLongestWait);

        QCOMPARE(both, 2);
    }

    void letsAJoinBeCancelled()
    {
        m_group->spawn("sleeps", sleepForever(&m_counts));
        TaskGroup others(m_context->get_executor(), "others");
        others.spawn("joins", m_group->join());
        m_context->poll();
        others.cancel();
        QVERIFY(runToEnd(*m_context, joined(&others)));
        QCOMPARE(m_group->size(), 1U);

        m_group->cancel();
        QVERIFY(runToEnd(*m_context, joined(m_group.get())));
    }

    void mayDieWithTasksInsideWhileTheContextLives()
    {
        m_group->spawn("sleeps", sleepForever(&m_counts));
        m_context->poll();
        m_group.reset();

        m_context.reset();

        QCOMPARE(m_counts.ended, 1);
    }

    void mayOutliveItsContext()
    {
        m_group->spawn("sleeps", sleepForever(&m_counts));
        asio::co_spawn(*m_context, joined(m_group.get()), [](const std::exception_ptr&, bool) {});
        m_context->poll();
        QCOMPARE(m_counts.started, 1);

        m_context.reset();
        m_group.reset();

        QCOMPARE(m_counts.ended, 1);
    }

    void cleanup()
    {
        m_group.reset();
        m_context.reset();
    }

private:
    std::unique_ptr<asio::io_context> m_context;
    std::unique_ptr<TaskGroup> m_group;
    Counts m_counts;
};

QTEST_GUILESS_MAIN(TestTaskGroup)
#include "tst_task_group.moc"
