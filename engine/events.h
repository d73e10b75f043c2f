// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What the engine tells and what it can be told: value types only, so they may cross threads.
namespace belljar {

/// The container engine, as seen from here.
enum class DockerState : std::uint8_t {
    Connecting, ///< not known yet
    Ready,
    Unreachable, ///< nothing answers; DockerStatus::message and ::advice say what and what to do
};

struct DockerStatus {
    DockerState state = DockerState::Connecting;
    std::string endpoint; ///< "/var/run/docker.sock"
    std::string version;  ///< "20.10.24", when Ready
    std::string message;  ///< "Docker is not running: ...", when Unreachable
    std::string advice;   ///< what a person can do about it
    friend bool operator==(const DockerStatus&, const DockerStatus&) = default;
};

/// One sandbox image that a language needs.
struct ImageStatus {
    std::string language; ///< "python"
    std::string title;    ///< "Python"
    std::string reference;
    bool present = false;
    std::string digest;
    std::uint64_t bytes = 0;
    execution::UnixMs createdAt = 0;
    friend bool operator==(const ImageStatus&, const ImageStatus&) = default;
};

/// An execution was received or changed. Always the whole record.
struct ExecutionChanged {
    execution::Record record;
};
/// Output arrived. Already durable order: chunks of one execution come in the order the program
/// wrote them, as far as two pipes can tell.
struct OutputAppended {
    ExecutionId id;
    std::vector<execution::OutputChunk> chunks;
};
struct SamplesTaken {
    ExecutionId id;
    std::vector<execution::Sample> samples;
};
struct ClientConnected {
    execution::Client client;
};
/// The handshake told more about a client that is connected already.
struct ClientChanged {
    execution::Client client;
};
struct ClientDisconnected {
    ClientId id;
};
struct DockerChanged {
    DockerStatus status;
};
struct ImagesChanged {
    std::vector<ImageStatus> images;
};
/// One line of an image build.
struct ImageBuildProgress {
    std::string language;
    std::string line;
};
struct ImageBuildEnded {
    std::string language;
    std::optional<Error> error;
};
/// Answers SubmitProgram: the execution has been received under this id, or why it wasn't.
struct ProgramSubmitted {
    std::uint64_t token = 0;
    Result<ExecutionId> result;
};
/// The engine ended by itself (the lock is held, the database can't be opened, ...).
struct EngineFailed {
    Error error;
};

using Event = std::variant<
    ExecutionChanged,
    OutputAppended,
    SamplesTaken,
    ClientConnected,
    ClientChanged,
    ClientDisconnected,
    DockerChanged,
    ImagesChanged,
    ImageBuildProgress,
    ImageBuildEnded,
    ProgramSubmitted,
    EngineFailed>;

/// Runs a program on behalf of the person at the window.
struct SubmitProgram {
    std::uint64_t token = 0; ///< comes back in ProgramSubmitted
    std::string language;
    std::string code;
    std::vector<std::string> args;
    std::string standardInput;
    execution::Limits limits;
};
struct CancelExecution {
    ExecutionId id;
    std::string reason; ///< "stopped by the person"
};
struct BuildImage {
    std::string language;
};
/// Looks for Docker again now instead of at the next attempt.
struct RetryDocker {};
/// Sends everything that is true now again: clients, Docker, images, executions in flight.
struct SendSnapshot {};

using Command = std::variant<SubmitProgram, CancelExecution, BuildImage, RetryDocker, SendSnapshot>;

} // namespace belljar
