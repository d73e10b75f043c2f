// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/endpoint.h"

#include <charconv>

namespace belljar::http {

Result<Endpoint> parseEndpoint(std::string_view text)
{
    const auto refuse = [text] {
        return fail(
            Errc::InvalidArgument,
            "'" + std::string(text) + "': expected ADDRESS:PORT like 127.0.0.1:7707 or [::1]:7707"
        );
    };
    Endpoint endpoint;
    const bool isPortAlone =
        !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    std::string_view address = isPortAlone ? std::string_view() : text;
    std::string_view port = isPortAlone ? text : std::string_view();
    const std::size_t colon = text.rfind(':');
    const bool isBracketed = address.starts_with('[');
    const std::size_t bracket = text.find(']');
    if (isBracketed && bracket == std::string_view::npos)
        return refuse();
    if (!isPortAlone && colon != std::string_view::npos && (!isBracketed || colon > bracket)) {
        address = text.substr(0, colon);
        port = text.substr(colon + 1);
        if (port.empty())
            return refuse();
    }
    if (isBracketed) {
        if (address.back() != ']')
            return refuse();
        address = address.substr(1, address.size() - 2);
    } else if (address.find(':') != std::string_view::npos) {
        return refuse(); // IPv6 without brackets: where the port begins is anybody's guess
    }
    if (!address.empty())
        endpoint.address = std::string(address);
    if (port.empty())
        return endpoint;
    const char* const end = port.data() + port.size();
    const auto read = std::from_chars(port.data(), end, endpoint.port);
    if (read.ec != std::errc() || read.ptr != end)
        return refuse();
    return endpoint;
}

} // namespace belljar::http
