// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <map>
#include <vector>
#endif

namespace belljar::ui {

/// What stands now, as the engine has told it: for the banners, the status bar and the tray.
struct Situation {
    bool engineFailed = false;
    PauseChanged pause;
    DockerStatus docker;
    std::vector<ImageStatus> images;
    std::map<ClientId, execution::Client> clients;
    std::map<ExecutionId, execution::Status> active; ///< what isn't final

    void apply(const std::vector<Event>& events);

    /// How many are in a sandbox.
    [[nodiscard]] int running() const;
    /// How many are on their way there: analysed, asked about, queued.
    [[nodiscard]] int pending() const { return static_cast<int>(active.size()) - running(); }

private:
    void take(const ExecutionChanged& changed);
    void take(const PauseChanged& changed) { pause = changed; }
    void take(const DockerChanged& changed) { docker = changed.status; }
    void take(const ImagesChanged& changed) { images = changed.images; }
    void take(const ClientConnected& connected) { clients[connected.client.id] = connected.client; }
    void take(const ClientChanged& changed) { clients[changed.client.id] = changed.client; }
    void take(const ClientDisconnected& disconnected) { clients.erase(disconnected.id); }
    void take(const EngineFailed& failed);
    void take(const auto& /*event*/) {}
};

} // namespace belljar::ui
