// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/sandbox_load.h"

#include <algorithm>
#include <cmath>

namespace belljar::ui {

void SandboxLoad::apply(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        if (const auto* changed = std::get_if<ExecutionChanged>(&event)) {
            // Samples count while it runs; late ones find nothing to change.
            if (changed->record.status == execution::Status::Running)
                m_running.try_emplace(changed->record.id);
            else
                m_running.erase(changed->record.id);
        } else if (const auto* taken = std::get_if<SamplesTaken>(&event)) {
            const auto known = m_running.find(taken->id);
            if (known == m_running.end() || taken->samples.empty())
                continue;
            const execution::Sample& last = taken->samples.back();
            known->second.memoryBytes = last.memoryBytes;
            if (!std::isnan(last.cpuPercent)) // the first has nothing before it
                known->second.cpuPercent = last.cpuPercent;
        }
    }
}

SandboxLoad::Point SandboxLoad::now() const
{
    Point sum;
    for (const auto& [id, point] : m_running) {
        sum.cpuPercent += point.cpuPercent;
        sum.memoryBytes += point.memoryBytes;
    }
    return sum;
}

void SandboxLoad::tick()
{
    m_points.push_back(now());
    if (m_points.size() > kPoints)
        m_points.pop_front();
}

bool SandboxLoad::isQuiet() const
{
    return m_running.empty() && std::all_of(m_points.begin(), m_points.end(), [](const Point& at) {
               return at == Point();
           });
}

} // namespace belljar::ui
