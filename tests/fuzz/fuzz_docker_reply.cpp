// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON of an engine that may be fake or broken.
#include "engine/docker/codec.h"

#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace belljar::docker;
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    static_cast<void>(decodeVersion(body));
    static_cast<void>(decodeInfo(body));
    static_cast<void>(decodeCreated(body));
    static_cast<void>(decodeWait(body));
    static_cast<void>(decodeContainer(body));
    static_cast<void>(decodeContainers(body));
    static_cast<void>(decodeImage(body));
    static_cast<void>(decodeEvent(body));
    static_cast<void>(decodeProgress(body));
    static_cast<void>(decodeMessage(body));
    return 0;
}
