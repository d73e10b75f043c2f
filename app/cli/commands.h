// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <optional>
#include <string>
#include <vector>

/// The subcommands of `belljar`. Each returns the exit code of the process and reports its own
/// errors on stderr.
namespace belljar::cli {

struct RunOptions {
    std::string file; ///< "-" reads the program from stdin
    std::string language;
    std::optional<double> timeoutSeconds;
    std::string standardInputFile; ///< what the program reads; empty: nothing
    std::vector<std::string> args;
    bool json = false;
};

/// Runs one program and ends with its exit code; 124 timed out, 125 Belljar could not run it, 130
/// cancelled.
int runProgram(const EngineOptions& engine, const RunOptions& options);

/// Waits for the end of the engine that started it and removes the containers that it left; nothing
/// for people to call.
int inherit(const std::string& owner, const std::string& dockerSocket);

/// Hosts the engine until SIGTERM or SIGINT.
int serve(const EngineOptions& engine);

/// Shows what works, what doesn't, and how to mend each. 0 when everything that is needed works.
int doctor(const EngineOptions& engine, bool pathsOnly);

/// Lists the images of all languages.
int listImages(const EngineOptions& engine, bool json);

/// Builds the images of `languages` (all when empty), skipping those that are up to date unless
/// `force`.
int buildImages(const EngineOptions& engine, const std::vector<std::string>& languages, bool force);

} // namespace belljar::cli
