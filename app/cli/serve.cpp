// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/termination.h"
#include "engine/base/text.h"

#include <iostream>

namespace belljar::cli {

int serve(const EngineOptions& options)
{
    Engine engine(options, [](Event) {});
    const Termination termination([&engine] { engine.stop(); });
    const auto ended = engine.run([&options] {
        std::cerr << "belljar: serving MCP at " << options.paths.socketFile().string() << '\n';
    });
    if (ended)
        return 0;
    std::cerr << "belljar serve: " << escapeUnusual(ended.error().message()) << '\n';
    return 1;
}

} // namespace belljar::cli
