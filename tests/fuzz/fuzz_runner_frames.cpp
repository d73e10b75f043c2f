// SPDX-License-Identifier: GPL-3.0-or-later
// The frames and control messages of a runner that may have been taken over.
#include "engine/sandbox/runner_protocol.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace belljar;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    sandbox::RunnerDecoder whole;
    sandbox::RunnerDecoder cut;
    execution::FileBudget files;
    files.files = 3;
    files.bytesEach = 32;
    files.bytesTogether = 48;
    whole.setBudget({64, 64}, files);
    cut.setBudget({64, 64}, files);
    const auto at_once = whole.feed(bytes);
    // Wherever the bytes are cut, the verdict is the same.
    const auto first = cut.feed(bytes.substr(0, size / 2));
    const bool good = first && cut.feed(bytes.substr(size / 2));
    if (at_once.has_value() != good)
        std::abort();
    return 0;
}
