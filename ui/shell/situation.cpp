// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/situation.h"

#include <algorithm>

namespace belljar::ui {

void Situation::apply(const std::vector<Event>& events)
{
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
}

int Situation::running() const
{
    return static_cast<int>(std::count_if(active.begin(), active.end(), [](const auto& entry) {
        return entry.second == execution::Status::Running;
    }));
}

void Situation::take(const ExecutionChanged& changed)
{
    if (execution::isFinal(changed.record.status))
        active.erase(changed.record.id);
    else
        active[changed.record.id] = changed.record.status;
}

void Situation::take(const EngineFailed& /*failed*/)
{
    engineFailed = true;
    clients.clear();
    active.clear();
}

} // namespace belljar::ui
