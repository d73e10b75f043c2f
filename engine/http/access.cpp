// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/access.h"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace belljar::http {

namespace {

Response refusal(int status, std::string text)
{
    Response response;
    response.status = status;
    response.contentType = "text/plain; charset=utf-8";
    response.body = std::move(text) + "\n";
    return response;
}

/// The name in a Host field, without its port; empty where it isn't formed as one.
std::string_view nameOf(std::string_view host)
{
    const bool bracketed = host.starts_with('[');
    const std::size_t end = bracketed ? host.find(']') : host.find(':');
    const std::string_view name = host.substr(0, bracketed ? end + 1 : end);
    if (bracketed && end == std::string_view::npos)
        return {};
    std::string_view port = host.substr(name.size());
    if (port.empty())
        return name;
    port.remove_prefix(1);
    const bool isPort = host[name.size()] == ':' && port.size() <= 5 &&
                        port.find_first_not_of("0123456789") == std::string_view::npos;
    return isPort ? name : std::string_view();
}

template <class Digest>
Digest digestOf(std::string_view text)
{
    Digest digest{};
    static_assert(digest.size() == SHA256_DIGEST_LENGTH);
    ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    return digest;
}

} // namespace

bool isLoopback(std::string_view address)
{
    boost::system::error_code error;
    const auto parsed = boost::asio::ip::make_address(std::string(address), error);
    return !error && parsed.is_loopback();
}

Access::Access(
    std::vector<Place> places, std::vector<std::string> hosts, std::vector<std::string> origins
)
    : m_places(std::move(places))
    , m_hosts(std::move(hosts))
    , m_origins(std::move(origins))
{
    for (const char* own : {"localhost", "127.0.0.1", "[::1]"})
        m_hosts.emplace_back(own);
}

void Access::setToken(std::string_view token)
{
    m_token.reset();
    if (!token.empty())
        m_token = digestOf<Digest>(token);
}

bool Access::knowsHost(std::string_view host) const
{
    const std::string_view name = nameOf(host);
    return !name.empty() && std::any_of(m_hosts.begin(), m_hosts.end(), [name](const auto& known) {
        return sameName(known, name);
    });
}

bool Access::hasToken(const Request& request) const
{
    constexpr std::string_view kScheme = "Bearer ";
    const auto shown = request.field("Authorization");
    if (!m_token || !shown || request.count("Authorization") != 1 ||
        !sameName(shown->substr(0, kScheme.size()), kScheme))
        return false;
    const auto digest = digestOf<Digest>(shown->substr(kScheme.size()));
    return ::CRYPTO_memcmp(digest.data(), m_token->data(), digest.size()) == 0;
}

std::optional<Response> Access::refusalOf(const Request& request) const
{
    const auto host = request.field("Host");
    if (!host || request.count("Host") != 1)
        return refusal(400, "Host: has to be there once");
    if (!knowsHost(*host))
        return refusal(403, "Host: this server doesn't go by that name");
    for (const Field& field : request.fields) {
        if (sameName(field.name, "Origin") &&
            std::find(m_origins.begin(), m_origins.end(), field.value) == m_origins.end())
            return refusal(403, "Origin: web pages are not let in");
        if (sameName(field.name, "Sec-Fetch-Site") && field.value != "none" && m_origins.empty())
            return refusal(403, "Sec-Fetch-Site: web pages are not let in");
    }
    // A client that can do OAuth looks there after a 401; told 401 again it would open a browser
    // for a login that there isn't (SPEC.md section 2.12).
    if (request.path.starts_with("/.well-known/"))
        return refusal(404, "there is no login here; the token comes from `belljar token show`");
    if (!hasToken(request)) {
        Response response;
        response.status = 401;
        response.fields.push_back({"WWW-Authenticate", "Bearer realm=\"belljar\""});
        return response;
    }
    const auto place = std::find_if(m_places.begin(), m_places.end(), [&](const Place& known) {
        return known.path == request.path;
    });
    if (place == m_places.end())
        return refusal(404, "there is nothing here; MCP is at /mcp");
    const auto& methods = place->methods;
    if (std::find(methods.begin(), methods.end(), request.method) == methods.end()) {
        Response response = refusal(405, "this method isn't for here");
        std::string allowed;
        for (const std::string& method : methods)
            allowed += (allowed.empty() ? "" : ", ") + method;
        response.fields.push_back({"Allow", std::move(allowed)});
        return response;
    }
    return {};
}

} // namespace belljar::http
