// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace belljar::runner {

enum class WriteOutcome { Good, PeerGone };

/// What waits to be written to the engine. Bounded: a frame is put in whole or not at all, and who
/// has to leave one out waits (output) or drops it (samples).
class EngineQueue {
public:
    explicit EngineQueue(int descriptor)
        : m_descriptor(descriptor)
    {}

    /// True when a frame with this payload fits now.
    [[nodiscard]] bool hasRoomFor(std::size_t payload) const
    {
        return kHeaderBytes + payload <= m_ring.size() - m_size;
    }

    /// Puts one frame in. The caller has asked hasRoomFor().
    void put(FrameType type, Channel channel, std::string_view payload, std::uint8_t flags = 0);

    /// The same for bytes that don't start at the end of what was sent: `offset` is where they
    /// stand in the stream.
    void
    putAt(Channel channel, std::uint64_t offset, std::string_view first, std::string_view second);

    void putControl(std::string_view json) { put(FrameType::Control, Channel::Control, json); }

    /// Writes as much as the engine takes without waiting.
    WriteOutcome write();

    [[nodiscard]] bool isEmpty() const { return m_size == 0; }
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    void append(const void* bytes, std::size_t size);

    std::array<char, std::size_t{256} * 1024> m_ring;
    std::size_t m_begin = 0;
    std::size_t m_size = 0;
    int m_descriptor;
};

} // namespace belljar::runner
