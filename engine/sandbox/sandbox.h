// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/docker/client.h"
#include "engine/execution/execution.h"
#include "engine/sandbox/languages.h"
#include "engine/sandbox/runner_protocol.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belljar::sandbox {

class Reaper;

/// The label that marks our containers; its value is `<uid>:<pid>:<start time>` of the engine that
/// owns them.
inline constexpr const char* kOwnerLabel = "io.belljar.engine";

inline constexpr std::uint32_t kSandboxUid = 65532; ///< no host account uses it (R-8)
inline constexpr std::uint32_t kSandboxGid = 65532;

/// What every sandbox of this engine has in common.
struct Surroundings {
    std::string owner;          ///< value of kOwnerLabel
    std::string runnerFolder;   ///< on the host
    std::string seccompProfile; ///< JSON text
    std::shared_ptr<Reaper>
        reaper; ///< shared: whoever holds a sandbox keeps the one who removes it
};

/// A container with a program's surroundings, as the policy wants it.
struct SandboxSpec {
    Language language;
    execution::Limits limits;
    execution::Container settings;
    docker::ImageDetails image;
};

/// What is run in it. The code is the very buffer that was received.
struct Program {
    std::vector<std::string> argv;
    std::map<std::string, std::string> environment;
    std::string file;
    std::shared_ptr<const std::string> code;
    std::vector<std::string> args;
    std::string standardInput;
    std::chrono::milliseconds timeout{30'000};
    std::uint64_t outputBytes = 1'000'000;
    execution::FileBudget files;
};

/// Told what the program does while it does it; on the engine thread, must not block.
struct RunSink {
    std::function<void(const std::string& codeSha256)> started;
    std::function<void(execution::OutputChunk)> output;
    std::function<void(const execution::Sample&)> sample;
};

/// The body that asked Docker for a container, byte for byte, and its SHA-256.
struct SentSettings {
    std::shared_ptr<const std::string> json;
    std::string sha256;
};

/// The container spec for `spec`: DESIGN.md section 6 and in one place.
[[nodiscard]] docker::ContainerSpec
containerSpec(const SandboxSpec& spec, const Surroundings& surroundings);

/// The value of kOwnerLabel for this process.
[[nodiscard]] std::string ownerOfThisProcess();

/// Is the engine that wrote `owner` gone? Only owners of this user are ever called dead.
[[nodiscard]] bool isDeadOwner(std::string_view owner);

/// One container that runs one program, ever.
///
/// The destructor closes the stream, upon which the runner kills everything and exits, and hands
/// the container to the Reaper.
class Sandbox {
public:
    /// Makes the container, starts it, checks what the runner says of it and, where the
    /// language has a driver, waits until the interpreter has warmed up. Errors: those of
    /// docker::Client, Unsafe, ProtocolViolation, TimedOut. Nothing is left behind on an error.
    static asio::awaitable<Result<std::unique_ptr<Sandbox>>> create(
        std::shared_ptr<docker::Client> client,
        SandboxSpec spec,
        Surroundings surroundings,
        Deadline deadline
    );

    ~Sandbox();
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;

    /// Runs `program` and returns how it ended. Called once. The engine's own timer ends it 5 s
    /// after the limit, whatever the runner does. Errors: Closed before the program started
    /// when the container had died in the pool; ProtocolViolation, EngineUnreachable, ImageMissing
    /// (no interpreter), TimedOut afterwards.
    asio::awaitable<Result<Exit>> run(Program program, RunSink sink);

    /// Makes run() end soon: the runner is told, and half a second later the stream is closed.
    void cancel();

    /// Did run() get so far that the program may have done something?
    [[nodiscard]] bool started() const { return m_decoder.started(); }

    [[nodiscard]] const std::string& containerId() const { return m_containerId; }
    [[nodiscard]] const SandboxSpec& spec() const { return m_spec; }
    [[nodiscard]] const SentSettings& sentSettings() const { return m_sent; }

private:
    Sandbox(
        asio::any_io_executor executor,
        std::shared_ptr<docker::Client> client,
        SandboxSpec spec,
        std::shared_ptr<Reaper> reaper
    );

    asio::awaitable<Result<>> bringUp(Surroundings surroundings, Deadline deadline);
    asio::awaitable<Result<>> warmUp(Deadline deadline);
    asio::awaitable<Result<RunnerEvent>> nextEvent(Deadline deadline);
    asio::awaitable<Result<>> writeQueued(Deadline deadline);
    asio::awaitable<Result<Exit>> readUntilExit(RunSink sink, Deadline deadline);
    void enqueue(std::string frames);

    std::shared_ptr<docker::Client> m_client;
    SandboxSpec m_spec;
    std::shared_ptr<Reaper> m_reaper;
    std::string m_containerId;
    SentSettings m_sent;
    docker::AttachStream m_stream;
    RunnerDecoder m_decoder;
    std::vector<RunnerEvent> m_events; ///< decoded, not yet taken; next one at m_nextEvent
    std::size_t m_nextEvent = 0;
    std::string m_lastWords; ///< the container's stderr, bounded
    std::vector<std::string> m_outgoing;
    asio::steady_timer m_outgoingReady; ///< never expires; cancelled to wake the writer
    asio::steady_timer m_cancelGrace; ///< closes the stream when the runner doesn't answer a cancel
    bool m_warm = false;
    bool m_cancelled = false;
};

} // namespace belljar::sandbox
