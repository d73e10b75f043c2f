// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/transport/stateless_http.h"

#include "engine/base/deadline.h"
#include "engine/mcp/transport/event_log.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace belljar::mcp {

/// One answer on its way.
class StatelessHttp::Answering {
public:
    explicit Answering(std::shared_ptr<http::Exchange> exchange)
        : m_exchange(std::move(exchange))
    {}

    [[nodiscard]] bool isAnswered() const { return m_answered; }

    void becomeStream()
    {
        if (m_answered || std::exchange(m_isStream, true))
            return;
        m_exchange->beginStream({{"X-Accel-Buffering", "no"}});
        m_exchange->write(": open\n\n"); // its first bytes, for those who wait for some
    }

    void notify(const Json& message)
    {
        becomeStream();
        m_exchange->write(eventText(dumpJson(message), {}));
    }

    void answer(const Json& message, int status)
    {
        if (std::exchange(m_answered, true))
            return;
        if (m_isStream) {
            m_exchange->write(eventText(dumpJson(message), {}));
            m_exchange->end();
            return;
        }
        http::Response response;
        response.status = status;
        response.contentType = "application/json";
        response.body = dumpJson(message);
        m_exchange->answer(std::move(response));
    }

private:
    std::shared_ptr<http::Exchange> m_exchange;
    bool m_isStream = false;
    bool m_answered = false;
};

StatelessHttp::StatelessHttp(
    asio::any_io_executor executor, const Offer& offer, Stateless::Events events, Limits limits
)
    : m_limits(limits)
    , m_tasks(executor, "mcp stateless http")
{
    execution::Client origin;
    origin.transport = "http";
    Stateless::Limits bounds;
    bounds.idle = limits.idle;
    m_stateless =
        std::make_shared<Stateless>(executor, offer, std::move(origin), std::move(events), bounds);
}

bool StatelessHttp::takes(const Parsed& parsed, const http::Request& request)
{
    if (parsed.batch || !parsed.elements.front().message)
        return false;
    const Message& message = *parsed.elements.front().message;
    if (message.kind == MessageKind::Response)
        return false;
    const bool modernField = isModernRevision(request.field("MCP-Protocol-Version").value_or(""));
    return isModern(message) || (modernField && message.method != "initialize");
}

void StatelessHttp::post(
    const std::shared_ptr<http::Exchange>& exchange,
    const http::Request& request,
    const Message& message
)
{
    // There is nothing that a client could tell: it cancels by going away (SPEC.md section 2.8).
    if (message.kind == MessageKind::Notification) {
        http::Response accepted;
        accepted.status = 202;
        exchange->answer(std::move(accepted));
        return;
    }
    const auto answering = std::make_shared<Answering>(exchange);
    Sink sink;
    sink.notify = [answering](const Json& notification) { answering->notify(notification); };
    sink.answer = [answering](const Json& answer, int status) {
        answering->answer(answer, status);
    };
    const FieldOf fieldOf = [&request](std::string_view name) -> std::optional<std::string> {
        const auto value = request.field(name);
        return value ? std::optional(std::string(*value)) : std::nullopt;
    };
    auto cancel = m_stateless->receive(message, fieldOf, std::move(sink));
    if (answering->isAnswered())
        return;
    exchange->onGone(std::move(cancel));
    m_tasks.spawn("stream", becomeStreamLater(answering, m_limits.plain));
}

asio::awaitable<void> StatelessHttp::becomeStreamLater(
    std::weak_ptr<Answering> answering, std::chrono::milliseconds after
)
{
    co_await sleepUntil(deadlineIn(after));
    if (const auto open = answering.lock())
        open->becomeStream();
}

asio::awaitable<void> StatelessHttp::close()
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_stateless->close();
    co_await m_tasks.join();
}

} // namespace belljar::mcp
