// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/base/sha256.h"
#include "engine/base/task_group.h"
#include "engine/docker/watch.h"
#include "engine/execution/executions.h"
#include "engine/images/builder.h"
#include "engine/mcp/execution_tools.h"
#include "engine/mcp/tool.h"
#include "engine/mcp/transport/unix_socket.h"
#include "engine/sandbox/heir.h"
#include "engine/sandbox/languages.h"
#include "engine/sandbox/pool.h"
#include "engine/sandbox/reaper.h"
#include "engine/sandbox/runner_folder.h"
#include "engine/store/store.h"

#include <boost/asio/redirect_error.hpp>

#include <utility>

#include "belljar_version.h"

namespace belljar {

namespace {

using namespace std::chrono_literals;

constexpr auto kDockerCallDeadline = 30s;
constexpr auto kImageBuildDeadline = 30min;
constexpr auto kOrphanSweep = 60s;
constexpr auto kCloseDeadline = 10s;

/// What has to be true before anything runs; each step fails with an error that says what to do.
struct Foundation {
    LockFile lock;
    sandbox::Languages languages;
    std::vector<images::Recipe> recipes;
    std::unique_ptr<store::Store> store;
    std::string runnerFolder;
    std::string seccompProfile;
};

template <class T>
Result<T> readResource(const char* name, Result<T> (*load)(const std::filesystem::path&))
{
    const auto place = findResource(name);
    if (!place)
        return fail(place.error());
    return load(*place);
}

Result<std::string> readText(const std::filesystem::path& file)
{
    return readFile(file);
}

Result<Foundation> lay(const Paths& paths)
{
    Foundation foundation;
    if (auto made = makeFolders(paths); !made)
        return fail(made.error());
    auto lock = LockFile::acquire(paths.lockFile());
    if (!lock)
        return fail(lock.error().within("another Belljar engine of yours is running"));
    foundation.lock = std::move(*lock);
    auto languages = readResource<sandbox::Languages>("languages", sandbox::Languages::load);
    if (!languages)
        return fail(languages.error());
    foundation.languages = std::move(*languages);
    auto recipes = readResource<std::vector<images::Recipe>>("images", images::loadRecipes);
    if (!recipes)
        return fail(recipes.error());
    foundation.recipes = std::move(*recipes);
    auto profile = readResource<std::string>("sandbox/seccomp.json", readText);
    if (!profile)
        return fail(profile.error());
    foundation.seccompProfile = std::move(*profile);
    auto folder = sandbox::stageRunnerFolder(paths.data);
    if (!folder)
        return fail(folder.error());
    foundation.runnerFolder = folder->string();
    auto store = store::Store::open(paths.historyFile());
    if (!store)
        return fail(store.error());
    foundation.store = std::move(*store);
    return foundation;
}

std::vector<mcp::LanguageInfo> languageInfos(const sandbox::Languages& languages)
{
    std::vector<mcp::LanguageInfo> infos;
    for (const sandbox::Language& language : languages.all())
        infos.push_back({language.id, language.title, language.names, language.has});
    return infos;
}

} // namespace

class Engine::Impl {
public:
    Impl(EngineOptions options, EventSink sink)
        : m_options(std::move(options))
        , m_sink(std::move(sink))
        , m_stop(m_context, asio::steady_timer::time_point::max())
        , m_tasks(m_context.get_executor(), "engine")
    {}

    Result<> run(const std::function<void()>& ready);
    void stop();
    void submit(Command command);

private:
    /// Everything that lives while the engine serves, in the order in which it is needed.
    struct Parts {
        Parts(Impl& engine, Foundation laid);

        Foundation foundation;
        docker::Watch watch;
        std::shared_ptr<sandbox::Reaper> reaper;
        sandbox::Heir heir;
        std::string heirSocket; ///< of the container engine that it watches over
        sandbox::Pool pool;
        execution::Executions executions;
        mcp::ToolRegistry tools;
        mcp::ExecutionTools executionTools;
        mcp::UnixSocketListener listener;
    };

    asio::awaitable<Result<>> serve(std::function<void()> ready);
    asio::awaitable<void> close();

    void dockerChanged(const DockerStatus& status);
    asio::awaitable<void> greetDocker();
    void appointHeir(const std::string& dockerSocket);
    asio::awaitable<void> sweepOrphans();
    asio::awaitable<void> tellImages();

    asio::awaitable<void> perform(SubmitProgram command);
    asio::awaitable<void> perform(CancelExecution command);
    asio::awaitable<void> perform(BuildImage command);
    asio::awaitable<void> perform(RetryDocker command);
    asio::awaitable<void> perform(SendSnapshot command);
    asio::awaitable<void> perform(auto /*command*/) { co_return; } // of parts that are on their way
    Result<execution::Request> requestFor(SubmitProgram command) const;

    void emit(Event event) { m_sink(std::move(event)); }

    EngineOptions m_options;
    EventSink m_sink;
    asio::io_context m_context{1};
    asio::steady_timer m_stop; ///< never expires; cancelled by stop()
    bool m_stopping = false;
    execution::Client m_person; ///< in whose name the window runs programs
    TaskGroup m_tasks;
    std::unique_ptr<Parts> m_parts;
};

Engine::Impl::Parts::Parts(Impl& engine, Foundation laid)
    : foundation(std::move(laid))
    , watch(
          engine.m_context.get_executor(),
          engine.m_options.dockerHost,
          [&engine](const DockerStatus& status) { engine.dockerChanged(status); }
      )
    , reaper(std::make_shared<sandbox::Reaper>(
          engine.m_context.get_executor(), sandbox::ownerOfThisProcess()
      ))
    , pool(
          engine.m_context.get_executor(),
          {},
          {sandbox::ownerOfThisProcess(),
           foundation.runnerFolder,
           foundation.seccompProfile,
           reaper},
          [this](Deadline deadline) { return watch.client(deadline); }
      )
    , executions(
          engine.m_context.get_executor(),
          {engine.m_options.maxRunning},
          *foundation.store,
          pool,
          foundation.languages,
          {
              [&engine](const execution::Record& record) { engine.emit(ExecutionChanged{record}); },
              [&engine](const ExecutionId& id, const std::vector<execution::OutputChunk>& chunks) {
                  engine.emit(OutputAppended{id, chunks});
              },
              [&engine](const ExecutionId& id, const std::vector<execution::Sample>& samples) {
                  engine.emit(SamplesTaken{id, samples});
              },
          }
      )
    , executionTools(executions, languageInfos(foundation.languages))
    , listener(
          engine.m_context.get_executor(),
          engine.m_options.paths.socketFile(),
          tools,
          {
              [&engine](const execution::Client& client) { engine.emit(ClientConnected{client}); },
              [&engine](const execution::Client& client) { engine.emit(ClientChanged{client}); },
              [&engine, this](const ClientId& id) {
                  executions.cancelAllOf(id, "the client disconnected");
                  engine.emit(ClientDisconnected{id});
              },
          }
      )
{
    executionTools.addTo(tools);
}

Result<> Engine::Impl::run(const std::function<void()>& ready)
{
    auto foundation = lay(m_options.paths);
    if (!foundation) {
        emit(EngineFailed{foundation.error()});
        return fail(foundation.error());
    }
    m_person.id = ClientId::make();
    m_person.name = "Belljar";
    m_person.version = kVersion;
    m_person.transport = "desktop";
    m_person.connectedAt = execution::unixNow();
    m_parts = std::make_unique<Parts>(*this, std::move(*foundation));
    Result<> outcome;
    asio::co_spawn(
        m_context,
        serve(ready),
        [&outcome](const std::exception_ptr& thrown, Result<> served) {
            if (thrown)
                std::rethrow_exception(thrown);
            outcome = std::move(served);
        }
    );
    m_context.run();
    m_parts.reset();
    if (!outcome)
        emit(EngineFailed{outcome.error()});
    return outcome;
}

asio::awaitable<Result<>> Engine::Impl::serve(std::function<void()> ready)
{
    auto interrupted = co_await m_parts->foundation.store->interruptUnfinished(
        "Belljar ended while it was in flight"
    );
    if (!interrupted)
        co_return fail(interrupted.error());
    for (execution::Record& record : *interrupted)
        emit(ExecutionChanged{std::move(record)});
    auto listening = m_parts->listener.listen();
    if (!listening)
        co_return fail(listening.error());
    m_parts->watch.start();
    m_tasks.spawn("orphan sweep", sweepOrphans());
    log::engine().info("engine=ready socket={}", log::safe(m_options.paths.socketFile().string()));
    ready();
    while (!m_stopping) {
        boost::system::error_code woken;
        co_await m_stop.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    co_await close();
    co_return Result<>();
}

/// From the outside in: no new requests, then no running programs, then no containers.
asio::awaitable<void> Engine::Impl::close()
{
    m_tasks.close();
    m_tasks.cancel();
    co_await m_parts->executions.close(deadlineIn(kCloseDeadline));
    co_await m_parts->listener.close();
    co_await m_tasks.join();
    co_await m_parts->pool.close(deadlineIn(kCloseDeadline));
    co_await m_parts->reaper->close(deadlineIn(kCloseDeadline));
    co_await m_parts->watch.close();
}

void Engine::Impl::stop()
{
    asio::post(m_context, [this] {
        m_stopping = true;
        m_stop.cancel();
    });
}

void Engine::Impl::submit(Command command)
{
    asio::post(m_context, [this, command = std::move(command)]() mutable {
        if (!m_parts || m_stopping)
            return;
        std::visit(
            [this](auto& one) { m_tasks.spawn("command", perform(std::move(one))); }, command
        );
    });
}

void Engine::Impl::dockerChanged(const DockerStatus& status)
{
    emit(DockerChanged{status});
    if (status.state != DockerState::Ready) {
        m_parts->pool.dropWarm({}); // its containers have gone with it
        return;
    }
    appointHeir(status.endpoint);
    m_tasks.spawn("greet Docker", greetDocker());
}

/// Before the first container is made, somebody is there who would remove it.
void Engine::Impl::appointHeir(const std::string& dockerSocket)
{
    if (m_parts->heirSocket == dockerSocket)
        return;
    auto heir = sandbox::Heir::start(
        executableFolder() / "belljar", sandbox::ownerOfThisProcess(), dockerSocket
    );
    if (!heir) {
        log::engine().warn("heir=\"{}\"", log::safe(heir.error().message()));
        return;
    }
    m_parts->heir = std::move(*heir);
    m_parts->heirSocket = dockerSocket;
}

asio::awaitable<void> Engine::Impl::greetDocker()
{
    auto client = co_await m_parts->watch.client(deadlineIn(kDockerCallDeadline));
    if (!client)
        co_return;
    auto removed =
        co_await m_parts->reaper->removeOrphans(*client, deadlineIn(kDockerCallDeadline));
    if (!removed)
        log::engine().warn("orphans_not_removed=\"{}\"", log::safe(removed.error().message()));
    else if (*removed > 0)
        log::engine().info("orphans_removed={}", *removed);
    co_await tellImages();
}

/// Containers whose creation was interrupted are found by and by.
asio::awaitable<void> Engine::Impl::sweepOrphans()
{
    for (;;) {
        co_await sleepUntil(deadlineIn(kOrphanSweep));
        auto client = co_await m_parts->watch.client(deadlineIn(kDockerCallDeadline));
        if (!client)
            continue;
        auto removed =
            co_await m_parts->reaper->removeOrphans(*client, deadlineIn(kDockerCallDeadline));
        if (removed && *removed > 0)
            log::engine().warn("orphans_removed={}", *removed);
    }
}

asio::awaitable<void> Engine::Impl::tellImages()
{
    auto client = co_await m_parts->watch.client(deadlineIn(kDockerCallDeadline));
    if (!client)
        co_return;
    images::Builder builder(**client, m_parts->foundation.recipes);
    auto list = co_await builder.list(deadlineIn(kDockerCallDeadline));
    if (list)
        emit(ImagesChanged{std::move(*list)});
}

Result<execution::Request> Engine::Impl::requestFor(SubmitProgram command) const
{
    const sandbox::Language* language = m_parts->foundation.languages.find(command.language);
    if (!language)
        return fail(
            Errc::InvalidArgument, "language: use one of " + m_parts->foundation.languages.idList()
        );
    if (command.code.empty())
        return fail(Errc::InvalidArgument, "code: there is nothing to run");
    execution::Request request;
    request.id = ExecutionId::make();
    request.client = m_person;
    request.language = language->id;
    request.codeSha256 = sha256Hex(command.code);
    request.code = std::make_shared<const std::string>(std::move(command.code));
    request.args = std::move(command.args);
    request.standardInput = std::move(command.standardInput);
    request.asked.timeout = command.limits.timeout;
    request.asked.memoryBytes = command.limits.memoryBytes;
    return request;
}

asio::awaitable<void> Engine::Impl::perform(SubmitProgram command)
{
    const std::uint64_t token = command.token;
    auto request = requestFor(std::move(command));
    if (!request) {
        emit(ProgramSubmitted{token, fail(request.error())});
        co_return;
    }
    auto submitted = co_await m_parts->executions.submit(std::move(*request));
    if (submitted)
        emit(ProgramSubmitted{token, submitted->id});
    else
        emit(ProgramSubmitted{token, fail(submitted.error())});
}

asio::awaitable<void> Engine::Impl::perform(CancelExecution command)
{
    m_parts->executions.cancel(command.id, command.reason);
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(BuildImage command)
{
    const std::string language = command.language;
    auto client = co_await m_parts->watch.client(deadlineIn(kDockerCallDeadline));
    if (!client) {
        emit(ImageBuildEnded{language, client.error()});
        co_return;
    }
    images::Builder builder(**client, m_parts->foundation.recipes);
    const auto onLine = [this, &language](std::string line) {
        emit(ImageBuildProgress{language, std::move(line)});
    };
    auto built = co_await builder.build(
        language, images::Rebuild::Always, onLine, deadlineIn(kImageBuildDeadline)
    );
    m_parts->pool.dropWarm(language);
    if (built)
        emit(ImageBuildEnded{language, {}});
    else
        emit(ImageBuildEnded{language, built.error()});
    co_await tellImages();
}

asio::awaitable<void> Engine::Impl::perform(RetryDocker /*command*/)
{
    m_parts->watch.retryNow();
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(SendSnapshot /*command*/)
{
    emit(DockerChanged{m_parts->watch.status()});
    for (const execution::Client& client : m_parts->listener.clients())
        emit(ClientConnected{client});
    for (execution::Record& record : m_parts->executions.active())
        emit(ExecutionChanged{std::move(record)});
    if (m_parts->watch.status().state == DockerState::Ready)
        co_await tellImages();
}

Engine::Engine(EngineOptions options, EventSink sink)
    : m_impl(std::make_unique<Impl>(std::move(options), std::move(sink)))
{}

Engine::~Engine() = default;

Result<> Engine::run(const std::function<void()>& ready)
{
    return m_impl->run(ready);
}

void Engine::stop()
{
    m_impl->stop();
}

void Engine::submit(Command command)
{
    m_impl->submit(std::move(command));
}

} // namespace belljar
