// SPDX-License-Identifier: GPL-3.0-or-later
// The window beside programs that write much and programs that come thick: it answers and its
// memory stays.
#include "tests/support/gui_test.h"
#include "tests/support/stall_detector.h"
#include "tests/ui/sample_runs.h"
#include "ui/bridge/event_queue.h"
#include "ui/execution/output_view.h"
#include "ui/shell/main_window.h"
#include "ui/shell/theme.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <atomic>
#include <fstream>
#include <thread>

#include <malloc.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::ui;
using namespace std::chrono_literals;
using execution::Status;

namespace {

constexpr double kMostGap_ms = 100;
constexpr int kPrograms = 20;
constexpr std::size_t kPieceBytes = 64U * 1024;
constexpr auto kPieceEvery = 12800us; // with kPieceBytes 5 MB/s
constexpr auto kStreaming = 20s;
constexpr int kRunsInAMinute = 2000;

std::uint64_t residentBytes()
{
    ::malloc_trim(0); // what has been freed isn't held against anybody
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// The window with events that come as from the engine: from another thread, shown 30 times a
/// second (engine_bridge.cpp).
class Fed {
public:
    Fed()
        : m_window((std::filesystem::path(m_folder.path().toStdString()) / "history.db"), m_theme)
    {
        m_frame.setInterval(33ms);
        QObject::connect(&m_frame, &QTimer::timeout, &m_window, [this] {
            const auto events = m_queue.drain();
            if (!events.empty())
                m_window.apply(events);
        });
        m_window.resize(1280, 800);
        m_window.show();
        m_frame.start();
        QTest::qWait(300);
    }
    EventQueue& queue() { return m_queue; }
    MainWindow& window() { return m_window; }

private:
    QTemporaryDir m_folder;
    Theme m_theme;
    EventQueue m_queue;
    MainWindow m_window;
    QTimer m_frame;
};

std::string pieceOfOutput()
{
    std::string piece;
    while (piece.size() < kPieceBytes)
        piece += "\x1b[32mstep " + std::to_string(piece.size()) + "\x1b[0m done, going on\n";
    piece.resize(kPieceBytes);
    return piece;
}

} // namespace

class TestStress : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void twentyProgramsThatWrite()
    {
        Fed fed;
        for (int at = 1; at <= kPrograms; ++at)
            fed.queue().push(ExecutionChanged{test::sampleRun(at, Status::Running)});
        QTest::qWait(500);

        auto* output = fed.window().findChild<OutputView*>();
        QVERIFY(output);

        test::StallDetector stalls;
        std::atomic<bool> stop{false};
        std::uint64_t sent = 0;
        std::thread engine([&] {
            const std::string piece = pieceOfOutput();
            const auto began = std::chrono::steady_clock::now();
            for (std::int64_t round = 0; !stop; ++round) {
                for (int at = 1; at <= kPrograms; ++at) {
                    execution::OutputChunk chunk;
                    chunk.bytes = piece;
                    chunk.offset = static_cast<std::uint64_t>(round) * piece.size();
                    fed.queue().push(OutputAppended{
                        ExecutionId("ex_" + std::to_string(at)), {chunk}});
                    sent += piece.size();
                }
                std::this_thread::sleep_until(began + (round + 1) * kPieceEvery);
            }
        });
        QTest::qWait(std::chrono::milliseconds(kStreaming / 4).count());
        const std::uint64_t before = residentBytes();
        QTest::qWait(std::chrono::milliseconds(kStreaming * 3 / 4).count());
        stop = true;
        engine.join();
        QTest::qWait(200);
        const std::uint64_t after = residentBytes();
        qInfo(
            "%llu MB in all; longest gap %.0f ms (%.0f on the wall); memory %llu MB, then %llu MB",
            static_cast<unsigned long long>(sent >> 20U),
            stalls.longest_ms(),
            stalls.longestOnTheWall_ms(),
            static_cast<unsigned long long>(before >> 20U),
            static_cast<unsigned long long>(after >> 20U)
        );
        QVERIFY(
            output->lines().droppedLines() > LineStore::kMaxLines
        ); // one was looked at all the time
        QVERIFY(stalls.longest_ms() <= kMostGap_ms);
        QVERIFY(after < before + before / 5);
    }

    void twoThousandRunsInAMinute()
    {
        Fed fed;
        test::StallDetector stalls;
        std::thread engine([&] {
            const auto began = std::chrono::steady_clock::now();
            for (int at = 1; at <= kRunsInAMinute; ++at) {
                for (const Status status :
                     {Status::Received, Status::Queued, Status::Running, Status::Succeeded})
                    fed.queue().push(ExecutionChanged{test::sampleRun(at, status)});
                std::this_thread::sleep_until(began + at * 60s / kRunsInAMinute);
            }
        });
        QTest::qWait(std::chrono::milliseconds(20s).count());
        const std::uint64_t before = residentBytes();
        QTest::qWait(std::chrono::milliseconds(40s).count());
        engine.join();
        QTest::qWait(200);
        const std::uint64_t after = residentBytes();
        qInfo(
            "longest gap %.0f ms (%.0f on the wall); memory %llu MB, then %llu MB",
            stalls.longest_ms(),
            stalls.longestOnTheWall_ms(),
            static_cast<unsigned long long>(before >> 20U),
            static_cast<unsigned long long>(after >> 20U)
        );
        QVERIFY(stalls.longest_ms() <= kMostGap_ms);
        QVERIFY(after < before + before / 5);
    }
};

BELLJAR_GUI_TEST_MAIN(TestStress)
#include "tst_stress.moc"
