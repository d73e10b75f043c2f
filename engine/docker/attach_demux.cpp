// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/attach_demux.h"

#include "engine/base/sha256.h"

#include <algorithm>
#include <string>

namespace belljar::docker {

namespace {

constexpr std::uint32_t kMaxFrameBytes = 16U * 1024 * 1024; // Docker's own copy loop uses 32 KiB
constexpr std::size_t kMaxChunkBytes = 64U * 1024;

} // namespace

Result<> AttachDemux::decodeHeader()
{
    const bool knownStream = m_header[0] <= 2;
    const bool zeros = m_header[1] == 0 && m_header[2] == 0 && m_header[3] == 0;
    m_left = (static_cast<std::uint32_t>(m_header[4]) << 24U) |
             (static_cast<std::uint32_t>(m_header[5]) << 16U) |
             (static_cast<std::uint32_t>(m_header[6]) << 8U) |
             static_cast<std::uint32_t>(m_header[7]);
    if (!knownStream || !zeros || m_left > kMaxFrameBytes) {
        m_broken = true;
        return fail(
            Errc::ProtocolViolation,
            "Docker's attach stream has a frame header that is none: " +
                toHex(m_header.data(), m_header.size())
        );
    }
    // 0 is stdin, which Docker writes to stdout.
    m_stream = m_header[0] == 2 ? OutputStream::Stderr : OutputStream::Stdout;
    m_headerSize = 0;
    return {};
}

Result<std::optional<AttachChunk>> AttachDemux::take(std::string_view& bytes)
{
    if (m_broken)
        return fail(Errc::ProtocolViolation, "Docker's attach stream is broken");
    while (m_left == 0 && !bytes.empty()) {
        const std::size_t count = std::min(m_header.size() - m_headerSize, bytes.size());
        std::copy_n(
            bytes.begin(), count, m_header.begin() + static_cast<std::ptrdiff_t>(m_headerSize)
        );
        m_headerSize += count;
        bytes.remove_prefix(count);
        if (m_headerSize < m_header.size())
            return std::optional<AttachChunk>();
        if (auto decoded = decodeHeader(); !decoded)
            return fail(decoded.error());
    }
    if (bytes.empty())
        return std::optional<AttachChunk>();
    const std::size_t count =
        std::min({static_cast<std::size_t>(m_left), bytes.size(), kMaxChunkBytes});
    AttachChunk chunk{m_stream, std::string(bytes.substr(0, count))};
    bytes.remove_prefix(count);
    m_left -= static_cast<std::uint32_t>(count);
    return std::optional<AttachChunk>(std::move(chunk));
}

} // namespace belljar::docker
