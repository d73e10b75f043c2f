// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/sha256.h"

#include <algorithm>
#include <bit>

namespace belljar::runner {

namespace {

constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

} // namespace

void Sha256::add(std::span<const std::uint8_t> bytes)
{
    std::size_t filled = m_bytes % 64;
    m_bytes += bytes.size();
    while (!bytes.empty()) {
        if (filled == 0 && bytes.size() >= 64) {
            addBlock(bytes.data());
            bytes = bytes.subspan(64);
            continue;
        }
        const std::size_t count = std::min(bytes.size(), 64 - filled);
        std::copy_n(bytes.begin(), count, m_block.begin() + static_cast<std::ptrdiff_t>(filled));
        bytes = bytes.subspan(count);
        filled += count;
        if (filled == 64) {
            addBlock(m_block.data());
            filled = 0;
        }
    }
}

std::array<char, 64> Sha256::finish()
{
    const std::uint64_t bits = m_bytes * 8;
    std::array<std::uint8_t, 72> padding{0x80};
    const std::size_t used = m_bytes % 64;
    const std::size_t zeros = (used < 56 ? 56 : 120) - used;
    for (unsigned index = 0; index < 8; ++index)
        padding[zeros + index] = static_cast<std::uint8_t>(bits >> (56U - 8U * index));
    add(std::span(padding).first(zeros + 8));

    std::array<char, 64> hex{};
    for (unsigned digit = 0; digit < 64; ++digit)
        hex[digit] = "0123456789abcdef"[(m_state[digit / 8] >> (28U - 4U * (digit % 8))) & 0xFU];
    return hex;
}

void Sha256::addBlock(const std::uint8_t* block)
{
    std::array<std::uint32_t, 64> w{};
    for (std::size_t index = 0; index < 16; ++index) {
        const std::uint8_t* word = block + index * 4;
        w[index] = (std::uint32_t{word[0]} << 24U) | (std::uint32_t{word[1]} << 16U) |
                   (std::uint32_t{word[2]} << 8U) | word[3];
    }
    for (std::size_t index = 16; index < 64; ++index) {
        const std::uint32_t a = w[index - 15];
        const std::uint32_t b = w[index - 2];
        w[index] = w[index - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + w[index - 7] +
                   (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t index = 0; index < 64; ++index) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                    ((e & f) ^ (~e & g)) + kRoundConstants[index] + w[index];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
    for (std::size_t index = 0; index < 8; ++index)
        m_state[index] += sum[index];
}

} // namespace belljar::runner
