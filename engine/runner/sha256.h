// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace belljar::runner {

/// SHA-256 (FIPS 180-4) of bytes that come in pieces. Our own since the runner links no library.
class Sha256 {
public:
    void add(std::span<const std::uint8_t> bytes);

    /// The digest as 64 hexadecimal digits. Ends the computation.
    std::array<char, 64> finish();

private:
    void addBlock(const std::uint8_t* block);

    std::array<std::uint32_t, 8> m_state = {
        0x6a09e667,
        0xbb67ae85,
        0x3c6ef372,
        0xa54ff53a,
        0x510e527f,
        0x9b05688c,
        0x1f83d9ab,
        0x5be0cd19,
    };
    std::array<std::uint8_t, 64> m_block{};
    std::uint64_t m_bytes = 0;
};

} // namespace belljar::runner
