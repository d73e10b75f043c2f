// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/http/message.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::http {

/// Where a request may go: a path and the methods that it knows.
struct Place {
    std::string path;
    std::vector<std::string> methods;
};

/// Who may ask for what: looked at when a request's header has been read, before its body (R-75 to
/// Without I/O.
class Access {
public:
    /// `hosts` are the names under which the server may be asked for, besides localhost, 127.0.0.1
    /// and [::1]; `origins` the web pages that may ask (`https://example.org`).
    Access(
        std::vector<Place> places, std::vector<std::string> hosts, std::vector<std::string> origins
    );

    /// Only who shows `token` gets in; empty: nobody does.
    void setToken(std::string_view token);

    /// Why the request is refused, as the answer to it; nothing when it may come in.
    [[nodiscard]] std::optional<Response> refusalOf(const Request& request) const;

private:
    using Digest = std::array<std::uint8_t, 32>;

    [[nodiscard]] bool knowsHost(std::string_view host) const;
    [[nodiscard]] bool hasToken(const Request& request) const;

    std::vector<Place> m_places;
    std::vector<std::string> m_hosts;
    std::vector<std::string> m_origins;
    std::optional<Digest> m_token; ///< its SHA-256: digests have the same length whatever was sent
};

/// Is `address` (an IP literal) one of this machine's own loop?
[[nodiscard]] bool isLoopback(std::string_view address);

} // namespace belljar::http
