// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/analysis_on_call.h"

#include <exception>
#include <memory>
#include <utility>

namespace belljar::desktop {

AnalysisOnCall::AnalysisOnCall(std::filesystem::path program)
    : m_process(m_context.get_executor(), std::move(program))
{}

analysis::Report AnalysisOnCall::analyse(const std::string& language, const std::string& code)
{
    const std::lock_guard lock(m_mutex);
    analysis::Report report;
    asio::co_spawn(
        m_context,
        m_process.analyse(language, std::make_shared<const std::string>(code)),
        [&report](const std::exception_ptr& thrown, analysis::Report made) {
            report = std::move(made);
            report.complete = report.complete && !thrown;
        }
    );
    m_context.restart();
    m_context.run();
    return report;
}

} // namespace belljar::desktop
