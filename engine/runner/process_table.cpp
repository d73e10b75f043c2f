// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/process_table.h"

#include "engine/runner/system.h"
#include "engine/runner/text.h"

#include <csignal>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

/// Field `index` of a line of /proc/PID/stat, counted from 0 at the state (field 3 in proc(5)).
std::string_view field(std::string_view rest, std::size_t index)
{
    for (; index > 0; --index) {
        const std::size_t blank = rest.find(' ');
        if (blank == std::string_view::npos)
            return {};
        rest.remove_prefix(blank + 1);
    }
    return rest;
}

} // namespace

bool ProcessTable::isInit()
{
    return ::getpid() == 1;
}

void ProcessTable::readAll()
{
    m_used = 0;
    int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    alignas(dirent64) static std::array<char, std::size_t{16} * 1024> buffer;
    while (true) {
        const ssize_t size = ::getdents64(folder, buffer.data(), buffer.size());
        if (size <= 0)
            break;
        for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
            const char* record = buffer.data() + at;
            std::uint16_t length = 0;
            std::memcpy(&length, record + offsetof(dirent64, d_reclen), sizeof(length));
            const std::string_view name(record + offsetof(dirent64, d_name));
            if (name.front() >= '1' && name.front() <= '9')
                add(name);
            at += length;
        }
    }
    closeDescriptor(folder);
    markDescendants();
}

void ProcessTable::add(std::string_view name)
{
    if (m_used == m_entries.size())
        return;
    Text<64> path;
    path.add("/proc/").add(name).add(std::string_view("/stat\0", 6));
    std::array<char, 1024> buffer;
    std::string_view line = readSmallFile(path.view().data(), buffer);
    // The name of the program is in parentheses and may hold anything, also ") ".
    const std::size_t end = line.rfind(')');
    if (end == std::string_view::npos || end + 2 >= line.size())
        return;
    line.remove_prefix(end + 2);

    Entry& entry = m_entries[m_used++];
    entry = Entry();
    entry.pid = static_cast<pid_t>(numberIn(name));
    entry.parent = static_cast<pid_t>(numberIn(field(line, 1)));
    entry.alive = line.front() != 'Z' && line.front() != 'X';
    for (std::size_t index = 11; index <= 14; ++index) // utime, stime, cutime, cstime
        entry.ticks += numberIn(field(line, index));
    entry.pages = numberIn(field(line, 21)); // rss
}

void ProcessTable::markDescendants()
{
    const pid_t self = ::getpid();
    const std::span entries = std::span(m_entries).first(m_used);
    if (isInit()) {
        for (Entry& entry : entries)
            entry.ours = entry.pid != self;
        return;
    }
    const auto isOurs = [&entries, self](pid_t pid) {
        if (pid == self)
            return true;
        for (const Entry& entry : entries) {
            if (entry.pid == pid)
                return entry.ours;
        }
        return false;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (Entry& entry : entries) {
            if (!entry.ours && isOurs(entry.parent)) {
                entry.ours = true;
                changed = true;
            }
        }
    }
}

ProcessTable::Totals ProcessTable::scan()
{
    readAll();
    Totals totals;
    std::uint64_t ticks = 0;
    std::uint64_t pages = 0;
    for (const Entry& entry : std::span(m_entries).first(m_used)) {
        if (!entry.ours)
            continue;
        totals.processes += entry.alive ? 1 : 0;
        ticks += entry.ticks;
        pages += entry.pages;
    }
    totals.cpuMicros = ticks * 1'000'000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
    totals.memoryBytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return totals;
}

void ProcessTable::signalAll(int signal)
{
    if (isInit()) {
        ::kill(-1, signal); // one sweep under the kernel's lock: nothing can fork past it
        return;
    }
    readAll();
    for (const Entry& entry : std::span(m_entries).first(m_used)) {
        if (entry.ours && entry.pid > 1)
            ::kill(entry.pid, signal);
    }
}

} // namespace belljar::runner
