// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/execution/execution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Which executions are wanted. Values only.
namespace belljar::store {

/// Every condition holds; of the alternatives in one list any. An empty list or text, or no value,
/// is no condition. Texts may be foreign: they are bound, never made into SQL.
struct RunFilter {
    std::vector<execution::Status> statuses;
    std::vector<std::string> clients; ///< a part of the name or title, ASCII letters of either case
    std::vector<std::string> languages; ///< ids
    std::vector<std::string> policies;  ///< names
    std::vector<std::string> tags;
    std::optional<execution::UnixMs> since;            ///< received then or later
    std::optional<execution::UnixMs> before;           ///< received earlier
    std::optional<execution::milliseconds> longerThan; ///< of those that have started
    std::optional<execution::milliseconds> shorterThan;
    std::optional<std::uint64_t> moreMemoryThan; ///< bytes at the peak; of those measured
    std::optional<std::uint64_t> lessMemoryThan;
    bool hasFinding = false;
    std::optional<analysis::Severity> findingAtLeast;
    std::string findingRule; ///< "python.process"
    bool asked = false;      ///< left to a person by the policy
    bool pinned = false;
    bool noted = false;               ///< has a note
    std::string session;              ///< client id: one connection
    std::string codeSha256;           ///< of the code as it was received
    std::vector<std::string> phrases; ///< each occurs in the code or in the output

    friend bool operator==(const RunFilter&, const RunFilter&) = default;
};

/// Is there a letter or a digit in `phrase`? What has none can't be searched for.
[[nodiscard]] bool isSearchable(std::string_view phrase);

/// Can matches() tell, or only the database?
[[nodiscard]] bool needsDatabase(const RunFilter& filter);

/// Does `record` meet what of `filter` doesn't need the database?
[[nodiscard]] bool matches(const RunFilter& filter, const execution::Record& record);

} // namespace belljar::store
