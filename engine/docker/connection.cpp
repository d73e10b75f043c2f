// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/connection.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffers_iterator.hpp>
#include <boost/beast/http.hpp>

#include <array>
#include <optional>

namespace belljar::docker {

namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::uint32_t kMaxHeaderBytes = 64U * 1024;
constexpr std::uint64_t kMaxBodyBytes = 16ULL * 1024 * 1024;
constexpr std::size_t kMaxLineBytes = 1U * 1024 * 1024;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

/// Does `error` come from the HTTP parser, so that the other side is no HTTP server?
bool isNonsense(const error_code& error)
{
    return error.category() == http::make_error_code(http::error::bad_version).category() &&
           error != http::error::end_of_stream && error != http::error::partial_message;
}

Error translate(const Endpoint& endpoint, const error_code& error)
{
    if (error == asio::error::operation_aborted)
        return Error(Errc::Closed, "the call to Docker was cancelled");
    if (isNonsense(error))
        return Error(
            Errc::ProtocolViolation,
            "what answers at " + endpoint.socketPath + " is not Docker: " + error.message()
        );
    return unreachable(endpoint, error);
}

asio::awaitable<Result<UnixSocket>> connect(const Endpoint& endpoint)
{
    UnixSocket socket(co_await asio::this_coro::executor);
    if (endpoint.socketPath.size() > 107)
        co_return fail(
            Errc::InvalidArgument,
            endpoint.socketPath + ": the path is too long for a socket (107 bytes)"
        );
    const asio::local::stream_protocol::endpoint address(endpoint.socketPath);
    const auto [error] = co_await socket.async_connect(address, kTuple);
    if (error)
        co_return fail(translate(endpoint, error));
    co_return std::move(socket);
}

template <class Body>
http::request<Body> makeRequest(const HttpRequest& request)
{
    http::request<Body> message(request.method, request.target, 11);
    message.set(http::field::host, "docker");
    message.set(http::field::user_agent, "belljar");
    for (const auto& [name, value] : request.headers)
        message.set(name, value);
    return message;
}

asio::awaitable<Result<>>
sendWhole(const Endpoint& endpoint, UnixSocket& socket, HttpRequest& request)
{
    auto message = makeRequest<http::string_body>(request);
    if (!request.body.empty())
        message.set(http::field::content_type, request.contentType);
    message.body() = std::move(request.body);
    message.prepare_payload();
    const auto [error, bytes] = co_await http::async_write(socket, message, kTuple);
    if (error)
        co_return fail(translate(endpoint, error));
    co_return Result<>();
}

/// Sends the body in chunks as `next` yields them. An engine that answers before the end closes its
/// side; the answer tells why, so a broken pipe is no error here.
asio::awaitable<Result<>> sendChunked(
    const Endpoint& endpoint, UnixSocket& socket, HttpRequest& request, Client::NextBytes& next
)
{
    auto message = makeRequest<http::buffer_body>(request);
    message.set(http::field::content_type, request.contentType);
    message.chunked(true);
    message.body().data = nullptr;
    message.body().more = true;
    http::request_serializer<http::buffer_body> serializer(message);
    const auto [headerError, headerBytes] =
        co_await http::async_write_header(socket, serializer, kTuple);
    if (headerError)
        co_return fail(translate(endpoint, headerError));
    for (bool more = true; more;) {
        auto part = co_await next();
        if (!part)
            co_return fail(part.error());
        more = !part->empty();
        message.body().data = part->empty() ? nullptr : part->data();
        message.body().size = part->size();
        message.body().more = more;
        const auto [error, bytes] = co_await http::async_write(socket, serializer, kTuple);
        if (error == asio::error::broken_pipe || error == asio::error::connection_reset)
            co_return Result<>();
        if (error && error != http::error::need_buffer)
            co_return fail(translate(endpoint, error));
    }
    co_return Result<>();
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

private:
    std::string m_pending;
};

} // namespace

std::string adviceFor(const Endpoint& endpoint, const error_code& cause)
{
    if (cause == boost::system::errc::permission_denied)
        return "Your user may not use " + endpoint.socketPath +
               ". Join its group (sudo usermod -aG docker $USER, then log in again; this gives "
               "your user root's power "
               "over this machine), or use rootless Docker.";
    if (cause == boost::system::errc::no_such_file_or_directory)
        return "Install Docker (sudo apt-get install docker.io) or start it (sudo systemctl start "
               "docker).";
    if (cause == boost::system::errc::connection_refused)
        return "Start Docker: sudo systemctl start docker.";
    return "See whether Docker runs: sudo systemctl status docker.";
}

Error unreachable(const Endpoint& endpoint, const error_code& cause)
{
    return Error(
        Errc::EngineUnreachable,
        "Docker is not running: " + endpoint.socketPath + ": " + cause.message() + ". " +
            adviceFor(endpoint, cause)
    );
}

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
    const auto [error, bytes] = co_await http::async_read(*socket, buffer, parser, kTuple);
    if (error)
        co_return fail(translate(endpoint, error));
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
    const auto [headerError, headerBytes] =
        co_await http::async_read_header(*socket, buffer, parser, kTuple);
    if (headerError)
        co_return fail(translate(endpoint, headerError));
    HttpReply reply{parser.get().result(), {}};
    const bool good = http::to_status_class(reply.status) == http::status_class::successful;
    LineSplitter splitter;
    std::array<char, 16384> piece{};
    while (!parser.is_done()) {
        parser.get().body().data = piece.data();
        parser.get().body().size = piece.size();
        const auto [error, bytes] = co_await http::async_read(*socket, buffer, parser, kTuple);
        if (error && error != http::error::need_buffer)
            co_return fail(translate(endpoint, error));
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
    boost::beast::flat_buffer buffer(kMaxHeaderBytes);
    http::response_parser<http::empty_body> parser;
    parser.header_limit(kMaxHeaderBytes);
    parser.skip(true);
    const auto [error, bytes] = co_await http::async_read_header(*socket, buffer, parser, kTuple);
    if (error)
        co_return fail(translate(endpoint, error));
    const auto data = buffer.data();
    std::string leftover(static_cast<const char*>(data.data()), data.size());
    Hijacked hijacked{
        parser.get().result(),
        std::make_unique<UnixSocket>(std::move(*socket)),
        std::move(leftover)};
    co_return std::move(hijacked);
}

} // namespace belljar::docker
