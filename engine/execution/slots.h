// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/ids.h"
#include "engine/base/result.h"

#include <cstdint>
#include <list>
#include <map>
#include <memory>

namespace belljar::execution {

/// How many executions may be in a sandbox at once, over all clients and of each. The others wait
/// in the order they came; one whose client has all that it may have is passed over until it hasn't
///
class Slots {
public:
    Slots(asio::any_io_executor executor, std::uint32_t count);

    /// One slot; gives it back when it dies.
    class Slot {
    public:
        Slot() = default;
        Slot(Slots& slots, ClientId client);
        Slot(Slot&& other) noexcept;
        Slot& operator=(Slot&& other) noexcept;
        ~Slot();

    private:
        Slots* m_slots = nullptr;
        ClientId m_client;
    };

    /// Waits for a slot for `client`, which may have `most` of them. Cancelling gives up the place
    /// in the queue.
    asio::awaitable<Result<Slot>> take(ClientId client, std::uint32_t most);

    /// From now on; who has a slot keeps it, also where these are fewer.
    void setCount(std::uint32_t count);
    /// While paused nobody's turn comes; who has a slot keeps it.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }

private:
    struct Waiter {
        asio::steady_timer turn; ///< never expires; cancelled when it is granted
        ClientId client;
        std::uint32_t most;
        bool granted = false;
    };

    void grant();
    void giveBack(const ClientId& client);

    asio::any_io_executor m_executor;
    std::uint32_t m_count;
    std::uint32_t m_used = 0;
    bool m_paused = false;
    std::map<ClientId, std::uint32_t> m_taken;
    std::list<std::shared_ptr<Waiter>> m_waiting; ///< oldest first
};

} // namespace belljar::execution
