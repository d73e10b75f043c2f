// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/docker_session.h"
#include "app/cli/mcp_client.h"
#include "engine/audit/log_reader.h"
#include "engine/base/file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/sandbox/pool.h"
#include "engine/sandbox/reaper.h"
#include "engine/sandbox/runner_folder.h"
#include "engine/sandbox/sandbox.h"
#include "engine/store/database.h"
#include "engine/store/history_reader.h"

#include <array>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace belljar::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kDockerDeadline = 10s;
constexpr auto kSandboxDeadline = 60s;

enum class Verdict : std::uint8_t { Good, Note, Bad };

struct VerdictRow {
    Verdict verdict;
    const char* mark;
};

constexpr std::array kMarks{
    VerdictRow{Verdict::Good, "ok   "},
    VerdictRow{Verdict::Note, "note "},
    VerdictRow{Verdict::Bad, "FAIL "},
};

/// Prints one line per check and remembers whether something that is needed doesn't work.
class Report {
public:
    void
    add(Verdict verdict,
        const std::string& what,
        const std::string& found,
        const std::string& mend = {})
    {
        std::cout << kMarks.at(static_cast<std::size_t>(verdict)).mark << what << ": "
                  << escapeUnusual(found) << '\n';
        if (!mend.empty())
            std::cout << "     to mend: " << escapeUnusual(mend) << '\n';
        m_failed |= verdict == Verdict::Bad;
    }
    [[nodiscard]] bool failed() const { return m_failed; }

private:
    bool m_failed = false;
};

void printPaths(const Paths& paths)
{
    std::cout << "config   " << paths.config.string() << '\n'
              << "data     " << paths.data.string() << '\n'
              << "history  " << paths.historyFile().string() << '\n'
              << "log      " << paths.logFile().string() << '\n'
              << "runtime  " << paths.runtime.string() << '\n'
              << "socket   " << paths.socketFile().string() << '\n';
}

void checkEngine(Report& report, const Paths& paths)
{
    const auto lock = LockFile::acquire(paths.lockFile());
    if (lock) {
        report.add(
            Verdict::Note,
            "engine",
            "none is running; the desktop, `belljar serve` or an MCP client starts one"
        );
        return;
    }
    const auto client = McpClient::connect(paths.socketFile());
    if (client)
        report.add(
            Verdict::Good, "engine", "running and answering at " + paths.socketFile().string()
        );
    else
        report.add(
            Verdict::Bad,
            "engine",
            client.error().message() + "; " + lock.error().message(),
            "end that process and start Belljar again"
        );
}

void checkHistory(Report& report, const Paths& paths)
{
    auto reader = store::HistoryReader::open(paths.historyFile());
    if (!reader && reader.error().code() == Errc::NotFound) {
        report.add(Verdict::Note, "history", "nothing has been run yet");
        return;
    }
    const auto count = reader ? reader->count() : Result<std::uint64_t>(fail(reader.error()));
    if (count)
        report.add(Verdict::Good, "history", groupedDigits(*count) + " executions");
    else
        report.add(
            Verdict::Bad,
            "history",
            count.error().message(),
            store::adviceToBeginAnew(paths.historyFile())
        );
}

/// The end of it; all of it takes longer than one waits for a doctor.
void checkAudit(Report& report, const Paths& paths)
{
    auto reader = audit::LogReader::open(paths.historyFile());
    const auto found = reader ? reader->verifyEnd() : audit::verifyLog(paths.historyFile());
    if (!found)
        report.add(Verdict::Bad, "audit log", found.error().message());
    else if (!found->intact)
        report.add(
            Verdict::Bad,
            "audit log",
            found->summary(),
            "nothing mends it; see what belljar audit verify says and keep the evidence"
        );
    else
        report.add(
            Verdict::Good, "audit log", "its end is intact; belljar audit verify checks all of it"
        );
}

void checkDockerInfo(Report& report, DockerSession& docker)
{
    const docker::Version& version = docker.version();
    report.add(
        Verdict::Good,
        "Docker",
        version.engine + ", API " + version.apiVersion + ", at " +
            docker.client().endpoint().socketPath
    );
    const auto info = docker.run(docker.client().info(deadlineIn(kDockerDeadline)));
    if (!info) {
        report.add(Verdict::Bad, "Docker's settings", info.error().message());
        return;
    }
    const auto need = [&report](bool there, const std::string& what, const std::string& mend) {
        report.add(
            there ? Verdict::Good : Verdict::Bad,
            what,
            there ? "available" : "not available",
            there ? "" : mend
        );
    };
    need(
        info->memoryLimit,
        "memory limits",
        "mount the memory cgroup; without it nothing bounds a program's memory"
    );
    need(
        info->pidsLimit,
        "process limits",
        "mount the pids cgroup; without it nothing stops a fork bomb"
    );
    need(info->seccomp, "system call filter", "use a kernel and a Docker with seccomp");
    if (!info->rootless)
        report.add(
            Verdict::Note,
            "user namespaces",
            "Docker runs as root without them: a hole in the kernel would be a hole to the host's "
            "root; rootless Docker "
            "or userns-remap is a further wall"
        );
    for (const std::string& warning : info->warnings)
        report.add(Verdict::Note, "Docker says", warning);
}

/// Runs the language's own check in a sandbox like any other.
asio::awaitable<Result<sandbox::Exit>>
tryLanguage(sandbox::Pool* pool, sandbox::Language language, std::string* output)
{
    auto sandbox = co_await pool->take(
        language, execution::Limits(), execution::Container(), deadlineIn(kSandboxDeadline)
    );
    if (!sandbox)
        co_return fail(sandbox.error());
    language.warm.reset();
    sandbox::Program program;
    program.argv = language.check;
    program.environment = language.environment;
    program.file = language.file;
    program.code = std::make_shared<const std::string>("# belljar doctor\n");
    sandbox::RunSink sink;
    sink.started = [](const std::string&) {};
    sink.sample = [](const execution::Sample&) {};
    sink.output = [output](const execution::OutputChunk& chunk) { *output += chunk.bytes; };
    co_return co_await (*sandbox)->run(std::move(program), std::move(sink));
}

void checkLanguages(Report& report, DockerSession& docker, const Paths& paths)
{
    const auto folder = sandbox::stageRunnerFolder(paths.data);
    if (!folder) {
        report.add(Verdict::Bad, "runner", folder.error().message(), "install Belljar again");
        return;
    }
    report.add(Verdict::Good, "runner", folder->string());
    const auto languagesFolder = findResource("languages");
    const auto profileFile = findResource("sandbox/seccomp.json");
    const auto profile =
        profileFile ? readFile(*profileFile) : Result<std::string>(fail(profileFile.error()));
    const auto languages = languagesFolder
                               ? sandbox::Languages::load(*languagesFolder)
                               : Result<sandbox::Languages>(fail(languagesFolder.error()));
    if (!profile || !languages) {
        report.add(
            Verdict::Bad,
            "installation",
            profile ? languages.error().message() : profile.error().message(),
            "install Belljar again"
        );
        return;
    }
    const auto executor = docker.context().get_executor();
    auto reaper = std::make_shared<sandbox::Reaper>(executor, sandbox::ownerOfThisProcess());
    sandbox::Surroundings surroundings{
        sandbox::ownerOfThisProcess(), folder->string(), *profile, reaper};
    auto client = docker.sharedClient();
    sandbox::Pool::FindClient find = [client](Deadline
                                     ) -> asio::awaitable<Result<std::shared_ptr<docker::Client>>> {
        co_return client;
    };
    sandbox::Pool::Options options;
    options.warmPerKind = 0;
    sandbox::Pool pool(executor, options, surroundings, find);
    for (sandbox::Language language : languages->all()) {
        // The check is another command than the program, so nothing may be warmed up for it.
        language.warm.reset();
        std::string output;
        const auto exit = docker.run(tryLanguage(&pool, language, &output));
        if (exit && exit->exitCode == 0)
            report.add(
                Verdict::Good, language.title, std::string(prefixWithin(output, output.find('\n')))
            );
        else if (exit)
            report.add(
                Verdict::Bad,
                language.title,
                "its check failed in the sandbox: " + output,
                "belljar images build --force " + language.id
            );
        else
            report.add(Verdict::Bad, language.title, exit.error().message());
    }
    auto closing = [](sandbox::Pool& used,
                      std::shared_ptr<sandbox::Reaper> last) -> asio::awaitable<Result<>> {
        co_await used.close(deadlineIn(kDockerDeadline));
        co_await last->settle(deadlineIn(kDockerDeadline));
        co_return Result<>();
    };
    static_cast<void>(docker.run(closing(pool, reaper)));
}

} // namespace

int doctor(const EngineOptions& engine, bool pathsOnly)
{
    if (pathsOnly) {
        printPaths(engine.paths);
        return 0;
    }
    Report report;
    report.add(
        Verdict::Good, "folders", engine.paths.data.string() + ", " + engine.paths.runtime.string()
    );
    checkEngine(report, engine.paths);
    checkHistory(report, engine.paths);
    checkAudit(report, engine.paths);
    auto docker = DockerSession::open(engine);
    if (docker) {
        checkDockerInfo(report, *docker);
        checkLanguages(report, *docker, engine.paths);
    } else {
        report.add(
            Verdict::Bad,
            "Docker",
            docker.error().message(),
            "install it (apt-get install docker.io), start it (systemctl start docker), and let "
            "your user use it "
            "(usermod -aG docker $USER, which gives that user root's power over this machine; or "
            "rootless Docker)"
        );
    }
    return report.failed() ? 1 : 0;
}

} // namespace belljar::cli
