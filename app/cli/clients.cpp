// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/clients/configurations.h"
#include "engine/clients/diff.h"
#include "engine/http/token.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <utility>

namespace belljar::cli {

namespace {

using clients::Configurations;
using clients::Found;
using clients::Plan;

constexpr int kTitleWidth = 28;
constexpr int kIdWidth = 17;
constexpr std::uint64_t kMostTokenBytes = 4096;

int complain(const Error& error)
{
    std::cerr << "belljar clients: " << escapeUnusual(error.message()) << '\n';
    return 1;
}

struct StateWords {
    clients::State state;
    const char* words;
};
constexpr std::array kStates{
    StateWords{clients::State::NotConnected, "not connected"},
    StateWords{clients::State::Connected, "connected"},
    StateWords{clients::State::LeadsAway, "its entry leads to another program, or is off"},
    StateWords{clients::State::ProgramGone, "its entry names a program that is gone"},
    StateWords{clients::State::Unreadable, "its configuration can't be read"}};

struct AfterWords {
    clients::After after;
    const char* words;
};
constexpr std::array kAfters{
    AfterWords{clients::After::Nothing, "takes it up by itself"},
    AfterWords{clients::After::Restart, "has to be quit and started again"},
    AfterWords{clients::After::Refresh, "has to refresh its list of MCP servers"},
    AfterWords{clients::After::Reconnect, "has to reconnect belljar in its list of MCP servers"},
    AfterWords{clients::After::Start, "has to start belljar in its list of MCP servers"}};

const char* wordsOf(clients::State state)
{
    const auto* found = std::find_if(kStates.begin(), kStates.end(), [state](const auto& row) {
        return row.state == state;
    });
    return found->words;
}

const char* wordsOf(clients::After after)
{
    const auto* found = std::find_if(kAfters.begin(), kAfters.end(), [after](const auto& row) {
        return row.after == after;
    });
    return found->words;
}

std::string reasonOf(const Found& found)
{
    return found.problem ? found.file.string() + ": " + found.problem->text() : found.error;
}

void printDiff(const Plan& plan)
{
    const auto lines = clients::diffLines(plan.before.text.value_or(""), plan.after.value_or(""));
    std::cout << escapeForLine(plan.before.file.string());
    if (!plan.before.text)
        std::cout << " (new)";
    else if (!plan.after)
        std::cout << " (removed)";
    std::cout << '\n';
    for (const clients::DiffLine& line : lines)
        std::cout << std::setw(6) << line.number << ' ' << line.mark << ' '
                  << escapeForLine(line.text) << '\n';
}

/// What stands in a person's way until they say that they mean it.
Result<> demandConsent(const Plan& plan, const Found& found, bool force)
{
    if (force || plan.changesNothing())
        return {};
    if (plan.replacesOther)
        return fail(
            Errc::Conflict,
            plan.before.file.string() +
                " has an entry \"belljar\" that Belljar didn't write; --force changes it"
        );
    if (plan.kind == Plan::Kind::Connect && !found.installed)
        return fail(
            Errc::NotFound, found.title + " is not installed here; --force writes its file"
        );
    return {};
}

int carryOut(
    const Configurations& configurations, const Result<Plan>& plan, const ClientsEdit& edit
)
{
    if (!plan)
        return complain(plan.error());
    const auto found = configurations.find(edit.client, edit.project);
    if (!found)
        return complain(found.error());
    if (plan->changesNothing()) {
        std::cout << escapeForLine(found->title) << ": nothing to change in "
                  << escapeForLine(plan->before.file.string()) << '\n';
        return 0;
    }
    printDiff(*plan);
    if (edit.dryRun)
        return 0;
    if (auto consented = demandConsent(*plan, *found, edit.force); !consented)
        return complain(consented.error());
    if (auto applied = configurations.apply(*plan); !applied)
        return complain(applied.error());
    if (plan->before.text && plan->kind != Plan::Kind::Undo)
        std::cout << "the file as it was: "
                  << escapeForLine(clients::backupOf(plan->before.file).string()) << '\n';
    std::cout << escapeForLine(found->title) << ' ' << wordsOf(found->after) << '\n';
    return 0;
}

Result<std::string> readToken(const EngineOptions& engine, const std::string& file)
{
    if (file.empty())
        return http::readOrMakeToken(engine.paths.tokenFile());
    std::string text;
    if (file == "-") {
        std::getline(std::cin, text);
    } else {
        auto read = readFile(file, kMostTokenBytes);
        if (!read)
            return fail(read.error());
        text = std::move(*read);
    }
    // A newline at its end is the editor's.
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
}

} // namespace

int listClients(const EngineOptions& engine, const std::string& project)
{
    const auto configurations = Configurations::open(engine.paths);
    if (!configurations)
        return complain(configurations.error());
    for (const Found& found : configurations->findAll(project))
        std::cout << std::left << std::setw(kIdWidth) << found.client << std::setw(kTitleWidth)
                  << found.title << std::right
                  << (found.installed || found.state != clients::State::NotConnected
                          ? wordsOf(found.state)
                          : "not found")
                  << '\n';
    return 0;
}

int showClient(const EngineOptions& engine, const std::string& client, const std::string& project)
{
    const auto configurations = Configurations::open(engine.paths);
    if (!configurations)
        return complain(configurations.error());
    const auto found = configurations->find(client, project);
    if (!found)
        return complain(found.error());
    const auto line = [](const char* label, const std::string& text) {
        std::cout << std::left << std::setw(kIdWidth) << label << std::right << escapeForLine(text)
                  << '\n';
    };
    line("client", found->title + (found->installed ? "" : " (not found here)"));
    line("configuration", found->file.string() + (found->fileExists ? "" : " (there is none)"));
    line("state", wordsOf(found->state));
    if (found->state == clients::State::Unreadable)
        line("reason", reasonOf(*found));
    if (found->entry) {
        std::string way = found->entry->url;
        if (way.empty()) {
            way = found->entry->command;
            for (const std::string& arg : found->entry->args)
                way += " " + arg;
        }
        line("entry", way + (found->isOurs ? "" : " (not as Belljar wrote it)"));
    }
    line("after a change", found->title + " " + wordsOf(found->after));
    if (found->canUndo)
        line("undo", "belljar clients undo " + found->client);
    return found->state == clients::State::Unreadable ? 1 : 0;
}

int connectClient(const EngineOptions& engine, const ClientsEdit& edit)
{
    const auto configurations = Configurations::open(engine.paths);
    if (!configurations)
        return complain(configurations.error());
    Configurations::Connect how;
    how.project = edit.project;
    if (edit.http) {
        auto token = readToken(engine, edit.tokenFile);
        if (!token)
            return complain(token.error());
        how.transport = clients::Transport::Http;
        how.url = edit.url;
        how.token = std::move(*token);
    }
    return carryOut(*configurations, configurations->planConnect(edit.client, how), edit);
}

int disconnectClient(const EngineOptions& engine, const ClientsEdit& edit)
{
    const auto configurations = Configurations::open(engine.paths);
    if (!configurations)
        return complain(configurations.error());
    return carryOut(
        *configurations, configurations->planDisconnect(edit.client, edit.project), edit
    );
}

int undoClient(const EngineOptions& engine, const ClientsEdit& edit)
{
    const auto configurations = Configurations::open(engine.paths);
    if (!configurations)
        return complain(configurations.error());
    return carryOut(*configurations, configurations->planUndo(edit.client, edit.project), edit);
}

} // namespace belljar::cli
