// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/docker/spec_check.h"

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/docker/codec.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include <sys/stat.h>

namespace belljar::docker {

namespace {

namespace fs = std::filesystem;

/// Folders that hold more than Belljar's own files. What lies in them may be mounted.
constexpr std::array<std::string_view, 13> kSharedFolders{
    "/",
    "/bin",
    "/boot",
    "/etc",
    "/home",
    "/lib",
    "/opt",
    "/root",
    "/run",
    "/tmp",
    "/usr",
    "/var",
    "/var/run"};
/// Trees from which nothing may be mounted.
constexpr std::array<std::string_view, 3> kKernelFolders{"/proc", "/sys", "/dev"};

constexpr std::array<std::string_view, 9> kConfirmed{
    "NetworkMode",
    "ReadonlyRootfs",
    "Privileged",
    "CapDrop",
    "SecurityOpt",
    "Memory",
    "MemorySwap",
    "NanoCpus",
    "PidsLimit"};

tl::unexpected<Error> refuse(std::string_view member, std::string_view why)
{
    return fail(
        Errc::InvalidArgument, "container." + std::string(member) + ": " + std::string(why)
    );
}

bool isPlainPath(std::string_view path)
{
    const fs::path given(path);
    return given.is_absolute() && given.lexically_normal() == given &&
           path.find('\0') == std::string_view::npos && path.find(':') == std::string_view::npos;
}

bool isBelow(const fs::path& path, std::string_view folder)
{
    const fs::path base(folder);
    return std::mismatch(base.begin(), base.end(), path.begin(), path.end()).first == base.end();
}

/// a folder of ours, no socket, after following symbolic links.
Result<> checkSource(const std::string& source)
{
    if (!isPlainPath(source))
        return refuse("binds", "\"" + escapeForLine(source) + "\" is no plain absolute path");
    std::error_code unknown;
    const fs::path real = fs::weakly_canonical(source, unknown);
    const auto is = [&real](std::string_view folder) { return real == folder; };
    const auto below = [&real](std::string_view folder) { return isBelow(real, folder); };
    if (unknown || std::any_of(kSharedFolders.begin(), kSharedFolders.end(), is) ||
        std::any_of(kKernelFolders.begin(), kKernelFolders.end(), below))
        return refuse("binds", "\"" + escapeForLine(source) + "\" may not be seen from inside");
    struct stat info {};
    if (::stat(real.c_str(), &info) == 0 && !S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode))
        return refuse("binds", "\"" + escapeForLine(source) + "\" is no folder and no file");
    return {};
}

Result<> checkMounts(const ContainerSpec& spec)
{
    for (const BindMount& bind : spec.readOnlyBinds) {
        if (auto source = checkSource(bind.source); !source)
            return source;
        if (!isPlainPath(bind.target))
            return refuse("binds", "\"" + escapeForLine(bind.target) + "\" is no plain path");
    }
    for (const auto& [point, options] : spec.tmpfs) {
        if (!isPlainPath(point))
            return refuse("tmpfs", "\"" + escapeForLine(point) + "\" is no plain path");
    }
    // An image may say anything here; what can't be covered can't be run.
    for (const std::string& volume : spec.blankVolumes) {
        if (!isPlainPath(volume) || volume == "/")
            return refuse("volumes", "the image's \"" + escapeForLine(volume) + "\" is no folder");
    }
    return {};
}

Result<> checkLimits(const ContainerSpec& spec)
{
    if (spec.memoryBytes == 0)
        return refuse("memory", "there has to be a limit");
    if (spec.cpuMillis == 0)
        return refuse("cpus", "there has to be a limit");
    if (spec.pids == 0)
        return refuse("pids", "there has to be a limit");
    if (spec.uid == 0 || spec.gid == 0)
        return refuse("user", "may not be root");
    if (!spec.seccompProfile)
        return {};
    const auto profile = parseJson(*spec.seccompProfile);
    if (!profile || !profile->is_object() || profile->empty())
        return refuse("seccomp", "there has to be a profile");
    return {};
}

Result<> checkTexts(const ContainerSpec& spec)
{
    if (!isImageReference(spec.image))
        return refuse("image", "\"" + escapeForLine(spec.image) + "\" is no image name");
    // An empty one would let the image's own ENTRYPOINT through.
    if (spec.entrypoint.empty() || !isPlainPath(spec.entrypoint.front()))
        return refuse("entrypoint", "has to begin with an absolute path");
    if (!isPlainPath(spec.workingDirectory))
        return refuse("working directory", "has to be a plain absolute path");
    for (const std::string& variable : spec.environment) {
        if (variable.find('=') == std::string::npos || variable.starts_with('='))
            return refuse("environment", "\"" + escapeForLine(variable) + "\" is no NAME=value");
    }
    for (const auto& [name, value] : spec.labels) {
        if (!isContainerName(name))
            return refuse("labels", "\"" + escapeForLine(name) + "\" is no label name");
    }
    if (!spec.runtime.empty() && !isContainerName(spec.runtime))
        return refuse("runtime", "\"" + escapeForLine(spec.runtime) + "\" is no runtime name");
    return {};
}

tl::unexpected<Error> ignored(std::string_view part)
{
    return fail(
        Errc::Unsafe,
        "Docker made the container without what was asked for: " + std::string(part) +
            "; it was removed"
    );
}

const Json* memberOf(const Json& json, std::string_view key)
{
    const auto found = json.find(key);
    return found != json.end() && !found->is_null() ? &*found : nullptr;
}

} // namespace

Result<> checkSpec(const ContainerSpec& spec)
{
    for (const auto& check : {checkTexts, checkLimits, checkMounts}) {
        if (auto good = check(spec); !good)
            return good;
    }
    return {};
}

Result<> confirmContainer(const ContainerSpec& spec, std::string_view body)
{
    const auto reply = parseJson(body);
    const Json* host = reply ? memberOf(*reply, "HostConfig") : nullptr;
    const Json* config = reply ? memberOf(*reply, "Config") : nullptr;
    if (!host || !config)
        return fail(Errc::ProtocolViolation, "Docker's reply about the container has no settings");
    const Json asked = encodeContainer(spec);
    for (const std::string_view key : kConfirmed) {
        const Json* made = memberOf(*host, key);
        if (!made || *made != *memberOf(asked["HostConfig"], key))
            return ignored(key);
    }
    if (const Json* added = memberOf(*host, "CapAdd"); added && !added->empty())
        return ignored("CapAdd");
    for (const char* key : {"User", "WorkingDir", "Entrypoint"}) {
        const Json* made = memberOf(*config, key);
        if (!made || *made != *memberOf(asked, key))
            return ignored(key);
    }
    return {};
}

bool isHarmless(std::string_view warning)
{
    // Another platform's image fails to start, or runs under emulation inside the same walls.
    return warning.starts_with("The requested image's platform");
}

} // namespace belljar::docker
