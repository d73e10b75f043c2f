// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/images/builder.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/images/distribution.h"
#include "engine/images/tar_writer.h"

#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <deque>
#include <memory>
#include <system_error>
#include <utility>

namespace belljar::images {

namespace {

using namespace std::chrono_literals;

/// A registry that hasn't begun to send by then is taken for unreachable.
constexpr auto kRegistryAnswers = 20s;
/// What mmdebstrap needs to take its temporary folder away.
constexpr auto kTidyUp = 10s;
constexpr std::size_t kLinesOfFailure = 8;

/// The files of a recipe and the Dockerfile with the image's labels.
Result<std::string> buildContext(const Recipe& recipe)
{
    TarWriter tar;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(recipe.folder, failure)) {
        const auto content = readFile(entry.path());
        if (!content)
            return fail(content.error());
        tar.add(entry.path().filename().string(), *content);
    }
    if (failure)
        return fail(Errc::IoFailed, recipe.folder.string() + ": " + failure.message());

    const auto shared = recipe.folder.parent_path();
    const auto finish = readFile(shared / "finish.sh");
    if (!finish)
        return fail(finish.error());
    tar.add("finish.sh", *finish);
    auto dockerfile = readFile(shared / "Dockerfile");
    if (!dockerfile)
        return fail(dockerfile.error());
    for (const std::string& instruction : labelInstructions(imageLabels(recipe, "registry")))
        *dockerfile += instruction + "\n";
    tar.add("Dockerfile", *dockerfile);
    return tar.finish();
}

std::string joinedWords(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Watches a build's log for the moment the base image is there or on its way.
class RegistryWatch {
public:
    void look(std::string_view line)
    {
        m_answered = m_answered || line.find("Pulling from") != std::string_view::npos ||
                     line.find("---> ") != std::string_view::npos;
    }
    [[nodiscard]] bool answered() const { return m_answered; }

private:
    bool m_answered = false;
};

/// Ends when the registry has been silent for too long, or at `deadline`.
asio::awaitable<void> untilGivenUp(std::shared_ptr<const RegistryWatch> watch, Deadline deadline)
{
    co_await sleepUntil(std::min(deadline, deadlineIn(kRegistryAnswers)));
    if (watch->answered())
        co_await sleepUntil(deadline);
}

/// Collects the last lines of a program, for the error message.
class LastLines {
public:
    void add(std::string line)
    {
        m_lines.push_back(std::move(line));
        if (m_lines.size() > kLinesOfFailure)
            m_lines.pop_front();
    }
    [[nodiscard]] std::string text() const
    {
        std::string all;
        for (const std::string& line : m_lines)
            all += "\n  " + line;
        return all;
    }

private:
    std::deque<std::string> m_lines;
};

/// mmdebstrap's line without its "I: ", as a terminal would show it in the end: what comes after
/// the last carriage return.
std::string progressLine(std::string_view line)
{
    while (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    line.remove_prefix(line.find_last_of('\r') + 1); // npos + 1 is 0
    constexpr std::string_view kInformation = "I: ";
    if (line.substr(0, kInformation.size()) == kInformation)
        line.remove_prefix(kInformation.size());
    return escapeForLine(line);
}

/// A root file system as it comes out of a program. Its end counts only when the program ended
/// well, so that half an archive is never taken for an image.
class RootFileSystem {
public:
    RootFileSystem(ChildProcess& program, const LastLines& said, Deadline deadline)
        : m_program(program)
        , m_said(said)
        , m_deadline(deadline)
    {}

    /// The next bytes; empty at the end.
    asio::awaitable<Result<std::string>> next()
    {
        if (!m_first.empty())
            co_return std::exchange(m_first, {});
        auto bytes = co_await m_program.readOutput(m_deadline);
        if (!bytes || !bytes->empty())
            co_return bytes;
        const auto status = co_await m_program.wait(m_deadline);
        if (!status)
            co_return fail(status.error());
        if (*status != 0)
            co_return fail(
                Errc::IoFailed,
                "mmdebstrap ended with status " + std::to_string(*status) + ":" + m_said.text()
            );
        co_return std::string();
    }

    /// Waits for the first bytes and keeps them for next().
    asio::awaitable<Result<>> begin()
    {
        auto bytes = co_await next();
        if (!bytes)
            co_return fail(bytes.error());
        if (bytes->empty())
            co_return fail(Errc::IoFailed, "mmdebstrap wrote no archive:" + m_said.text());
        m_first = std::move(*bytes);
        co_return Result<>();
    }

private:
    ChildProcess& m_program;
    const LastLines& m_said;
    Deadline m_deadline;
    std::string m_first;
};

std::string labelOf(const docker::ImageDetails& image, std::string_view name)
{
    const auto label = image.labels.find(std::string(name));
    return label == image.labels.end() ? "" : label->second;
}

} // namespace

execution::UnixMs unixMsOf(const std::string& rfc3339)
{
    std::tm time{};
    if (::strptime(rfc3339.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr)
        return 0;
    return static_cast<execution::UnixMs>(::timegm(&time)) * 1000;
}

std::string describe(const docker::ImageDetails& image)
{
    constexpr std::size_t kMostBytes = 300;
    return std::string(prefixWithin(labelOf(image, kDescriptionLabel), kMostBytes));
}

Builder::Builder(docker::Client& client, std::vector<Recipe> recipes)
    : m_client(client)
    , m_recipes(std::move(recipes))
{}

const Recipe* Builder::find(std::string_view language) const
{
    const auto found = std::find_if(m_recipes.begin(), m_recipes.end(), [&](const Recipe& recipe) {
        return recipe.language == language;
    });
    return found == m_recipes.end() ? nullptr : &*found;
}

asio::awaitable<Result<>>
Builder::build(std::string language, Rebuild rebuild, OnLine onLine, Deadline deadline)
{
    const Recipe* recipe = find(language);
    if (recipe == nullptr) {
        std::vector<std::string> known;
        for (const Recipe& each : m_recipes)
            known.push_back(each.language);
        co_return fail(
            Errc::NotFound,
            "there is no image recipe for '" + escapeForLine(language) +
                "'; there are: " + joinedWords(known)
        );
    }
    if (rebuild == Rebuild::IfChanged) {
        const auto upToDate = co_await isUpToDate(recipe, deadline);
        if (!upToDate)
            co_return fail(upToDate.error());
        if (*upToDate) {
            onLine(recipe->reference + " is up to date");
            co_return Result<>();
        }
    }

    onLine("making " + recipe->reference + " from " + recipe->registry.base);
    auto made = co_await buildFromRegistry(recipe, onLine, deadline);
    if (!made) {
        log::docker().info(
            "registry build failed image={} error={}",
            recipe->reference,
            log::safe(made.error().message())
        );
        onLine("not possible: " + escapeForLine(made.error().message()));
        onLine("making " + recipe->reference + " from the distribution's packages instead");
        made = co_await buildFromDistribution(recipe, onLine, deadline);
    }
    if (!made)
        co_return fail(made.error().within(recipe->reference));

    const auto there = co_await isUpToDate(recipe, deadline);
    if (!there)
        co_return fail(there.error());
    if (!*there)
        co_return fail(
            Errc::Internal, recipe->reference + " was made, but doesn't carry its recipe's label"
        );
    onLine(recipe->reference + " is ready");
    co_return Result<>();
}

asio::awaitable<Result<bool>> Builder::isUpToDate(const Recipe* recipe, Deadline deadline)
{
    const auto image = co_await m_client.image(recipe->reference, deadline);
    if (!image && image.error().code() == Errc::NotFound)
        co_return false;
    if (!image)
        co_return fail(image.error());
    const auto label = image->labels.find(std::string(kRecipeLabel));
    co_return label != image->labels.end() && label->second == recipe->digest;
}

asio::awaitable<Result<>>
Builder::buildFromRegistry(const Recipe* recipe, OnLine onLine, Deadline deadline)
{
    auto context = buildContext(*recipe);
    if (!context)
        co_return fail(context.error());
    std::map<std::string, std::string> arguments;
    arguments["BASE"] = recipe->registry.base;
    arguments["PACKAGES"] = joinedWords(recipe->registry.packages);

    const auto watch = std::make_shared<RegistryWatch>();
    docker::Client::OnLine watched = [watch, onLine](std::string line) {
        watch->look(line);
        onLine(escapeForLine(line));
    };
    auto building = m_client.buildImage(
        recipe->reference, std::move(*context), std::move(arguments), std::move(watched), deadline
    );

    const auto executor = co_await asio::this_coro::executor;
    auto race = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(building), asio::deferred),
        asio::co_spawn(executor, untilGivenUp(watch, deadline), asio::deferred)
    );
    auto [order, thrown, built, watchThrown] =
        co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (order[0] == 1)
        co_return fail(
            Errc::TimedOut,
            watch->answered() ? "the deadline passed" : "the registry doesn't answer"
        );
    if (thrown)
        std::rethrow_exception(thrown);
    co_return std::move(built);
}

asio::awaitable<Result<>>
Builder::buildFromDistribution(const Recipe* recipe, OnLine onLine, Deadline deadline)
{
    const auto command = bootstrapCommand(*recipe);
    if (!command)
        co_return fail(command.error());
    const auto said = std::make_shared<LastLines>();
    const auto executor = co_await asio::this_coro::executor;
    ChildProcess::OnLine listen = [said, onLine](std::string line) {
        std::string plain = progressLine(line);
        said->add(plain);
        onLine(std::move(plain));
    };
    auto program = ChildProcess::start(executor, *command, std::move(listen));
    if (!program)
        co_return fail(program.error());

    // Cancellation comes as an exception out of the waits below. It is held until the program has
    // had its time to take away what it made on the disk.
    std::exception_ptr cancelled;
    Result<> made;
    try {
        RootFileSystem root(*program, *said, deadline);
        made = co_await root.begin();
        if (made) {
            docker::Client::NextBytes body = [&root] { return root.next(); };
            std::vector<std::string> changes =
                labelInstructions(imageLabels(*recipe, "distribution"));
            onLine("handing the file system to Docker");
            const auto imported = co_await m_client.importImage(
                recipe->reference, std::move(changes), std::move(body), deadline
            );
            if (!imported)
                made = fail(imported.error());
        }
    } catch (const boost::system::system_error&) {
        cancelled = std::current_exception();
    }
    // A wait that was cancelled may also have given an ordinary error; then the next one would
    // throw.
    const auto state = co_await asio::this_coro::cancellation_state;
    const bool isCancelled = state.cancelled() != asio::cancellation_type::none;
    if (isCancelled)
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await program->end(deadlineIn(kTidyUp));
    if (cancelled)
        std::rethrow_exception(cancelled);
    if (isCancelled)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return made;
}

asio::awaitable<Result<std::vector<ImageStatus>>> Builder::list(Deadline deadline)
{
    std::vector<ImageStatus> found;
    for (const Recipe& recipe : m_recipes) {
        ImageStatus status;
        status.language = recipe.language;
        status.title = recipe.title;
        status.reference = recipe.reference;
        const auto image = co_await m_client.image(recipe.reference, deadline);
        if (!image && image.error().code() != Errc::NotFound)
            co_return fail(image.error());
        if (image) {
            status.present = true;
            status.digest = image->digest;
            status.bytes = image->bytes;
            status.createdAt = unixMsOf(image->created);
            status.description = describe(*image);
            status.madeFrom = labelOf(*image, kMadeFromLabel);
            status.upToDate = labelOf(*image, kRecipeLabel) == recipe.digest;
        }
        found.push_back(std::move(status));
    }
    co_return found;
}

} // namespace belljar::images
