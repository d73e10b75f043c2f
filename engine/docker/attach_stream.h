// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/docker/attach_demux.h"
#include "engine/docker/connection.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace belljar::docker {

class AttachStream::Impl {
public:
    explicit Impl(Hijacked hijacked);

    asio::awaitable<Result<AttachChunk>> read(Deadline deadline);
    asio::awaitable<Result<>> write(std::string bytes);
    void close();

private:
    asio::awaitable<Result<>> fill();

    std::unique_ptr<UnixSocket> m_socket;
    std::string m_buffer;      ///< as it was received
    std::string_view m_unread; ///< the part of m_buffer that isn't taken apart yet
    AttachDemux m_demux;
    std::optional<Error> m_end; ///< why there is no more to read; a socket doesn't tell twice
};

} // namespace belljar::docker
