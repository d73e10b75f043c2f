// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/request_state.h"

#include "engine/base/base64.h"
#include "engine/base/ids.h"
#include "engine/base/sha256.h"

namespace belljar::mcp {

namespace {

constexpr std::string_view kVersion = "v1";
constexpr execution::UnixMs kGoodForMs = 10LL * 60 * 1000;
constexpr std::size_t kKeyBytes = 32;

/// What makes it the same request: all of it that the client has to send again.
std::string digestOf(std::string_view method, const Call& call)
{
    const Json request = Json::array(
        {method,
         call.client.id.text(),
         call.param("name"),
         call.param("uri"),
         call.param("arguments")}
    );
    return sha256Hex(dumpJson(request));
}

} // namespace

RequestState::RequestState()
    : m_key(randomHex(kKeyBytes))
{}

std::string RequestState::seal(const Json& state, std::string_view method, const Call& call) const
{
    const Json payload =
        Json::array({execution::unixNow() + kGoodForMs, digestOf(method, call), state});
    std::string text = std::string(kVersion) + "." + toBase64(dumpJson(payload), Base64::Url);
    const std::string code = hmacSha256(m_key, text);
    return text + "." + toBase64(code, Base64::Url);
}

std::optional<Json>
RequestState::open(std::string_view sealed, std::string_view method, const Call& call) const
{
    const std::size_t dot = sealed.rfind('.');
    if (dot == std::string_view::npos)
        return {};
    const std::string_view text = sealed.substr(0, dot);
    const auto code = fromBase64(sealed.substr(dot + 1), Base64::Url);
    if (!code || !sameSecret(*code, hmacSha256(m_key, text)))
        return {};
    // From here on it is what seal() has written.
    const auto bytes = fromBase64(text.substr(kVersion.size() + 1), Base64::Url);
    auto payload = bytes ? parseJson(*bytes) : Result<Json>(Json());
    if (!payload || payload->size() != 3 || (*payload)[1] != digestOf(method, call) ||
        (*payload)[0].get<execution::UnixMs>() < execution::unixNow())
        return {};
    return std::move((*payload)[2]);
}

} // namespace belljar::mcp
