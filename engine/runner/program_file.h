// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/runner/sha256.h"

#include <cstdint>
#include <span>
#include <string_view>

#include <sys/stat.h>

namespace belljar::runner {

/// The file in the working directory that the interpreter loads, written byte for byte as the
/// engine sent it, with its digest taken on the way.
class ProgramFile {
public:
    /// Makes the file. False with errno set when it can't: it must not exist yet, not even as a
    /// link. `name` is a plain file name.
    bool create(std::string_view name, std::uint64_t bytes);

    /// False with errno set when the bytes can't be written, or are more than announced.
    bool add(std::span<const char> bytes);

    /// Closes the file. False when bytes are missing.
    bool finish();

    /// As it was when it was complete.
    [[nodiscard]] const struct stat& facts() const { return m_facts; }

    [[nodiscard]] std::string_view digest() const { return {m_digest.data(), m_digest.size()}; }

private:
    int m_file = -1;
    std::uint64_t m_missing = 0;
    Sha256 m_sha256;
    std::array<char, 64> m_digest{};
    struct stat m_facts {};
};

/// True for a name that stays in the working directory.
bool isPlainFileName(std::string_view name);

} // namespace belljar::runner
