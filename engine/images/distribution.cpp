// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/images/distribution.h"

#include "engine/base/file.h"

#include <array>
#include <cstdlib>
#include <map>

#include <unistd.h>

namespace belljar::images {

namespace {

/// Distributions that mmdebstrap can make from their own archive, and what they call its parts.
struct Distributor {
    std::string_view id; ///< ID in /etc/os-release
    std::string_view components;
};
constexpr std::array kDistributors = {
    Distributor{"debian", "main"},
    Distributor{"ubuntu", "main,universe"},
};

/// Never unpacked: finish.sh would take it out again.
constexpr std::array kLeftOut = {
    "/usr/share/doc/*",
    "/usr/share/man/*",
    "/usr/share/info/*",
    "/usr/share/locale/*",
    "/usr/share/lintian/*",
};

/// What of our environment mmdebstrap may see.
constexpr std::array kPassedOn = {
    "HOME",
    "TMPDIR",
    "http_proxy",
    "https_proxy",
    "no_proxy",
};

/// The value of `key` in a file of shell-like assignments, without its quotes.
std::string assignedValue(std::string_view text, std::string_view key)
{
    const std::string wanted = std::string(key) + "=";
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.substr(0, wanted.size()) != wanted)
            continue;
        line.remove_prefix(wanted.size());
        const bool quoted = line.size() >= 2 && (line.front() == '"' || line.front() == '\'');
        return std::string(quoted ? line.substr(1, line.size() - 2) : line);
    }
    return {};
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ",") + word;
    return text;
}

std::map<std::string, std::string> environmentFor(const Recipe& recipe)
{
    std::map<std::string, std::string> environment{
        {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
        {"LC_ALL", "C.UTF-8"},
        {"DEBIAN_FRONTEND", "noninteractive"},
        {"BELLJAR_RECIPE", recipe.folder.string()},
    };
    for (const char* name : kPassedOn) {
        if (const char* value = std::getenv(name); value != nullptr)
            environment[name] = value;
    }
    return environment;
}

} // namespace

PackageSource packageSource(std::string_view osRelease, std::string_view fallbackSuite)
{
    const std::string id = assignedValue(osRelease, "ID");
    const std::string codename = assignedValue(osRelease, "VERSION_CODENAME");
    for (const Distributor& distributor : kDistributors) {
        if (distributor.id == id && !codename.empty())
            return {codename, std::string(distributor.components)};
    }
    return {std::string(fallbackSuite), "main"};
}

Result<ChildProcess::Command> bootstrapCommand(const Recipe& recipe)
{
    const auto program = findProgram("mmdebstrap");
    if (!program)
        return fail(
            Errc::Unsupported,
            "mmdebstrap is not installed; install it with: sudo apt-get install mmdebstrap"
        );
    const bool isRoot = ::geteuid() == 0;
    if (!isRoot && !findProgram("newuidmap"))
        return fail(
            Errc::Unsupported,
            "mmdebstrap needs newuidmap to work without root; install it with: "
            "sudo apt-get install uidmap"
        );
    const auto osRelease = readFile("/etc/os-release", 64 * 1024);
    const PackageSource source =
        packageSource(osRelease ? *osRelease : std::string(), recipe.distribution.suite);

    ChildProcess::Command command;
    command.environment = environmentFor(recipe);
    command.argv = {
        *program,
        "--variant=essential",
        isRoot ? "--mode=root" : "--mode=unshare",
        "--format=tar",
        "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
        "--components=" + source.components,
        "--include=" + joined(recipe.distribution.packages),
    };
    for (const char* path : kLeftOut)
        command.argv.push_back(std::string("--dpkgopt=path-exclude=") + path);
    // mmdebstrap runs this by a shell of its own; the folder comes by the environment, so that no
    // character of its name means anything there.
    command.argv.emplace_back(R"(--customize-hook=sh "$BELLJAR_RECIPE/../hook.sh" "$1")");
    command.argv.push_back(source.suite);
    return command;
}

} // namespace belljar::images
