// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/analyzer.h"
#include "engine/base/asio.h"
#include "engine/base/deadline.h"
#include "engine/base/file.h"

#include <boost/asio/local/stream_protocol.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include <sys/types.h>

namespace belljar::analysis {

/// Analysis in a process of its own.
///
/// The parsers are C code that reads hostile text, and they can be broken by it: Debian's
/// tree-sitter 0.20.7 frees what it doesn't own when a node has more than 65,535 children (a text
/// of 70,000 opening brackets). What breaks there must break neither the engine nor a decision: a
/// process that dies, hangs or answers nonsense is a report that isn't complete, so the decision is
/// ask at least, and the next program is looked at by a new one.
///
/// Lives on the engine thread; programs are looked at one after another.
class AnalysisProcess {
public:
    /// Runs `program analyse` (serveAnalysis()).
    AnalysisProcess(asio::any_io_executor executor, std::filesystem::path program);
    /// Ends it.
    ~AnalysisProcess();

    AnalysisProcess(const AnalysisProcess&) = delete;
    AnalysisProcess& operator=(const AnalysisProcess&) = delete;

    /// Starts it ahead of need; analyse() does so by itself.
    void start();

    /// Analyzer::analyse(). Never fails. Cancelling it ends the process, since it may be in the
    /// middle of something.
    asio::awaitable<Report> analyse(std::string language, std::shared_ptr<const std::string> code);

    /// 0 when none runs.
    [[nodiscard]] pid_t pid() const { return m_pid; }

private:
    asio::awaitable<Result<Report>>
    exchange(std::string language, std::shared_ptr<const std::string> code);
    Result<> spawn();
    void end();

    asio::any_io_executor m_executor;
    std::filesystem::path m_program;
    pid_t m_pid = 0;
    asio::local::stream_protocol::socket m_channel; ///< to its stdin and stdout
    bool m_busy = false;
    asio::steady_timer m_turn; ///< never expires; cancelled when one has been looked at
};

/// The process's own side: reads requests from descriptor 0 and writes reports to 1 until 0 ends.
/// The rules come from `queries`. Errors: what Analyzer::load() says.
Result<> serveAnalysis(const std::filesystem::path& queries);

} // namespace belljar::analysis
