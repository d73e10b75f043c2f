// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/confine.h"

#include "engine/base/file.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the filter reads the low halves of arguments where a little-endian machine has them"
#endif

namespace belljar::analysis {

namespace {

constexpr rlim_t kMostMemory = 2ULL * 1024 * 1024 * 1024;

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "engine/analysis/confine.cpp doesn't know the system calls of this machine"
#endif

/// What an argument must be, for a call to be allowed.
enum class Only : std::uint8_t {
    Anything,
    Input,         ///< the first one is descriptor 0
    Output,        ///< the first one is descriptor 1 or 2
    NotExecutable, ///< the third one has no PROT_EXEC
};
struct AllowedCall {
    int number;
    Only only;
};
/// A machine whose C library needs another one says so by an analysis that ends with SIGSYS.
constexpr std::array kAllowed{
    AllowedCall{__NR_read, Only::Input},
    AllowedCall{__NR_write, Only::Output},
    AllowedCall{__NR_brk, Only::Anything},
    AllowedCall{__NR_mmap, Only::NotExecutable},
    AllowedCall{__NR_mprotect, Only::NotExecutable},
    AllowedCall{__NR_mremap, Only::Anything}, // leaves the protection as it is
    AllowedCall{__NR_munmap, Only::Anything},
    AllowedCall{__NR_madvise, Only::Anything},
    AllowedCall{__NR_futex, Only::Anything},
    AllowedCall{__NR_clock_gettime, Only::Anything}, // where the clock isn't read without a call
    AllowedCall{__NR_rt_sigreturn, Only::Anything},
    AllowedCall{__NR_restart_syscall, Only::Anything},
    AllowedCall{__NR_close, Only::Anything}, // at its end
    AllowedCall{__NR_exit, Only::Anything},
    AllowedCall{__NR_exit_group, Only::Anything},
};

sock_filter statement(unsigned code, std::uint32_t value)
{
    return {static_cast<std::uint16_t>(code), 0, 0, value};
}
/// Leaves out the next `skipped` ones when the accumulator is (BPF_JEQ) or has (BPF_JSET) `value`.
sock_filter ifSkip(unsigned test, std::uint32_t value, std::size_t skipped)
{
    return {
        static_cast<std::uint16_t>(BPF_JMP | test | BPF_K),
        static_cast<std::uint8_t>(skipped),
        0,
        value};
}
/// Leaves them out when it isn't.
sock_filter unlessSkip(unsigned test, std::uint32_t value, std::size_t skipped)
{
    return {
        static_cast<std::uint16_t>(BPF_JMP | test | BPF_K),
        0,
        static_cast<std::uint8_t>(skipped),
        value};
}
sock_filter load(std::size_t offset)
{
    return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter answer(std::uint32_t action)
{
    return statement(BPF_RET | BPF_K, action);
}
std::size_t argument(std::size_t index)
{
    return offsetof(seccomp_data, args) + index * sizeof(std::uint64_t);
}

/// What stands behind the comparison with the call's number: ends with an answer in any case.
std::vector<sock_filter> verdictOn(Only only)
{
    const sock_filter allow = answer(SECCOMP_RET_ALLOW);
    const sock_filter end = answer(SECCOMP_RET_KILL_PROCESS);
    switch (only) {
    case Only::Input: return {load(argument(0)), unlessSkip(BPF_JEQ, STDIN_FILENO, 1), allow, end};
    case Only::Output:
        return {
            load(argument(0)),
            unlessSkip(BPF_JEQ, STDOUT_FILENO, 1),
            allow,
            unlessSkip(BPF_JEQ, STDERR_FILENO, 1),
            allow,
            end};
    case Only::NotExecutable:
        return {load(argument(2)), ifSkip(BPF_JSET, PROT_EXEC, 1), allow, end};
    case Only::Anything: break;
    }
    return {allow};
}

std::vector<sock_filter> filter()
{
    const sock_filter end = answer(SECCOMP_RET_KILL_PROCESS);
    std::vector<sock_filter> program{
        // Numbers mean something else in another architecture's calls.
        load(offsetof(seccomp_data, arch)),
        ifSkip(BPF_JEQ, kArchitecture, 1),
        end,
        load(offsetof(seccomp_data, nr)),
    };
    for (const AllowedCall& call : kAllowed) {
        const std::vector<sock_filter> verdict = verdictOn(call.only);
        program.push_back(
            unlessSkip(BPF_JEQ, static_cast<std::uint32_t>(call.number), verdict.size())
        );
        program.insert(program.end(), verdict.begin(), verdict.end());
    }
    program.push_back(end);
    return program;
}

tl::unexpected<Error> cannot(const char* what)
{
    return fail(
        Errc::IoFailed,
        std::string("static analysis can't be confined: ") + what + ": " + describeErrno(errno)
    );
}

} // namespace

Result<> confineThisProcess()
{
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return cannot("prctl");
    if (::close_range(STDERR_FILENO + 1, ~0U, 0) != 0)
        return cannot("close_range");
    const rlimit memory{kMostMemory, kMostMemory};
    if (::setrlimit(RLIMIT_AS, &memory) != 0)
        return cannot("RLIMIT_AS");
    const rlimit nothing{0, 0};
    for (const auto resource : {RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NPROC}) {
        if (::setrlimit(resource, &nothing) != 0)
            return cannot("setrlimit");
    }
    const rlimit descriptors{STDERR_FILENO + 1, STDERR_FILENO + 1};
    if (::setrlimit(RLIMIT_NOFILE, &descriptors) != 0)
        return cannot("RLIMIT_NOFILE");
    std::vector<sock_filter> instructions = filter();
    const sock_fprog program{static_cast<unsigned short>(instructions.size()), instructions.data()};
    if (::syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
        return cannot("seccomp");
    return {};
}

} // namespace belljar::analysis
