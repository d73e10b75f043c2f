// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/runner_peer.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::test {

namespace {

constexpr std::chrono::seconds kLongestWait{20};

using Clock = std::chrono::steady_clock;

bool waitReadable(int descriptor)
{
    pollfd slot{descriptor, POLLIN, 0};
    return ::poll(&slot, 1, static_cast<int>(std::chrono::milliseconds(kLongestWait).count())) > 0;
}

} // namespace

RunnerPeer::RunnerPeer(const std::string& folder)
{
    ::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    std::array<int, 2> errors{};
    if (::pipe2(input.data(), O_CLOEXEC) != 0 || ::pipe2(output.data(), O_CLOEXEC) != 0 ||
        ::pipe2(errors.data(), O_CLOEXEC) != 0)
        std::abort();
    // Not fork(): under a sanitizer that takes tens of milliseconds, and start-up is measured here.
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    ::posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    ::posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
    std::string name = "belljar_runner";
    const std::array<char*, 2> arguments = {name.data(), nullptr};
    if (::posix_spawn(&m_pid, BELLJAR_RUNNER_FILE, &actions, nullptr, arguments.data(), environ) !=
        0)
        std::abort();
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(input[0]);
    ::close(output[1]);
    ::close(errors[1]);
    m_input = input[1];
    m_output = output[0];
    m_errors = errors[0];
}

RunnerPeer::~RunnerPeer()
{
    closeInput();
    if (m_pid > 0 && waitForEnd() < 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    ::close(m_output);
    ::close(m_errors);
}

void RunnerPeer::sendRaw(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_input, bytes.data(), bytes.size());
        if (count <= 0)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void RunnerPeer::sendControl(const nlohmann::json& message)
{
    const std::string text = message.dump();
    runner::FrameHeader header;
    header.length = static_cast<std::uint32_t>(text.size());
    const auto bytes = runner::encodeHeader(header);
    sendRaw({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    sendRaw(text);
}

void RunnerPeer::sendData(runner::Channel channel, std::string_view bytes, bool end)
{
    do {
        const std::string_view piece = bytes.substr(0, runner::kMaxPayloadBytes);
        bytes.remove_prefix(piece.size());
        runner::FrameHeader header;
        header.type = runner::FrameType::Data;
        header.channel = channel;
        header.flags = static_cast<std::uint8_t>(
            end && bytes.empty() ? runner::FrameFlag::End : runner::FrameFlag{}
        );
        header.length = static_cast<std::uint32_t>(piece.size());
        const auto head = runner::encodeHeader(header);
        sendRaw({reinterpret_cast<const char*>(head.data()), head.size()});
        sendRaw(piece);
    } while (!bytes.empty());
}

void RunnerPeer::sendRun(std::string_view code, const nlohmann::json& changes)
{
    nlohmann::json message = {
        {"op", "run"},
        {"argv", {"bash", "main.sh"}},
        {"env", nlohmann::json::object()},
        {"warm", false},
        {"file", "main.sh"},
        {"code_bytes", code.size()},
        {"args", nlohmann::json::array()},
        {"timeout_ms", 15000},
        {"kill_grace_ms", 1000},
        {"drain_ms", 200},
        {"output_head_bytes", 524288},
        {"output_tail_bytes", 524288},
        {"sample_ms", 100},
    };
    message.update(changes);
    sendControl(message);
    sendData(runner::Channel::Code, code, true);
}

bool RunnerPeer::readExactly(char* bytes, std::size_t size)
{
    while (size > 0) {
        if (!waitReadable(m_output))
            return false;
        const ssize_t count = ::read(m_output, bytes, size);
        if (count <= 0)
            return false;
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

RunnerPeer::Frame RunnerPeer::readFrame()
{
    Frame frame;
    std::array<char, runner::kHeaderBytes> header{};
    if (!readExactly(header.data(), header.size()))
        return frame;
    frame.header = runner::decodeHeader(reinterpret_cast<const std::uint8_t*>(header.data()));
    if (frame.header.length > runner::kMaxPayloadBytes)
        return frame;
    frame.payload.resize(frame.header.length);
    frame.good = readExactly(frame.payload.data(), frame.payload.size());
    return frame;
}

nlohmann::json RunnerPeer::waitFor(std::string_view op)
{
    while (true) {
        const Frame frame = readFrame();
        if (!frame.good)
            return nullptr;
        if (frame.header.channel != runner::Channel::Control)
            continue;
        auto message = nlohmann::json::parse(frame.payload);
        if (message["op"] == op || message["op"] == "fault")
            return message;
    }
}

const RunReport::File* RunReport::file(std::string_view name) const
{
    for (const File& file : files) {
        if (file.name == name)
            return &file;
    }
    return nullptr;
}

namespace {

RunReport::File announced(const nlohmann::json& message)
{
    RunReport::File file;
    const auto hex = message["name"].get<std::string>();
    for (std::size_t at = 0; at + 1 < hex.size(); at += 2)
        file.name += static_cast<char>(std::stoi(hex.substr(at, 2), nullptr, 16));
    file.fate = message["fate"].get<runner::FileFate>();
    file.size = message["size"].get<std::uint64_t>();
    return file;
}

} // namespace

RunReport RunnerPeer::collect()
{
    RunReport report;
    const auto begin = Clock::now();
    while (report.last.is_null()) {
        const Frame frame = readFrame();
        if (!frame.good)
            break;
        std::string_view bytes = frame.payload;
        if (frame.header.channel == runner::Channel::Files) {
            if (frame.header.type == runner::FrameType::Control) {
                report.files.push_back(announced(nlohmann::json::parse(bytes)));
            } else if (!report.files.empty()) {
                report.files.back().bytes += bytes;
                report.files.back().ended = runner::hasFlag(frame.header, runner::FrameFlag::End);
            }
        } else if (frame.header.channel == runner::Channel::Samples) {
            report.samples.push_back(nlohmann::json::parse(bytes));
        } else if (frame.header.channel == runner::Channel::Control) {
            const auto message = nlohmann::json::parse(bytes);
            if (message["op"] == "started")
                report.started = message;
            else if (message["op"] == "exit" || message["op"] == "fault")
                report.last = message;
        } else if (runner::hasFlag(frame.header, runner::FrameFlag::HasOffset)) {
            std::uint64_t offset = 0;
            for (unsigned index = 0; index < runner::kOffsetBytes; ++index)
                offset |= std::uint64_t{static_cast<unsigned char>(bytes[index])} << (8U * index);
            bytes.remove_prefix(runner::kOffsetBytes);
            if (frame.header.channel == runner::Channel::Stdout) {
                if (report.outTail.empty())
                    report.outTailOffset = offset;
                report.outTail += bytes;
            }
        } else if (frame.header.channel == runner::Channel::Stdout) {
            report.out += bytes;
            ++report.outFrames;
        } else {
            report.err += bytes;
        }
    }
    report.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    return report;
}

void RunnerPeer::closeInput()
{
    if (m_input >= 0)
        ::close(m_input);
    m_input = -1;
}

int RunnerPeer::waitForEnd()
{
    // The runner's stderr reaches its end with the runner: nobody else has it.
    const auto limit = Clock::now() + kLongestWait;
    while (Clock::now() < limit) {
        int status = 0;
        const pid_t result = ::waitpid(m_pid, &status, WNOHANG);
        if (result == m_pid) {
            m_pid = -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        pollfd slot{m_errors, 0, 0};
        if (::poll(&slot, 1, 100) > 0) {
            ::waitpid(m_pid, &status, 0);
            m_pid = -1;
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
    return -1;
}

std::string RunnerPeer::lastWords()
{
    std::array<char, 4096> bytes{};
    const ssize_t count = ::read(m_errors, bytes.data(), bytes.size());
    return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

std::uint64_t RunnerPeer::peakResidentBytes() const
{
    std::ifstream status("/proc/" + std::to_string(m_pid) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:"))
            return std::stoull(line.substr(6)) * 1024;
    }
    return 0;
}

} // namespace belljar::test
