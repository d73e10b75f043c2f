// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/transport/conversation.h"

#include <algorithm>
#include <utility>

namespace belljar::mcp {

namespace {

/// From this revision on a stream may begin with an event that has no data (SPEC.md section 4.5);
/// clients of earlier ones choke on it.
constexpr std::string_view kPrimesFrom = "2025-11-25";

/// For how long a client that was let go stays away.
constexpr std::string_view kRetry = "retry: 500\n\n";

} // namespace

Conversation::Conversation(std::string id, Form form, std::size_t replayBytes)
    : m_id(std::move(id))
    , m_form(form)
    , m_log(replayBytes)
{}

std::uint64_t Conversation::open(const Exchange& exchange, const Parsed& parsed)
{
    Stream stream;
    stream.number = ++m_newest;
    stream.exchange = exchange;
    for (const Parsed::Element& element : parsed.elements) {
        if (!element.message || element.message->kind != MessageKind::Request)
            continue;
        stream.awaited.insert(keyOf(element.message->id));
    }
    watch(stream);
    m_streams.emplace(stream.number, std::move(stream));
    return m_newest;
}

bool Conversation::awaitsAny(const Parsed& parsed) const
{
    std::set<std::string> ids;
    for (const Parsed::Element& element : parsed.elements) {
        if (element.message && element.message->kind == MessageKind::Request &&
            !ids.insert(keyOf(element.message->id)).second)
            return true; // twice in one batch
    }
    return std::any_of(m_streams.begin(), m_streams.end(), [&](const auto& entry) {
        return std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
            return entry.second.awaited.contains(id);
        });
    });
}

void Conversation::watch(const Stream& stream)
{
    stream.exchange->onGone(
        [weak = weak_from_this(), number = stream.number, gone = std::weak_ptr(stream.exchange)] {
            const auto self = weak.lock();
            if (!self)
                return;
            self->touch();
            const auto found = self->m_streams.find(number);
            Stream* const lost = number == 0                      ? &self->m_standalone
                                 : found != self->m_streams.end() ? &found->second
                                                                  : nullptr;
            if (lost && lost->exchange == gone.lock())
                lost->exchange.reset();
        }
    );
}

std::vector<http::Field> Conversation::fields() const
{
    if (m_form == Form::TwoEndpoints || session->client().protocolRevision.empty())
        return {};
    return {{"Mcp-Session-Id", m_id}};
}

void Conversation::begin(Stream& stream, EventId after)
{
    stream.isSse = true;
    stream.exchange->beginStream(fields());
    if (primes())
        stream.exchange->write("id: " + after.text() + "\ndata:\n\n");
    else
        stream.exchange->write(": open\n\n"); // its first bytes, for those who wait for some
}

bool Conversation::primes() const
{
    return m_form == Form::OneEndpoint && session->client().protocolRevision >= kPrimesFrom;
}

void Conversation::becomeStream(std::uint64_t stream)
{
    const auto found = m_streams.find(stream);
    if (found != m_streams.end() && !found->second.isSse && found->second.isHeard())
        begin(found->second, {stream, 0});
}

void Conversation::tell(Stream& stream, const std::string& line)
{
    if (m_form == Form::TwoEndpoints) {
        if (stream.isHeard())
            stream.exchange->write(eventText(line, {}));
        return;
    }
    if (!stream.isSse && stream.number != 0) {
        if (!stream.isHeard())
            return; // lost before it had an event: the client has no id to ask with
        begin(stream, {stream.number, 0});
    }
    const EventId id{stream.number, ++stream.last};
    std::string event = eventText(line, id.text());
    if (stream.isHeard()) {
        stream.exchange->write(event);
        if (stream.number == 0)
            m_heard = stream.last;
    }
    m_log.add(id, std::move(event));
}

void Conversation::complete(std::uint64_t number)
{
    const auto found = m_streams.find(number);
    if (found == m_streams.end())
        return;
    const Stream stream = std::move(found->second);
    m_streams.erase(found);
    touch();
    if (!stream.isHeard())
        return;
    if (!stream.isSse)
        stream.exchange->beginStream(fields()); // an answer that is none
    stream.exchange->end();
}

void Conversation::forget(const Json& requestId)
{
    const std::string key = keyOf(requestId);
    Stream* const stream = awaiting(key);
    if (!stream)
        return;
    stream->awaited.erase(key);
    if (stream->awaited.empty())
        complete(stream->number);
}

Conversation::Stream* Conversation::awaiting(const std::string& key)
{
    for (auto& [number, stream] : m_streams) {
        if (stream.awaited.contains(key))
            return &stream;
    }
    return nullptr;
}

void Conversation::letGo(const std::string& regarding)
{
    Stream* const stream = awaiting(regarding);
    if (!stream || !primes() || !stream->isHeard())
        return;
    if (!stream->isSse)
        begin(*stream, {stream->number, 0});
    stream->exchange->write(kRetry);
    std::exchange(stream->exchange, nullptr)->end();
    touch();
}

void Conversation::say(Outgoing message)
{
    Stream* stream = m_form == Form::OneEndpoint && !message.regarding.empty()
                         ? awaiting(message.regarding)
                         : nullptr;
    if (!stream && message.answers && m_form == Form::OneEndpoint)
        return; // nobody waits for it any more
    if (!stream || !message.answers) {
        tell(stream ? *stream : m_standalone, message.line);
        return;
    }
    const std::uint64_t number = stream->number;
    // An answer to a batch answers all of it.
    if (message.line.starts_with('['))
        stream->awaited.clear();
    else
        stream->awaited.erase(message.regarding);
    if (stream->awaited.empty() && !stream->isSse && stream->isHeard()) {
        http::Response response;
        response.contentType = "application/json";
        response.body = std::move(message.line);
        response.fields = fields();
        const Exchange exchange = stream->exchange;
        m_streams.erase(number);
        touch();
        exchange->answer(std::move(response));
        return;
    }
    tell(*stream, message.line);
    if (stream->awaited.empty())
        complete(number);
}

void Conversation::listen(const Exchange& exchange)
{
    m_standalone.exchange = exchange;
    watch(m_standalone);
    begin(m_standalone, {0, m_heard});
    exchange->write(m_log.since({0, m_heard}));
    m_heard = m_standalone.last;
}

void Conversation::listenTo(const Exchange& exchange, std::string_view first)
{
    m_standalone.exchange = exchange;
    begin(m_standalone, {});
    exchange->write(first);
}

void Conversation::resume(const Exchange& exchange, EventId last)
{
    const auto found = m_streams.find(last.stream);
    Stream* const stream = last.stream == 0           ? &m_standalone
                           : found != m_streams.end() ? &found->second
                                                      : nullptr;
    if (stream) {
        if (const Exchange before = std::exchange(stream->exchange, exchange))
            before->end();
        watch(*stream);
        begin(*stream, last);
        if (last.stream == 0)
            m_heard = stream->last;
    } else {
        exchange->beginStream(fields());
    }
    exchange->write(m_log.since(last));
    if (!stream)
        exchange->end(); // that was all of it
}

bool Conversation::isIdleSince(SteadyClock::time_point when) const
{
    return m_lastUsed < when && m_streams.empty() && !m_standalone.isHeard();
}

void Conversation::close()
{
    session->close();
    for (auto& [number, stream] : std::exchange(m_streams, {})) {
        if (!stream.isHeard())
            continue;
        if (!stream.isSse)
            stream.exchange->beginStream({});
        stream.exchange->end();
    }
    if (m_standalone.isHeard())
        m_standalone.exchange->end();
    m_standalone.exchange.reset();
}

} // namespace belljar::mcp
