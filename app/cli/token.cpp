// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/http/token.h"

#include "app/cli/commands.h"
#include "engine/base/text.h"

#include <iostream>

namespace belljar::cli {

namespace {

int print(const Result<std::string>& token)
{
    if (!token) {
        std::cerr << "belljar token: " << escapeUnusual(token.error().message()) << '\n';
        return 1;
    }
    std::cout << *token << '\n';
    return 0;
}

} // namespace

int showToken(const EngineOptions& engine)
{
    return print(http::readOrMakeToken(engine.paths.tokenFile()));
}

int rotateToken(const EngineOptions& engine)
{
    return print(http::rotateToken(engine.paths.tokenFile()));
}

} // namespace belljar::cli
