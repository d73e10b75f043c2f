// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/execution/execution.h"
#include "engine/execution/files.h"
#include "engine/runner/frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The engine's side of the runner protocol (engine/base/adr/0002-runner-protocol.md), without I/O.
namespace belljar::sandbox {

/// What the runner finds itself in.
struct Hello {
    std::int64_t pid = 0;
    std::int64_t uid = 0;
    std::int64_t gid = 0;
    std::vector<std::int64_t> groups;
    std::vector<std::string> capabilities; ///< Inh Prm Eff Bnd Amb, hex
    std::int64_t noNewPrivileges = 0;
    std::int64_t seccomp = 0;
    bool workspaceWritable = false;
    bool tmpWritable = false;
    std::int64_t cgroup = 0;
};

struct Prepared {};

struct Started {
    std::string codeSha256;
};

/// How the program ended, as PID 1 saw it.
struct Exit {
    std::optional<int> exitCode;
    std::optional<int> signal;
    bool timedOut = false;
    bool cancelled = false;
    std::uint64_t oomKills = 0;
    std::chrono::microseconds wall{0};
    std::chrono::microseconds cpu{0};
    std::uint64_t memoryPeakBytes = 0;
    std::uint32_t leftProcesses = 0;
    execution::StreamTotals standardOutput;
    execution::StreamTotals standardError;
    execution::RunFiles files; ///< with their bytes
};

struct Fault {
    std::string message; ///< of the runner, so not to be trusted with anything but being shown
};

using RunnerEvent =
    std::variant<Hello, Prepared, Started, execution::OutputChunk, execution::Sample, Exit, Fault>;

/// What one program may send of each stream before the runner is broken or taken over.
struct OutputBudget {
    std::uint64_t headBytes = 700'000;
    std::uint64_t tailBytes = 300'000;
};

/// Splits the two thirds that are kept of `outputBytes` into head and tail: 70 % and 30 %.
[[nodiscard]] OutputBudget budgetFor(std::uint64_t outputBytes);

/// Turns the runner's bytes into events. Every byte is hostile: type, channel, length, order and
/// ranges are checked before anything is kept. After an error the decoder stays
/// broken.
class RunnerDecoder {
public:
    /// Sets what the program may send; before its first output.
    void setBudget(OutputBudget budget, execution::FileBudget files = {})
    {
        m_budget = budget;
        m_fileBudget = files;
    }

    /// The events that `bytes` complete. Errors: ProtocolViolation, with the offending bytes as hex
    ///
    Result<std::vector<RunnerEvent>> feed(std::string_view bytes);

    /// Has the runner said hello, and has the program started?
    [[nodiscard]] bool started() const { return m_phase >= Phase::Running; }

private:
    enum class Phase : std::uint8_t { Silent, Ready, Prepared, Running, Ended };

    struct StreamState {
        std::uint64_t nextOffset = 0;
        std::uint64_t kept = 0;
    };

    /// Nothing for a frame that only adds to what a later event carries.
    Result<std::optional<RunnerEvent>>
    decode(const runner::FrameHeader& header, std::string_view payload);
    Result<RunnerEvent> decodeControl(std::string_view payload);
    Result<RunnerEvent> decodeOutput(const runner::FrameHeader& header, std::string_view payload);
    Result<RunnerEvent> decodeSample(std::string_view payload);
    Result<> takeFile(std::string_view payload);
    Result<> takeFileBytes(const runner::FrameHeader& header, std::string_view payload);
    Result<> takeFileTotals(const Json& exit, JsonReader& reader, std::string_view payload);
    Result<> enter(Phase next, std::string_view what);

    std::string m_buffer;
    OutputBudget m_budget;
    Phase m_phase = Phase::Silent;
    bool m_broken = false;
    StreamState m_stdout;
    StreamState m_stderr;
    std::optional<execution::Sample> m_lastSample;
    std::uint64_t m_lastCpuUs = 0;

    execution::FileBudget m_fileBudget;
    execution::RunFiles m_files;    ///< all but the last one are complete
    std::string m_fileBytes;        ///< of the last one
    std::uint64_t m_filesBytes = 0; ///< announced of all
    std::uint64_t m_filesNamed = 0; ///< of those left out
    std::uint64_t m_filesShort = 0; ///< ended before what was announced
    bool m_fileOpen = false;
};

/// A control frame around `message`.
[[nodiscard]] std::string encodeControl(const Json& message);

/// Data frames for the whole of `bytes`, the last one with End; one empty frame when there are
/// none.
[[nodiscard]] std::string encodeData(runner::Channel channel, std::string_view bytes);

/// What R-9 finds wrong with the sandbox that said `hello`; empty when it is as it must be.
[[nodiscard]] std::vector<std::string>
weaknesses(const Hello& hello, std::uint32_t uid, std::uint32_t gid);

} // namespace belljar::sandbox
