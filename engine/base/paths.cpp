// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/paths.h"

#include "engine/base/file.h"
#include "engine/base/text.h"

#include <cstdlib>
#include <string>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace belljar {

namespace {

namespace fs = std::filesystem;

fs::path absoluteFromEnvironment(const char* variable)
{
    const char* value = std::getenv(variable);
    if (!value || value[0] != '/')
        return {};
    return value;
}

/// HOME, or what the user database says. A service may have no HOME; a place in /tmp that anybody
/// can make first is no home.
fs::path homeFolder()
{
    fs::path home = absoluteFromEnvironment("HOME");
    if (!home.empty())
        return home;
    const passwd* user = ::getpwuid(::geteuid());
    if (user && user->pw_dir && user->pw_dir[0] == '/')
        return user->pw_dir;
    return "/";
}

fs::path xdgFolder(const char* variable, const char* belowHome)
{
    fs::path folder = absoluteFromEnvironment(variable);
    if (!folder.empty())
        return folder / "belljar";
    return homeFolder() / belowHome / "belljar";
}

bool isPrivateFolderOfOurs(const fs::path& folder)
{
    struct stat info {};
    return ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == ::geteuid() && (info.st_mode & 0022U) == 0;
}

fs::path runtimeFolder()
{
    const fs::path fromEnvironment = absoluteFromEnvironment("XDG_RUNTIME_DIR");
    if (!fromEnvironment.empty())
        return fromEnvironment / "belljar";
    // MCP clients start `belljar stdio` without XDG_RUNTIME_DIR, so the well-known place is tried
    // too.
    const fs::path wellKnown = fs::path("/run/user") / std::to_string(::geteuid());
    if (isPrivateFolderOfOurs(wellKnown))
        return wellKnown / "belljar";
    return fs::path("/tmp") / ("belljar-" + std::to_string(::geteuid()));
}

std::string joined(const std::vector<fs::path>& places)
{
    std::string text;
    for (const fs::path& place : places)
        text += (text.empty() ? "" : ", ") + place.string();
    return text;
}

Result<fs::path> firstExisting(const std::vector<fs::path>& places, std::string_view what)
{
    for (const fs::path& place : places) {
        std::error_code ignored;
        if (fs::exists(place, ignored))
            return place;
    }
    return fail(
        Errc::NotFound, std::string(what) + " is not installed; looked at " + joined(places)
    );
}

} // namespace

Paths findPaths()
{
    Paths paths;
    paths.config = xdgFolder("XDG_CONFIG_HOME", ".config");
    paths.data = xdgFolder("XDG_DATA_HOME", ".local/share");
    paths.state = xdgFolder("XDG_STATE_HOME", ".local/state");
    paths.runtime = runtimeFolder();
    paths.home = homeFolder();
    return paths;
}

Result<> makeFolders(const Paths& paths)
{
    for (const fs::path& folder : {paths.config, paths.data, paths.state, paths.runtime}) {
        if (auto made = makePrivateFolder(folder); !made)
            return made;
    }
    return {};
}

fs::path executableFolder()
{
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return failed ? fs::path("/usr/bin") : self.parent_path();
}

fs::path commandProgram()
{
    const fs::path beside = executableFolder() / "belljar";
    std::error_code failed;
    return fs::exists(beside, failed) ? beside : executableFolder().parent_path() / "bin/belljar";
}

Result<fs::path> findResource(const fs::path& relative)
{
    std::vector<fs::path> places;
    if (const fs::path folder = absoluteFromEnvironment("BELLJAR_DATA_DIR"); !folder.empty())
        places.push_back(folder / relative);
    places.push_back(xdgFolder("XDG_DATA_HOME", ".local/share") / relative);
    places.push_back(executableFolder().parent_path() / "share/belljar" / relative);
    const char* dataDirs = std::getenv("XDG_DATA_DIRS");
    std::string_view rest = dataDirs && *dataDirs ? dataDirs : "/usr/local/share:/usr/share";
    while (!rest.empty()) {
        const std::size_t end = rest.find(':');
        const std::string_view one = rest.substr(0, end);
        if (!one.empty() && one.front() == '/')
            places.push_back(fs::path(one) / "belljar" / relative);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return firstExisting(places, relative.string());
}

Result<fs::path> findRunner()
{
    std::vector<fs::path> places;
    if (const fs::path file = absoluteFromEnvironment("BELLJAR_RUNNER"); !file.empty())
        places.push_back(file);
    places.push_back(executableFolder().parent_path() / "libexec/belljar/belljar_runner");
    places.push_back(executableFolder() / "belljar_runner");
    return firstExisting(places, "belljar_runner");
}

std::string userName()
{
    const passwd* user = ::getpwuid(::geteuid());
    return user && user->pw_name ? user->pw_name : std::to_string(::geteuid());
}

} // namespace belljar
