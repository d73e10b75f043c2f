// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/base64.h"

#include <cstddef>
#include <cstdint>

namespace belljar {

namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr unsigned kBits = 6;

std::string_view digitsOf(Base64 alphabet)
{
    return alphabet == Base64::Standard ? kStandard : kUrl;
}

} // namespace

std::string toBase64(std::string_view bytes, Base64 alphabet)
{
    const std::string_view digits = digitsOf(alphabet);
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    std::uint32_t pending = 0;
    unsigned bits = 0;
    for (const char c : bytes) {
        pending = (pending << 8U) | static_cast<unsigned char>(c);
        bits += 8;
        while (bits >= kBits) {
            bits -= kBits;
            text += digits[(pending >> bits) & 0x3FU];
        }
    }
    if (bits > 0)
        text += digits[(pending << (kBits - bits)) & 0x3FU];
    while (alphabet == Base64::Standard && text.size() % 4 != 0)
        text += '=';
    return text;
}

std::optional<std::string> fromBase64(std::string_view text, Base64 alphabet)
{
    if (alphabet == Base64::Standard) {
        if (text.size() % 4 != 0)
            return {};
        for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
            text.remove_suffix(1);
    }
    if (text.size() % 4 == 1)
        return {};
    const std::string_view digits = digitsOf(alphabet);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t pending = 0;
    unsigned bits = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos)
            return {};
        pending = (pending << kBits) | static_cast<std::uint32_t>(digit);
        bits += kBits;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>((pending >> bits) & 0xFFU);
        }
    }
    if ((pending & ((1U << bits) - 1U)) != 0)
        return {};
    return bytes;
}

} // namespace belljar
