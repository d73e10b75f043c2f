// SPDX-License-Identifier: GPL-3.0-or-later
// The store thread, the engine thread and readers at once; made for ThreadSanitizer, so no Qt
// events.
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/task_group.h"

#include <atomic>
#include <thread>

#include "store_fixture.h"

using namespace belljar;
using namespace belljar::execution;
using namespace belljar::test;

namespace {

constexpr int kExecutions = 60;
constexpr std::uint64_t kChunks = 20;

/// One run as the engine writes it.
asio::awaitable<void> live(store::Store& store, std::atomic<int>& ended)
{
    const std::string code = "print('thread')\n";
    auto record = co_await store.received(recordFor(code), text(code));
    if (!record)
        co_return;
    record->status = Status::Running;
    store.update(*record);
    for (std::uint64_t index = 0; index < kChunks; ++index) {
        std::vector<OutputChunk> chunks(1);
        chunks[0].offset = index;
        chunks[0].bytes = std::string(400, 'x');
        store.append(record->id, std::move(chunks));
        std::vector<Sample> samples(1);
        samples[0].memoryBytes = index;
        store.append(record->id, std::move(samples));
    }
    record->status = Status::Succeeded;
    auto committed = co_await store.commit(*record);
    if (committed)
        ++ended;
}

/// Reads until everything is there; what it sees of a final execution has to be whole.
void readAll(
    const std::filesystem::path& file, const std::atomic<bool>& stop, std::atomic<int>& faults
)
{
    auto reader = store::HistoryReader::open(file);
    if (!reader) {
        ++faults;
        return;
    }
    while (!stop) {
        auto records = reader->page({});
        if (!records) {
            ++faults;
            return;
        }
        for (const Record& record : *records) {
            if (record.status != Status::Succeeded)
                continue;
            const auto output = reader->output(record.id);
            const auto code = reader->code(record.id);
            if (!output || output->size() != kChunks || !code)
                ++faults;
        }
    }
}

} // namespace
#endif

class TestStoreThreads : public QObject {
    Q_OBJECT

private slots:
    void writesWhileTwoReadersRead()
    {
        History history;
        std::atomic<int> ended = 0;
        std::atomic<int> faults = 0;
        std::atomic<bool> stop = false;
        std::thread first([&] { readAll(history.file, stop, faults); });
        std::thread second([&] { readAll(history.file, stop, faults); });
        {
            TaskGroup runs(history.context.get_executor(), "runs");
            for (int count = 0; count < kExecutions; ++count)
                runs.spawn("run", live(*history.store, ended));
            history.context.run_for(kLongestWait);
        }
        stop = true;
        first.join();
        second.join();

        QCOMPARE(ended.load(), kExecutions);
        QCOMPARE(faults.load(), 0);
        QCOMPARE(history.reader().count().value(), static_cast<std::uint64_t>(kExecutions));
    }

    void cancelsAndEndsWhileWriting()
    {
        for (int round = 0; round < 20; ++round) {
            History history;
            std::atomic<int> ended = 0;
            TaskGroup runs(history.context.get_executor(), "runs");
            for (int count = 0; count < 10; ++count)
                runs.spawn("run", live(*history.store, ended));
            for (int step = 0; step < round; ++step)
                history.context.run_one_for(kLongestWait);
            runs.cancel();
            history.context.run_for(kLongestWait);
            QCOMPARE(runs.size(), 0U);
            history.store.reset();
            // Everything that was begun is there whole: a row has its code.
            auto reader = history.reader();
            const auto records = reader.page({}).value();
            for (const Record& record : records) {
                const auto code = reader.code(record.id);
                QVERIFY2(code, code ? "" : code.error().message().c_str());
            }
        }
    }

    void writesFromSeveralThreads()
    {
        History history;
        const Record record = history.receive();
        std::vector<std::thread> threads;
        for (int count = 0; count < 3; ++count)
            threads.emplace_back([&] {
                for (std::uint64_t index = 0; index < 200; ++index)
                    history.store->append(record.id, std::vector<OutputChunk>(1));
            });
        for (std::thread& thread : threads)
            thread.join();
        history.store.reset();

        QCOMPARE(history.reader().output(record.id).value().size(), 600U);
    }
};

QTEST_GUILESS_MAIN(TestStoreThreads)
#include "tst_store_threads.moc"
