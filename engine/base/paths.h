// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace belljar {

/// Every folder and file that Belljar uses at run time (XDG base directory specification 0.8;
/// relative values of the variables are ignored, as it asks).
struct Paths {
    std::filesystem::path config;  ///< $XDG_CONFIG_HOME/belljar
    std::filesystem::path data;    ///< $XDG_DATA_HOME/belljar: history.db, the staged runner
    std::filesystem::path state;   ///< $XDG_STATE_HOME/belljar: logs
    std::filesystem::path runtime; ///< $XDG_RUNTIME_DIR/belljar, /run/user/<uid>/belljar, or
                                   ///< /tmp/belljar-<uid>: not TMPDIR, in which client and engine
                                   ///< may differ
    std::filesystem::path home;    ///< of the user: where other programs keep their files

    [[nodiscard]] std::filesystem::path historyFile() const { return data / "history.db"; }
    /// What was chosen about the sandboxes; written by Belljar, not by people.
    [[nodiscard]] std::filesystem::path sandboxesFile() const { return data / "sandboxes.json"; }
    /// What was set about the engine (engine/settings/engine_settings.h).
    [[nodiscard]] std::filesystem::path settingsFile() const { return config / "settings.json"; }
    [[nodiscard]] std::filesystem::path policiesFolder() const { return config / "policies"; }
    [[nodiscard]] std::filesystem::path assignmentsFile() const
    {
        return config / "assignments.json";
    }
    /// What Belljar has written to the configurations of MCP clients.
    [[nodiscard]] std::filesystem::path clientEditsFile() const
    {
        return data / "client-edits.json";
    }
    /// Clients that the person has blocked.
    [[nodiscard]] std::filesystem::path blockedClientsFile() const
    {
        return data / "blocked-clients.json";
    }
    /// What HTTP clients show (engine/http/token.h).
    [[nodiscard]] std::filesystem::path tokenFile() const { return data / "token"; }
    [[nodiscard]] std::filesystem::path logFile() const { return state / "belljar.log"; }
    [[nodiscard]] std::filesystem::path socketFile() const { return runtime / "mcp.sock"; }
    [[nodiscard]] std::filesystem::path lockFile() const { return runtime / "engine.lock"; }
};

/// The paths for this user and environment. Nothing is made.
[[nodiscard]] Paths findPaths();

/// Makes the folders of `paths`, private to the user. Errors: Unsafe, IoFailed.
Result<> makeFolders(const Paths& paths);

/// Where a read-only file of the installation is: first of $BELLJAR_DATA_DIR,
/// $XDG_DATA_HOME/belljar,
/// ../share/belljar beside the executable, $XDG_DATA_DIRS/belljar.
/// `relative` is e.g. "languages". Errors: NotFound, with the places that were tried.
Result<std::filesystem::path> findResource(const std::filesystem::path& relative);

/// The static runner that is PID 1 in every sandbox: $BELLJAR_RUNNER, or ../libexec/belljar or .
/// beside the executable. Errors: NotFound.
Result<std::filesystem::path> findRunner();

/// The user's name in the user database, or their number.
[[nodiscard]] std::string userName();

/// The folder of the running executable.
[[nodiscard]] std::filesystem::path executableFolder();

/// The `belljar` program that an engine starts as its heir and for analysis: beside the running
/// executable, else in ../bin.
[[nodiscard]] std::filesystem::path commandProgram();

} // namespace belljar
