// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/message.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace belljar::http {

/// What one client may take.
struct Limits {
    std::uint32_t headerBytes = 16U * 1024;
    std::uint64_t bodyBytes = 16U * 1024 * 1024;
    std::size_t connections = 2048;
    std::size_t connectionsOfPeer = 64;         ///< of an address that isn't this machine's loop
    std::size_t unsentBytes = 8U * 1024 * 1024; ///< of a stream, then it is cut
    std::chrono::milliseconds idle = std::chrono::minutes(5); ///< between two requests
    std::chrono::milliseconds header = std::chrono::seconds(10);
    std::chrono::milliseconds body = std::chrono::seconds(60);
    std::chrono::milliseconds stalled = std::chrono::seconds(30); ///< takes nothing of an answer
    std::chrono::milliseconds quiet =
        std::chrono::seconds(15);                             ///< of a stream, then a comment goes
    std::chrono::milliseconds look = std::chrono::seconds(1); ///< how often these are looked at
};

/// One request on its way to its answer: a whole one, or a stream of server-sent events. May be
/// kept as long as wanted; what is said after the client has gone is dropped.
class Exchange {
public:
    virtual ~Exchange() = default;

    /// The whole answer. Only once, and not after beginStream().
    virtual void answer(Response response) = 0;
    /// 200 with a stream of server-sent events, and `fields`.
    virtual void beginStream(std::vector<Field> fields) = 0;
    /// A piece of the stream, in whole events. A client that doesn't take them in time is cut off.
    virtual void write(std::string_view piece) = 0;
    /// The stream is complete.
    virtual void end() = 0;
    /// Called once when the client goes away before the end; not after the end.
    virtual void onGone(std::function<void()> action) = 0;
    /// The client is there and the answer isn't complete.
    [[nodiscard]] virtual bool isOpen() const = 0;
};

/// A request that has been let in. Called on the engine thread; may answer later.
using Handler = std::function<void(const std::shared_ptr<Exchange>&, Request)>;

} // namespace belljar::http
