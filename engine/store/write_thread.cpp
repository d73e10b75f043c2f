// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/write_thread.h"

#include "engine/base/log.h"
#include "engine/base/text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace belljar::store {

namespace {

using namespace std::chrono_literals;

constexpr auto kBatchDelay = 50ms;
constexpr auto kSyncDelay = 1s;
constexpr auto kSyncRetryDelay = 10s;
constexpr auto kIndexDelay = 200ms; ///< after a commit; a burst of runs comes first
constexpr auto kIndexPause = 2ms;   ///< between steps: a long history leaves room for others
constexpr auto kIndexRetryDelay = 10s;
constexpr std::size_t kWriteOverhead = 256; ///< of memory, for a write of no bytes
constexpr std::size_t kQueueBytes = 64U * 1024 * 1024;
constexpr std::size_t kQueueBytesForSamples = kQueueBytes / 4;
constexpr std::size_t kFlushBytes = 1024U * 1024; ///< a batch of this size needs no more company

std::size_t costOf(const Write& write)
{
    return write.bytes + kWriteOverhead;
}

} // namespace

WriteThread::WriteThread(std::unique_ptr<Writer> writer)
    : m_writer(std::move(writer))
    , m_indexAt(deadlineIn(kIndexDelay)) // what an earlier life, or an earlier Belljar, left
    , m_thread([this] { run(); })
{}

WriteThread::~WriteThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
    m_writer->noteAuditHead("closed");
}

void WriteThread::onFailure(std::function<void(Error)> report)
{
    const std::lock_guard lock(m_mutex);
    m_report = std::move(report);
}

void WriteThread::push(Write write)
{
    {
        const std::lock_guard lock(m_mutex);
        const std::size_t total = m_bytes + costOf(write);
        if (write.kind == Write::Kind::Samples && total > kQueueBytesForSamples) {
            ++m_refused.sampleWrites;
            return;
        }
        if (write.kind == Write::Kind::Output && total > kQueueBytes) {
            m_refused.outputBytes += write.bytes;
            return;
        }
        m_bytes = total;
        const bool atOnce = write.settled || m_bytes >= kFlushBytes;
        const auto now = SteadyClock::now();
        m_flushAt = std::min(m_flushAt, atOnce ? now : now + kBatchDelay);
        m_queue.push_back(std::move(write));
    }
    m_wake.notify_one();
}

bool WriteThread::isDue(Deadline now) const
{
    return m_stopping || now >= m_flushAt || now >= m_syncAt || now >= m_indexAt;
}

void WriteThread::waitUntilDue(std::unique_lock<std::mutex>& lock)
{
    while (!isDue(SteadyClock::now())) {
        const Deadline next = std::min({m_flushAt, m_syncAt, m_indexAt});
        if (next == Deadline::max())
            m_wake.wait(lock);
        else
            m_wake.wait_until(lock, next);
    }
}

void WriteThread::run()
{
    for (bool last = false; !last;) {
        std::vector<Write> batch;
        Refused refused;
        {
            std::unique_lock lock(m_mutex);
            waitUntilDue(lock);
            last = m_stopping;
            if (last || SteadyClock::now() >= m_flushAt) {
                batch.swap(m_queue);
                m_flushAt = Deadline::max();
            }
            refused = std::exchange(m_refused, {});
        }
        writeAll(std::move(batch));
        report(refused);
        reportFailures();
        if (last)
            m_syncAt = std::min(m_syncAt, SteadyClock::now());
        else
            indexIfDue();
        syncIfDue();
    }
}

void WriteThread::writeAll(std::vector<Write> batch)
{
    if (batch.empty())
        return;
    auto together = writeTogether(batch);
    if (together.end == Writer::End::NotBegun)
        return putOff(std::move(batch), 0, together.result.error());
    if (together.end == Writer::End::Committed) {
        committed();
        for (const Write& write : batch)
            settle(write, {});
        return;
    }
    for (std::size_t index = 0; index < batch.size(); ++index) {
        const Write& write = batch[index];
        const auto alone = m_writer->transaction([&] { return write.apply(*m_writer); });
        if (alone.end == Writer::End::NotBegun)
            return putOff(std::move(batch), index, alone.result.error());
        if (alone.end == Writer::End::Committed)
            committed();
        settle(write, alone.result);
    }
}

Writer::Ended WriteThread::writeTogether(const std::vector<Write>& batch)
{
    return m_writer->transaction([&]() -> Result<> {
        for (const Write& write : batch) {
            if (auto applied = write.apply(*m_writer); !applied)
                return applied;
        }
        return {};
    });
}

/// The database is held by somebody else: who waits is told, the rest is tried again while there is
/// a later.
void WriteThread::putOff(std::vector<Write> batch, std::size_t from, const Error& error)
{
    std::vector<Write> kept;
    bool stopping = false;
    {
        const std::lock_guard lock(m_mutex);
        stopping = m_stopping;
    }
    for (std::size_t index = from; index < batch.size(); ++index) {
        if (stopping || batch[index].settled)
            settle(batch[index], fail(error));
        else
            kept.push_back(std::move(batch[index]));
    }
    if (kept.empty())
        return;
    const std::lock_guard lock(m_mutex);
    kept.insert(
        kept.end(), std::make_move_iterator(m_queue.begin()), std::make_move_iterator(m_queue.end())
    );
    m_queue.swap(kept);
    m_flushAt = std::min(m_flushAt, SteadyClock::now() + kBatchDelay);
}

void WriteThread::settle(const Write& write, const Result<>& result)
{
    {
        const std::lock_guard lock(m_mutex);
        m_bytes -= costOf(write);
    }
    if (write.settled)
        return write.settled(result);
    if (result)
        return;
    if (m_failures.count++ == 0)
        m_failures.first = result.error().within(write.what + " not kept");
}

void WriteThread::committed()
{
    const auto now = SteadyClock::now();
    m_syncAt = std::min(m_syncAt, m_writer->auditHeadIsDue() ? now : now + kSyncDelay);
    m_indexAt = std::min(m_indexAt, now + kIndexDelay);
    if (auto damage = m_writer->takeAuditDamage())
        tell(Error(Errc::StoreFailed, std::move(*damage)));
}

void WriteThread::syncIfDue()
{
    if (SteadyClock::now() < m_syncAt)
        return;
    m_syncAt = Deadline::max();
    // A head that is on the disk before its rows would accuse a power cut of tampering.
    auto done = m_writer->syncToDisk();
    if (done)
        done = m_writer->keepAuditHead();
    if (done)
        return;
    tell(done.error());
    m_syncAt = SteadyClock::now() + kSyncRetryDelay;
}

void WriteThread::indexIfDue()
{
    if (SteadyClock::now() < m_indexAt)
        return;
    bool more = false;
    const auto ended = m_writer->transaction([&]() -> Result<> {
        more = m_writer->indexSome();
        return {};
    });
    m_indexAt = Deadline::max();
    if (ended.end != Writer::End::Committed) {
        m_indexAt = deadlineIn(kIndexRetryDelay);
        if (ended.end == Writer::End::RolledBack)
            tell(ended.result.error());
        return;
    }
    if (more)
        m_indexAt = deadlineIn(kIndexPause);
}

void WriteThread::report(const Refused& refused)
{
    if (refused.sampleWrites == 0 && refused.outputBytes == 0)
        return;
    tell(Error(
        Errc::StoreFailed,
        "the history is written too slowly: " + groupedDigits(refused.outputBytes) +
            " bytes of output and " + groupedDigits(refused.sampleWrites) + " samples were not kept"
    ));
}

/// One report for a batch: a full disk fails every write in it alike.
void WriteThread::reportFailures()
{
    const Failures failures = std::exchange(m_failures, {});
    if (failures.count == 0)
        return;
    std::string message = failures.first.message();
    if (failures.count > 1)
        message += " (and " + groupedDigits(failures.count - 1) + " more writes)";
    tell(Error(failures.first.code(), std::move(message)));
}

void WriteThread::tell(const Error& error)
{
    std::function<void(Error)> told;
    {
        const std::lock_guard lock(m_mutex);
        told = m_report;
    }
    if (told)
        told(error);
    else
        log::store().error("write_failed=\"{}\"", log::safe(error.message()));
}

} // namespace belljar::store
