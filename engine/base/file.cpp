// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"

#include "engine/base/ids.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace belljar {

namespace {

Result<> writeAll(int fd, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(Errc::IoFailed, describeErrno(errno));
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

/// A folder that is on the way to a private one is private too (XDG base directories 0.8), whatever
/// the umask. One that exists stays as it is.
Result<> makeParents(const std::filesystem::path& folder)
{
    const std::filesystem::path parent = folder.parent_path();
    std::error_code ignored;
    if (parent.empty() || std::filesystem::is_directory(parent, ignored))
        return {};
    if (auto made = makeParents(parent); !made)
        return made;
    if (::mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(Errc::IoFailed, parent.string() + ": " + describeErrno(errno));
    return {};
}

/// Makes a rename in `folder` last through a power cut. Best effort: some file systems can't.
void syncFolder(const std::filesystem::path& folder)
{
    const UniqueFd fd(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    );
    if (fd.valid())
        static_cast<void>(::fsync(fd.get()));
}

} // namespace

void UniqueFd::reset(int fd)
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = fd;
}

std::string describeErrno(int error)
{
    return std::generic_category().message(error);
}

Result<std::string> readFile(const std::filesystem::path& file, std::uint64_t maxBytes)
{
    UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid())
        return fail(
            errno == ENOENT ? Errc::NotFound : Errc::IoFailed,
            file.string() + ": " + describeErrno(errno)
        );
    std::string content;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
        if (got == 0)
            return content;
        content.append(buffer.data(), static_cast<std::size_t>(got));
        if (content.size() > maxBytes)
            return fail(
                Errc::InvalidArgument,
                file.string() + ": larger than " + std::to_string(maxBytes) + " bytes"
            );
    }
}

Result<StagedFile> StagedFile::write(
    const std::filesystem::path& file,
    std::string_view content,
    unsigned mode,
    std::optional<unsigned> group
)
{
    const std::filesystem::path temporary = file.string() + "." + randomHex(6) + ".tmp";
    // Nobody else may open it before it has the group that it is to have.
    UniqueFd fd(::open(
        temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode & 0700U
    ));
    if (!fd.valid())
        return fail(Errc::IoFailed, temporary.string() + ": " + describeErrno(errno));
    StagedFile staged;
    staged.m_file = file;
    staged.m_temporary = temporary;
    auto written = writeAll(fd.get(), content);
    if (written && ((group && ::fchown(fd.get(), static_cast<uid_t>(-1), *group) != 0) ||
                    ::fchmod(fd.get(), mode) != 0 || ::fsync(fd.get()) != 0))
        written = fail(Errc::IoFailed, describeErrno(errno));
    if (!written)
        return fail(written.error().within(file.string()));
    return staged;
}

StagedFile::~StagedFile()
{
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : m_file(std::move(other.m_file))
    , m_temporary(std::exchange(other.m_temporary, {}))
{}

Result<> StagedFile::commit()
{
    if (::rename(m_temporary.c_str(), m_file.c_str()) != 0)
        return fail(Errc::IoFailed, m_file.string() + ": " + describeErrno(errno));
    m_temporary.clear();
    syncFolder(m_file.parent_path());
    return {};
}

Result<> writeFile(const std::filesystem::path& file, std::string_view content, unsigned mode)
{
    auto staged = StagedFile::write(file, content, mode);
    if (!staged)
        return fail(staged.error());
    return staged->commit();
}

Result<> makePrivateFolder(const std::filesystem::path& wanted)
{
    // "folder/" would make lstat() follow a link of that name.
    const std::filesystem::path folder = wanted.has_filename() ? wanted : wanted.parent_path();
    if (auto made = makeParents(folder); !made)
        return made;
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(Errc::IoFailed, folder.string() + ": " + describeErrno(errno));
    struct stat info {};
    if (::lstat(folder.c_str(), &info) != 0)
        return fail(Errc::IoFailed, folder.string() + ": " + describeErrno(errno));
    if (!S_ISDIR(info.st_mode))
        return fail(
            Errc::Unsafe, folder.string() + " is not a folder; move it away and start again"
        );
    if (info.st_uid != ::geteuid())
        return fail(
            Errc::Unsafe, folder.string() + " belongs to another user; move it away and start again"
        );
    if ((info.st_mode & 0022U) != 0)
        return fail(
            Errc::Unsafe,
            folder.string() + " can be written by others; run: chmod 700 '" + folder.string() + "'"
        );
    return {};
}

Result<LockFile> LockFile::acquire(const std::filesystem::path& file)
{
    LockFile lock;
    lock.m_fd.reset(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock.m_fd.valid())
        return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
    if (::flock(lock.m_fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
        const auto holder = readFile(file, 64);
        const std::string pid = holder ? holder->substr(0, holder->find('\n')) : std::string();
        return fail(
            Errc::Busy, file.string() + " is held by process " + (pid.empty() ? "(unknown)" : pid)
        );
    }
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(lock.m_fd.get(), 0) != 0)
        return fail(Errc::IoFailed, file.string() + ": " + describeErrno(errno));
    if (auto written = writeAll(lock.m_fd.get(), pid); !written)
        return fail(written.error().within(file.string()));
    return lock;
}

} // namespace belljar
