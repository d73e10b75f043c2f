// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sandbox/heir.h"

#include "engine/docker/client.h"
#include "engine/sandbox/sandbox.h"

#include <array>
#include <cerrno>
#include <exception>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::sandbox {

namespace {

using namespace std::chrono_literals;

constexpr char kDismissed = 'd';
constexpr auto kLookEvery = 250ms;
constexpr auto kLookFor = 10s; // a busy container engine takes that long to make one
constexpr auto kCallDeadline = 5s;

/// True when the engine ended in order.
bool waitForDismissal()
{
    char said = 0;
    ssize_t got = 0;
    do
        got = ::read(STDIN_FILENO, &said, 1);
    while (got < 0 && errno == EINTR);
    return got == 1 && said == kDismissed;
}

asio::awaitable<Result<>> removeAll(std::shared_ptr<docker::Client> client, std::string owner)
{
    const Deadline until = deadlineIn(kLookFor);
    Result<> last;
    while (SteadyClock::now() < until) {
        auto containers =
            co_await client->containersWithLabel(kOwnerLabel, deadlineIn(kCallDeadline));
        if (!containers) {
            last = fail(containers.error());
        } else {
            last = {};
            for (const docker::ContainerSummary& container : *containers) {
                const auto label = container.labels.find(kOwnerLabel);
                if (label == container.labels.end() || label->second != owner)
                    continue;
                auto removed = co_await client->remove(container.id, deadlineIn(kCallDeadline));
                if (!removed)
                    last = fail(removed.error());
            }
        }
        co_await sleepUntil(deadlineIn(kLookEvery));
    }
    co_return last;
}

} // namespace

Result<Heir> Heir::start(
    const std::filesystem::path& program, const std::string& owner, const std::string& dockerSocket
)
{
    std::array<int, 2> ends{-1, -1};
    // A socket and no pipe: an heir that has died must not end the engine with a signal.
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(Errc::IoFailed, "a socket could not be made: " + describeErrno(errno));
    const UniqueFd readEnd(ends[0]);
    Heir heir;
    heir.m_channel = UniqueFd(ends[1]);

    std::vector<std::string> words{
        program.string(), "inherit", "--owner", owner, "--docker-socket", dockerSocket};
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, readEnd.get(), STDIN_FILENO);
    // Nothing of the engine's may live on in it: a listening socket that somebody holds still takes
    // connections, and Asio's are inherited.
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    const int failed =
        ::posix_spawn(&heir.m_pid, program.c_str(), &actions, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        heir.m_pid = 0;
        return fail(
            Errc::IoFailed, program.string() + " could not be started: " + describeErrno(failed)
        );
    }
    return heir;
}

Heir::Heir(Heir&& other) noexcept
    : m_channel(std::move(other.m_channel))
    , m_pid(std::exchange(other.m_pid, 0))
{}

Heir& Heir::operator=(Heir&& other) noexcept
{
    if (this != &other) {
        dismiss();
        m_channel = std::move(other.m_channel);
        m_pid = std::exchange(other.m_pid, 0);
    }
    return *this;
}

Heir::~Heir()
{
    dismiss();
}

void Heir::dismiss()
{
    if (m_pid == 0)
        return;
    // Killed rather than waited for when it doesn't listen: it may have been stopped.
    if (::send(m_channel.get(), &kDismissed, 1, MSG_NOSIGNAL) != 1)
        ::kill(m_pid, SIGKILL);
    m_channel.reset();
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_pid = 0;
}

Result<> inherit(const std::string& owner, const std::string& dockerSocket)
{
    if (waitForDismissal())
        return {};
    asio::io_context context(1);
    docker::Endpoint endpoint;
    endpoint.socketPath = dockerSocket;
    auto client = std::make_shared<docker::Client>(context.get_executor(), endpoint);
    Result<> outcome;
    asio::co_spawn(
        context,
        removeAll(client, owner),
        [&outcome](const std::exception_ptr& thrown, Result<> ended) {
            if (thrown)
                std::rethrow_exception(thrown);
            outcome = std::move(ended);
        }
    );
    context.run();
    return outcome;
}

} // namespace belljar::sandbox
