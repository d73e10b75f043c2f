// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/engine_host.h"
#include "app/cli/stdio.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/http/endpoint.h"

#include <CLI/CLI.hpp>

#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "belljar_version.h"
#include <sys/prctl.h>

namespace {

using namespace belljar;

/// What all subcommands share.
EngineOptions engineOptions()
{
    EngineOptions options;
    options.paths = findPaths();
    return options;
}

void addStdio(CLI::App& app, const EngineOptions& engine, std::function<int()>& chosen)
{
    CLI::App* command =
        app.add_subcommand("stdio", "Speak MCP on stdin and stdout: what an MCP client starts");
    command->callback([&] {
        chosen = [&engine] {
            cli::StdioOptions options;
            options.paths = engine.paths;
            options.hostEngine = [&engine]() -> Result<std::shared_ptr<void>> {
                auto host = cli::EngineHost::start(engine);
                if (!host)
                    return fail(host.error());
                return std::shared_ptr<void>(std::move(*host));
            };
            return cli::runStdio(options);
        };
    });
}

void addServe(CLI::App& app, EngineOptions& engine, std::function<int()>& chosen)
{
    CLI::App* command = app.add_subcommand("serve", "Host the engine without a window");
    command->add_flag(
        "--accept-policy",
        engine.acceptPolicy,
        "Take policies that were changed on disk into force, also where they allow more"
    );
    command
        ->add_option_function<std::string>(
            "--http",
            [&engine](const std::string& text) {
                const auto endpoint = http::parseEndpoint(text);
                if (!endpoint)
                    throw CLI::ValidationError("--http", endpoint.error().message());
                engine.http.on = true;
                engine.http.address = endpoint->address;
                engine.http.port = endpoint->port;
            },
            "Serve MCP over HTTP too"
        )
        ->type_name("ADDRESS:PORT")
        ->expected(0, 1)
        ->default_str("127.0.0.1:7707");
    command->add_option(
        "--http-name", engine.http.names, "A name by which other machines reach it"
    );
    command->add_option("--tls-certificate", engine.http.certificateFile, "PEM, with its chain");
    command->add_option("--tls-key", engine.http.keyFile, "PEM");
    command->callback([&] { chosen = [&engine] { return cli::serve(engine); }; });
}

/// The token of the HTTP endpoint; `belljar token` alone shows it.
void addToken(CLI::App& app, const EngineOptions& engine, std::function<int()>& chosen)
{
    CLI::App* command = app.add_subcommand("token", "The token that HTTP clients show");
    command->require_subcommand(0, 1);
    struct Row {
        const char* name;
        const char* help;
        int (*run)(const EngineOptions&);
    };
    constexpr std::array kRows{
        Row{"show", "Print it; made when there is none", cli::showToken},
        Row{"rotate", "Make a new one; the old one ends at once", cli::rotateToken},
    };
    command->callback([&] {
        if (!chosen)
            chosen = [&engine] { return cli::showToken(engine); };
    });
    for (const Row& row : kRows)
        command->add_subcommand(row.name, row.help)->callback([&engine, &chosen, run = row.run] {
            chosen = [&engine, run] { return run(engine); };
        });
}

void addRun(
    CLI::App& app, const EngineOptions& engine, cli::RunOptions& run, std::function<int()>& chosen
)
{
    CLI::App* command =
        app.add_subcommand("run", "Run one program in a sandbox and end with its exit code");
    command->add_option("file", run.file, "The program; - reads it from stdin")->required();
    command->add_option("args", run.args, "Arguments for the program");
    command->add_option(
        "-l,--language", run.language, "Its language; default: by the file's extension"
    );
    command->add_option("-t,--timeout", run.timeoutSeconds, "Time limit in seconds (30)");
    command->add_option(
        "-i,--stdin", run.standardInputFile, "A file that the program reads as its stdin"
    );
    command->add_flag("--json", run.json, "Print the result object");
    command->callback([&] { chosen = [&engine, &run] { return cli::runProgram(engine, run); }; });
}

struct InheritOptions {
    std::string owner;
    std::string dockerSocket;
};

/// What the engine starts to outlive it (engine/sandbox/heir.h); not shown in the help.
void addInherit(CLI::App& app, InheritOptions& inherit, std::function<int()>& chosen)
{
    CLI::App* command = app.add_subcommand("inherit", "")->group("");
    command->add_option("--owner", inherit.owner)->required();
    command->add_option("--docker-socket", inherit.dockerSocket)->required();
    command->callback([&] {
        chosen = [&inherit] { return cli::inherit(inherit.owner, inherit.dockerSocket); };
    });
    // Likewise (engine/analysis/process.h).
    app.add_subcommand("analyse", "")->group("")->callback([&] {
        chosen = [] { return cli::serveAnalysis(); };
    });
}

struct ImageOptions {
    std::vector<std::string> languages;
    bool force = false;
    bool json = false;
};

void addImages(
    CLI::App& app, const EngineOptions& engine, ImageOptions& images, std::function<int()>& chosen
)
{
    CLI::App* command = app.add_subcommand("images", "The images that sandboxes are made from");
    command->require_subcommand(1);
    CLI::App* list = command->add_subcommand("list", "Show them");
    list->add_flag("--json", images.json, "As JSON");
    list->callback([&] {
        chosen = [&engine, &images] { return cli::listImages(engine, images.json); };
    });
    CLI::App* build = command->add_subcommand("build", "Build them");
    build->add_option("language", images.languages, "Which; default: all");
    build->add_flag("--force", images.force, "Also those that are up to date");
    build->callback([&] {
        chosen = [&engine, &images] {
            return cli::buildImages(engine, images.languages, images.force);
        };
    });
}

struct AuditOptions {
    cli::AuditExportOptions exported;
    cli::AuditShowOptions shown;
};

void addAudit(
    CLI::App& app, const EngineOptions& engine, AuditOptions& audit, std::function<int()>& chosen
)
{
    CLI::App* command = app.add_subcommand("audit", "The log of what was asked, decided and run");
    command->require_subcommand(1);
    CLI::App* verify = command->add_subcommand(
        "verify", "Check that nothing was changed or removed; ends with 1 when something was"
    );
    verify->callback([&] { chosen = [&engine] { return cli::verifyAudit(engine); }; });
    CLI::App* show = command->add_subcommand("show", "Print the newest rows");
    show->add_option("-n,--limit", audit.shown.limit, "How many, up to 1000000 (50)");
    show->add_option("--execution", audit.shown.execution, "Only of this execution");
    show->callback([&] {
        chosen = [&engine, &audit] { return cli::showAudit(engine, audit.shown); };
    });
    CLI::App* exported =
        command->add_subcommand("export", "Write the rows as lines of JSON, with their hashes");
    exported->add_option("--since", audit.exported.since, "From this day or time on");
    exported->add_option("--until", audit.exported.until, "Up to this day or time");
    exported->add_option("--type", audit.exported.types, "Only of these types, e.g. decided");
    exported->add_option("-o,--output", audit.exported.file, "The file; default: stdout");
    exported->callback([&] {
        chosen = [&engine, &audit] { return cli::exportAudit(engine, audit.exported); };
    });
}

struct PolicyOptions {
    std::string file;
    std::string name;
    cli::PolicyExplainOptions explain;
};

void addPolicy(
    CLI::App& app, const EngineOptions& engine, PolicyOptions& policy, std::function<int()>& chosen
)
{
    CLI::App* command = app.add_subcommand("policy", "What may run, and when you are asked");
    command->require_subcommand(1);
    CLI::App* check = command->add_subcommand("check", "Check a policy's file");
    check->add_option("file", policy.file, "The file; - reads stdin")->required();
    check->footer(
        "Exit code: 0 it is a policy (it may have warnings), 1 it has errors, 2 it can't be\n"
        "read. Each problem is a line FILE:LINE:COLUMN: error or warning."
    );
    check->callback([&] { chosen = [&policy] { return cli::checkPolicy(policy.file); }; });
    CLI::App* show = command->add_subcommand("show", "List the policies in force, or print one");
    show->add_option("name", policy.name, "Which");
    show->footer("Exit code: 0 shown, 2 there is none of that name or they can't be read.");
    show->callback([&] {
        chosen = [&engine, &policy] { return cli::showPolicies(engine, policy.name); };
    });
    CLI::App* explain =
        command->add_subcommand("explain", "Say what would be decided of a program, and why");
    explain->add_option("file", policy.explain.file, "The program; - reads stdin")->required();
    explain->add_option("-l,--language", policy.explain.language, "Its language")->required();
    explain->add_option(
        "--policy", policy.explain.policy, "By which policy; default: the client's"
    );
    explain->add_option("--client", policy.explain.client, "For the client of this name");
    explain->footer(
        "Nothing is run. The first word of the answer is allow, ask or deny; below it are the\n"
        "rules that decide, the findings and the limits.\n"
        "Exit code: 0 explained, whatever the decision; 2 it can't be explained.\n"
        "Example: belljar policy explain --language python program.py"
    );
    explain->callback([&] {
        chosen = [&engine, &policy] { return cli::explainPolicy(engine, policy.explain); };
    });
}

struct ClientsOptions {
    std::string client;
    std::string project;
    cli::ClientsEdit edit;
};

void addClients(
    CLI::App& app, const EngineOptions& engine, ClientsOptions& all, std::function<int()>& chosen
)
{
    CLI::App* command =
        app.add_subcommand("clients", "The MCP clients on this machine, and connecting them");
    command->require_subcommand(1);
    const auto addProject = [](CLI::App* to, std::string& project) {
        to->add_option("--project", project, "Of this project's folder instead of the user");
    };
    CLI::App* list = command->add_subcommand("list", "Show them");
    addProject(list, all.project);
    list->callback([&] {
        chosen = [&engine, &all] { return cli::listClients(engine, all.project); };
    });
    CLI::App* show = command->add_subcommand("show", "Show one");
    show->add_option("client", all.client, "Its id, from the list")->required();
    addProject(show, all.project);
    show->callback([&] {
        chosen = [&engine, &all] { return cli::showClient(engine, all.client, all.project); };
    });
    const auto addEdit = [&](const char* name, const char* help, auto* function) {
        CLI::App* edit = command->add_subcommand(name, help);
        edit->add_option("client", all.edit.client, "Its id, from the list")->required();
        addProject(edit, all.edit.project);
        edit->add_flag("-n,--dry-run", all.edit.dryRun, "Show what would change, and stop");
        edit->callback([&, function] {
            chosen = [&engine, &all, function] { return function(engine, all.edit); };
        });
        return edit;
    };
    CLI::App* connect = addEdit("connect", "Add Belljar to its configuration", cli::connectClient);
    CLI::App* disconnect =
        addEdit("disconnect", "Take Belljar out of its configuration", cli::disconnectClient);
    addEdit("undo", "Put its configuration back as it was before the last change", cli::undoClient);
    for (CLI::App* one : {connect, disconnect})
        one->add_flag("--force", all.edit.force, "Also an entry that Belljar didn't write");
    connect->add_flag("--http", all.edit.http, "By HTTP instead of starting a program");
    connect->add_option("--url", all.edit.url, "Of the HTTP endpoint")->capture_default_str();
    connect->add_option(
        "--token-file", all.edit.tokenFile, "Holds the token; - reads stdin; default: Belljar's own"
    );
}

void addDoctor(
    CLI::App& app, const EngineOptions& engine, bool& pathsOnly, std::function<int()>& chosen
)
{
    CLI::App* command =
        app.add_subcommand("doctor", "Show what works, what doesn't, and how to mend each");
    command->add_flag("--paths", pathsOnly, "Only show the folders and files in use");
    command->callback([&] {
        chosen = [&engine, &pathsOnly] { return cli::doctor(engine, pathsOnly); };
    });
}

} // namespace

int main(int argc, char** argv)
{
    // No core file of ours may hold a client's code or a token.
    ::prctl(PR_SET_DUMPABLE, 0);

    EngineOptions engine = engineOptions();
    cli::RunOptions run;
    ImageOptions images;
    InheritOptions inherit;
    AuditOptions audit;
    PolicyOptions policy;
    ClientsOptions clients;
    bool pathsOnly = false;
    std::function<int()> chosen;

    CLI::App app(
        "Belljar runs code that AI assistants write in sandboxes that you watch.", "belljar"
    );
    app.set_version_flag("--version", std::string("belljar ") + kVersion);
    app.require_subcommand(1);
    app.add_option("--docker", engine.dockerHost, "Address of the container engine (unix:///...)");
    addStdio(app, engine, chosen);
    addServe(app, engine, chosen);
    addToken(app, engine, chosen);
    addRun(app, engine, run, chosen);
    addImages(app, engine, images, chosen);
    addAudit(app, engine, audit, chosen);
    addPolicy(app, engine, policy, chosen);
    addClients(app, engine, clients, chosen);
    addDoctor(app, engine, pathsOnly, chosen);
    addInherit(app, inherit, chosen);
    CLI11_PARSE(app, argc, argv);

    if (auto made = makeFolders(engine.paths); !made) {
        std::cerr << "belljar: " << escapeUnusual(made.error().message()) << '\n';
        return 1;
    }
    log::start(engine.paths.logFile(), spdlog::level::warn);
    return chosen();
}
