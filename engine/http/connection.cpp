// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/connection.h"

#include "engine/base/log.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

namespace belljar::http {

namespace {

namespace beast_http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kReadAhead = 64U * 1024;   // read and not parsed, then nothing more is read
constexpr std::size_t kWriteBytes = 256U * 1024; // at once, so that progress is seen
constexpr auto kLinger = std::chrono::seconds(2);
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

///
constexpr std::string_view kEveryAnswer =
    "X-Content-Type-Options: nosniff\r\n"
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n";

std::string headOf(int status, const std::vector<Field>& fields, bool keepsConnection)
{
    std::string head = "HTTP/1.1 " + std::to_string(status) + " ";
    head += reasonOf(status);
    head += "\r\n";
    head += kEveryAnswer;
    if (!keepsConnection)
        head += "Connection: close\r\n";
    for (const Field& field : fields)
        head.append(field.name).append(": ").append(field.value).append("\r\n");
    return head;
}

Response plain(int status, std::string text)
{
    Response response;
    response.status = status;
    response.contentType = "text/plain; charset=utf-8";
    response.body = std::move(text) + "\n";
    return response;
}

std::string hex(std::size_t number)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), kDigits[number & 0xFU]);
        number >>= 4U;
    } while (number > 0);
    return text;
}

} // namespace

/// The Exchange of one request: what is to be sent, until send() takes it.
class Connection::Answer : public Exchange {
public:
    Answer(std::weak_ptr<Connection> connection, std::size_t maxUnsent)
        : m_connection(std::move(connection))
        , m_maxUnsent(maxUnsent)
    {}

    void answer(Response response) override
    {
        if (!isOpen() || m_streaming)
            return;
        m_unsent += headOf(response.status, response.fields, keepsConnection);
        if (!response.contentType.empty())
            m_unsent.append("Content-Type: ").append(response.contentType).append("\r\n");
        if (response.status != 204)
            m_unsent += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
        m_unsent += "\r\n";
        if (!isHead)
            m_unsent += response.body;
        m_complete = true;
        tell();
    }

    void beginStream(std::vector<Field> fields) override
    {
        if (!isOpen() || m_streaming)
            return;
        m_streaming = true;
        fields.push_back({"Content-Type", "text/event-stream"});
        fields.push_back({"X-Accel-Buffering", "no"});
        if (isChunked)
            fields.push_back({"Transfer-Encoding", "chunked"});
        m_unsent += headOf(200, fields, keepsConnection) + "\r\n";
        tell();
    }

    void write(std::string_view piece) override
    {
        if (!isOpen() || !m_streaming || piece.empty())
            return;
        const std::size_t unsent = m_unsent.size() + m_sending;
        if (unsent > 0 && unsent + piece.size() > m_maxUnsent) {
            log::mcp().warn("http=cut reason=\"the client doesn't read its stream\"");
            m_isCut = true;
            if (const auto connection = m_connection.lock())
                connection->shut(); // also out of the write that waits for it
            return;
        }
        if (isChunked)
            m_unsent.append(hex(piece.size())).append("\r\n").append(piece).append("\r\n");
        else
            m_unsent.append(piece);
        tell();
    }

    void end() override
    {
        if (!isOpen() || !m_streaming)
            return;
        if (isChunked)
            m_unsent += "0\r\n\r\n";
        m_complete = true;
        tell();
    }

    void onGone(std::function<void()> action) override { m_onGone = std::move(action); }
    [[nodiscard]] bool isOpen() const override { return !m_complete && !m_isCut && !m_left; }

    /// The client won't get any more of it.
    void leave()
    {
        if (std::exchange(m_left, true) || m_complete)
            return;
        if (const auto action = std::exchange(m_onGone, {}))
            action();
    }

    [[nodiscard]] bool isComplete() const { return m_complete; }
    [[nodiscard]] bool isCut() const { return m_isCut; }
    [[nodiscard]] bool hasBegun() const { return m_streaming || m_complete; }
    [[nodiscard]] bool isStreaming() const { return m_streaming; }
    [[nodiscard]] bool hasUnsent() const { return !m_unsent.empty(); }
    [[nodiscard]] std::string takeUnsent()
    {
        m_sending = m_unsent.size();
        return std::exchange(m_unsent, {});
    }
    void wasSent()
    {
        m_sending = 0;
        m_sentAt = SteadyClock::now();
    }
    [[nodiscard]] bool isQuiet(SteadyClock::time_point since) const
    {
        return isOpen() && m_streaming && m_unsent.empty() && m_sending == 0 && m_sentAt < since;
    }

    bool keepsConnection = true;
    bool isChunked = true; ///< not for HTTP/1.0
    bool isHead = false;

private:
    void tell()
    {
        if (const auto connection = m_connection.lock())
            connection->tellNews();
    }

    std::weak_ptr<Connection> m_connection;
    std::size_t m_maxUnsent;
    std::string m_unsent;
    std::size_t m_sending = 0;
    SteadyClock::time_point m_sentAt = SteadyClock::now();
    bool m_streaming = false;
    bool m_complete = false;
    bool m_isCut = false; ///< too much is unsent
    bool m_left = false;
    std::function<void()> m_onGone;
};

/// One request being read.
class Connection::Reader {
public:
    explicit Reader(const Limits& limits)
        : m_limits(limits)
    {
        m_parser.header_limit(limits.headerBytes);
        // Who isn't let in is told so whatever the size of the body; so that is looked at later.
        m_parser.body_limit(boost::none);
    }

    /// Parses what there is. True when the part is complete (header, then body) or refusal() tells
    /// why it can't be.
    bool feed(boost::beast::flat_buffer& bytes)
    {
        while (bytes.size() > 0 && !isPartDone()) {
            error_code error;
            bytes.consume(m_parser.put(bytes.data(), error));
            if (error == beast_http::error::need_more)
                return false;
            if (error) {
                refuse(error);
                return true;
            }
        }
        return isPartDone();
    }

    /// The header is complete: what it asks for. Then feed() goes on with the body.
    Request takeHeader()
    {
        const auto& message = m_parser.get();
        Request request;
        request.method = std::string(message.method_string());
        const std::string target(message.target());
        const std::size_t mark = target.find('?');
        request.path = target.substr(0, mark);
        request.query = mark == std::string::npos ? std::string() : target.substr(mark + 1);
        for (const auto& field : message)
            request.fields.push_back({std::string(field.name_string()), std::string(field.value())}
            );
        return request;
    }

    /// Why the server, whoever asks, can't take it.
    [[nodiscard]] std::optional<Response> refusalOf(const Request& request) const
    {
        const auto length = m_parser.content_length();
        const auto coding = request.field("Transfer-Encoding");
        const auto expected = request.field("Expect");
        if (m_parser.get().version() != 10 && m_parser.get().version() != 11)
            return plain(505, "HTTP/1.1 is spoken here");
        if (!request.path.starts_with('/'))
            return plain(400, "the target: expected a path");
        if (coding && (request.count("Transfer-Encoding") != 1 || !sameName(*coding, "chunked")))
            return plain(501, "Transfer-Encoding: only chunked is known");
        if (coding && request.count("Content-Length") > 0)
            return plain(400, "Content-Length and Transfer-Encoding exclude each other");
        if (request.count("Content-Length") > 1)
            return plain(400, "Content-Length: has to be there once");
        if (length && *length > m_limits.bodyBytes)
            return tooLarge();
        if (expected && !sameName(*expected, "100-continue"))
            return plain(417, "Expect: only 100-continue is known");
        return {};
    }

    void beginBody()
    {
        m_parser.body_limit(m_limits.bodyBytes);
        m_parser.eager(true);
        m_inBody = true;
    }

    [[nodiscard]] bool hasBody() const { return !m_parser.is_done(); }
    [[nodiscard]] bool hasBegun() const { return m_parser.got_some(); }
    [[nodiscard]] bool isOldVersion() const { return m_parser.get().version() == 10; }
    [[nodiscard]] bool keepsAlive() const { return m_parser.get().keep_alive(); }
    [[nodiscard]] std::string takeBody() { return std::move(m_parser.get().body()); }
    [[nodiscard]] const std::optional<Response>& refusal() const { return m_refusal; }

private:
    [[nodiscard]] bool isPartDone() const
    {
        return m_inBody ? m_parser.is_done() : m_parser.is_header_done();
    }
    [[nodiscard]] Response tooLarge() const
    {
        return plain(
            413, "the body may have " + std::to_string(m_limits.bodyBytes) + " bytes at most"
        );
    }
    void refuse(const error_code& error)
    {
        if (error == beast_http::error::header_limit)
            m_refusal = plain(431, "the header is too large");
        else if (error == beast_http::error::body_limit)
            m_refusal = tooLarge();
        else
            m_refusal = plain(400, "this is no HTTP: " + error.message());
    }

    const Limits& m_limits;
    beast_http::request_parser<beast_http::string_body> m_parser;
    bool m_inBody = false;
    std::optional<Response> m_refusal;
};

Connection::Connection(
    asio::ip::tcp::socket socket,
    asio::ssl::context* tls,
    const Limits& limits,
    const Access& access
)
    : m_socket(std::move(socket))
    , m_limits(limits)
    , m_access(access)
    , m_deadline(deadlineIn(limits.header))
    , m_news(m_socket.get_executor(), asio::steady_timer::time_point::max())
    , m_room(m_socket.get_executor(), asio::steady_timer::time_point::max())
{
    error_code unknown; // it has gone already: then the first read tells
    m_peer = m_socket.remote_endpoint(unknown).address();
    m_socket.set_option(asio::ip::tcp::no_delay(true), unknown);
    if (tls)
        m_tls.emplace(m_socket, *tls);
}

asio::awaitable<void> Connection::waitForNews()
{
    error_code woken;
    co_await m_news.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

void Connection::shut()
{
    m_open = false;
    error_code ignored; // it is closed whatever close() reports
    m_socket.close(ignored);
    m_news.cancel();
    m_room.cancel();
}

void Connection::finish()
{
    m_finishing = true;
    if (!m_answer)
        shut();
}

void Connection::look(SteadyClock::time_point now)
{
    if (now >= m_deadline)
        shut();
    else if (m_answer && m_answer->isQuiet(now - m_limits.quiet))
        m_answer->write(": keep-alive\n\n");
}

asio::awaitable<void> Connection::pump(std::shared_ptr<Connection> /*self*/)
{
    while (m_open) {
        while (m_open && !m_discarding && m_unread.size() >= kReadAhead) {
            error_code woken;
            co_await m_room.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        error_code error;
        std::size_t count = 0;
        if (!m_open)
            break;
        if (m_tls)
            std::tie(error, count) = co_await m_tls->async_read_some(asio::buffer(m_chunk), kTuple);
        else
            std::tie(error, count) =
                co_await m_socket.async_read_some(asio::buffer(m_chunk), kTuple);
        if (error)
            break;
        if (!m_discarding) {
            const auto room = m_unread.prepare(count);
            asio::buffer_copy(room, asio::buffer(m_chunk, count));
            m_unread.commit(count);
        }
        tellNews();
    }
    m_ended = true;
    tellNews();
}

asio::awaitable<bool> Connection::shakeHands()
{
    if (!m_tls)
        co_return true;
    const auto [error] = co_await m_tls->async_handshake(asio::ssl::stream_base::server, kTuple);
    co_return !error && m_open;
}

asio::awaitable<void> Connection::serve(std::shared_ptr<Connection> self, Handler handler)
{
    // Also when this is cancelled, who waits for an answer has to be told.
    const std::shared_ptr<void> leave(nullptr, [this, self](void*) {
        if (m_answer)
            m_answer->leave();
        m_answer.reset();
        shut();
    });
    co_await answerAll(std::move(handler));
}

asio::awaitable<void> Connection::answerAll(Handler handler)
{
    while (m_open && !m_finishing) {
        Reader reader(m_limits);
        m_deadline = deadlineIn(m_limits.idle);
        bool isTimed = false; ///< the time for the header runs from its first byte
        while (!reader.feed(m_unread)) {
            m_room.cancel();
            if (m_ended || !m_open)
                co_return;
            if (!isTimed && (m_unread.size() > 0 || reader.hasBegun())) {
                isTimed = true;
                m_deadline = deadlineIn(m_limits.header);
            }
            co_await waitForNews();
        }
        m_room.cancel();
        auto answer = std::make_shared<Answer>(weak_from_this(), m_limits.unsentBytes);
        m_answer = answer;
        Request request;
        std::optional<Response> refusal = reader.refusal();
        bool hasUnreadBody = refusal.has_value();
        if (!refusal) {
            request = reader.takeHeader();
            answer->isHead = request.method == "HEAD";
            answer->isChunked = !reader.isOldVersion();
            answer->keepsConnection = reader.keepsAlive() && !reader.isOldVersion() && !m_finishing;
            refusal = m_access.refusalOf(request);
            if (!refusal)
                refusal = reader.refusalOf(request);
            hasUnreadBody = refusal && (reader.hasBody() || request.field("Content-Length"));
        }
        if (!refusal && reader.hasBody()) {
            m_deadline = deadlineIn(m_limits.body);
            // A statement of its own: GCC 12 destroys the text of a co_await that && skips.
            if (request.field("Expect") && !reader.isOldVersion() && m_unread.size() == 0) {
                std::string goOn = "HTTP/1.1 100 Continue\r\n\r\n";
                const bool sent = co_await writeAll(std::move(goOn));
                if (!sent)
                    co_return;
            }
            m_deadline = deadlineIn(m_limits.body);
            reader.beginBody();
            while (!reader.feed(m_unread)) {
                m_room.cancel();
                if (m_ended || !m_open)
                    co_return;
                co_await waitForNews();
            }
            m_room.cancel();
            refusal = reader.refusal();
            hasUnreadBody = refusal.has_value();
        }
        m_deadline = Deadline::max();
        if (hasUnreadBody)
            answer->keepsConnection = false;
        if (refusal) {
            answer->answer(std::move(*refusal));
        } else {
            request.body = reader.takeBody();
            try {
                handler(answer, std::move(request));
            } catch (const std::exception& bug) {
                log::mcp().error("http=failed reason=\"{}\"", log::safe(bug.what()));
                if (answer->hasBegun())
                    co_return;
                answer->answer(plain(500, "Belljar failed; its log says how"));
            }
        }
        if (!co_await send(answer))
            co_return;
        m_answer.reset();
        if (!answer->keepsConnection) {
            co_await linger();
            co_return;
        }
    }
}

asio::awaitable<bool> Connection::send(std::shared_ptr<Answer> answer)
{
    while (m_open && !answer->isCut()) {
        if (answer->hasUnsent()) {
            std::string bytes = answer->takeUnsent();
            const bool sent = co_await writeAll(std::move(bytes));
            if (!sent)
                co_return false;
            answer->wasSent();
        } else if (answer->isComplete()) {
            co_return true;
        } else if (m_ended) {
            co_return false; // nobody waits for it any more
        } else {
            co_await waitForNews();
        }
    }
    co_return false;
}

asio::awaitable<bool> Connection::writeAll(std::string bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const auto rest = asio::buffer(bytes.data() + at, std::min(kWriteBytes, bytes.size() - at));
        m_deadline = deadlineIn(m_limits.stalled);
        error_code error;
        std::size_t count = 0;
        if (m_tls)
            std::tie(error, count) = co_await m_tls->async_write_some(rest, kTuple);
        else
            std::tie(error, count) = co_await m_socket.async_write_some(rest, kTuple);
        if (error || !m_open)
            co_return false;
        at += count;
    }
    m_deadline = Deadline::max();
    co_return true;
}

/// Closed with bytes unread, the socket would reset the connection, and the client might lose the
/// answer that says what it did wrong.
asio::awaitable<void> Connection::linger()
{
    m_discarding = true;
    m_deadline = deadlineIn(kLinger);
    m_room.cancel();
    error_code ignored; // then the client has gone
    m_socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    while (m_open && !m_ended)
        co_await waitForNews();
}

} // namespace belljar::http
