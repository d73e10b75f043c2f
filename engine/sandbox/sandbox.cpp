// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/sandbox.h"

#include "engine/base/file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/docker/codec.h"
#include "engine/sandbox/reaper.h"
#include "engine/sandbox/remedy.h"
#include "engine/sandbox/runner_folder.h"

#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace belljar::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr auto kEngineGrace = 5s; // how long after the limit the engine waits for the runner
constexpr auto kCancelGrace = 500ms;  // for the runner to answer a cancel before the stream is cut
constexpr auto kWriteDeadline = 300s; // a program may leave its stdin unread as long as it may run
constexpr int kKillGraceMs = 1000;
constexpr int kDrainMs = 200;
constexpr int kSampleMs = 100;
constexpr std::size_t kLastWordsBytes = 4096;
constexpr std::uint64_t kShmBytes = 16ULL * 1024 * 1024;
constexpr std::uint64_t kDescriptors = 1024;

std::string tmpfsOptions(std::uint64_t bytes, std::uint32_t inodes, std::string_view mode)
{
    // uid and gid, because runc gives a tmpfs the mode of the folder it covers where the image has
    // one.
    return "rw,nosuid,nodev,exec,size=" + std::to_string(bytes) +
           ",nr_inodes=" + std::to_string(inodes) + ",uid=" + std::to_string(kSandboxUid) +
           ",gid=" + std::to_string(kSandboxGid) + ",mode=" + std::string(mode);
}

/// Field 22 of /proc/<pid>/stat: when the process started, in clock ticks since boot. Empty when
/// there is none.
std::string startTimeOf(std::string_view pid)
{
    const auto stat = readFile("/proc/" + std::string(pid) + "/stat", 4096);
    if (!stat)
        return {};
    // The command (field 2) may hold anything, also spaces and parentheses: count from the last
    // ')'.
    std::string_view rest = *stat;
    rest.remove_prefix(std::min(rest.rfind(')') + 2, rest.size()));
    for (int field = 3; field < 22 && !rest.empty(); ++field)
        rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
    return std::string(rest.substr(0, rest.find(' ')));
}

Json environmentJson(const std::map<std::string, std::string>& environment)
{
    Json json = Json::object();
    for (const auto& [name, value] : environment)
        json[name] = value;
    return json;
}

Json runMessage(const Program& program, bool warm)
{
    const OutputBudget budget = budgetFor(program.outputBytes);
    Json message;
    message["op"] = "run";
    message["argv"] = program.argv;
    message["env"] = environmentJson(program.environment);
    message["warm"] = warm;
    message["file"] = program.file;
    message["code_bytes"] = program.code->size();
    message["args"] = program.args;
    message["timeout_ms"] = program.timeout.count();
    message["kill_grace_ms"] = kKillGraceMs;
    message["drain_ms"] = kDrainMs;
    message["output_head_bytes"] = budget.headBytes;
    message["output_tail_bytes"] = budget.tailBytes;
    message["sample_ms"] = kSampleMs;
    message["files"] = program.files.files;
    message["file_bytes"] = program.files.bytesEach;
    message["files_bytes"] = program.files.bytesTogether;
    message["files_ms"] = program.files.time.count();
    return message;
}

/// The writer only ends by an error, and then the reader learns the reason from its own half; so
/// the pair ends with the reader.
struct StopWithReader {
    asio::cancellation_type
    operator()(const std::exception_ptr& /*thrown*/, const Result<Exit>& /*exit*/) const
    {
        return asio::cancellation_type::terminal;
    }
    asio::cancellation_type
    operator()(const std::exception_ptr& /*thrown*/, const Result<>& /*written*/) const
    {
        return asio::cancellation_type::none;
    }
};

} // namespace

docker::ContainerSpec containerSpec(const SandboxSpec& spec, const Surroundings& surroundings)
{
    const execution::Limits& limits = spec.limits;
    // Files in tmpfs are memory: all of them together stay below the limit.
    const std::uint64_t tmpfsLimit = limits.memoryBytes / 4;
    const std::uint64_t workspaceBytes = std::min(limits.workspaceBytes, tmpfsLimit);
    docker::ContainerSpec container;
    container.image = spec.image.digest;
    container.entrypoint = {std::string(kRunnerMountPoint) + "/belljar_runner"};
    container.environment = {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME=/workspace",
        "LANG=C.UTF-8",
        "TZ=UTC",
    };
    container.clearEnvironment = spec.image.environmentNames;
    container.blankVolumes = spec.image.volumes;
    container.workingDirectory = "/workspace";
    container.uid = kSandboxUid;
    container.gid = kSandboxGid;
    container.memoryBytes = limits.memoryBytes;
    container.cpuMillis = limits.cpuMillis;
    container.pids = limits.pids;
    const auto fileBytes = static_cast<std::int64_t>(std::max(workspaceBytes, limits.tmpBytes));
    container.ulimits = {
        {"core", 0, 0},
        {"nofile",
         static_cast<std::int64_t>(kDescriptors),
         static_cast<std::int64_t>(kDescriptors)},
        {"fsize", fileBytes, fileBytes},
        {"msgqueue", 65536, 65536},
        {"sigpending", 256, 256},
        {"memlock", 65536, 65536},
    };
    container.tmpfs = {
        {"/workspace", tmpfsOptions(workspaceBytes, 16384, "0700")},
        {"/tmp", tmpfsOptions(std::min(limits.tmpBytes, tmpfsLimit), 16384, "1777")},
        {"/dev/shm", tmpfsOptions(std::min(kShmBytes, tmpfsLimit), 4096, "1777")},
    };
    container.readOnlyBinds = {{surroundings.runnerFolder, kRunnerMountPoint}};
    container.readOnlyRoot = spec.settings.readOnlyRoot;
    if (spec.settings.seccomp == execution::Seccomp::Belljar)
        container.seccompProfile = surroundings.seccompProfile;
    container.runtime = spec.settings.runtime;
    container.labels = {{kOwnerLabel, surroundings.owner}};
    return container;
}

std::string ownerOfThisProcess()
{
    const std::string pid = std::to_string(::getpid());
    return std::to_string(::geteuid()) + ":" + pid + ":" + startTimeOf(pid);
}

bool isDeadOwner(std::string_view owner)
{
    const std::size_t first = owner.find(':');
    const std::size_t second =
        owner.find(':', first == std::string_view::npos ? owner.size() : first + 1);
    if (second == std::string_view::npos)
        return false;
    const std::string_view uid = owner.substr(0, first);
    const std::string_view pid = owner.substr(first + 1, second - first - 1);
    const bool digits =
        !pid.empty() && pid.find_first_not_of("0123456789") == std::string_view::npos;
    return digits && uid == std::to_string(::geteuid()) &&
           startTimeOf(pid) != owner.substr(second + 1);
}

Sandbox::Sandbox(
    asio::any_io_executor executor,
    std::shared_ptr<docker::Client> client,
    SandboxSpec spec,
    std::shared_ptr<Reaper> reaper
)
    : m_client(std::move(client))
    , m_spec(std::move(spec))
    , m_reaper(std::move(reaper))
    , m_outgoingReady(executor, asio::steady_timer::time_point::max())
    , m_cancelGrace(executor)
{}

Sandbox::~Sandbox()
{
    m_stream.close();
    if (!m_containerId.empty())
        m_reaper->reap(m_client, m_containerId);
}

asio::awaitable<Result<std::unique_ptr<Sandbox>>> Sandbox::create(
    std::shared_ptr<docker::Client> client,
    SandboxSpec spec,
    Surroundings surroundings,
    Deadline deadline
)
{
    const auto executor = co_await asio::this_coro::executor;
    std::unique_ptr<Sandbox> sandbox(
        new Sandbox(executor, std::move(client), std::move(spec), surroundings.reaper)
    );
    auto up = co_await sandbox->bringUp(std::move(surroundings), deadline);
    if (!up)
        co_return fail(up.error());
    co_return std::move(sandbox);
}

asio::awaitable<Result<>> Sandbox::bringUp(Surroundings surroundings, Deadline deadline)
{
    auto container = containerSpec(m_spec, surroundings);
    m_sent.json = std::make_shared<const std::string>(dumpJson(docker::encodeContainer(container)));
    m_sent.sha256 = sha256Hex(*m_sent.json);
    auto id = co_await m_client->createContainer(std::move(container), deadline);
    if (!id)
        co_return fail(id.error());
    m_containerId = *id;
    Resident resident;
    resident.language = m_spec.language.id;
    resident.image = m_spec.language.image;
    resident.imageDigest = m_spec.image.digest;
    resident.limits = m_spec.limits;
    resident.madeAt = execution::unixNow();
    m_reaper->adopt(m_containerId, std::move(resident));
    auto stream = co_await m_client->attach(m_containerId, deadline);
    if (!stream)
        co_return fail(stream.error());
    m_stream = std::move(*stream);
    auto started = co_await m_client->start(m_containerId, deadline);
    if (!started)
        co_return fail(started.error());

    auto first = co_await nextEvent(deadline);
    if (!first)
        co_return fail(first.error().within("image " + m_spec.language.image));
    const Hello* hello = std::get_if<Hello>(&*first);
    if (!hello)
        co_return fail(Errc::ProtocolViolation, "the runner did not say hello");
    const auto found = weaknesses(*hello, kSandboxUid, kSandboxGid);
    if (!found.empty()) {
        std::string list;
        for (const std::string& weakness : found)
            list += (list.empty() ? "" : "; ") + weakness;
        co_return fail(
            Errc::Unsafe,
            "the sandbox is not as it must be, so nothing is run in it: " + list +
                ". The container engine ignored a setting; run: belljar doctor"
        );
    }
    if (m_spec.language.warm)
        co_return co_await warmUp(deadline);
    co_return Result<>();
}

asio::awaitable<Result<>> Sandbox::warmUp(Deadline deadline)
{
    const WarmStart& warm = *m_spec.language.warm;
    std::map<std::string, std::string> environment = m_spec.language.environment;
    environment.insert(warm.environment.begin(), warm.environment.end());
    Json message;
    message["op"] = "prepare";
    message["argv"] = warm.argv;
    message["env"] = environmentJson(environment);
    auto written = co_await m_stream.write(encodeControl(message), deadline);
    if (!written)
        co_return fail(written.error());
    auto answer = co_await nextEvent(deadline);
    if (!answer)
        co_return fail(answer.error().within("image " + m_spec.language.image));
    if (const Fault* fault = std::get_if<Fault>(&*answer))
        co_return fail(
            Errc::ImageMissing,
            "image " + m_spec.language.image + ": " + escapeForLine(fault->message) + "; " +
                remedyFor(m_spec.language)
        );
    if (!std::holds_alternative<Prepared>(*answer))
        co_return fail(Errc::ProtocolViolation, "the runner did not answer prepare");
    m_warm = true;
    co_return Result<>();
}

asio::awaitable<Result<RunnerEvent>> Sandbox::nextEvent(Deadline deadline)
{
    while (m_nextEvent == m_events.size()) {
        auto chunk = co_await m_stream.read(deadline);
        if (!chunk) {
            if (chunk.error().code() == Errc::Closed && !m_lastWords.empty())
                co_return fail(Errc::Closed, "the sandbox ended: " + escapeForLine(m_lastWords));
            co_return fail(chunk.error());
        }
        if (chunk->stream == docker::OutputStream::Stderr) {
            m_lastWords.append(
                std::string_view(chunk->bytes).substr(0, kLastWordsBytes - m_lastWords.size())
            );
            continue;
        }
        auto events = m_decoder.feed(chunk->bytes);
        if (!events)
            co_return fail(events.error());
        m_events = std::move(*events);
        m_nextEvent = 0;
    }
    co_return std::move(m_events[m_nextEvent++]);
}

void Sandbox::enqueue(std::string frames)
{
    m_outgoing.push_back(std::move(frames));
    m_outgoingReady.cancel();
}

asio::awaitable<Result<>> Sandbox::writeQueued(Deadline deadline)
{
    for (;;) {
        while (!m_outgoing.empty()) {
            std::string frames = std::move(m_outgoing.front());
            m_outgoing.erase(m_outgoing.begin());
            auto written = co_await m_stream.write(std::move(frames), deadline);
            if (!written)
                co_return fail(written.error());
        }
        boost::system::error_code woken;
        co_await m_outgoingReady.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
}

asio::awaitable<Result<Exit>> Sandbox::readUntilExit(RunSink sink, Deadline deadline)
{
    for (;;) {
        auto event = co_await nextEvent(deadline);
        if (!event)
            co_return fail(event.error());
        if (auto* chunk = std::get_if<execution::OutputChunk>(&*event)) {
            sink.output(std::move(*chunk));
        } else if (const auto* sample = std::get_if<execution::Sample>(&*event)) {
            sink.sample(*sample);
        } else if (const auto* started = std::get_if<Started>(&*event)) {
            sink.started(started->codeSha256);
        } else if (auto* exit = std::get_if<Exit>(&*event)) {
            co_return std::move(*exit);
        } else if (const auto* fault = std::get_if<Fault>(&*event)) {
            co_return fail(
                Errc::ImageMissing,
                "image " + m_spec.language.image + ": " + escapeForLine(fault->message) + "; " +
                    remedyFor(m_spec.language)
            );
        } else {
            co_return fail(Errc::ProtocolViolation, "the runner said hello twice");
        }
    }
}

asio::awaitable<Result<Exit>> Sandbox::run(Program program, RunSink sink)
{
    const auto executor = co_await asio::this_coro::executor;
    m_decoder.setBudget(budgetFor(program.outputBytes), program.files);
    enqueue(encodeControl(runMessage(program, m_warm)));
    enqueue(encodeData(runner::Channel::Code, *program.code));
    enqueue(encodeData(runner::Channel::Stdin, program.standardInput));
    if (m_cancelled)
        enqueue(encodeControl(Json{{"op", "cancel"}}));

    const Deadline deadline = deadlineIn(program.timeout + kEngineGrace);
    auto race = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, readUntilExit(std::move(sink), deadline), asio::deferred),
        asio::co_spawn(executor, writeQueued(deadlineIn(kWriteDeadline)), asio::deferred)
    );
    StopWithReader condition;
    auto [order, readThrown, exit, writeThrown, written] =
        co_await race.async_wait(condition, asio::use_awaitable);
    m_cancelGrace.cancel();
    if (readThrown)
        std::rethrow_exception(readThrown);
    co_return std::move(exit);
}

void Sandbox::cancel()
{
    if (std::exchange(m_cancelled, true))
        return;
    enqueue(encodeControl(Json{{"op", "cancel"}}));
    m_cancelGrace.expires_after(kCancelGrace);
    m_cancelGrace.async_wait([this](const boost::system::error_code& error) {
        if (!error)
            m_stream.close();
    });
}

} // namespace belljar::sandbox
