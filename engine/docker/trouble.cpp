// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/trouble.h"

#include "engine/base/asio.h"

#include <boost/beast/http/error.hpp>

#include <array>
#include <utility>

namespace belljar::docker {

namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::array<std::pair<Cause, std::string_view>, 7> kAdvice{{
    {Cause::Absent,
     "Install Docker (sudo apt-get install docker.io) or start it (sudo systemctl start docker)."},
    {Cause::Forbidden,
     "Join the docker group (sudo usermod -aG docker $USER, then log in again; this gives your "
     "user root's power over this machine), or use rootless Docker."},
    {Cause::Refused, "Docker has ended. Start it: sudo systemctl start docker."},
    {Cause::Silent,
     "Docker hangs. Look at it (sudo systemctl status docker) or restart it (sudo systemctl "
     "restart docker)."},
    {Cause::Nonsense,
     "Something else than Docker listens there. Set DOCKER_HOST, or the address in the settings, "
     "to Docker's own socket."},
    {Cause::TooOld, "Update Docker to 20.10 or newer."},
    {Cause::Broken, "See whether Docker runs: sudo systemctl status docker."},
}};

/// Does `error` say that the other side speaks no HTTP, or more of it than we take?
bool isNonsense(const error_code& error)
{
    return error.category() == http::make_error_code(http::error::bad_version).category() &&
           error != http::error::end_of_stream && error != http::error::partial_message;
}

Cause causeOf(const error_code& error)
{
    if (error == boost::system::errc::permission_denied)
        return Cause::Forbidden;
    if (error == boost::system::errc::no_such_file_or_directory ||
        error == boost::system::errc::not_a_directory)
        return Cause::Absent;
    if (error == boost::system::errc::connection_refused)
        return Cause::Refused;
    return Cause::Broken;
}

std::string describe(const error_code& error)
{
    if (error == http::error::end_of_stream)
        return "it closed the connection without an answer";
    if (error == http::error::partial_message)
        return "it closed the connection in the middle of an answer";
    if (error == http::error::header_limit || error == http::error::body_limit ||
        error == http::error::buffer_overflow)
        return "its answer is longer than allowed";
    return error.message();
}

} // namespace

std::string_view adviceFor(Cause cause)
{
    for (const auto& [known, advice] : kAdvice) {
        if (known == cause)
            return advice;
    }
    return {};
}

Error withAdvice(Errc code, std::string sentence, Cause cause)
{
    sentence += ". ";
    sentence += adviceFor(cause);
    return Error(code, std::move(sentence));
}

Error connectionError(const Endpoint& endpoint, const error_code& error)
{
    if (error == asio::error::operation_aborted)
        return Error(Errc::Closed, "the call to Docker was cancelled");
    if (isNonsense(error))
        return withAdvice(
            Errc::ProtocolViolation,
            "What answers at " + endpoint.socketPath + " is not Docker: " + describe(error),
            Cause::Nonsense
        );
    return withAdvice(
        Errc::EngineUnreachable,
        "Docker is not running: " + endpoint.socketPath + ": " + describe(error),
        causeOf(error)
    );
}

Trouble troubleOf(const Error& error)
{
    const std::string& message = error.message();
    for (const auto& [cause, advice] : kAdvice) {
        if (message.size() > advice.size() + 2 && message.ends_with(advice)) {
            const std::size_t end = message.size() - advice.size() - 2;
            return {message.substr(0, end), std::string(advice)};
        }
    }
    return {message, {}};
}

} // namespace belljar::docker
