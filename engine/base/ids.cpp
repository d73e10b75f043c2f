// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/ids.h"

#include "engine/base/sha256.h"

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <vector>

#include <sys/random.h>

namespace belljar {

std::string randomHex(std::size_t bytes)
{
    std::vector<std::uint8_t> buffer(bytes);
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const ssize_t got = ::getrandom(buffer.data() + filled, buffer.size() - filled, 0);
        if (got < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "getrandom");
        if (got > 0)
            filled += static_cast<std::size_t>(got);
    }
    return toHex(buffer.data(), buffer.size());
}

} // namespace belljar
