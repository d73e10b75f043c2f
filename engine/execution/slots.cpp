// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execution/slots.h"

#include <boost/asio/redirect_error.hpp>

#include <utility>

namespace belljar::execution {

Slots::Slots(asio::any_io_executor executor, std::uint32_t count)
    : m_executor(std::move(executor))
    , m_count(count)
{}

asio::awaitable<Result<Slots::Slot>> Slots::take(ClientId client, std::uint32_t most)
{
    auto waiter = std::make_shared<Waiter>(Waiter{
        asio::steady_timer(m_executor, asio::steady_timer::time_point::max()), client, most});
    const auto place = m_waiting.insert(m_waiting.end(), waiter);
    bool taken = false;
    // Leaves the queue whichever way this ends; what was granted to one that has been cancelled
    // goes on.
    const std::shared_ptr<void> leave(nullptr, [this, place, waiter, &taken](void*) {
        m_waiting.erase(place);
        if (waiter->granted && !taken)
            giveBack(waiter->client);
    });
    grant();
    while (!waiter->granted) {
        boost::system::error_code woken;
        co_await waiter->turn.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    taken = true;
    co_return Slot(*this, std::move(client));
}

/// Gives what is free to the oldest that may have it.
void Slots::grant()
{
    for (const auto& waiter : m_waiting) {
        if (m_used >= m_count || m_paused)
            return;
        std::uint32_t& taken = m_taken[waiter->client];
        if (waiter->granted || taken >= waiter->most)
            continue;
        waiter->granted = true;
        ++m_used;
        ++taken;
        waiter->turn.cancel();
    }
}

void Slots::setCount(std::uint32_t count)
{
    m_count = count;
    grant();
}

void Slots::setPaused(bool paused)
{
    m_paused = paused;
    grant();
}

void Slots::giveBack(const ClientId& client)
{
    --m_used;
    const auto taken = m_taken.find(client);
    if (--taken->second == 0)
        m_taken.erase(taken);
    grant();
}

Slots::Slot::Slot(Slots& slots, ClientId client)
    : m_slots(&slots)
    , m_client(std::move(client))
{}

Slots::Slot::Slot(Slot&& other) noexcept
    : m_slots(std::exchange(other.m_slots, nullptr))
    , m_client(std::move(other.m_client))
{}

Slots::Slot& Slots::Slot::operator=(Slot&& other) noexcept
{
    std::swap(m_slots, other.m_slots);
    std::swap(m_client, other.m_client);
    return *this;
}

Slots::Slot::~Slot()
{
    if (m_slots)
        m_slots->giveBack(m_client);
}

} // namespace belljar::execution
