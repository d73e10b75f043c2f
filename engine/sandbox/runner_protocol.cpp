// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/runner_protocol.h"

#include "engine/base/sha256.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::sandbox {

namespace {

using execution::FileFate;
using execution::OutputChunk;
using execution::Sample;
using execution::Stream;
using runner::Channel;
using runner::FrameFlag;
using runner::FrameHeader;
using runner::FrameType;

constexpr std::size_t kEvidenceBytes = 256;
constexpr std::size_t kDataFrameBytes = 256U * 1024;
constexpr std::size_t kMaxMessageBytes = 1024;
constexpr std::uint64_t kMaxFiles = 1'000'000;
constexpr std::int64_t kMaxCount =
    1'000'000'000'000'000; // far over any real byte or microsecond count

tl::unexpected<Error> violation(std::string_view what, std::string_view evidence)
{
    const std::string_view shown = evidence.substr(0, kEvidenceBytes);
    return fail(
        Errc::ProtocolViolation,
        "the runner broke its protocol: " + std::string(what) + "; bytes " +
            toHex(reinterpret_cast<const std::uint8_t*>(shown.data()), shown.size())
    );
}

std::uint64_t readU64(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t index = 0; index < runner::kOffsetBytes; ++index)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[index]))
                 << (8 * index);
    return value;
}

/// Nothing when it isn't pairs of hexadecimal digits.
std::optional<std::string> bytesOfHex(std::string_view hex)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string bytes;
    if (hex.size() % 2 != 0)
        return std::nullopt;
    for (std::size_t at = 0; at < hex.size(); at += 2) {
        const std::size_t high = kDigits.find(hex[at]);
        const std::size_t low = kDigits.find(hex[at + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

/// Can a walk from the workspace down have met this name?
bool isWorkspaceName(std::string_view name)
{
    if (name.empty() || name.size() > execution::kMostFileName ||
        name.find('\0') != std::string_view::npos)
        return false;
    for (;;) {
        const std::size_t slash = name.find('/');
        const std::string_view part = name.substr(0, slash);
        if (part.empty() || part == "." || part == "..")
            return false;
        if (slash == std::string_view::npos)
            return true;
        name.remove_prefix(slash + 1);
    }
}

std::uint64_t count(JsonReader& reader, std::string_view key)
{
    return static_cast<std::uint64_t>(reader.integer(key, 0, kMaxCount).value_or(0));
}

execution::StreamTotals totals(const Json& exit, std::string_view key, JsonReader& parent)
{
    execution::StreamTotals totals;
    const auto found = exit.find(key);
    if (found == exit.end() || !found->is_object()) {
        parent.refuse(key, "expected an object");
        return totals;
    }
    JsonReader reader(*found, std::string(key));
    totals.totalBytes = count(reader, "total_bytes");
    totals.totalLines = count(reader, "total_lines");
    totals.keptBytes = count(reader, "kept_bytes");
    if (reader.error())
        parent.refuse(key, reader.error()->message());
    return totals;
}

Hello decodeHello(const Json& message, JsonReader& reader)
{
    Hello hello;
    if (reader.integer("protocol", 0, kMaxCount).value_or(-1) != runner::kProtocolVersion)
        reader.refuse("protocol", "expected " + std::to_string(runner::kProtocolVersion));
    hello.pid = reader.integer("pid", 0, kMaxCount).value_or(0);
    hello.uid = reader.integer("uid", 0, kMaxCount).value_or(0);
    hello.gid = reader.integer("gid", 0, kMaxCount).value_or(0);
    hello.noNewPrivileges = reader.integer("no_new_privs", 0, 1).value_or(0);
    hello.seccomp = reader.integer("seccomp", 0, 2).value_or(0);
    hello.workspaceWritable = reader.boolean("workspace_writable").value_or(false);
    hello.tmpWritable = reader.boolean("tmp_writable").value_or(false);
    hello.cgroup = reader.integer("cgroup", 0, 2).value_or(0);
    for (const Json& group : message.value("groups", Json::array())) {
        if (!group.is_number_integer())
            reader.refuse("groups", "expected whole numbers");
        else
            hello.groups.push_back(group.get<std::int64_t>());
    }
    for (const Json& capabilities : message.value("caps", Json::array())) {
        if (!capabilities.is_string())
            reader.refuse("caps", "expected texts");
        else
            hello.capabilities.push_back(capabilities.get<std::string>());
    }
    return hello;
}

Exit decodeExit(const Json& message, JsonReader& reader)
{
    Exit exit;
    if (const auto code = reader.integer("exit_code", 0, 255))
        exit.exitCode = static_cast<int>(*code);
    if (const auto signal = reader.integer("signal", 1, 64))
        exit.signal = static_cast<int>(*signal);
    if (exit.exitCode.has_value() == exit.signal.has_value())
        reader.refuse("exit_code", "expected either it or signal");
    exit.timedOut = reader.boolean("timed_out").value_or(false);
    exit.cancelled = reader.boolean("cancelled").value_or(false);
    exit.oomKills = count(reader, "oom_kills");
    exit.wall = std::chrono::microseconds(count(reader, "wall_us"));
    exit.cpu = std::chrono::microseconds(count(reader, "cpu_us"));
    exit.memoryPeakBytes = count(reader, "memory_peak_bytes");
    exit.leftProcesses =
        static_cast<std::uint32_t>(reader.integer("left_processes", 0, 1'000'000).value_or(0));
    exit.standardOutput = totals(message, "stdout", reader);
    exit.standardError = totals(message, "stderr", reader);
    return exit;
}

} // namespace

OutputBudget budgetFor(std::uint64_t outputBytes)
{
    const std::uint64_t head = outputBytes / 10 * 7;
    return {head, outputBytes - head};
}

Result<std::vector<RunnerEvent>> RunnerDecoder::feed(std::string_view bytes)
{
    if (m_broken)
        return violation("bytes after a violation", bytes);
    m_buffer.append(bytes);
    std::vector<RunnerEvent> events;
    std::size_t at = 0;
    while (m_buffer.size() - at >= runner::kHeaderBytes) {
        const std::string_view rest = std::string_view(m_buffer).substr(at);
        const FrameHeader header =
            runner::decodeHeader(reinterpret_cast<const std::uint8_t*>(rest.data()));
        const bool control = header.type == FrameType::Control;
        const std::uint32_t limit = control ? runner::kMaxControlBytes : runner::kMaxPayloadBytes;
        m_broken = true; // until this frame has passed every check
        if (!control && header.type != FrameType::Data)
            return violation("unknown frame type", rest);
        if (header.length > limit)
            return violation("frame of " + std::to_string(header.length) + " bytes", rest);
        if (rest.size() - runner::kHeaderBytes < header.length) {
            m_broken = false;
            break;
        }
        auto event = decode(header, rest.substr(runner::kHeaderBytes, header.length));
        if (!event)
            return fail(event.error());
        m_broken = false;
        if (*event)
            events.push_back(std::move(**event));
        at += runner::kHeaderBytes + header.length;
    }
    m_buffer.erase(0, at);
    return events;
}

Result<std::optional<RunnerEvent>>
RunnerDecoder::decode(const FrameHeader& header, std::string_view payload)
{
    if (m_phase == Phase::Ended)
        return violation("a frame after the end", payload);
    const bool control = header.type == FrameType::Control;
    switch (header.channel) {
    case Channel::Control:
        if (control)
            return decodeControl(payload);
        break;
    case Channel::Samples:
        if (control)
            return decodeSample(payload);
        break;
    case Channel::Stdout:
    case Channel::Stderr:
        if (!control)
            return decodeOutput(header, payload);
        break;
    case Channel::Files: {
        const auto taken = control ? takeFile(payload) : takeFileBytes(header, payload);
        if (!taken)
            return fail(taken.error());
        return std::optional<RunnerEvent>();
    }
    case Channel::Stdin:
    case Channel::Code: break;
    }
    return violation(
        "frame on channel " + std::to_string(static_cast<unsigned>(header.channel)), payload
    );
}

Result<> RunnerDecoder::enter(Phase next, std::string_view what)
{
    const bool allowed =
        (next == Phase::Ready && m_phase == Phase::Silent) ||
        (next == Phase::Prepared && m_phase == Phase::Ready) ||
        (next == Phase::Running && (m_phase == Phase::Ready || m_phase == Phase::Prepared)) ||
        (next == Phase::Ended && m_phase != Phase::Silent);
    if (!allowed)
        return violation(std::string(what) + " out of order", what);
    m_phase = next;
    return {};
}

Result<RunnerEvent> RunnerDecoder::decodeControl(std::string_view payload)
{
    const auto message = parseJson(payload, JsonLimits{runner::kMaxControlBytes, 16});
    if (!message)
        return violation(message.error().message(), payload);
    JsonReader reader(*message, "");
    const std::string op = reader.string("op").value_or("");
    std::optional<RunnerEvent> event;
    Result<> order;
    if (op == "hello") {
        event = decodeHello(*message, reader);
        order = enter(Phase::Ready, op);
    } else if (op == "prepared") {
        event = Prepared{};
        order = enter(Phase::Prepared, op);
    } else if (op == "started") {
        event = Started{reader.string("code_sha256").value_or("")};
        order = enter(Phase::Running, op);
    } else if (op == "exit") {
        if (m_phase != Phase::Running)
            return violation("exit before the start", payload);
        Exit exit = decodeExit(*message, reader);
        if (auto taken = takeFileTotals(*message, reader, payload); !taken)
            return fail(taken.error());
        exit.files = std::move(m_files);
        event = std::move(exit);
        order = enter(Phase::Ended, op);
    } else if (op == "fault") {
        const std::string text = reader.string("message").value_or("");
        event = Fault{std::string(prefixWithin(text, kMaxMessageBytes))};
        order = enter(Phase::Ended, op);
    } else {
        return violation("unknown message", payload);
    }
    if (!order)
        return fail(order.error());
    if (reader.error())
        return violation(reader.error()->message(), payload);
    return std::move(*event);
}

Result<RunnerEvent> RunnerDecoder::decodeOutput(const FrameHeader& header, std::string_view payload)
{
    if (m_phase != Phase::Running)
        return violation("output while no program runs", payload);
    const bool isStdout = header.channel == Channel::Stdout;
    StreamState& state = isStdout ? m_stdout : m_stderr;
    if (hasFlag(header, FrameFlag::HasOffset)) {
        if (payload.size() < runner::kOffsetBytes)
            return violation("frame without its offset", payload);
        const std::uint64_t offset = readU64(payload);
        if (offset < state.nextOffset || offset > static_cast<std::uint64_t>(kMaxCount))
            return violation("output that goes backwards", payload);
        state.nextOffset = offset;
        payload.remove_prefix(runner::kOffsetBytes);
    }
    state.kept += payload.size();
    if (state.kept > m_budget.headBytes + m_budget.tailBytes)
        return violation("more output than it may keep", payload);
    OutputChunk chunk{
        isStdout ? Stream::Stdout : Stream::Stderr, state.nextOffset, std::string(payload)};
    state.nextOffset += payload.size();
    return chunk;
}

Result<RunnerEvent> RunnerDecoder::decodeSample(std::string_view payload)
{
    if (m_phase != Phase::Running)
        return violation("a sample while no program runs", payload);
    const auto message = parseJson(payload, JsonLimits{runner::kMaxControlBytes, 16});
    if (!message)
        return violation(message.error().message(), payload);
    JsonReader reader(*message, "");
    Sample sample;
    sample.at = std::chrono::milliseconds(count(reader, "t_ms"));
    const std::uint64_t cpuUs = count(reader, "cpu_us");
    sample.memoryBytes = count(reader, "memory_bytes");
    sample.processes =
        static_cast<std::uint32_t>(reader.integer("processes", 0, 1'000'000).value_or(0));
    sample.readBytes = count(reader, "read_bytes");
    sample.writtenBytes = count(reader, "written_bytes");
    sample.outputBytes = count(reader, "output_bytes");
    if (reader.error())
        return violation(reader.error()->message(), payload);
    const auto before = m_lastSample ? m_lastSample->at : std::chrono::milliseconds(0);
    const auto span = std::chrono::duration<double, std::micro>(sample.at - before).count();
    if (span > 0 && cpuUs >= m_lastCpuUs)
        sample.cpuPercent = 100.0 * static_cast<double>(cpuUs - m_lastCpuUs) / span;
    m_lastCpuUs = cpuUs;
    m_lastSample = sample;
    return sample;
}

Result<> RunnerDecoder::takeFile(std::string_view payload)
{
    if (m_phase != Phase::Running || m_fileOpen)
        return violation("a file at the wrong time", payload);
    const auto message = parseJson(payload, JsonLimits{runner::kMaxControlBytes, 16});
    if (!message)
        return violation(message.error().message(), payload);
    JsonReader reader(*message, "");
    constexpr auto kLastFate = static_cast<std::int64_t>(runner::kFileFates - 1);
    execution::RunFile file;
    const auto name = bytesOfHex(reader.string("name").value_or(""));
    file.fate = static_cast<FileFate>(reader.integer("fate", 0, kLastFate).value_or(0));
    file.size = count(reader, "size");
    if (reader.error())
        return violation(reader.error()->message(), payload);
    if (!name || !isWorkspaceName(*name))
        return violation("a file with an impossible name", payload);
    file.name = *name;
    if (file.fate != FileFate::Kept) {
        if (++m_filesNamed > execution::kMostNamedLeftOut)
            return violation("more left out files than are named", payload);
    } else {
        const std::size_t kept = m_files.files.size() - m_filesNamed;
        if (kept >= m_fileBudget.files || file.size > m_fileBudget.bytesEach ||
            file.size > m_fileBudget.bytesTogether - m_filesBytes)
            return violation("more of files than it may send", payload);
        m_filesBytes += file.size;
        m_fileOpen = true;
        m_fileBytes.clear();
    }
    m_files.files.push_back(std::move(file));
    return {};
}

Result<> RunnerDecoder::takeFileBytes(const FrameHeader& header, std::string_view payload)
{
    if (!m_fileOpen)
        return violation("bytes of no file", payload);
    execution::RunFile& file = m_files.files.back();
    if (payload.size() > file.size - m_fileBytes.size())
        return violation("more bytes than the file has", payload);
    m_fileBytes.append(payload);
    if (!hasFlag(header, FrameFlag::End))
        return {};
    m_fileOpen = false;
    if (m_fileBytes.size() < file.size) {
        // A part of a file would be taken for the file.
        file.fate = FileFate::Unreadable;
        ++m_filesShort;
        return {};
    }
    file.kind = execution::sniffKind(m_fileBytes);
    file.sha256 = sha256Hex(m_fileBytes);
    file.bytes = std::make_shared<const std::string>(std::exchange(m_fileBytes, {}));
    return {};
}

Result<>
RunnerDecoder::takeFileTotals(const Json& exit, JsonReader& reader, std::string_view payload)
{
    if (m_fileOpen)
        return violation("the end within a file", payload);
    const auto found = exit.find("files");
    if (found == exit.end() || !found->is_object() || !found->contains("counts") ||
        !(*found)["counts"].is_array() || (*found)["counts"].size() != runner::kFileFates) {
        reader.refuse("files", "expected what became of them");
        return {};
    }
    JsonReader files(*found, "files");
    m_files.whole = files.boolean("whole").value_or(false);
    for (std::size_t fate = 0; fate < runner::kFileFates; ++fate) {
        const Json& number = (*found)["counts"][fate];
        if (!number.is_number_unsigned() || number.get<std::uint64_t>() > kMaxFiles)
            reader.refuse("files", "expected whole numbers");
        else
            m_files.counts.at(fate) = number.get<std::uint64_t>();
    }
    if (m_files.kept() != m_files.files.size() - m_filesNamed)
        reader.refuse("files", "expected as many as were sent");
    if (files.error())
        reader.refuse("files", files.error()->message());
    if (reader.error())
        return {}; // the caller tells
    m_files.counts[static_cast<std::size_t>(FileFate::Kept)] -= m_filesShort;
    m_files.counts[static_cast<std::size_t>(FileFate::Unreadable)] += m_filesShort;
    return {};
}

std::string encodeControl(const Json& message)
{
    const std::string payload = dumpJson(message);
    FrameHeader header;
    header.length = static_cast<std::uint32_t>(payload.size());
    const auto bytes = runner::encodeHeader(header);
    return std::string(bytes.begin(), bytes.end()) + payload;
}

std::string encodeData(Channel channel, std::string_view bytes)
{
    std::string out;
    out.reserve(bytes.size() + runner::kHeaderBytes * (bytes.size() / kDataFrameBytes + 1));
    do {
        const std::string_view part = bytes.substr(0, kDataFrameBytes);
        bytes.remove_prefix(part.size());
        FrameHeader header;
        header.type = FrameType::Data;
        header.channel = channel;
        header.flags = bytes.empty() ? static_cast<std::uint8_t>(FrameFlag::End) : std::uint8_t{0};
        header.length = static_cast<std::uint32_t>(part.size());
        const auto encoded = runner::encodeHeader(header);
        out.append(encoded.begin(), encoded.end());
        out.append(part);
    } while (!bytes.empty());
    return out;
}

std::vector<std::string> weaknesses(const Hello& hello, std::uint32_t uid, std::uint32_t gid)
{
    std::vector<std::string> found;
    const auto require = [&found](bool holds, std::string what) {
        if (!holds)
            found.push_back(std::move(what));
    };
    const bool noCapabilities =
        hello.capabilities.size() == 5 &&
        std::all_of(
            hello.capabilities.begin(),
            hello.capabilities.end(),
            [](const std::string& set) {
                return !set.empty() && set.find_first_not_of('0') == std::string::npos;
            }
        );
    const bool ownGroupOnly =
        std::all_of(hello.groups.begin(), hello.groups.end(), [gid](std::int64_t group) {
            return group == gid;
        });
    require(hello.pid == 1, "the runner is process " + std::to_string(hello.pid) + " and not 1");
    require(hello.uid == uid, "user id is " + std::to_string(hello.uid));
    require(hello.gid == gid, "group id is " + std::to_string(hello.gid));
    require(ownGroupOnly, "it has further groups");
    require(noCapabilities, "it has capabilities");
    require(hello.noNewPrivileges == 1, "no-new-privileges is off");
    require(hello.seccomp == 2, "no system call filter is in force");
    require(hello.workspaceWritable, "/workspace can't be written");
    require(hello.tmpWritable, "/tmp can't be written");
    return found;
}

} // namespace belljar::sandbox
