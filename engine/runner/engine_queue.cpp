// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/engine_queue.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/uio.h>
#include <unistd.h>

namespace belljar::runner {

void EngineQueue::put(FrameType type, Channel channel, std::string_view payload, std::uint8_t flags)
{
    FrameHeader header;
    header.type = type;
    header.flags = flags;
    header.channel = channel;
    header.length = static_cast<std::uint32_t>(payload.size());
    const auto bytes = encodeHeader(header);
    append(bytes.data(), bytes.size());
    append(payload.data(), payload.size());
}

void EngineQueue::putAt(
    Channel channel, std::uint64_t offset, std::string_view first, std::string_view second
)
{
    FrameHeader header;
    header.type = FrameType::Data;
    header.flags = static_cast<std::uint8_t>(FrameFlag::HasOffset);
    header.channel = channel;
    header.length = static_cast<std::uint32_t>(kOffsetBytes + first.size() + second.size());
    const auto bytes = encodeHeader(header);
    std::array<std::uint8_t, kOffsetBytes> position{};
    for (unsigned index = 0; index < kOffsetBytes; ++index)
        position[index] = static_cast<std::uint8_t>(offset >> (8U * index));
    append(bytes.data(), bytes.size());
    append(position.data(), position.size());
    append(first.data(), first.size());
    append(second.data(), second.size());
}

void EngineQueue::append(const void* bytes, std::size_t size)
{
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const std::size_t end = (m_begin + m_size) % m_ring.size();
        const std::size_t count = std::min(size, m_ring.size() - end);
        std::memcpy(m_ring.data() + end, next, count);
        next += count;
        size -= count;
        m_size += count;
    }
}

WriteOutcome EngineQueue::write()
{
    while (m_size > 0) {
        const std::size_t first = std::min(m_size, m_ring.size() - m_begin);
        const std::array<iovec, 2> parts = {
            iovec{m_ring.data() + m_begin, first},
            iovec{m_ring.data(), m_size - first},
        };
        const ssize_t count = ::writev(m_descriptor, parts.data(), m_size > first ? 2 : 1);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return errno == EAGAIN ? WriteOutcome::Good : WriteOutcome::PeerGone;
        }
        m_begin = (m_begin + static_cast<std::size_t>(count)) % m_ring.size();
        m_size -= static_cast<std::size_t>(count);
    }
    m_begin = 0; // a quiet program keeps to the first pages
    return WriteOutcome::Good;
}

} // namespace belljar::runner
