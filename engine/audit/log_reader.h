// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/audit/entry.h"
#include "engine/audit/verifier.h"
#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace belljar::audit {

/// Which rows are wanted: those that match all that is said here.
struct LogFilter {
    std::string text;               ///< in type, ids or detail; ASCII letters of either case match
    std::vector<std::string> types; ///< one of them; none: any
    std::string execution;
    std::string client;
    std::optional<UnixMs> since; ///< from this moment on
    std::optional<UnixMs> until; ///< before this moment

    friend bool operator==(const LogFilter&, const LogFilter&) = default;
};

/// A page: the `limit` newest rows of those that match.
struct LogQuery {
    LogFilter filter;
    std::optional<std::int64_t> before; ///< only rows with a smaller sequence
    std::optional<std::int64_t> after;  ///< only rows with a greater sequence
    std::uint32_t limit = 200;
};

/// The audit log, read only, over a connection of its own. One object per thread; every call
/// blocks, so neither the engine thread nor the UI thread makes any.
class LogReader {
public:
    /// `historyFile` is the database. Errors: NotFound before the engine has ever run, StoreFailed.
    static Result<LogReader> open(const std::filesystem::path& historyFile);

    LogReader(LogReader&&) noexcept;
    LogReader& operator=(LogReader&&) noexcept;
    ~LogReader();

    /// Newest first. Nothing of the filter can be read as SQL. Errors: StoreFailed.
    Result<std::vector<Row>> page(const LogQuery& query);
    /// The `limit` newest rows of those that match, oldest first, one by one to `take` until it
    /// says false, in bounded memory. Returns how many. Errors: StoreFailed.
    Result<std::uint64_t> newest(
        const LogFilter& filter,
        std::uint64_t limit,
        const std::function<bool(const Row& row)>& take
    );
    /// Errors: NotFound, StoreFailed.
    Result<Row> row(std::int64_t sequence);
    Result<std::uint64_t> count();

    /// Called while rows are read: how many were, of how many.
    using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;
    /// Asked while rows are read; true ends it.
    using Stop = std::function<bool()>;

    /// Checks every row and the head file; about 150,000 rows a second. Errors: StoreFailed when
    /// the rows can't be read at all.
    Result<Verification> verify(const Progress& progress = {}, const Stop& stop = {});
    /// Checks the last 100 rows, the first and the head, and whether damage was recorded earlier: a
    /// few milliseconds.
    Result<Verification> verifyEnd();

    /// Writes the rows that match to `file` (0600, replaced in one step),
    /// one exportLine() each, oldest first. Returns how many. Errors: StoreFailed, IoFailed,
    /// Closed when it was stopped; then `file` is as it was.
    Result<std::uint64_t> exportTo(
        const std::filesystem::path& file,
        const LogFilter& filter,
        const Progress& progress = {},
        const Stop& stop = {}
    );
    /// The same, line by line (without newlines) to `take`, which may fail.
    Result<std::uint64_t> exportLines(
        const LogFilter& filter,
        const std::function<Result<>(const std::string& line)>& take,
        const Progress& progress = {},
        const Stop& stop = {}
    );

private:
    class Impl;
    explicit LogReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// LogReader::verify() for the database at `historyFile`. Where there is none, that is damage if
/// the head file says that there were rows, and else an empty log.
Result<Verification> verifyLog(
    const std::filesystem::path& historyFile,
    const LogReader::Progress& progress = {},
    const LogReader::Stop& stop = {}
);

} // namespace belljar::audit
