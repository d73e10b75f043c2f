// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http_service.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/http/token.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>

#include <array>
#include <cerrno>
#include <utility>

#include <sys/inotify.h>

namespace belljar {

HttpService::HttpService(
    asio::any_io_executor executor,
    HttpOptions options,
    std::filesystem::path tokenFile,
    const mcp::Offer& offer,
    mcp::ClientEvents events
)
    : m_executor(executor)
    , m_options(std::move(options))
    , m_tokenFile(std::move(tokenFile))
    , m_mcp(executor, offer, std::move(events), {})
    , m_changes(executor)
    , m_tasks(executor, "http token")
{}

void HttpService::start()
{
    if (!m_options.on)
        return;
    const auto begun = begin();
    if (begun)
        log::engine().info("http=ready url={}", log::safe(*begun));
    else
        log::engine().error("http=off reason=\"{}\"", log::safe(begun.error().message()));
    if (m_options.told)
        m_options.told(begun);
}

Result<std::string> HttpService::begin()
{
    auto token = http::readOrMakeToken(m_tokenFile);
    if (!token)
        return fail(token.error());
    m_token = *token;
    std::vector<std::string> hosts = m_options.names;
    const bool isV6 = m_options.address.find(':') != std::string::npos;
    hosts.push_back(isV6 ? "[" + m_options.address + "]" : m_options.address);
    http::Access access(mcp::StreamableHttp::places(), std::move(hosts), {});
    access.setToken(m_token);
    http::ServerOptions options;
    options.address = m_options.address;
    options.port = m_options.port;
    options.certificateFile = m_options.certificateFile;
    options.keyFile = m_options.keyFile;
    auto server = std::make_unique<http::Server>(
        m_executor,
        std::move(options),
        std::move(access),
        [this](const std::shared_ptr<http::Exchange>& exchange, http::Request request) {
            m_mcp.handle(exchange, std::move(request));
        }
    );
    if (auto watched = watchToken(); !watched)
        return fail(watched.error());
    if (auto listening = server->listen(!m_token.empty()); !listening)
        return fail(listening.error());
    m_server = std::move(server);
    m_tasks.spawn("changes", readChanges());
    return m_server->url("/mcp");
}

Result<> HttpService::watchToken()
{
    UniqueFd fd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (!fd.valid())
        return fail(Errc::IoFailed, "inotify: " + describeErrno(errno));
    constexpr std::uint32_t kMask =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB | IN_ONLYDIR;
    const std::filesystem::path folder = m_tokenFile.parent_path();
    if (::inotify_add_watch(fd.get(), folder.c_str(), kMask) < 0)
        return fail(Errc::IoFailed, folder.string() + ": " + describeErrno(errno));
    m_changes.assign(fd.release());
    return {};
}

asio::awaitable<void> HttpService::readChanges()
{
    alignas(inotify_event) std::array<char, 4096> buffer{};
    for (;;) {
        const auto [error, count] = co_await m_changes.async_read_some(
            asio::buffer(buffer), asio::as_tuple(asio::use_awaitable)
        );
        if (error)
            co_return;
        takeToken(); // whichever file it was: the folder has few, and reading this one is cheap
    }
}

/// A token that can't be read any more lets nobody in: it was taken away, or others may know it.
void HttpService::takeToken()
{
    auto token = http::readToken(m_tokenFile);
    if (!token && !m_token.empty())
        log::engine().warn("http_token=none reason=\"{}\"", log::safe(token.error().message()));
    std::string now = token.value_or("");
    if (now == m_token)
        return;
    m_token = std::move(now);
    log::engine().info("http_token=changed");
    m_server->setToken(m_token);
    m_mcp.endAll();
}

asio::awaitable<void> HttpService::close(Deadline deadline)
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
    co_await m_mcp.close();
    if (m_server)
        co_await m_server->close(deadline);
}

} // namespace belljar
