// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/ids.h"
#include "engine/base/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The values of one run of one program: what was asked, what happened, what is known of it.
namespace belljar::execution {

using std::chrono::milliseconds;

/// Milliseconds since 1970-01-01 UTC.
using UnixMs = std::int64_t;

[[nodiscard]] UnixMs unixNow();

/// Where an execution is on its way (DESIGN.md section 5). Names, finality: statusTraits().
enum class Status : std::uint8_t {
    Received,
    Analysing,
    AwaitingApproval,
    Queued,
    Running,
    Succeeded,
    Failed, ///< the program ended with an exit code other than 0, or by a signal
    TimedOut,
    OutOfMemory, ///< the kernel killed the program for its memory limit
    OutputLimit, ///< ended for its output, where the policy says kill
    Rejected,
    Cancelled,
    Interrupted, ///< the engine died meanwhile
    Error,       ///< Belljar could not do what was asked; Record::error says why
};

struct StatusTraits {
    Status status;
    std::string_view name;  ///< on the wire and in the database: "timed_out"
    std::string_view label; ///< for people, in English: "Timed out"
    bool final;             ///< nothing more will happen
};

[[nodiscard]] const StatusTraits& statusTraits(Status status);
[[nodiscard]] std::optional<Status> statusFromName(std::string_view name);
[[nodiscard]] inline bool isFinal(Status status)
{
    return statusTraits(status).final;
}

enum class Stream : std::uint8_t { Stdout, Stderr };

/// What a policy says of a request.
enum class Verdict : std::uint8_t { Allow, Ask, Deny };

/// Who or what settled whether an execution runs.
enum class DecidedBy : std::uint8_t {
    Nobody, ///< not decided yet
    Policy,
    Remembered, ///< an earlier answer of the person
    Person,     ///< at the window
    Client,     ///< the client's person, through MCP elicitation
    Timeout,    ///< nobody answered
    Engine,     ///< it ended, or something it needs failed
};

/// Names on the wire and in the database: "allow", "person".
[[nodiscard]] std::string_view nameOf(Verdict verdict);
[[nodiscard]] std::optional<Verdict> verdictFromName(std::string_view name);
[[nodiscard]] std::string_view nameOf(DecidedBy decidedBy);
[[nodiscard]] std::optional<DecidedBy> decidedByFromName(std::string_view name);

/// What bounds one run. The defaults are those of DESIGN.md section 6.
struct Limits {
    milliseconds timeout{30'000};
    std::uint64_t memoryBytes = 512ULL * 1024 * 1024;
    std::uint32_t cpuMillis = 500; ///< thousandths of one core
    std::uint32_t pids = 50;
    std::uint64_t outputBytes = 1'000'000; ///< kept of each of stdout and stderr, head and tail
    std::uint64_t workspaceBytes = 64ULL * 1024 * 1024;
    std::uint64_t tmpBytes = 64ULL * 1024 * 1024;

    friend bool operator==(const Limits&, const Limits&) = default;
};

/// Which system calls the code may make.
enum class Seccomp : std::uint8_t {
    Belljar, ///< resources/sandbox/seccomp.json
    Engine,  ///< the container engine's own profile, which differs by its version (R-3)
};

/// "belljar", "engine".
[[nodiscard]] std::string_view nameOf(Seccomp seccomp);
[[nodiscard]] std::optional<Seccomp> seccompFromName(std::string_view name);

/// How the container is locked down. The defaults are the strongest; anything else is `weakened`
///
struct Container {
    bool readOnlyRoot = true;
    Seccomp seccomp = Seccomp::Belljar;
    std::string runtime; ///< "runsc"; empty: the engine's default

    friend bool operator==(const Container&, const Container&) = default;
};

/// The limits that a request names; what is absent is the policy's to say.
struct Asked {
    std::optional<milliseconds> timeout;
    std::optional<std::uint64_t> memoryBytes;

    friend bool operator==(const Asked&, const Asked&) = default;
};

/// Who asked. `name`, `title` and `version` are labels that the client chose, not identity.
struct Client {
    ClientId id;
    std::string name;
    std::string title;
    std::string version;
    std::string transport; ///< "socket", later "http"; "desktop" for a run started in the window
    std::string protocolRevision; ///< "2025-11-25"; empty before the handshake
    std::int64_t pid = 0;         ///< of the client process that started the bridge, 0 when unknown
    std::string executable;       ///< of that process, empty when unknown
    UnixMs connectedAt = 0;

    friend bool operator==(const Client&, const Client&) = default;
};

/// A program to run. Immutable once made: the code that was decided on is the code that runs
///
struct Request {
    ExecutionId id;
    Client client;
    std::string language; ///< an id of resources/languages
    std::shared_ptr<const std::string> code;
    std::string codeSha256;
    std::vector<std::string> args;
    std::string standardInput;
    Asked asked;
};

/// One reading of the sandbox, 10 a second. Times are since the start of the program.
struct Sample {
    milliseconds at{0};
    double cpuPercent = 0; ///< of one core, since the sample before
    std::uint64_t memoryBytes = 0;
    std::uint32_t processes = 0; ///< of the code, without PID 1
    std::uint64_t readBytes = 0;
    std::uint64_t writtenBytes = 0;
    std::optional<std::uint64_t> outputBytes; ///< of both streams, kept or not; absent in old rows

    friend bool operator==(const Sample&, const Sample&) = default;
};

/// A piece of output as it was kept. `offset` counts the bytes of its stream from the start of the
/// program, so a gap between two pieces is what was dropped. `bytes` are the program's own, not yet
/// text.
struct OutputChunk {
    Stream stream = Stream::Stdout;
    std::uint64_t offset = 0;
    std::string bytes;

    friend bool operator==(const OutputChunk&, const OutputChunk&) = default;
};

/// How much one stream carried.
struct StreamTotals {
    std::uint64_t totalBytes = 0;   ///< written by the program
    std::uint64_t totalLines = 0;   ///< newlines among them
    std::uint64_t keptBytes = 0;    ///< kept of them, head and tail
    std::uint64_t invalidBytes = 0; ///< of the kept ones, not text

    friend bool operator==(const StreamTotals&, const StreamTotals&) = default;
};

/// Everything known about one execution except code, output and samples; a row of the history.
struct Record {
    ExecutionId id;
    std::int64_t sequence = 0; ///< rises with every execution received; the key for paging
    Client client;
    std::string language;
    std::string codeSha256;
    std::uint64_t codeBytes = 0;
    std::string firstLine; ///< first line of the code that isn't blank, at most 200 bytes
    std::vector<std::string> args;

    Status status = Status::Received;
    Limits limits;
    Container container;

    std::string policy; ///< the one that decided; empty before
    std::int64_t policyVersion = 0;
    std::optional<Verdict> verdict; ///< of the policy: Ask also when the person has allowed it
    DecidedBy decidedBy = DecidedBy::Nobody;
    std::vector<std::string> reasons; ///< the rules that led to it, in words
    std::string decidingRule;         ///< name of the first of them
    std::string remembered;           ///< id of the remembered decision that was used, or empty
    std::string comment;              ///< what the person said to the client
    std::string ranSha256;      ///< of the code that ran when it was edited before; else empty
    std::uint32_t findings = 0; ///< how many
    std::string worstFinding;   ///< name of the highest severity; empty: none
    std::string image;          ///< reference, "belljar/python"
    std::string imageDigest;    ///< "sha256:...", empty until the sandbox is known
    std::string containerId;    ///< empty until the sandbox is known
    /// Of the container's settings as they were sent to Docker (HistoryReader::containerSettings);
    /// empty: no container yet, or one of a time when they weren't kept.
    std::string settingsSha256;

    // The steps. What is absent hasn't happened, or of an older row isn't known.
    UnixMs receivedAt = 0;
    std::optional<UnixMs> analysedAt;    ///< the policy has what analysis found
    std::optional<UnixMs> decidedAt;     ///< `decidedBy` has settled it
    std::optional<UnixMs> queuedAt;      ///< waits for its turn and a sandbox
    std::optional<UnixMs> startedAt;     ///< the code's first moment
    std::optional<UnixMs> firstOutputAt; ///< its first byte arrived here
    std::optional<UnixMs> endedAt;       ///< the final status
    milliseconds queueTime{0};
    milliseconds approvalTime{0};
    milliseconds executionTime{0}; ///< in the sandbox alone
    milliseconds cpuTime{0};
    std::uint64_t memoryPeakBytes = 0;

    std::optional<int> exitCode; ///< 128 + signal when a signal ended the program
    std::optional<int> signal;
    bool timedOut = false;
    bool oomKilled = false;       ///< the limit was hit and at least one process was killed for it
    bool outputTruncated = false; ///< bytes were dropped from what is kept
    std::uint32_t leftProcesses = 0; ///< still there when the program ended, and ended then
    StreamTotals standardOutput;
    StreamTotals standardError;
    std::vector<std::string> notes; ///< sentences for the client and the person
    std::string error;              ///< why the status is Error, Interrupted, Cancelled or Rejected

    friend bool operator==(const Record&, const Record&) = default;
};

/// What a person attaches to an execution of the history. Apart from its Record, which is the
/// engine's alone.
struct Marks {
    bool pinned = false;
    std::string note;              ///< at most kMaxNoteBytes
    std::vector<std::string> tags; ///< sorted, each once; at most kMaxTags of kMaxTagBytes

    static constexpr std::size_t kMaxNoteBytes = 4096;
    static constexpr std::size_t kMaxTags = 32;
    static constexpr std::size_t kMaxTagBytes = 64;

    friend bool operator==(const Marks&, const Marks&) = default;
};

/// The first line of `code` that isn't blank, made safe for one line of a table, at most 200 bytes.
[[nodiscard]] std::string firstLineOf(std::string_view code);

/// Makes the record of a request that has just been received.
[[nodiscard]] Record receivedRecord(const Request& request);

} // namespace belljar::execution
