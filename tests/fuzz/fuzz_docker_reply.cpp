// SPDX-License-Identifier: GPL-3.0-or-later
// Every decoder of the engine's replies. The first byte chooses; what is accepted has to keep the
// promises that callers build on.
#include "engine/docker/codec.h"
#include "engine/docker/spec_check.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace belljar::docker;

namespace {

void require(bool kept)
{
    if (!kept)
        std::abort();
}

void decode(std::uint8_t choice, std::string_view body)
{
    switch (choice % 12) {
    case 0: static_cast<void>(decodeVersion(body)); break;
    case 1: static_cast<void>(decodeInfo(body)); break;
    case 2:
        if (const auto created = decodeCreated(body))
            require(isContainerName(created->id));
        break;
    case 3:
        if (const auto code = decodeWait(body))
            require(*code >= -1);
        break;
    case 4:
        if (const auto container = decodeContainer(body))
            require(isContainerName(container->id));
        break;
    case 5:
        if (const auto list = decodeContainers(body)) {
            for (const auto& row : *list)
                require(isContainerName(row.id));
        }
        break;
    case 6:
        if (const auto image = decodeImage(body))
            require(isImageReference(image->digest));
        break;
    case 7: static_cast<void>(decodeEvent(body)); break;
    case 8: static_cast<void>(decodeProgress(body)); break;
    case 9: require(decodeMessage(body).size() <= 3 * 2048); break;
    case 10:
        static_cast<void>(confirmContainer(ContainerSpec(), body));
        if (isImageReference(body))
            require(body.find("/.") == std::string_view::npos);
        break;
    case 11:
        if (const auto stats = decodeStats(body))
            require(stats->name.size() <= 128);
        break;
    default: break;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size > 0) {
        // NOLINTNEXTLINE: the interface of libFuzzer
        decode(data[0], std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
    }
    return 0;
}
