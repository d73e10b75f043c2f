// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/row.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <SQLiteCpp/Column.h>

namespace belljar::store {

namespace {

using execution::Record;
using execution::Status;

// One pair of functions per kind of value.

void bindValue(SQLite::Statement& to, int at, const std::string& value)
{
    to.bind(at, value);
}
void readValue(const SQLite::Column& from, std::string& value)
{
    value = from.getString();
}

template <class Tag>
void bindValue(SQLite::Statement& to, int at, const Id<Tag>& value)
{
    to.bind(at, value.text());
}
template <class Tag>
void readValue(const SQLite::Column& from, Id<Tag>& value)
{
    value = Id<Tag>(from.getString());
}

template <class Whole>
requires std::is_integral_v<Whole>
void bindValue(SQLite::Statement& to, int at, Whole value)
{
    to.bind(at, static_cast<std::int64_t>(value));
}
template <class Whole>
requires std::is_integral_v<Whole>
void readValue(const SQLite::Column& from, Whole& value)
{
    value = static_cast<Whole>(from.getInt64());
}

void bindValue(SQLite::Statement& to, int at, execution::milliseconds value)
{
    to.bind(at, static_cast<std::int64_t>(value.count()));
}
void readValue(const SQLite::Column& from, execution::milliseconds& value)
{
    value = execution::milliseconds(from.getInt64());
}

void bindValue(SQLite::Statement& to, int at, Status value)
{
    to.bind(at, std::string(execution::statusTraits(value).name));
}
void readValue(const SQLite::Column& from, Status& value)
{
    // A name that this program doesn't know can only be damage: the schema's version guards the
    // rest.
    value = execution::statusFromName(from.getString()).value_or(Status::Error);
}

void bindValue(SQLite::Statement& to, int at, execution::Verdict value)
{
    to.bind(at, std::string(execution::nameOf(value)));
}
void readValue(const SQLite::Column& from, execution::Verdict& value)
{
    // The strictest, should it be damaged.
    value = execution::verdictFromName(from.getString()).value_or(execution::Verdict::Deny);
}
void bindValue(SQLite::Statement& to, int at, execution::DecidedBy value)
{
    to.bind(at, std::string(execution::nameOf(value)));
}
void readValue(const SQLite::Column& from, execution::DecidedBy& value)
{
    value = execution::decidedByFromName(from.getString()).value_or(execution::DecidedBy::Nobody);
}
void bindValue(SQLite::Statement& to, int at, execution::Seccomp value)
{
    to.bind(at, std::string(execution::nameOf(value)));
}
void readValue(const SQLite::Column& from, execution::Seccomp& value)
{
    value = execution::seccompFromName(from.getString()).value_or(execution::Seccomp::Belljar);
}

void bindValue(SQLite::Statement& to, int at, const std::vector<std::string>& value)
{
    to.bind(at, joinTexts(value));
}
void readValue(const SQLite::Column& from, std::vector<std::string>& value)
{
    value = splitTexts(from.getString());
}

template <class T>
void bindValue(SQLite::Statement& to, int at, const std::optional<T>& value)
{
    if (value)
        bindValue(to, at, *value);
    else
        to.bind(at);
}
template <class T>
void readValue(const SQLite::Column& from, std::optional<T>& value)
{
    value.reset();
    if (!from.isNull())
        readValue(from, value.emplace());
}

struct RecordColumn {
    const char* name;
    void (*bind)(SQLite::Statement& to, int at, const Record& record);
    void (*read)(const SQLite::Column& from, Record& record);
};

/// `Member` is a stateless lambda that names one member of a record, constant or not.
template <class Member>
constexpr RecordColumn column(const char* name, Member /*member*/)
{
    return {
        name,
        [](SQLite::Statement& to, int at, const Record& record) {
            bindValue(to, at, Member{}(record));
        },
        [](const SQLite::Column& from, Record& record) { readValue(from, Member{}(record)); }};
}

// clang-format off
constexpr std::array kColumns{
    column("id", [](auto& r) -> auto& { return r.id; }),
    column("status", [](auto& r) -> auto& { return r.status; }),
    column("language", [](auto& r) -> auto& { return r.language; }),
    column("first_line", [](auto& r) -> auto& { return r.firstLine; }),
    column("client_name", [](auto& r) -> auto& { return r.client.name; }),
    column("received_at", [](auto& r) -> auto& { return r.receivedAt; }),
    column("analysed_at", [](auto& r) -> auto& { return r.analysedAt; }),
    column("decided_at", [](auto& r) -> auto& { return r.decidedAt; }),
    column("queued_at", [](auto& r) -> auto& { return r.queuedAt; }),
    column("started_at", [](auto& r) -> auto& { return r.startedAt; }),
    column("first_output_at", [](auto& r) -> auto& { return r.firstOutputAt; }),
    column("ended_at", [](auto& r) -> auto& { return r.endedAt; }),
    column("execution_ms", [](auto& r) -> auto& { return r.executionTime; }),
    column("cpu_ms", [](auto& r) -> auto& { return r.cpuTime; }),
    column("queue_ms", [](auto& r) -> auto& { return r.queueTime; }),
    column("approval_ms", [](auto& r) -> auto& { return r.approvalTime; }),
    column("memory_peak_bytes", [](auto& r) -> auto& { return r.memoryPeakBytes; }),
    column("exit_code", [](auto& r) -> auto& { return r.exitCode; }),
    column("signal", [](auto& r) -> auto& { return r.signal; }),
    column("timed_out", [](auto& r) -> auto& { return r.timedOut; }),
    column("oom_killed", [](auto& r) -> auto& { return r.oomKilled; }),
    column("output_truncated", [](auto& r) -> auto& { return r.outputTruncated; }),
    column("left_processes", [](auto& r) -> auto& { return r.leftProcesses; }),
    column("code_sha256", [](auto& r) -> auto& { return r.codeSha256; }),
    column("code_bytes", [](auto& r) -> auto& { return r.codeBytes; }),
    column("args", [](auto& r) -> auto& { return r.args; }),
    column("client_id", [](auto& r) -> auto& { return r.client.id; }),
    column("client_title", [](auto& r) -> auto& { return r.client.title; }),
    column("client_version", [](auto& r) -> auto& { return r.client.version; }),
    column("client_transport", [](auto& r) -> auto& { return r.client.transport; }),
    column("client_protocol_revision", [](auto& r) -> auto& { return r.client.protocolRevision; }),
    column("client_pid", [](auto& r) -> auto& { return r.client.pid; }),
    column("client_executable", [](auto& r) -> auto& { return r.client.executable; }),
    column("client_connected_at", [](auto& r) -> auto& { return r.client.connectedAt; }),
    column("limit_timeout_ms", [](auto& r) -> auto& { return r.limits.timeout; }),
    column("limit_memory_bytes", [](auto& r) -> auto& { return r.limits.memoryBytes; }),
    column("limit_cpu_millis", [](auto& r) -> auto& { return r.limits.cpuMillis; }),
    column("limit_pids", [](auto& r) -> auto& { return r.limits.pids; }),
    column("limit_output_bytes", [](auto& r) -> auto& { return r.limits.outputBytes; }),
    column("limit_workspace_bytes", [](auto& r) -> auto& { return r.limits.workspaceBytes; }),
    column("limit_tmp_bytes", [](auto& r) -> auto& { return r.limits.tmpBytes; }),
    column("image", [](auto& r) -> auto& { return r.image; }),
    column("image_digest", [](auto& r) -> auto& { return r.imageDigest; }),
    column("container_id", [](auto& r) -> auto& { return r.containerId; }),
    column("settings_sha256", [](auto& r) -> auto& { return r.settingsSha256; }),
    column("stdout_total_bytes", [](auto& r) -> auto& { return r.standardOutput.totalBytes; }),
    column("stdout_total_lines", [](auto& r) -> auto& { return r.standardOutput.totalLines; }),
    column("stdout_kept_bytes", [](auto& r) -> auto& { return r.standardOutput.keptBytes; }),
    column("stdout_invalid_bytes", [](auto& r) -> auto& { return r.standardOutput.invalidBytes; }),
    column("stderr_total_bytes", [](auto& r) -> auto& { return r.standardError.totalBytes; }),
    column("stderr_total_lines", [](auto& r) -> auto& { return r.standardError.totalLines; }),
    column("stderr_kept_bytes", [](auto& r) -> auto& { return r.standardError.keptBytes; }),
    column("stderr_invalid_bytes", [](auto& r) -> auto& { return r.standardError.invalidBytes; }),
    column("policy", [](auto& r) -> auto& { return r.policy; }),
    column("policy_version", [](auto& r) -> auto& { return r.policyVersion; }),
    column("verdict", [](auto& r) -> auto& { return r.verdict; }),
    column("decided_by", [](auto& r) -> auto& { return r.decidedBy; }),
    column("reasons", [](auto& r) -> auto& { return r.reasons; }),
    column("deciding_rule", [](auto& r) -> auto& { return r.decidingRule; }),
    column("remembered", [](auto& r) -> auto& { return r.remembered; }),
    column("comment", [](auto& r) -> auto& { return r.comment; }),
    column("ran_sha256", [](auto& r) -> auto& { return r.ranSha256; }),
    column("findings", [](auto& r) -> auto& { return r.findings; }),
    column("worst_finding", [](auto& r) -> auto& { return r.worstFinding; }),
    column("container_read_only_root", [](auto& r) -> auto& { return r.container.readOnlyRoot; }),
    column("container_seccomp", [](auto& r) -> auto& { return r.container.seccomp; }),
    column("container_runtime", [](auto& r) -> auto& { return r.container.runtime; }),
    column("notes", [](auto& r) -> auto& { return r.notes; }),
    column("error", [](auto& r) -> auto& { return r.error; }),
};
// clang-format on

enum class Names : std::uint8_t { Shown, Hidden };

std::string listOfColumns(Names names, std::string_view after)
{
    std::string list;
    for (const RecordColumn& column : kColumns) {
        if (!list.empty())
            list += ", ";
        if (names == Names::Shown)
            list += column.name;
        list += after;
    }
    return list;
}

} // namespace

std::string recordColumns()
{
    return listOfColumns(Names::Shown, "");
}

std::string recordPlaceholders()
{
    return listOfColumns(Names::Hidden, "?");
}

std::string recordAssignments()
{
    return listOfColumns(Names::Shown, " = ?");
}

int bindRecord(SQLite::Statement& statement, const Record& record)
{
    int at = 1;
    for (const RecordColumn& column : kColumns)
        column.bind(statement, at++, record);
    return at;
}

Record readRecord(SQLite::Statement& row)
{
    Record record;
    int at = 0;
    record.sequence = row.getColumn(at++).getInt64();
    for (const RecordColumn& column : kColumns)
        column.read(row.getColumn(at++), record);
    return record;
}

std::string joinTexts(const std::vector<std::string>& texts)
{
    std::string joined;
    for (const std::string& text : texts)
        joined.append(std::to_string(text.size())).append(":").append(text).append(",");
    return joined;
}

std::vector<std::string> splitTexts(std::string_view joined)
{
    std::vector<std::string> texts;
    while (!joined.empty()) {
        std::size_t size = 0;
        const char* end = joined.data() + joined.size();
        const auto [colon, failed] = std::from_chars(joined.data(), end, size);
        if (failed != std::errc() || colon == end || *colon != ':')
            break;
        joined.remove_prefix(static_cast<std::size_t>(colon - joined.data()) + 1);
        if (size >= joined.size() || joined[size] != ',')
            break;
        texts.emplace_back(joined.substr(0, size));
        joined.remove_prefix(size + 1);
    }
    return texts;
}

} // namespace belljar::store
