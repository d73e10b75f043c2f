// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace belljar::http {

inline constexpr std::uint16_t kDefaultPort = 7707;

/// Where to listen.
struct Endpoint {
    std::string address = "127.0.0.1";
    std::uint16_t port = kDefaultPort;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// Reads "127.0.0.1:7707", "[::1]:7707", "127.0.0.1", ":7707" or "7707"; what isn't said is the
/// default. Errors: InvalidArgument.
Result<Endpoint> parseEndpoint(std::string_view text);

} // namespace belljar::http
