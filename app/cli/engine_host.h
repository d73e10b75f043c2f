// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/paths.h"
#include "engine/base/result.h"
#include "engine/engine.h"

#include <memory>
#include <thread>

namespace belljar::cli {

/// An engine on a thread of its own, for subcommands that need one where none runs yet.
class EngineHost {
public:
    /// Starts the engine and returns once it accepts connections.
    /// Errors: those of Engine::run(); Busy when another engine was faster.
    static Result<std::unique_ptr<EngineHost>> start(EngineOptions options);

    /// Stops the engine and waits for its end.
    ~EngineHost();

    EngineHost(const EngineHost&) = delete;
    EngineHost& operator=(const EngineHost&) = delete;

private:
    EngineHost() = default;

    std::unique_ptr<Engine> m_engine;
    std::thread m_thread;
};

} // namespace belljar::cli
