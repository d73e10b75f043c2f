// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/masking.h"

#include <algorithm>
#include <array>
#include <optional>

namespace belljar::audit {

namespace {

constexpr std::string_view kMask = "[masked]";

bool isWordByte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9');
}

bool isTokenByte(char byte)
{
    return isWordByte(byte) || byte == '-' || byte == '_' || byte == '.' || byte == '/' ||
           byte == '+' || byte == '=' || byte == '~';
}

/// A secret that begins with `prefix` and goes on with at least `least` token characters.
struct Shape {
    std::string_view prefix;
    std::size_t least;
};

constexpr std::array kShapes{
    Shape{"sk-", 16},         // OpenAI, Anthropic
    Shape{"sk_live_", 12},    // Stripe
    Shape{"rk_live_", 12},    //
    Shape{"ghp_", 20},        // GitHub
    Shape{"gho_", 20},        //
    Shape{"ghu_", 20},        //
    Shape{"ghs_", 20},        //
    Shape{"ghr_", 20},        //
    Shape{"github_pat_", 20}, //
    Shape{"glpat-", 16},      // GitLab
    Shape{"hf_", 20},         // Hugging Face
    Shape{"npm_", 20},        //
    Shape{"pypi-", 20},       //
    Shape{"xoxb-", 10},       // Slack
    Shape{"xoxp-", 10},       //
    Shape{"xoxa-", 10},       //
    Shape{"xapp-", 10},       //
    Shape{"AKIA", 16},        // AWS
    Shape{"ASIA", 16},        //
    Shape{"AIza", 30},        // Google
    Shape{"ya29.", 20},       //
    Shape{"eyJ", 30},         // a JSON web token
    Shape{"Bearer ", 8},      //
    Shape{"bearer ", 8},      //
    Shape{"Basic ", 12},      //
};

constexpr std::string_view kKeyBegin = "-----BEGIN ";
constexpr std::string_view kKeyMark = "PRIVATE KEY-----";

/// Names of members whose value is a secret whatever it looks like; compared without case, "-" and
/// "_".
constexpr std::array<std::string_view, 11> kSecretNames{
    "password",
    "passwd",
    "passphrase",
    "token",
    "accesstoken",
    "refreshtoken",
    "authorization",
    "secret",
    "clientsecret",
    "apikey",
    "privatekey",
};

std::size_t tokenLength(std::string_view text)
{
    const auto end = std::find_if_not(text.begin(), text.end(), isTokenByte);
    return static_cast<std::size_t>(end - text.begin());
}

struct Found {
    std::size_t kept;   ///< bytes that stay, so that one sees what it was
    std::size_t length; ///< bytes of the whole secret
};

std::optional<Found> keyShapeAt(std::string_view text)
{
    for (const Shape& shape : kShapes) {
        if (!text.starts_with(shape.prefix))
            continue;
        const std::size_t rest = tokenLength(text.substr(shape.prefix.size()));
        if (rest >= shape.least)
            return Found{shape.prefix.size(), shape.prefix.size() + rest};
    }
    return std::nullopt;
}

std::optional<Found> privateKeyAt(std::string_view text)
{
    if (!text.starts_with(kKeyBegin))
        return std::nullopt;
    // "-----BEGIN OPENSSH PRIVATE KEY-----" and the like: no name is longer.
    const std::size_t mark = text.substr(0, 96).find(kKeyMark);
    if (mark == std::string_view::npos)
        return std::nullopt;
    const std::size_t kept = mark + kKeyMark.size();
    const std::size_t end = text.find(kKeyMark, kept);
    return Found{kept, end == std::string_view::npos ? text.size() : end + kKeyMark.size()};
}

/// The password of "scheme://user:password@host", from behind "//".
std::optional<Found> passwordAt(std::string_view text)
{
    if (!text.starts_with("//"))
        return std::nullopt;
    const std::size_t end = text.find_first_of("/ \t\r\n\"'?#", 2);
    const std::string_view authority =
        text.substr(2, end == std::string_view::npos ? end : end - 2);
    const std::size_t at = authority.rfind('@');
    const std::size_t colon = authority.find(':');
    if (at == std::string_view::npos || colon == std::string_view::npos || colon >= at)
        return std::nullopt;
    return Found{2 + colon + 1, 2 + at};
}

std::optional<Found> secretAt(std::string_view text, bool atWordStart)
{
    if (auto found = passwordAt(text))
        return found;
    if (auto found = privateKeyAt(text))
        return found;
    // "task-..." holds "sk-": a key begins where a word begins.
    return atWordStart ? keyShapeAt(text) : std::nullopt;
}

bool isSecretName(std::string_view key)
{
    std::string plain;
    for (const char byte : key) {
        if (byte == '-' || byte == '_')
            continue;
        plain += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    }
    return std::find(kSecretNames.begin(), kSecretNames.end(), plain) != kSecretNames.end();
}

Json maskedMembers(const Json& object)
{
    Json result = Json::object();
    for (const auto& [key, value] : object.items()) {
        const bool hides = value.is_string() && isSecretName(key);
        result[key] = hides ? Json(kMask) : masked(value);
    }
    return result;
}

} // namespace

std::string maskedText(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const bool atWordStart = at == 0 || !isWordByte(text[at - 1]);
        const auto found = secretAt(text.substr(at), atWordStart);
        if (!found) {
            result += text[at++];
            continue;
        }
        result += text.substr(at, found->kept);
        result += kMask;
        at += found->length;
    }
    return result;
}

Json masked(const Json& detail)
{
    if (detail.is_string())
        return maskedText(detail.get_ref<const std::string&>());
    if (detail.is_object())
        return maskedMembers(detail);
    if (!detail.is_array())
        return detail;
    Json result = Json::array();
    for (const Json& value : detail)
        result.push_back(masked(value));
    return result;
}

} // namespace belljar::audit
