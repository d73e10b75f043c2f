// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/result.h"
#include "engine/docker/container_spec.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The Docker Engine API (>= 1.41) over a Unix socket.
namespace belljar::docker {

/// Where an engine may be, and how we came to look there ("DOCKER_HOST", "well-known place", ...).
struct Endpoint {
    std::string socketPath;
    std::string origin;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// The places to look, in the order of DESIGN.md section 6: `configured` (a unix:// address, may be
/// empty), DOCKER_HOST, the current docker context, /var/run/docker.sock, rootless, Docker Desktop,
/// Colima, Podman. Errors: InvalidArgument for an address that isn't unix:// (named in the
/// message).
Result<std::vector<Endpoint>> findEndpoints(std::string_view configured);

/// A failure for a person: what is wrong, and what can be done about it (empty where nothing is
/// known).
struct Trouble {
    std::string message;
    std::string advice;
    friend bool operator==(const Trouble&, const Trouble&) = default;
};

/// Takes the advice off the message of an error of this library: "Docker is not running:
/// /var/run/docker.sock: Connection refused" and what to do. Any other error is all message.
[[nodiscard]] Trouble troubleOf(const Error& error);

struct Version {
    std::string engine;     ///< "20.10.24"
    std::string apiVersion; ///< the one in use after negotiation, "1.41"
    std::string kernel;
    std::string architecture; ///< "amd64"
};

struct Info {
    std::string cgroupVersion; ///< "1" or "2"
    bool memoryLimit = false;
    bool pidsLimit = false;
    bool seccomp = false;
    bool rootless = false;
    std::vector<std::string> runtimes;
    std::vector<std::string> warnings;
};

/// The parts of `GET /containers/{id}/json` that anyone here reads, and the whole reply for the
/// tests.
struct ContainerDetails {
    std::string id;
    std::string name;
    std::string status; ///< "running", "exited", ...
    bool running = false;
    bool oomKilled = false;
    int exitCode = 0;
    std::string imageDigest;
    std::map<std::string, std::string> labels;
    std::string json;
};

struct ContainerSummary {
    std::string id;
    std::string image;
    std::string state;
    std::map<std::string, std::string> labels;
    std::int64_t createdUnix = 0;
};

/// What a container takes, as one reading of `GET /containers/{id}/stats` has it. A member is
/// absent where the engine doesn't say it, as for a container that has ended.
struct ContainerStats {
    std::string name;                         ///< that the engine gave it, without the slash
    std::optional<std::uint64_t> cpuNanos;    ///< processor time since its start, of all cores
    std::optional<std::uint64_t> memoryBytes; ///< without file pages that can go at any time
};

struct ImageDetails {
    std::string digest; ///< the image id, "sha256:..."
    std::uint64_t bytes = 0;
    std::string created; ///< RFC 3339
    std::map<std::string, std::string> labels;
    std::vector<std::string> environmentNames; ///< of Config.Env, to be made without them (R-14)
    std::vector<std::string> volumes;          ///< of Config.Volumes, likewise (R-15)
};

/// One entry of `GET /events`.
struct EngineEvent {
    std::string type;   ///< "container", "image"
    std::string action; ///< "die", "oom", "destroy", ...
    std::string actorId;
    std::map<std::string, std::string> attributes;
};

enum class OutputStream : std::uint8_t { Stdout, Stderr };

struct AttachChunk {
    OutputStream stream = OutputStream::Stdout;
    std::string bytes;
};

/// The hijacked connection of `POST /containers/{id}/attach`: the container's stdin, stdout and
/// stderr. Closing it closes the container's stdin (StdinOnce). The destructor closes.
class AttachStream {
public:
    class Impl;
    explicit AttachStream(std::unique_ptr<Impl> impl);
    AttachStream();
    AttachStream(AttachStream&&) noexcept;
    AttachStream& operator=(AttachStream&&) noexcept;
    ~AttachStream();

    /// The next piece of output, demultiplexed; pieces are at most 64 KiB. Reads no further than it
    /// must, so not calling it holds the container back. One read at a time. Nothing is lost by
    /// cancelling or by TimedOut. Errors: Closed at the end, ProtocolViolation, TimedOut.
    asio::awaitable<Result<AttachChunk>> read(Deadline deadline);
    /// Sends all of `bytes` to stdin, beside a read() that waits. One write at a time. Errors:
    /// Closed, TimedOut (a part may have been sent).
    asio::awaitable<Result<>> write(std::string bytes, Deadline deadline);
    /// Ends the connection at once.
    void close();

private:
    std::unique_ptr<Impl> m_impl;
};

/// A conversation with one engine. Every call opens a connection of its own and has a deadline;
/// calls may overlap.
///
/// Errors of every call: EngineUnreachable (absent, refuses, gone; message "Docker is not running:
/// ..." with what to do), TimedOut, EngineRefused (Docker's own message), NotFound (404), Conflict
/// (409), ProtocolViolation (a reply that is no HTTP or JSON, or over the bounds of R-38).
class Client {
public:
    Client(asio::any_io_executor executor, Endpoint endpoint);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    [[nodiscard]] const Endpoint& endpoint() const;

    /// Asks for the version and settles on the API version that the other calls use.
    /// Errors also: Unsupported for an engine older than API 1.41.
    asio::awaitable<Result<Version>> negotiate(Deadline deadline);
    asio::awaitable<Result<Info>> info(Deadline deadline);
    asio::awaitable<Result<>> ping(Deadline deadline);

    /// The new container's id. Once it is made, the engine's own account of it is compared with
    /// `spec`; a container that lacks a limit or a protection is removed again.
    /// Errors also: InvalidArgument for a spec that the encoder won't write (it names the member),
    /// ImageMissing when the image isn't there, Unsafe when the engine ignored a part.
    /// A call that ends early (TimedOut, cancelled) may leave a container that never started.
    asio::awaitable<Result<std::string>> createContainer(ContainerSpec spec, Deadline deadline);
    asio::awaitable<Result<AttachStream>> attach(std::string id, Deadline deadline);
    asio::awaitable<Result<>> start(std::string id, Deadline deadline);
    /// The exit code, once the container has ended. For one that was started: the engine takes one
    /// that was only created for ended.
    asio::awaitable<Result<int>> wait(std::string id, Deadline deadline);
    asio::awaitable<Result<>> kill(std::string id, std::string signal, Deadline deadline);
    /// Removes by force, with its volumes. A container that is gone or going already is a success.
    asio::awaitable<Result<>> remove(std::string id, Deadline deadline);
    asio::awaitable<Result<ContainerDetails>> inspect(std::string id, Deadline deadline);
    /// One reading, at once.
    asio::awaitable<Result<ContainerStats>> stats(std::string id, Deadline deadline);
    /// All containers, also ended ones, that carry the label `key` or `key=value`.
    asio::awaitable<Result<std::vector<ContainerSummary>>>
    containersWithLabel(std::string label, Deadline deadline);

    /// Errors also: NotFound.
    asio::awaitable<Result<ImageDetails>> image(std::string reference, Deadline deadline);
    asio::awaitable<Result<>> removeImage(std::string reference, Deadline deadline);
    asio::awaitable<Result<>>
    tagImage(std::string source, std::string reference, Deadline deadline);

    using NextBytes =
        std::function<asio::awaitable<Result<std::string>>()>; ///< empty text ends the body
    using OnLine = std::function<void(std::string)>;           ///< one line of progress, plain text

    /// `docker import`: makes `reference` from a root file system tar that `body` yields, applying
    /// the Dockerfile instructions of `changes`. Returns the image id.
    asio::awaitable<Result<std::string>> importImage(
        std::string reference, std::vector<std::string> changes, NextBytes body, Deadline deadline
    );
    /// `docker build` (the classic builder) of a tar context; `onLine` gets each line of the log.
    /// Errors also: EngineRefused with the step's message.
    asio::awaitable<Result<>> buildImage(
        std::string reference,
        std::string contextTar,
        std::map<std::string, std::string> buildArgs,
        OnLine onLine,
        Deadline deadline
    );

    /// Calls `onEvent` for each event with the filters of the API until the connection ends
    /// (Closed), cancelled, or `deadline`.
    asio::awaitable<Result<>> events(
        std::map<std::string, std::vector<std::string>> filters,
        std::function<void(EngineEvent)> onEvent,
        Deadline deadline
    );

private:
    /// Compares what the engine made of `spec` with it, and removes what isn't the same.
    asio::awaitable<Result<>> confirm(std::string id, ContainerSpec spec, Deadline deadline);

    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::docker
