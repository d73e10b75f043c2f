// SPDX-License-Identifier: GPL-3.0-or-later
// Docker's multiplexed attach stream.
#include "engine/docker/attach_demux.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

/// Everything that comes out, or nothing where the stream is broken.
std::string demultiplexed(std::string_view bytes, std::size_t step)
{
    belljar::docker::AttachDemux demux;
    std::string out;
    while (!bytes.empty()) {
        std::string_view piece = bytes.substr(0, step);
        bytes.remove_prefix(piece.size());
        for (;;) {
            const auto chunk = demux.take(piece);
            if (!chunk)
                return {};
            if (!*chunk)
                break;
            out += (*chunk)->bytes;
        }
    }
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (demultiplexed(bytes, size == 0 ? 1 : size) != demultiplexed(bytes, 3))
        std::abort();
    return 0;
}
