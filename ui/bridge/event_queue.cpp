// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/event_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belljar::ui {

namespace {

/// How far back a partner for merging is looked for; about the number of executions that run at
/// once.
constexpr std::size_t kMergeWindow = 32;

const ExecutionId* executionOf(const Event& event)
{
    if (const auto* changed = std::get_if<ExecutionChanged>(&event))
        return &changed->record.id;
    if (const auto* output = std::get_if<OutputAppended>(&event))
        return &output->id;
    if (const auto* samples = std::get_if<SamplesTaken>(&event))
        return &samples->id;
    return nullptr;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

} // namespace

bool EventQueue::push(Event event)
{
    const std::lock_guard lock(m_mutex);
    const bool wasEmpty = m_events.empty();
    if (merge(event))
        return false;
    if (m_events.size() >= kMaxEvents)
        makeRoom();
    m_events.push_back(std::move(event));
    return wasEmpty;
}

/// Joins `event` to the last one about the same execution if that is of the same kind.
bool EventQueue::merge(Event& event)
{
    const ExecutionId* id = executionOf(event);
    if (!id)
        return false;
    const auto window = std::min(kMergeWindow, m_events.size());
    for (auto at = m_events.rbegin(); at != m_events.rbegin() + static_cast<std::ptrdiff_t>(window);
         ++at) {
        const ExecutionId* other = executionOf(*at);
        if (!other || *other != *id)
            continue;
        if (at->index() != event.index())
            return false;
        if (auto* output = std::get_if<OutputAppended>(&event))
            append(std::get<OutputAppended>(*at).chunks, output->chunks);
        else if (auto* samples = std::get_if<SamplesTaken>(&event))
            append(std::get<SamplesTaken>(*at).samples, samples->samples);
        else
            *at = std::move(event);
        return true;
    }
    return false;
}

void EventQueue::makeRoom()
{
    std::erase_if(m_events, [](const Event& event) {
        return std::holds_alternative<SamplesTaken>(event);
    });
}

std::vector<Event> EventQueue::drain()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_events, {});
}

} // namespace belljar::ui
