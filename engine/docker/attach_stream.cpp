// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/attach_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace belljar::docker {

namespace {

constexpr std::size_t kReadBytes = 64U * 1024;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

} // namespace

AttachStream::Impl::Impl(Hijacked hijacked)
    : m_socket(std::move(hijacked.socket))
    , m_buffer(std::move(hijacked.leftover))
    , m_unread(m_buffer)
{}

asio::awaitable<Result<AttachChunk>> AttachStream::Impl::read(Deadline deadline)
{
    for (;;) {
        auto chunk = m_demux.take(m_unread);
        if (!chunk)
            co_return fail(chunk.error());
        if (*chunk)
            co_return std::move(**chunk);
        auto filled = co_await finishBy(deadline, fill());
        if (!filled)
            co_return fail(filled.error());
    }
}

/// Waits for bytes. They are kept here, so that a deadline which passes at the same moment loses
/// none.
asio::awaitable<Result<>> AttachStream::Impl::fill()
{
    if (m_end)
        co_return fail(*m_end);
    m_buffer.resize(kReadBytes);
    const auto [error, count] = co_await m_socket->async_read_some(asio::buffer(m_buffer), kTuple);
    m_unread = std::string_view(m_buffer).substr(0, error ? 0 : count);
    if (!error)
        co_return Result<>();
    Error end(Errc::Closed, "the container's stream ended: " + error.message());
    if (error == asio::error::operation_aborted && m_socket->is_open())
        co_return fail(std::move(end)); // the wait ended, not the stream
    if (error == asio::error::eof && !m_demux.atFrameEnd())
        end = Error(Errc::ProtocolViolation, "Docker's attach stream ended inside a frame");
    m_end = end;
    co_return fail(std::move(end));
}

asio::awaitable<Result<>> AttachStream::Impl::write(std::string bytes)
{
    const auto [error, count] = co_await asio::async_write(*m_socket, asio::buffer(bytes), kTuple);
    if (error)
        co_return fail(Errc::Closed, "the container's stream ended: " + error.message());
    co_return Result<>();
}

void AttachStream::Impl::close()
{
    boost::system::error_code ignored; // it is closed whatever close() reports
    m_socket->close(ignored);
}

AttachStream::AttachStream() = default;
AttachStream::AttachStream(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}
AttachStream::AttachStream(AttachStream&&) noexcept = default;
AttachStream& AttachStream::operator=(AttachStream&&) noexcept = default;
AttachStream::~AttachStream() = default;

asio::awaitable<Result<AttachChunk>> AttachStream::read(Deadline deadline)
{
    if (!m_impl)
        co_return fail(Errc::Closed, "there is no stream");
    co_return co_await m_impl->read(deadline);
}

asio::awaitable<Result<>> AttachStream::write(std::string bytes, Deadline deadline)
{
    if (!m_impl)
        co_return fail(Errc::Closed, "there is no stream");
    co_return co_await finishBy(deadline, m_impl->write(std::move(bytes)));
}

void AttachStream::close()
{
    if (m_impl)
        m_impl->close();
}

} // namespace belljar::docker
