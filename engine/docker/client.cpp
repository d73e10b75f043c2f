// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/client.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/docker/attach_stream.h"
#include "engine/docker/codec.h"
#include "engine/docker/connection.h"
#include "engine/docker/spec_check.h"
#include "engine/docker/trouble.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace belljar::docker {

namespace {

namespace http = boost::beast::http;
using http::status;
using http::verb;

constexpr auto kTidyDeadline = std::chrono::seconds(5);
constexpr std::pair kOldestApi{1, 41};
constexpr std::pair kNewestApi{1, 47}; // what we have read; newer engines still speak it
constexpr std::string_view kOldestApiText = "1.41";

std::string versionText(std::pair<int, int> version)
{
    return std::to_string(version.first) + "." + std::to_string(version.second);
}

bool isGood(status code)
{
    return http::to_status_class(code) == http::status_class::successful;
}

/// What an error status means, with Docker's own words.
Error refusal(const HttpReply& reply)
{
    const std::string message = "Docker: " + decodeMessage(reply.body);
    if (reply.status == status::not_found)
        return Error(Errc::NotFound, message);
    if (reply.status == status::conflict)
        return Error(Errc::Conflict, message);
    return Error(Errc::EngineRefused, message);
}

Json filterJson(const std::map<std::string, std::vector<std::string>>& filters)
{
    Json json = Json::object();
    for (const auto& [name, values] : filters)
        json[name] = values;
    return json;
}

} // namespace

namespace {

/// Makes whole lines of the pieces that a build reports.
class BuildLog {
public:
    explicit BuildLog(Client::OnLine onLine)
        : m_onLine(std::move(onLine))
    {}

    Result<> take(std::string_view json)
    {
        const auto progress = decodeProgress(json);
        if (!progress)
            return fail(progress.error());
        if (progress->error)
            return fail(Errc::EngineRefused, "Docker: " + *progress->error);
        // While a layer comes, its state is told many times a second.
        if (!progress->status.empty() && m_told.size() < kMaxStates &&
            m_told.insert(progress->status).second)
            tell(progress->status);
        m_partial += progress->output;
        for (std::size_t end = 0; (end = m_partial.find('\n')) != std::string::npos;
             m_partial.erase(0, end + 1))
            tell(std::string_view(m_partial).substr(0, end));
        if (m_partial.size() > kMaxPartialBytes)
            flush();
        return {};
    }

    void flush()
    {
        tell(m_partial);
        m_partial.clear();
    }

private:
    static constexpr std::size_t kMaxStates = 1000;
    static constexpr std::size_t kMaxPartialBytes = 64U * 1024;

    void tell(std::string_view line)
    {
        if (m_onLine && !line.empty())
            m_onLine(std::string(line));
    }

    Client::OnLine m_onLine;
    std::string m_partial;
    std::set<std::string> m_told;
};

} // namespace

class Client::Impl {
public:
    Impl(asio::any_io_executor ioExecutor, Endpoint where)
        : executor(std::move(ioExecutor))
        , endpoint(std::move(where))
    {}

    std::string path(std::string_view rest) const { return "/v" + api + std::string(rest); }

    /// One call under its deadline: a reply of any status, or why there is none.
    asio::awaitable<Result<HttpReply>>
    call(verb method, std::string target, std::string body, Deadline deadline)
    {
        HttpRequest request;
        request.method = method;
        request.target = target;
        request.body = std::move(body);
        auto reply = co_await finishBy(deadline, exchange(endpoint, std::move(request)));
        if (!reply && reply.error().code() == Errc::TimedOut)
            co_return fail(silent(target));
        co_return std::move(reply);
    }

    /// The error of a call to `target` that the engine doesn't answer.
    [[nodiscard]] Error silent(const std::string& target) const
    {
        return withAdvice(
            Errc::TimedOut,
            "Docker at " + endpoint.socketPath + " does not answer in time: " + target,
            Cause::Silent
        );
    }

    /// The error of a first call that was answered, but not as an engine answers.
    [[nodiscard]] Error strange(const Error& cause) const
    {
        return withAdvice(
            Errc::ProtocolViolation,
            "What answers at " + endpoint.socketPath + " is not Docker: " + cause.message(),
            Cause::Nonsense
        );
    }

    /// As call(), with an error status as an Error.
    asio::awaitable<Result<std::string>>
    body(verb method, std::string target, std::string sent, Deadline deadline)
    {
        auto reply = co_await call(method, std::move(target), std::move(sent), deadline);
        if (!reply)
            co_return fail(reply.error());
        // 304: the container is in that state already.
        if (!isGood(reply->status) && reply->status != status::not_modified)
            co_return fail(refusal(*reply));
        co_return std::move(reply->body);
    }

    asio::awaitable<Result<>> done(verb method, std::string target, Deadline deadline)
    {
        auto reply = co_await body(method, std::move(target), std::string(), deadline);
        if (!reply)
            co_return fail(reply.error());
        co_return Result<>();
    }

    asio::any_io_executor executor;
    Endpoint endpoint;
    std::string api{kOldestApiText};
};

namespace {

Result<> checkContainer(std::string_view id)
{
    if (!isContainerName(id))
        return fail(Errc::InvalidArgument, "\"" + std::string(id) + "\" is no container id");
    return {};
}

Result<> checkImage(std::string_view reference)
{
    if (!isImageReference(reference))
        return fail(Errc::InvalidArgument, "\"" + std::string(reference) + "\" is no image name");
    return {};
}

} // namespace

Client::Client(asio::any_io_executor executor, Endpoint endpoint)
    : m_impl(std::make_unique<Impl>(std::move(executor), std::move(endpoint)))
{}

Client::~Client() = default;

const Endpoint& Client::endpoint() const
{
    return m_impl->endpoint;
}

asio::awaitable<Result<Version>> Client::negotiate(Deadline deadline)
{
    auto reply = co_await m_impl->call(verb::get, "/version", std::string(), deadline);
    if (!reply)
        co_return fail(reply.error());
    // Docker Desktop leaves something behind the socket that answers while the engine is off.
    if (http::to_status_class(reply->status) == http::status_class::server_error)
        co_return fail(withAdvice(
            Errc::EngineUnreachable,
            "Docker is not running: " + m_impl->endpoint.socketPath + ": " +
                decodeMessage(reply->body),
            Cause::Broken
        ));
    if (!isGood(reply->status))
        co_return fail(m_impl->strange(refusal(*reply)));
    auto version = decodeVersion(reply->body);
    if (!version)
        co_return fail(m_impl->strange(version.error()));
    const auto offered = parseApiVersion(version->apiVersion);
    if (!offered)
        co_return fail(m_impl->strange(Error(
            Errc::ProtocolViolation,
            "its API version is \"" + escapeForLine(version->apiVersion) + "\""
        )));
    if (*offered < kOldestApi)
        co_return fail(withAdvice(
            Errc::Unsupported,
            "Docker " + escapeForLine(version->engine) + " speaks API " + version->apiVersion +
                "; Belljar needs 1.41 or newer",
            Cause::TooOld
        ));
    m_impl->api = versionText(std::min(*offered, kNewestApi));
    version->apiVersion = m_impl->api;
    co_return std::move(version);
}

asio::awaitable<Result<Info>> Client::info(Deadline deadline)
{
    auto body = co_await m_impl->body(verb::get, m_impl->path("/info"), std::string(), deadline);
    if (!body)
        co_return fail(body.error());
    co_return decodeInfo(*body);
}

asio::awaitable<Result<>> Client::ping(Deadline deadline)
{
    return m_impl->done(verb::get, "/_ping", deadline);
}

asio::awaitable<Result<std::string>> Client::createContainer(ContainerSpec spec, Deadline deadline)
{
    if (auto checked = checkSpec(spec); !checked)
        co_return fail(checked.error());
    std::string sent = dumpJson(encodeContainer(spec));
    std::string target = m_impl->path("/containers/create");
    auto body = co_await m_impl->body(verb::post, std::move(target), std::move(sent), deadline);
    if (!body && body.error().code() == Errc::NotFound)
        co_return fail(
            Errc::ImageMissing,
            "the image " + spec.image + " is not there: " + body.error().message()
        );
    if (!body)
        co_return fail(body.error());
    auto created = decodeCreated(*body);
    if (!created)
        co_return fail(created.error());
    Result<> confirmed;
    for (const std::string& warning : created->warnings) {
        if (confirmed && !isHarmless(warning))
            confirmed = fail(Errc::Unsafe, "Docker can't keep the sandbox closed: " + warning);
    }
    if (confirmed)
        confirmed = co_await confirm(created->id, std::move(spec), deadline);
    if (confirmed)
        co_return std::move(created->id);
    auto removed = co_await remove(created->id, std::max(deadline, deadlineIn(kTidyDeadline)));
    if (!removed)
        log::docker().warn(
            "container={} left_behind=\"{}\"", created->id, log::safe(removed.error().message())
        );
    co_return fail(confirmed.error());
}

asio::awaitable<Result<>> Client::confirm(std::string id, ContainerSpec spec, Deadline deadline)
{
    std::string target = m_impl->path("/containers/" + id + "/json");
    auto body = co_await m_impl->body(verb::get, std::move(target), std::string(), deadline);
    if (!body)
        co_return fail(body.error());
    co_return confirmContainer(spec, *body);
}

asio::awaitable<Result<AttachStream>> Client::attach(std::string id, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    HttpRequest request;
    request.method = verb::post;
    request.target =
        m_impl->path("/containers/" + id + "/attach?stream=1&stdin=1&stdout=1&stderr=1");
    auto hijacked = co_await finishBy(deadline, hijack(m_impl->endpoint, std::move(request)));
    if (!hijacked && hijacked.error().code() == Errc::TimedOut)
        co_return fail(m_impl->silent("/containers/" + id + "/attach"));
    if (!hijacked)
        co_return fail(hijacked.error());
    if (!hijacked->accepted()) {
        const HttpReply reply{hijacked->status, std::move(hijacked->leftover)};
        co_return fail(refusal(reply));
    }
    co_return AttachStream(std::make_unique<AttachStream::Impl>(std::move(*hijacked)));
}

asio::awaitable<Result<>> Client::start(std::string id, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    co_return co_await m_impl->done(
        verb::post, m_impl->path("/containers/" + id + "/start"), deadline
    );
}

asio::awaitable<Result<int>> Client::wait(std::string id, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    auto body = co_await m_impl->body(
        verb::post, m_impl->path("/containers/" + id + "/wait"), {}, deadline
    );
    if (!body)
        co_return fail(body.error());
    co_return decodeWait(*body);
}

asio::awaitable<Result<>> Client::kill(std::string id, std::string signal, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    if (!isSignal(signal))
        co_return fail(Errc::InvalidArgument, "\"" + signal + "\" is no signal");
    std::string target = m_impl->path("/containers/" + id + "/kill?signal=" + queryEncoded(signal));
    co_return co_await m_impl->done(verb::post, std::move(target), deadline);
}

asio::awaitable<Result<>> Client::remove(std::string id, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    auto removed = co_await m_impl->done(
        verb::delete_, m_impl->path("/containers/" + id + "?force=1&v=1"), deadline
    );
    const bool gone = !removed && (removed.error().code() == Errc::NotFound ||
                                   removed.error().code() == Errc::Conflict);
    if (gone)
        co_return Result<>();
    co_return std::move(removed);
}

asio::awaitable<Result<ContainerDetails>> Client::inspect(std::string id, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    auto body = co_await m_impl->body(
        verb::get, m_impl->path("/containers/" + id + "/json"), std::string(), deadline
    );
    if (!body)
        co_return fail(body.error());
    co_return decodeContainer(*body);
}

asio::awaitable<Result<ContainerStats>> Client::stats(std::string id, Deadline deadline)
{
    if (auto named = checkContainer(id); !named)
        co_return fail(named.error());
    // Without one-shot the engine takes two readings, a second apart.
    auto body = co_await m_impl->body(
        verb::get,
        m_impl->path("/containers/" + id + "/stats?stream=false&one-shot=true"),
        std::string(),
        deadline
    );
    if (!body)
        co_return fail(body.error());
    co_return decodeStats(*body);
}

asio::awaitable<Result<std::vector<ContainerSummary>>>
Client::containersWithLabel(std::string label, Deadline deadline)
{
    Json filters;
    filters["label"] = Json::array({label});
    std::string target =
        m_impl->path("/containers/json?all=1&filters=" + queryEncoded(dumpJson(filters)));
    auto body = co_await m_impl->body(verb::get, std::move(target), std::string(), deadline);
    if (!body)
        co_return fail(body.error());
    co_return decodeContainers(*body);
}

asio::awaitable<Result<ImageDetails>> Client::image(std::string reference, Deadline deadline)
{
    if (auto named = checkImage(reference); !named)
        co_return fail(named.error());
    auto body = co_await m_impl->body(
        verb::get, m_impl->path("/images/" + reference + "/json"), {}, deadline
    );
    if (!body)
        co_return fail(body.error());
    co_return decodeImage(*body);
}

asio::awaitable<Result<>> Client::removeImage(std::string reference, Deadline deadline)
{
    if (auto named = checkImage(reference); !named)
        co_return fail(named.error());
    co_return co_await m_impl->done(verb::delete_, m_impl->path("/images/" + reference), deadline);
}

asio::awaitable<Result<>>
Client::tagImage(std::string source, std::string reference, Deadline deadline)
{
    if (!isImageReference(source) || !isImageReference(reference))
        co_return fail(
            Errc::InvalidArgument, "\"" + source + "\" or \"" + reference + "\" is no image name"
        );
    std::string target = m_impl->path("/images/" + source + "/tag?repo=" + queryEncoded(reference));
    co_return co_await m_impl->done(verb::post, std::move(target), deadline);
}

asio::awaitable<Result<std::string>> Client::importImage(
    std::string reference, std::vector<std::string> changes, NextBytes body, Deadline deadline
)
{
    if (auto named = checkImage(reference); !named)
        co_return fail(named.error());
    HttpRequest request;
    request.method = verb::post;
    request.contentType = "application/x-tar";
    request.target = m_impl->path("/images/create?fromSrc=-&repo=" + queryEncoded(reference));
    for (const std::string& change : changes)
        request.target += "&changes=" + queryEncoded(change);
    std::string imageId;
    const auto onLine = [&imageId](std::string line) -> Result<> {
        const auto progress = decodeProgress(line);
        if (!progress)
            return fail(progress.error());
        if (progress->error)
            return fail(Errc::EngineRefused, "Docker: " + *progress->error);
        imageId = progress->status;
        return {};
    };
    auto reply = co_await finishBy(
        deadline, exchangeLines(m_impl->endpoint, std::move(request), std::move(body), onLine)
    );
    if (!reply && reply.error().code() == Errc::TimedOut)
        co_return fail(m_impl->silent("/images/create"));
    if (!reply)
        co_return fail(reply.error());
    if (!isGood(reply->status))
        co_return fail(refusal(*reply));
    if (!isImageReference(imageId))
        co_return fail(Errc::ProtocolViolation, "Docker did not name the image that it imported");
    co_return std::move(imageId);
}

asio::awaitable<Result<>> Client::buildImage(
    std::string reference,
    std::string contextTar,
    std::map<std::string, std::string> buildArgs,
    OnLine onLine,
    Deadline deadline
)
{
    if (auto named = checkImage(reference); !named)
        co_return fail(named.error());
    Json arguments = Json::object();
    for (const auto& [name, value] : buildArgs)
        arguments[name] = value;
    HttpRequest request;
    request.method = verb::post;
    request.contentType = "application/x-tar";
    request.body = std::move(contextTar);
    request.target = m_impl->path(
        "/build?rm=1&forcerm=1&t=" + queryEncoded(reference) +
        "&buildargs=" + queryEncoded(dumpJson(arguments))
    );
    BuildLog log(std::move(onLine));
    const auto onProgress = [&log](std::string line) { return log.take(line); };
    auto reply = co_await finishBy(
        deadline, exchangeLines(m_impl->endpoint, std::move(request), NextBytes(), onProgress)
    );
    log.flush();
    if (!reply && reply.error().code() == Errc::TimedOut)
        co_return fail(m_impl->silent("/build"));
    if (!reply)
        co_return fail(reply.error());
    if (!isGood(reply->status))
        co_return fail(refusal(*reply));
    co_return Result<>();
}

asio::awaitable<Result<>> Client::events(
    std::map<std::string, std::vector<std::string>> filters,
    std::function<void(EngineEvent)> onEvent,
    Deadline deadline
)
{
    HttpRequest request;
    request.target = m_impl->path("/events?filters=" + queryEncoded(dumpJson(filterJson(filters))));
    const auto onLine = [&onEvent](std::string line) -> Result<> {
        auto event = decodeEvent(line);
        if (!event)
            return fail(event.error());
        onEvent(std::move(*event));
        return {};
    };
    auto reply = co_await finishBy(
        deadline, exchangeLines(m_impl->endpoint, std::move(request), NextBytes(), onLine)
    );
    if (!reply)
        co_return fail(reply.error());
    if (!isGood(reply->status))
        co_return fail(refusal(*reply));
    co_return fail(Errc::Closed, "Docker ended its stream of events");
}

} // namespace belljar::docker
