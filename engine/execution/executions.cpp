// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execution/executions.h"

#include "engine/execution/pipeline.h"
#include "engine/store/history_reader.h"
#include "engine/store/store.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

namespace belljar::execution {

namespace {

/// Ended executions whose output stays in memory, so that collecting a result costs no database
/// read.
constexpr std::size_t kRecentlyEnded = 32;
constexpr auto kMinute = std::chrono::minutes(1);

/// Blocking; runs on the reader thread.
asio::awaitable<Result<Snapshot>> readSnapshot(std::filesystem::path file, ExecutionId id)
{
    auto reader = store::HistoryReader::open(file);
    if (!reader)
        co_return fail(reader.error());
    auto record = reader->record(id);
    if (!record)
        co_return fail(record.error());
    auto output = reader->output(id);
    if (!output)
        co_return fail(output.error());
    auto report = reader->report(id);
    if (!report)
        co_return fail(report.error());
    Snapshot snapshot;
    snapshot.record = std::move(*record);
    snapshot.output = std::move(*output);
    snapshot.report = report->value_or(analysis::Report());
    co_return std::move(snapshot);
}

} // namespace

class Executions::Impl {
public:
    Impl(
        asio::any_io_executor executor,
        Options options,
        store::Store& store,
        sandbox::Pool& pool,
        const sandbox::Languages& languages,
        approval::Gate& gate,
        Observer observer
    )
        : m_executor(executor)
        , m_options(options)
        , m_store(store)
        , m_gate(gate)
        , m_pipeline(
              executor, options.maxRunning, store, pool, languages, gate, std::move(observer)
          )
        , m_tasks(executor, "executions")
    {}

    Result<std::shared_ptr<Entry>> begin(Request request, Elicit elicit, std::shared_ptr<Impl> self)
    {
        if (m_closed)
            return fail(Errc::Closed, "Belljar is ending");
        if (m_active.size() >= m_options.maxRunning + m_options.maxWaiting)
            return fail(
                Errc::Busy,
                std::to_string(m_active.size()) +
                    " executions are waiting already; try again in a few seconds"
            );
        if (auto allowed = countRequest(request.client); !allowed)
            return fail(allowed.error());
        auto entry = std::make_shared<Entry>(m_executor, std::move(request), std::move(elicit));
        m_active.emplace(entry->record.id, entry);
        m_tasks.spawn(entry->record.id.text(), drive(entry, std::move(self)));
        return entry;
    }

    std::shared_ptr<Entry> find(const ExecutionId& id) const
    {
        if (const auto found = m_active.find(id); found != m_active.end())
            return found->second;
        const auto ended = std::find_if(m_ended.begin(), m_ended.end(), [&id](const auto& entry) {
            return entry->record.id == id;
        });
        return ended == m_ended.end() ? nullptr : *ended;
    }

    asio::awaitable<Result<Snapshot>> fromHistory(ExecutionId id)
    {
        auto read = readSnapshot(m_store.file(), std::move(id));
        co_return co_await asio::co_spawn(m_reader, std::move(read), asio::use_awaitable);
    }

    asio::awaitable<void> close()
    {
        m_closed = true;
        for (const auto& [id, entry] : m_active)
            m_pipeline.interrupt(*entry);
        co_await m_tasks.join();
    }

    asio::any_io_executor m_executor;
    Options m_options;
    store::Store& m_store;
    approval::Gate& m_gate;
    std::unordered_map<ClientId, std::deque<SteadyClock::time_point>>
        m_lastMinute; ///< when each client's requests came
    Pipeline m_pipeline;
    std::unordered_map<ExecutionId, std::shared_ptr<Entry>> m_active;
    std::deque<std::shared_ptr<Entry>> m_ended; ///< newest last, at most kRecentlyEnded

private:
    /// at most so many a minute as the client's policy says.
    Result<> countRequest(const Client& client)
    {
        const auto policy = m_gate.policyFor(client);
        auto& times = m_lastMinute[client.id];
        const auto now = SteadyClock::now();
        while (!times.empty() && now - times.front() >= kMinute)
            times.pop_front();
        const std::uint32_t most = policy->policy.requestsPerMinute;
        if (times.size() >= most) {
            const auto left = kMinute - (now - times[times.size() - most]);
            const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
            return fail(
                Errc::Busy,
                "this client has sent " + std::to_string(times.size()) +
                    " programs in the last minute, the most that policy " + policy->name +
                    " allows; try again in " + std::to_string(seconds) + " s"
            );
        }
        times.push_back(now);
        return {};
    }

    asio::awaitable<void> drive(std::shared_ptr<Entry> entry, std::shared_ptr<Impl> self)
    {
        co_await self->m_pipeline.drive(entry);
        self->m_active.erase(entry->record.id);
        if (!entry->recorded)
            co_return;
        self->m_ended.push_back(std::move(entry));
        if (self->m_ended.size() > kRecentlyEnded)
            self->m_ended.pop_front();
    }

    bool m_closed = false;
    asio::thread_pool m_reader{1};
    TaskGroup m_tasks;
};

Executions::Executions(
    asio::any_io_executor executor,
    Options options,
    store::Store& store,
    sandbox::Pool& pool,
    const sandbox::Languages& languages,
    approval::Gate& gate,
    Observer observer
)
    : m_impl(std::make_shared<Impl>(
          std::move(executor), options, store, pool, languages, gate, std::move(observer)
      ))
{}

Executions::~Executions() = default;

asio::awaitable<Result<Record>> Executions::submit(Request request, Elicit elicit)
{
    auto entry = m_impl->begin(std::move(request), std::move(elicit), m_impl);
    if (!entry)
        co_return fail(entry.error());
    while (!(*entry)->recorded && !(*entry)->recordError) {
        boost::system::error_code woken;
        co_await (*entry)->changed.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if ((*entry)->recordError)
        co_return fail(*(*entry)->recordError);
    co_return (*entry)->record;
}

asio::awaitable<Result<Snapshot>>
Executions::wait(ExecutionId id, ClientId owner, Deadline deadline)
{
    const auto hidden = [&](const Record& record) {
        return !owner.empty() && record.client.id != owner;
    };
    const std::string missing = "there is no execution " + id.text();
    auto entry = m_impl->find(id);
    if (!entry) {
        auto snapshot = co_await m_impl->fromHistory(id);
        if (!snapshot)
            co_return fail(snapshot.error());
        if (hidden(snapshot->record))
            co_return fail(Errc::NotFound, missing);
        co_return std::move(snapshot);
    }
    if (hidden(entry->record))
        co_return fail(Errc::NotFound, missing);
    asio::steady_timer limit(co_await asio::this_coro::executor, deadline);
    limit.async_wait([entry](const boost::system::error_code& error) {
        if (!error)
            entry->changed.cancel();
    });
    while (!entry->ended && SteadyClock::now() < deadline) {
        boost::system::error_code woken;
        co_await entry->changed.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    co_return entry->snapshot;
}

void Executions::cancel(const ExecutionId& id, const std::string& reason)
{
    if (const auto found = m_impl->m_active.find(id); found != m_impl->m_active.end())
        m_impl->m_pipeline.cancel(*found->second, reason);
}

void Executions::clientLeft(const ClientId& client, const std::string& reason)
{
    m_impl->m_lastMinute.erase(client);
    for (const auto& [id, entry] : m_impl->m_active) {
        if (entry->record.client.id == client && entry->endsWithClient)
            m_impl->m_pipeline.cancel(*entry, reason);
    }
}

std::shared_ptr<void> Executions::watch(const ExecutionId& id, Listener listener)
{
    const auto entry = m_impl->find(id);
    if (!entry)
        return nullptr;
    auto shared = std::make_shared<Listener>(std::move(listener));
    entry->listeners.push_back(shared);
    return shared;
}

void Executions::setMaxRunning(std::uint32_t count)
{
    m_impl->m_options.maxRunning = count;
    m_impl->m_pipeline.setMaxRunning(count);
}

void Executions::setPaused(bool paused)
{
    m_impl->m_pipeline.setPaused(paused);
    for (const auto& [id, entry] : m_impl->m_active)
        m_impl->m_pipeline.tellPause(*entry);
}

bool Executions::isPaused() const
{
    return m_impl->m_pipeline.isPaused();
}

std::vector<Record> Executions::active() const
{
    std::vector<Record> records;
    for (const auto& [id, entry] : m_impl->m_active)
        records.push_back(entry->record);
    return records;
}

asio::awaitable<void> Executions::close(Deadline deadline)
{
    auto closing = [](std::shared_ptr<Impl> impl) -> asio::awaitable<Result<>> {
        co_await impl->close();
        co_return Result<>();
    };
    auto closed = co_await finishBy(deadline, closing(m_impl));
    static_cast<void>(closed); // what didn't end in time becomes interrupted at the next start
}

} // namespace belljar::execution
