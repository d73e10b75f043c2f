// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/docker/client.h"
#include "engine/engine.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace belljar::cli {

/// The first container engine that answers, and a context to talk with it from a blocking command.
class DockerSession {
public:
    /// Errors: InvalidArgument for a bad address, EngineUnreachable with every place that was
    /// tried.
    static Result<DockerSession> open(const EngineOptions& options);

    [[nodiscard]] docker::Client& client() { return *m_client; }
    [[nodiscard]] std::shared_ptr<docker::Client> sharedClient() { return m_client; }
    [[nodiscard]] asio::io_context& context() { return *m_context; }
    [[nodiscard]] const docker::Version& version() const { return m_version; }

    /// Runs `operation` to its end; rethrows what leaves it.
    template <class T>
    T run(asio::awaitable<T> operation)
    {
        std::optional<T> value;
        std::exception_ptr thrown;
        asio::co_spawn(*m_context, std::move(operation), [&](std::exception_ptr error, T result) {
            thrown = error;
            if (!error)
                value.emplace(std::move(result));
            m_context->stop();
        });
        m_context->restart();
        m_context->run();
        if (thrown)
            std::rethrow_exception(thrown);
        return std::move(*value);
    }

private:
    // On the heap: the client refers to the context, and a session may be moved.
    std::unique_ptr<asio::io_context> m_context;
    std::shared_ptr<docker::Client> m_client;
    docker::Version m_version;
};

} // namespace belljar::cli
