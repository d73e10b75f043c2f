// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/pipe.h"

#include "engine/mcp/bridge.h"

#include <algorithm>
#include <utility>

namespace belljar::mcp {

namespace {

constexpr std::size_t kMaxInFlight = 64;

} // namespace

std::shared_ptr<Pipe> Pipe::make(
    asio::any_io_executor executor,
    const Offer& offer,
    execution::Client origin,
    std::function<void(std::string line)> send,
    ClientEvents events
)
{
    const std::shared_ptr<Pipe> pipe(new Pipe);
    pipe->m_send = std::move(send);
    pipe->m_events = events;
    const std::weak_ptr<Pipe> weak = pipe;

    Session::Events legacy;
    legacy.send = [weak](Outgoing message) {
        if (const auto open = weak.lock(); open && !open->m_closed)
            open->m_send(std::move(message.line));
    };
    legacy.changed = events.connected;
    Stateless::Events modern{events.connected, events.disconnected};
    Stateless::Limits limits;
    limits.inFlight = kMaxInFlight;
    pipe->m_stateless =
        std::make_shared<Stateless>(executor, offer, origin, std::move(modern), limits);
    pipe->m_session =
        std::make_shared<Session>(executor, offer, std::move(origin), std::move(legacy));
    return pipe;
}

void Pipe::refuse(const Json& id, int code, std::string why)
{
    m_send(dumpJson(errorMessage(id, {code, std::move(why), {}})));
}

void Pipe::receiveTooLong(std::size_t maxBytes)
{
    m_anyLine = true; // the bridge introduces itself in the first line or not at all
    refuse(
        nullptr,
        kInvalidRequest,
        "the message is larger than " + std::to_string(maxBytes) + " bytes and was skipped"
    );
}

void Pipe::receive(std::string_view line)
{
    Parsed parsed = parseLine(line);
    const bool first = !std::exchange(m_anyLine, true);
    const auto& all = parsed.elements;
    const auto claims = [](const Parsed::Element& element) {
        return element.message && claimsRevision(*element.message);
    };
    if (parsed.batch && std::any_of(all.begin(), all.end(), claims))
        return refuse(nullptr, kInvalidRequest, "this revision of the protocol has no batches");
    const Message* const message =
        !parsed.batch && all.front().message ? &*all.front().message : nullptr;
    if (!message) {
        m_session->receive(std::move(parsed));
        return;
    }
    if (first && message->method == kBridgeMethod) {
        const BridgeIntroduction introduction = readIntroduction(message->params);
        m_session->introduceBridge(introduction);
        m_stateless->introduceBridge(introduction);
        return;
    }
    if (message->kind == MessageKind::Request &&
        (isModern(*message) || message->method == "server/discover")) {
        receiveModern(*message);
        return;
    }
    if (message->method == "notifications/cancelled") {
        const auto found = m_inFlight.find(keyOf(message->params.value("requestId", Json())));
        if (found != m_inFlight.end()) {
            const auto cancel = std::move(found->second);
            m_inFlight.erase(found);
            cancel();
            return;
        }
    }
    m_session->receive(std::move(parsed));
}

void Pipe::receiveModern(const Message& message)
{
    const std::string key = keyOf(message.id);
    if (m_inFlight.contains(key))
        return refuse(message.id, kInvalidRequest, "id: a request with it is in flight already");
    const std::weak_ptr<Pipe> weak = weak_from_this();
    Sink sink;
    sink.notify = [weak](const Json& notification) {
        if (const auto open = weak.lock(); open && !open->m_closed)
            open->m_send(dumpJson(notification));
    };
    sink.answer = [weak, key](const Json& answer, int /*status*/) {
        const auto open = weak.lock();
        if (!open)
            return;
        open->m_inFlight.erase(key);
        if (!open->m_closed)
            open->m_send(dumpJson(answer));
    };
    auto cancel = m_stateless->receive(message, {}, std::move(sink));
    if (cancel)
        m_inFlight.emplace(key, std::move(cancel));
}

void Pipe::close()
{
    m_closed = true;
    m_session->close();
    if (m_session->revision())
        m_events.disconnected(m_session->client().id);
    m_stateless->leave();
}

std::vector<execution::Client> Pipe::clients() const
{
    std::vector<execution::Client> clients = m_stateless->clients();
    if (m_session->revision())
        clients.push_back(m_session->client());
    return clients;
}

} // namespace belljar::mcp
