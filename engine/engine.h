// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/paths.h"
#include "engine/events.h"
#include "engine/store/history_reader.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace belljar {

/// MCP over HTTP.
struct HttpOptions {
    bool on = false;
    std::string address = "127.0.0.1";
    std::uint16_t port = 7707;
    std::vector<std::string> names; ///< by which others reach it, besides the address
    std::string certificateFile;    ///< PEM; needed where other machines can reach the address
    std::string keyFile;            ///< PEM
    /// Called once on the engine thread where it is on: the URL, or why it isn't served. The engine
    /// goes on either way.
    std::function<void(const Result<std::string>& url)> told;
};

struct EngineOptions {
    Paths paths;
    std::string dockerHost; ///< unix:///..., empty: as is set, or found by itself
    bool acceptPolicy =
        false; ///< policies changed on disk take effect without a person, also looser ones
    HttpOptions http;
};

/// The whole engine: MCP socket, pipeline, sandboxes, history. One object, one thread.
///
/// run() is called once, on the thread that becomes the engine thread, and returns when the engine
/// has ended. submit() and stop() may be called from any thread. Events come on the engine thread;
/// the sink must not block.
class Engine {
public:
    using EventSink = std::function<void(Event)>;

    Engine(EngineOptions options, EventSink sink);
    ~Engine();

    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Serves until stop(). Errors: Busy when another engine of this user runs (the message names
    /// its pid), Unsafe, IoFailed, StoreFailed. The socket accepts connections once `ready` has
    /// been called.
    Result<> run(const std::function<void()>& ready);

    /// Asks the engine to end: running executions become cancelled, containers are removed. Any
    /// thread.
    void stop();

    /// Hands a command over. Any thread; never waits. Answers come as events.
    void submit(Command command);

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar
