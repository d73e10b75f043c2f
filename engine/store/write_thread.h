// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/deadline.h"
#include "engine/base/result.h"
#include "engine/store/writer.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace belljar::store {

/// One write on its way to the database.
struct Write {
    enum class Kind : std::uint8_t { State, Output, Samples };

    Kind kind = Kind::State;
    std::string what;                       ///< for messages: "output of ex_..."
    std::size_t bytes = 0;                  ///< of its payload
    std::function<Result<>(Writer&)> apply; ///< on the store thread; may be called twice
    /// Somebody waits: called on the store thread once it is committed, or has failed.
    std::function<void(const Result<>&)> settled;
};

/// The store thread and its queue.
///
/// Writes are applied in order, in transactions of many: a batch begins at most 50 ms after its
/// first write came, and at once when somebody waits for one. Where one write of a batch fails, the
/// batch is done again one by one, so a failure takes only itself back. Where another process holds
/// the database, awaited writes fail and the others stay queued. What has ended is made findable by
/// text in small transactions of their own, while nothing is queued. 1 s after a commit at most,
/// the log is synced to disk, and then the head of the audit log is written (audit/head.h).
///
/// The queue is bounded by bytes. Awaited writes and states are always taken: those who wait for
/// them bound their number. Samples are refused first, at a quarter of the bound, output at the
/// bound; what is refused is counted and reported as a failure.
class WriteThread {
public:
    explicit WriteThread(std::unique_ptr<Writer> writer);

    /// Writes what is queued, then ends.
    ~WriteThread();

    WriteThread(const WriteThread&) = delete;
    WriteThread& operator=(const WriteThread&) = delete;

    /// Any thread; never waits for the database.
    void push(Write write);

    /// `report` is called on the store thread.
    void onFailure(std::function<void(Error)> report);

private:
    struct Refused {
        std::size_t sampleWrites = 0;
        std::size_t outputBytes = 0;
    };
    struct Failures {
        Error first;
        std::size_t count = 0;
    };

    void run();
    bool isDue(Deadline now) const;
    void waitUntilDue(std::unique_lock<std::mutex>& lock);
    void writeAll(std::vector<Write> batch);
    Writer::Ended writeTogether(const std::vector<Write>& batch);
    void putOff(std::vector<Write> batch, std::size_t from, const Error& error);
    void settle(const Write& write, const Result<>& result);
    void committed();
    void syncIfDue();
    void indexIfDue();
    void report(const Refused& refused);
    void reportFailures();
    void tell(const Error& error);

    const std::unique_ptr<Writer> m_writer; ///< the store thread's
    Failures m_failures;                    ///< the store thread's: of this batch
    Deadline m_syncAt = Deadline::max();    ///< the store thread's
    Deadline m_indexAt; ///< the store thread's: when more may wait to be indexed

    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_wake;
    std::vector<Write> m_queue;
    std::size_t m_bytes = 0;              ///< queued or being written
    Deadline m_flushAt = Deadline::max(); ///< when the queue has to be written
    bool m_stopping = false;
    Refused m_refused;
    std::function<void(Error)> m_report;

    std::thread m_thread; ///< last: it uses all of the above
};

} // namespace belljar::store
