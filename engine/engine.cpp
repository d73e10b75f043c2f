// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.h"

#include "engine/analysis/process.h"
#include "engine/approval/look_back.h"
#include "engine/audit/log_reader.h"
#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/base/sha256.h"
#include "engine/base/task_group.h"
#include "engine/docker/watch.h"
#include "engine/execution/executions.h"
#include "engine/images/recipe.h"
#include "engine/mcp/execution_resources.h"
#include "engine/mcp/execution_tools.h"
#include "engine/mcp/offer.h"
#include "engine/mcp/transport/unix_socket.h"
#include "engine/policy/keeper.h"
#include "engine/policy/memory.h"
#include "engine/sandbox/heir.h"
#include "engine/sandbox/languages.h"
#include "engine/sandbox/pool.h"
#include "engine/sandbox/reaper.h"
#include "engine/sandbox/runner_folder.h"
#include "engine/sandbox_desk.h"
#include "engine/settings_desk.h"
#include "engine/store/store.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/thread_pool.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "belljar_version.h"

namespace belljar {

namespace {

using namespace std::chrono_literals;

constexpr auto kDockerCallDeadline = 30s;
constexpr auto kOrphanSweep = 60s;
constexpr auto kCloseDeadline = 10s;
constexpr std::uint32_t kDeletedAtOnce = 200; // of what has expired

/// What has to be true before anything runs; each step fails with an error that says what to do.
struct Foundation {
    LockFile lock;
    sandbox::Languages languages;
    std::vector<images::Recipe> recipes;
    std::unique_ptr<store::Store> store;
    std::string runnerFolder;
    std::string seccompProfile;
    std::string executionView; ///< HTML, for clients that render apps
    std::string icon;          ///< PNG, 48 x 48
    std::filesystem::path shippedPolicies;
    clients::BlockList blocked;
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
    auto view = readResource<std::string>("mcp/execution.html", readText);
    if (!view)
        return fail(view.error());
    foundation.executionView = std::move(*view);
    auto icon = readResource<std::string>("mcp/icon.png", readText);
    if (!icon)
        return fail(icon.error());
    foundation.icon = std::move(*icon);
    auto policies = findResource("policies");
    if (!policies)
        return fail(policies.error());
    foundation.shippedPolicies = std::move(*policies);
    auto blocked = clients::BlockList::load(paths.blockedClientsFile());
    if (!blocked)
        return fail(blocked.error());
    foundation.blocked = std::move(*blocked);
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
        // Here and not beside the engine: a thread begun before the program has blocked its signals
        // would take them.
        asio::thread_pool reader{1}; ///< blocking reads of the history
        SettingsDesk settings;
        docker::Watch watch;
        std::shared_ptr<sandbox::Reaper> reaper;
        sandbox::Heir heir;
        std::string heirSocket; ///< of the container engine that it watches over
        sandbox::Pool pool;
        analysis::AnalysisProcess analysis;
        policy::Keeper policies;
        policy::Memory memory;
        approval::Desk desk;
        approval::Gate gate;
        execution::Executions executions;
        SandboxDesk sandboxes;
        mcp::Offer offer;
        mcp::ExecutionTools executionTools;
        mcp::UnixSocketListener listener;
    };

    asio::awaitable<Result<>> serve(std::function<void()> ready);
    asio::awaitable<void> close();

    void dockerChanged(const DockerStatus& status);
    asio::awaitable<void> greetDocker();
    void appointHeir(const std::string& dockerSocket);
    asio::awaitable<void> sweepOrphans();

    /// What concerns sandboxes and images is the desk's.
    template <class Asked>
    requires requires(SandboxDesk& desk, Asked asked) { desk.perform(std::move(asked)); }
    asio::awaitable<void> perform(Asked asked)
    {
        return m_parts->sandboxes.perform(std::move(asked));
    }
    /// What concerns the engine's settings likewise.
    template <class Asked>
    requires requires(SettingsDesk& desk, Asked asked) { desk.perform(std::move(asked)); }
    asio::awaitable<void> perform(Asked asked)
    {
        return m_parts->settings.perform(std::move(asked));
    }
    asio::awaitable<void> perform(SubmitProgram command);
    asio::awaitable<void> perform(CancelExecution command);
    asio::awaitable<void> perform(RetryDocker command);
    asio::awaitable<void> perform(SendSnapshot command);
    asio::awaitable<void> perform(AnswerApproval command);
    asio::awaitable<void> perform(HoldApproval command);
    asio::awaitable<void> perform(AnalyseDraft command);
    asio::awaitable<void> perform(RevokeRemembered command);
    asio::awaitable<void> perform(LiftStoppedSession command);
    asio::awaitable<void> perform(DisconnectClient command);
    asio::awaitable<void> perform(BlockClient command);
    asio::awaitable<void> perform(UnblockClient command);
    asio::awaitable<void> perform(PauseRuns command);
    asio::awaitable<void> perform(SavePolicy command);
    asio::awaitable<void> perform(RestorePolicy command);
    asio::awaitable<void> perform(DeletePolicy command);
    asio::awaitable<void> perform(AssignPolicies command);
    asio::awaitable<void> perform(ConfirmPolicy command);
    asio::awaitable<void> perform(VerifyAudit command);
    asio::awaitable<void> perform(ListenForApprovals command);
    asio::awaitable<void> perform(MarkExecution command);
    asio::awaitable<void> perform(DeleteExecutions command);
    void told(std::uint64_t token, const Result<>& outcome);

    policy::Keeper::Options keeperOptions(const Foundation& foundation) const;
    approval::Gate::Parts gateParts();
    SandboxDesk::Parts deskParts(Parts& parts);
    SettingsDesk::Parts settingsParts(Parts& parts);
    SandboxDesk::Usual usual(const std::string& language) const;
    void audit(audit::Entry entry);
    void auditClient(audit::Type type, const execution::Client& client);
    void clientCame(const execution::Client& client);
    void clientLeft(const ClientId& id);
    /// Whichever way they have come.
    [[nodiscard]] std::vector<execution::Client> clients() const;
    void disconnect(const ClientId& id);
    /// After a client was blocked or unblocked.
    void blocksChanged(audit::Type type, const Blocked& client, const Result<>& saved);
    /// Runs `read` on the reader thread over a connection of its own.
    template <class T>
    asio::awaitable<Result<T>> fromHistory(std::function<Result<T>(store::HistoryReader&)> read);
    asio::awaitable<Result<>> takeUp();
    asio::awaitable<std::string> imageDigest(std::string reference);
    asio::awaitable<approval::Background>
    lookBack(std::shared_ptr<const Approval> asked, std::shared_ptr<const policy::Named> policy);
    [[nodiscard]] bool isConnected(const ClientId& id) const;

    mcp::ResourceParts resourceParts(Parts& parts);
    Result<execution::Request> requestFor(SubmitProgram command) const;

    void emit(Event event) { m_sink(std::move(event)); }

    EngineOptions m_options;
    EventSink m_sink;
    asio::io_context m_context{1};
    asio::steady_timer m_stop; ///< never expires; cancelled by stop()
    bool m_stopping = false;
    PauseChanged m_pause;
    execution::Client m_person; ///< in whose name the window runs programs
    TaskGroup m_tasks;
    std::unique_ptr<Parts> m_parts;
};

Engine::Impl::Parts::Parts(Impl& engine, Foundation laid)
    : foundation(std::move(laid))
    , settings(engine.m_context.get_executor(), engine.settingsParts(*this))
    , watch(
          engine.m_context.get_executor(),
          engine.m_options.dockerHost.empty() ? settings.settings().dockerHost
                                              : engine.m_options.dockerHost,
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
    , analysis(engine.m_context.get_executor(), commandProgram())
    , policies(
          engine.m_context.get_executor(),
          engine.keeperOptions(foundation),
          *foundation.store,
          {[&engine, this] {
               engine.emit(PoliciesChanged{policies.policies()});
               sandboxes.keepWarm(); // as the new ones run programs
               // What tools say of themselves follows the policy.
               offer.changed({mcp::Change::Of::Tools, {}});
               offer.changed({mcp::Change::Of::OneResource, mcp::kPolicyUri});
               offer.changed({mcp::Change::Of::OneResource, mcp::kLanguagesUri});
           },
           [&engine](audit::Entry entry) { engine.audit(std::move(entry)); }}
      )
    , memory(*foundation.store, [&engine, this] { engine.emit(RememberedChanged{memory.all()}); })
    , desk(
          engine.m_context.get_executor(),
          {[&engine](const Approval& approval) { engine.emit(ApprovalAsked{approval}); },
           [&engine](const ExecutionId& id, const approval::Answer& answer) {
               engine.emit(ApprovalSettled{id, answer.verdict, answer.by, answer.reason});
           }}
      )
    , gate(engine.gateParts(), desk)
    , executions(
          engine.m_context.get_executor(),
          {settings.settings().maxRunning},
          *foundation.store,
          pool,
          foundation.languages,
          gate,
          {
              [&engine, this](const execution::Record& record) {
                  engine.emit(ExecutionChanged{record});
                  offer.changed({mcp::Change::Of::OneResource, mcp::executionUri(record.id)});
                  if (!record.containerId.empty())
                      sandboxes.changed();
              },
              [&engine](const ExecutionId& id, const std::vector<execution::OutputChunk>& chunks) {
                  engine.emit(OutputAppended{id, chunks});
              },
              [&engine](const ExecutionId& id, const std::vector<execution::Sample>& samples) {
                  engine.emit(SamplesTaken{id, samples});
              },
              [&engine](const ExecutionId& id, const execution::RunFiles& files) {
                  engine.emit(FilesKnown{id, files});
              },
              [&engine](audit::Entry entry) { engine.audit(std::move(entry)); },
          }
      )
    , sandboxes(engine.m_context.get_executor(), engine.deskParts(*this))
    , offer(engine.m_context.get_executor())
    , executionTools(
          executions,
          languageInfos(foundation.languages),
          [this] {
              mcp::ExecutionToolOptions tools;
              tools.policy = [this] { return policies.forClient({}); };
              return tools;
          }()
      )
    , listener(
          engine.m_context.get_executor(),
          engine.m_options.paths.socketFile(),
          offer,
          {
              [&engine](const execution::Client& client) { engine.clientCame(client); },
              [&engine](const execution::Client& client) { engine.emit(ClientChanged{client}); },
              [&engine](const ClientId& id) { engine.clientLeft(id); },
          }
      )
{
    offer.icons = mcp::pngIcon(foundation.icon, "48x48");
    executionTools.addTo(offer);
    mcp::addResources(offer, engine.resourceParts(*this));
    mcp::addPrompts(offer, languageInfos(foundation.languages));
    offer.extensions["io.modelcontextprotocol/ui"] = Json::object();
    offer.setRefusal([this](const execution::Client& client) -> std::optional<mcp::ToolResult> {
        if (!foundation.blocked.has(client.name, client.executable))
            return {};
        return mcp::refusalResult("the person at Belljar has blocked this client; don't try again");
    });
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
    auto takenUp = co_await takeUp();
    if (!takenUp)
        co_return fail(takenUp.error());
    auto listening = m_parts->listener.listen();
    if (!listening)
        co_return fail(listening.error());
    m_parts->sandboxes.takeUp();
    m_parts->analysis.start();
    m_parts->watch.start();
    m_tasks.spawn("orphan sweep", sweepOrphans());
    log::engine().info("engine=ready socket={}", log::safe(m_options.paths.socketFile().string()));
    m_parts->settings.start();
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
    m_parts->desk.close("Belljar is ending");
    co_await m_parts->sandboxes.close();
    co_await m_parts->executions.close(deadlineIn(kCloseDeadline));
    co_await m_parts->listener.close();
    co_await m_parts->offer.tasks().close();
    co_await m_parts->settings.close();
    co_await m_tasks.join();
    co_await m_parts->pool.close(deadlineIn(kCloseDeadline));
    co_await m_parts->reaper->settle(deadlineIn(kCloseDeadline));
    co_await m_parts->watch.close();
    co_await m_parts->policies.close();
    audit::Entry stopped;
    stopped.type = audit::Type::EngineStopped;
    auto recorded = co_await m_parts->foundation.store->auditDurable(std::move(stopped));
    if (!recorded)
        log::engine().error("not_audited=\"{}\"", log::safe(recorded.error().message()));
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
        m_parts->sandboxes.changed();
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
    auto heir = sandbox::Heir::start(commandProgram(), sandbox::ownerOfThisProcess(), dockerSocket);
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
    m_parts->sandboxes.keepWarm();
    co_await m_parts->sandboxes.tellImages();
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
        m_parts->memory.tidy(execution::unixNow(), [this](const ClientId& id) {
            return isConnected(id);
        });
    }
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
    request.asked = command.asked;
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

asio::awaitable<void> Engine::Impl::perform(RetryDocker /*command*/)
{
    m_parts->watch.retryNow();
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(SendSnapshot /*command*/)
{
    emit(DockerChanged{m_parts->watch.status()});
    if (const auto& damage = m_parts->foundation.store->auditDamage())
        emit(AuditVerified{false, 0, execution::unixNow(), *damage});
    emit(PoliciesChanged{m_parts->policies.policies()});
    emit(RememberedChanged{m_parts->memory.all()});
    emit(StoppedSessionsChanged{m_parts->gate.stopped()});
    emit(BlockedClientsChanged{m_parts->foundation.blocked.all()});
    emit(m_pause);
    m_parts->settings.tell();
    for (Approval& approval : m_parts->desk.waiting())
        emit(ApprovalAsked{std::move(approval)});
    for (const execution::Client& client : clients())
        emit(ClientConnected{client});
    for (execution::Record& record : m_parts->executions.active())
        emit(ExecutionChanged{std::move(record)});
    m_parts->sandboxes.changed();
    if (m_parts->watch.status().state == DockerState::Ready)
        co_await m_parts->sandboxes.tellImages();
}

policy::Keeper::Options Engine::Impl::keeperOptions(const Foundation& foundation) const
{
    policy::Keeper::Options options;
    options.folder = m_options.paths.policiesFolder();
    options.assignmentsFile = m_options.paths.assignmentsFile();
    options.shipped = foundation.shippedPolicies;
    options.author = userName();
    options.acceptLoosening = m_options.acceptPolicy;
    return options;
}

approval::Gate::Parts Engine::Impl::gateParts()
{
    approval::Gate::Parts parts;
    parts.analyse = [this](std::string language, std::shared_ptr<const std::string> code) {
        return m_parts->analysis.analyse(std::move(language), std::move(code));
    };
    parts.policyFor = [this](const execution::Client& client) {
        return m_parts->policies.forClient(client);
    };
    parts.remembered = [this]() -> const std::vector<policy::Remembered>& {
        return m_parts->memory.all();
    };
    parts.rememberedWasUsed = [this](const std::string& id) { m_parts->memory.wasUsed(id); };
    parts.remember = [this](policy::Remembered remembered) {
        return m_parts->memory.add(std::move(remembered));
    };
    parts.imageDigest = [this](std::string reference) { return imageDigest(std::move(reference)); };
    parts.lookBack =
        [this](std::shared_ptr<const Approval> asked, std::shared_ptr<const policy::Named> policy) {
            return lookBack(std::move(asked), std::move(policy));
        };
    parts.audit = [this](audit::Entry entry) {
        return m_parts->foundation.store->auditDurable(std::move(entry));
    };
    parts.stoppedChanged = [this] { emit(StoppedSessionsChanged{m_parts->gate.stopped()}); };
    return parts;
}

SandboxDesk::Parts Engine::Impl::deskParts(Parts& parts)
{
    return {
        parts.foundation.languages,
        parts.foundation.recipes,
        parts.pool,
        *parts.reaper,
        parts.executions,
        m_options.paths.sandboxesFile(),
        [&parts](Deadline deadline) { return parts.watch.client(deadline); },
        [&parts] { return parts.watch.status().state == DockerState::Ready; },
        [this](const std::string& language) { return usual(language); },
        [this](Event event) { emit(std::move(event)); },
        [this](audit::Entry entry) { audit(std::move(entry)); },
    };
}

/// As a client that no assignment names would have it.
SandboxDesk::Usual Engine::Impl::usual(const std::string& language) const
{
    const auto policy = m_parts->policies.forClient({});
    policy::Question question;
    question.language = language;
    const policy::Decision decision = policy::decide(*policy, question, {});
    return {decision.limits, decision.container, decision.image};
}

asio::awaitable<std::string> Engine::Impl::imageDigest(std::string reference)
{
    auto digest =
        co_await m_parts->pool.imageDigest(std::move(reference), deadlineIn(kDockerCallDeadline));
    co_return digest.value_or("");
}

asio::awaitable<approval::Background> Engine::Impl::lookBack(
    std::shared_ptr<const Approval> asked, std::shared_ptr<const policy::Named> policy
)
{
    std::function<Result<approval::Background>(store::HistoryReader&)> read =
        [asked = std::move(asked), policy = std::move(policy)](store::HistoryReader& history) {
            return approval::lookBack(history, *asked, *policy);
        };
    auto background = co_await fromHistory(std::move(read));
    // The question is worth asking without it.
    if (!background)
        log::engine().warn("no_background=\"{}\"", log::safe(background.error().message()));
    co_return background.value_or(approval::Background());
}

mcp::ResourceParts Engine::Impl::resourceParts(Parts& parts)
{
    mcp::ResourceParts read;
    read.executions = &parts.executions;
    read.languages = languageInfos(parts.foundation.languages);
    read.policy = [&parts] { return parts.policies.forClient({}); };
    read.fileBytes = [this](ExecutionId id, std::size_t place) {
        return fromHistory<std::string>([id, place](store::HistoryReader& history) {
            return history.fileBytes(id, place);
        });
    };
    read.samples = [this](ExecutionId id) {
        return fromHistory<std::vector<execution::Sample>>([id](store::HistoryReader& history) {
            return history.samples(id);
        });
    };
    read.view = parts.foundation.executionView;
    return read;
}

SettingsDesk::Parts Engine::Impl::settingsParts(Parts& parts)
{
    SettingsDesk::Parts desk{
        m_options.paths, m_options.http, *parts.foundation.store, {}, {}, {}, {}, {}, {}};
    desk.makeHttp = [this](HttpOptions options) {
        return std::make_unique<HttpService>(
            m_context.get_executor(),
            std::move(options),
            m_options.paths.tokenFile(),
            m_parts->offer,
            mcp::ClientEvents{
                [this](const execution::Client& client) { clientCame(client); },
                [this](const execution::Client& client) { emit(ClientChanged{client}); },
                [this](const ClientId& id) { clientLeft(id); }}
        );
    };
    desk.setMaxRunning = [this](std::uint32_t count) { m_parts->executions.setMaxRunning(count); };
    desk.measure = [this](store::Expiry expiry) {
        std::function<Result<DataMeasured>(store::HistoryReader&)> read =
            [expiry](store::HistoryReader& history) -> Result<DataMeasured> {
            const auto size = history.size();
            if (!size)
                return fail(size.error());
            const auto expired = history.expired(expiry, std::numeric_limits<std::uint32_t>::max());
            if (!expired)
                return fail(expired.error());
            DataMeasured measured;
            measured.executions = size->executions;
            measured.historyBytes = size->fileBytes;
            measured.historyUsed = size->usedBytes;
            measured.expired = expired->size();
            return measured;
        };
        return fromHistory(std::move(read));
    };
    desk.expired = [this](store::Expiry expiry) {
        std::function<Result<std::vector<ExecutionId>>(store::HistoryReader&)> read =
            [expiry](store::HistoryReader& history) {
                return history.expired(expiry, kDeletedAtOnce);
            };
        return fromHistory(std::move(read));
    };
    desk.emit = [this](Event event) { emit(std::move(event)); };
    desk.audit = [this](audit::Entry entry) { audit(std::move(entry)); };
    return desk;
}

template <class T>
asio::awaitable<Result<T>>
Engine::Impl::fromHistory(std::function<Result<T>(store::HistoryReader&)> read)
{
    auto reading = [](std::filesystem::path file,
                      std::function<Result<T>(store::HistoryReader&)> work
                   ) -> asio::awaitable<Result<T>> {
        auto history = store::HistoryReader::open(file);
        if (!history)
            co_return fail(history.error());
        co_return work(*history);
    };
    auto begun = reading(m_parts->foundation.store->file(), std::move(read));
    co_return co_await asio::co_spawn(m_parts->reader, std::move(begun), asio::use_awaitable);
}

/// What earlier lives have left: decisions, policies, and whether the log is as it was.
asio::awaitable<Result<>> Engine::Impl::takeUp()
{
    audit::Entry started;
    started.type = audit::Type::EngineStarted;
    started.detail["version"] = kVersion;
    started.detail["pid"] = ::getpid();
    auto recorded = co_await m_parts->foundation.store->auditDurable(std::move(started));
    if (!recorded)
        co_return std::move(recorded);
    using Remembered = std::vector<store::RememberedRow>;
    std::function<Result<Remembered>(store::HistoryReader&)> decisions =
        [](store::HistoryReader& history) { return history.remembered(); };
    auto remembered = co_await fromHistory(std::move(decisions));
    if (!remembered)
        co_return fail(remembered.error());
    m_parts->memory.load(*remembered);
    using Versions = std::vector<store::PolicyVersion>;
    std::function<Result<Versions>(store::HistoryReader&)> policies =
        [](store::HistoryReader& history) { return history.latestPolicyVersions(); };
    auto versions = co_await fromHistory(std::move(policies));
    if (!versions)
        co_return fail(versions.error());
    co_return co_await m_parts->policies.start(std::move(*versions));
}

void Engine::Impl::audit(audit::Entry entry)
{
    m_parts->foundation.store->audit(std::move(entry));
}

void Engine::Impl::auditClient(audit::Type type, const execution::Client& client)
{
    audit::Entry entry;
    entry.type = type;
    entry.client = client.id;
    entry.detail["name"] = client.name;
    entry.detail["version"] = client.version;
    entry.detail["transport"] = client.transport;
    entry.detail["protocol"] = client.protocolRevision;
    entry.detail["pid"] = client.pid;
    entry.detail["executable"] = client.executable;
    audit(std::move(entry));
}

bool Engine::Impl::isConnected(const ClientId& id) const
{
    const auto all = clients();
    return id == m_person.id ||
           std::any_of(all.begin(), all.end(), [&](const auto& client) { return client.id == id; });
}

std::vector<execution::Client> Engine::Impl::clients() const
{
    auto all = m_parts->listener.clients();
    if (const HttpService* http = m_parts->settings.http()) {
        for (execution::Client& client : http->clients())
            all.push_back(std::move(client));
    }
    return all;
}

void Engine::Impl::disconnect(const ClientId& id)
{
    m_parts->listener.disconnect(id);
    if (HttpService* http = m_parts->settings.http())
        http->disconnect(id);
}

void Engine::Impl::clientCame(const execution::Client& client)
{
    auditClient(audit::Type::ClientConnected, client);
    emit(ClientConnected{client});
}

void Engine::Impl::clientLeft(const ClientId& id)
{
    m_parts->executions.clientLeft(id, "the client disconnected");
    audit::Entry entry;
    entry.type = audit::Type::ClientDisconnected;
    entry.client = id;
    audit(std::move(entry));
    emit(ClientDisconnected{id});
}

void Engine::Impl::told(std::uint64_t token, const Result<>& outcome)
{
    PolicyCommandDone done;
    done.token = token;
    if (!outcome)
        done.error = outcome.error();
    emit(std::move(done));
}

asio::awaitable<void> Engine::Impl::perform(AnswerApproval command)
{
    approval::Answer answer;
    answer.verdict = command.verdict;
    answer.comment = std::move(command.comment);
    answer.remember = command.remember;
    answer.stopSession = command.stopSession;
    if (command.editedCode)
        answer.editedCode = std::make_shared<const std::string>(std::move(*command.editedCode));
    auto answered = m_parts->desk.answer(command.id, command.shown, std::move(answer));
    if (!answered) // it shows in the window that the question isn't there any more
        log::engine().info("not_answered=\"{}\"", log::safe(answered.error().message()));
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(HoldApproval command)
{
    m_parts->desk.hold(command.id, command.held);
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(AnalyseDraft command)
{
    auto decision = co_await m_parts->gate.tryOut(command.id, std::move(command.code));
    if (decision)
        emit(DraftAnalysed{command.token, command.id, std::move(*decision)});
}

asio::awaitable<void> Engine::Impl::perform(RevokeRemembered command)
{
    auto revoked = co_await m_parts->memory.revoke(std::move(command.ids));
    if (!revoked)
        log::engine().error("not_revoked=\"{}\"", log::safe(revoked.error().message()));
}

asio::awaitable<void> Engine::Impl::perform(LiftStoppedSession command)
{
    return m_parts->gate.lift(command.client);
}

asio::awaitable<void> Engine::Impl::perform(DisconnectClient command)
{
    disconnect(command.client);
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(BlockClient command)
{
    const Blocked blocked(
        {std::move(command.name), std::move(command.executable), execution::unixNow()}
    );
    blocksChanged(audit::Type::ClientBlocked, blocked, m_parts->foundation.blocked.add(blocked));
    for (const execution::Client& client : clients()) {
        if (client.name == blocked.name && client.executable == blocked.executable)
            disconnect(client.id);
    }
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(UnblockClient command)
{
    const Blocked unblocked({std::move(command.name), std::move(command.executable), 0});
    const auto saved = m_parts->foundation.blocked.remove(unblocked.name, unblocked.executable);
    blocksChanged(audit::Type::ClientUnblocked, unblocked, saved);
    co_return;
}

void Engine::Impl::blocksChanged(audit::Type type, const Blocked& client, const Result<>& saved)
{
    if (!saved)
        log::engine().error("blocks_not_saved=\"{}\"", log::safe(saved.error().message()));
    audit::Entry entry;
    entry.type = type;
    entry.detail["name"] = client.name;
    entry.detail["executable"] = client.executable;
    audit(std::move(entry));
    emit(BlockedClientsChanged{m_parts->foundation.blocked.all()});
}

asio::awaitable<void> Engine::Impl::perform(PauseRuns command)
{
    if (m_pause.paused != command.paused) {
        m_pause = {command.paused, execution::unixNow()};
        m_parts->executions.setPaused(command.paused);
        audit::Entry entry;
        entry.type = command.paused ? audit::Type::RunsPaused : audit::Type::RunsResumed;
        audit(std::move(entry));
    }
    emit(m_pause);
    co_return;
}

asio::awaitable<void> Engine::Impl::perform(SavePolicy command)
{
    const auto outcome = co_await m_parts->policies.save(
        std::move(command.name), std::move(command.text), std::move(command.note)
    );
    told(command.token, outcome);
}

asio::awaitable<void> Engine::Impl::perform(RestorePolicy command)
{
    using Versions = std::vector<store::PolicyVersion>;
    std::function<Result<Versions>(store::HistoryReader&)> read =
        [name = command.name](store::HistoryReader& history) {
            return history.policyVersions(name);
        };
    auto versions = co_await fromHistory(std::move(read));
    if (!versions)
        co_return told(command.token, fail(versions.error()));
    for (store::PolicyVersion& version : *versions) {
        if (version.version != command.version)
            continue;
        const auto outcome = co_await m_parts->policies.restore(
            std::move(command.name), command.version, std::move(version.text)
        );
        co_return told(command.token, outcome);
    }
    told(
        command.token,
        fail(Errc::NotFound, command.name + " has no version " + std::to_string(command.version))
    );
}

asio::awaitable<void> Engine::Impl::perform(DeletePolicy command)
{
    const auto outcome = co_await m_parts->policies.remove(std::move(command.name));
    told(command.token, outcome);
}

asio::awaitable<void> Engine::Impl::perform(AssignPolicies command)
{
    const auto outcome = co_await m_parts->policies.assign(
        std::move(command.assignments), std::move(command.defaultPolicy)
    );
    told(command.token, outcome);
}

asio::awaitable<void> Engine::Impl::perform(ConfirmPolicy command)
{
    const auto outcome = co_await m_parts->policies.confirm(
        std::move(command.name), std::move(command.sha256), command.accept
    );
    told(command.token, outcome);
}

asio::awaitable<void> Engine::Impl::perform(MarkExecution command)
{
    auto marked = co_await m_parts->foundation.store->mark(command.id, command.marks);
    if (marked)
        emit(MarksChanged{command.id, std::move(command.marks)});
    else
        emit(HistoryChangeFailed{command.token, marked.error()});
}

asio::awaitable<void> Engine::Impl::perform(DeleteExecutions command)
{
    ExecutionsDeleted deleted;
    deleted.token = command.token;
    std::optional<Error> failed;
    for (const ExecutionId& id : command.ids) {
        audit::Entry entry;
        entry.type = audit::Type::HistoryDeleted;
        entry.execution = id;
        entry.detail["by"] = userName();
        auto erased = co_await m_parts->foundation.store->erase(id, std::move(entry));
        if (erased)
            deleted.ids.push_back(id);
        else
            failed = erased.error();
    }
    if (!deleted.ids.empty())
        emit(std::move(deleted));
    if (failed)
        emit(HistoryChangeFailed{command.token, *failed});
}

asio::awaitable<void> Engine::Impl::perform(VerifyAudit /*command*/)
{
    const std::filesystem::path file = m_parts->foundation.store->file();
    auto verifying = [](std::filesystem::path history
                     ) -> asio::awaitable<Result<audit::Verification>> {
        co_return audit::verifyLog(history);
    };
    auto begun = verifying(file);
    auto found = co_await asio::co_spawn(m_parts->reader, std::move(begun), asio::use_awaitable);
    AuditVerified verified;
    verified.at = execution::unixNow();
    verified.intact = found && found->intact;
    verified.rows = found ? static_cast<std::int64_t>(found->rows) : 0;
    verified.message = found ? found->summary() : found.error().message();
    emit(std::move(verified));
}

asio::awaitable<void> Engine::Impl::perform(ListenForApprovals command)
{
    m_parts->desk.setListening(command.listening);
    co_return;
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
