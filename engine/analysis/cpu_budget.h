// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace belljar::analysis {

/// The processor time that an analysis may still use on its thread.
///
/// Not time on the wall: on a busy machine a harmless program would then be judged as one that
/// can't be analysed. Who waits for the answer has a deadline of its own (process.cpp).
class CpuBudget {
public:
    explicit CpuBudget(std::chrono::microseconds most)
        : m_end(used() + most)
    {}

    [[nodiscard]] bool spent() const { return used() >= m_end; }
    /// Never negative.
    [[nodiscard]] std::chrono::microseconds left() const
    {
        return std::max(m_end - used(), std::chrono::microseconds(0));
    }

private:
    /// clock_gettime(2), CLOCK_THREAD_CPUTIME_ID.
    static std::chrono::microseconds used()
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::microseconds(now.tv_nsec / 1000);
    }

    std::chrono::microseconds m_end;
};

} // namespace belljar::analysis
