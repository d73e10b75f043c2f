// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_host.h"

#include <future>
#include <utility>

namespace belljar::cli {

Result<std::unique_ptr<EngineHost>> EngineHost::start(EngineOptions options)
{
    std::unique_ptr<EngineHost> host(new EngineHost);
    host->m_engine = std::make_unique<Engine>(std::move(options), [](Event) {});
    // The first of: ready (no error), or the end of run() (its error).
    auto settled = std::make_shared<std::promise<Result<>>>();
    auto outcome = settled->get_future();
    host->m_thread = std::thread([engine = host->m_engine.get(), settled] {
        bool ready = false;
        const auto ended = engine->run([&] {
            ready = true;
            settled->set_value({});
        });
        if (!ready)
            settled->set_value(
                ended ? Result<>(fail(Errc::Closed, "the engine ended before it was ready")) : ended
            );
    });
    if (auto result = outcome.get(); !result)
        return fail(result.error());
    return host;
}

EngineHost::~EngineHost()
{
    m_engine->stop();
    if (m_thread.joinable())
        m_thread.join();
}

} // namespace belljar::cli
