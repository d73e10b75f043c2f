// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/transport/streamable_http.h"

#include "engine/base/deadline.h"
#include "engine/base/ids.h"
#include "engine/base/log.h"
#include "engine/mcp/bridge.h"
#include "engine/mcp/revision.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace belljar::mcp {

namespace {

using namespace std::chrono_literals;
using Exchange = std::shared_ptr<http::Exchange>;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kEvents = "text/event-stream";
constexpr std::size_t kSessionIdBytes = 24;
constexpr std::chrono::milliseconds kLookEvery = 30s;

void refuse(const Exchange& exchange, int status, int code, std::string why, const Json& id = {})
{
    http::Response response;
    response.status = status;
    response.contentType = kJson;
    response.body = dumpJson(errorMessage(id, {code, std::move(why), {}}));
    if (status == 503)
        response.fields.push_back({"Retry-After", "60"});
    exchange->answer(std::move(response));
}

void accept(const Exchange& exchange)
{
    http::Response response;
    response.status = 202;
    exchange->answer(std::move(response));
}

bool isRequest(const Parsed::Element& element, std::string_view method = {})
{
    return element.message && element.message->kind == MessageKind::Request &&
           (method.empty() || element.message->method == method);
}

struct Problem {
    int code;
    std::string text;
    Json id;
};

/// Why nothing of a body is looked at.
std::optional<Problem> problemOf(const Parsed& parsed)
{
    for (const Parsed::Element& element : parsed.elements) {
        if (element.error)
            return Problem{element.error->code, element.error->message, element.id};
        const Message& message = *element.message;
        // Who is at the other end of a connection only the bridge of this user's socket may say.
        if (message.method == kBridgeMethod)
            return Problem{kMethodNotFound, "this method isn't for HTTP", message.id};
        if (parsed.batch && claimsRevision(message))
            return Problem{kInvalidRequest, "this revision of the protocol has no batches", {}};
        if (parsed.batch && message.method == "initialize")
            return Problem{kInvalidRequest, "initialize can't be in a batch", message.id};
    }
    return {};
}

} // namespace

StreamableHttp::StreamableHttp(
    asio::any_io_executor executor, const Offer& offer, ClientEvents events, Limits limits
)
    : m_executor(executor)
    , m_offer(offer)
    , m_events(events)
    , m_limits(limits)
    , m_stateless(
          executor,
          offer,
          {events.connected, events.disconnected},
          {limits.clientIdle, limits.plain}
      )
    , m_tasks(executor, "mcp http")
{
    m_tasks.spawn("idle sessions", endIdle());
}

StreamableHttp::~StreamableHttp() = default;

std::vector<http::Place> StreamableHttp::places()
{
    return {{"/mcp", {"GET", "POST", "DELETE"}}, {"/sse", {"GET"}}, {"/messages", {"POST"}}};
}

void StreamableHttp::handle(const Exchange& exchange, http::Request request)
{
    struct Row {
        std::string_view path;
        std::string_view method;
        void (StreamableHttp::*handle)(const Exchange&, const http::Request&);
    };
    static constexpr std::array kRows{
        Row{"/mcp", "POST", &StreamableHttp::post},
        Row{"/mcp", "GET", &StreamableHttp::get},
        Row{"/mcp", "DELETE", &StreamableHttp::erase},
        Row{"/sse", "GET", &StreamableHttp::openSse},
        Row{"/messages", "POST", &StreamableHttp::postMessage},
    };
    for (const Row& row : kRows) {
        if (row.path == request.path && row.method == request.method)
            (this->*row.handle)(exchange, request);
    }
}

std::shared_ptr<Conversation>
StreamableHttp::conversationOf(const Exchange& exchange, const http::Request& request)
{
    const auto id = request.field("Mcp-Session-Id");
    if (!id) {
        refuse(
            exchange, 400, kInvalidRequest, "Mcp-Session-Id: is required; begin with initialize"
        );
        return nullptr;
    }
    const auto found = m_conversations.find(std::string(*id));
    if (found == m_conversations.end() ||
        found->second->form() != Conversation::Form::OneEndpoint) {
        refuse(exchange, 404, kInvalidRequest, "this session has ended; begin with initialize");
        return nullptr;
    }
    const auto version = request.field("MCP-Protocol-Version");
    if (version && !findLegacyRevision(*version)) {
        refuse(
            exchange, 400, kInvalidRequest, "MCP-Protocol-Version: this revision isn't spoken here"
        );
        return nullptr;
    }
    found->second->touch();
    return found->second;
}

void StreamableHttp::post(const Exchange& exchange, const http::Request& request)
{
    if (!http::isOfType(request.field("Content-Type").value_or(""), kJson)) {
        refuse(exchange, 415, kInvalidRequest, "Content-Type: expected application/json");
        return;
    }
    Parsed parsed = parseLine(request.body);
    if (auto problem = problemOf(parsed)) {
        refuse(exchange, 400, problem->code, std::move(problem->text), problem->id);
        return;
    }
    if (StatelessHttp::takes(parsed, request)) {
        m_stateless.post(exchange, request, *parsed.elements.front().message);
        return;
    }
    const std::string_view accepted = request.field("Accept").value_or("");
    if (!http::accepts(accepted, kJson) || !http::accepts(accepted, kEvents)) {
        refuse(
            exchange, 406, kInvalidRequest, "Accept: expected application/json, text/event-stream"
        );
        return;
    }
    if (isRequest(parsed.elements.front(), "initialize")) {
        begin(exchange, request, std::move(parsed));
        return;
    }
    // Both are fine with it; the one that it names first it would rather have.
    const bool likesStreams = accepted.find(kEvents) < accepted.find(kJson);
    if (const auto conversation = conversationOf(exchange, request))
        converse(exchange, std::move(parsed), conversation, likesStreams);
}

void StreamableHttp::begin(const Exchange& exchange, const http::Request& request, Parsed parsed)
{
    const Json id = parsed.elements.front().message->id;
    if (isModernRevision(request.field("MCP-Protocol-Version").value_or(""))) {
        refuse(
            exchange,
            400,
            kHeaderMismatch,
            "MCP-Protocol-Version: this revision has no initialize",
            id
        );
        return;
    }
    const std::string known(request.field("Mcp-Session-Id").value_or(""));
    if (m_conversations.contains(known)) {
        refuse(exchange, 400, kInvalidRequest, "this session has been initialized already", id);
        return;
    }
    if (!makeRoom()) {
        refuse(exchange, 503, kInternalError, "too many sessions are in use; try again later", id);
        return;
    }
    const auto conversation = makeConversation(Conversation::Form::OneEndpoint);
    conversation->open(exchange, parsed);
    conversation->session->receive(std::move(parsed));
    if (!conversation->session->revision())
        end(conversation->id()); // it was refused
}

void StreamableHttp::converse(
    const Exchange& exchange,
    Parsed parsed,
    const std::shared_ptr<Conversation>& conversation,
    bool likesStreams
)
{
    const Revision* const revision = conversation->session->revision();
    if (parsed.batch && !(revision && revision->batches)) {
        refuse(exchange, 400, kInvalidRequest, "this revision of the protocol has no batches");
        return;
    }
    if (conversation->awaitsAny(parsed)) {
        const Json id = parsed.batch ? Json() : parsed.elements.front().message->id;
        refuse(exchange, 400, kInvalidRequest, "id: a request with it is in flight already", id);
        return;
    }
    const auto& all = parsed.elements;
    const bool asks =
        std::any_of(all.begin(), all.end(), [](const auto& one) { return isRequest(one); });
    const std::uint64_t stream = asks ? conversation->open(exchange, parsed) : 0;
    if (asks && likesStreams)
        conversation->becomeStream(stream);
    std::vector<Json> cancelled;
    for (const Parsed::Element& element : all) {
        if (element.message->method == "notifications/cancelled")
            cancelled.push_back(element.message->params.value("requestId", Json()));
    }
    conversation->session->receive(std::move(parsed));
    for (const Json& id : cancelled)
        conversation->forget(id);
    if (!asks)
        accept(exchange);
    else if (conversation->isUnanswered(stream))
        m_tasks.spawn("stream", becomeStreamLater(conversation, stream));
}

asio::awaitable<void>
StreamableHttp::becomeStreamLater(std::weak_ptr<Conversation> of, std::uint64_t stream)
{
    co_await sleepUntil(deadlineIn(m_limits.plain));
    if (const auto conversation = of.lock())
        conversation->becomeStream(stream);
}

void StreamableHttp::get(const Exchange& exchange, const http::Request& request)
{
    if (!http::accepts(request.field("Accept").value_or(""), kEvents)) {
        refuse(exchange, 406, kInvalidRequest, "Accept: expected text/event-stream");
        return;
    }
    const auto conversation = conversationOf(exchange, request);
    if (!conversation)
        return;
    const auto last = EventId::parse(request.field("Last-Event-ID").value_or(""));
    if (last)
        conversation->resume(exchange, *last);
    else if (conversation->hasListener())
        refuse(exchange, 409, kInvalidRequest, "this session has its stream already");
    else
        conversation->listen(exchange);
}

void StreamableHttp::erase(const Exchange& exchange, const http::Request& request)
{
    const auto conversation = conversationOf(exchange, request);
    if (!conversation)
        return;
    end(conversation->id());
    http::Response response;
    response.status = 204;
    exchange->answer(std::move(response));
}

void StreamableHttp::openSse(const Exchange& exchange, const http::Request& /*request*/)
{
    if (!makeRoom()) {
        refuse(exchange, 503, kInternalError, "too many sessions are in use; try again later");
        return;
    }
    const auto conversation = makeConversation(Conversation::Form::TwoEndpoints);
    conversation->listenTo(
        exchange, "event: endpoint\ndata: /messages?session=" + conversation->id() + "\n\n"
    );
    // Here the stream is the connection: with it the session ends.
    exchange->onGone([this, id = conversation->id()] { end(id); });
}

void StreamableHttp::postMessage(const Exchange& exchange, const http::Request& request)
{
    const auto id = http::queryValue(request.query, "session");
    const auto found = m_conversations.find(std::string(id.value_or("")));
    if (found == m_conversations.end() ||
        found->second->form() != Conversation::Form::TwoEndpoints) {
        refuse(exchange, 404, kInvalidRequest, "this session has ended; open /sse");
        return;
    }
    if (!http::isOfType(request.field("Content-Type").value_or(""), kJson)) {
        refuse(exchange, 415, kInvalidRequest, "Content-Type: expected application/json");
        return;
    }
    Parsed parsed = parseLine(request.body);
    if (auto problem = problemOf(parsed)) {
        refuse(exchange, 400, problem->code, std::move(problem->text), problem->id);
        return;
    }
    const std::shared_ptr<Conversation> conversation = found->second;
    conversation->touch();
    accept(exchange);
    conversation->session->receive(std::move(parsed));
}

/// Is there room for another session? The one that has been idle longest makes it where needed.
bool StreamableHttp::makeRoom()
{
    if (m_conversations.size() < m_limits.sessions)
        return true;
    std::shared_ptr<Conversation> oldest;
    for (const auto& [id, one] : m_conversations) {
        if (one->isIdleSince(SteadyClock::now()) &&
            (!oldest || one->lastUsed() < oldest->lastUsed()))
            oldest = one;
    }
    if (oldest)
        end(oldest->id());
    return oldest != nullptr;
}

std::shared_ptr<Conversation> StreamableHttp::makeConversation(Conversation::Form form)
{
    const auto conversation =
        std::make_shared<Conversation>(randomHex(kSessionIdBytes), form, m_limits.replayBytes);
    execution::Client client;
    client.id = ClientId::make();
    client.transport = "http";
    client.connectedAt = execution::unixNow();
    Session::Events events;
    events.send = [weak = std::weak_ptr(conversation)](Outgoing message) {
        if (const auto open = weak.lock())
            open->say(std::move(message));
    };
    events.letGo = [weak = std::weak_ptr(conversation)](const std::string& regarding) {
        if (const auto open = weak.lock())
            open->letGo(regarding);
    };
    events.changed = m_events.connected;
    conversation->session =
        std::make_shared<Session>(m_executor, m_offer, std::move(client), std::move(events));
    m_conversations.emplace(conversation->id(), conversation);
    return conversation;
}

void StreamableHttp::end(const std::string& id)
{
    const auto found = m_conversations.find(id);
    if (found == m_conversations.end())
        return;
    const std::shared_ptr<Conversation> conversation = found->second;
    m_conversations.erase(found);
    conversation->close();
    if (conversation->session->revision())
        m_events.disconnected(conversation->session->client().id);
}

asio::awaitable<void> StreamableHttp::endIdle()
{
    for (;;) {
        co_await sleepUntil(deadlineIn(std::min(m_limits.idle / 4, kLookEvery)));
        const auto since = SteadyClock::now() - m_limits.idle;
        std::vector<std::string> idle;
        for (const auto& [id, conversation] : m_conversations) {
            if (conversation->isIdleSince(since))
                idle.push_back(id);
        }
        for (const std::string& id : idle)
            end(id);
    }
}

std::vector<execution::Client> StreamableHttp::clients() const
{
    std::vector<execution::Client> clients = m_stateless.clients();
    for (const auto& [id, conversation] : m_conversations) {
        if (conversation->session->revision())
            clients.push_back(conversation->session->client());
    }
    return clients;
}

void StreamableHttp::disconnect(const ClientId& id)
{
    m_stateless.disconnect(id);
    for (const auto& [key, conversation] : m_conversations) {
        if (conversation->session->client().id == id) {
            end(std::string(key));
            return;
        }
    }
}

void StreamableHttp::endAll()
{
    m_stateless.endAll();
    while (!m_conversations.empty())
        end(std::string(m_conversations.begin()->first));
}

asio::awaitable<void> StreamableHttp::close()
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_stateless.close();
    endAll();
    co_await m_tasks.join();
}

} // namespace belljar::mcp
