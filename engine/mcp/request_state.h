// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mcp/call.h"

#include <optional>
#include <string>
#include <string_view>

namespace belljar::mcp {

/// What a handler wants to know again when the client brings the answers, in the client's keeping:
/// signed, and good only for the same request of the same client and for ten minutes (SPEC.md
/// section 2.6).
class RequestState {
public:
    /// With a key of its own, which dies with the process.
    RequestState();

    [[nodiscard]] std::string
    seal(const Json& state, std::string_view method, const Call& call) const;
    /// Nothing: it isn't ours, not of this request, or too old.
    [[nodiscard]] std::optional<Json>
    open(std::string_view sealed, std::string_view method, const Call& call) const;

private:
    std::string m_key;
};

} // namespace belljar::mcp
