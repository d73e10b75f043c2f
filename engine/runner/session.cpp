// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/session.h"

#include "engine/runner/hello.h"
#include "engine/runner/system.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

constexpr std::uint64_t kNever = OutputStream::kNever;
constexpr std::uint64_t kMilli = 1000;
/// How often SIGKILL is repeated while something is left.
constexpr std::uint64_t kKillAgainMicros = 5 * kMilli;
/// When the answer no longer waits for processes that don't die (R-26).
constexpr std::uint64_t kKillLimitMicros = 1000 * kMilli;
/// Kept free of output, so that control messages and samples get through a full queue.
constexpr std::size_t kControlReserve = std::size_t{8} * 1024;
/// How long an interpreter that has closed its channel is given to be gone altogether.
constexpr int kLastBreathMs = 200;

int openChildSignals()
{
    sigset_t mask;
    ::sigemptyset(&mask);
    ::sigaddset(&mask, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &mask, nullptr);
    return ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

void readOutput(OutputStream& stream, short events, std::uint64_t now)
{
    if (events != 0 && stream.canTake())
        stream.read(now);
}

} // namespace

Session::Session()
    : m_queue(STDOUT_FILENO)
{}

int Session::run()
{
    m_signals = openChildSignals();
    makeNonBlocking(STDIN_FILENO);
    makeNonBlocking(STDOUT_FILENO);
    m_cgroup.open();
    m_queue.putControl(makeHello(m_cgroup.version()).view());
    while (!m_ended)
        pollOnce();
    killAllAndWait();
    return m_exitCode;
}

void Session::pollOnce()
{
    const std::uint64_t before = nowMicros();
    if (m_queue.write() == WriteOutcome::PeerGone) {
        m_ended = true;
        return;
    }

    enum Slot : std::size_t { EngineIn, EngineOut, Signals, Out, Err, In, Ready, SlotCount };
    std::array<pollfd, SlotCount> slots{};
    const auto watch = [&slots](Slot slot, int descriptor, short events) {
        slots[slot] = pollfd{descriptor, events, 0};
    };
    // With no room for standard input the engine waits, but its going away is still reported.
    const bool canRead = m_reader.isBufferEmpty() || m_stdin.room() > 0 || m_phase == Phase::Done;
    watch(EngineIn, STDIN_FILENO, canRead ? POLLIN : 0);
    watch(EngineOut, m_queue.isEmpty() ? -1 : m_queue.descriptor(), POLLOUT);
    watch(Signals, m_signals, POLLIN);
    const auto watchOutput = [&](Slot slot, const OutputStream& stream) {
        const bool wanted = isStarted() && stream.canTake() && stream.nextLook() <= before;
        watch(slot, wanted ? stream.descriptor() : -1, POLLIN);
    };
    watchOutput(Out, m_stdout);
    watchOutput(Err, m_stderr);
    watch(In, m_stdin.wantsToWrite(), POLLOUT);
    watch(Ready, m_warmth == Warmth::Starting ? m_child.channel : -1, POLLIN);

    const std::uint64_t wake = nextWake(before);
    const std::uint64_t wait = wake > before ? wake - before : 0;
    timespec timeout{};
    timeout.tv_sec = static_cast<time_t>(wait / 1'000'000);
    timeout.tv_nsec = static_cast<long>(wait % 1'000'000 * 1000);
    if (::ppoll(slots.data(), slots.size(), wake == kNever ? nullptr : &timeout, nullptr) < 0)
        return; // EINTR; the slots say nothing

    const std::uint64_t now = nowMicros();
    // Output first: what a process wrote before it ended must be in when its end is handled.
    readOutput(m_stdout, slots[Out].revents, now);
    readOutput(m_stderr, slots[Err].revents, now);
    if (slots[Ready].revents != 0)
        readReadyByte();
    if (slots[Signals].revents != 0)
        reap();
    if (slots[In].revents != 0)
        m_stdin.write();
    if ((slots[EngineIn].revents & POLLIN) != 0)
        readEngine();
    else if (slots[EngineIn].revents != 0)
        m_ended = true; // hung up, with nothing left that we could take
    else if (canRead && !m_reader.isBufferEmpty())
        handleFrames(); // there is room again for what was held back
    advance(now);
}

std::uint64_t Session::nextWake(std::uint64_t now) const
{
    std::uint64_t wake = kNever;
    const auto include = [&wake](std::uint64_t time) { wake = std::min(wake, time); };
    switch (m_phase) {
    case Phase::Idle:
    case Phase::Receiving:
    case Phase::Done: return kNever;
    case Phase::Running: include(m_started + m_order.timeoutMs * kMilli); break;
    case Phase::Grace:
    case Phase::Settling: include(m_phaseEnd); break;
    case Phase::Killing: include(std::min(m_phaseEnd, m_nextKill)); break;
    case Phase::Draining:
        // Everything is dead: it waits for nothing but room in the queue.
        return m_queue.isEmpty() ? now : kNever;
    case Phase::Collecting: return m_harvest.nextStep(m_queue, now);
    }
    include(m_nextSample);
    for (const OutputStream* stream : {&m_stdout, &m_stderr}) {
        if (stream->flushAt() != kNever &&
            m_queue.hasRoomFor(kControlReserve + std::size_t{64} * 1024))
            include(stream->flushAt());
        if (stream->canTake() && stream->nextLook() > now)
            include(stream->nextLook());
    }
    return wake;
}

// ---- what the engine says

void Session::readEngine()
{
    switch (m_reader.read(STDIN_FILENO)) {
    case FrameReader::ReadOutcome::End: m_ended = true; return;
    case FrameReader::ReadOutcome::Nothing:
    case FrameReader::ReadOutcome::Bytes: handleFrames(); return;
    }
}

void Session::handleFrames()
{
    while (!m_ended) {
        const FrameReader::Event event = m_reader.next(m_stdin.room());
        switch (event.kind) {
        case FrameReader::Kind::Nothing: return;
        case FrameReader::Kind::Invalid: violation(event.problem); return;
        case FrameReader::Kind::Control: handleControl(event.payload); break;
        case FrameReader::Kind::Data:
            if (event.channel == Channel::Code)
                handleCode(event);
            else
                handleStdin(event);
            break;
        }
    }
}

void Session::handleControl(std::span<char> payload)
{
    if (!m_document.parse(payload)) {
        violation("a control message that is not JSON within the limits");
        return;
    }
    struct Operation {
        std::string_view name;
        void (Session::*handle)();
    };
    static constexpr std::array kOperations = {
        Operation{"prepare", &Session::handlePrepare},
        Operation{"run", &Session::handleRun},
        Operation{"cancel", &Session::handleCancel},
    };
    const JsonNode* op = m_document.find(m_document.root(), "op");
    for (const Operation& operation : kOperations) {
        if (op != nullptr && op->kind == JsonKind::String && op->text == operation.name) {
            // After the last message only the engine's own haste can be at work.
            if (isLive())
                (this->*operation.handle)();
            return;
        }
    }
    violation("a control message with an unknown op");
}

void Session::handlePrepare()
{
    if (m_phase != Phase::Idle || m_warmth != Warmth::None) {
        violation("prepare at the wrong time");
        return;
    }
    if (const std::string_view problem = readPrepare(m_document, m_launch); !problem.empty()) {
        violation(problem);
        return;
    }
    const Child child = startChild(m_launch, Kind::Warm);
    if (child.error != 0) {
        faultStart(m_launch.program(), child.error);
        return;
    }
    adopt(child);
    m_warmth = Warmth::Starting;
}

void Session::handleRun()
{
    if (m_phase != Phase::Idle) {
        violation("run at the wrong time");
        return;
    }
    if (const std::string_view problem = readRun(m_document, m_order, m_launch); !problem.empty()) {
        violation(problem);
        return;
    }
    if (m_order.kind == Kind::Warm && m_warmth == Warmth::None) {
        violation("run of a warm interpreter that was never prepared");
        return;
    }
    m_phase = Phase::Receiving;
    m_stdout.setLimits(m_order.headBytes, m_order.tailBytes);
    m_stderr.setLimits(m_order.headBytes, m_order.tailBytes);
    if (!m_stdin.open())
        fault("standard input can't be held: ", errorText(errno));
    else if (!m_file.create(m_order.file.view(), m_order.codeBytes))
        fault("the program file can't be made in the working directory: ", errorText(errno));
}

void Session::handleCancel()
{
    if (m_phase == Phase::Collecting)
        m_harvest.stop();
    if (m_phase >= Phase::Killing)
        return;
    m_cancelled = true;
    startKilling(nowMicros());
}

void Session::handleCode(const FrameReader::Event& event)
{
    if (m_phase > Phase::Receiving)
        return; // cancelled or failed meanwhile
    if (m_phase != Phase::Receiving || m_codeComplete) {
        violation("code at the wrong time");
        return;
    }
    if (!m_file.add(event.payload)) {
        if (errno == EFBIG)
            violation("more code than announced");
        else
            fault("the program file can't be written: ", errorText(errno));
        return;
    }
    if (!event.end)
        return;
    if (!m_file.finish()) {
        violation("less code than announced");
        return;
    }
    m_codeComplete = true;
    startWhenReady();
}

void Session::handleStdin(const FrameReader::Event& event)
{
    if (m_phase >= Phase::Killing)
        return;
    if (!m_codeComplete || m_stdinEnded) {
        violation("standard input at the wrong time");
        return;
    }
    if (!m_stdin.add(event.payload)) {
        fault("standard input can't be held: ", errorText(errno));
        return;
    }
    if (event.end) {
        m_stdinEnded = true;
        m_stdin.end();
    }
}

// ---- from code to a running program

void Session::adopt(const Child& child)
{
    m_child = child;
    m_childrenLeft = true;
    m_stdin.setPipe(child.standardInput);
    m_stdout.setDescriptor(child.standardOutput);
    m_stderr.setDescriptor(child.standardError);
}

void Session::readReadyByte()
{
    char byte = 0;
    const ssize_t count = ::read(m_child.channel, &byte, 1);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        if (!reapSoon())
            fault("the interpreter did not wait for the code: its driver was not loaded");
        return;
    }
    m_warmth = Warmth::Ready;
    m_queue.putControl(R"({"op":"prepared"})");
    startWhenReady();
}

void Session::startWhenReady()
{
    const bool ready = m_order.kind == Kind::Cold || m_warmth == Warmth::Ready;
    if (m_phase != Phase::Receiving || !m_codeComplete || !ready)
        return;
    m_before = m_cgroup.version() != 0 ? m_cgroup.usage() : Cgroup::Usage();
    m_oomBefore = m_cgroup.oomKills();
    if (m_cgroup.version() == 0 && m_order.kind == Kind::Warm) {
        std::uint64_t processes = 0;
        m_before = usage(processes);
    }
    const std::uint64_t start = nowMicros();
    if (!(m_order.kind == Kind::Cold ? startCold() : releaseWarm()))
        return;
    m_started = start;
    m_nextSample = start + std::max<std::uint64_t>(m_order.sampleMs, 10) * kMilli;
    m_phase = Phase::Running;
    Text<256> started;
    started.add(R"({"op":"started","code_sha256":)").addQuoted(m_file.digest()).add("}");
    m_queue.putControl(started.view());
}

bool Session::startCold()
{
    if (m_warmth != Warmth::None) {
        // Prepared for nothing: it must not be there when the code runs.
        m_warmth = Warmth::None;
        m_child.pid = -1;
        closeDescriptor(m_child.channel);
        closeDescriptor(m_child.standardInput);
        m_stdout.close();
        m_stderr.close();
        killAllAndWait();
    }
    const Child child = startChild(m_launch, Kind::Cold);
    if (child.error != 0) {
        faultStart(m_launch.program(), child.error);
        return false;
    }
    adopt(child);
    m_stdin.write();
    return true;
}

bool Session::releaseWarm()
{
    const std::string_view message = m_order.goMessage.view();
    // At most 128 KiB, which a fresh socket takes at once.
    const ssize_t count =
        ::send(m_child.channel, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    closeDescriptor(m_child.channel);
    if (count == static_cast<ssize_t>(message.size()))
        return true;
    if (!reapSoon())
        fault("the waiting interpreter did not take the code");
    return false;
}

// ---- what happens to processes

void Session::reap()
{
    std::array<signalfd_siginfo, 8> infos;
    while (::read(m_signals, infos.data(), sizeof(infos)) > 0) {
        // Only the news that there is something to wait for.
    }
    while (true) {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid <= 0) {
            m_childrenLeft = pid == 0;
            return;
        }
        if (pid == m_child.pid)
            mainEnded(status);
    }
}

bool Session::reapSoon()
{
    // Its descriptors close a moment before waitpid can tell.
    pollfd signals{m_signals, POLLIN, 0};
    ::poll(&signals, 1, kLastBreathMs);
    reap();
    return m_hasStatus;
}

void Session::mainEnded(int status)
{
    m_child.pid = -1;
    m_status = status;
    m_hasStatus = true;
    m_mainEnd = nowMicros();
    if (m_phase < Phase::Running) {
        faultWarmEnd();
        return;
    }
    if (m_phase == Phase::Running || m_phase == Phase::Grace) {
        const std::uint64_t drainEnd = m_mainEnd + m_order.drainMs * kMilli;
        m_phaseEnd = m_phase == Phase::Grace ? std::min(m_phaseEnd, drainEnd) : drainEnd;
        m_phase = Phase::Settling;
    }
}

void Session::advance(std::uint64_t now)
{
    switch (m_phase) {
    case Phase::Idle:
    case Phase::Receiving:
    case Phase::Done: return;
    case Phase::Running:
        if (now >= m_started + m_order.timeoutMs * kMilli) {
            m_timedOut = true;
            m_phase = Phase::Grace;
            m_phaseEnd = now + m_order.killGraceMs * kMilli;
            m_processes.signalAll(SIGTERM);
            m_processes.signalAll(SIGCONT); // a stopped process can't handle anything else
        }
        break;
    case Phase::Grace:
        if (now >= m_phaseEnd)
            startKilling(now);
        break;
    case Phase::Settling:
        if (!m_childrenLeft)
            m_phase = Phase::Draining;
        else if (now >= m_phaseEnd)
            startKilling(now);
        break;
    case Phase::Killing: killAgain(now); break;
    case Phase::Draining:
    case Phase::Collecting: break;
    }
    if (m_phase == Phase::Draining || m_phase == Phase::Collecting)
        finishWhenDrained(now);
    else
        flushDue(now);
    sampleWhenDue(now);
}

void Session::startKilling(std::uint64_t now)
{
    const std::uint64_t alive = m_processes.scan().processes;
    const bool mainAlive = m_child.pid > 0;
    m_leftProcesses = mainAlive && alive > 0 ? alive - 1 : alive;
    m_stdin.close();
    m_phase = Phase::Killing;
    m_phaseEnd = now + kKillLimitMicros;
    m_nextKill = now;
    killAgain(now);
}

void Session::killAgain(std::uint64_t now)
{
    if (m_childrenLeft && now >= m_nextKill) {
        m_processes.signalAll(SIGKILL);
        m_nextKill = now + kKillAgainMicros;
        reap();
    }
    if (!m_childrenLeft || now >= m_phaseEnd)
        m_phase = Phase::Draining;
}

void Session::finishWhenDrained(std::uint64_t now)
{
    if (m_phase == Phase::Collecting) {
        if (m_harvest.step(m_queue, now) && sendExit())
            m_phase = Phase::Done;
        return;
    }
    for (OutputStream* stream : {&m_stdout, &m_stderr}) {
        while (stream->isOpen()) {
            if (!stream->canTake() && !stream->flush(m_queue, now))
                return;
            // Nobody is left who could write: an empty pipe that isn't at its end belongs to
            // a process that can't be killed, and the answer doesn't wait for that.
            if (stream->read(now) == OutputStream::ReadOutcome::Nothing)
                stream->close();
        }
    }
    for (OutputStream* stream : {&m_stdout, &m_stderr}) {
        if (!stream->flush(m_queue, now) || !stream->flushTail(m_queue))
            return;
    }
    m_lastSampleSent = m_lastSampleSent || !isStarted() || sendSample(now);
    if (m_lastSampleSent)
        startCollecting(now);
}

void Session::startCollecting(std::uint64_t now)
{
    m_phase = Phase::Collecting;
    // What can't be killed could still change the files (R-58), and who cancels waits for nothing.
    if (!isStarted() || m_childrenLeft || m_cancelled) {
        m_harvest.leaveOut();
        return;
    }
    const FileLimits limits{m_order.files, m_order.fileBytes, m_order.filesBytes};
    m_harvest.begin(limits, m_file.facts(), now + m_order.filesMs * kMilli);
}

void Session::killAllAndWait()
{
    const std::uint64_t limit = nowMicros() + kKillLimitMicros;
    while (m_childrenLeft && nowMicros() < limit) {
        m_processes.signalAll(SIGKILL);
        pollfd signals{m_signals, POLLIN, 0};
        ::poll(&signals, 1, static_cast<int>(kKillAgainMicros / kMilli));
        reap();
    }
}

// ---- what goes to the engine

void Session::flushDue(std::uint64_t now)
{
    for (OutputStream* stream : {&m_stdout, &m_stderr}) {
        if (stream->flushAt() <= now &&
            m_queue.hasRoomFor(kControlReserve + std::size_t{64} * 1024))
            stream->flush(m_queue, now);
    }
}

} // namespace belljar::runner
