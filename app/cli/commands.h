// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.h"

#include <cstdint>
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

/// Prints what is wrong with a policy's file, as file:line:column. 0 when it can come into force.
int checkPolicy(const std::string& file);

/// Lists the policies in force and who gets them; with a name, prints that one's text.
int showPolicies(const EngineOptions& engine, const std::string& name);

struct PolicyExplainOptions {
    std::string file; ///< "-" reads the program from stdin
    std::string language;
    std::string policy; ///< empty: the one that `client` gets
    std::string client;
};

/// Prints what would be decided of a program, and why.
int explainPolicy(const EngineOptions& engine, const PolicyExplainOptions& options);

/// Lists the MCP clients that Belljar knows, and whether their configuration leads here; of
/// `project`'s folder where that isn't empty. 0, or 1 on failure.
int listClients(const EngineOptions& engine, const std::string& project);

/// Prints what is known of one. 1 also when its configuration can't be read.
int showClient(const EngineOptions& engine, const std::string& client, const std::string& project);

struct ClientsEdit {
    std::string client; ///< id
    std::string project;
    bool dryRun = false; ///< shows the change and leaves it at that
    bool force = false;  ///< also an entry that Belljar didn't write, or a client that isn't there
    bool http = false;
    std::string url = "http://127.0.0.1:7707/mcp";
    std::string tokenFile; ///< for `http`: not an argument, which every user of the machine sees;
                           ///< empty: Belljar's own
};

/// Each prints what changes in the client's configuration, and changes it. 0, or 1 on failure.
int connectClient(const EngineOptions& engine, const ClientsEdit& edit);
int disconnectClient(const EngineOptions& engine, const ClientsEdit& edit);
int undoClient(const EngineOptions& engine, const ClientsEdit& edit);

/// Looks at programs for the engine that started it; nothing for people to call.
int serveAnalysis();

/// Prints the token of the HTTP endpoint, made where there is none. 0, or 1 on failure.
int showToken(const EngineOptions& engine);
/// Makes a new one and prints it; the old one ends at once, with what was connected by it.
int rotateToken(const EngineOptions& engine);

/// Hosts the engine until SIGTERM or SIGINT.
int serve(const EngineOptions& engine);

/// Shows what works, what doesn't, and how to mend each. 0 when everything that is needed works.
int doctor(const EngineOptions& engine, bool pathsOnly);

/// Lists the images of all languages.
int listImages(const EngineOptions& engine, bool json);

/// Builds the images of `languages` (all when empty), skipping those that are up to date unless
/// `force`.
int buildImages(const EngineOptions& engine, const std::vector<std::string>& languages, bool force);

struct AuditExportOptions {
    std::string
        since; ///< "2026-12-01", "2026-12-01 14:02", "2026-12-01T14:02:03Z"; empty: no bound
    std::string until; ///< likewise, up to and including the day, minute or second that it names
    std::vector<std::string> types;
    std::string file; ///< empty or "-": stdout
};

struct AuditShowOptions {
    std::uint64_t limit = 50; ///< 1 to 1,000,000
    std::string execution;
};

/// Checks the whole audit log and says what is wrong with it. 0 intact, 1 damaged, 2 it can't be
/// read.
int verifyAudit(const EngineOptions& engine);

/// Writes the audit log as lines of JSON with their hashes (audit/chain.h). 0, or 1 on failure.
int exportAudit(const EngineOptions& engine, const AuditExportOptions& options);

/// Prints the newest rows, oldest first. 0, or 1 on failure.
int showAudit(const EngineOptions& engine, const AuditShowOptions& options);

} // namespace belljar::cli
