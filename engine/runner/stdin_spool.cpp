// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/stdin_spool.h"

#include "engine/runner/system.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/mman.h>
#include <unistd.h>

namespace belljar::runner {

bool StdinSpool::open()
{
    m_file = ::memfd_create("stdin", MFD_CLOEXEC);
    return m_file >= 0;
}

std::uint64_t StdinSpool::room() const
{
    return m_closed ? kMaxWaiting : kMaxWaiting - m_written;
}

bool StdinSpool::add(std::span<const char> bytes)
{
    if (m_closed)
        return true;
    if (m_read == m_written && m_pipe >= 0)
        bytes = bytes.subspan(writeToPipe(bytes));
    while (!bytes.empty() && !m_closed) {
        const ssize_t count =
            ::pwrite(m_file, bytes.data(), bytes.size(), static_cast<off_t>(m_written));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        m_written += static_cast<std::uint64_t>(count);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

void StdinSpool::end()
{
    m_ended = true;
    write();
}

void StdinSpool::write()
{
    if (m_pipe < 0)
        return;
    static std::array<char, std::size_t{64} * 1024> chunk;
    while (m_read < m_written) {
        const auto wanted =
            static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), m_written - m_read));
        const ssize_t count = ::pread(m_file, chunk.data(), wanted, static_cast<off_t>(m_read));
        if (count <= 0)
            break;
        const std::size_t taken =
            writeToPipe(std::span(chunk).first(static_cast<std::size_t>(count)));
        if (m_closed)
            return;
        m_read += taken;
        if (taken < static_cast<std::size_t>(count))
            return;
    }
    if (m_written > 0) {
        // All is out: the file gives its memory back and is filled from the beginning again.
        [[maybe_unused]] const int result = ::ftruncate(m_file, 0);
        m_read = 0;
        m_written = 0;
    }
    if (m_ended)
        close();
}

void StdinSpool::close()
{
    closeDescriptor(m_pipe);
    closeDescriptor(m_file);
    m_closed = true;
    m_read = 0;
    m_written = 0;
}

std::size_t StdinSpool::writeToPipe(std::span<const char> bytes)
{
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const ssize_t count = ::write(m_pipe, bytes.data() + taken, bytes.size() - taken);
        if (count > 0) {
            taken += static_cast<std::size_t>(count);
        } else if (count < 0 && errno == EAGAIN) {
            break;
        } else if (!(count < 0 && errno == EINTR)) {
            close(); // the program has closed its end
            break;
        }
    }
    return taken;
}

} // namespace belljar::runner
