// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/result_text.h"

#include "engine/analysis/report_json.h"
#include "engine/base/text.h"
#include "engine/execution/files.h"
#include "engine/execution/outcome.h"
#include "engine/mcp/content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace belljar::mcp {

namespace {

using execution::OutputChunk;
using execution::Record;
using execution::Status;
using execution::Stream;
using execution::StreamTotals;

constexpr std::size_t kSmallestFence = 3;
constexpr std::size_t kLineEndSearch = 400; // how far a cut moves to fall on a line end
constexpr std::size_t kMostFindings = 50;
constexpr std::size_t kMostMessageBytes = 300;
constexpr double kBytesPerMb = 1024.0 * 1024.0;

/// What `text` takes inside a JSON string, without building one.
std::size_t escapedSize(std::string_view text)
{
    std::size_t size = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool shortEscape =
            c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f';
        size += shortEscape ? 2 : byte < 0x20 ? 6 : 1;
    }
    return size;
}

/// What `text` takes in the answer: exact in the structured part, shown escaped in the text block
/// whichever is more.
std::size_t answeredSize(std::string_view text)
{
    return std::max(escapedSize(text), escapedSize(escapeUnusual(text)));
}

/// The part of `text` that fits into `maxBytes` and, in the answer, into twice that; `take` cuts at
/// the right side.
template <class Take>
std::string_view fitting(std::string_view text, std::size_t maxBytes, Take take)
{
    std::string_view part = take(text, maxBytes);
    while (answeredSize(part) > 2 * maxBytes)
        part = take(text, part.size() / 2);
    return part;
}

std::string_view headOf(std::string_view text, std::size_t maxBytes)
{
    const std::string_view head = fitting(text, maxBytes, prefixWithin);
    const std::size_t end = head.rfind('\n');
    const bool near = end != std::string_view::npos && head.size() - end <= kLineEndSearch;
    return near && head.size() < text.size() ? head.substr(0, end + 1) : head;
}

std::string_view tailOf(std::string_view text, std::size_t maxBytes)
{
    const std::string_view tail = fitting(text, maxBytes, suffixWithin);
    const std::size_t end = tail.find('\n');
    const bool near =
        end != std::string_view::npos && end + 1 < tail.size() && end <= kLineEndSearch;
    return near && tail.size() < text.size() ? tail.substr(end + 1) : tail;
}

/// The kept bytes of one stream as text, split where bytes were dropped.
struct KeptText {
    std::string head;
    std::string tail; ///< empty when nothing was dropped
    bool gap = false;
    std::uint64_t bytes = 0; ///< of the program's own
};

KeptText keptText(const std::vector<OutputChunk>& chunks, Stream stream)
{
    KeptText kept;
    Utf8Decoder decoder;
    std::uint64_t next = 0;
    for (const OutputChunk& chunk : chunks) {
        if (chunk.stream != stream)
            continue;
        std::string& part = kept.gap ? kept.tail : kept.head;
        if (chunk.offset != next) {
            part += decoder.finish();
            kept.gap = true;
            // The gap may have begun inside a character: what is left of it isn't text of the
            // program's own.
            std::string_view rest = chunk.bytes;
            while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U)
                rest.remove_prefix(1);
            kept.tail += decoder.feed(rest);
        } else {
            part += decoder.feed(chunk.bytes);
        }
        next = chunk.offset + chunk.bytes.size();
        kept.bytes += chunk.bytes.size();
    }
    (kept.gap ? kept.tail : kept.head) += decoder.finish();
    return kept;
}

std::uint64_t lineCount(std::string_view text)
{
    return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The longest run of backticks decides how long a fence has to be to stand out.
std::string fenceFor(std::string_view text)
{
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return std::string(std::max(kSmallestFence, longest + 1), '`');
}

void appendFenced(std::string& out, std::string_view name, const std::string& text)
{
    if (text.empty())
        return;
    const std::string shown = escapeUnusual(text);
    const std::string fence = fenceFor(shown);
    out += std::string(name) + ":\n" + fence + "\n" + shown;
    if (shown.back() != '\n')
        out += '\n';
    out += fence + "\n";
}

std::string megabytes(std::uint64_t bytes)
{
    const auto tenths =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) / kBytesPerMb * 10));
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

std::string sizeNote(std::string_view name, const StreamTotals& totals, const StreamText& shown)
{
    std::string text = std::string(name) + " " + groupedDigits(totals.totalBytes) + " bytes";
    if (!shown.complete)
        text += " (" + groupedDigits(shown.missingBytes) + " not shown)";
    return text;
}

/// Belljar's own first line: nothing of the program's is in it.
std::string headline(const Record& record, const StreamText& out, const StreamText& err)
{
    std::string line(execution::statusTraits(record.status).label);
    if (record.signal)
        line += ": ended by " + execution::signalName(*record.signal) + ", exit code " +
                std::to_string(*record.exitCode);
    else if (record.exitCode)
        line += ": exit code " + std::to_string(*record.exitCode);
    if (record.startedAt && execution::isFinal(record.status))
        line += " in " + groupedDigits(static_cast<std::uint64_t>(record.executionTime.count())) +
                " ms, " + megabytes(record.memoryPeakBytes) + " peak";
    if (record.startedAt)
        line += "; " + sizeNote("stdout", record.standardOutput, out) + ", " +
                sizeNote("stderr", record.standardError, err);
    return line;
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

/// The worst ones first; a program full of them isn't told in full.
std::vector<analysis::Finding> shownFindings(const analysis::Report& report)
{
    std::vector<analysis::Finding> findings = report.findings;
    std::stable_sort(
        findings.begin(),
        findings.end(),
        [](const analysis::Finding& one, const analysis::Finding& other) {
            return one.severity > other.severity;
        }
    );
    if (findings.size() > kMostFindings)
        findings.resize(kMostFindings);
    return findings;
}

/// What is worth a model's attention: medium and above.
void appendFindings(std::string& text, const analysis::Report& report)
{
    for (const analysis::Finding& finding : shownFindings(report)) {
        if (finding.severity < analysis::Severity::Medium)
            return;
        text += "finding: " + std::string(analysis::nameOf(finding.severity)) + " " +
                escapeForLine(finding.rule) + ", line " + std::to_string(finding.range.beginLine) +
                ": " + escapeForLine(prefixWithin(finding.message, kMostMessageBytes)) + "\n";
    }
}

Json decisionJson(const execution::Snapshot& snapshot)
{
    const Record& record = snapshot.record;
    if (!record.verdict)
        return {};
    Json json;
    json["verdict"] = execution::nameOf(*record.verdict);
    json["by"] = execution::nameOf(record.decidedBy);
    json["policy"] = record.policy;
    json["policy_version"] = record.policyVersion;
    json["rule"] = record.decidingRule;
    json["reasons"] = record.reasons;
    json["allowed_instead"] = textOrNull(snapshot.allowedInstead);
    return json;
}

/// Totals of a run that hasn't ended come from what there is.
StreamTotals totalsNow(const execution::Snapshot& snapshot, Stream stream)
{
    const Record& record = snapshot.record;
    StreamTotals totals = stream == Stream::Stdout ? record.standardOutput : record.standardError;
    if (totals.totalBytes > 0)
        return totals;
    for (const OutputChunk& chunk : snapshot.output) {
        if (chunk.stream != stream)
            continue;
        totals.totalBytes = std::max(totals.totalBytes, chunk.offset + chunk.bytes.size());
        totals.totalLines += lineCount(chunk.bytes);
        totals.keptBytes += chunk.bytes.size();
    }
    return totals;
}

/// The files that the program left: those that are kept, and why others aren't.
Json filesJson(const execution::Snapshot& snapshot)
{
    Json list = Json::array();
    const auto& files = snapshot.files.files;
    for (std::size_t place = 0; place < files.size(); ++place) {
        const execution::RunFile& file = files[place];
        Json& one = list.emplace_back();
        one["name"] = execution::shownName(file.name);
        one["size"] = file.size;
        if (file.fate == execution::FileFate::Kept) {
            one["media_type"] = execution::mediaTypeOf(file.kind);
            one["uri"] = fileUri(snapshot.record.id, place);
        } else {
            one["not_kept"] = execution::reasonOf(file.fate);
        }
    }
    return list;
}

} // namespace

StreamText streamText(
    const std::vector<OutputChunk>& chunks,
    Stream stream,
    const StreamTotals& totals,
    std::size_t maxBytes
)
{
    const KeptText kept = keptText(chunks, stream);
    const std::size_t keptBytes = kept.head.size() + kept.tail.size();
    StreamText result;
    // Fewer bytes than the program wrote, with nothing after the gap: the end is missing.
    const bool all = !kept.gap && kept.bytes >= totals.totalBytes;
    if (all && keptBytes <= maxBytes && answeredSize(kept.head) <= 2 * maxBytes) {
        result.text = kept.head;
        return result;
    }
    const std::size_t headBytes = maxBytes / 3 * 2;
    const std::string_view head = headOf(kept.head, headBytes);
    const std::string_view tail = tailOf(
        kept.gap ? kept.tail : std::string_view(kept.head).substr(head.size()), maxBytes - headBytes
    );
    const std::uint64_t shownBytes = head.size() + tail.size();
    const std::uint64_t shownLines = lineCount(head) + lineCount(tail);
    result.complete = false;
    result.missingBytes = totals.totalBytes > shownBytes ? totals.totalBytes - shownBytes : 0;
    const std::uint64_t missingLines =
        totals.totalLines > shownLines ? totals.totalLines - shownLines : 0;
    result.text = std::string(head);
    if (!result.text.empty() && result.text.back() != '\n')
        result.text += '\n';
    result.text += "[... " + groupedDigits(result.missingBytes) + " bytes, " +
                   groupedDigits(missingLines) +
                   " lines left out; get_execution with this execution_id, stream, offset and "
                   "limit reads what is kept of them ...]\n";
    result.text += tail;
    return result;
}

std::string streamRange(
    const std::vector<OutputChunk>& chunks, Stream stream, std::uint64_t offset, std::uint64_t limit
)
{
    std::string text;
    Utf8Decoder decoder;
    std::uint64_t next = offset;
    const std::uint64_t end = offset + limit;
    for (const OutputChunk& chunk : chunks) {
        const std::uint64_t chunkEnd = chunk.offset + chunk.bytes.size();
        if (chunk.stream != stream || chunkEnd <= offset || chunk.offset >= end)
            continue;
        const std::uint64_t from = std::max(offset, chunk.offset);
        const std::uint64_t to = std::min(end, chunkEnd);
        if (from != next)
            text += decoder.finish();
        text += decoder.feed(std::string_view(chunk.bytes)
                                 .substr(
                                     static_cast<std::size_t>(from - chunk.offset),
                                     static_cast<std::size_t>(to - from)
                                 ));
        next = to;
    }
    text += decoder.finish();
    return text;
}

Answer answerFor(
    const execution::Snapshot& snapshot,
    std::size_t maxOutputBytes,
    const std::vector<std::string>& hints
)
{
    Record record = snapshot.record;
    record.standardOutput = totalsNow(snapshot, Stream::Stdout);
    record.standardError = totalsNow(snapshot, Stream::Stderr);
    const StreamText out =
        streamText(snapshot.output, Stream::Stdout, record.standardOutput, maxOutputBytes);
    const StreamText err =
        streamText(snapshot.output, Stream::Stderr, record.standardError, maxOutputBytes);
    const bool final = execution::isFinal(record.status);

    std::vector<std::string> notes = record.notes;
    notes.insert(notes.end(), hints.begin(), hints.end());
    const std::uint64_t invalidBytes =
        record.standardOutput.invalidBytes + record.standardError.invalidBytes;
    if (invalidBytes > 0)
        notes.push_back(
            groupedDigits(invalidBytes) + (invalidBytes == 1 ? " byte" : " bytes") +
            " of the output were not UTF-8 text; each is shown as U+FFFD."
        );
    if (record.status == Status::AwaitingApproval)
        notes.push_back("The user is asked whether it may run. Call get_execution with this "
                        "execution_id and wait_seconds to collect the answer; don't send the "
                        "program again.");
    else if (execution::isHeldByPause(snapshot))
        notes.push_back("The user has paused all programs in Belljar; this one runs when the user "
                        "resumes. Tell the user, then call get_execution with this execution_id "
                        "and wait_seconds; don't send the program again.");
    else if (!final)
        notes.push_back("It has not ended yet. Call get_execution with this execution_id and "
                        "wait_seconds to collect the result.");

    Answer answer;
    std::string& text = answer.text;
    text = headline(record, out, err) + "\n";
    if (!record.error.empty())
        text += escapeUnusual(record.error) + "\n";
    if (record.status == Status::Rejected) {
        text += "Nothing was run. Rule: " + escapeForLine(record.decidingRule) + " (policy " +
                escapeForLine(record.policy) + ").\n";
        if (!snapshot.allowedInstead.empty())
            text += "What would be allowed: " + escapeForLine(snapshot.allowedInstead) + "\n";
    }
    for (const std::string& note : notes)
        text += "note: " + escapeUnusual(note) + "\n";
    appendFindings(text, snapshot.report);
    appendFenced(text, "stdout", out.text);
    appendFenced(text, "stderr", err.text);
    text += "execution_id: " + record.id.text();
    if (!out.complete || !err.complete)
        text += " (get_execution with stream, offset and limit reads the rest that is kept)";

    Json& json = answer.structured;
    json["success"] = record.status == Status::Succeeded;
    json["stdout"] = out.text;
    json["stderr"] = err.text;
    json["exit_code"] = record.exitCode ? Json(*record.exitCode) : Json();
    json["execution_time_ms"] = record.executionTime.count();
    json["memory_used_mb"] =
        std::round(static_cast<double>(record.memoryPeakBytes) / kBytesPerMb * 10) / 10;
    json["execution_id"] = record.id.text();
    json["status"] = execution::statusTraits(record.status).name;
    json["timed_out"] = record.timedOut;
    json["oom_killed"] = record.oomKilled;
    json["output_truncated"] = !out.complete || !err.complete || record.outputTruncated;
    json["cpu_time_ms"] = record.cpuTime.count();
    json["queue_ms"] = record.queueTime.count();
    json["approval_ms"] = record.approvalTime.count();
    json["findings"] = Json::array();
    for (const analysis::Finding& finding : shownFindings(snapshot.report))
        json["findings"].push_back(analysis::toJson(finding));
    json["decision"] = decisionJson(snapshot);
    json["files"] = filesJson(snapshot);
    json["error"] = textOrNull(record.error);
    json["signal"] = record.signal ? Json(execution::signalName(*record.signal)) : Json();
    json["notes"] = notes;
    json["stdout_bytes"] = record.standardOutput.totalBytes;
    json["stderr_bytes"] = record.standardError.totalBytes;
    json["stdout_lines"] = record.standardOutput.totalLines;
    json["stderr_lines"] = record.standardError.totalLines;
    json["invalid_bytes"] = invalidBytes;
    return answer;
}

std::string fileUri(const ExecutionId& id, std::size_t place)
{
    return "belljar://executions/" + id.text() + "/files/" + std::to_string(place);
}

Json fileBlocks(const execution::Snapshot& snapshot)
{
    Json blocks = Json::array();
    const auto& files = snapshot.files.files;
    for (std::size_t place = 0; place < files.size(); ++place) {
        const execution::RunFile& file = files[place];
        if (file.fate != execution::FileFate::Kept)
            continue;
        const std::string_view type = execution::mediaTypeOf(file.kind);
        if (file.bytes && execution::isPicture(file.kind))
            blocks.push_back(imageBlock(*file.bytes, type));
        blocks.push_back(resourceLink(
            fileUri(snapshot.record.id, place), execution::shownName(file.name), type, file.size
        ));
    }
    return blocks;
}

Answer answerForRange(
    Answer answer,
    const execution::Snapshot& snapshot,
    Stream stream,
    std::uint64_t offset,
    std::uint64_t limit
)
{
    const StreamTotals totals = totalsNow(snapshot, stream);
    const std::string range = streamRange(snapshot.output, stream, offset, limit);
    const std::string name = stream == Stream::Stdout ? "stdout" : "stderr";
    answer.structured["stdout"] = stream == Stream::Stdout ? range : std::string();
    answer.structured["stderr"] = stream == Stream::Stderr ? range : std::string();
    answer.structured["output_truncated"] =
        snapshot.record.outputTruncated || offset > 0 || limit < totals.totalBytes;
    answer.text = name + ": up to " + groupedDigits(limit) + " bytes from byte " +
                  groupedDigits(offset) + " of " + groupedDigits(totals.totalBytes) + "\n";
    appendFenced(answer.text, name, range);
    answer.text += "execution_id: " + snapshot.record.id.text() + " (" +
                   std::string(execution::statusTraits(snapshot.record.status).name) + ")";
    return answer;
}

Answer answerForProblem(const std::string& message)
{
    Answer answer;
    answer.text = "error: " + escapeUnusual(message) + "\nNothing was run.";
    execution::Snapshot nothing;
    nothing.record.status = Status::Error;
    nothing.record.error = message;
    answer.structured = answerFor(nothing, 0, {}).structured;
    answer.structured["execution_id"] = Json();
    return answer;
}

Json resultSchema()
{
    struct Member {
        const char* name;
        Json type;
        const char* description;
    };
    const Json textOrNone = Json::array({"string", "null"});
    const std::array members{
        Member{"success", "boolean", "The program ended with exit code 0"},
        Member{
            "stdout",
            "string",
            "What it wrote to stdout, shortened in the middle when output_truncated"},
        Member{"stderr", "string", "What it wrote to stderr, likewise"},
        Member{
            "exit_code",
            Json::array({"integer", "null"}),
            "null when it has none: not ended, timed out, cancelled"},
        Member{"execution_time_ms", "integer", "Time in the sandbox"},
        Member{"memory_used_mb", "number", "Peak memory of all its processes"},
        Member{"execution_id", textOrNone, "For get_execution; null when nothing was run"},
        Member{
            "status",
            "string",
            "received, analysing, awaiting_approval, queued, running, succeeded, failed, "
            "timed_out, "
            "out_of_memory, rejected, cancelled, interrupted, error"},
        Member{"timed_out", "boolean", "It reached its time limit; output up to then is kept"},
        Member{"oom_killed", "boolean", "The memory limit was hit and a process killed"},
        Member{"output_truncated", "boolean", "Some of its output is not in this answer"},
        Member{"cpu_time_ms", "integer", "Processor time of all its processes"},
        Member{"queue_ms", "integer", "Time it waited for a sandbox"},
        Member{"approval_ms", "integer", "Time it waited for a person"},
        Member{"findings", "array", "What static analysis found"},
        Member{
            "decision",
            Json::array({"object", "null"}),
            "What the user's policy said, by which rule, and who settled it"},
        Member{"files", "array", "Files that it left"},
        Member{"error", textOrNone, "Why Belljar could not do it, or why it was cancelled"},
        Member{"signal", textOrNone, "The signal that ended it"},
        Member{"notes", "array", "Sentences that explain the result"},
        Member{"stdout_bytes", "integer", "Bytes that it wrote to stdout in all"},
        Member{"stderr_bytes", "integer", "Bytes that it wrote to stderr in all"},
        Member{"stdout_lines", "integer", "Lines that it wrote to stdout in all"},
        Member{"stderr_lines", "integer", "Lines that it wrote to stderr in all"},
        Member{"invalid_bytes", "integer", "Bytes of the kept output that were not UTF-8"},
    };
    Json schema;
    schema["type"] = "object";
    schema["required"] = Json::array();
    for (const Member& member : members) {
        schema["properties"][member.name]["type"] = member.type;
        schema["properties"][member.name]["description"] = member.description;
        schema["required"].push_back(member.name);
    }
    schema["properties"]["attached_to"]["type"] = "string";
    schema["properties"]["attached_to"]["description"] =
        "The execution that this repeated call joined";
    return schema;
}

} // namespace belljar::mcp
