// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/frame.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace belljar::test {

/// What one run says, put together from its frames.
struct RunReport {
    nlohmann::json last; ///< `exit` or `fault`; null when the runner ended without either
    nlohmann::json started;
    std::string out; ///< head
    std::string err;
    std::string outTail; ///< what came with an offset
    std::uint64_t outTailOffset = 0;
    std::vector<nlohmann::json> samples;
    /// What was told of the workspace: `name` is the name itself, `bytes` what came of it.
    struct File {
        std::string name;
        runner::FileFate fate = runner::FileFate::Kept;
        std::uint64_t size = 0;
        std::string bytes;
        bool ended = false;
    };
    std::vector<File> files;
    [[nodiscard]] const File* file(std::string_view name) const;
    std::size_t outFrames = 0;
    std::chrono::milliseconds took{};
};

/// The engine's end of the pipes to a real belljar_runner that runs in `folder`.
class RunnerPeer {
public:
    explicit RunnerPeer(const std::string& folder);
    ~RunnerPeer();
    RunnerPeer(const RunnerPeer&) = delete;
    RunnerPeer& operator=(const RunnerPeer&) = delete;

    void sendControl(const nlohmann::json& message);
    void sendData(runner::Channel channel, std::string_view bytes, bool end);
    void sendRaw(std::string_view bytes);

    /// `run` with the usual limits; members of `changes` replace them.
    void sendRun(std::string_view code, const nlohmann::json& changes);

    /// The next control message with this op (or `fault`); null at the end of the stream.
    nlohmann::json waitFor(std::string_view op);

    /// Everything up to the last message.
    RunReport collect();

    void closeInput();

    /// Exit code of the runner, 128 + signal; -1 when it doesn't end in time.
    int waitForEnd();

    /// What the runner said on its stderr. Only after waitForEnd().
    std::string lastWords();

    [[nodiscard]] pid_t pid() const { return m_pid; }

    /// The most memory that the runner has had resident, from /proc.
    [[nodiscard]] std::uint64_t peakResidentBytes() const;

private:
    struct Frame {
        runner::FrameHeader header;
        std::string payload;
        bool good = false;
    };

    Frame readFrame();
    bool readExactly(char* bytes, std::size_t size);

    pid_t m_pid = -1;
    int m_input = -1;
    int m_output = -1;
    int m_errors = -1;
};

} // namespace belljar::test
