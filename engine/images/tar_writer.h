// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace belljar::images {

/// Makes a tar archive of a few small files in memory (POSIX.1-1988 ustar): the context of a
/// `docker build`.
class TarWriter {
public:
    /// Adds a regular file owned by root, mode 0644, time 0. `name` has at most 100 bytes.
    void add(std::string_view name, std::string_view content);
    /// The archive with its end mark. The writer is empty afterwards.
    [[nodiscard]] std::string finish();

private:
    std::string m_bytes;
};

} // namespace belljar::images
