// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/images/tar_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

namespace belljar::images {

namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kNameBytes = 100;

/// `value` as octal digits with leading zeros.
std::string octal(std::uint64_t value, std::size_t digits)
{
    std::string text(digits, '0');
    for (auto at = text.rbegin(); at != text.rend(); ++at, value >>= 3U)
        *at = static_cast<char>('0' + (value & 7U));
    return text;
}

/// The fields of a header at their offsets in the block.
std::string header(std::string_view name, std::uint64_t size)
{
    constexpr std::size_t kChecksumAt = 148;
    constexpr std::size_t kChecksumBytes = 8;
    const std::array<std::pair<std::size_t, std::string>, 8> fields = {{
        {0, std::string(name)},
        {100, "0000644"},
        {108, "0000000"},
        {116, "0000000"},
        {124, octal(size, 11)},
        {136, octal(0, 11)},
        {156, "0"},
        {257,
         std::string(
             "ustar\0"
             "00",
             8
         )},
    }};
    std::string block(kBlock, '\0');
    for (const auto& [at, text] : fields)
        std::copy(text.begin(), text.end(), block.begin() + static_cast<std::ptrdiff_t>(at));

    // The sum counts its own field as spaces.
    std::fill_n(block.begin() + kChecksumAt, kChecksumBytes, ' ');
    std::uint64_t sum = 0;
    for (const char byte : block)
        sum += static_cast<unsigned char>(byte);
    const std::string digits = octal(sum, 6) + std::string("\0 ", 2);
    std::copy(digits.begin(), digits.end(), block.begin() + kChecksumAt);
    return block;
}

} // namespace

void TarWriter::add(std::string_view name, std::string_view content)
{
    assert(name.size() <= kNameBytes);
    m_bytes += header(name, content.size());
    m_bytes += content;
    m_bytes.resize((m_bytes.size() + kBlock - 1) / kBlock * kBlock, '\0');
}

std::string TarWriter::finish()
{
    m_bytes.append(2 * kBlock, '\0');
    return std::exchange(m_bytes, {});
}

} // namespace belljar::images
