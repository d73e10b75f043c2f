// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>
#endif

namespace belljar::ui {

/// What all sandboxes together take, over the last minute.
class SandboxLoad {
public:
    struct Point {
        double cpuPercent = 0; ///< of one core
        std::uint64_t memoryBytes = 0;

        friend bool operator==(const Point&, const Point&) = default;
    };

    static constexpr std::size_t kPoints = 120; ///< two a second

    void apply(const std::vector<Event>& events);
    /// Takes a point of now; called twice a second.
    void tick();

    [[nodiscard]] Point now() const;
    [[nodiscard]] const std::deque<Point>& points() const { return m_points; }
    /// Nothing runs and nothing ran in the last minute.
    [[nodiscard]] bool isQuiet() const;

private:
    std::unordered_map<ExecutionId, Point> m_running; ///< the last reading of each
    std::deque<Point> m_points;                       ///< oldest first
};

} // namespace belljar::ui
