// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/docker/client.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace belljar::docker {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxConfigBytes = 1U << 20U;
constexpr std::string_view kUnixScheme = "unix://";

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

Result<std::string> socketPathOf(std::string_view address, std::string_view origin)
{
    if (!address.starts_with(kUnixScheme) || address.size() == kUnixScheme.size())
        return fail(
            Errc::InvalidArgument,
            std::string(origin) + ": \"" + escapeForLine(address) +
                "\" can't be used; Belljar reaches Docker over a Unix socket, so write "
                "unix:///path/to/docker.sock"
        );
    return std::string(address.substr(kUnixScheme.size()));
}

/// The address of the docker context in use, as `docker context use` leaves it; empty for the
/// default one.
std::string contextAddress(const fs::path& dockerFolder)
{
    std::string name = environmentValue("DOCKER_CONTEXT");
    if (name.empty()) {
        const auto content = readFile(dockerFolder / "config.json", kMaxConfigBytes);
        const auto config = content ? parseJson(*content) : Result<Json>(fail(content.error()));
        if (config && config->is_object() && config->value("currentContext", Json()).is_string())
            name = (*config)["currentContext"].get<std::string>();
    }
    if (name.empty() || name == "default")
        return {};
    const auto content =
        readFile(dockerFolder / "contexts/meta" / sha256Hex(name) / "meta.json", kMaxConfigBytes);
    const auto meta = content ? parseJson(*content) : Result<Json>(fail(content.error()));
    if (!meta || !meta->is_object())
        return {};
    const Json::json_pointer host("/Endpoints/docker/Host");
    return meta->contains(host) && (*meta)[host].is_string() ? (*meta)[host].get<std::string>()
                                                             : std::string();
}

} // namespace

Result<std::vector<Endpoint>> findEndpoints(std::string_view configured)
{
    std::vector<Endpoint> endpoints;
    // Whoever names an engine means that one: no other is tried then.
    if (!configured.empty()) {
        auto path = socketPathOf(configured, "the configured Docker address");
        if (!path)
            return fail(path.error());
        endpoints.push_back({std::move(*path), "settings"});
        return endpoints;
    }
    if (const std::string host = environmentValue("DOCKER_HOST"); !host.empty()) {
        auto path = socketPathOf(host, "DOCKER_HOST");
        if (!path)
            return fail(path.error());
        endpoints.push_back({std::move(*path), "DOCKER_HOST"});
        return endpoints;
    }
    const auto add = [&endpoints](std::string path, std::string origin) {
        const bool known =
            std::any_of(endpoints.begin(), endpoints.end(), [&path](const Endpoint& endpoint) {
                return endpoint.socketPath == path;
            });
        if (!known)
            endpoints.push_back({std::move(path), std::move(origin)});
    };
    const std::string home = environmentValue("HOME");
    if (const std::string address = contextAddress(fs::path(home) / ".docker");
        address.starts_with(kUnixScheme))
        add(address.substr(kUnixScheme.size()), "docker context");
    const std::string uid = std::to_string(::geteuid());
    const std::string runtime = environmentValue("XDG_RUNTIME_DIR");
    add("/var/run/docker.sock", "system Docker");
    if (!runtime.empty())
        add(runtime + "/docker.sock", "rootless Docker");
    add("/run/user/" + uid + "/docker.sock", "rootless Docker");
    if (!home.empty()) {
        add(home + "/.docker/desktop/docker.sock", "Docker Desktop");
        add(home + "/.docker/run/docker.sock", "Docker Desktop");
        add(home + "/.colima/default/docker.sock", "Colima");
    }
    if (!runtime.empty())
        add(runtime + "/podman/podman.sock", "Podman");
    add("/run/user/" + uid + "/podman/podman.sock", "Podman");
    add("/run/podman/podman.sock", "Podman");
    return endpoints;
}

} // namespace belljar::docker
