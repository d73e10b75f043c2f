// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace belljar::runner {

/// The program's standard input on its way from the engine into the program's pipe.
///
/// What the program doesn't read yet waits in a memfd: it counts as the sandbox's memory, not as
/// the runner's own, and the engine's frames are read on meanwhile, so that a cancel behind the
/// data is seen. After kMaxWaiting bytes the engine has to wait; then only its closing the channel
/// is seen (the pipe reports that without being read), and the deadline holds as always.
class StdinSpool {
public:
    static constexpr std::uint64_t kMaxWaiting = std::uint64_t{16} * std::size_t{1024} * 1024;

    /// False with errno set when there is no memfd.
    bool open();

    void setPipe(int descriptor) { m_pipe = descriptor; }

    /// How many bytes can be taken now. After the program closed its end: any number, all dropped.
    [[nodiscard]] std::uint64_t room() const;

    /// Takes bytes; at most room(). False when they can't be stored (memory or file size limit).
    bool add(std::span<const char> bytes);

    /// No more bytes will come: the pipe is closed once all are written.
    void end();

    /// Writes what the pipe takes without waiting.
    void write();

    /// Closes the pipe; what waits is dropped.
    void close();

    /// The pipe's descriptor while there is something to write, else -1.
    [[nodiscard]] int wantsToWrite() const { return m_read < m_written ? m_pipe : -1; }

private:
    /// Bytes of `bytes` that the pipe took.
    std::size_t writeToPipe(std::span<const char> bytes);

    int m_file = -1;
    int m_pipe = -1;
    std::uint64_t m_read = 0;
    std::uint64_t m_written = 0;
    bool m_ended = false;
    bool m_closed = false;
};

} // namespace belljar::runner
