// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <map>
#include <set>
#include <string>
#include <vector>
#endif

namespace belljar::ui {

/// Who is connected, as the engine has told it.
struct Connection {
    execution::Client client;
    std::set<ExecutionId> runs; ///< since it connected
};

struct Connections {
    std::map<ClientId, Connection> open;
    std::vector<Blocked> blocked;
    std::map<std::string, execution::UnixMs> lastRuns; ///< in this life, by the client's name
    policy::Assignments assignments;
    bool policiesKnown = false;

    /// True when something has changed.
    bool apply(const std::vector<Event>& events);

    [[nodiscard]] bool isBlocked(const execution::Client& client) const;
    /// The name of the policy that decides for a client; empty before the engine has told.
    [[nodiscard]] std::string policyFor(const execution::Client& client) const;

private:
    bool take(const ExecutionChanged& changed);
    bool take(const ClientConnected& connected);
    bool take(const ClientChanged& changed);
    bool take(const ClientDisconnected& disconnected);
    bool take(const BlockedClientsChanged& changed);
    bool take(const PoliciesChanged& changed);
    bool take(const EngineFailed& failed);
    bool take(const auto& /*event*/) { return false; }
};

} // namespace belljar::ui
