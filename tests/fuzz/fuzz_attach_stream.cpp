// SPDX-License-Identifier: GPL-3.0-or-later
// The attach stream, cut at any place: both ways of cutting have to give the same.
#include "engine/docker/attach_demux.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace belljar::docker;

namespace {

/// All that comes out: each byte after the number of its stream, then how it ended.
std::string takeApart(std::string_view bytes, std::size_t pieceBytes)
{
    AttachDemux demux;
    std::string seen;
    for (std::size_t at = 0; at < bytes.size(); at += pieceBytes) {
        std::string_view piece = bytes.substr(at, pieceBytes);
        for (;;) {
            auto chunk = demux.take(piece);
            if (!chunk)
                return seen + "broken";
            if (!*chunk)
                break;
            if ((*chunk)->bytes.empty() || (*chunk)->bytes.size() > 65536)
                std::abort();
            for (const char byte : (*chunk)->bytes) {
                seen.push_back((*chunk)->stream == OutputStream::Stderr ? '2' : '1');
                seen.push_back(byte);
            }
        }
        if (!piece.empty())
            std::abort();
    }
    return seen + (demux.atFrameEnd() ? "whole" : "cut");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    // NOLINTNEXTLINE: the interface of libFuzzer
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (takeApart(bytes, bytes.size()) != takeApart(bytes, 1U + data[0]))
        std::abort();
    return 0;
}
