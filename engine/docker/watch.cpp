// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/watch.h"

#include "engine/base/log.h"

#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace belljar::docker {

namespace {

using namespace std::chrono_literals;

constexpr auto kAnswerDeadline = 5s;
constexpr auto kPingEvery = 5s; // how long a stalled engine goes unnoticed, beside the deadline
constexpr auto kFirstPause = 250ms;
constexpr auto kLongestPause = 5000ms;
constexpr const char* kOwnerLabel = "io.belljar.engine";

/// Asks again and again whether the engine answers; returns when it doesn't.
asio::awaitable<Result<>> pingWhileAlive(std::shared_ptr<Client> client)
{
    for (;;) {
        co_await sleepUntil(deadlineIn(kPingEvery));
        auto alive = co_await client->ping(deadlineIn(kAnswerDeadline));
        if (!alive)
            co_return fail(alive.error());
    }
}

} // namespace

Watch::Watch(
    asio::any_io_executor executor,
    std::string configured,
    OnChange onChange,
    OnContainer onContainer
)
    : m_executor(executor)
    , m_configured(std::move(configured))
    , m_onChange(std::move(onChange))
    , m_onContainer(std::move(onContainer))
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
    std::optional<Error> told;
    bool toldOfOne = false; // `told` is about a socket that exists
    for (const Endpoint& endpoint : *endpoints) {
        // A place where nothing is says less than an engine that has trouble.
        // One in a folder that we may not read counts as present: it is the one to tell of.
        std::error_code unreadable;
        const bool present = std::filesystem::status(endpoint.socketPath, unreadable).type() !=
                             std::filesystem::file_type::not_found;
        if (!present && told)
            continue;
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
        if (!told || (present && !toldOfOne))
            told = version.error();
        toldOfOne = toldOfOne || present;
    }
    co_return fail(*told);
}

asio::awaitable<void> Watch::look()
{
    auto span = kFirstPause;
    for (;;) {
        const auto since = SteadyClock::now();
        auto client = co_await find();
        DockerStatus gone;
        std::string cause;
        if (client) {
            auto reason = co_await untilGone(*client);
            cause = reason.message();
            m_client.reset();
            gone.state = DockerState::Unreachable;
            gone.endpoint = (*client)->endpoint().socketPath;
            gone.message = "Docker has stopped answering at " + gone.endpoint;
            gone.advice = "Belljar reconnects by itself when it is back.";
        } else {
            Trouble trouble = troubleOf(client.error());
            gone.state = DockerState::Unreachable;
            gone.message = std::move(trouble.message);
            gone.advice = std::move(trouble.advice);
        }
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            co_return; // it isn't gone, we are
        if (!cause.empty())
            log::docker().warn("gone=\"{}\"", log::safe(cause));
        settle(std::move(gone));
        // One that goes as soon as it has come is no better than none.
        if (client && SteadyClock::now() - since > kLongestPause)
            span = kFirstPause;
        co_await pause(span);
        span = std::min<std::chrono::milliseconds>(span * 2, kLongestPause);
    }
}

/// Hands on the events of our containers until the engine ends the stream.
asio::awaitable<Result<>> Watch::listen(std::shared_ptr<Client> client)
{
    const std::map<std::string, std::vector<std::string>> filters{
        {"type", {"container"}},
        {"label", {kOwnerLabel}},
        {"event", {"oom", "die", "destroy"}},
    };
    const auto onEvent = [this](const EngineEvent& event) {
        if (m_onContainer)
            m_onContainer(event);
    };
    auto ended = co_await client->events(filters, onEvent, Deadline::max());
    if (ended.error().code() != Errc::EngineRefused)
        co_return std::move(ended);
    // An engine that doesn't know these filters is there all the same; the pings watch it.
    log::docker().warn("events=\"{}\"", log::safe(ended.error().message()));
    co_await sleepUntil(Deadline::max());
    co_return std::move(ended);
}

/// Returns when the engine is no longer there, and why. The stream of events notices at once one
/// that ends, the pings one that stalls.
asio::awaitable<Error> Watch::untilGone(std::shared_ptr<Client> client)
{
    auto watching = asio::experimental::make_parallel_group(
        asio::co_spawn(m_executor, listen(client), asio::deferred),
        asio::co_spawn(m_executor, pingWhileAlive(client), asio::deferred)
    );
    auto [order, listenThrew, listened, pingThrew, pinged] =
        co_await watching.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    const std::exception_ptr thrown = order[0] == 0 ? listenThrew : pingThrew;
    if (thrown)
        std::rethrow_exception(thrown);
    const Result<>& ended = order[0] == 0 ? listened : pinged;
    co_return ended.error();
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
