// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace belljar::runner {

/// Cuts the engine's bytes into frames. Control payloads are handed on whole, data piece by piece
/// as it comes, so that no data frame has to fit into memory.
class FrameReader {
public:
    enum class Kind {
        Nothing, ///< more bytes are needed
        Control, ///< `payload` is a whole control message
        Data,    ///< `payload` is the next piece of a data frame
        Invalid, ///< the peer doesn't speak the protocol; `problem` says why
    };

    struct Event {
        Kind kind = Kind::Nothing;
        Channel channel = Channel::Control;
        std::span<char> payload;
        bool end = false; ///< the last piece of a frame that carries End
        std::string_view problem;
    };

    enum class ReadOutcome { Bytes, Nothing, End };

    /// Reads once from `descriptor`, without waiting.
    ReadOutcome read(int descriptor);

    /// The next event from what was read. At most `room` bytes of a Stdin frame are handed out.
    Event next(std::uint64_t room);

    /// Where a piece of data may have been held back because there was no room.
    [[nodiscard]] bool isBufferEmpty() const { return m_begin == m_end; }

private:
    Event takeHeader();
    Event takeControl();
    Event takeData(std::uint64_t room);

    // One control message and its header always fit.
    std::array<char, kMaxControlBytes + kHeaderBytes> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    FrameHeader m_header;
    bool m_hasHeader = false;
    std::uint32_t m_left = 0; ///< of the data frame's payload
};

} // namespace belljar::runner
