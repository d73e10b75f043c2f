// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace belljar {

/// The owner of one file descriptor.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd)
        : m_fd(fd)
    {}
    ~UniqueFd() { reset(); }
    UniqueFd(UniqueFd&& other) noexcept
        : m_fd(other.release())
    {}
    UniqueFd& operator=(UniqueFd&& other) noexcept
    {
        if (this != &other)
            reset(other.release());
        return *this;
    }
    UniqueFd(const UniqueFd&) = delete;
    UniqueFd& operator=(const UniqueFd&) = delete;

    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool valid() const { return m_fd >= 0; }
    /// Gives the descriptor away; the caller closes it.
    [[nodiscard]] int release() { return std::exchange(m_fd, -1); }
    /// Closes what is held and holds `fd`.
    void reset(int fd = -1);

private:
    int m_fd = -1;
};

/// The whole content of `file`. Errors: NotFound, IoFailed, InvalidArgument when it has more than
/// `maxBytes`.
Result<std::string>
readFile(const std::filesystem::path& file, std::uint64_t maxBytes = 256ULL * 1024 * 1024);

/// New content for a file: on disk beside it, until commit() puts it in place in one step. What was
/// not committed goes with its owner.
class StagedFile {
public:
    /// Writes `content` (temporary file in the same folder, fsync) with mode `mode`, and with group
    /// `group` where it is given. Errors: IoFailed.
    static Result<StagedFile> write(
        const std::filesystem::path& file,
        std::string_view content,
        unsigned mode,
        std::optional<unsigned> group = {}
    );
    ~StagedFile();
    StagedFile(StagedFile&& other) noexcept;
    StagedFile& operator=(StagedFile&& other) = delete;

    /// Replaces the file. Errors: IoFailed.
    Result<> commit();

private:
    StagedFile() = default;

    std::filesystem::path m_file;
    std::filesystem::path m_temporary; ///< empty: committed, or moved from
};

/// Replaces `file` in one step (temporary file in the same folder, fsync, rename) with mode `mode`.
Result<> writeFile(const std::filesystem::path& file, std::string_view content, unsigned mode);

/// Makes `folder` and its parents; what is new of them gets mode 0700. An existing one has
/// to be a real folder (no link) of this user that group and others can't write to; else
/// Errc::Unsafe.
Result<> makePrivateFolder(const std::filesystem::path& folder);

/// A lock that ends with the process. Held means: this process is the only one with it.
class LockFile {
public:
    /// Takes the lock at `file` without waiting and writes the process id into it.
    /// Errors: Busy when another process holds it (the message names its pid), IoFailed.
    static Result<LockFile> acquire(const std::filesystem::path& file);

    LockFile() = default;

private:
    UniqueFd m_fd;
};

/// What errno `error` means, in the C library's words.
[[nodiscard]] std::string describeErrno(int error);

} // namespace belljar
