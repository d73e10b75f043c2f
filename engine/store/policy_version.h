// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"

#include <cstdint>
#include <optional>
#include <string>

namespace belljar::store {

/// One text of a policy that was in force.
struct PolicyVersion {
    std::string name;
    std::int64_t version = 0; ///< from 1, for each name
    std::string sha256;
    std::string text;
    std::string author;
    std::string note;
    std::string source; ///< "shipped", "window", "disk", "restored"
    execution::UnixMs savedAt = 0;

    friend bool operator==(const PolicyVersion&, const PolicyVersion&) = default;
};

/// A remembered decision as it is kept: the decision itself as JSON, and how it was used since.
struct RememberedRow {
    std::string id;
    std::string decision;
    std::uint64_t hits = 0;
    std::optional<execution::UnixMs> lastUsedAt;
};

} // namespace belljar::store
