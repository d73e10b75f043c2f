// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/termination.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace belljar::cli {

Termination::Termination(std::function<void()> onSignal)
    : m_onSignal(std::move(onSignal))
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_signals.reset(::signalfd(-1, &set, SFD_CLOEXEC));
    m_stop.reset(::eventfd(0, EFD_CLOEXEC));
    if (!m_signals.valid() || !m_stop.valid())
        throw std::system_error(errno, std::generic_category(), "signalfd");
    m_thread = std::thread([this] { watch(); });
}

Termination::~Termination()
{
    const std::uint64_t one = 1;
    // The thread also ends when this write fails, which it can't: an eventfd at 0 takes a 1.
    static_cast<void>(!::write(m_stop.get(), &one, sizeof one));
    m_thread.join();
}

void Termination::watch()
{
    std::array<pollfd, 2> wanted{
        pollfd{m_signals.get(), POLLIN, 0}, pollfd{m_stop.get(), POLLIN, 0}};
    while (::poll(wanted.data(), wanted.size(), -1) < 0 && errno == EINTR) {
    }
    if ((wanted[0].revents & POLLIN) != 0)
        m_onSignal();
}

} // namespace belljar::cli
