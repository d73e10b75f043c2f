// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/analysis/process.h"

#include <filesystem>
#include <mutex>
#include <string>
#endif

namespace belljar::desktop {

/// The analysis process for the window's own questions (what a draft of a policy would do):
/// blocking, from any thread, one at a time.
class AnalysisOnCall {
public:
    explicit AnalysisOnCall(std::filesystem::path program);

    [[nodiscard]] analysis::Report analyse(const std::string& language, const std::string& code);

private:
    std::mutex m_mutex;
    asio::io_context m_context{1};
    analysis::AnalysisProcess m_process;
};

} // namespace belljar::desktop
