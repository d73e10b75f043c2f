// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/cgroup.h"

#include "engine/runner/process_table.h"
#include "engine/runner/system.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

/// What differs between the versions: where each number is and what stands before it.
struct Layout {
    int version;
    std::array<const char*, 2> cpu; ///< the first that exists
    std::string_view cpuName;
    std::uint64_t cpuPerMicro;
    const char* memory;
    const char* memoryStat;
    std::string_view inactiveName;
    const char* memoryPeak;
    const char* oom;
    std::string_view oomName;
    const char* io;
    std::string_view readName;
    std::string_view writeName;
};

constexpr std::array<Layout, 2> kLayouts = {
    Layout{
        1,
        {"/sys/fs/cgroup/cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage"},
        "",
        1000,
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.stat",
        "total_inactive_file ",
        "/sys/fs/cgroup/memory/memory.max_usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.oom_control",
        "oom_kill ",
        "/sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes",
        " Read ",
        " Write ",
    },
    Layout{
        2,
        {"/sys/fs/cgroup/cpu.stat", ""},
        "usage_usec ",
        1,
        "/sys/fs/cgroup/memory.current",
        "/sys/fs/cgroup/memory.stat",
        "inactive_file ",
        "/sys/fs/cgroup/memory.peak",
        "/sys/fs/cgroup/memory.events",
        "oom_kill ",
        "/sys/fs/cgroup/io.stat",
        " rbytes=",
        " wbytes=",
    },
};

const Layout& layoutOf(int version)
{
    return kLayouts[version == 2 ? 1 : 0];
}

int openFile(const char* path)
{
    return ::open(path, O_RDONLY | O_CLOEXEC);
}

/// The sum of all numbers that follow `name`: one per block device.
std::uint64_t sumOf(std::string_view text, std::string_view name)
{
    std::uint64_t sum = 0;
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + name.size()))
        sum += numberIn(text.substr(at + name.size()));
    return sum;
}

using Buffer = std::array<char, std::size_t{8} * 1024>;

} // namespace

void Cgroup::open()
{
    if (!ProcessTable::isInit())
        return;
    for (const Layout& layout : kLayouts) {
        m_memory = openFile(layout.memory);
        if (m_memory < 0)
            continue;
        m_version = layout.version;
        for (const char* path : layout.cpu)
            m_cpu = m_cpu < 0 ? openFile(path) : m_cpu;
        m_memoryStat = openFile(layout.memoryStat);
        m_memoryPeak = openFile(layout.memoryPeak);
        m_oom = openFile(layout.oom);
        m_io = openFile(layout.io);
        return;
    }
}

Cgroup::Usage Cgroup::usage() const
{
    const Layout& layout = layoutOf(m_version);
    Buffer buffer;
    Usage usage;
    usage.cpuMicros =
        numberIn(lineAfter(readSmallFile(m_cpu, buffer), layout.cpuName)) / layout.cpuPerMicro;
    usage.memoryBytes = numberIn(readSmallFile(m_memory, buffer));
    usage.cacheBytes = std::min(
        usage.memoryBytes,
        numberIn(lineAfter(readSmallFile(m_memoryStat, buffer), layout.inactiveName))
    );
    usage.memoryBytes -= usage.cacheBytes;
    const std::string_view io = readSmallFile(m_io, buffer);
    usage.readBytes = sumOf(io, layout.readName);
    usage.writtenBytes = sumOf(io, layout.writeName);
    return usage;
}

std::uint64_t Cgroup::oomKills() const
{
    Buffer buffer;
    return numberIn(lineAfter(readSmallFile(m_oom, buffer), layoutOf(m_version).oomName));
}

std::uint64_t Cgroup::peakBytes() const
{
    Buffer buffer;
    return numberIn(readSmallFile(m_memoryPeak, buffer));
}

} // namespace belljar::runner
