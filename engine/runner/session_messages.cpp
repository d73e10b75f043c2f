// SPDX-License-Identifier: GPL-3.0-or-later
// What a session says to the engine about itself.
#include "engine/runner/session.h"
#include "engine/runner/system.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

constexpr std::uint64_t kMilli = 1000;
constexpr int kViolationExitCode = 2;

std::uint64_t micros(const timeval& time)
{
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(time.tv_usec);
}

void addStream(Text<2048>& message, std::string_view name, const OutputStream& stream)
{
    message.add(",\"").add(name).add(R"(":{"total_bytes":)").add(stream.totalBytes());
    message.add(R"(,"total_lines":)").add(stream.totalLines());
    message.add(R"(,"kept_bytes":)").add(stream.keptBytes()).add("}");
}

} // namespace

Cgroup::Usage Session::usage(std::uint64_t& processes)
{
    const ProcessTable::Totals totals = m_processes.scan();
    processes = totals.processes;
    if (m_cgroup.version() != 0)
        return m_cgroup.usage();
    rusage waited{};
    ::getrusage(RUSAGE_CHILDREN, &waited);
    Cgroup::Usage usage;
    usage.cpuMicros = totals.cpuMicros + micros(waited.ru_utime) + micros(waited.ru_stime);
    usage.memoryBytes = totals.memoryBytes;
    usage.readBytes = static_cast<std::uint64_t>(waited.ru_inblock) * 512;
    usage.writtenBytes = static_cast<std::uint64_t>(waited.ru_oublock) * 512;
    return usage;
}

void Session::sampleWhenDue(std::uint64_t now)
{
    if (!isStarted() || m_phase >= Phase::Draining || now < m_nextSample)
        return;
    sendSample(now); // one that doesn't fit is dropped
    const std::uint64_t period = std::max<std::uint64_t>(m_order.sampleMs, 10) * kMilli;
    m_nextSample += (now - m_nextSample) / period * period + period;
}

bool Session::sendSample(std::uint64_t now)
{
    std::uint64_t processes = 0;
    const Cgroup::Usage current = usage(processes);
    m_sampledPeak = std::max(m_sampledPeak, current.memoryBytes);
    // A counter that went back (a process that was never waited for) is not below its start.
    const auto since = [](std::uint64_t value, std::uint64_t start) {
        return value > start ? value - start : 0;
    };
    Text<512> sample;
    sample.add(R"({"t_ms":)").add(since(now, m_started) / kMilli);
    sample.add(R"(,"cpu_us":)").add(since(current.cpuMicros, m_before.cpuMicros));
    sample.add(R"(,"memory_bytes":)").add(current.memoryBytes);
    sample.add(R"(,"processes":)").add(processes);
    sample.add(R"(,"read_bytes":)").add(since(current.readBytes, m_before.readBytes));
    sample.add(R"(,"written_bytes":)").add(since(current.writtenBytes, m_before.writtenBytes));
    sample.add(R"(,"output_bytes":)").add(m_stdout.totalBytes() + m_stderr.totalBytes());
    sample.add("}");
    if (!m_queue.hasRoomFor(sample.view().size()))
        return false;
    m_queue.put(FrameType::Control, Channel::Samples, sample.view());
    return true;
}

std::uint64_t Session::peakBytes(const Cgroup::Usage& atEnd) const
{
    if (m_cgroup.version() == 0) {
        rusage waited{};
        ::getrusage(RUSAGE_CHILDREN, &waited);
        return std::max(m_sampledPeak, static_cast<std::uint64_t>(waited.ru_maxrss) * 1024);
    }
    // The first interpreter after a boot reads itself from disk (80 MB for Node). Cache that was
    // there before the code and is there after it is not the code's.
    const std::uint64_t cache = std::min(m_before.cacheBytes, atEnd.cacheBytes);
    const std::uint64_t peak = m_cgroup.peakBytes();
    return std::max(m_sampledPeak, peak > cache ? peak - cache : 0);
}

bool Session::sendExit()
{
    std::uint64_t processes = 0;
    const Cgroup::Usage current = usage(processes);
    const std::uint64_t peak = peakBytes(current);
    // Without a status it was killed before its start, or can't be killed at all.
    const int status = m_hasStatus ? m_status : SIGKILL;
    const std::uint64_t end = m_mainEnd != 0 ? m_mainEnd : nowMicros();
    Text<2048> message;
    message.add(R"({"op":"exit",)");
    if (WIFSIGNALED(status))
        message.add(R"("signal":)").add(static_cast<std::uint64_t>(WTERMSIG(status)));
    else
        message.add(R"("exit_code":)").add(static_cast<std::uint64_t>(WEXITSTATUS(status)));
    message.add(R"(,"timed_out":)").addFlag(m_timedOut);
    message.add(R"(,"cancelled":)").addFlag(m_cancelled);
    message.add(R"(,"oom_kills":)").add(m_cgroup.oomKills() - m_oomBefore);
    message.add(R"(,"wall_us":)").add(isStarted() ? end - m_started : 0);
    message.add(R"(,"cpu_us":)")
        .add(current.cpuMicros > m_before.cpuMicros ? current.cpuMicros - m_before.cpuMicros : 0);
    message.add(R"(,"memory_peak_bytes":)").add(peak);
    message.add(R"(,"left_processes":)").add(m_leftProcesses);
    addStream(message, "stdout", m_stdout);
    addStream(message, "stderr", m_stderr);
    message.add(R"(,"files":{"whole":)").addFlag(m_harvest.isWhole()).add(R"(,"counts":[)");
    std::string_view separator;
    for (const std::uint64_t count : m_harvest.counts()) {
        message.add(separator).add(count);
        separator = ",";
    }
    message.add("]}}");
    if (!m_queue.hasRoomFor(message.view().size()))
        return false;
    m_queue.putControl(message.view());
    return true;
}

void Session::fault(std::string_view what, std::string_view detail)
{
    Text<2048> text;
    text.add(what).add(detail);
    Text<8192> message;
    message.add(R"({"op":"fault","message":)").addQuoted(text.view()).add("}");
    m_phase = Phase::Done;
    m_stdin.close();
    m_stdout.close();
    m_stderr.close();
    closeDescriptor(m_child.channel);
    m_warmth = Warmth::None;
    killAllAndWait();
    if (m_queue.hasRoomFor(message.view().size()))
        m_queue.putControl(message.view());
    else
        violation(text.view()); // the engine has stopped reading: it gets the end of the container
}

void Session::faultStart(std::string_view program, int error)
{
    Text<1024> what;
    what.add(program.substr(0, 512));
    if (error == ENOENT)
        fault(what.add(" is not in the image").view());
    else
        fault(what.add(" can't be started: ").view(), errorText(error));
}

void Session::faultWarmEnd()
{
    Text<256> what;
    what.add("the interpreter ended before it got the code (");
    if (WIFSIGNALED(m_status))
        what.add("signal ").add(static_cast<std::uint64_t>(WTERMSIG(m_status)));
    else
        what.add("exit code ").add(static_cast<std::uint64_t>(WEXITSTATUS(m_status)));
    what.add("): ");
    std::array<char, 1024> words;
    const ssize_t size = ::read(m_stderr.descriptor(), words.data(), words.size());
    const std::span said = std::span(words).first(size > 0 ? static_cast<std::size_t>(size) : 0);
    // Cut anywhere and of any encoding: what isn't ASCII would make the message invalid UTF-8.
    std::ranges::replace_if(
        said, [](char c) { return static_cast<unsigned char>(c) > 0x7E; }, '?'
    );
    fault(what.view(), {said.data(), said.size()});
}

void Session::violation(std::string_view what)
{
    lastWord(what);
    m_exitCode = kViolationExitCode;
    m_ended = true;
}

} // namespace belljar::runner
