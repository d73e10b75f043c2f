// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/stall_detector.h"

#include <QApplication>
#include <QEvent>
#include <QMetaEnum>
#include <QTest>
#include <QThread>

namespace belljar::test {

/// Remembers which event kept the window busy for longest.
class WatchedApplication : public QApplication {
public:
    using QApplication::QApplication;

    struct Stall {
        double length_ms = 0;
        QByteArray event;
        QByteArray receiver;
    };

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (QThread::currentThread() != thread())
            return QApplication::notify(receiver, event);
        const int level = thread()->loopLevel();
        if (m_inside && level <= m_level)
            return QApplication::notify(receiver, event); // a part of one that is being handled
        const bool wasInside = m_inside;
        const int before = m_level;
        m_inside = true;
        m_level = level;
        m_ranLoop = false;
        // Either may be gone afterwards.
        const QEvent::Type type = event->type();
        const QByteArray name = receiver->metaObject()->className();
        const double began = usedProcessorTime_ms();
        const bool accepted = QApplication::notify(receiver, event);
        const double took = usedProcessorTime_ms() - began;
        // One that ran a loop of its own, as a dialog does, answered meanwhile.
        if (!m_ranLoop && took > m_longest.length_ms)
            m_longest = {took, QMetaEnum::fromType<QEvent::Type>().valueToKey(type), name};
        m_inside = wasInside;
        m_level = before;
        m_ranLoop = true;
        return accepted;
    }

    [[nodiscard]] const Stall& longest() const { return m_longest; }
    void forget() { m_longest = {}; }

private:
    Stall m_longest;
    int m_level = 0;
    bool m_inside = false;
    bool m_ranLoop = false;
};

/// Runs the test, which fails as well when the handling of one event took more than
/// `most_ms` of processor time.
template <typename TestClass>
int runGuiTest(int argc, char** argv, double most_ms)
{
    WatchedApplication app(argc, argv);
    TestClass test;
    const int failures = QTest::qExec(&test, argc, argv);
    const auto& longest = app.longest();
    qInfo(
        "longest event: %.1f ms (%s to %s)",
        longest.length_ms,
        longest.event.constData(),
        longest.receiver.constData()
    );
    if (longest.length_ms <= most_ms)
        return failures;
    qWarning("FAIL!  : the window stalled for more than %.0f ms", most_ms);
    return failures + 1;
}

/// For how long the window may stall. Code that isn't optimised takes about twice as long.
#ifdef __OPTIMIZE__
inline constexpr double kMostStall_ms = 50;
#else
inline constexpr double kMostStall_ms = 100;
#endif

} // namespace belljar::test

/// In place of QTEST_MAIN; the window may stall for kMostStall_ms.
#define BELLJAR_GUI_TEST_MAIN(TestClass)                                                           \
    int main(int argc, char** argv)                                                                \
    {                                                                                              \
        QTEST_SET_MAIN_SOURCE_PATH                                                                 \
        return belljar::test::runGuiTest<TestClass>(argc, argv, belljar::test::kMostStall_ms);     \
    }
