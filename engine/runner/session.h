// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/cgroup.h"
#include "engine/runner/child.h"
#include "engine/runner/engine_queue.h"
#include "engine/runner/file_harvest.h"
#include "engine/runner/frame_reader.h"
#include "engine/runner/json_reader.h"
#include "engine/runner/launch.h"
#include "engine/runner/orders.h"
#include "engine/runner/output_stream.h"
#include "engine/runner/process_table.h"
#include "engine/runner/program_file.h"
#include "engine/runner/stdin_spool.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace belljar::runner {

/// One sandbox from `hello` to the end of the container: a single-threaded poll loop that never
/// waits for anything but poll itself. Messages and order: engine/base/adr/0002-runner-protocol.md.
class Session {
public:
    Session();

    /// Returns the exit code once the engine has closed its end, or speaks nonsense.
    int run();

private:
    /// Where the program is. Only ever goes forward.
    enum class Phase {
        Idle,      ///< nothing has been ordered
        Receiving, ///< `run` has come; the code is coming or a warm interpreter isn't ready yet
        Running,
        Grace,      ///< the deadline has passed: SIGTERM is out
        Settling,   ///< the main process has ended, others are left
        Killing,    ///< SIGKILL to everything until nothing is left
        Draining,   ///< everything is dead; what is in the pipes and the kept ends go out
        Collecting, ///< the program's files go out
        Done,       ///< the last message is in the queue
    };

    enum class Warmth { None, Starting, Ready };

    // What the engine says.
    void readEngine();
    void handleFrames();
    void handleControl(std::span<char> payload);
    void handlePrepare();
    void handleRun();
    void handleCancel();
    void handleCode(const FrameReader::Event& event);
    void handleStdin(const FrameReader::Event& event);

    // From code to a running program.
    void adopt(const Child& child);
    void readReadyByte();
    void startWhenReady();
    bool startCold();
    bool releaseWarm();

    // What happens to processes.
    void reap();
    /// For a warm interpreter that has gone silent: true when it has ended, which is then told.
    bool reapSoon();
    void mainEnded(int status);
    void advance(std::uint64_t now);
    void startKilling(std::uint64_t now);
    void killAgain(std::uint64_t now);
    void finishWhenDrained(std::uint64_t now);
    void startCollecting(std::uint64_t now);
    void killAllAndWait();

    // What goes to the engine.
    void flushDue(std::uint64_t now);
    void sampleWhenDue(std::uint64_t now);
    bool sendSample(std::uint64_t now);
    bool sendExit();
    [[nodiscard]] std::uint64_t peakBytes(const Cgroup::Usage& atEnd) const;
    void fault(std::string_view what, std::string_view detail = {});
    void faultStart(std::string_view program, int error);
    void faultWarmEnd();
    void violation(std::string_view what);

    [[nodiscard]] Cgroup::Usage usage(std::uint64_t& processes);
    [[nodiscard]] bool isLive() const { return m_phase < Phase::Done; }
    [[nodiscard]] bool isStarted() const { return m_started != 0; }
    [[nodiscard]] std::uint64_t nextWake(std::uint64_t now) const;
    void pollOnce();

    Phase m_phase = Phase::Idle;
    Warmth m_warmth = Warmth::None;
    bool m_ended = false; ///< leave the loop
    int m_exitCode = 0;

    int m_signals = -1;
    FrameReader m_reader;
    JsonDocument m_document;
    EngineQueue m_queue;
    Launch m_launch;
    RunOrder m_order;
    ProgramFile m_file;
    FileHarvest m_harvest;
    bool m_codeComplete = false;
    bool m_stdinEnded = false;

    Child m_child;
    StdinSpool m_stdin;
    OutputStream m_stdout{Channel::Stdout};
    OutputStream m_stderr{Channel::Stderr};
    ProcessTable m_processes;
    Cgroup m_cgroup;

    std::uint64_t m_started = 0; ///< nowMicros() at the start of the code
    std::uint64_t m_mainEnd = 0;
    std::uint64_t m_phaseEnd = 0; ///< of Grace, Settling, Killing
    std::uint64_t m_nextKill = 0;
    std::uint64_t m_nextSample = 0;
    int m_status = 0; ///< of the main process, as waitpid gives it
    bool m_hasStatus = false;
    bool m_childrenLeft = false;
    bool m_timedOut = false;
    bool m_cancelled = false;
    bool m_lastSampleSent = false;
    std::uint64_t m_leftProcesses = 0;
    std::uint64_t m_sampledPeak = 0;
    std::uint64_t m_oomBefore = 0;
    Cgroup::Usage m_before;
};

} // namespace belljar::runner
