// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clients/connections.h"

#include <algorithm>

namespace belljar::ui {

bool Connections::apply(const std::vector<Event>& events)
{
    bool changed = false;
    for (const Event& event : events)
        changed |= std::visit([this](const auto& one) { return take(one); }, event);
    return changed;
}

bool Connections::isBlocked(const execution::Client& client) const
{
    return std::any_of(blocked.begin(), blocked.end(), [&](const Blocked& one) {
        return one.name == client.name && one.executable == client.executable;
    });
}

std::string Connections::policyFor(const execution::Client& client) const
{
    return policiesKnown ? policy::policyNameFor(assignments, client) : std::string();
}

bool Connections::take(const ExecutionChanged& changed)
{
    const execution::Client& client = changed.record.client;
    const auto found = open.find(client.id);
    if (found == open.end())
        return false;
    lastRuns[client.name] = std::max(lastRuns[client.name], changed.record.receivedAt);
    return found->second.runs.insert(changed.record.id).second;
}

bool Connections::take(const ClientConnected& connected)
{
    open[connected.client.id].client = connected.client; // again with every snapshot
    return true;
}

bool Connections::take(const ClientChanged& changed)
{
    open[changed.client.id].client = changed.client;
    return true;
}

bool Connections::take(const ClientDisconnected& disconnected)
{
    return open.erase(disconnected.id) > 0;
}

bool Connections::take(const BlockedClientsChanged& changed)
{
    blocked = changed.all;
    return true;
}

bool Connections::take(const PoliciesChanged& changed)
{
    assignments.list = changed.assignments;
    assignments.otherwise = changed.defaultPolicy;
    policiesKnown = true;
    return true;
}

bool Connections::take(const EngineFailed& /*failed*/)
{
    open.clear();
    return true;
}

} // namespace belljar::ui
