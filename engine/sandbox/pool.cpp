// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/pool.h"

#include "engine/base/log.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>

namespace belljar::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr auto kRefillDeadline = 30s;

/// Counts one creation while it lives and wakes who waits for a turn when it ends.
class Turn {
public:
    Turn(std::size_t& count, asio::steady_timer& wake)
        : m_count(count)
        , m_wake(wake)
    {
        ++m_count;
    }
    ~Turn()
    {
        --m_count;
        m_wake.cancel();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    std::size_t& m_count;
    asio::steady_timer& m_wake;
};

} // namespace

Pool::Pool(asio::any_io_executor executor, Options options, Surroundings surroundings, FindClient findClient)
    : m_executor(executor)
    , m_options(options)
    , m_surroundings(std::move(surroundings))
    , m_findClient(std::move(findClient))
    , m_turn(executor, asio::steady_timer::time_point::max())
    , m_tasks(executor, "pool")
{
}

Pool::~Pool() = default;

asio::awaitable<Result<std::unique_ptr<Sandbox>>>
Pool::take(Language language, execution::Limits limits, Deadline deadline)
{
    if (m_closed)
        co_return fail(Errc::Closed, "Belljar is ending");
    const Kind kind{language.id, limits.memoryBytes, limits.cpuMillis, limits.pids};
    Shelf& shelf = m_shelves[kind];
    shelf.language = language;
    shelf.limits = limits;
    shelf.lastUsed = SteadyClock::now();
    if (!shelf.warm.empty()) {
        std::unique_ptr<Sandbox> sandbox = std::move(shelf.warm.front());
        shelf.warm.pop_front();
        startRefill(kind);
        co_return std::move(sandbox);
    }
    auto made = co_await make(std::move(language), limits, deadline);
    if (made)
        startRefill(kind);
    co_return std::move(made);
}

asio::awaitable<void> Pool::waitForTurn()
{
    while (m_creating >= m_options.maxCreating) {
        boost::system::error_code woken;
        co_await m_turn.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

asio::awaitable<Result<std::unique_ptr<Sandbox>>>
Pool::make(Language language, execution::Limits limits, Deadline deadline)
{
    co_await waitForTurn();
    const Turn turn(m_creating, m_turn);
    auto client = co_await m_findClient(deadline);
    if (!client)
        co_return fail(client.error());
    // Looked up every time: a rebuilt image must be used from the next sandbox on, by its digest.
    auto image = co_await (*client)->image(language.image, deadline);
    if (!image && image.error().code() == Errc::NotFound)
        co_return fail(
            Errc::ImageMissing, "the sandbox image " + language.image
                + " is not there yet; build it with: belljar images build " + language.id
        );
    if (!image)
        co_return fail(image.error());
    SandboxSpec spec{std::move(language), limits, std::move(*image)};
    co_return co_await Sandbox::create(*client, std::move(spec), m_surroundings, deadline);
}

void Pool::startRefill(const Kind& kind)
{
    const Shelf& shelf = m_shelves.at(kind);
    if (m_closed || shelf.warm.size() + shelf.creating >= m_options.warmPerKind)
        return;
    m_tasks.spawn("refill " + kind.language, refill(kind));
}

asio::awaitable<void> Pool::refill(Kind kind)
{
    makeRoomFor(kind);
    const auto found = m_shelves.find(kind);
    if (found == m_shelves.end() || m_closed)
        co_return;
    ++found->second.creating;
    Language language = found->second.language;
    auto made = co_await make(std::move(language), found->second.limits, deadlineIn(kRefillDeadline));
    // The shelf stays while something is being made for it: makeRoomFor() leaves such shelves alone.
    Shelf& shelf = found->second;
    --shelf.creating;
    if (!made && !m_closed) {
        log::sandbox().warn(
            "language={} refill_failed={} reason=\"{}\"", log::safe(kind.language), nameOf(made.error().code()),
            log::safe(made.error().message())
        );
    }
    if (!made || m_closed)
        co_return;
    shelf.warm.push_back(std::move(*made));
}

void Pool::makeRoomFor(const Kind& kind)
{
    const auto now = SteadyClock::now();
    for (auto at = m_shelves.begin(); at != m_shelves.end();) {
        const bool stale = at->first != kind && at->second.creating == 0 && now - at->second.lastUsed > m_options.forgetAfter;
        at = stale ? m_shelves.erase(at) : std::next(at);
    }
    while (warmCount() >= m_options.maxWarm) {
        auto oldest = m_shelves.end();
        for (auto at = m_shelves.begin(); at != m_shelves.end(); ++at) {
            const bool candidate = at->first != kind && at->second.creating == 0 && !at->second.warm.empty();
            if (candidate && (oldest == m_shelves.end() || at->second.lastUsed < oldest->second.lastUsed))
                oldest = at;
        }
        if (oldest == m_shelves.end())
            return;
        m_shelves.erase(oldest);
    }
}

std::size_t Pool::warmCount() const
{
    std::size_t count = 0;
    for (const auto& [kind, shelf] : m_shelves)
        count += shelf.warm.size();
    return count;
}

void Pool::dropWarm(std::string_view languageId)
{
    for (auto& [kind, shelf] : m_shelves) {
        if (languageId.empty() || kind.language == languageId)
            shelf.warm.clear();
    }
}

asio::awaitable<void> Pool::close()
{
    m_closed = true;
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
    m_shelves.clear();
}

} // namespace belljar::sandbox
