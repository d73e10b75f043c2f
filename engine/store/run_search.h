// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/execution/execution.h"
#include "engine/store/run_filter.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace belljar::store {

/// What makes executions one row of a list.
enum class Grouping : std::uint8_t { None, Session, Code };

/// The `limit` newest rows with a sequence below `before`.
struct RunQuery {
    RunFilter filter;
    Grouping grouping = Grouping::None;
    std::optional<std::int64_t> before; ///< nothing: from the newest
    std::uint32_t limit = 100;
};

/// A row of a list.
struct RunRow {
    execution::Record record; ///< of a group the newest one
    execution::Marks marks;
    std::uint64_t count = 1; ///< executions in the group

    friend bool operator==(const RunRow&, const RunRow&) = default;
};

/// Numbers about the executions of some time.
struct RunStatistics {
    std::uint64_t waiting = 0; ///< now: for a person, analysis or a sandbox
    std::uint64_t asked = 0;   ///< of them for a person
    std::uint64_t running = 0; ///< now
    std::uint64_t received = 0;
    std::uint64_t succeeded = 0;
    std::uint64_t unsuccessful = 0;    ///< ended otherwise after they had started
    execution::milliseconds median{0}; ///< execution time of those that have ended
    execution::milliseconds percentile95{0};
    std::uint64_t measured = 0;                                 ///< how many those two are of
    std::vector<std::pair<std::string, std::uint64_t>> clients; ///< by name, most first
    std::vector<std::pair<std::string, std::uint64_t>> languages;
};

/// Finds executions, read only, over a connection of its own. One object per thread; blocking calls
/// (some ten milliseconds for what looks at each of 100,000 executions).
class RunSearch {
public:
    /// Errors as HistoryReader::open().
    static Result<RunSearch> open(const std::filesystem::path& file);

    RunSearch(RunSearch&&) noexcept;
    RunSearch& operator=(RunSearch&&) noexcept;
    ~RunSearch();

    /// Newest first.
    Result<std::vector<RunRow>> rows(const RunQuery& query);
    /// How many executions meet `filter`.
    Result<std::uint64_t> count(const RunFilter& filter);
    /// Of those received since then, and what is in flight now.
    Result<RunStatistics> statistics(execution::UnixMs since);
    /// How many ended executions can't be found by text yet.
    Result<std::uint64_t> countOfUnindexed();
    /// Every tag in use, most used first.
    Result<std::vector<std::string>> tags();

private:
    class Impl;
    explicit RunSearch(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::store
