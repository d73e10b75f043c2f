// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/pool.h"

#include "engine/base/log.h"
#include "engine/sandbox/remedy.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <utility>

namespace belljar::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr auto kCreateDeadline = 60s; // on a busy machine

/// Counts something while it lives and wakes who waits for its end.
class Counted {
public:
    Counted(std::size_t& count, asio::steady_timer& wake)
        : m_count(count)
        , m_wake(wake)
    {
        ++m_count;
    }
    ~Counted()
    {
        --m_count;
        m_wake.cancel();
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

private:
    std::size_t& m_count;
    asio::steady_timer& m_wake;
};

} // namespace

Pool::Pool(
    asio::any_io_executor executor,
    Options options,
    Surroundings surroundings,
    FindClient findClient
)
    : m_executor(executor)
    , m_options(options)
    , m_surroundings(std::move(surroundings))
    , m_findClient(std::move(findClient))
    , m_turn(executor, asio::steady_timer::time_point::max())
    , m_tasks(executor, "pool")
{}

Pool::~Pool() = default;

Pool::Shelf::Shelf(const asio::any_io_executor& executor)
    : changed(executor, asio::steady_timer::time_point::max())
{}

Pool::Kind Pool::kindOf(
    const Language& language, const execution::Limits& limits, const execution::Container& settings
)
{
    return {
        language.id,
        language.image,
        limits.memoryBytes,
        limits.cpuMillis,
        limits.pids,
        limits.workspaceBytes,
        limits.tmpBytes,
        settings.readOnlyRoot,
        settings.seccomp,
        settings.runtime};
}

Pool::Shelf& Pool::shelfFor(
    const Kind& kind,
    const Language& language,
    const execution::Limits& limits,
    const execution::Container& settings
)
{
    Shelf& shelf = m_shelves.try_emplace(kind, m_executor).first->second;
    shelf.language = language;
    shelf.limits = limits;
    shelf.settings = settings;
    shelf.lastUsed = SteadyClock::now();
    return shelf;
}

asio::awaitable<Result<std::unique_ptr<Sandbox>>> Pool::take(
    Language language, execution::Limits limits, execution::Container settings, Deadline deadline
)
{
    const Kind kind = kindOf(language, limits, settings);
    Shelf& shelf = shelfFor(kind, language, limits, settings);
    const std::uint64_t failuresBefore = shelf.failures;
    // While it waits the shelf stays; when it gives up, what was made for it serves the next.
    const Counted waiting(shelf.waiting, shelf.changed);
    while (!m_closed) {
        if (!shelf.warm.empty()) {
            std::unique_ptr<Sandbox> sandbox = std::move(shelf.warm.front());
            shelf.warm.pop_front();
            --shelf.waiting; // this one is served: only its successor is still to be made
            startCreating(kind, shelf);
            ++shelf.waiting;
            co_return std::move(sandbox);
        }
        if (shelf.failures > failuresBefore)
            co_return fail(shelf.lastFailure);
        startCreating(kind, shelf);
        if (!shelf.warm.empty() || shelf.failures > failuresBefore)
            continue; // it came to an end on the spot
        auto changed = co_await finishBy(deadline, waitForChange(shelf));
        if (!changed)
            co_return fail(Errc::TimedOut, "no sandbox could be made in time");
    }
    co_return fail(Errc::Closed, "Belljar is ending");
}

asio::awaitable<Result<bool>> Pool::waitForChange(Shelf& shelf)
{
    boost::system::error_code woken;
    co_await shelf.changed.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    co_return true;
}

asio::awaitable<void> Pool::waitForTurn()
{
    while (m_making >= m_options.maxCreating) {
        boost::system::error_code woken;
        co_await m_turn.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

asio::awaitable<Result<std::string>> Pool::imageDigest(std::string reference, Deadline deadline)
{
    auto client = co_await m_findClient(deadline);
    if (!client)
        co_return fail(client.error());
    auto image = co_await (*client)->image(reference, deadline);
    if (!image)
        co_return fail(image.error());
    co_return image->digest;
}

asio::awaitable<Result<std::unique_ptr<Sandbox>>> Pool::make(
    Language language, execution::Limits limits, execution::Container settings, Deadline deadline
)
{
    co_await waitForTurn();
    const Counted turn(m_making, m_turn);
    auto client = co_await m_findClient(deadline);
    if (!client)
        co_return fail(client.error());
    // Looked up every time: a rebuilt image must be used from the next sandbox on, by its digest
    //
    auto image = co_await (*client)->image(language.image, deadline);
    if (!image && image.error().code() == Errc::NotFound)
        co_return fail(
            Errc::ImageMissing,
            "the sandbox image " + language.image + " is not there; " + remedyFor(language)
        );
    if (!image)
        co_return fail(image.error());
    SandboxSpec spec{std::move(language), limits, std::move(settings), std::move(*image)};
    co_return co_await Sandbox::create(*client, std::move(spec), m_surroundings, deadline);
}

/// Makes as many as are waited for, and what is to be kept warm beyond them.
void Pool::startCreating(const Kind& kind, Shelf& shelf)
{
    const std::size_t wanted = shelf.waiting + warmWanted(kind.language);
    const std::size_t coming = shelf.warm.size() + shelf.creating;
    if (m_closed || coming >= wanted)
        return;
    makeRoomFor(kind);
    // Counted before the first is begun: one that fails at once must not be begun again here.
    for (std::size_t missing = wanted - coming; missing > 0; --missing) {
        ++shelf.creating;
        m_tasks.spawn("create " + kind.language, create(kind, shelf));
    }
}

asio::awaitable<void> Pool::create(Kind kind, Shelf& shelf)
{
    Language language = shelf.language;
    auto made = co_await make(
        std::move(language), shelf.limits, shelf.settings, deadlineIn(kCreateDeadline)
    );
    --shelf.creating;
    if (made && !m_closed) {
        shelf.warm.push_back(std::move(*made));
        trim(kind.language, shelf);
    } else if (!made) {
        ++shelf.failures;
        shelf.lastFailure = made.error();
        log::sandbox().warn(
            "language={} not_created={} reason=\"{}\"",
            log::safe(kind.language),
            nameOf(made.error().code()),
            log::safe(made.error().message())
        );
    }
    shelf.changed.cancel();
}

void Pool::makeRoomFor(const Kind& kind)
{
    const auto now = SteadyClock::now();
    for (auto at = m_shelves.begin(); at != m_shelves.end();) {
        const bool stale = at->first != kind && !at->second.inUse() && !at->second.kept &&
                           now - at->second.lastUsed > m_options.forgetAfter;
        at = stale ? m_shelves.erase(at) : std::next(at);
    }
    while (warmCount() >= maxWarm()) {
        auto oldest = m_shelves.end();
        for (auto at = m_shelves.begin(); at != m_shelves.end(); ++at) {
            const bool candidate = at->first != kind && !at->second.inUse() && !at->second.kept &&
                                   !at->second.warm.empty();
            if (candidate &&
                (oldest == m_shelves.end() || at->second.lastUsed < oldest->second.lastUsed))
                oldest = at;
        }
        if (oldest == m_shelves.end())
            return;
        m_shelves.erase(oldest);
    }
}

/// What a person has asked for is never too much.
std::size_t Pool::maxWarm() const
{
    std::size_t wanted = 0;
    for (const auto& [language, count] : m_wanted)
        wanted += count;
    return std::max(m_options.maxWarm, wanted);
}

void Pool::setWarm(const std::string& languageId, std::size_t count)
{
    m_wanted[languageId] = count;
    for (auto& [kind, shelf] : m_shelves) {
        if (kind.language != languageId)
            continue;
        trim(kind.language, shelf);
    }
    refill(languageId);
}

std::size_t Pool::warmWanted(const std::string& languageId) const
{
    const auto wanted = m_wanted.find(languageId);
    return wanted == m_wanted.end() ? m_options.warmPerKind : wanted->second;
}

void Pool::keepWarm(
    const Language& language, const execution::Limits& limits, const execution::Container& settings
)
{
    const Kind kind = kindOf(language, limits, settings);
    for (auto& [other, shelf] : m_shelves) {
        if (other.language == language.id)
            shelf.kept = false;
    }
    Shelf& shelf = shelfFor(kind, language, limits, settings);
    shelf.kept = true;
    startCreating(kind, shelf);
}

bool Pool::replace(const std::string& containerId)
{
    for (auto& [kind, shelf] : m_shelves) {
        const auto gone = std::erase_if(shelf.warm, [&](const auto& sandbox) {
            return sandbox->containerId() == containerId;
        });
        if (gone == 0)
            continue;
        refill(kind.language);
        return true;
    }
    return false;
}

bool Pool::isWarm(const std::string& containerId) const
{
    return std::any_of(m_shelves.begin(), m_shelves.end(), [&](const auto& row) {
        const auto& warm = row.second.warm;
        return std::any_of(warm.begin(), warm.end(), [&](const auto& sandbox) {
            return sandbox->containerId() == containerId;
        });
    });
}

/// Lets go of more than a person wants warm; those that somebody waits for stay.
void Pool::trim(const std::string& languageId, Shelf& shelf)
{
    if (!m_wanted.contains(languageId))
        return;
    while (shelf.warm.size() > shelf.waiting + m_wanted.at(languageId))
        shelf.warm.pop_back();
}

/// Makes what is missing of a language's kinds. Making room for one may take another kind away.
void Pool::refill(const std::string& languageId)
{
    std::vector<Kind> kinds;
    for (const auto& [kind, shelf] : m_shelves) {
        if (kind.language == languageId)
            kinds.push_back(kind);
    }
    for (const Kind& kind : kinds) {
        if (const auto shelf = m_shelves.find(kind); shelf != m_shelves.end())
            startCreating(kind, shelf->second);
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

asio::awaitable<void> Pool::close(Deadline deadline)
{
    m_closed = true;
    for (auto& [kind, shelf] : m_shelves)
        shelf.changed.cancel();
    m_tasks.close();
    auto joinAll = [](TaskGroup& tasks) -> asio::awaitable<Result<bool>> {
        co_await tasks.join();
        co_return true;
    };
    auto joined = co_await finishBy(deadline, joinAll(m_tasks));
    if (!joined) {
        log::sandbox().warn(
            "containers_in_creation={} reason=\"the deadline passed\"", m_tasks.size()
        );
        m_tasks.cancel();
        co_await m_tasks.join();
    }
    m_shelves.clear();
}

} // namespace belljar::sandbox
