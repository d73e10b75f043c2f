// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace belljar {

/// What kind of thing went wrong. Programs compare this; people read Error::message().
enum class Errc : std::uint8_t {
    InvalidArgument, ///< the caller asked for something that is not allowed; the message names the
                     ///< field
    NotFound,        ///< the named thing does not exist
    Conflict,        ///< the named thing is in a state that does not allow this
    Busy,            ///< a bound (queue, connections) is reached; try again later
    TimedOut,        ///< the deadline passed
    EngineUnreachable, ///< no container engine answers
    EngineRefused,     ///< the container engine answered with an error
    ImageMissing, ///< the sandbox image is not there; the message names the command that builds it
    Unsafe,       ///< a security check failed; nothing was run
    ProtocolViolation, ///< the other side sent bytes that the protocol does not allow
    Closed,            ///< the other side closed the connection
    IoFailed,          ///< a file, socket or process call failed
    StoreFailed,       ///< the history database failed
    Unsupported,       ///< not available here
    Internal,          ///< a bug
};

/// The wire and log name of `code`, e.g. "image_missing".
std::string_view nameOf(Errc code);

/// May the same call work if it is made again later?
bool isRetryable(Errc code);

/// One failure: a code for programs and a sentence for people (what happened, to what, what to do).
class Error {
public:
    Error() = default;
    Error(Errc code, std::string message);

    [[nodiscard]] Errc code() const { return m_code; }
    [[nodiscard]] const std::string& message() const { return m_message; }

    /// The same failure with `context` before the message: "context: message".
    [[nodiscard]] Error within(std::string_view context) const;

    friend bool operator==(const Error&, const Error&) = default;

private:
    Errc m_code = Errc::Internal;
    std::string m_message;
};

/// A value or an Error. A dropped Result is a compile error.
template <class T = void>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
};

/// The failure half of a Result: `return fail(Errc::NotFound, "...")`.
[[nodiscard]] tl::unexpected<Error> fail(Errc code, std::string message);

/// Passes on a failure: `return fail(result.error())`.
[[nodiscard]] tl::unexpected<Error> fail(Error error);

} // namespace belljar
