// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::cli {

/// What the bridge has to know of the conversation so that it can answer for an engine that has
/// gone and take it up with another. Without I/O; lines come without their newline.
class BridgeLedger {
public:
    /// A line on its way from the client to the engine.
    void sent(std::string_view line);

    /// A line on its way from the engine to the client. False for the answer to our own repeated
    /// handshake, which the client must not see.
    bool received(std::string_view line);

    /// The engine has gone: one error answer for each request in flight, without newline. They are
    /// settled then.
    std::vector<std::string> answersForLost(std::string_view reason);

    /// The lines that make another engine know this client; empty before the client's own
    /// handshake.
    [[nodiscard]] std::vector<std::string> handshake() const;

private:
    std::map<std::string, Json> m_inFlight; ///< by the id as JSON text
    std::optional<Json> m_initialize;
    bool m_initialized = false;
};

} // namespace belljar::cli
