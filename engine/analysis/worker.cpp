// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/worker.h"

#include <utility>

namespace belljar::analysis {

namespace {

asio::awaitable<Report> analyseHere(
    std::shared_ptr<const Analyzer> analyzer,
    std::string language,
    std::shared_ptr<const std::string> code
)
{
    co_return analyzer->analyse(language, *code);
}

} // namespace

AnalysisThread::AnalysisThread(Analyzer analyzer)
    : m_analyzer(std::make_shared<const Analyzer>(std::move(analyzer)))
{}

AnalysisThread::~AnalysisThread()
{
    m_thread.join();
}

asio::awaitable<Report>
AnalysisThread::analyse(std::string language, std::shared_ptr<const std::string> code)
{
    auto work = analyseHere(m_analyzer, std::move(language), std::move(code));
    co_return co_await asio::co_spawn(m_thread, std::move(work), asio::use_awaitable);
}

} // namespace belljar::analysis
