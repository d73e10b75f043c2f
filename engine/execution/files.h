// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/frame.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The files that a program left in its workspace.
namespace belljar::execution {

using runner::FileFate;

/// What a file's first bytes say it is. Only a hint: nothing trusts it.
enum class FileKind : std::uint8_t { Other, Text, Svg, Png, Jpeg, Gif, Webp };

/// "png"; in the database.
[[nodiscard]] std::string_view nameOf(FileKind kind);
[[nodiscard]] std::optional<FileKind> fileKindFromName(std::string_view name);
/// "image/png".
[[nodiscard]] std::string_view mediaTypeOf(FileKind kind);
[[nodiscard]] FileKind sniffKind(std::string_view bytes);
/// Is it one that is decoded for showing? SVG isn't: it is a program of its own.
[[nodiscard]] bool isPicture(FileKind kind);

/// "is a symbolic link"; why an entry isn't kept, in English. Empty for Kept.
[[nodiscard]] std::string_view reasonOf(FileFate fate);

struct RunFile {
    std::string name; ///< relative to the workspace; any bytes but NUL, never a path of the host
    FileFate fate = FileFate::Kept;
    std::uint64_t size = 0; ///< as the file system says it, so that of a sparse file is the whole
    FileKind kind = FileKind::Other; ///< of a kept one, as what follows
    std::string sha256;
    std::shared_ptr<const std::string> bytes; ///< null where they aren't at hand

    friend bool operator==(const RunFile& left, const RunFile& right)
    {
        return left.name == right.name && left.fate == right.fate && left.size == right.size &&
               left.kind == right.kind && left.sha256 == right.sha256;
    }
};

/// Everything that is known of the workspace of an ended run.
struct RunFiles {
    std::vector<RunFile> files; ///< those kept, and the first of those left out
    std::array<std::uint64_t, runner::kFileFates> counts{}; ///< by FileFate, named or not
    bool whole = true; ///< false: not everything could be looked at (time, depth, rights)

    [[nodiscard]] std::uint64_t kept() const { return counts[0]; }
    [[nodiscard]] std::uint64_t leftOut() const;
    [[nodiscard]] bool isEmpty() const { return kept() == 0 && leftOut() == 0 && whole; }

    friend bool operator==(const RunFiles&, const RunFiles&) = default;
};

/// What is kept of one run at most. A program's files are a courtesy beside its output, and all of
/// them go through the engine's memory.
struct FileBudget {
    std::uint64_t files = 32;
    std::uint64_t bytesEach = 8ULL * 1024 * 1024;
    std::uint64_t bytesTogether = 16ULL * 1024 * 1024;
    std::chrono::milliseconds time{1500}; ///< for looking and sending
};

/// Of what is left out, the runner tells this many by name.
inline constexpr std::uint64_t kMostNamedLeftOut = 64;
/// Of a name, relative to the workspace.
inline constexpr std::size_t kMostFileName = 512;

/// `name` for showing on one line: what isn't text or can't be seen is escaped.
[[nodiscard]] std::string shownName(std::string_view name);

/// A name under which a person may save the file: one component, nothing that a shell, a desktop or
/// another system takes for something else, at most 120 bytes with its extension whole.
[[nodiscard]] std::string saveName(std::string_view name);

/// saveName() of each, made different with numbers where two would be the same on a file system
/// that knows no case.
[[nodiscard]] std::vector<std::string> saveNames(const std::vector<RunFile>& files);

/// "3 files kept; 37 not: 30 too many, 7 too large"; empty when there is nothing to say.
[[nodiscard]] std::string summaryOf(const RunFiles& files);

/// `files` without bytes, but for pictures of at most 512 KiB, four of them: those that a result
/// for a model may carry.
[[nodiscard]] RunFiles withSmallPictures(const RunFiles& files);

/// `files` without any bytes.
[[nodiscard]] RunFiles withoutBytes(RunFiles files);

} // namespace belljar::execution
