// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace belljar::store {

/// How bytes lie in the database. The numbers are stored, so they never change.
enum class Packing : std::uint8_t { None = 0, Zstd = 1 };

/// Bytes as they are kept: compressed where that saves a tenth or more. `bytes` views `original` or
/// `compressed`, so a Packed lives no longer than what was packed, and stays where it was made.
class Packed {
public:
    explicit Packed(std::string_view original);
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;

    [[nodiscard]] Packing packing() const { return m_packing; }
    [[nodiscard]] std::string_view bytes() const { return m_bytes; }

private:
    std::string m_compressed;
    std::string_view m_bytes;
    Packing m_packing = Packing::None;
};

/// The bytes that were packed. `packing` and `originalBytes` come from the database like `bytes`,
/// and are believed as little. Errors: StoreFailed.
Result<std::string>
unpack(std::int64_t packing, std::string_view bytes, std::int64_t originalBytes);

} // namespace belljar::store
