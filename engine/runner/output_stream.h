// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/engine_queue.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace belljar::runner {

/// One output stream of the program: its first bytes go to the engine as they come, of the rest
/// only the last are kept, and everything is read on so that the program never waits for the limit
///
class OutputStream {
public:
    /// What is kept of the end at most, whatever the engine asks for: it bounds the memory.
    static constexpr std::size_t kMaxTailBytes = std::size_t{1024} * 1024;

    explicit OutputStream(Channel channel)
        : m_channel(channel)
    {}

    void setLimits(std::uint64_t headBytes, std::uint64_t tailBytes);
    void setDescriptor(int descriptor) { m_descriptor = descriptor; }
    void close();

    enum class ReadOutcome { Bytes, Nothing, End };

    /// Reads once what is there, without waiting. The caller has asked canTake().
    ReadOutcome read(std::uint64_t now);

    /// False while the engine is behind: the pipe fills up and the program waits.
    [[nodiscard]] bool canTake() const;

    /// When the pipe is worth a look again: after a small piece the writer gets a moment to write
    /// more, so that a program that writes single bytes doesn't cost a wake-up for each.
    [[nodiscard]] std::uint64_t nextLook() const { return m_nextLook; }

    /// When collected bytes are due (at once after a quiet time, else 20 ms after the last frame,
    /// or 4 KiB); no bytes: kNever.
    [[nodiscard]] std::uint64_t flushAt() const;

    /// Puts what was collected into the queue. False when there is no room now.
    bool flush(EngineQueue& queue, std::uint64_t now);

    /// Puts the kept end into the queue, piece by piece. False when there is no room now.
    bool flushTail(EngineQueue& queue);

    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    [[nodiscard]] std::uint64_t totalBytes() const { return m_total; }
    [[nodiscard]] std::uint64_t totalLines() const { return m_newlines + (m_openLine ? 1 : 0); }
    [[nodiscard]] std::uint64_t keptBytes() const;

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

private:
    static constexpr std::size_t kChunkBytes = std::size_t{64} * 1024;
    static constexpr std::size_t kFlushBytes = std::size_t{4} * 1024;
    static constexpr std::uint64_t kFlushMicros = 20'000;
    static constexpr std::uint64_t kPauseMicros = 1'000;

    void count(std::span<const char> bytes);
    void keep(std::span<const char> bytes);
    [[nodiscard]] std::uint64_t headLeft() const
    {
        return m_total < m_headLimit ? m_headLimit - m_total : 0;
    }

    Channel m_channel;
    int m_descriptor = -1;
    std::uint64_t m_headLimit = 0;
    std::size_t m_tailLimit = 0;
    std::uint64_t m_total = 0;
    std::uint64_t m_newlines = 0;
    bool m_openLine = false;

    std::array<char, kChunkBytes> m_pending;
    std::size_t m_pendingSize = 0;
    std::uint64_t m_lastFlush = 0;
    std::uint64_t m_nextLook = 0;

    std::array<char, kMaxTailBytes> m_tail; // a ring of the first m_tailLimit bytes
    std::size_t m_tailBegin = 0;
    std::size_t m_tailSize = 0;
    std::size_t m_tailSent = 0;
};

} // namespace belljar::runner
