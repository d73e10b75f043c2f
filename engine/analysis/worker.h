// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/analyzer.h"
#include "engine/base/asio.h"

#include <boost/asio/thread_pool.hpp>

#include <memory>
#include <string>

namespace belljar::analysis {

/// Analysis on a thread of its own, awaited from the engine's.
class AnalysisThread {
public:
    explicit AnalysisThread(Analyzer analyzer);
    /// Waits for what is being looked at.
    ~AnalysisThread();

    /// Analyzer::analyse(). Cancelling ends the wait, not the work.
    asio::awaitable<Report> analyse(std::string language, std::shared_ptr<const std::string> code);

private:
    std::shared_ptr<const Analyzer> m_analyzer;
    asio::thread_pool m_thread{1};
};

} // namespace belljar::analysis
