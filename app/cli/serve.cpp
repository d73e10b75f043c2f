// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/termination.h"
#include "engine/analysis/process.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/sandbox/heir.h"

#include <iostream>

namespace belljar::cli {

int serve(const EngineOptions& options)
{
    EngineOptions telling = options;
    telling.http.told = [](const Result<std::string>& url) {
        if (url)
            std::cerr << "belljar: serving MCP at " << *url << '\n';
        else
            std::cerr << "belljar serve: HTTP is off: " << escapeUnusual(url.error().message())
                      << '\n';
    };
    Engine engine(telling, [](Event) {});
    const Termination termination([&engine] { engine.stop(); });
    const auto ended = engine.run([&options] {
        std::cerr << "belljar: serving MCP at " << options.paths.socketFile().string() << '\n';
    });
    if (ended)
        return 0;
    std::cerr << "belljar serve: " << escapeUnusual(ended.error().message()) << '\n';
    return 1;
}

int inherit(const std::string& owner, const std::string& dockerSocket)
{
    auto inherited = sandbox::inherit(owner, dockerSocket);
    if (inherited)
        return 0;
    log::sandbox().warn("heir=\"{}\"", log::safe(inherited.error().message()));
    return 1;
}

int serveAnalysis()
{
    const auto queries = findResource("queries");
    const auto served =
        queries ? analysis::serveAnalysis(*queries) : Result<>(fail(queries.error()));
    if (served)
        return 0;
    log::engine().error("analysis=\"{}\"", log::safe(served.error().message()));
    return 1;
}

} // namespace belljar::cli
