// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace belljar::docker {

struct Ulimit {
    std::string name;
    std::int64_t soft = 0;
    std::int64_t hard = 0;
};

struct BindMount {
    std::string source;
    std::string target;
};

/// A container as we make them. Only what is here can be set; what R-2 forbids has no member, and
/// the encoder writes the fixed parts of R-1 (no network, cap-drop ALL, no-new-privileges,
/// private IPC and cgroup namespaces, LogConfig none, AutoRemove, no restart, OpenStdin+StdinOnce,
/// no TTY) for every container.
struct ContainerSpec {
    std::string image;
    std::vector<std::string> entrypoint; ///< replaces the image's ENTRYPOINT and CMD (R-15)
    std::vector<std::string>
        environment; ///< NAME=value; the image's own are blanked by `clearEnvironment`
    std::vector<std::string>
        clearEnvironment; ///< names of the image's ENV that must not exist inside (R-14)
    std::string workingDirectory;
    std::uint32_t uid = 65532;
    std::uint32_t gid = 65532;
    std::uint64_t memoryBytes = 0; ///< also the limit for memory and swap together
    std::uint32_t cpuMillis = 0;
    std::uint32_t pids = 0;
    std::vector<Ulimit> ulimits;
    std::map<std::string, std::string> tmpfs; ///< mount point -> options
    std::vector<BindMount> readOnlyBinds;
    /// The image's VOLUMEs: each is covered by an empty read-only tmpfs instead of getting a
    /// writable folder on the host's disk.
    std::vector<std::string> blankVolumes;
    bool readOnlyRoot = true;
    /// JSON text; nothing: the container engine's own profile, where a policy names it.
    std::optional<std::string> seccompProfile;
    std::string runtime; ///< empty: the engine's default
    std::map<std::string, std::string> labels;
};

} // namespace belljar::docker
