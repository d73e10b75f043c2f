// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace belljar::test {

/// Processor time that the calling thread has used, in milliseconds. A stall is told by it rather
/// than by the clock on the wall: on a machine that is busy with others everything takes long there
/// without anybody being at fault.
inline double usedProcessorTime_ms()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Tells for how long the event loop of its thread did nothing else but one thing.
///
/// Waiting without working (a lock, a file) is seen in the time on the wall alone.
class StallDetector : public QObject {
public:
    explicit StallDetector(QObject* parent = nullptr)
        : QObject(parent)
    {
        m_tick.setInterval(std::chrono::milliseconds(2));
        m_tick.setTimerType(Qt::PreciseTimer);
        connect(&m_tick, &QTimer::timeout, this, &StallDetector::look);
        restart();
        m_tick.start();
    }

    /// The longest gap so far, in milliseconds of processor time.
    [[nodiscard]] double longest_ms() const { return m_longest_ms; }
    /// The longest gap so far on the wall.
    [[nodiscard]] double longestOnTheWall_ms() const { return m_longestWall_ms; }
    /// Forgets what was before, for example the making of a window.
    void restart()
    {
        m_longest_ms = 0;
        m_longestWall_ms = 0;
        m_last_ms = usedProcessorTime_ms();
        m_wall.start();
    }

private:
    void look()
    {
        const double now_ms = usedProcessorTime_ms();
        m_longest_ms = std::max(m_longest_ms, now_ms - m_last_ms);
        m_last_ms = now_ms;
        m_longestWall_ms =
            std::max(m_longestWall_ms, static_cast<double>(m_wall.nsecsElapsed()) / 1e6);
        m_wall.start();
    }

    QTimer m_tick;
    QElapsedTimer m_wall;
    double m_last_ms = 0;
    double m_longest_ms = 0;
    double m_longestWall_ms = 0;
};

} // namespace belljar::test
