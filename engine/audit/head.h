// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// The end of the chain, written outside of the database: without it a log that was cut short would
/// look whole.
namespace belljar::audit {

/// What the head file holds, as one line of JSON:
/// {"first":"<hash>","hash":"<hash>","segment":n,"sequence":n}.
struct Head {
    std::string first; ///< hash of the first row, or nothing while there is none
    std::int64_t sequence = 0;
    std::string hash; ///< of the row with that sequence; while there is none, 64 zeros
    /// The sequence of the newest ChainBroken row; 0 as long as nothing was ever damaged.
    std::int64_t segment = 0;

    friend bool operator==(const Head&, const Head&) = default;
};

/// The head file that belongs to the database at `historyFile`: "audit.head" beside it.
[[nodiscard]] std::filesystem::path headFileOf(const std::filesystem::path& historyFile);

/// Reads what the head file holds. Errors: InvalidArgument.
Result<Head> parseHead(std::string_view content);

/// Errors: NotFound; InvalidArgument when it holds something else than a head; IoFailed.
Result<Head> readHead(const std::filesystem::path& file);

/// Replaces the file in one step, with mode 0600, and on the disk when it returns.
/// Errors: IoFailed.
Result<> writeHead(const std::filesystem::path& file, const Head& head);

} // namespace belljar::audit
