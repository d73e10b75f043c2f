// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/docker_session.h"

#include "engine/base/file.h"
#include "engine/settings/engine_settings.h"

namespace belljar::cli {

namespace {

constexpr auto kAnswerDeadline = std::chrono::seconds(5);

} // namespace

Result<DockerSession> DockerSession::open(const EngineOptions& options)
{
    std::string configured = options.dockerHost;
    if (configured.empty()) {
        // A file that the engine couldn't read either says nothing here.
        const auto text = readFile(options.paths.settingsFile());
        if (const auto settings = parseEngineSettings(text.value_or("{}")))
            configured = settings->dockerHost;
    }
    auto endpoints = docker::findEndpoints(configured);
    if (!endpoints)
        return fail(endpoints.error());
    DockerSession session;
    session.m_context = std::make_unique<asio::io_context>(1);
    std::string tried;
    for (const docker::Endpoint& endpoint : *endpoints) {
        session.m_client =
            std::make_shared<docker::Client>(session.m_context->get_executor(), endpoint);
        auto version = session.run(session.m_client->negotiate(deadlineIn(kAnswerDeadline)));
        if (version) {
            session.m_version = std::move(*version);
            return session;
        }
        tried += "\n  " + endpoint.socketPath + " (" + endpoint.origin +
                 "): " + version.error().message();
    }
    return fail(Errc::EngineUnreachable, "no container engine answers; tried" + tried);
}

} // namespace belljar::cli
