// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/process.h"

#include "engine/analysis/confine.h"
#include "engine/analysis/report_json.h"
#include "engine/base/log.h"

#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belljar::analysis {

namespace {

using namespace std::chrono_literals;

// A request is three lengths (language, code, and a mark) and the texts; a reply a length and JSON.
// Both ends are the same program on the same machine, so integers are as they lie in memory.
struct RequestHead {
    std::uint32_t mark = 0;
    std::uint32_t languageBytes = 0;
    std::uint64_t codeBytes = 0;
};
struct ReplyHead {
    std::uint32_t mark = 0;
    std::uint32_t bytes = 0;
};
constexpr std::uint32_t kMark = 0x42656C6C;
constexpr std::size_t kMostLanguageBytes = 64;
constexpr std::size_t kMostCodeBytes = 64U * 1024 * 1024;
constexpr std::size_t kMostReplyBytes = 16U * 1024 * 1024;
// The process bounds itself (analyzer.cpp); this is for when it doesn't.
constexpr auto kGrace = 2s;
constexpr auto kPerByte = std::chrono::microseconds(4);

Report incomplete(const std::string& why)
{
    Report report;
    report.complete = false;
    Finding finding;
    finding.rule = "analysis.incomplete";
    finding.severity = Severity::Medium;
    finding.category = "analysis";
    finding.message = "static analysis could not look at this program: " + why;
    report.findings.push_back(std::move(finding));
    return report;
}

bool readAll(int fd, void* to, std::size_t size)
{
    auto* at = static_cast<char*>(to);
    while (size > 0) {
        const ssize_t got = ::read(fd, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool writeAll(int fd, const void* from, std::size_t size)
{
    const auto* at = static_cast<const char*>(from);
    while (size > 0) {
        const ssize_t put = ::write(fd, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= static_cast<std::size_t>(put);
    }
    return true;
}

/// What the process needs of our environment to find its rules; the rest is none of its business.
std::vector<std::string> environmentOfTheProcess()
{
    constexpr std::array kNames{
        "BELLJAR_DATA_DIR",
        "HOME",
        "XDG_DATA_HOME",
        "XDG_DATA_DIRS",
        "XDG_STATE_HOME",
        "LD_LIBRARY_PATH",
        "ASAN_OPTIONS",
        "UBSAN_OPTIONS",
        "TSAN_OPTIONS"};
    std::vector<std::string> environment;
    for (const char* name : kNames) {
        if (const char* value = std::getenv(name))
            environment.push_back(std::string(name) + "=" + value);
    }
    return environment;
}

/// For calls that take words as C has them; stands as long as `words`.
std::vector<char*> pointersTo(std::vector<std::string>& words)
{
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

AnalysisProcess::AnalysisProcess(asio::any_io_executor executor, std::filesystem::path program)
    : m_executor(executor)
    , m_program(std::move(program))
    , m_channel(executor)
    , m_turn(executor, asio::steady_timer::time_point::max())
{}

AnalysisProcess::~AnalysisProcess()
{
    end();
}

void AnalysisProcess::start()
{
    if (m_pid != 0)
        return;
    if (auto spawned = spawn(); !spawned)
        log::engine().error("analysis=\"{}\"", log::safe(spawned.error().message()));
}

Result<> AnalysisProcess::spawn()
{
    // A socket and no pipe: writing to a process that has died must be an error, not a signal.
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(Errc::IoFailed, "a socket could not be made: " + describeErrno(errno));
    UniqueFd ours(ends[0]);
    const UniqueFd childs(ends[1]);

    const std::string program = m_program.string();
    std::vector<std::string> words{program, "analyse"};
    const std::vector<char*> argv = pointersTo(words);
    std::vector<std::string> environment = environmentOfTheProcess();
    const std::vector<char*> envp = pointersTo(environment);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, childs.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, childs.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(
        &actions, STDERR_FILENO + 1
    ); // Asio's sockets are inherited
    const int failed =
        ::posix_spawn(&m_pid, program.c_str(), &actions, nullptr, argv.data(), envp.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        m_pid = 0;
        return fail(Errc::IoFailed, program + " could not be started: " + describeErrno(failed));
    }
    m_channel.assign(asio::local::stream_protocol(), ours.release());
    return {};
}

void AnalysisProcess::end()
{
    boost::system::error_code ignored;
    static_cast<void>(m_channel.close(ignored));
    if (m_pid == 0)
        return;
    ::kill(m_pid, SIGKILL);
    while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_pid = 0;
}

asio::awaitable<Report>
AnalysisProcess::analyse(std::string language, std::shared_ptr<const std::string> code)
{
    if (language.size() > kMostLanguageBytes || code->size() > kMostCodeBytes)
        co_return incomplete("it is too long");
    while (m_busy) {
        boost::system::error_code woken;
        co_await m_turn.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            co_return incomplete("it was cancelled");
    }
    m_busy = true;
    bool done = false;
    const std::shared_ptr<void> leaving(nullptr, [this, &done](void*) {
        if (!done) // in the middle of something, or broken: the next one begins anew
            end();
        m_busy = false;
        m_turn.cancel();
    });
    start();
    if (m_pid == 0)
        co_return incomplete("its process could not be started");
    const Deadline deadline =
        deadlineIn(kGrace + kPerByte * static_cast<std::int64_t>(code->size()));
    auto exchanging = exchange(std::move(language), std::move(code));
    auto report = co_await finishBy(deadline, std::move(exchanging));
    done = report.has_value();
    if (done)
        co_return std::move(*report);
    log::engine().warn("analysis=\"{}\"", log::safe(report.error().message()));
    co_return incomplete(
        report.error().code() == Errc::TimedOut ? "it took too long" : "the analysis broke at it"
    );
}

asio::awaitable<Result<Report>>
AnalysisProcess::exchange(std::string language, std::shared_ptr<const std::string> code)
{
    RequestHead head;
    head.mark = kMark;
    head.languageBytes = static_cast<std::uint32_t>(language.size());
    head.codeBytes = code->size();
    const std::array<asio::const_buffer, 3> request{
        asio::buffer(&head, sizeof head), asio::buffer(language), asio::buffer(*code)};
    boost::system::error_code failed;
    co_await asio::async_write(
        m_channel, request, asio::redirect_error(asio::use_awaitable, failed)
    );
    if (failed)
        co_return fail(Errc::Closed, "the analysis process took no request: " + failed.message());
    ReplyHead reply;
    co_await asio::async_read(
        m_channel,
        asio::buffer(&reply, sizeof reply),
        asio::redirect_error(asio::use_awaitable, failed)
    );
    if (failed)
        co_return fail(Errc::Closed, "the analysis process died: " + failed.message());
    if (reply.mark != kMark || reply.bytes > kMostReplyBytes)
        co_return fail(Errc::ProtocolViolation, "the analysis process answered nonsense");
    std::string text(reply.bytes, '\0');
    co_await asio::async_read(
        m_channel, asio::buffer(text), asio::redirect_error(asio::use_awaitable, failed)
    );
    if (failed)
        co_return fail(Errc::Closed, "the analysis process died: " + failed.message());
    auto json = parseJson(text);
    if (!json)
        co_return fail(json.error());
    auto report = reportFromJson(*json);
    if (report && !fits(*report, *code))
        co_return fail(Errc::ProtocolViolation, "the analysis process reports of other code");
    co_return std::move(report);
}

Result<> serveAnalysis(const std::filesystem::path& queries)
{
    auto analyzer = Analyzer::load(queries);
    if (!analyzer)
        return fail(analyzer.error());
    if (auto confined = confineThisProcess(); !confined)
        return confined;
    for (;;) {
        RequestHead head;
        if (!readAll(STDIN_FILENO, &head, sizeof head))
            return {};
        if (head.mark != kMark || head.languageBytes > kMostLanguageBytes ||
            head.codeBytes > kMostCodeBytes)
            return fail(Errc::ProtocolViolation, "that is no request");
        std::string language(head.languageBytes, '\0');
        std::string code(head.codeBytes, '\0');
        if (!readAll(STDIN_FILENO, language.data(), language.size()) ||
            !readAll(STDIN_FILENO, code.data(), code.size()))
            return {};
        const std::string text = dumpJson(toJson(analyzer->analyse(language, code)));
        ReplyHead reply;
        reply.mark = kMark;
        reply.bytes = static_cast<std::uint32_t>(text.size());
        if (!writeAll(STDOUT_FILENO, &reply, sizeof reply) ||
            !writeAll(STDOUT_FILENO, text.data(), text.size()))
            return {};
    }
}

} // namespace belljar::analysis
