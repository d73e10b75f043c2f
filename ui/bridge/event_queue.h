// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/events.h"

#include <cstddef>
#include <mutex>
#include <vector>

namespace belljar::ui {

/// Hands events from the engine thread to the UI thread. No Qt in it, so ThreadSanitizer can check
/// it.
///
/// Output and samples of one execution that follow each other become one event. The queue is
/// bounded: over kMaxEvents the oldest samples go first; a change of state or a piece of output is
/// never dropped.
class EventQueue {
public:
    static constexpr std::size_t kMaxEvents = 4096;

    /// Any thread; never waits for the reader. True when the queue was empty: wake the reader,
    /// once.
    bool push(Event event);

    /// Everything that is queued, in order.
    [[nodiscard]] std::vector<Event> drain();

private:
    bool merge(Event& event);
    void makeRoom();

    std::mutex m_mutex;
    std::vector<Event> m_events; ///< guarded
};

} // namespace belljar::ui
