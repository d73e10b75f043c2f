// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/analysis/analyzer.h"
#include "engine/analysis/confine.h"
#include "engine/base/file.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::analysis;
#endif

namespace {

constexpr int kRefused = 41;
constexpr int kDone = 42;
constexpr int kNotConfined = 43;
constexpr long kPage = 4096;

/// Does `probe` in a process as confined as the analysis process is, and returns how that ended (as
/// waitpid() says it).
int endOf(const std::function<bool()>& probe)
{
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (!confineThisProcess())
            ::_exit(kNotConfined);
        ::_exit(probe() ? kDone : kRefused);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return status;
}

bool wasDone(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == kDone;
}
/// Ended by the filter, at the call.
bool wasEnded(int status)
{
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

struct Probe {
    const char* name;
    std::function<bool()> act;
};

/// What a captured parser would try. Each succeeds outside, or would fail by another reason than
/// the filter.
const std::vector<Probe>& probes()
{
    static const std::array<int, 2> pipe = [] {
        std::array<int, 2> ends{};
        static_cast<void>(::pipe(ends.data()));
        return ends;
    }();
    static const std::vector<Probe> all{
        {"open a file", [] { return ::open("/etc/passwd", O_RDONLY) >= 0; }},
        {"open by a folder", [] { return ::syscall(SYS_openat2, AT_FDCWD, "/", nullptr, 0) >= 0; }},
        {"make a file", [] { return ::open("/tmp/belljar-probe", O_CREAT | O_WRONLY, 0600) >= 0; }},
        {"remove a file", [] { return ::unlink("/tmp/belljar-probe") == 0; }},
        {"make a socket", [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
        {"make a local socket", [] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
        {"make a process", [] { return ::fork() >= 0; }},
        {"make a process by clone3", [] { return ::syscall(SYS_clone3, nullptr, 0) >= 0; }},
        {"run a program",
         [] {
             std::array<char*, 2> words{const_cast<char*>("/bin/true"), nullptr};
             return ::execv("/bin/true", words.data()) == 0;
         }},
        {"run a program by descriptor",
         [] { return ::syscall(SYS_execveat, 0, "", nullptr, nullptr, AT_EMPTY_PATH) == 0; }},
        {"signal its parent", [] { return ::kill(::getppid(), 0) == 0; }},
        {"trace a process", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; }},
        {"read another's memory",
         [] { return ::syscall(SYS_process_vm_readv, 1, nullptr, 0, nullptr, 0, 0) >= 0; }},
        {"read another descriptor",
         [] {
             char byte = 0;
             return ::read(pipe[0], &byte, 1) >= 0;
         }},
        {"write another descriptor", [] { return ::write(pipe[1], "x", 1) >= 0; }},
        {"read what is for writing",
         [] {
             char byte = 0;
             return ::read(STDERR_FILENO, &byte, 1) >= 0;
         }},
        {"send a descriptor", [] { return ::syscall(SYS_sendmsg, 1, nullptr, 0) >= 0; }},
        {"duplicate a descriptor", [] { return ::dup(0) >= 0; }},
        {"make memory executable",
         [] {
             void* page =
                 ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             return ::mprotect(page, kPage, PROT_READ | PROT_EXEC) == 0;
         }},
        {"map executable memory",
         [] {
             return ::mmap(
                        nullptr, kPage, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0
                    ) != MAP_FAILED;
         }},
        {"change itself", [] { return ::prctl(PR_SET_DUMPABLE, 1) == 0; }},
        {"load a program into the kernel", [] { return ::syscall(SYS_bpf, 0, nullptr, 0) >= 0; }},
        {"make a user namespace", [] { return ::unshare(CLONE_NEWUSER) == 0; }},
        {"use a ring", [] { return ::syscall(SYS_io_uring_setup, 1, nullptr) >= 0; }},
#ifdef __x86_64__
        {"use numbers of x32", [] { return ::syscall(0x40000000 + SYS_open, "/", 0) >= 0; }},
#endif
    };
    return all;
}

} // namespace

class TestAnalysisConfined : public QObject {
    Q_OBJECT

private slots:
    void endsAtTheFirstCallThatItDoesNotNeed_data()
    {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Probe& probe : probes())
            QTest::newRow(probe.name) << number++;
    }
    void endsAtTheFirstCallThatItDoesNotNeed()
    {
        QFETCH(int, number);
        const int status = endOf(probes().at(static_cast<std::size_t>(number)).act);
        QVERIFY2(wasEnded(status), qPrintable(QString::number(status, 16)));
    }

    void stillThinksReadsAndAnswers()
    {
        std::array<int, 2> in{};
        std::array<int, 2> out{};
        QVERIFY(::pipe(in.data()) == 0 && ::pipe(out.data()) == 0);
        const UniqueFd question(in[1]);
        const UniqueFd answer(out[0]);
        QCOMPARE(::write(question.get(), "21", 2), ssize_t(2));
        const pid_t pid = ::fork();
        if (pid == 0) {
            ::dup2(in[0], STDIN_FILENO);
            ::dup2(out[1], STDOUT_FILENO);
            if (!confineThisProcess())
                ::_exit(kNotConfined);
            std::array<char, 3> text{};
            const bool read = ::read(STDIN_FILENO, text.data(), 2) == 2;
            // Enough to be given pages of its own, which grow and go.
            std::string memory(8U * 1024 * 1024, 'x');
            memory += memory;
            const std::string said = std::to_string(2 * std::atoi(text.data()));
            const bool written = ::write(STDOUT_FILENO, said.data(), said.size()) == 2;
            ::_exit(read && written && memory.size() > said.size() ? kDone : kRefused);
        }
        ::close(in[0]);
        ::close(out[1]);
        std::array<char, 8> said{};
        QCOMPARE(::read(answer.get(), said.data(), said.size()), ssize_t(2));
        QCOMPARE(QByteArray(said.data()), QByteArray("42"));
        int status = 0;
        ::waitpid(pid, &status, 0);
        QVERIFY2(wasDone(status), qPrintable(QString::number(status, 16)));
    }

    void holdsNoDescriptorButThree()
    {
        const UniqueFd held(::open("/dev/null", O_RDONLY));
        QVERIFY(held.get() > STDERR_FILENO);
        // Closing is allowed, and says whether there was one.
        const int status = endOf([fd = held.get()] { return ::close(fd) != 0; });
        QVERIFY2(wasDone(status), qPrintable(QString::number(status, 16)));
    }

    void looksAtProgramsInEveryLanguage()
    {
        const auto analyzer = Analyzer::load(BELLJAR_QUERIES);
        QVERIFY(analyzer.has_value());
        const int status = endOf([&] {
            for (const char* language :
                 {"python", "javascript", "typescript", "bash", "go", "rust", "java"}) {
                if (!analyzer->analyse(language, "x = f(1)\n").complete)
                    return false;
            }
            return !analyzer->analyse("python", "import os\nos.system('ls')").findings.empty();
        });
        QVERIFY2(wasDone(status), qPrintable(QString::number(status, 16)));
    }
};

QTEST_GUILESS_MAIN(TestAnalysisConfined)
#include "tst_analysis_confined.moc"
