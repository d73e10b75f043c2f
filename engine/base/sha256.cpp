// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/sha256.h"

#include "engine/base/file.h"

#include <array>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

namespace belljar {

std::string toHex(const std::uint8_t* data, std::size_t size)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    out.reserve(size * 2);
    for (std::size_t index = 0; index < size; ++index) {
        out.push_back(kDigits[data[index] >> 4U]);
        out.push_back(kDigits[data[index] & 0xFU]);
    }
    return out;
}

std::string sha256Hex(std::string_view bytes)
{
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
    ::SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
    return toHex(digest.data(), digest.size());
}

Result<std::string> sha256OfFile(const std::filesystem::path& file)
{
    auto content = readFile(file);
    if (!content)
        return fail(content.error());
    return sha256Hex(*content);
}

std::string hmacSha256(std::string_view key, std::string_view message)
{
    std::string code(SHA256_DIGEST_LENGTH, '\0');
    unsigned size = 0;
    ::HMAC(
        ::EVP_sha256(),
        key.data(),
        static_cast<int>(key.size()),
        reinterpret_cast<const unsigned char*>(message.data()),
        message.size(),
        reinterpret_cast<unsigned char*>(code.data()),
        &size
    );
    return code;
}

bool sameSecret(std::string_view left, std::string_view right)
{
    return left.size() == right.size() &&
           ::CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

} // namespace belljar
