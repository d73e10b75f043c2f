// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clients/config_file.h"

#include "engine/base/file.h"

#include <cerrno>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace belljar::clients {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 16ULL * 1024 * 1024;
constexpr int kMostLinks = 40; // as many as the kernel follows
constexpr unsigned kNewMode = 0600;

/// Where a path leads: also where a link points to nothing yet.
Result<fs::path> followed(fs::path file)
{
    for (int link = 0; link < kMostLinks; ++link) {
        std::error_code error;
        if (!fs::is_symlink(fs::symlink_status(file, error)))
            return file;
        const fs::path target = fs::read_symlink(file, error);
        if (error)
            return fail(Errc::IoFailed, file.string() + ": " + error.message());
        file = (file.parent_path() / target).lexically_normal();
    }
    return fail(Errc::IoFailed, file.string() + ": too many links");
}

bool othersCanWrite(const struct stat& info)
{
    // A group of one's own is what many distributions give everybody.
    return (info.st_mode & S_IWOTH) != 0 ||
           ((info.st_mode & S_IWGRP) != 0 && info.st_gid != ::getegid());
}

/// Whoever can write to the folder can put another file in this one's place.
Result<> checkFolder(const fs::path& folder)
{
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0)
        return errno == ENOENT
                   ? Result<>()
                   : fail(Errc::IoFailed, folder.string() + ": " + describeErrno(errno));
    const bool isSticky = (info.st_mode & S_ISVTX) != 0;
    if ((info.st_uid != ::geteuid() && info.st_uid != 0) || (othersCanWrite(info) && !isSticky))
        return fail(Errc::Unsafe, folder.string() + " can be written by others");
    return {};
}

Result<> makeFolder(const fs::path& folder)
{
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error))
        return {};
    if (auto made = makeFolder(folder.parent_path()); !made)
        return made;
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(Errc::IoFailed, folder.string() + ": " + describeErrno(errno));
    return {};
}

} // namespace

Result<ConfigFile> readConfigFile(const fs::path& file)
{
    auto target = followed(file);
    if (!target)
        return fail(target.error());
    ConfigFile config;
    config.file = std::move(*target);
    config.mode = kNewMode;
    config.group = ::getegid();
    if (auto checked = checkFolder(config.file.parent_path()); !checked)
        return fail(checked.error());
    struct stat info {};
    if (::lstat(config.file.c_str(), &info) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            return config;
        return fail(Errc::IoFailed, config.file.string() + ": " + describeErrno(errno));
    }
    // Before it is opened: a pipe would be waited for.
    if (!S_ISREG(info.st_mode))
        return fail(Errc::Unsafe, config.file.string() + " is no ordinary file");
    if (info.st_uid != ::geteuid())
        return fail(Errc::Unsafe, config.file.string() + " belongs to another user");
    if (othersCanWrite(info))
        return fail(
            Errc::Unsafe,
            config.file.string() + " can be written by others; run: chmod go-w '" +
                config.file.string() + "'"
        );
    config.mode = info.st_mode & 07777U;
    config.group = info.st_gid;
    auto text = readFile(config.file, kMostBytes);
    if (!text)
        return fail(text.error());
    config.text = std::move(*text);
    return config;
}

Result<> demandUnchanged(const ConfigFile& before)
{
    const auto now = readConfigFile(before.file);
    if (!now)
        return fail(now.error());
    if (now->file != before.file || now->text != before.text)
        return fail(
            Errc::Conflict,
            before.file.string() + " has changed meanwhile; nothing was written, look at it again"
        );
    return {};
}

Result<> replaceConfigFile(const ConfigFile& before, const std::optional<std::string>& text)
{
    if (!text) {
        if (auto same = demandUnchanged(before); !same)
            return same;
        if (::unlink(before.file.c_str()) != 0 && errno != ENOENT)
            return fail(Errc::IoFailed, before.file.string() + ": " + describeErrno(errno));
        return {};
    }
    if (auto made = makeFolder(before.file.parent_path()); !made)
        return made;
    auto staged = StagedFile::write(before.file, *text, before.mode, before.group);
    if (!staged)
        return fail(staged.error());
    // As late as can be: clients write these files too.
    if (auto same = demandUnchanged(before); !same)
        return same;
    return staged->commit();
}

fs::path backupOf(const fs::path& file)
{
    return file.string() + ".belljar-backup";
}

} // namespace belljar::clients
