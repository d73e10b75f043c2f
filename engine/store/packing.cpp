// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/packing.h"

#include <zstd.h>

namespace belljar::store {

namespace {

constexpr std::size_t kWorthTrying = 256; ///< below it the frame's own bytes eat the gain
constexpr int kLevel = 3;
/// More than any code or chunk can have; a damaged length must not take the machine's memory.
constexpr std::int64_t kMaxOriginalBytes = 256LL * 1024 * 1024;

} // namespace

Packed::Packed(std::string_view original)
    : m_bytes(original)
{
    if (original.size() < kWorthTrying)
        return;
    m_compressed.resize(::ZSTD_compressBound(original.size()));
    const std::size_t size = ::ZSTD_compress(
        m_compressed.data(), m_compressed.size(), original.data(), original.size(), kLevel
    );
    if (::ZSTD_isError(size) != 0 || size > original.size() - original.size() / 10)
        return;
    m_bytes = std::string_view(m_compressed).substr(0, size);
    m_packing = Packing::Zstd;
}

Result<std::string> unpack(std::int64_t packing, std::string_view bytes, std::int64_t originalBytes)
{
    if (originalBytes < 0 || originalBytes > kMaxOriginalBytes)
        return fail(Errc::StoreFailed, "damaged content: impossible length");
    const auto wanted = static_cast<std::size_t>(originalBytes);
    if (packing == static_cast<std::int64_t>(Packing::None)) {
        if (bytes.size() != wanted)
            return fail(Errc::StoreFailed, "damaged content: wrong length");
        return std::string(bytes);
    }
    if (packing != static_cast<std::int64_t>(Packing::Zstd))
        return fail(Errc::StoreFailed, "damaged content: unknown packing");
    std::string original(wanted, '\0');
    const std::size_t size =
        ::ZSTD_decompress(original.data(), original.size(), bytes.data(), bytes.size());
    if (::ZSTD_isError(size) != 0 || size != wanted)
        return fail(Errc::StoreFailed, "damaged content: can't be unpacked");
    return original;
}

} // namespace belljar::store
