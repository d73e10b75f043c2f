// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/frame_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace belljar::runner {

namespace {

/// What is wrong with a header from the engine; empty when nothing is.
std::string_view problemOf(const FrameHeader& header)
{
    constexpr auto kEnd = static_cast<std::uint8_t>(FrameFlag::End);
    if (header.type == FrameType::Control) {
        if (header.channel != Channel::Control)
            return "a control frame on a data channel";
        if (header.flags != 0)
            return "a control frame with flags";
        return header.length > kMaxControlBytes ? "a control frame that is too long" : "";
    }
    if (header.type != FrameType::Data)
        return "a frame of unknown type";
    if (header.channel != Channel::Stdin && header.channel != Channel::Code)
        return "a data frame on a wrong channel";
    if ((header.flags & ~kEnd) != 0)
        return "a data frame with unknown flags";
    return header.length > kMaxPayloadBytes ? "a data frame that is too long" : "";
}

} // namespace

FrameReader::ReadOutcome FrameReader::read(int descriptor)
{
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    if (m_end == m_buffer.size())
        return ReadOutcome::Nothing;
    const ssize_t count = ::read(descriptor, m_buffer.data() + m_end, m_buffer.size() - m_end);
    if (count > 0) {
        m_end += static_cast<std::size_t>(count);
        return ReadOutcome::Bytes;
    }
    const bool tryAgain = count < 0 && (errno == EAGAIN || errno == EINTR);
    return tryAgain ? ReadOutcome::Nothing : ReadOutcome::End;
}

FrameReader::Event FrameReader::next(std::uint64_t room)
{
    if (!m_hasHeader) {
        const Event event = takeHeader();
        if (!m_hasHeader)
            return event;
    }
    return m_header.type == FrameType::Control ? takeControl() : takeData(room);
}

FrameReader::Event FrameReader::takeHeader()
{
    Event event;
    if (m_end - m_begin < kHeaderBytes)
        return event;
    m_header = decodeHeader(reinterpret_cast<const std::uint8_t*>(m_buffer.data() + m_begin));
    event.problem = problemOf(m_header);
    if (!event.problem.empty()) {
        event.kind = Kind::Invalid;
        return event;
    }
    m_begin += kHeaderBytes;
    m_left = m_header.length;
    m_hasHeader = true;
    return event;
}

FrameReader::Event FrameReader::takeControl()
{
    Event event;
    if (m_end - m_begin < m_header.length)
        return event;
    event.kind = Kind::Control;
    event.payload = std::span(m_buffer).subspan(m_begin, m_header.length);
    m_begin += m_header.length;
    m_hasHeader = false;
    return event;
}

FrameReader::Event FrameReader::takeData(std::uint64_t room)
{
    Event event;
    std::size_t size = std::min<std::size_t>(m_left, m_end - m_begin);
    if (m_header.channel == Channel::Stdin)
        size = static_cast<std::size_t>(std::min<std::uint64_t>(size, room));
    if (size == 0 && m_left > 0)
        return event;
    event.kind = Kind::Data;
    event.channel = m_header.channel;
    event.payload = std::span(m_buffer).subspan(m_begin, size);
    m_begin += size;
    m_left -= static_cast<std::uint32_t>(size);
    if (m_left == 0) {
        event.end = hasFlag(m_header, FrameFlag::End);
        m_hasHeader = false;
    }
    return event;
}

} // namespace belljar::runner
