// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stdio.h"

#include "app/cli/stdio_bridge.h"
#include "app/cli/termination.h"
#include "engine/base/log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "belljar_version.h"
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace belljar::cli {

namespace {

constexpr std::size_t kReadBytes = 256U * 1024;
constexpr std::size_t kMaxPending = 4U * 1024 * 1024; // then its source is no longer read
constexpr std::size_t kPipeWrite = 4096; // PIPE_BUF: what a writable pipe takes without blocking
constexpr auto kFarewell =
    std::chrono::seconds(3); // for the engine to close after we have closed our half

/// Cuts a stream of bytes into lines.
class LineSplitter {
public:
    template <class OnLine>
    void feed(std::string_view bytes, OnLine onLine)
    {
        std::size_t searched = m_partial.size();
        m_partial.append(bytes);
        std::size_t start = 0;
        for (std::size_t end = 0; (end = m_partial.find('\n', searched)) != std::string::npos;) {
            if (end > start)
                onLine(std::string_view(m_partial).substr(start, end - start));
            start = searched = end + 1;
        }
        m_partial.erase(0, start);
    }
    void clear() { m_partial.clear(); }

private:
    std::string m_partial;
};

/// Says on whose behalf we come: the client's process, and the limits of its configuration.
std::string preamble()
{
    Json params;
    params["protocol"] = 1;
    params["bridge_version"] = kVersion;
    params["pid"] = ::getpid();
    params["parent_pid"] = ::getppid();
    std::error_code unreadable;
    const auto parent =
        std::filesystem::read_symlink("/proc/" + std::to_string(::getppid()) + "/exe", unreadable);
    params["parent_executable"] = unreadable ? std::string() : parent.string();
    constexpr std::array limits{
        std::pair{"SANDBOX_TIMEOUT", "sandbox_timeout"},
        std::pair{"SANDBOX_MEMORY", "sandbox_memory"},
    };
    for (const auto& [variable, member] : limits) {
        if (const char* value = std::getenv(variable))
            params[member] = value;
    }
    Json message;
    message["jsonrpc"] = "2.0";
    message["method"] = "notifications/belljar/bridge";
    message["params"] = std::move(params);
    return dumpJson(message);
}

/// Writes a part of `pending` without blocking and removes it. False when nobody reads any more.
bool writeSome(int fd, std::string& pending)
{
    ssize_t written = ::send(fd, pending.data(), pending.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK)
        written = ::write(fd, pending.data(), std::min(pending.size(), kPipeWrite));
    if (written < 0)
        return errno == EINTR || errno == EAGAIN;
    pending.erase(0, static_cast<std::size_t>(written));
    return true;
}

class Bridge {
public:
    explicit Bridge(const StdioOptions& options)
        : m_options(options)
        , m_stop(::eventfd(0, EFD_CLOEXEC))
    {
        if (!m_stop.valid())
            throw std::system_error(errno, std::generic_category(), "eventfd");
    }

    /// Any thread: makes run() return.
    void stop()
    {
        const std::uint64_t one = 1;
        // Can't fail: the counter is at 0 and takes a 1.
        static_cast<void>(!::write(m_stop.get(), &one, sizeof one));
    }

    void run()
    {
        while (!m_done)
            step();
    }

private:
    void step()
    {
        enum : std::size_t { Input, Output, Engine, Stop };
        const bool readInput = !m_inputEnded && m_toEngine.size() < kMaxPending;
        const bool readEngine = m_toClient.size() < kMaxPending;
        const auto events = [](bool in, bool out) {
            return static_cast<short>((in ? POLLIN : 0) | (out ? POLLOUT : 0));
        };
        // A negative descriptor is left out; so is one of which nothing is wanted, whose hang-up
        // would spin.
        std::array<pollfd, 4> wanted{
            pollfd{readInput ? STDIN_FILENO : -1, events(true, false), 0},
            pollfd{m_toClient.empty() ? -1 : STDOUT_FILENO, events(false, true), 0},
            pollfd{m_link.socket.get(), events(readEngine, !m_toEngine.empty()), 0},
            pollfd{m_stop.get(), events(true, false), 0},
        };
        const int ready = ::poll(wanted.data(), wanted.size(), waitMs());
        if (ready < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "poll");
        if (ready <= 0) {
            m_done = ready == 0; // only a farewell has a time limit
            return;
        }
        if (wanted[Stop].revents != 0) {
            m_done = true;
            return;
        }
        if (wanted[Input].revents != 0)
            takeInput();
        if ((wanted[Engine].revents & POLLOUT) != 0 && !writeSome(m_link.socket.get(), m_toEngine))
            loseEngine();
        else if ((wanted[Engine].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
            takeFromEngine();
        if (wanted[Output].revents != 0 && !writeSome(STDOUT_FILENO, m_toClient))
            m_done = true;
        sayFarewell();
    }

    [[nodiscard]] int waitMs() const
    {
        if (!m_farewellBy)
            return -1;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            *m_farewellBy - std::chrono::steady_clock::now()
        );
        return static_cast<int>(std::max<std::int64_t>(0, left.count()));
    }

    void takeInput()
    {
        m_chunk.resize(kReadBytes);
        const ssize_t got = ::read(STDIN_FILENO, m_chunk.data(), m_chunk.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (got <= 0) {
            m_inputEnded = true;
            return;
        }
        m_input.feed(
            std::string_view(m_chunk).substr(0, static_cast<std::size_t>(got)),
            [this](std::string_view line) {
                m_ledger.sent(line);
                if (m_link.socket.valid() || connect())
                    m_toEngine.append(line) += '\n';
            }
        );
    }

    /// False when no engine is to be had: what is in flight is answered with the reason.
    bool connect()
    {
        const auto handshake = m_hadEngine ? m_ledger.handshake() : std::vector<std::string>();
        m_link.host.reset();
        auto link = linkToEngine(m_options.paths, m_options.hostEngine);
        if (!link) {
            log::engine().error("no_engine=\"{}\"", log::safe(link.error().message()));
            answerLost("Belljar's engine can't be started: " + link.error().message());
            return false;
        }
        m_link = std::move(*link);
        m_hadEngine = true;
        m_toEngine = preamble() + "\n";
        for (const std::string& line : handshake)
            m_toEngine.append(line) += '\n';
        return true;
    }

    void takeFromEngine()
    {
        m_chunk.resize(kReadBytes);
        const ssize_t got =
            ::recv(m_link.socket.get(), m_chunk.data(), m_chunk.size(), MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (got <= 0) {
            loseEngine();
            return;
        }
        m_fromEngine.feed(
            std::string_view(m_chunk).substr(0, static_cast<std::size_t>(got)),
            [this](std::string_view line) {
                if (m_ledger.received(line))
                    m_toClient.append(line) += '\n';
            }
        );
    }

    void loseEngine()
    {
        m_link.socket.reset();
        m_toEngine.clear();
        m_fromEngine.clear();
        if (!m_inputEnded)
            answerLost("Belljar's engine ended while it worked on this; ask again.");
    }

    void answerLost(std::string_view reason)
    {
        for (const std::string& answer : m_ledger.answersForLost(reason))
            m_toClient.append(answer) += '\n';
    }

    /// Once stdin has ended: closes our half when all is sent, and ends when the engine has closed
    /// its own.
    void sayFarewell()
    {
        if (!m_inputEnded)
            return;
        if (!m_link.socket.valid()) {
            m_done = m_toClient.empty();
        } else if (m_toEngine.empty() && !m_farewellBy) {
            ::shutdown(m_link.socket.get(), SHUT_WR);
            m_farewellBy = std::chrono::steady_clock::now() + kFarewell;
        }
    }

    const StdioOptions& m_options;
    UniqueFd m_stop;
    BridgeLedger m_ledger;
    EngineLink m_link;
    LineSplitter m_input;
    LineSplitter m_fromEngine;
    std::string m_toEngine;
    std::string m_toClient;
    std::string m_chunk;
    std::optional<std::chrono::steady_clock::time_point> m_farewellBy;
    bool m_hadEngine = false;
    bool m_inputEnded = false;
    bool m_done = false;
};

} // namespace

int runStdio(const StdioOptions& options)
{
    // A client that no longer reads is an error of write(), not the end of the process.
    ::signal(SIGPIPE, SIG_IGN);
    Bridge bridge(options);
    const Termination termination([&bridge] { bridge.stop(); });
    bridge.run();
    return 0;
}

} // namespace belljar::cli
