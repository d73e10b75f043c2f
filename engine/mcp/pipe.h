// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/execution/execution.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/session.h"
#include "engine/mcp/stateless.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::mcp {

/// Who comes and goes.
struct ClientEvents {
    std::function<void(const execution::Client&)> connected;
    std::function<void(const execution::Client&)> changed;
    std::function<void(const ClientId&)> disconnected;
};

/// Both eras on one line of messages: each message says itself of which it is (SPEC.md section
/// 5.1). Lives on the engine thread and in a shared_ptr.
class Pipe : public std::enable_shared_from_this<Pipe> {
public:
    /// `send` gets lines without their newline; `offer` has to live longer.
    static std::shared_ptr<Pipe> make(
        asio::any_io_executor executor,
        const Offer& offer,
        execution::Client origin,
        std::function<void(std::string line)> send,
        ClientEvents events
    );

    /// One line of the client.
    void receive(std::string_view line);
    /// The client sent a line that was over the bound and has been skipped.
    void receiveTooLong(std::size_t maxBytes);
    /// The client has gone: nothing is sent any more, calls in flight are cancelled.
    void close();

    /// No request waits for its answer.
    [[nodiscard]] bool isIdle() const { return m_session->isIdle() && m_stateless->isIdle(); }

    /// Who has introduced itself.
    [[nodiscard]] std::vector<execution::Client> clients() const;

private:
    Pipe() = default;
    void receiveModern(const Message& message);
    void refuse(const Json& id, int code, std::string why);

    std::function<void(std::string line)> m_send;
    ClientEvents m_events;
    std::shared_ptr<Session> m_session;
    std::shared_ptr<Stateless> m_stateless;
    std::map<std::string, std::function<void()>> m_inFlight; ///< modern ones, what cancels them
    bool m_anyLine = false;
    bool m_closed = false;
};

} // namespace belljar::mcp
