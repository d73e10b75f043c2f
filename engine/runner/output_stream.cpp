// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/output_stream.h"

#include "engine/runner/system.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace belljar::runner {

void OutputStream::setLimits(std::uint64_t headBytes, std::uint64_t tailBytes)
{
    m_headLimit = headBytes;
    m_tailLimit = static_cast<std::size_t>(std::min<std::uint64_t>(tailBytes, kMaxTailBytes));
}

void OutputStream::close()
{
    closeDescriptor(m_descriptor);
}

bool OutputStream::canTake() const
{
    return isOpen() && (headLeft() == 0 || m_pendingSize < m_pending.size());
}

OutputStream::ReadOutcome OutputStream::read(std::uint64_t now)
{
    // Shared by both streams: nothing stays in it.
    static std::array<char, kChunkBytes> scratch;
    const bool inHead = headLeft() > 0;
    std::span<char> target = scratch;
    if (inHead) {
        target = std::span(m_pending).subspan(m_pendingSize);
        target =
            target.first(static_cast<std::size_t>(std::min<std::uint64_t>(target.size(), headLeft())
            ));
    }
    const ssize_t result = ::read(m_descriptor, target.data(), target.size());
    if (result < 0 && (errno == EAGAIN || errno == EINTR))
        return ReadOutcome::Nothing;
    if (result <= 0) {
        close();
        return ReadOutcome::End;
    }
    const auto bytes = target.first(static_cast<std::size_t>(result));
    count(bytes);
    if (inHead)
        m_pendingSize += bytes.size();
    else
        keep(bytes);
    m_nextLook = bytes.size() < kFlushBytes ? now + kPauseMicros : 0;
    return ReadOutcome::Bytes;
}

void OutputStream::count(std::span<const char> bytes)
{
    m_total += bytes.size();
    m_newlines += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    m_openLine = bytes.back() != '\n';
}

void OutputStream::keep(std::span<const char> bytes)
{
    if (m_tailLimit == 0)
        return;
    if (bytes.size() > m_tailLimit)
        bytes = bytes.last(m_tailLimit);
    while (!bytes.empty()) {
        const std::size_t end = (m_tailBegin + m_tailSize) % m_tailLimit;
        const std::size_t size = std::min(bytes.size(), m_tailLimit - end);
        std::memcpy(m_tail.data() + end, bytes.data(), size);
        bytes = bytes.subspan(size);
        m_tailSize += size;
        if (m_tailSize > m_tailLimit) {
            m_tailBegin = (m_tailBegin + m_tailSize - m_tailLimit) % m_tailLimit;
            m_tailSize = m_tailLimit;
        }
    }
}

std::uint64_t OutputStream::flushAt() const
{
    if (m_pendingSize == 0)
        return kNever;
    return m_pendingSize >= kFlushBytes ? 0 : m_lastFlush + kFlushMicros;
}

bool OutputStream::flush(EngineQueue& queue, std::uint64_t now)
{
    if (m_pendingSize == 0)
        return true;
    if (!queue.hasRoomFor(m_pendingSize))
        return false;
    queue.put(FrameType::Data, m_channel, {m_pending.data(), m_pendingSize});
    m_pendingSize = 0;
    m_lastFlush = now;
    return true;
}

bool OutputStream::flushTail(EngineQueue& queue)
{
    while (m_tailSent < m_tailSize) {
        const std::size_t size = std::min(m_tailSize - m_tailSent, kChunkBytes);
        if (!queue.hasRoomFor(kOffsetBytes + size))
            return false;
        const std::size_t begin = (m_tailBegin + m_tailSent) % m_tailLimit;
        const std::size_t first = std::min(size, m_tailLimit - begin);
        queue.putAt(
            m_channel,
            m_total - m_tailSize + m_tailSent,
            {m_tail.data() + begin, first},
            {m_tail.data(), size - first}
        );
        m_tailSent += size;
    }
    return true;
}

std::uint64_t OutputStream::keptBytes() const
{
    return std::min(m_total, m_headLimit) + m_tailSize;
}

} // namespace belljar::runner
