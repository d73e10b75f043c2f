// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox_desk.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/base/paths.h"
#include "engine/base/text.h"
#include "engine/execution/executions.h"
#include "engine/images/builder.h"
#include "engine/policy/keeper.h"
#include "engine/sandbox/pool.h"
#include "engine/sandbox/reaper.h"

#include <algorithm>
#include <utility>

namespace belljar {

namespace {

using namespace std::chrono_literals;

constexpr auto kDockerCallDeadline = 30s;
constexpr auto kImageBuildDeadline = 30min;
constexpr auto kRound = 1s;         ///< between two readings of a container
constexpr auto kRoundDeadline = 2s; ///< for all readings of one round
constexpr auto kGathering = 50ms;   ///< what changes within it is told at once
constexpr unsigned kPrivate = 0600;
constexpr std::size_t kShortId = 12;
constexpr auto kTryDeadline = 60s; ///< for a sandbox to start in an image that is tried
constexpr auto kTryTimeout = 20s;  ///< for its first program
constexpr std::size_t kSaidBytes = 300;
constexpr std::string_view kHello = "hello world\n";

std::string shortId(const std::string& id)
{
    return escapeForLine(prefixWithin(id, kShortId));
}

} // namespace

SandboxDesk::SandboxDesk(const asio::any_io_executor& executor, Parts parts)
    : m_parts(std::move(parts))
    , m_tasks(executor, "sandbox desk")
{
    for (const sandbox::Language& language : m_parts.languages.all())
        m_shipped[language.id] = language.image;
}

void SandboxDesk::takeUp()
{
    const auto text = policy::readTrusted(m_parts.choicesFile);
    if (!text && text.error().code() == Errc::NotFound)
        return;
    const auto choices = text ? sandbox::parseChoices(*text) : fail(text.error());
    if (!choices) {
        m_problem = choices.error().within(m_parts.choicesFile.string()).message();
        log::engine().warn("sandbox_choices=\"{}\"", log::safe(m_problem));
        return;
    }
    m_choices = *choices;
    for (const auto& [language, size] : m_choices.poolSizes)
        m_parts.pool.setWarm(language, size);
    for (const auto& [language, reference] : m_choices.images)
        m_parts.languages.setImage(language, reference);
}

void SandboxDesk::keepWarm()
{
    if (!m_parts.dockerIsThere())
        return;
    for (const auto& [id, size] : m_choices.poolSizes) {
        const sandbox::Language* language = m_parts.languages.find(id);
        if (!language || size == 0)
            continue;
        sandbox::Language kept = *language;
        Usual usual = m_parts.usual(kept.id);
        if (!usual.image.empty())
            kept.image = std::move(usual.image);
        m_parts.pool.keepWarm(kept, usual.limits, usual.settings);
    }
}

asio::awaitable<void> SandboxDesk::close()
{
    m_watched = false;
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
}

// --- what is told ---

asio::awaitable<void> SandboxDesk::perform(WatchSandboxes command)
{
    m_watched = command.watching;
    if (!m_watched)
        co_return;
    tell();
    if (!std::exchange(m_telling, true))
        m_tasks.spawn("tell of the sandboxes", keepTelling());
}

void SandboxDesk::changed()
{
    if (m_watched && !std::exchange(m_tellingSoon, true))
        m_tasks.spawn("tell of a change", tellSoon());
}

asio::awaitable<void> SandboxDesk::tellSoon()
{
    co_await sleepUntil(deadlineIn(kGathering));
    m_tellingSoon = false;
    if (m_watched)
        tell();
}

asio::awaitable<void> SandboxDesk::keepTelling()
{
    while (m_watched) {
        const Deadline next = deadlineIn(kRound);
        co_await measure(deadlineIn(kRoundDeadline));
        changed();
        co_await sleepUntil(next);
    }
    m_readings.clear();
    m_telling = false;
}

/// One reading of each container, one after the other: they take milliseconds, and an engine that
/// is slow isn't asked more.
asio::awaitable<void> SandboxDesk::measure(Deadline deadline)
{
    if (!m_parts.dockerIsThere() || m_parts.reaper.residents().empty())
        co_return m_readings.clear();
    auto client = co_await m_parts.client(deadline);
    if (!client)
        co_return;
    std::vector<std::string> ids;
    for (const auto& [id, resident] : m_parts.reaper.residents()) {
        if (!resident.ending)
            ids.push_back(id);
    }
    for (const std::string& id : ids) {
        const auto stats = co_await (*client)->stats(id, deadline);
        if (!stats && stats.error().code() == Errc::TimedOut)
            break;
        take(id, stats);
    }
    std::erase_if(m_readings, [this](const auto& reading) {
        return !m_parts.reaper.residents().contains(reading.first);
    });
}

void SandboxDesk::take(const std::string& id, const Result<docker::ContainerStats>& stats)
{
    const Reading before = std::exchange(m_readings[id], {});
    Reading& now = m_readings[id];
    now.name = before.name;
    now.at = SteadyClock::now();
    if (!stats)
        return;
    now.name = stats->name;
    now.cpuNanos = stats->cpuNanos;
    now.memoryBytes = stats->memoryBytes;
    if (!now.cpuNanos || !before.cpuNanos || *now.cpuNanos < *before.cpuNanos)
        return;
    const std::chrono::duration<double, std::nano> span = now.at - before.at;
    constexpr double kLeastNanos = 1e8; // less says nothing: the engine counts in ticks of 10 ms
    if (span.count() >= kLeastNanos)
        now.cpuPercent =
            100.0 * static_cast<double>(*now.cpuNanos - *before.cpuNanos) / span.count();
}

void SandboxDesk::tell()
{
    SandboxesChanged told;
    told.sandboxes = sandboxes();
    told.pools = pools(told.sandboxes);
    told.problem = m_problem;
    m_parts.emit(std::move(told));
}

std::vector<SandboxStatus> SandboxDesk::sandboxes() const
{
    std::map<std::string, ExecutionId> busy;
    for (const execution::Record& record : m_parts.executions.active()) {
        if (!record.containerId.empty())
            busy[record.containerId] = record.id;
    }
    std::vector<SandboxStatus> all;
    for (const auto& [id, resident] : m_parts.reaper.residents()) {
        SandboxStatus status;
        status.id = id;
        status.language = resident.language;
        status.image = resident.image;
        status.imageDigest = resident.imageDigest;
        status.madeAt = resident.madeAt;
        status.limits = resident.limits;
        const auto runs = busy.find(id);
        if (resident.ending) {
            status.state = SandboxState::Ending;
        } else if (runs != busy.end()) {
            status.state = SandboxState::Busy;
            status.execution = runs->second;
        } else if (m_parts.pool.isWarm(id)) {
            status.state = SandboxState::Warm;
        }
        if (const auto reading = m_readings.find(id); reading != m_readings.end()) {
            status.name = reading->second.name;
            status.cpuPercent = reading->second.cpuPercent;
            status.memoryBytes = reading->second.memoryBytes;
        }
        all.push_back(std::move(status));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& one, const auto& other) {
        return one.madeAt < other.madeAt;
    });
    return all;
}

std::vector<PoolStatus> SandboxDesk::pools(const std::vector<SandboxStatus>& all) const
{
    std::vector<PoolStatus> told;
    for (const sandbox::Language& language : m_parts.languages.all()) {
        PoolStatus pool;
        pool.language = language.id;
        pool.title = language.title;
        pool.wanted = static_cast<std::uint32_t>(m_parts.pool.warmWanted(language.id));
        pool.most = mostWarm(language.id);
        for (const SandboxStatus& one : all) {
            if (one.language != language.id)
                continue;
            pool.starting += one.state == SandboxState::Starting ? 1 : 0;
            pool.warm += one.state == SandboxState::Warm ? 1 : 0;
            pool.busy += one.state == SandboxState::Busy ? 1 : 0;
        }
        told.push_back(std::move(pool));
    }
    return told;
}

/// What the other languages leave of what may be kept warm together.
std::uint32_t SandboxDesk::mostWarm(const std::string& language) const
{
    std::uint32_t others = 0;
    for (const auto& [other, size] : m_choices.poolSizes)
        others += other == language ? 0 : size;
    return std::min(sandbox::kMostWarm, sandbox::kMostWarmTogether - others);
}

// --- what is done ---

void SandboxDesk::answer(std::uint64_t token, const Result<>& outcome)
{
    SandboxCommandDone done;
    done.token = token;
    if (!outcome)
        done.error = outcome.error();
    m_parts.emit(std::move(done));
    changed();
}

asio::awaitable<void> SandboxDesk::perform(KillSandbox command)
{
    answer(command.token, kill(command.id));
    co_return;
}

Result<> SandboxDesk::kill(const std::string& id)
{
    const auto& residents = m_parts.reaper.residents();
    const auto resident = residents.find(id);
    if (resident == residents.end())
        return fail(Errc::NotFound, "the sandbox " + shortId(id) + " is gone already");
    if (resident->second.ending)
        return fail(Errc::Conflict, "the sandbox " + shortId(id) + " is being removed already");
    for (const execution::Record& record : m_parts.executions.active()) {
        if (record.containerId != id)
            continue;
        m_parts.executions.cancel(record.id, "its sandbox was ended by the person");
        return {};
    }
    if (m_parts.pool.replace(id))
        return {};
    return fail(
        Errc::Conflict,
        "the sandbox " + shortId(id) + " is still being started; try again in a moment"
    );
}

asio::awaitable<void> SandboxDesk::perform(SetPoolSize command)
{
    answer(command.token, setPoolSize(command.language, command.size));
    co_return;
}

Result<> SandboxDesk::setPoolSize(const std::string& language, std::uint32_t size)
{
    const sandbox::Language* known = m_parts.languages.find(language);
    if (!known)
        return fail(Errc::InvalidArgument, "language: use one of " + m_parts.languages.idList());
    if (size > sandbox::kMostWarm)
        return fail(
            Errc::InvalidArgument,
            "warm sandboxes for " + known->title + ": use 0 to " +
                std::to_string(sandbox::kMostWarm)
        );
    if (const std::uint32_t most = mostWarm(known->id); size > most)
        return fail(
            Errc::InvalidArgument,
            "warm sandboxes for " + known->title + ": the other languages leave " +
                std::to_string(most) + " of " + std::to_string(sandbox::kMostWarmTogether)
        );
    sandbox::Choices choices = m_choices;
    choices.poolSizes[known->id] = size;
    if (auto kept = keep(std::move(choices)); !kept)
        return kept;
    m_parts.pool.setWarm(known->id, size);
    keepWarm();
    return {};
}

/// On disk first: what can't be kept doesn't take effect.
Result<> SandboxDesk::keep(sandbox::Choices choices)
{
    if (auto written = writeFile(m_parts.choicesFile, choicesText(choices), kPrivate); !written)
        return written;
    m_choices = std::move(choices);
    m_problem.clear();
    return {};
}

// --- images ---

asio::awaitable<void> SandboxDesk::tellImages()
{
    auto client = co_await m_parts.client(deadlineIn(kDockerCallDeadline));
    if (!client)
        co_return;
    images::Builder builder(**client, m_parts.recipes);
    auto list = co_await builder.list(deadlineIn(kDockerCallDeadline));
    if (!list) {
        log::engine().warn("images_not_listed=\"{}\"", log::safe(list.error().message()));
        co_return;
    }
    for (ImageStatus& image : *list) {
        image.building = m_building.contains(image.language);
        const auto chosen = m_choices.images.find(image.language);
        if (chosen == m_choices.images.end())
            continue;
        auto described = co_await describeChosen(*client, chosen->second);
        if (described)
            image.chosen = std::move(*described);
    }
    m_parts.emit(ImagesChanged{std::move(*list)});
}

const images::Recipe* SandboxDesk::recipeOf(const std::string& language) const
{
    const auto found =
        std::find_if(m_parts.recipes.begin(), m_parts.recipes.end(), [&](const auto& recipe) {
            return recipe.language == language;
        });
    return found == m_parts.recipes.end() ? nullptr : &*found;
}

void SandboxDesk::audit(
    audit::Type type,
    const std::string& language,
    const std::string& reference,
    const std::string& digest
)
{
    audit::Entry entry;
    entry.type = type;
    entry.detail["language"] = language;
    entry.detail["image"] = reference;
    entry.detail["digest"] = digest;
    entry.detail["by"] = userName();
    m_parts.audit(std::move(entry));
}

asio::awaitable<void> SandboxDesk::perform(BuildImage command)
{
    if (m_building.contains(command.language)) {
        ImageBuildEnded refused;
        refused.language = command.language;
        refused.error = Error(Errc::Conflict, "its image is being built already");
        m_parts.emit(std::move(refused));
        co_return;
    }
    m_building.insert(command.language);
    const std::string language = command.language;
    co_await tellImages();
    const auto built = co_await build(language);
    m_building.erase(language);
    ImageBuildEnded ended;
    ended.language = language;
    if (!built)
        ended.error = built.error();
    m_parts.emit(std::move(ended));
    co_await tellImages();
}

asio::awaitable<Result<>> SandboxDesk::build(std::string language)
{
    auto client = co_await m_parts.client(deadlineIn(kDockerCallDeadline));
    if (!client)
        co_return fail(client.error());
    images::Builder builder(**client, m_parts.recipes);
    const auto onLine = [this, &language](std::string line) {
        m_parts.emit(ImageBuildProgress{language, std::move(line)});
    };
    auto built = co_await builder.build(
        language, images::Rebuild::Always, onLine, deadlineIn(kImageBuildDeadline)
    );
    m_parts.pool.dropWarm(language);
    keepWarm();
    const images::Recipe* recipe = recipeOf(language);
    if (!built || !recipe)
        co_return std::move(built);
    const auto image =
        co_await (*client)->image(recipe->reference, deadlineIn(kDockerCallDeadline));
    audit(audit::Type::ImageBuilt, language, recipe->reference, image ? image->digest : "");
    co_return Result<>();
}

asio::awaitable<void> SandboxDesk::perform(RemoveImage command)
{
    const auto removed = co_await remove(command.language);
    answer(command.token, removed);
    co_await tellImages();
}

asio::awaitable<Result<>> SandboxDesk::remove(std::string language)
{
    const images::Recipe* recipe = recipeOf(language);
    if (!recipe)
        co_return fail(Errc::InvalidArgument, "language: use one of " + m_parts.languages.idList());
    if (m_building.contains(language))
        co_return fail(Errc::Conflict, recipe->reference + " is being built; wait for its end");
    auto client = co_await m_parts.client(deadlineIn(kDockerCallDeadline));
    if (!client)
        co_return fail(client.error());
    const auto image =
        co_await (*client)->image(recipe->reference, deadlineIn(kDockerCallDeadline));
    if (!image && image.error().code() == Errc::NotFound)
        co_return fail(Errc::NotFound, recipe->reference + " is not there");
    if (!image)
        co_return fail(image.error());
    const auto all = sandboxes();
    const auto busy = std::count_if(all.begin(), all.end(), [&](const SandboxStatus& one) {
        return one.imageDigest == image->digest && one.state == SandboxState::Busy;
    });
    if (busy > 0)
        co_return fail(
            Errc::Conflict,
            recipe->reference + " is in use by " + std::to_string(busy) +
                (busy == 1 ? " program; wait for it or stop it" : " programs; wait or stop them")
        );
    m_parts.pool.dropWarm(language);
    co_await m_parts.reaper.settle(deadlineIn(kDockerCallDeadline));
    auto removed =
        co_await (*client)->removeImage(recipe->reference, deadlineIn(kDockerCallDeadline));
    keepWarm(); // in another image, where one was chosen
    if (!removed)
        co_return fail(removed.error().within(recipe->reference));
    audit(audit::Type::ImageRemoved, language, recipe->reference, image->digest);
    co_return Result<>();
}

/// One that isn't there any more is told as such.
asio::awaitable<Result<ChosenImage>>
SandboxDesk::describeChosen(std::shared_ptr<docker::Client> client, std::string reference)
{
    ChosenImage chosen;
    chosen.reference = reference;
    const auto image =
        co_await client->image(std::move(reference), deadlineIn(kDockerCallDeadline));
    if (!image && image.error().code() != Errc::NotFound)
        co_return fail(image.error());
    if (image) {
        chosen.present = true;
        chosen.digest = image->digest;
        chosen.bytes = image->bytes;
        chosen.createdAt = images::unixMsOf(image->created);
        chosen.description = images::describe(*image);
    }
    co_return chosen;
}

asio::awaitable<void> SandboxDesk::perform(UseImage command)
{
    if (!m_trying.insert(command.language).second) {
        answer(command.token, fail(Errc::Busy, "another image is being tried for it already"));
        co_return;
    }
    const auto used = co_await use(command.language, std::move(command.reference));
    m_trying.erase(command.language);
    answer(command.token, used);
    co_await tellImages();
}

asio::awaitable<Result<>> SandboxDesk::use(std::string language, std::string reference)
{
    const sandbox::Language* known = m_parts.languages.find(language);
    if (!known)
        co_return fail(Errc::InvalidArgument, "language: use one of " + m_parts.languages.idList());
    sandbox::Language tried = *known;
    const std::string shipped = m_shipped.at(tried.id);
    const bool isShipped = reference.empty() || reference == shipped;
    tried.image = isShipped ? shipped : reference;
    std::string digest;
    if (!isShipped) {
        auto works = co_await tryImage(tried);
        if (!works)
            co_return fail(works.error());
        digest = std::move(*works);
    }
    sandbox::Choices choices = m_choices;
    if (isShipped)
        choices.images.erase(tried.id);
    else
        choices.images[tried.id] = reference;
    if (auto kept = keep(std::move(choices)); !kept)
        co_return std::move(kept);
    m_parts.languages.setImage(tried.id, tried.image);
    m_parts.pool.dropWarm(tried.id);
    keepWarm();
    audit(audit::Type::ImageUsed, tried.id, tried.image, digest);
    co_return Result<>();
}

/// The digest of the language's image, once a program has printed what it should in it.
asio::awaitable<Result<std::string>> SandboxDesk::tryImage(sandbox::Language language)
{
    const std::string name = escapeForLine(language.image);
    auto client = co_await m_parts.client(deadlineIn(kDockerCallDeadline));
    if (!client)
        co_return fail(client.error());
    const auto there = co_await (*client)->image(language.image, deadlineIn(kDockerCallDeadline));
    if (!there && there.error().code() == Errc::NotFound)
        co_return fail(
            Errc::NotFound, "Docker has no image " + name + "; get it with: docker pull " + name
        );
    if (!there)
        co_return fail(there.error());
    const Usual usual = m_parts.usual(language.id);
    auto sandbox = co_await m_parts.pool.make(
        language, usual.limits, usual.settings, deadlineIn(kTryDeadline)
    );
    if (!sandbox)
        co_return fail(sandbox.error().within("no sandbox starts in " + name));

    sandbox::Program program;
    program.argv = language.run;
    program.environment = language.environment;
    program.file = language.file;
    program.code = std::make_shared<const std::string>(language.hello);
    program.timeout = kTryTimeout;
    std::string said;
    sandbox::RunSink sink;
    sink.started = [](const std::string& /*codeSha256*/) {};
    sink.sample = [](const execution::Sample& /*sample*/) {};
    sink.output = [&said](const execution::OutputChunk& chunk) {
        said += prefixWithin(chunk.bytes, kSaidBytes - std::min(kSaidBytes, said.size()));
    };
    const auto exit = co_await (*sandbox)->run(std::move(program), std::move(sink));
    if (!exit)
        co_return fail(exit.error().within("no program runs in " + name));
    if (said != kHello)
        co_return fail(
            Errc::Unsupported,
            language.title + " does not work in " + name + ": instead of hello world it said \"" +
                escapeForLine(said) + "\""
        );
    co_return (*sandbox)->spec().image.digest;
}

} // namespace belljar
