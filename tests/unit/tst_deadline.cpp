// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/deadline.h"
#include "tests/support/run_to_end.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

#include <stdexcept>

using namespace belljar;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

/// Says when a coroutine's frame is gone.
struct Gone {
    explicit Gone(bool& flag)
        : m_flag(flag)
    {}
    ~Gone() { m_flag = true; }
    Gone(const Gone&) = delete;
    Gone& operator=(const Gone&) = delete;

private:
    bool& m_flag;
};

asio::awaitable<Result<int>> answer(Deadline at, Result<int> result, bool* gone)
{
    const Gone guard(*gone);
    co_await sleepUntil(at);
    co_return result;
}

asio::awaitable<Result<int>> throwAt(Deadline at)
{
    co_await sleepUntil(at);
    throw std::logic_error("a bug");
}

/// Meets its cancellation with an exception of its own.
asio::awaitable<Result<int>> throwWhenCancelled()
{
    asio::steady_timer timer(co_await asio::this_coro::executor, Deadline::max());
    boost::system::error_code cancelled;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    throw std::logic_error("a bug while ending");
}

/// Answers although it was cancelled, after tidying up.
asio::awaitable<Result<int>> answerWhenCancelled()
{
    asio::steady_timer timer(co_await asio::this_coro::executor, Deadline::max());
    boost::system::error_code cancelled;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    // One step more than finishBy's own timer needs to end.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const auto executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);
    co_return 42;
}

} // namespace
#endif

class TestDeadline : public QObject {
    Q_OBJECT

private slots:
    void init() { m_context = std::make_unique<asio::io_context>(); }

    void givesTheValueOfWhatEndsInTime()
    {
        bool gone = false;
        const auto result =
            runToEnd(*m_context, finishBy(deadlineIn(1h), answer(deadlineIn(1ms), 7, &gone)));

        QVERIFY(result);
        QCOMPARE(*result, 7);
        QVERIFY(gone);
    }

    void passesOnAnErrorAtOnce()
    {
        bool gone = false;
        const Result<int> error = fail(Errc::NotFound, "its own");
        const auto result =
            runToEnd(*m_context, finishBy(deadlineIn(1h), answer(deadlineIn(0s), error, &gone)));

        QVERIFY(!result);
        QCOMPARE(result.error().message(), std::string("its own"));
    }

    void rethrowsAtOnce()
    {
        QVERIFY_THROWS_EXCEPTION(
            std::logic_error,
            static_cast<void>(
                runToEnd(*m_context, finishBy(deadlineIn(1h), throwAt(deadlineIn(1ms))))
            )
        );
    }

    void reportsTimedOutWhenTheDeadlinePasses()
    {
        bool gone = false;
        const auto result =
            runToEnd(*m_context, finishBy(deadlineIn(5ms), answer(Deadline::max(), 7, &gone)));

        QVERIFY(!result);
        QCOMPARE(nameOf(result.error().code()), nameOf(Errc::TimedOut));
        QVERIFY2(gone, "the operation has ended when finishBy returns");
    }

    void timesOutAtADeadlineInThePast()
    {
        bool gone = false;
        const auto result =
            runToEnd(*m_context, finishBy(deadlineIn(-1h), answer(Deadline::max(), 7, &gone)));

        QVERIFY(!result);
        QCOMPARE(nameOf(result.error().code()), nameOf(Errc::TimedOut));
    }

    void doesNotHideABugBehindATimeOut()
    {
        QVERIFY_THROWS_EXCEPTION(
            std::logic_error,
            static_cast<void>(runToEnd(*m_context, finishBy(deadlineIn(5ms), throwWhenCancelled())))
        );
    }

    void isCancelledFromOutside_data()
    {
        QTest::addColumn<bool>("answers");
        QTest::newRow("operation unwinds") << false;
        QTest::newRow("operation answers all the same") << true;
    }
    void isCancelledFromOutside()
    {
        QFETCH(bool, answers);
        bool gone = false;
        bool ended = false;
        std::exception_ptr thrown;
        Result<int> result = 0;
        asio::cancellation_signal signal;
        auto operation = answers ? answerWhenCancelled() : answer(Deadline::max(), 7, &gone);
        asio::co_spawn(
            *m_context,
            finishBy(deadlineIn(1h), std::move(operation)),
            asio::bind_cancellation_slot(
                signal.slot(),
                [&](const std::exception_ptr& error, const Result<int>& value) {
                    ended = true;
                    thrown = error;
                    result = value;
                }
            )
        );
        m_context->poll();
        QVERIFY(!ended);

        asio::post(*m_context, [&] { signal.emit(asio::cancellation_type::terminal); });
        m_context->restart();
        m_context->run_for(kLongestWait);

        QVERIFY(ended);
        if (answers) {
            QVERIFY(!thrown);
            QCOMPARE(result.value(), 42);
        } else {
            QVERIFY2(thrown && isCancellation(thrown), "cancelling is no time-out");
            QVERIFY(gone);
        }
    }

    void sleepsUntilItIsCancelled()
    {
        QVERIFY(deadlineIn(1h) > SteadyClock::now());
        QCOMPARE(remaining(deadlineIn(-1h)).count(), 0);
        QVERIFY(remaining(deadlineIn(1h)) > 59min);
        QVERIFY(remaining(Deadline::max()) > 1h);
    }

    void cleanup() { m_context.reset(); }

private:
    std::unique_ptr<asio::io_context> m_context;
};

QTEST_GUILESS_MAIN(TestDeadline)
#include "tst_deadline.moc"
