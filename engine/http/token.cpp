// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/token.h"

#include "engine/base/file.h"
#include "engine/base/ids.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace belljar::http {

namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kFewestCharacters = 32; // of a token that somebody wrote into the file
constexpr unsigned kMode = 0600;

} // namespace

Result<std::string> readToken(const std::filesystem::path& file)
{
    // Looked at and read through one descriptor, so that it is the same file.
    const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!fd.valid() && errno == ELOOP)
        return fail(Errc::Unsafe, file.string() + " is a link; remove it and start again");
    if (!fd.valid())
        return fail(
            errno == ENOENT ? Errc::NotFound : Errc::IoFailed,
            file.string() + ": " + describeErrno(errno)
        );
    struct stat info {};
    if (::fstat(fd.get(), &info) != 0)
        return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
    if (!S_ISREG(info.st_mode) || info.st_uid != ::geteuid())
        return fail(Errc::Unsafe, file.string() + " is not a file of yours; remove it");
    if ((info.st_mode & 0077U) != 0)
        return fail(
            Errc::Unsafe,
            file.string() + " can be read by others; make a new token: belljar token rotate"
        );
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0)
        return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
    std::string_view token(buffer.data(), static_cast<std::size_t>(got));
    while (token.ends_with('\n') || token.ends_with('\r'))
        token.remove_suffix(1);
    const bool isVisible =
        std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (token.size() < kFewestCharacters || !isVisible)
        return fail(
            Errc::InvalidArgument,
            file.string() + " holds no token of 32 or more visible characters; make a new one: "
                            "belljar token rotate"
        );
    return std::string(token);
}

Result<std::string> readOrMakeToken(const std::filesystem::path& file)
{
    auto token = readToken(file);
    if (token || token.error().code() != Errc::NotFound)
        return token;
    return rotateToken(file);
}

Result<std::string> rotateToken(const std::filesystem::path& file)
{
    if (auto made = makePrivateFolder(file.parent_path()); !made)
        return fail(made.error());
    std::string token = randomHex(kTokenBytes);
    // The new file takes the old one's name, whatever that was: nothing is written through a link.
    if (auto written = writeFile(file, token + "\n", kMode); !written)
        return fail(written.error());
    return token;
}

} // namespace belljar::http
