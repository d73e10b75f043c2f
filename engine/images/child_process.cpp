// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/images/child_process.h"

#include "engine/base/file.h"
#include "engine/base/log.h"
#include "engine/base/task_group.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::images {

namespace {

constexpr std::size_t kChunkBytes = 64UL * 1024;
constexpr std::size_t kLongestLine = 4096;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

struct Pipe {
    UniqueFd readEnd;
    UniqueFd writeEnd;
};

Result<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return fail(Errc::IoFailed, "a pipe can't be made: " + describeErrno(errno));
    Pipe pipe;
    pipe.readEnd.reset(ends[0]);
    pipe.writeEnd.reset(ends[1]);
    return pipe;
}

/// The list of pointers that exec wants; valid as long as `texts`.
std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// The attributes and file actions of one posix_spawn, freed with it.
class SpawnPlan {
public:
    SpawnPlan()
    {
        ::posix_spawnattr_init(&m_attributes);
        ::posix_spawn_file_actions_init(&m_actions);
        // Its own group, so that all of it can be ended; no signal mask or handlers of ours.
        sigset_t none{};
        sigset_t all{};
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setpgroup(&m_attributes, 0);
        ::posix_spawnattr_setsigmask(&m_attributes, &none);
        ::posix_spawnattr_setsigdefault(&m_attributes, &all);
        ::posix_spawnattr_setflags(
            &m_attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        );
        ::posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    ~SpawnPlan()
    {
        ::posix_spawn_file_actions_destroy(&m_actions);
        ::posix_spawnattr_destroy(&m_attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    void give(int fd, int as) { ::posix_spawn_file_actions_adddup2(&m_actions, fd, as); }
    /// Ours are close-on-exec; this is for what we inherited ourselves.
    void closeTheRest()
    {
        ::posix_spawn_file_actions_addclosefrom_np(&m_actions, STDERR_FILENO + 1);
    }

    Result<pid_t> spawn(const ChildProcess::Command& command)
    {
        std::vector<std::string> arguments = command.argv;
        std::vector<std::string> environment;
        for (const auto& [name, value] : command.environment)
            environment.push_back(name + "=" + value);
        const std::vector<char*> argv = pointersTo(arguments);
        const std::vector<char*> envp = pointersTo(environment);
        pid_t pid = 0;
        const int error =
            ::posix_spawn(&pid, argv[0], &m_actions, &m_attributes, argv.data(), envp.data());
        if (error != 0)
            return fail(
                Errc::IoFailed, command.argv[0] + " can't be started: " + describeErrno(error)
            );
        return pid;
    }

private:
    posix_spawnattr_t m_attributes{};
    posix_spawn_file_actions_t m_actions{};
};

} // namespace

Result<std::string> findProgram(std::string_view program)
{
    const char* path = std::getenv("PATH");
    std::string folders = path != nullptr ? path : "/usr/bin:/bin";
    folders += ":/usr/sbin:/sbin:";
    for (std::size_t start = 0; start < folders.size();) {
        const std::size_t end = folders.find(':', start);
        const std::string file = folders.substr(start, end - start) + "/" + std::string(program);
        // Only absolute folders: a relative one would take a program from wherever we happen to be.
        if (file.front() == '/' && file[1] != '/' && ::access(file.c_str(), X_OK) == 0)
            return file;
        start = end + 1;
    }
    return fail(Errc::NotFound, std::string(program) + " is not installed");
}

class ChildProcess::Impl {
public:
    Impl(asio::any_io_executor executor, pid_t pid, Pipe output, Pipe errors, OnLine onLine)
        : m_pid(pid)
        , m_exit(executor)
        , m_output(executor, output.readEnd.release())
        , m_errors(
              std::make_shared<ErrorPipe>(executor, errors.readEnd.release(), std::move(onLine))
          )
        , m_relay(executor, "child process")
    {
        // Readable once the process has ended. Without pidfd (Linux < 5.3) wait() looks now and
        // then.
        const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
        if (pidfd >= 0)
            m_exit.assign(pidfd);
        m_relay.spawn("standard error", relay(m_errors));
    }
    ~Impl()
    {
        signal(SIGKILL);
        collect(); // if it isn't dead yet, its status is nobody's concern
        m_errors->onLine = nullptr;
        m_errors->pipe.close();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    asio::awaitable<Result<std::string>> readOutput()
    {
        std::string chunk(kChunkBytes, '\0');
        auto [error, size] = co_await m_output.async_read_some(asio::buffer(chunk), kTuple);
        if (error == asio::error::eof)
            co_return std::string();
        if (error)
            co_return fail(Errc::IoFailed, "reading from a program: " + error.message());
        chunk.resize(size);
        co_return chunk;
    }

    /// Waits for the end of the process and of its standard error, and takes its status.
    asio::awaitable<Result<int>> wait()
    {
        while (!collect()) {
            if (m_exit.is_open())
                co_await m_exit.async_wait(asio::posix::stream_descriptor::wait_read, kTuple);
            else
                co_await sleepUntil(deadlineIn(std::chrono::milliseconds(50)));
        }
        co_await m_relay.join();
        co_return *m_status;
    }

    void signal(int number)
    {
        if (!collect())
            ::kill(-m_pid, number);
    }

private:
    /// Shared with the coroutine that reads it, which may outlive the process object.
    struct ErrorPipe {
        ErrorPipe(asio::any_io_executor executor, int fd, OnLine to)
            : pipe(std::move(executor), fd)
            , onLine(std::move(to))
        {}
        asio::posix::stream_descriptor pipe;
        OnLine onLine;
    };

    static asio::awaitable<void> relay(std::shared_ptr<ErrorPipe> errors)
    {
        std::string chunk(kChunkBytes, '\0');
        std::string line;
        const auto tell = [&] {
            if (errors->onLine && !line.empty())
                errors->onLine(line);
            line.clear();
        };
        for (;;) {
            auto [error, size] = co_await errors->pipe.async_read_some(asio::buffer(chunk), kTuple);
            if (error)
                break;
            for (const char byte : std::string_view(chunk).substr(0, size)) {
                if (byte == '\n')
                    tell();
                else if (line.size() < kLongestLine)
                    line += byte;
            }
        }
        tell();
    }

    /// Takes the exit status if the process has ended. The process id is ours until then.
    bool collect()
    {
        if (m_status)
            return true;
        int status = 0;
        const pid_t ended = ::waitpid(m_pid, &status, WNOHANG);
        if (ended == 0)
            return false;
        if (ended != m_pid)
            m_status = 255; // someone else collected it: how it ended is lost
        else
            m_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        return true;
    }

    pid_t m_pid;
    std::optional<int> m_status;
    asio::posix::stream_descriptor m_exit;
    asio::posix::stream_descriptor m_output;
    std::shared_ptr<ErrorPipe> m_errors;
    TaskGroup m_relay;
};

ChildProcess::ChildProcess() = default;
ChildProcess::ChildProcess(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

Result<ChildProcess>
ChildProcess::start(asio::any_io_executor executor, const Command& command, OnLine onLine)
{
    auto output = makePipe();
    if (!output)
        return fail(output.error());
    auto errors = makePipe();
    if (!errors)
        return fail(errors.error());

    SpawnPlan plan;
    plan.give(output->writeEnd.get(), STDOUT_FILENO);
    plan.give(errors->writeEnd.get(), STDERR_FILENO);
    plan.closeTheRest();
    const auto pid = plan.spawn(command);
    if (!pid)
        return fail(pid.error());
    return ChildProcess(std::make_unique<Impl>(
        std::move(executor), *pid, std::move(*output), std::move(*errors), std::move(onLine)
    ));
}

asio::awaitable<Result<std::string>> ChildProcess::readOutput(Deadline deadline)
{
    return finishBy(deadline, m_impl->readOutput());
}

asio::awaitable<Result<int>> ChildProcess::wait(Deadline deadline)
{
    return finishBy(deadline, m_impl->wait());
}

asio::awaitable<void> ChildProcess::end(Deadline deadline)
{
    m_impl->signal(SIGTERM);
    const auto ended = co_await wait(deadline);
    if (ended)
        co_return;
    log::engine().warn("a child process did not end in time and is killed");
    m_impl->signal(SIGKILL);
    // The kernel ends it within moments; the bound is for a process stuck in a disk that hangs.
    const auto killed = co_await wait(deadlineIn(std::chrono::seconds(2)));
    if (!killed)
        log::engine().warn("a killed child process is still there");
}

} // namespace belljar::images
