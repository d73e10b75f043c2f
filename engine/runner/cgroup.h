// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace belljar::runner {

/// What the sandbox uses, as its control group counts it: no file in here can be written by
/// the code. Version 1 and 2; version 0 means there is none to see (gVisor, tests on a host).
class Cgroup {
public:
    struct Usage {
        std::uint64_t cpuMicros = 0;
        std::uint64_t memoryBytes = 0; ///< without cacheBytes
        std::uint64_t cacheBytes = 0;  ///< file cache that can be given back at once
        std::uint64_t readBytes = 0;
        std::uint64_t writtenBytes = 0;
    };

    /// Opens what is there. Only PID 1 looks: elsewhere /sys/fs/cgroup is the whole machine's.
    void open();

    [[nodiscard]] int version() const { return m_version; }
    [[nodiscard]] Usage usage() const;
    [[nodiscard]] std::uint64_t oomKills() const;

    /// The most memory ever in use, file cache included; 0 when the kernel doesn't tell (version 2
    /// before Linux 5.19).
    [[nodiscard]] std::uint64_t peakBytes() const;

private:
    int m_version = 0;
    int m_cpu = -1;
    int m_memory = -1;
    int m_memoryStat = -1;
    int m_memoryPeak = -1;
    int m_oom = -1;
    int m_io = -1;
};

} // namespace belljar::runner
