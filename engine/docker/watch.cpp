// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/watch.h"

#include "engine/base/log.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>

namespace belljar::docker {

namespace {

using namespace std::chrono_literals;

constexpr auto kAnswerDeadline = 5s;
constexpr auto kPingEvery =
    5s; // the longest time in which a stalled engine goes unnoticed, plus the deadline
constexpr auto kFirstPause = 250ms;
constexpr auto kLongestPause = 5000ms;

/// The part of an EngineUnreachable message that says what to do comes after the first sentence.
std::pair<std::string, std::string> splitAdvice(const std::string& message)
{
    const std::size_t end = message.find(". ");
    if (end == std::string::npos)
        return {message, {}};
    return {message.substr(0, end), message.substr(end + 2)};
}

} // namespace

Watch::Watch(asio::any_io_executor executor, std::string configured, OnChange onChange)
    : m_executor(executor)
    , m_configured(std::move(configured))
    , m_onChange(std::move(onChange))
    , m_retry(executor)
    , m_settled(executor, asio::steady_timer::time_point::max())
    , m_tasks(executor, "docker watch")
{}

Watch::~Watch() = default;

void Watch::start()
{
    m_tasks.spawn("look", look());
}

void Watch::retryNow()
{
    m_retry.cancel();
}

void Watch::settle(DockerStatus status)
{
    if (status == m_status)
        return;
    m_status = std::move(status);
    log::docker().info(
        "state={} endpoint={} message=\"{}\"",
        static_cast<int>(m_status.state),
        log::safe(m_status.endpoint),
        log::safe(m_status.message)
    );
    m_settled.cancel();
    m_onChange(m_status);
}

asio::awaitable<Result<std::shared_ptr<Client>>> Watch::find()
{
    auto endpoints = findEndpoints(m_configured);
    if (!endpoints)
        co_return fail(endpoints.error());
    Error first(Errc::EngineUnreachable, "Docker is not running: no place to look");
    bool any = false;
    for (const Endpoint& endpoint : *endpoints) {
        auto client = std::make_shared<Client>(m_executor, endpoint);
        auto version = co_await client->negotiate(deadlineIn(kAnswerDeadline));
        if (version) {
            DockerStatus ready;
            ready.state = DockerState::Ready;
            ready.endpoint = endpoint.socketPath;
            ready.version = version->engine;
            m_client = client;
            settle(std::move(ready));
            co_return std::move(client);
        }
        // The first place is the one that people mean; the others are only tried.
        if (!any)
            first = version.error();
        any = true;
    }
    co_return fail(first);
}

asio::awaitable<void> Watch::look()
{
    auto span = kFirstPause;
    for (;;) {
        auto client = co_await find();
        if (client) {
            span = kFirstPause;
            co_await stayWith(std::move(*client));
            continue;
        }
        const auto [message, advice] = splitAdvice(client.error().message());
        DockerStatus gone;
        gone.state = DockerState::Unreachable;
        gone.message = message;
        gone.advice = advice;
        settle(std::move(gone));
        co_await pause(span);
        span = std::min<std::chrono::milliseconds>(span * 2, kLongestPause);
    }
}

/// Returns when the engine no longer answers.
asio::awaitable<void> Watch::stayWith(std::shared_ptr<Client> client)
{
    for (;;) {
        // A connection that stays open notices an engine that ends at once; the ping after it one
        // that stalls.
        const std::map<std::string, std::vector<std::string>> filters{{"type", {"daemon"}}};
        auto ended = co_await client->events(
            filters, [](const EngineEvent&) {}, deadlineIn(kPingEvery)
        );
        const bool broken = !ended && ended.error().code() != Errc::TimedOut;
        auto alive = co_await client->ping(deadlineIn(kAnswerDeadline));
        if (!alive)
            break;
        if (broken)
            break; // it has ended and is back already: everything of before is gone, so start anew
    }
    m_client.reset();
    DockerStatus gone;
    gone.state = DockerState::Unreachable;
    gone.message = "Docker has stopped answering at " + client->endpoint().socketPath;
    gone.advice = "Belljar reconnects by itself when it is back.";
    settle(std::move(gone));
}

asio::awaitable<void> Watch::pause(std::chrono::milliseconds span)
{
    m_retry.expires_after(span);
    boost::system::error_code woken;
    co_await m_retry.async_wait(asio::redirect_error(asio::use_awaitable, woken));
}

asio::awaitable<Result<std::shared_ptr<Client>>> Watch::client(Deadline deadline)
{
    asio::steady_timer limit(m_executor, deadline);
    limit.async_wait([this](const boost::system::error_code& error) {
        if (!error)
            m_settled.cancel();
    });
    while (m_status.state == DockerState::Connecting && SteadyClock::now() < deadline) {
        boost::system::error_code woken;
        co_await m_settled.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (m_client)
        co_return m_client;
    if (m_status.state == DockerState::Connecting)
        co_return fail(Errc::TimedOut, "Docker has not answered yet");
    co_return fail(Errc::EngineUnreachable, m_status.message + ". " + m_status.advice);
}

asio::awaitable<void> Watch::close()
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
}

} // namespace belljar::docker
