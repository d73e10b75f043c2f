// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/file.h"

#include <functional>
#include <thread>

namespace belljar::cli {

/// Calls back, once and on a thread of its own, when the process is asked to end (SIGINT, SIGTERM,
/// SIGHUP). Made before any other thread, so that all of them inherit the blocked signals.
class Termination {
public:
    explicit Termination(std::function<void()> onSignal);
    ~Termination();

    Termination(const Termination&) = delete;
    Termination& operator=(const Termination&) = delete;

private:
    void watch();

    std::function<void()> m_onSignal;
    UniqueFd m_signals;
    UniqueFd m_stop;
    std::thread m_thread;
};

} // namespace belljar::cli
