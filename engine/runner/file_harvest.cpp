// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/file_harvest.h"

#include "engine/runner/system.h"
#include "engine/runner/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace belljar::runner {

namespace {

/// Looked at in one step, so that the engine is heard in between.
constexpr int kEntriesPerStep = 256;
/// Looked at altogether; a workspace has 16,384 inodes, each seen twice.
constexpr std::uint64_t kMostEntries = 40'000;
/// Of what is left out, this many are told by name.
constexpr std::uint64_t kMostNamedSkips = 64;
constexpr std::size_t kMessageBytes = 2048;

bool isSame(const struct stat& left, const struct stat& right)
{
    // The change time can't be set by the code.
    return left.st_dev == right.st_dev && left.st_ino == right.st_ino &&
           left.st_size == right.st_size && left.st_ctim.tv_sec == right.st_ctim.tv_sec &&
           left.st_ctim.tv_nsec == right.st_ctim.tv_nsec;
}

} // namespace

void FileHarvest::begin(const FileLimits& limits, const struct stat& program, std::uint64_t until)
{
    m_limits = limits;
    m_program = program;
    m_until = until;
    if (limits.files == 0)
        return;
    const int root = ::open(".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat facts {};
    if (root < 0 || ::fstat(root, &facts) != 0) {
        m_whole = false;
        return;
    }
    m_device = facts.st_dev;
    enter(root);
}

std::uint64_t FileHarvest::nextStep(const EngineQueue& queue, std::uint64_t now) const
{
    if (queue.hasRoomFor(kPieceBytes))
        return now;
    // After that, room in the queue is all that it waits for.
    return m_until > now ? m_until : ~std::uint64_t{0};
}

bool FileHarvest::step(EngineQueue& queue, std::uint64_t now)
{
    if (now >= m_until && m_depth > 0) {
        m_whole = false;
        closeAll();
    }
    // A file that was begun is ended, with what there is of it.
    if (now >= m_until && m_file >= 0)
        m_fileLeft = 0;
    for (int entries = 0; entries < kEntriesPerStep;) {
        if (m_file < 0 && m_depth == 0)
            return true;
        if (!queue.hasRoomFor(kPieceBytes))
            return false;
        if (m_file >= 0) {
            sendPiece(queue);
            continue;
        }
        Folder& folder = m_folders[m_depth - 1];
        if (folder.at >= folder.size && !readEntries(folder)) {
            if (folder.foldersNow) {
                leave();
                continue;
            }
            folder.foldersNow = true;
            if (::lseek(folder.descriptor, 0, SEEK_SET) != 0)
                m_whole = false;
            continue;
        }
        const auto* entry = reinterpret_cast<const dirent64*>(folder.entries.data() + folder.at);
        folder.at += entry->d_reclen;
        ++entries;
        if (++m_looked > kMostEntries) {
            m_whole = false;
            closeAll();
            continue;
        }
        lookAt(queue, folder, entry->d_name, entry->d_type);
    }
    return false;
}

void FileHarvest::enter(int descriptor)
{
    Folder& folder = m_folders[m_depth++];
    folder.descriptor = descriptor;
    folder.foldersNow = false;
    folder.pathSize = m_pathSize;
    folder.size = 0;
    folder.at = 0;
}

void FileHarvest::leave()
{
    closeDescriptor(m_folders[--m_depth].descriptor);
}

void FileHarvest::closeAll()
{
    while (m_depth > 0)
        leave();
}

bool FileHarvest::readEntries(Folder& folder)
{
    const ssize_t count =
        ::getdents64(folder.descriptor, folder.entries.data(), folder.entries.size());
    if (count < 0)
        m_whole = false;
    folder.at = 0;
    folder.size = count > 0 ? static_cast<std::size_t>(count) : 0;
    return count > 0;
}

/// False when the path is longer than is told of any; then m_path has its beginning.
bool FileHarvest::setName(const Folder& folder, const char* name)
{
    const std::size_t size = std::strlen(name);
    const std::size_t room = m_path.size() - folder.pathSize;
    const std::size_t taken = std::min(size, room);
    std::memcpy(m_path.data() + folder.pathSize, name, taken);
    m_pathSize = folder.pathSize + taken;
    return taken == size;
}

void FileHarvest::lookAt(EngineQueue& queue, Folder& folder, const char* name, unsigned char type)
{
    if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0)
        return;
    struct stat facts {};
    if (type == DT_UNKNOWN) {
        if (::fstatat(folder.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            facts.st_mode = 0;
        type = static_cast<unsigned char>(IFTODT(facts.st_mode));
    }
    if (folder.foldersNow != (type == DT_DIR))
        return;
    const bool fits = setName(folder, name);
    if (type == DT_DIR && fits)
        lookAtFolder(folder, name);
    else if (type == DT_DIR)
        m_whole = false;
    else if (!fits)
        skip(queue, FileFate::LongName, 0);
    else if (type == DT_LNK)
        skip(queue, FileFate::Link, 0);
    else if (type == DT_REG)
        lookAtFile(queue, folder, name);
    else
        skip(queue, FileFate::Special, 0);
}

void FileHarvest::lookAtFolder(Folder& folder, const char* name)
{
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct stat facts {};
    int inner = -1;
    if (m_depth < m_folders.size() && m_pathSize < m_path.size())
        inner = ::openat(folder.descriptor, name, kFlags);
    if (inner < 0 || ::fstat(inner, &facts) != 0 || facts.st_dev != m_device) {
        m_whole = false;
        closeDescriptor(inner);
        return;
    }
    m_path[m_pathSize++] = '/';
    enter(inner);
}

void FileHarvest::lookAtFile(EngineQueue& queue, Folder& folder, const char* name)
{
    constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    struct stat facts {};
    int file = ::openat(folder.descriptor, name, kFlags);
    FileFate fate = FileFate::Kept;
    if (file < 0 || ::fstat(file, &facts) != 0)
        fate = FileFate::Unreadable;
    else if (!S_ISREG(facts.st_mode) || facts.st_dev != m_device)
        fate = FileFate::Special;
    else if (isSame(facts, m_program)) {
        closeDescriptor(file);
        return;
    } else if (facts.st_nlink != 1)
        fate = FileFate::HardLink;
    else if (static_cast<std::uint64_t>(facts.st_size) > m_limits.bytesEach)
        fate = FileFate::TooLarge;
    else if (m_counts[static_cast<std::size_t>(FileFate::Kept)] >= m_limits.files)
        fate = FileFate::TooMany;
    else if (static_cast<std::uint64_t>(facts.st_size) > m_limits.bytesTogether - m_bytes)
        fate = FileFate::NoRoom;
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    if (fate != FileFate::Kept) {
        closeDescriptor(file);
        skip(queue, fate, size);
        return;
    }
    ++m_counts[static_cast<std::size_t>(fate)];
    announce(queue, fate, size);
    m_bytes += size;
    m_file = file;
    m_fileLeft = size;
}

void FileHarvest::skip(EngineQueue& queue, FileFate fate, std::uint64_t size)
{
    ++m_counts[static_cast<std::size_t>(fate)];
    if (m_namedSkips >= kMostNamedSkips)
        return;
    ++m_namedSkips;
    announce(queue, fate, size);
}

void FileHarvest::announce(EngineQueue& queue, FileFate fate, std::uint64_t size)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    Text<kMessageBytes> message;
    // The name is any bytes: JSON has only text.
    message.add(R"({"name":")");
    for (const char c : std::string_view(m_path.data(), m_pathSize)) {
        const auto byte = static_cast<unsigned char>(c);
        message.add(kHex.substr(byte >> 4U, 1)).add(kHex.substr(byte & 0xFU, 1));
    }
    message.add(R"(","fate":)").add(static_cast<std::uint64_t>(fate));
    message.add(R"(,"size":)").add(size).add("}");
    queue.put(FrameType::Control, Channel::Files, message.view());
}

void FileHarvest::sendPiece(EngineQueue& queue)
{
    const std::size_t wanted = std::min<std::uint64_t>(m_piece.size(), m_fileLeft);
    ssize_t count = 0;
    if (wanted > 0) {
        do {
            count = ::read(m_file, m_piece.data(), wanted);
        } while (count < 0 && errno == EINTR);
    }
    // Less than was announced: the engine sees that it ended early.
    const std::size_t size = count > 0 ? static_cast<std::size_t>(count) : 0;
    m_fileLeft = size > 0 ? m_fileLeft - size : 0;
    queue.put(
        FrameType::Data,
        Channel::Files,
        {m_piece.data(), size},
        m_fileLeft == 0 ? static_cast<std::uint8_t>(FrameFlag::End) : std::uint8_t{0}
    );
    if (m_fileLeft == 0)
        closeDescriptor(m_file);
}

} // namespace belljar::runner
