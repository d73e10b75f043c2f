// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::clients {

/// A client that the person has blocked: by the name that it gives itself and the program that its
/// bridge tells. Both are labels: this keeps a client out that behaves, it holds no attacker up.
struct Blocked {
    std::string name;
    std::string executable; ///< empty: unknown, and then it is the name's alone
    std::int64_t at = 0;    ///< Unix time in milliseconds
    friend bool operator==(const Blocked&, const Blocked&) = default;
};

/// Who is blocked, kept in a file of its own that is private to the user.
class BlockList {
public:
    /// Errors: InvalidArgument (with file and member) when it can't be read: nobody is let in
    /// because of a damaged file.
    static Result<BlockList> load(const std::filesystem::path& file);

    [[nodiscard]] const std::vector<Blocked>& all() const { return m_all; }
    [[nodiscard]] bool has(std::string_view name, std::string_view executable) const;

    /// It holds from now on, and is on disk when this returns. Errors: IoFailed; then it holds for
    /// as long as this object lives.
    Result<> add(Blocked blocked);
    /// Errors: IoFailed; then it will be there again at the next start.
    Result<> remove(std::string_view name, std::string_view executable);

private:
    Result<> save() const;

    std::filesystem::path m_file;
    std::vector<Blocked> m_all; ///< oldest first
};

} // namespace belljar::clients
