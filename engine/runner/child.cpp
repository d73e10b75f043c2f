// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/child.h"

#include "engine/runner/system.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

constexpr int kChannelDescriptor = 3;
// Where the child puts its copies while 0 to 3 are being filled; anything above a few will do.
constexpr int kParkingPlace = 32;

/// Both ends of what the child gets; [0] is ours, [1] the child's.
using Ends = std::array<int, 2>;

struct Plumbing {
    Ends input = {-1, -1};
    Ends output = {-1, -1};
    Ends error = {-1, -1};
    Ends channel = {-1, -1};
    Ends report = {-1, -1}; ///< the error number of a failed exec; closed by a successful one
};

bool openPipe(Ends& ends, bool childReads)
{
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return false;
    ends = childReads ? Ends{pipe[1], pipe[0]} : Ends{pipe[0], pipe[1]};
    return true;
}

bool openAll(Plumbing& plumbing, Kind kind)
{
    if (!openPipe(plumbing.input, true) || !openPipe(plumbing.output, false) ||
        !openPipe(plumbing.error, false) || !openPipe(plumbing.report, false))
        return false;
    return kind == Kind::Cold ||
           ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, plumbing.channel.data()) == 0;
}

void closeSide(Plumbing& plumbing, std::size_t side)
{
    for (Ends* ends :
         {&plumbing.input, &plumbing.output, &plumbing.error, &plumbing.channel, &plumbing.report})
        closeDescriptor((*ends)[side]);
}

void closeFrom(int first, int keep)
{
    const auto closeRange = [](int from, int to) {
        return from > to ||
               ::syscall(
                   SYS_close_range, static_cast<unsigned>(from), static_cast<unsigned>(to), 0U
               ) == 0;
    };
    if (closeRange(first, keep - 1) && closeRange(keep + 1, INT_MAX))
        return;
    // Kernels before 5.9 and some versions of gVisor.
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_max, 65536));
    for (int descriptor = first; descriptor < end; ++descriptor) {
        if (descriptor != keep)
            ::close(descriptor);
    }
}

/// Puts the child's ends on 0 to 3 and closes all others. Returns where the report went.
int arrangeDescriptors(const Plumbing& plumbing)
{
    const std::array<int, 4> wanted = {
        plumbing.input[1],
        plumbing.output[1],
        plumbing.error[1],
        plumbing.channel[1],
    };
    std::array<int, 4> parked{};
    for (std::size_t index = 0; index < wanted.size(); ++index)
        parked[index] =
            wanted[index] < 0 ? -1 : ::fcntl(wanted[index], F_DUPFD_CLOEXEC, kParkingPlace);
    const int report = ::fcntl(plumbing.report[1], F_DUPFD_CLOEXEC, kParkingPlace);
    for (std::size_t index = 0; index < parked.size(); ++index) {
        if (parked[index] >= 0)
            ::dup2(parked[index], static_cast<int>(index)); // dup2 clears close-on-exec
    }
    closeFrom(plumbing.channel[1] < 0 ? kChannelDescriptor : kChannelDescriptor + 1, report);
    return report;
}

void resetSignals()
{
    // By the system call: libc keeps 32 and 33 to itself, but they can be inherited as ignored
    // (glibc 2.36's posix_spawn does that). All zeros are the kernel's struct for the default.
    const std::array<unsigned long, 4> defaultAction{};
    for (int signal = 1; signal <= 64; ++signal)
        ::syscall(SYS_rt_sigaction, signal, defaultAction.data(), nullptr, std::size_t{8});
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// The code is to be killed rather than the runner when memory runs out.
void offerToOomKiller()
{
    // The files in /proc of a process that isn't dumpable belong to root. exec sets this anyway.
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    [[maybe_unused]] const ssize_t count = ::write(file, "1000", 4);
    closeDescriptor(file);
}

/// execve along PATH of the program's own environment. Returns the error number.
int execute(const Launch& launch)
{
    const std::string_view program = launch.program();
    if (program.empty())
        return ENOENT;
    if (program.find('/') != std::string_view::npos) {
        ::execve(program.data(), launch.arguments(), launch.variables());
        return errno;
    }
    std::string_view path = launch.variable("PATH");
    if (path.empty())
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    int error = ENOENT;
    while (!path.empty()) {
        const std::size_t colon = path.find(':');
        const std::string_view folder = path.substr(0, colon);
        path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
        std::array<char, PATH_MAX> file{};
        if (folder.empty() || folder.size() + program.size() + 2 > file.size())
            continue;
        std::memcpy(file.data(), folder.data(), folder.size());
        file[folder.size()] = '/';
        std::memcpy(file.data() + folder.size() + 1, program.data(), program.size());
        ::execve(file.data(), launch.arguments(), launch.variables());
        if (errno != ENOENT && errno != ENOTDIR)
            error = errno;
    }
    return error;
}

[[noreturn]] void becomeProgram(const Launch& launch, const Plumbing& plumbing)
{
    ::setsid();
    const int report = arrangeDescriptors(plumbing);
    offerToOomKiller();
    resetSignals();
    const int error = execute(launch);
    [[maybe_unused]] const ssize_t count = ::write(report, &error, sizeof(error));
    ::_exit(127);
}

/// 0 when the exec succeeded.
int readReport(int descriptor)
{
    int error = 0;
    ssize_t count = 0;
    do {
        count = ::read(descriptor, &error, sizeof(error));
    } while (count < 0 && errno == EINTR);
    return count == sizeof(error) ? error : 0;
}

} // namespace

Child startChild(const Launch& launch, Kind kind)
{
    Child child;
    Plumbing plumbing;
    if (openAll(plumbing, kind))
        child.pid = ::fork();
    if (child.pid == 0)
        becomeProgram(launch, plumbing);
    if (child.pid < 0)
        child.error = errno;
    closeSide(plumbing, 1);
    if (child.error == 0)
        child.error = readReport(plumbing.report[0]);
    closeDescriptor(plumbing.report[0]);
    if (child.error != 0) {
        closeSide(plumbing, 0);
        if (child.pid > 0)
            ::waitpid(child.pid, nullptr, 0);
        return child;
    }
    child.standardInput = plumbing.input[0];
    child.standardOutput = plumbing.output[0];
    child.standardError = plumbing.error[0];
    child.channel = plumbing.channel[0];
    for (const int descriptor :
         {child.standardInput, child.standardOutput, child.standardError, child.channel}) {
        if (descriptor >= 0)
            makeNonBlocking(descriptor);
    }
    return child;
}

} // namespace belljar::runner
