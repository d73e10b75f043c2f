// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/export_runs.h"

#include "engine/analysis/report_json.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>
#include <system_error>
#include <utility>

namespace belljar::ui {

namespace {

namespace fs = std::filesystem;
using execution::Record;
using execution::Stream;

constexpr std::size_t kMostRuns = 1000;
constexpr std::size_t kLongestName = 60;
constexpr unsigned kPrivate = 0600;

/// What a program's file is called where `belljar run` knows its language by it.
struct FileName {
    std::string_view language;
    std::string_view file;
};
constexpr std::array kFileNames{
    FileName{"python", "main.py"},
    FileName{"javascript", "main.js"},
    FileName{"bash", "main.sh"},
};

std::string_view fileNameFor(const std::string& language)
{
    for (const FileName& name : kFileNames) {
        if (name.language == language)
            return name.file;
    }
    return "program.txt";
}

/// Everything that is written of one run.
struct Run {
    Record record;
    std::string code;
    std::string standardOutput;
    std::string standardError;
    execution::RunFiles files;
    std::vector<analysis::Finding> findings;
    execution::Marks marks;
};

Result<Run> read(store::HistoryReader& history, const ExecutionId& id)
{
    Run run;
    auto record = history.record(id);
    if (!record)
        return fail(record.error());
    run.record = std::move(*record);
    auto code = history.ranCode(id);
    if (!code)
        return fail(code.error());
    run.code = std::move(*code);
    auto output = history.output(id);
    if (!output)
        return fail(output.error());
    for (const execution::OutputChunk& chunk : *output)
        (chunk.stream == Stream::Stdout ? run.standardOutput : run.standardError) += chunk.bytes;
    auto files = history.files(id);
    if (!files)
        return fail(files.error());
    run.files = std::move(*files);
    auto marks = history.marks(id);
    if (!marks)
        return fail(marks.error());
    run.marks = std::move(*marks);
    auto report = history.report(id);
    if (!report)
        return fail(report.error());
    if (*report)
        run.findings = std::move((*report)->findings);
    return run;
}

enum class TimeForm : std::uint8_t { Iso, Words, FileName };

/// In UTC.
std::string timeText(execution::UnixMs at, TimeForm form)
{
    const auto seconds = static_cast<std::time_t>(at / 1000);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> text{};
    std::size_t size = 0;
    switch (form) {
    case TimeForm::Iso:
        size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
        break;
    case TimeForm::Words:
        size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
        break;
    case TimeForm::FileName:
        size = std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S-", &parts);
        break;
    }
    return {text.data(), size};
}

Json limitsJson(const execution::Limits& limits)
{
    return {
        {"timeout_ms", limits.timeout.count()},
        {"memory_bytes", limits.memoryBytes},
        {"cpu_millis", limits.cpuMillis},
        {"pids", limits.pids},
        {"output_bytes", limits.outputBytes},
        {"workspace_bytes", limits.workspaceBytes},
        {"tmp_bytes", limits.tmpBytes}};
}

Json recordJson(const Run& run)
{
    const Record& record = run.record;
    Json json = {
        {"id", record.id.text()},
        {"status", execution::statusTraits(record.status).name},
        {"language", record.language},
        {"args", record.args},
        {"client", {{"name", record.client.name}, {"version", record.client.version}}},
        {"received_at", timeText(record.receivedAt, TimeForm::Iso)},
        {"execution_ms", record.executionTime.count()},
        {"cpu_ms", record.cpuTime.count()},
        {"memory_peak_bytes", record.memoryPeakBytes},
        {"limits", limitsJson(record.limits)},
        {"image", record.image},
        {"image_digest", record.imageDigest},
        {"policy", record.policy},
        {"policy_version", record.policyVersion},
        {"decided_by", execution::nameOf(record.decidedBy)},
        {"findings", Json::array()},
        {"worst_finding", record.worstFinding},
        {"code_sha256", record.codeSha256},
        {"output_truncated", record.outputTruncated},
        {"notes", record.notes},
        {"error", record.error},
        {"pinned", run.marks.pinned},
        {"tags", run.marks.tags},
        {"note", run.marks.note}};
    for (const analysis::Finding& finding : run.findings)
        json["findings"].push_back(analysis::toJson(finding));
    json["exit_code"] = record.exitCode ? Json(*record.exitCode) : Json();
    json["signal"] = record.signal ? Json(*record.signal) : Json();
    if (!record.ranSha256.empty())
        json["ran_sha256"] = record.ranSha256;
    return json;
}

/// `saved_as` is the name in the folder `files` of a run that was written as a folder.
Json filesJson(const execution::RunFiles& files)
{
    Json list = Json::array();
    const std::vector<std::string> names = execution::saveNames(files.files);
    for (std::size_t place = 0; place < names.size(); ++place) {
        const execution::RunFile& file = files.files[place];
        Json item = {{"name", execution::shownName(file.name)}, {"size", file.size}};
        if (file.fate == execution::FileFate::Kept) {
            item["kind"] = execution::nameOf(file.kind);
            item["sha256"] = file.sha256;
            item["saved_as"] = names[place];
        } else {
            item["left_out"] = execution::reasonOf(file.fate);
        }
        list.push_back(std::move(item));
    }
    return list;
}

std::string jsonOf(const Run& run)
{
    Json json = recordJson(run);
    json["files"] = filesJson(run.files);
    json["code"] = run.code;
    json["stdout"] = run.standardOutput;
    json["stderr"] = run.standardError;
    return dumpJson(json);
}

std::string fenced(std::string_view text, std::string_view language)
{
    const std::string shown = escapeUnusual(text);
    const std::string fence = fenceFor(shown);
    std::string block = fence + std::string(language) + "\n" + shown;
    if (!shown.empty() && shown.back() != '\n')
        block += '\n';
    return block + fence + "\n\n";
}

/// One line of foreign text as code, which Markdown doesn't read.
std::string inlineCode(std::string_view text)
{
    const std::string shown = escapeForLine(text);
    const std::string fence = fenceFor(shown); // as good for a part of a line
    return fence + " " + shown + " " + fence;
}

std::string factsOf(const Record& record)
{
    const auto row = [](std::string_view name, const std::string& value) {
        return "- " + std::string(name) + ": " + value + "\n";
    };
    std::string facts;
    facts += row("Status", std::string(execution::statusTraits(record.status).label));
    facts += row("Client (as it calls itself)", inlineCode(record.client.name));
    facts += row("Received", timeText(record.receivedAt, TimeForm::Words));
    if (record.exitCode)
        facts += row("Exit code", std::to_string(*record.exitCode));
    if (record.startedAt)
        facts += row("Took", std::to_string(record.executionTime.count()) + " ms");
    if (record.memoryPeakBytes > 0)
        facts += row("Peak memory", humanBytes(record.memoryPeakBytes));
    facts +=
        row("Limits",
            std::to_string(record.limits.timeout.count()) + " ms, " +
                humanBytes(record.limits.memoryBytes) + ", " +
                std::to_string(record.limits.cpuMillis) + " thousandths of a core, " +
                std::to_string(record.limits.pids) + " processes");
    if (!record.policy.empty())
        facts +=
            row("Policy",
                inlineCode(record.policy) + " version " + std::to_string(record.policyVersion));
    return facts + "\n";
}

/// What the person wrote about it, and what analysis found.
std::string remarksOf(const Run& run)
{
    std::string text;
    const execution::Marks& marks = run.marks;
    if (!marks.tags.empty()) {
        text += "Tags:";
        for (const std::string& tag : marks.tags)
            text += " " + inlineCode(tag);
        text += "\n\n";
    }
    if (!marks.note.empty())
        text += "### Note\n\n" + fenced(marks.note, "");
    if (!run.findings.empty()) {
        text += "### Findings\n\n";
        for (const analysis::Finding& finding : run.findings)
            text += "- " + std::string(analysis::nameOf(finding.severity)) + ", line " +
                    std::to_string(finding.range.beginLine) + ": " + inlineCode(finding.message) +
                    " (" + inlineCode(finding.rule) + ")\n";
        text += "\n";
    }
    return text;
}

std::string markdownOf(const Run& run)
{
    const std::string language = safeFileName(run.record.language);
    std::string text =
        "## " + inlineCode(run.record.id.text()) + "\n\n" + factsOf(run.record) + remarksOf(run);
    text += "### Code\n\n" + fenced(run.code, language);
    if (!run.standardOutput.empty())
        text += "### Output\n\n" + fenced(run.standardOutput, "");
    if (!run.standardError.empty())
        text += "### Errors\n\n" + fenced(run.standardError, "");
    return text;
}

/// The command that runs it again in a sandbox, from within its folder.
std::string commandOf(const Record& record, std::string_view file)
{
    const auto seconds = record.limits.timeout.count() / 1000;
    const auto rest = record.limits.timeout.count() % 1000;
    std::string command = "belljar run --language " + shellWord(record.language) + " --timeout " +
                          std::to_string(seconds);
    if (rest != 0)
        command += "." + std::to_string(1000 + rest).substr(1);
    command += " -- " + std::string(file);
    for (const std::string& argument : record.args)
        command += " " + shellWord(argument);
    return command;
}

std::string readmeOf(const Run& run, std::string_view file)
{
    return "# A run of Belljar\n\n" + factsOf(run.record) +
           "`run.sh` runs it again in a sandbox:\n\n" + fenced(commandOf(run.record, file), "sh") +
           "The policy that is in force then decides whether it may and within which limits; "
           "`run.json` has those of this run. What a program read from its standard input isn't "
           "kept; give it with `--stdin`.\n\n"
           "- `" +
           std::string(file) + "`: the code that ran\n" +
           "- `stdout`, `stderr`: what is kept of the output\n";
}

Result<> writeFolder(store::HistoryReader& history, const Run& run, const fs::path& place)
{
    const std::string name = timeText(run.record.receivedAt, TimeForm::FileName) +
                             safeFileName(run.record.language) + "-" +
                             safeFileName(run.record.id.text());
    const fs::path folder = place / name;
    std::error_code failed;
    if (!fs::create_directory(folder, failed))
        return fail(
            Errc::IoFailed,
            folder.string() + ": " + (failed ? failed.message() : std::string("is there already"))
        );
    fs::permissions(folder, fs::perms::owner_all, failed);
    const std::string_view file = fileNameFor(run.record.language);
    const std::string script =
        "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 1\nexec " + commandOf(run.record, file) + "\n";
    struct Part {
        std::string_view name;
        std::string_view content;
        unsigned mode = kPrivate;
    };
    const std::string readme = readmeOf(run, file);
    Json facts = recordJson(run);
    facts["files"] = filesJson(run.files);
    const std::string json = dumpJson(facts) + "\n";
    for (const Part& part :
         {Part{file, run.code},
          Part{"stdout", run.standardOutput},
          Part{"stderr", run.standardError},
          Part{"run.json", json},
          Part{"README.md", readme},
          Part{"run.sh", script, 0700}}) {
        if (auto written = writeFile(folder / part.name, part.content, part.mode); !written)
            return written;
    }
    return run.files.kept() == 0 ? Result<>()
                                 : writeRunFiles(history, run.record.id, folder / "files");
}

} // namespace

Result<> writeRunFiles(store::HistoryReader& history, const ExecutionId& id, const fs::path& folder)
{
    const auto files = history.files(id);
    if (!files)
        return fail(files.error());
    std::error_code failed;
    if (!fs::create_directory(folder, failed))
        return fail(
            Errc::IoFailed,
            folder.string() + ": " + (failed ? failed.message() : std::string("is there already"))
        );
    fs::permissions(folder, fs::perms::owner_all, failed);
    const std::vector<std::string> names = execution::saveNames(files->files);
    for (std::size_t place = 0; place < names.size(); ++place) {
        if (files->files[place].fate != execution::FileFate::Kept)
            continue;
        const auto bytes = history.fileBytes(id, place);
        if (!bytes)
            return fail(bytes.error());
        if (auto written = writeFile(folder / names[place], *bytes, kPrivate); !written)
            return written;
    }
    return {};
}

std::string safeFileName(std::string_view text)
{
    std::string name;
    for (const char byte : text.substr(0, kLongestName)) {
        const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= 'a' && byte <= 'z') || byte == '_';
        name += plain ? byte : '-';
    }
    return name.empty() ? "unnamed" : name;
}

std::string shellWord(std::string_view text)
{
    std::string word = "'";
    for (const char byte : text) {
        if (byte == '\'')
            word += "'\\''";
        else if (byte != '\0') // a shell has none
            word += byte;
    }
    return word + "'";
}

std::string fenceFor(std::string_view text)
{
    std::size_t longest = 2;
    std::size_t run = 0;
    for (const char byte : text) {
        run = byte == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return std::string(longest + 1, '`');
}

Result<> writeRuns(
    store::HistoryReader& history,
    const std::vector<ExecutionId>& ids,
    ExportFormat format,
    const fs::path& place
)
{
    if (ids.size() > kMostRuns)
        return fail(
            Errc::InvalidArgument, "at most " + std::to_string(kMostRuns) + " runs at a time"
        );
    std::string text = format == ExportFormat::Json ? "{\"runs\":[\n" : "# Runs of Belljar\n\n";
    bool first = true;
    for (const ExecutionId& id : ids) {
        auto run = read(history, id);
        if (!run)
            return fail(run.error());
        switch (format) {
        case ExportFormat::Json: text += (first ? "" : ",\n") + jsonOf(*run); break;
        case ExportFormat::Markdown: text += markdownOf(*run); break;
        case ExportFormat::Folder:
            if (auto written = writeFolder(history, *run, place); !written)
                return written;
            break;
        }
        first = false;
    }
    if (format == ExportFormat::Folder)
        return {};
    if (format == ExportFormat::Json)
        text += "\n]}\n";
    return writeFile(place, text, kPrivate);
}

} // namespace belljar::ui
