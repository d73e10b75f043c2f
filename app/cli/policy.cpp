// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "engine/analysis/process.h"
#include "engine/base/file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/policy/keeper.h"
#include "engine/policy/units.h"
#include "engine/sandbox/languages.h"
#include "engine/store/history_reader.h"

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace belljar::cli {

namespace {

constexpr std::size_t kMostFileBytes = 16U * 1024 * 1024;

int complain(const Error& error)
{
    std::cerr << "belljar policy: " << escapeUnusual(error.message()) << '\n';
    return 2;
}

/// The policies as the engine has them in force; before it has ever run, as they come.
struct InForce {
    std::map<std::string, store::PolicyVersion> policies;
    policy::Assignments assignments;
};

Result<std::vector<store::PolicyVersion>> latestVersions(const EngineOptions& engine)
{
    auto history = store::HistoryReader::open(engine.paths.historyFile());
    if (history)
        return history->latestPolicyVersions();
    if (history.error().code() != Errc::NotFound)
        return fail(history.error());
    const auto folder = findResource("policies");
    if (!folder)
        return fail(folder.error());
    std::vector<store::PolicyVersion> versions;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        auto text = readFile(entry.path());
        if (!text)
            return fail(text.error());
        store::PolicyVersion version;
        version.name = entry.path().stem().string();
        version.sha256 = sha256Hex(*text);
        version.text = std::move(*text);
        version.source = "shipped";
        versions.push_back(std::move(version));
    }
    return versions;
}

Result<InForce> readInForce(const EngineOptions& engine)
{
    auto versions = latestVersions(engine);
    if (!versions)
        return fail(versions.error());
    InForce found;
    found.assignments.otherwise = "balanced";
    for (store::PolicyVersion& version : *versions) {
        if (version.name != policy::kAssignmentsName) {
            found.policies.emplace(version.name, std::move(version));
            continue;
        }
        auto assignments = policy::parseAssignments(version.text);
        if (!assignments)
            return fail(assignments.error());
        found.assignments = std::move(*assignments);
    }
    return found;
}

Result<policy::Named> namedPolicy(const InForce& all, const std::string& name)
{
    const auto found = all.policies.find(name);
    if (found == all.policies.end()) {
        std::string names;
        for (const auto& [one, version] : all.policies)
            names += (names.empty() ? "" : ", ") + one;
        return fail(Errc::NotFound, "there is no policy \"" + name + "\"; there are " + names);
    }
    policy::Checked checked = policy::check(found->second.text);
    if (!checked.policy)
        return fail(Errc::InvalidArgument, "policy " + name + " can't be read by this Belljar");
    return policy::Named{
        name, found->second.version, found->second.sha256, std::move(*checked.policy)};
}

Result<std::string> readProgram(const std::string& file)
{
    if (file != "-")
        return readFile(file, kMostFileBytes);
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
}

Result<std::string> languageOf(const PolicyExplainOptions& options)
{
    const auto folder = findResource("languages");
    if (!folder)
        return fail(folder.error());
    auto languages = sandbox::Languages::load(*folder);
    if (!languages)
        return fail(languages.error());
    const sandbox::Language* language = languages->find(options.language);
    if (!language)
        return fail(
            Errc::InvalidArgument,
            "--language: expected one of " + languages->idList() + ", got \"" + options.language +
                "\""
        );
    return language->id;
}

analysis::Report analyse(const std::string& language, const std::string& code)
{
    asio::io_context context(1);
    analysis::AnalysisProcess process(context.get_executor(), commandProgram());
    analysis::Report report;
    asio::co_spawn(
        context,
        process.analyse(language, std::make_shared<const std::string>(code)),
        [&report](const std::exception_ptr& thrown, analysis::Report made) {
            if (thrown)
                std::rethrow_exception(thrown);
            report = std::move(made);
        }
    );
    context.run();
    return report;
}

void printDecision(const policy::Named& named, const policy::Decision& decision)
{
    constexpr std::array kMeaning{
        "it runs without a question", "a person is asked before it runs", "it does not run"};
    std::cout << execution::nameOf(decision.verdict) << " (policy " << named.name << ", "
              << (named.version > 0 ? "version " + std::to_string(named.version)
                                    : std::string("as it was shipped"))
              << "): " << kMeaning.at(static_cast<std::size_t>(decision.verdict)) << '\n';
    for (const policy::Reason& reason : decision.reasons)
        std::cout << "  rule \"" << escapeForLine(reason.rule)
                  << "\": " << escapeForLine(reason.words) << '\n';
    for (const analysis::Finding& finding : decision.report.findings)
        std::cout << "  " << analysis::nameOf(finding.severity) << ' ' << finding.rule << ", line "
                  << finding.range.beginLine << ": " << escapeForLine(finding.message) << '\n';
    const execution::Limits& limits = decision.limits;
    std::cout << "  limits: " << policy::durationText(limits.timeout) << ", "
              << humanBytes(limits.memoryBytes) << ", " << policy::cpusText(limits.cpuMillis)
              << " processors, " << limits.pids << " processes\n";
    for (const std::string& note : decision.notes)
        std::cout << "  note: " << escapeForLine(note) << '\n';
    for (const std::string& weaker : decision.weakened)
        std::cout << "  weakened: " << escapeForLine(weaker) << '\n';
    if (!decision.allowedInstead.empty())
        std::cout << "  allowed instead: " << escapeForLine(decision.allowedInstead) << '\n';
    if (decision.verdict == execution::Verdict::Ask)
        std::cout << "  answers that were given before and remembered are not looked at here\n";
    std::cout << "\nThe policy itself: belljar policy show " << named.name << '\n';
}

std::string counted(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& all)
{
    std::string text;
    for (const std::string& one : all)
        text += (text.empty() ? "" : ", ") + escapeForLine(one);
    return text.empty() ? "nothing" : text;
}

} // namespace

int checkPolicy(const std::string& file)
{
    auto text = readProgram(file);
    if (!text)
        return complain(text.error());
    const policy::Checked checked = policy::check(*text);
    const std::string name = file == "-" ? "-" : escapeForLine(file);
    std::size_t errors = 0;
    for (const policy::Problem& problem : checked.problems) {
        errors += problem.isError ? 1 : 0;
        std::cout << name << ':' << problem.line << ':' << problem.column << ": "
                  << (problem.isError ? "error: " : "warning: ");
        if (!problem.place.empty())
            std::cout << escapeForLine(problem.place) << ": ";
        std::cout << escapeForLine(problem.message) << '\n';
    }
    const std::size_t warnings = checked.problems.size() - errors;
    std::cout << name << ": " << counted(errors, "error") << ", " << counted(warnings, "warning")
              << (checked.policy ? ": it is a policy" : ": it is no policy and takes no effect")
              << '\n';
    if (checked.policy)
        std::cout << "  runs " << listed(checked.policy->languages) << "; "
                  << counted(checked.policy->rules.size(), "approval rule") << ", otherwise "
                  << execution::nameOf(checked.policy->otherwise) << '\n';
    return checked.policy ? 0 : 1;
}

int showPolicies(const EngineOptions& engine, const std::string& name)
{
    auto all = readInForce(engine);
    if (!all)
        return complain(all.error());
    if (!name.empty()) {
        auto named = namedPolicy(*all, name);
        if (!named)
            return complain(named.error());
        std::cout << all->policies.at(name).text;
        return 0;
    }
    for (const auto& [one, version] : all->policies) {
        const policy::Checked checked = policy::check(version.text);
        std::cout << one << "  version " << version.version << "  "
                  << (checked.policy ? escapeForLine(checked.policy->title) : "unreadable")
                  << (one == all->assignments.otherwise ? "  (default)" : "") << '\n';
        for (const policy::Assignment& assignment : all->assignments.list) {
            if (assignment.policy == one)
                std::cout << "    for "
                          << escapeForLine(assignment.clientName + " " + assignment.executable)
                          << '\n';
        }
    }
    return 0;
}

int explainPolicy(const EngineOptions& engine, const PolicyExplainOptions& options)
{
    auto all = readInForce(engine);
    if (!all)
        return complain(all.error());
    auto language = languageOf(options);
    if (!language)
        return complain(language.error());
    auto code = readProgram(options.file);
    if (!code)
        return complain(code.error());
    policy::Question question;
    question.client.name = options.client;
    question.client.transport = "socket";
    auto named = namedPolicy(
        *all,
        options.policy.empty() ? policy::policyNameFor(all->assignments, question.client)
                               : options.policy
    );
    if (!named)
        return complain(named.error());
    question.language = *language;
    question.codeSha256 = sha256Hex(*code);
    question.report = analyse(*language, *code);
    question.now = execution::unixNow();
    printDecision(*named, policy::decide(*named, question, {}));
    return 0;
}

} // namespace belljar::cli
