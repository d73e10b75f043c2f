// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "engine/audit/log_reader.h"
#include "engine/base/text.h"

#include <array>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>

#include <unistd.h>

namespace belljar::cli {

namespace {

using audit::UnixMs;

constexpr UnixMs kSecond = 1000;
constexpr std::uint64_t kMostShownRows = 1'000'000;

int complain(const Error& error, int code)
{
    std::cerr << "belljar audit: " << escapeUnusual(error.message()) << '\n';
    return code;
}

/// A way to write a moment, and how long the moment is that it names.
struct TimeFormat {
    const char* format;
    int days;
    int seconds;
    bool utc;
};

constexpr std::array kTimeFormats{
    TimeFormat{"%Y-%m-%dT%H:%M:%SZ", 0, 1, true},
    TimeFormat{"%Y-%m-%dT%H:%M:%S", 0, 1, false},
    TimeFormat{"%Y-%m-%d %H:%M:%S", 0, 1, false},
    TimeFormat{"%Y-%m-%dT%H:%M", 0, 60, false},
    TimeFormat{"%Y-%m-%d %H:%M", 0, 60, false},
    TimeFormat{"%Y-%m-%d", 1, 0, false},
};

struct Span {
    UnixMs begin;
    UnixMs end;
};

UnixMs toUnixMs(std::tm time, bool utc)
{
    time.tm_isdst = -1;
    return UnixMs{utc ? ::timegm(&time) : ::mktime(&time)} * kSecond;
}

/// Local time, unless it ends with Z. Errors: InvalidArgument.
Result<Span> parseTime(const std::string& option, const std::string& text)
{
    for (const TimeFormat& known : kTimeFormats) {
        std::tm time{};
        // Not std::get_time: GCC 12's takes a text that ends too early for one that matches.
        const char* rest = ::strptime(text.c_str(), known.format, &time);
        if (!rest || *rest != '\0' || text.size() != std::string_view(text.c_str()).size())
            continue;
        std::tm end = time;
        end.tm_mday += known.days; // a day has 23 or 25 hours at times
        end.tm_sec += known.seconds;
        return Span{toUnixMs(time, known.utc), toUnixMs(end, known.utc)};
    }
    return fail(
        Errc::InvalidArgument,
        option + ": \"" + text +
            "\" is no time; write 2026-12-01, 2026-12-01 14:02 or 2026-12-01T14:02:03Z"
    );
}

/// Errors: InvalidArgument.
Result<audit::LogFilter> filterOf(const AuditExportOptions& options)
{
    audit::LogFilter filter;
    if (!options.since.empty()) {
        const auto since = parseTime("--since", options.since);
        if (!since)
            return fail(since.error());
        filter.since = since->begin;
    }
    if (!options.until.empty()) {
        const auto until = parseTime("--until", options.until);
        if (!until)
            return fail(until.error());
        filter.until = until->end;
    }
    for (const std::string& type : options.types) {
        if (!audit::typeFromName(type))
            return fail(
                Errc::InvalidArgument,
                "--type: there is no \"" + type + "\"; `belljar audit show` prints what there is"
            );
        filter.types.push_back(type);
    }
    return filter;
}

std::string localTime(UnixMs at)
{
    const std::time_t seconds = at / kSecond;
    std::tm time{};
    ::localtime_r(&seconds, &time);
    std::ostringstream text;
    text << std::put_time(&time, "%Y-%m-%d %H:%M:%S");
    return text.str();
}

/// Says how far it is, where somebody is looking.
audit::LogReader::Progress progressOnTerminal(const char* what)
{
    if (::isatty(STDERR_FILENO) == 0)
        return {};
    return [what](std::uint64_t done, std::uint64_t total) {
        std::cerr << '\r' << what << ' ' << groupedDigits(done) << " of " << groupedDigits(total)
                  << " rows" << (done == total ? "\n" : "") << std::flush;
    };
}

void print(const audit::Row& row)
{
    std::cout << row.sequence << "  " << localTime(row.at) << "  " << std::left << std::setw(19)
              << escapeForLine(row.type);
    for (const std::string* id : {&row.execution, &row.client}) {
        if (!id->empty())
            std::cout << ' ' << escapeForLine(*id);
    }
    std::cout << ' ' << escapeForLine(row.detail) << '\n';
}

Result<std::uint64_t> exportToStdout(audit::LogReader& reader, const audit::LogFilter& filter)
{
    const auto print = [](const std::string& line) -> Result<> {
        std::cout << line << '\n';
        if (!std::cout)
            return fail(Errc::IoFailed, "stdout can't be written");
        return {};
    };
    auto done = reader.exportLines(filter, print);
    std::cout.flush();
    if (done && !std::cout)
        return fail(Errc::IoFailed, "stdout can't be written");
    return done;
}

} // namespace

int verifyAudit(const EngineOptions& engine)
{
    const auto found = audit::verifyLog(engine.paths.historyFile(), progressOnTerminal("checked"));
    if (!found)
        return complain(found.error(), 2);
    if (found->intact) {
        std::cout << "intact: " << groupedDigits(found->rows)
                  << (found->rows == 1 ? " row" : " rows");
        if (found->rows > 0)
            std::cout << ", the last of " << localTime(found->lastAt) << " with hash "
                      << found->lastHash;
        std::cout << '\n';
        return 0;
    }
    std::cout << escapeForLine(found->summary()) << '\n';
    for (const audit::Break& line : found->breaks)
        std::cout << "  row " << line.sequence << "  " << audit::nameOf(line.kind) << "  "
                  << escapeForLine(line.meaning) << '\n';
    if (found->breakCount > found->breaks.size())
        std::cout << "  and " << groupedDigits(found->breakCount - found->breaks.size())
                  << " more\n";
    std::cout << "Keep the evidence before anything else: belljar audit export -o evidence.jsonl, "
                 "and copies of "
              << escapeForLine(engine.paths.historyFile().string()) << " and of audit.head\n";
    return 1;
}

int exportAudit(const EngineOptions& engine, const AuditExportOptions& options)
{
    const auto filter = filterOf(options);
    if (!filter)
        return complain(filter.error(), 1);
    auto reader = audit::LogReader::open(engine.paths.historyFile());
    if (!reader)
        return complain(reader.error(), 1);
    const bool toStdout = options.file.empty() || options.file == "-";
    const auto done = toStdout
                          ? exportToStdout(*reader, *filter)
                          : reader->exportTo(options.file, *filter, progressOnTerminal("exported"));
    if (!done)
        return complain(done.error(), 1);
    if (!toStdout)
        std::cout << groupedDigits(*done) << (*done == 1 ? " row" : " rows") << " written to "
                  << escapeForLine(options.file) << '\n';
    return 0;
}

int showAudit(const EngineOptions& engine, const AuditShowOptions& options)
{
    if (options.limit == 0 || options.limit > kMostShownRows)
        return complain(
            Error(
                Errc::InvalidArgument,
                "--limit: expected 1 to " + std::to_string(kMostShownRows) +
                    "; `belljar audit export` writes all"
            ),
            1
        );
    auto reader = audit::LogReader::open(engine.paths.historyFile());
    if (!reader)
        return complain(reader.error(), 1);
    audit::LogFilter filter;
    filter.execution = options.execution;
    const auto shown = reader->newest(filter, options.limit, [](const audit::Row& row) {
        print(row);
        return std::cout.good();
    });
    if (!shown)
        return complain(shown.error(), 1);
    return 0;
}

} // namespace belljar::cli
