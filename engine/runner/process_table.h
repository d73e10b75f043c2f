// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <sys/types.h>

namespace belljar::runner {

/// The processes that the runner answers for, from /proc: all of the PID namespace when the runner
/// is its PID 1, else (tests on a host) its own descendants and no other.
class ProcessTable {
public:
    struct Totals {
        std::uint64_t processes = 0; ///< that are alive
        std::uint64_t cpuMicros = 0; ///< used by them and by the children they waited for
        std::uint64_t memoryBytes = 0;
    };

    /// Looks at /proc once.
    Totals scan();

    /// Sends `signal` to every one of them.
    void signalAll(int signal);

    [[nodiscard]] static bool isInit();

private:
    struct Entry { // plain, so that the table isn't touched before it is used
        pid_t pid;
        pid_t parent;
        bool ours;
        bool alive;
        std::uint64_t ticks;
        std::uint64_t pages;
    };

    void readAll();
    void add(std::string_view name);
    void markDescendants();

    // More than any pids limit in use; on a host the rest would be missed, in a sandbox only for
    // the counts, since signals don't go through the table there.
    std::array<Entry, 4096> m_entries;
    std::size_t m_used = 0;
};

} // namespace belljar::runner
