// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/engine_host.h"
#include "app/cli/mcp_client.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/execution/execution.h"
#include "engine/sandbox/languages.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <utility>

namespace belljar::cli {

namespace {

using execution::Status;

constexpr int kExitNotRun = 125; // as `docker run` and `env` have it
constexpr int kAnswerBytes = 1'000'000;
constexpr int kWaitSeconds = 45;

/// Exit codes for ends that have none of their own, as `timeout` and shells have them.
struct ExitRow {
    Status status;
    int code;
};

constexpr std::array kExitCodes{
    ExitRow{Status::TimedOut, 124},
    ExitRow{Status::OutOfMemory, 137},
    ExitRow{Status::Cancelled, 130},
};

int complain(const Error& error)
{
    std::cerr << "belljar run: " << escapeUnusual(error.message()) << '\n';
    return kExitNotRun;
}

Result<std::string> readProgram(const std::string& file)
{
    if (file == "-")
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    return readFile(file);
}

Result<std::string> languageFor(const RunOptions& options)
{
    const auto folder = findResource("languages");
    if (!folder)
        return fail(folder.error());
    const auto languages = sandbox::Languages::load(*folder);
    if (!languages)
        return fail(languages.error());
    const sandbox::Language* language = options.language.empty()
                                            ? languages->forFile(options.file)
                                            : languages->find(options.language);
    if (!language)
        return fail(
            Errc::InvalidArgument,
            options.language.empty() ? "can't tell the language of " + options.file +
                                           "; say --language " + languages->idList()
                                     : "--language " + options.language +
                                           " is not known; use one of " + languages->idList()
        );
    return language->id;
}

Result<Json> argumentsFor(const RunOptions& options)
{
    auto code = readProgram(options.file);
    if (!code)
        return fail(code.error());
    if (!isValidUtf8(*code))
        return fail(Errc::InvalidArgument, options.file + " is not UTF-8 text");
    auto language = languageFor(options);
    if (!language)
        return fail(language.error());
    Json arguments;
    arguments["language"] = *language;
    arguments["code"] = std::move(*code);
    arguments["args"] = options.args;
    arguments["max_output_bytes"] = kAnswerBytes;
    if (options.timeoutSeconds)
        arguments["timeout"] = *options.timeoutSeconds;
    if (!options.standardInputFile.empty()) {
        auto input = readProgram(options.standardInputFile);
        if (!input)
            return fail(input.error());
        arguments["stdin"] = std::move(*input);
    }
    return arguments;
}

/// Calls execute_code and goes on collecting until the execution is final.
Result<Json> execute(McpClient& client, const Json& arguments)
{
    auto answer = client.callTool("execute_code", arguments);
    while (answer) {
        const Json& structured = answer->value("structuredContent", Json::object());
        if (!structured.is_object() || !structured.contains("status")) {
            const Json& content = answer->value("content", Json::array());
            const bool hasText = !content.empty() && content.front().contains("text");
            return fail(
                Errc::InvalidArgument,
                hasText ? content.front()["text"].get<std::string>() : "the engine gave no result"
            );
        }
        const auto status = execution::statusFromName(structured.value("status", std::string()));
        if (!status || execution::isFinal(*status))
            return structured;
        Json more;
        more["execution_id"] = structured.value("execution_id", std::string());
        more["wait_seconds"] = kWaitSeconds;
        more["max_output_bytes"] = kAnswerBytes;
        answer = client.callTool("get_execution", more);
    }
    return fail(answer.error());
}

int exitCodeOf(const Json& result)
{
    const auto status = execution::statusFromName(result.value("status", std::string()));
    for (const ExitRow& row : kExitCodes) {
        if (status == row.status)
            return row.code;
    }
    const auto code = result.find("exit_code");
    return code != result.end() && code->is_number_integer() ? code->get<int>() : kExitNotRun;
}

void print(const Json& result)
{
    // The program's own output, byte for byte as far as it is text; a terminal shows what it would
    // show anyway.
    std::fputs(result.value("stdout", std::string()).c_str(), stdout);
    std::fflush(stdout);
    std::fputs(result.value("stderr", std::string()).c_str(), stderr);
    for (const Json& note : result.value("notes", Json::array()))
        std::cerr << "belljar: " << escapeUnusual(note.get<std::string>()) << '\n';
    if (const auto error = result.find("error"); error != result.end() && error->is_string())
        std::cerr << "belljar: " << escapeUnusual(error->get<std::string>()) << '\n';
}

} // namespace

int runProgram(const EngineOptions& engine, const RunOptions& options)
{
    const auto arguments = argumentsFor(options);
    if (!arguments)
        return complain(arguments.error());
    std::unique_ptr<EngineHost> host;
    auto client = McpClient::connect(engine.paths.socketFile());
    if (!client && client.error().code() == Errc::NotFound) {
        auto started = EngineHost::start(engine);
        if (!started)
            return complain(started.error());
        host = std::move(*started);
        client = McpClient::connect(engine.paths.socketFile());
    }
    if (!client)
        return complain(client.error());
    const auto result = execute(*client, *arguments);
    if (!result)
        return complain(result.error());
    if (options.json)
        std::cout << result->dump(2) << '\n';
    else
        print(*result);
    return exitCodeOf(*result);
}

} // namespace belljar::cli
