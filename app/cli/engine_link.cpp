// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_link.h"

#include "engine/base/log.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <sdbus-c++/sdbus-c++.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace belljar::cli {

namespace {

using namespace std::chrono_literals;

constexpr const char* kDesktopName = "io.belljar.desktop";
constexpr auto kListenDeadline = 10s; // for a started engine to listen
constexpr auto kAttemptPause = 20ms;  // a socket that is about to appear sends no event

/// The session bus of a client that passes on no environment is still at its well-known place.
bool haveSessionBus()
{
    if (std::getenv("DBUS_SESSION_BUS_ADDRESS"))
        return true;
    const std::string path = "/run/user/" + std::to_string(::geteuid()) + "/bus";
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode))
        return false;
    return ::setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + path).c_str(), 0) == 0;
}

/// Asks the session bus to start the desktop program. False when there is no bus or it isn't
/// installed.
bool activateDesktop()
{
    if (!haveSessionBus())
        return false;
    try {
        const auto proxy = sdbus::createProxy(
            sdbus::createSessionBusConnection(), "org.freedesktop.DBus", "/org/freedesktop/DBus"
        );
        std::vector<std::string> names;
        proxy->callMethod("ListActivatableNames")
            .onInterface("org.freedesktop.DBus")
            .storeResultsTo(names);
        if (std::find(names.begin(), names.end(), kDesktopName) == names.end())
            return false;
        std::uint32_t started = 0;
        proxy->callMethod("StartServiceByName")
            .onInterface("org.freedesktop.DBus")
            .withArguments(std::string(kDesktopName), std::uint32_t{0})
            .storeResultsTo(started);
        return true;
    } catch (const sdbus::Error& error) {
        log::engine().warn("desktop_activation_failed=\"{}\"", log::safe(error.what()));
        return false;
    }
}

Result<UniqueFd>
connectWithin(const std::filesystem::path& socketFile, std::chrono::steady_clock::duration span)
{
    const auto until = std::chrono::steady_clock::now() + span;
    for (;;) {
        auto socket = connectUnix(socketFile);
        const bool absent = !socket && socket.error().code() == Errc::NotFound;
        if (!absent || std::chrono::steady_clock::now() >= until)
            return socket;
        std::this_thread::sleep_for(kAttemptPause);
    }
}

} // namespace

Result<UniqueFd> connectUnix(const std::filesystem::path& socketFile)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socketFile.native().size() >= sizeof address.sun_path)
        return fail(
            Errc::InvalidArgument,
            socketFile.string() + ": the path is too long for a socket (107 bytes)"
        );
    std::memcpy(address.sun_path, socketFile.c_str(), socketFile.native().size());
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.valid())
        return fail(Errc::IoFailed, describeErrno(errno));
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return fail(
            Errc::NotFound,
            "no engine listens at " + socketFile.string() + ": " + describeErrno(errno)
        );
    return socket;
}

Result<EngineLink> linkToEngine(const Paths& paths, const HostEngine& hostEngine)
{
    auto socket = connectUnix(paths.socketFile());
    if (!socket && socket.error().code() == Errc::NotFound && activateDesktop())
        socket = connectWithin(paths.socketFile(), kListenDeadline);
    if (socket)
        return EngineLink{std::move(*socket), nullptr};
    if (socket.error().code() != Errc::NotFound)
        return fail(socket.error());

    auto host = hostEngine();
    if (!host && host.error().code() != Errc::Busy)
        return fail(host.error());
    // Busy: another process of ours was faster and is about to listen.
    socket = connectWithin(paths.socketFile(), host ? 1s : kListenDeadline);
    if (!socket)
        return fail(host ? socket.error() : host.error());
    return EngineLink{std::move(*socket), host ? *host : nullptr};
}

} // namespace belljar::cli
