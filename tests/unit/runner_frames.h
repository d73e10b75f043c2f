// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sandbox/runner_protocol.h"

namespace belljar::test {

using namespace belljar::sandbox;
using execution::OutputChunk;
using execution::Sample;
using execution::Stream;
using runner::Channel;
using runner::FrameFlag;
using runner::FrameHeader;
using runner::FrameType;

inline std::string
frame(FrameType type, Channel channel, const std::string& payload, std::uint8_t flags = 0)
{
    FrameHeader header{type, flags, channel, static_cast<std::uint32_t>(payload.size())};
    const auto bytes = runner::encodeHeader(header);
    return std::string(bytes.begin(), bytes.end()) + payload;
}

inline std::string control(const std::string& json)
{
    return frame(FrameType::Control, Channel::Control, json);
}
inline std::string sample(const std::string& json)
{
    return frame(FrameType::Control, Channel::Samples, json);
}
inline std::string fileMessage(const std::string& json)
{
    return frame(FrameType::Control, Channel::Files, json);
}
inline std::string fileBytes(const std::string& bytes, bool end = true)
{
    const auto flags = end ? static_cast<std::uint8_t>(FrameFlag::End) : std::uint8_t{0};
    return frame(FrameType::Data, Channel::Files, bytes, flags);
}
inline std::string output(const std::string& bytes)
{
    return frame(FrameType::Data, Channel::Stdout, bytes);
}

inline std::string outputAt(std::uint64_t offset, const std::string& bytes)
{
    std::string payload;
    for (unsigned shift = 0; shift < 64; shift += 8)
        payload.push_back(static_cast<char>((offset >> shift) & 0xFFU));
    return frame(
        FrameType::Data,
        Channel::Stdout,
        payload + bytes,
        static_cast<std::uint8_t>(FrameFlag::HasOffset)
    );
}

inline const std::string kHello = control(
    R"({"op":"hello","protocol":1,"pid":1,"uid":65532,"gid":65532,"groups":[65532],)"
    R"("caps":["0000000000000000","0000000000000000","0000000000000000","0000000000000000","0000000000000000"],)"
    R"("no_new_privs":1,"seccomp":2,"workspace_writable":true,"tmp_writable":true,"cgroup":1,"new":"ignored"})"
);
inline const std::string kStarted = control(R"({"op":"started","code_sha256":"ab"})");
inline const std::string kNoFiles = R"("files":{"whole":true,"counts":[0,0,0,0,0,0,0,0,0]})";
inline const std::string kStreams = R"("stdout":{"total_bytes":3,"total_lines":1,"kept_bytes":3},)"
                                    R"("stderr":{"total_bytes":0,"total_lines":0,"kept_bytes":0})";
inline const std::string kTotals = kStreams + "," + kNoFiles;
inline const std::string kExit = control(
    R"({"op":"exit","exit_code":3,"timed_out":false,"cancelled":false,"oom_kills":2,"wall_us":1500,"cpu_us":900,)"
    R"("memory_peak_bytes":4096,"left_processes":1,)" +
    kTotals + "}"
);

/// An exit that says `files` of the workspace, JSON.
inline std::string exitWithFiles(const std::string& files)
{
    return control(
        R"({"op":"exit","exit_code":0,"timed_out":false,"cancelled":false,)" + kStreams +
        R"(,"files":)" + files + "}"
    );
}

/// A hello with one member changed; `from` has to occur in it.
inline std::string helloWith(const std::string& from, const std::string& to)
{
    std::string text = kHello.substr(runner::kHeaderBytes);
    text.replace(text.find(from), from.size(), to);
    return control(text);
}

} // namespace belljar::test
