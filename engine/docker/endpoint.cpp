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
                "\" can't be used; only Unix sockets work for now, so write "
                "unix:///path/to/docker.sock"
        );
    return std::string(address.substr(kUnixScheme.size()));
}

/// A context as `docker context use` or DOCKER_CONTEXT chooses it.
struct Context {
    std::string name;
    std::string address;
};

Json readJson(const fs::path& file)
{
    const auto content = readFile(file, kMaxConfigBytes);
    auto json = content ? parseJson(*content) : Result<Json>(fail(content.error()));
    // What can't be read names no engine: the other places are looked at then, as Docker's own
    // command does with a configuration that isn't there.
    return json && json->is_object() ? std::move(*json) : Json::object();
}

std::string textAt(const Json& json, const char* pointer)
{
    const Json::json_pointer place(pointer);
    return json.contains(place) && json[place].is_string() ? json[place].get<std::string>()
                                                           : std::string();
}

/// The context in use; an empty address for the default one.
Context currentContext(const fs::path& dockerFolder)
{
    Context context;
    context.name = environmentValue("DOCKER_CONTEXT");
    if (context.name.empty())
        context.name = textAt(readJson(dockerFolder / "config.json"), "/currentContext");
    if (context.name.empty() || context.name == "default")
        return {};
    const fs::path meta = dockerFolder / "contexts/meta" / sha256Hex(context.name) / "meta.json";
    context.address = textAt(readJson(meta), "/Endpoints/docker/Host");
    return context;
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
    const std::string configFolder = environmentValue("DOCKER_CONFIG");
    const Context context =
        currentContext(configFolder.empty() ? fs::path(home) / ".docker" : fs::path(configFolder));
    if (!context.address.empty()) {
        const std::string origin = "docker context \"" + escapeForLine(context.name) + "\"";
        auto path = socketPathOf(context.address, origin);
        if (!path)
            return fail(path.error());
        add(std::move(*path), origin);
    }
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
