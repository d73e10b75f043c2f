// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/docker/client.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace belljar::docker {

/// Takes the multiplexed stream of `POST /containers/{id}/attach` apart: an 8-byte header (stream,
/// three zero bytes, length as big-endian u32), then that many bytes. Holds no more than one
/// header, so a frame may be of any allowed length. Every byte is checked before use; after
/// an error the stream is broken.
class AttachDemux {
public:
    /// The first piece of payload in `bytes`, which is shortened by what was used; nothing when
    /// `bytes` is used up. Errors: ProtocolViolation.
    Result<std::optional<AttachChunk>> take(std::string_view& bytes);

    /// May the stream end here, between two frames?
    [[nodiscard]] bool atFrameEnd() const { return m_headerSize == 0 && m_left == 0; }

private:
    Result<> decodeHeader();

    std::array<unsigned char, 8> m_header{};
    std::size_t m_headerSize = 0;
    OutputStream m_stream = OutputStream::Stdout;
    std::uint32_t m_left = 0;
    bool m_broken = false;
};

} // namespace belljar::docker
