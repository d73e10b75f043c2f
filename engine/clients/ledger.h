// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <map>
#include <string>

namespace belljar::clients {

/// What Belljar last wrote to a client's configuration.
struct Written {
    std::string client; ///< id of the client
    std::string file;   ///< SHA-256 of the whole file as it was left; empty: it was removed
    std::string backup; ///< SHA-256 of the backup; empty: there was no file before
    std::string entry;  ///< SHA-256 of the entry as JSON; empty: it was taken out
    friend bool operator==(const Written&, const Written&) = default;
};

/// By the path of the configuration, links followed. A file of its own, private to the user.
class Ledger {
public:
    /// Errors: InvalidArgument (with file and member) when it can't be read, IoFailed.
    static Result<Ledger> load(const std::filesystem::path& file);

    [[nodiscard]] const Written* find(const std::filesystem::path& config) const;
    /// On disk when it returns. Errors: IoFailed.
    Result<> put(const std::filesystem::path& config, Written written);
    Result<> forget(const std::filesystem::path& config);

private:
    Result<> save() const;

    std::filesystem::path m_file;
    std::map<std::string, Written> m_written;
};

} // namespace belljar::clients
