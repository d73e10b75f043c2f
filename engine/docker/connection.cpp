// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/connection.h"

#include "engine/docker/trouble.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>

namespace belljar::docker {

namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::uint32_t kMaxHeaderBytes = 64U * 1024;
constexpr std::uint64_t kMaxBodyBytes = 16ULL * 1024 * 1024;
constexpr std::size_t kMaxLineBytes = 1U * 1024 * 1024;
constexpr std::size_t kReadBytes = 64U * 1024;
constexpr auto kBacklogPause = std::chrono::milliseconds(20);
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

asio::awaitable<Result<UnixSocket>> connect(const Endpoint& endpoint)
{
    UnixSocket socket(co_await asio::this_coro::executor);
    if (endpoint.socketPath.size() > 107)
        co_return fail(
            Errc::InvalidArgument,
            endpoint.socketPath + ": the path is too long for a socket (107 bytes)"
        );
    const asio::local::stream_protocol::endpoint address(endpoint.socketPath);
    for (;;) {
        const auto [error] = co_await socket.async_connect(address, kTuple);
        if (error && error != asio::error::try_again)
            co_return fail(connectionError(endpoint, error));
        // Linux refuses with EAGAIN instead of waiting for a listener that is behind with
        // accepting, and Asio takes that for a connection in the making, then for a made one.
        error_code unconnected;
        if (!error)
            socket.remote_endpoint(unconnected);
        if (!error && !unconnected)
            co_return std::move(socket);
        co_await sleepUntil(deadlineIn(kBacklogPause));
        socket = UnixSocket(socket.get_executor());
    }
}

http::request<http::empty_body> makeRequest(const HttpRequest& request)
{
    http::request<http::empty_body> message(request.method, request.target, 11);
    message.set(http::field::host, "docker");
    message.set(http::field::user_agent, "belljar");
    for (const auto& [name, value] : request.headers)
        message.set(name, value);
    return message;
}

/// Has the engine closed its side while we sent? It does so when it answers early, and the answer
/// tells why.
bool isAnsweredEarly(const error_code& error)
{
    return error == asio::error::broken_pipe || error == asio::error::connection_reset;
}

std::string headerOf(const http::request<http::empty_body>& message)
{
    std::ostringstream text;
    text << message.base(); // of a chunked message the whole would have its last chunk
    return std::move(text).str();
}

// Beast's composed operations (1.81) forget a cancellation that comes between two of their steps,
// and then nothing but the deadline ends them. Those of Asio don't; so Beast only writes and parses
// here, and each step that waits is one of Asio's.

asio::awaitable<Result<>>
sendWhole(const Endpoint& endpoint, UnixSocket& socket, HttpRequest& request)
{
    auto message = makeRequest(request);
    if (!request.body.empty())
        message.set(http::field::content_type, request.contentType);
    if (!request.body.empty() || request.method == http::verb::post)
        message.content_length(request.body.size());
    const std::string header = headerOf(message);
    const std::array<asio::const_buffer, 2> whole{asio::buffer(header), asio::buffer(request.body)};
    const auto [error, bytes] = co_await asio::async_write(socket, whole, kTuple);
    if (error && !isAnsweredEarly(error))
        co_return fail(connectionError(endpoint, error));
    co_return Result<>();
}

/// Sends the body in chunks as `next` yields them.
asio::awaitable<Result<>> sendChunked(
    const Endpoint& endpoint, UnixSocket& socket, HttpRequest& request, Client::NextBytes& next
)
{
    auto message = makeRequest(request);
    message.set(http::field::content_type, request.contentType);
    message.chunked(true);
    const std::string header = headerOf(message);
    const auto [headerError, headerBytes] =
        co_await asio::async_write(socket, asio::buffer(header), kTuple);
    if (headerError)
        co_return fail(connectionError(endpoint, headerError));
    for (bool more = true; more;) {
        auto part = co_await next();
        if (!part)
            co_return fail(part.error());
        more = !part->empty();
        error_code error;
        if (more) {
            const http::chunk_body<asio::const_buffer> chunk(asio::buffer(*part));
            error = std::get<0>(co_await asio::async_write(socket, chunk, kTuple));
        } else {
            const http::chunk_last<http::chunk_crlf> last;
            error = std::get<0>(co_await asio::async_write(socket, last, kTuple));
        }
        if (isAnsweredEarly(error))
            co_return Result<>();
        if (error)
            co_return fail(connectionError(endpoint, error));
    }
    co_return Result<>();
}

/// Reads until `parser` has got further, at least by one of its own steps.
template <class Parser>
asio::awaitable<error_code>
readSome(UnixSocket& socket, boost::beast::flat_buffer& buffer, Parser& parser)
{
    error_code error = http::error::need_more;
    if (buffer.size() > 0)
        buffer.consume(parser.put(buffer.data(), error));
    while (error == http::error::need_more) {
        const std::size_t room = std::min(kReadBytes, buffer.max_size() - buffer.size());
        if (room == 0)
            co_return http::error::buffer_overflow;
        const auto [failed, bytes] = co_await socket.async_read_some(buffer.prepare(room), kTuple);
        if (failed == asio::error::eof) {
            if (!parser.got_some())
                co_return http::error::end_of_stream;
            error = {};
            parser.put_eof(error);
            co_return error;
        }
        if (failed)
            co_return failed;
        buffer.commit(bytes);
        buffer.consume(parser.put(buffer.data(), error));
    }
    co_return error;
}

template <class Parser>
asio::awaitable<error_code>
readHeader(UnixSocket& socket, boost::beast::flat_buffer& buffer, Parser& parser)
{
    while (!parser.is_header_done()) {
        if (const error_code error = co_await readSome(socket, buffer, parser))
            co_return error;
    }
    co_return error_code();
}

template <class Parser>
asio::awaitable<error_code>
readWhole(UnixSocket& socket, boost::beast::flat_buffer& buffer, Parser& parser)
{
    parser.eager(true);
    while (!parser.is_done()) {
        if (const error_code error = co_await readSome(socket, buffer, parser))
            co_return error;
    }
    co_return error_code();
}

/// Collects bytes and gives whole lines.
class LineSplitter {
public:
    Result<> feed(std::string_view bytes, const std::function<Result<>(std::string)>& onLine)
    {
        m_pending.append(bytes);
        std::size_t start = 0;
        for (std::size_t end = 0; (end = m_pending.find('\n', start)) != std::string::npos;
             start = end + 1) {
            std::string line = m_pending.substr(start, end - start);
            if (!line.empty() && line.back() == '\r')
                line.pop_back();
            if (line.empty())
                continue;
            if (auto taken = onLine(std::move(line)); !taken)
                return taken;
        }
        m_pending.erase(0, start);
        if (m_pending.size() > kMaxLineBytes)
            return fail(Errc::ProtocolViolation, "Docker sent a line of more than 1 MiB");
        return {};
    }

    /// The end of the stream: what came after the last newline is a line too.
    Result<> finish(const std::function<Result<>(std::string)>& onLine)
    {
        return m_pending.empty() ? Result<>() : onLine(std::exchange(m_pending, {}));
    }

private:
    std::string m_pending;
};

} // namespace

asio::awaitable<Result<HttpReply>> exchange(Endpoint endpoint, HttpRequest request)
{
    auto socket = co_await connect(endpoint);
    if (!socket)
        co_return fail(socket.error());
    auto sent = co_await sendWhole(endpoint, *socket, request);
    if (!sent)
        co_return fail(sent.error());
    boost::beast::flat_buffer buffer(kMaxHeaderBytes + kMaxBodyBytes);
    http::response_parser<http::string_body> parser;
    parser.header_limit(kMaxHeaderBytes);
    parser.body_limit(kMaxBodyBytes);
    if (const error_code error = co_await readWhole(*socket, buffer, parser))
        co_return fail(connectionError(endpoint, error));
    HttpReply reply{parser.get().result(), std::move(parser.get().body())};
    co_return std::move(reply);
}

asio::awaitable<Result<HttpReply>> exchangeLines(
    Endpoint endpoint,
    HttpRequest request,
    Client::NextBytes nextBody,
    std::function<Result<>(std::string)> onLine
)
{
    auto socket = co_await connect(endpoint);
    if (!socket)
        co_return fail(socket.error());
    Result<> sent;
    if (nextBody)
        sent = co_await sendChunked(endpoint, *socket, request, nextBody);
    else
        sent = co_await sendWhole(endpoint, *socket, request);
    if (!sent)
        co_return fail(sent.error());

    boost::beast::flat_buffer buffer(kMaxHeaderBytes + kMaxLineBytes);
    http::response_parser<http::buffer_body> parser;
    parser.header_limit(kMaxHeaderBytes);
    parser.body_limit(boost::none); // a stream; each line is bounded
    if (const error_code error = co_await readHeader(*socket, buffer, parser))
        co_return fail(connectionError(endpoint, error));
    HttpReply reply{parser.get().result(), {}};
    const bool good = http::to_status_class(reply.status) == http::status_class::successful;
    LineSplitter splitter;
    std::array<char, 16384> piece{};
    while (!parser.is_done()) {
        parser.get().body().data = piece.data();
        parser.get().body().size = piece.size();
        const error_code error = co_await readSome(*socket, buffer, parser);
        if (error && error != http::error::need_buffer)
            co_return fail(connectionError(endpoint, error));
        const std::string_view got(piece.data(), piece.size() - parser.get().body().size);
        if (!good) {
            reply.body.append(
                got.substr(0, kMaxLineBytes - std::min(kMaxLineBytes, reply.body.size()))
            );
            continue;
        }
        auto taken = splitter.feed(got, onLine);
        if (!taken)
            co_return fail(taken.error());
    }
    auto finished = splitter.finish(onLine);
    if (!finished)
        co_return fail(finished.error());
    co_return std::move(reply);
}

asio::awaitable<Result<Hijacked>> hijack(Endpoint endpoint, HttpRequest request)
{
    auto socket = co_await connect(endpoint);
    if (!socket)
        co_return fail(socket.error());
    request.headers.emplace_back("Connection", "Upgrade");
    request.headers.emplace_back("Upgrade", "tcp");
    auto sent = co_await sendWhole(endpoint, *socket, request);
    if (!sent)
        co_return fail(sent.error());
    boost::beast::flat_buffer buffer(kMaxHeaderBytes + kMaxLineBytes);
    http::response_parser<http::string_body> parser;
    parser.header_limit(kMaxHeaderBytes);
    parser.body_limit(kMaxLineBytes);
    if (const error_code error = co_await readHeader(*socket, buffer, parser))
        co_return fail(connectionError(endpoint, error));
    Hijacked hijacked{parser.get().result(), {}, {}};
    if (!hijacked.accepted()) {
        if (const error_code error = co_await readWhole(*socket, buffer, parser))
            co_return fail(connectionError(endpoint, error));
        hijacked.leftover = std::move(parser.get().body());
        co_return std::move(hijacked);
    }
    const auto data = buffer.data();
    hijacked.socket = std::make_unique<UnixSocket>(std::move(*socket));
    hijacked.leftover.assign(static_cast<const char*>(data.data()), data.size());
    co_return std::move(hijacked);
}

} // namespace belljar::docker
