// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/program_file.h"

#include "engine/runner/system.h"
#include "engine/runner/text.h"

#include <cerrno>
#include <climits>

#include <fcntl.h>
#include <unistd.h>

namespace belljar::runner {

bool isPlainFileName(std::string_view name)
{
    return !name.empty() && name.size() <= NAME_MAX && name != "." && name != ".." &&
           name.find('/') == std::string_view::npos && name.find('\0') == std::string_view::npos;
}

bool ProgramFile::create(std::string_view name, std::uint64_t bytes)
{
    Text<NAME_MAX + 1> path;
    path.add(name).add(std::string_view("\0", 1));
    m_missing = bytes;
    m_file = ::open(path.view().data(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    return m_file >= 0;
}

bool ProgramFile::add(std::span<const char> bytes)
{
    if (bytes.size() > m_missing) {
        errno = EFBIG;
        return false;
    }
    m_missing -= bytes.size();
    m_sha256.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    while (!bytes.empty()) {
        const ssize_t count = ::write(m_file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

bool ProgramFile::finish()
{
    if (::fstat(m_file, &m_facts) != 0)
        m_facts = {};
    closeDescriptor(m_file);
    m_digest = m_sha256.finish();
    return m_missing == 0;
}

} // namespace belljar::runner
