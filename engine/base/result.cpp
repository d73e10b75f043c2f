// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/result.h"

#include <array>

namespace belljar {

namespace {

struct ErrcRow {
    Errc code;
    std::string_view name;
    bool retryable;
};

constexpr std::array kErrcTable{
    ErrcRow{Errc::InvalidArgument, "invalid_argument", false},
    ErrcRow{Errc::NotFound, "not_found", false},
    ErrcRow{Errc::Conflict, "conflict", false},
    ErrcRow{Errc::Busy, "busy", true},
    ErrcRow{Errc::TimedOut, "timed_out", true},
    ErrcRow{Errc::EngineUnreachable, "engine_unreachable", true},
    ErrcRow{Errc::EngineRefused, "engine_refused", false},
    ErrcRow{Errc::ImageMissing, "image_missing", false},
    ErrcRow{Errc::Unsafe, "unsafe", false},
    ErrcRow{Errc::ProtocolViolation, "protocol_violation", false},
    ErrcRow{Errc::Closed, "closed", true},
    ErrcRow{Errc::IoFailed, "io_failed", true},
    ErrcRow{Errc::StoreFailed, "store_failed", true},
    ErrcRow{Errc::Unsupported, "unsupported", false},
    ErrcRow{Errc::Internal, "internal", false},
};

const ErrcRow& row(Errc code)
{
    for (const ErrcRow& candidate : kErrcTable) {
        if (candidate.code == code)
            return candidate;
    }
    return kErrcTable.back();
}

} // namespace

std::string_view nameOf(Errc code)
{
    return row(code).name;
}

bool isRetryable(Errc code)
{
    return row(code).retryable;
}

Error::Error(Errc code, std::string message)
    : m_code(code)
    , m_message(std::move(message))
{}

Error Error::within(std::string_view context) const
{
    return Error(m_code, std::string(context) + ": " + m_message);
}

tl::unexpected<Error> fail(Errc code, std::string message)
{
    return tl::unexpected<Error>(Error(code, std::move(message)));
}

tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

} // namespace belljar
