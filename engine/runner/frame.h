// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The frame header that belljar_runner and the engine share. No library but the language: the
// runner has none. Layout, messages and order: engine/base/adr/0002-runner-protocol.md.

#include <array>
#include <cstddef>
#include <cstdint>

namespace belljar::runner {

inline constexpr std::uint32_t kProtocolVersion = 1;
inline constexpr std::size_t kHeaderBytes = 8;
inline constexpr std::uint32_t kMaxPayloadBytes = 1U << 20U;
inline constexpr std::uint32_t kMaxControlBytes = 64U * 1024;
/// What the offset in front of a payload with FrameFlag::HasOffset takes.
inline constexpr std::size_t kOffsetBytes = 8;

enum class FrameType : std::uint8_t {
    Control = 1, ///< payload is one JSON object
    Data = 2,    ///< payload is raw bytes
};

/// Bits of FrameHeader::flags.
enum class FrameFlag : std::uint8_t {
    End = 1,       ///< nothing follows on this channel
    HasOffset = 2, ///< the payload starts with the u64 offset of its first byte in the stream;
                   ///< bytes before it were dropped
};

enum class Channel : std::uint16_t {
    Control = 0,
    Stdin = 1,   ///< engine to runner: what the program reads
    Stdout = 2,  ///< runner to engine
    Stderr = 3,  ///< runner to engine
    Samples = 4, ///< runner to engine, control frames
    Code = 5,    ///< engine to runner: the program itself
    Files = 6,   ///< runner to engine: what the program left in its workspace
};

/// What became of an entry of the workspace; the numbers are those of the protocol.
enum class FileFate : std::uint8_t {
    Kept = 0,
    TooLarge, ///< alone
    TooMany,  ///< as many as are kept came before it
    NoRoom,   ///< it doesn't fit any more with those before it
    Link,     ///< a symbolic link
    HardLink, ///< a file of several names
    Special,  ///< FIFO, socket, device, other file system
    LongName,
    Unreadable, ///< the program took the right to read it away, or it ended early
};
inline constexpr std::size_t kFileFates = 9;

struct FrameHeader {
    FrameType type = FrameType::Control;
    std::uint8_t flags = 0;
    Channel channel = Channel::Control;
    std::uint32_t length = 0; ///< of the payload that follows
};

inline bool hasFlag(const FrameHeader& header, FrameFlag flag)
{
    return (header.flags & static_cast<std::uint8_t>(flag)) != 0;
}

/// type u8, flags u8, channel u16, length u32, little endian.
inline std::array<std::uint8_t, kHeaderBytes> encodeHeader(const FrameHeader& header)
{
    const auto channel = static_cast<std::uint16_t>(header.channel);
    const auto byteOf = [](std::uint32_t value, unsigned shift) {
        return static_cast<std::uint8_t>((value >> shift) & 0xFFU);
    };
    return {
        static_cast<std::uint8_t>(header.type),
        header.flags,
        byteOf(channel, 0),
        byteOf(channel, 8),
        byteOf(header.length, 0),
        byteOf(header.length, 8),
        byteOf(header.length, 16),
        byteOf(header.length, 24),
    };
}

/// The fields as they stand; whether they are allowed is the receiver's decision.
inline FrameHeader decodeHeader(const std::uint8_t* bytes)
{
    FrameHeader header;
    header.type = static_cast<FrameType>(bytes[0]);
    header.flags = bytes[1];
    header.channel = static_cast<Channel>(bytes[2] | (static_cast<unsigned>(bytes[3]) << 8U));
    header.length = static_cast<std::uint32_t>(bytes[4]) |
                    (static_cast<std::uint32_t>(bytes[5]) << 8U) |
                    (static_cast<std::uint32_t>(bytes[6]) << 16U) |
                    (static_cast<std::uint32_t>(bytes[7]) << 24U);
    return header;
}

} // namespace belljar::runner
