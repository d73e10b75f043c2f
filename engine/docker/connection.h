// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/result.h"
#include "engine/docker/client.h"

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// One HTTP exchange with the engine over its Unix socket.
namespace belljar::docker {

using UnixSocket = asio::local::stream_protocol::socket;

struct HttpRequest {
    boost::beast::http::verb method = boost::beast::http::verb::get;
    std::string target;
    std::string body;
    std::string contentType = "application/json";
    std::vector<std::pair<std::string, std::string>> headers;
};

struct HttpReply {
    boost::beast::http::status status = boost::beast::http::status::unknown;
    std::string body;
};

/// A socket whose HTTP part is over; `leftover` came with the reply's header, or is the body of a
/// refusal.
struct Hijacked {
    boost::beast::http::status status = boost::beast::http::status::unknown;
    std::unique_ptr<UnixSocket>
        socket; ///< null after a refusal; on the heap because a socket has no empty state
    std::string leftover;

    /// Did the engine hand over the connection?
    [[nodiscard]] bool accepted() const
    {
        return status == boost::beast::http::status::switching_protocols ||
               status == boost::beast::http::status::ok;
    }
};

/// Sends `request` and reads the whole reply (header at most 64 KiB, body at most 16 MiB, R-38).
asio::awaitable<Result<HttpReply>> exchange(Endpoint endpoint, HttpRequest request);

/// Sends `request`, its body from `nextBody` where that is set (chunked), and hands each line of
/// the reply's body to `onLine` as it comes. The reply's own body is only kept for an error status.
asio::awaitable<Result<HttpReply>> exchangeLines(
    Endpoint endpoint,
    HttpRequest request,
    Client::NextBytes nextBody,
    std::function<Result<>(std::string)> onLine
);

/// Sends `request` with an upgrade and gives the bare socket, or the reply's whole body where the
/// engine refuses.
asio::awaitable<Result<Hijacked>> hijack(Endpoint endpoint, HttpRequest request);

} // namespace belljar::docker
