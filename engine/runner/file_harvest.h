// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/engine_queue.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <sys/stat.h>

namespace belljar::runner {

/// What is sent of the program's files at most. Zero files: nothing is looked for.
struct FileLimits {
    std::uint64_t files = 0;
    std::uint64_t bytesEach = 0;
    std::uint64_t bytesTogether = 0;
};

/// Sends the files that a program left in the working directory to the engine, after every process
/// of the code is dead. Works in steps that never wait, so that the session goes on
/// listening. Folders are walked by descriptors and without following links; every way of
/// leaving something out is counted. The files of a folder come before its folders, so that
/// a deep tree can't keep out what lies on top.
class FileHarvest {
public:
    /// Starts at the working directory. `program` is the file that the code came in: it isn't told
    /// while it is as it was. `until`: when looking and sending ends, as nowMicros() counts.
    void begin(const FileLimits& limits, const struct stat& program, std::uint64_t until);

    /// Does a little. True when all that will be sent is in the queue.
    bool step(EngineQueue& queue, std::uint64_t now);

    /// Ends early: what is missing is told as not looked at.
    void stop() { m_until = 0; }

    /// When step() is worth calling again though the queue has not moved.
    [[nodiscard]] std::uint64_t nextStep(const EngineQueue& queue, std::uint64_t now) const;

    /// Everything in the workspace was looked at.
    [[nodiscard]] bool isWhole() const { return m_whole; }
    /// For a harvest that must not begin.
    void leaveOut() { m_whole = false; }

    /// Entries by FileFate.
    [[nodiscard]] const std::array<std::uint64_t, kFileFates>& counts() const { return m_counts; }

private:
    static constexpr std::size_t kMostDepth = 8;
    static constexpr std::size_t kMostPath = 512;
    static constexpr std::size_t kListBytes = std::size_t{4} * 1024;
    static constexpr std::size_t kPieceBytes = std::size_t{32} * 1024;

    struct Folder {
        int descriptor;
        bool foldersNow;      ///< its files are done
        std::size_t pathSize; ///< of m_path in front of its entries
        std::size_t size;
        std::size_t at;
        alignas(8) std::array<char, kListBytes> entries; ///< as getdents64 gives them
    };

    void enter(int descriptor);
    void leave();
    bool readEntries(Folder& folder);
    void lookAt(EngineQueue& queue, Folder& folder, const char* name, unsigned char type);
    void lookAtFolder(Folder& folder, const char* name);
    void lookAtFile(EngineQueue& queue, Folder& folder, const char* name);
    void skip(EngineQueue& queue, FileFate fate, std::uint64_t size);
    void announce(EngineQueue& queue, FileFate fate, std::uint64_t size);
    void sendPiece(EngineQueue& queue);
    bool setName(const Folder& folder, const char* name);
    void closeAll();

    FileLimits m_limits;
    struct stat m_program;
    dev_t m_device = 0;
    std::uint64_t m_until = 0;
    std::uint64_t m_looked = 0;
    std::uint64_t m_bytes = 0; ///< announced so far
    std::uint64_t m_namedSkips = 0;
    std::array<std::uint64_t, kFileFates> m_counts{};
    bool m_whole = true;

    std::array<char, kMostPath> m_path;
    std::size_t m_pathSize = 0;
    std::array<Folder, kMostDepth> m_folders;
    std::size_t m_depth = 0;
    int m_file = -1;
    std::uint64_t m_fileLeft = 0;
    std::array<char, kPieceBytes> m_piece;
};

} // namespace belljar::runner
