// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/client.h"

#include "engine/docker/attach_stream.h"
#include "engine/docker/codec.h"
#include "engine/docker/connection.h"

#include <algorithm>
#include <utility>

namespace belljar::docker {

namespace {

namespace http = boost::beast::http;
using http::status;
using http::verb;

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
            co_return fail(Errc::TimedOut, "Docker did not answer in time: " + target);
        co_return std::move(reply);
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
    auto body = co_await m_impl->body(verb::get, "/version", std::string(), deadline);
    if (!body)
        co_return fail(body.error());
    auto version = decodeVersion(*body);
    if (!version)
        co_return fail(version.error());
    const auto offered = parseApiVersion(version->apiVersion);
    if (!offered)
        co_return fail(
            Errc::ProtocolViolation, "Docker's API version \"" + version->apiVersion + "\" is none"
        );
    if (*offered < kOldestApi)
        co_return fail(
            Errc::Unsupported,
            "Docker " + version->engine + " speaks API " + version->apiVersion +
                "; Belljar needs 1.41 or newer (Docker 20.10)"
        );
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
    if (auto named = checkImage(spec.image); !named)
        co_return fail(named.error());
    std::string sent = dumpJson(encodeContainer(spec));
    auto body = co_await m_impl->body(
        verb::post, m_impl->path("/containers/create"), std::move(sent), deadline
    );
    if (!body && body.error().code() == Errc::NotFound)
        co_return fail(
            Errc::ImageMissing,
            "the image " + spec.image + " is not there: " + body.error().message()
        );
    if (!body)
        co_return fail(body.error());
    co_return decodeCreated(*body);
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
    if (!hijacked)
        co_return fail(hijacked.error());
    if (hijacked->status != status::switching_protocols && hijacked->status != status::ok) {
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
        imageId = progress->text;
        return {};
    };
    auto reply = co_await finishBy(
        deadline, exchangeLines(m_impl->endpoint, std::move(request), std::move(body), onLine)
    );
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
    std::string partial;
    const auto onProgress = [&partial, &onLine](std::string line) -> Result<> {
        const auto progress = decodeProgress(line);
        if (!progress)
            return fail(progress.error());
        if (progress->error)
            return fail(Errc::EngineRefused, "Docker: " + *progress->error);
        partial += progress->text;
        for (std::size_t end = 0; (end = partial.find('\n')) != std::string::npos;
             partial.erase(0, end + 1)) {
            if (onLine && end > 0)
                onLine(partial.substr(0, end));
        }
        return {};
    };
    auto reply = co_await finishBy(
        deadline, exchangeLines(m_impl->endpoint, std::move(request), NextBytes(), onProgress)
    );
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
