// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/bridge/event_queue.h"

#include <thread>

using namespace belljar;
using namespace belljar::ui;
using execution::OutputChunk;
using execution::Sample;
using execution::Status;
using execution::Stream;

namespace {

ExecutionChanged changed(const std::string& id, Status status)
{
    ExecutionChanged event;
    event.record.id = ExecutionId(id);
    event.record.status = status;
    return event;
}

OutputAppended output(const std::string& id, const std::string& bytes)
{
    return {ExecutionId(id), {{Stream::Stdout, 0, bytes}}};
}

SamplesTaken sample(const std::string& id)
{
    return {ExecutionId(id), {Sample{}}};
}

} // namespace
#endif

class TestEventQueue : public QObject {
    Q_OBJECT

private slots:
    void wakesTheReaderOnce();
    void joinsOutputOfOneExecution();
    void keepsTheOrderAroundAChangeOfState();
    void dropsSamplesAloneWhenItIsFull();
    void handsEverythingAcrossThreads();
};

void TestEventQueue::wakesTheReaderOnce()
{
    EventQueue queue;
    QVERIFY(queue.push(sample("a")));
    QVERIFY(!queue.push(sample("b")));
    QCOMPARE(queue.drain().size(), std::size_t(2));
    QVERIFY(queue.push(sample("a")));
}

void TestEventQueue::joinsOutputOfOneExecution()
{
    EventQueue queue;
    queue.push(output("a", "1"));
    queue.push(output("b", "2"));
    queue.push(output("a", "3"));
    const auto events = queue.drain();
    QCOMPARE(events.size(), std::size_t(2));
    QCOMPARE(std::get<OutputAppended>(events[0]).chunks.size(), std::size_t(2));
}

void TestEventQueue::keepsTheOrderAroundAChangeOfState()
{
    EventQueue queue;
    queue.push(output("a", "1"));
    queue.push(changed("a", Status::Succeeded));
    queue.push(output("a", "2"));
    queue.push(changed("b", Status::Queued));
    queue.push(changed("b", Status::Running));
    const auto events = queue.drain();
    QCOMPARE(events.size(), std::size_t(4));
    QVERIFY(std::get<ExecutionChanged>(events[3]).record.status == Status::Running);
}

void TestEventQueue::dropsSamplesAloneWhenItIsFull()
{
    EventQueue queue;
    for (std::size_t index = 0; index < EventQueue::kMaxEvents * 2; ++index) {
        queue.push(sample("s" + std::to_string(index)));
        queue.push(changed("c" + std::to_string(index), Status::Received));
    }
    std::size_t changes = 0;
    for (const Event& event : queue.drain())
        changes += std::holds_alternative<ExecutionChanged>(event) ? 1U : 0U;
    QCOMPARE(changes, EventQueue::kMaxEvents * 2);
}

void TestEventQueue::handsEverythingAcrossThreads()
{
    constexpr std::size_t kPieces = 20'000;
    EventQueue queue;
    std::size_t received = 0;
    std::thread writer([&queue] {
        for (std::size_t index = 0; index < kPieces; ++index)
            queue.push(output("a", "x"));
    });
    while (received < kPieces) {
        for (const Event& event : queue.drain())
            received += std::get<OutputAppended>(event).chunks.size();
    }
    writer.join();
    QCOMPARE(received, kPieces);
}

QTEST_GUILESS_MAIN(TestEventQueue)
#include "tst_event_queue.moc"
