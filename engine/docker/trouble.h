// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/docker/client.h"

#include <boost/system/error_code.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// What goes wrong between us and the engine, in words for people. troubleOf() is in client.h.
namespace belljar::docker {

/// Why no conversation with an engine comes about; each has its own advice.
enum class Cause : std::uint8_t {
    Absent,    ///< there is no socket
    Forbidden, ///< the socket is not for this user
    Refused,   ///< a socket, and nobody behind it
    Silent,    ///< somebody who does not answer
    Nonsense,  ///< somebody who does not speak the Engine API
    TooOld,
    Broken, ///< the connection ended in the middle
};

/// What a person can do about `cause`: one or more whole sentences.
[[nodiscard]] std::string_view adviceFor(Cause cause);

/// An error whose message is `sentence`, a full stop, and the advice for `cause`.
[[nodiscard]] Error withAdvice(Errc code, std::string sentence, Cause cause);

/// The error of a connection that could not be made or that broke, as the socket or the HTTP parser
/// reports it: "Docker is not running: <socket>: <cause>. <advice>".
[[nodiscard]] Error
connectionError(const Endpoint& endpoint, const boost::system::error_code& error);

} // namespace belljar::docker
