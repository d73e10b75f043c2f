// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execution/execution.h"

#include "engine/base/text.h"

#include <array>

namespace belljar::execution {

namespace {

constexpr std::size_t kFirstLineBytes = 200;

constexpr std::array kStatusTable{
    StatusTraits{Status::Received, "received", "Received", false},
    StatusTraits{Status::Analysing, "analysing", "Analysing", false},
    StatusTraits{Status::AwaitingApproval, "awaiting_approval", "Waiting for you", false},
    StatusTraits{Status::Queued, "queued", "Queued", false},
    StatusTraits{Status::Running, "running", "Running", false},
    StatusTraits{Status::Succeeded, "succeeded", "Succeeded", true},
    StatusTraits{Status::Failed, "failed", "Failed", true},
    StatusTraits{Status::TimedOut, "timed_out", "Timed out", true},
    StatusTraits{Status::OutOfMemory, "out_of_memory", "Out of memory", true},
    StatusTraits{Status::OutputLimit, "output_limit", "Output limit", true},
    StatusTraits{Status::Rejected, "rejected", "Rejected", true},
    StatusTraits{Status::Cancelled, "cancelled", "Cancelled", true},
    StatusTraits{Status::Interrupted, "interrupted", "Interrupted", true},
    StatusTraits{Status::Error, "error", "Error", true},
};

constexpr std::array<std::string_view, 3> kVerdicts{"allow", "ask", "deny"};
constexpr std::array<std::string_view, 7> kDecidedBy{
    "nobody", "policy", "remembered", "person", "client", "timeout", "engine"};
constexpr std::array<std::string_view, 2> kSeccomps{"belljar", "engine"};

/// The value whose name stands at its place in `names`.
template <class Named, std::size_t Count>
std::optional<Named>
fromName(const std::array<std::string_view, Count>& names, std::string_view name)
{
    for (std::size_t at = 0; at < Count; ++at) {
        if (names.at(at) == name)
            return static_cast<Named>(at);
    }
    return {};
}

} // namespace

std::string_view nameOf(Verdict verdict)
{
    return kVerdicts.at(static_cast<std::size_t>(verdict));
}

std::optional<Verdict> verdictFromName(std::string_view name)
{
    return fromName<Verdict>(kVerdicts, name);
}

std::string_view nameOf(DecidedBy decidedBy)
{
    return kDecidedBy.at(static_cast<std::size_t>(decidedBy));
}

std::optional<DecidedBy> decidedByFromName(std::string_view name)
{
    return fromName<DecidedBy>(kDecidedBy, name);
}

std::string_view nameOf(Seccomp seccomp)
{
    return kSeccomps.at(static_cast<std::size_t>(seccomp));
}

std::optional<Seccomp> seccompFromName(std::string_view name)
{
    return fromName<Seccomp>(kSeccomps, name);
}

UnixMs unixNow()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<milliseconds>(now).count();
}

const StatusTraits& statusTraits(Status status)
{
    return kStatusTable.at(static_cast<std::size_t>(status));
}

std::optional<Status> statusFromName(std::string_view name)
{
    for (const StatusTraits& row : kStatusTable) {
        if (row.name == name)
            return row.status;
    }
    return {};
}

std::string firstLineOf(std::string_view code)
{
    while (!code.empty()) {
        const std::size_t end = code.find_first_of("\r\n");
        std::string_view line = code.substr(0, end);
        const std::size_t start = line.find_first_not_of(" \t");
        if (start != std::string_view::npos) {
            // Escaping can only lengthen, so cut before and after: the work and the result stay
            // bounded.
            const std::string safe =
                escapeForLine(prefixWithin(line.substr(start), kFirstLineBytes));
            return std::string(prefixWithin(safe, kFirstLineBytes));
        }
        if (end == std::string_view::npos)
            break;
        code.remove_prefix(end + 1);
    }
    return {};
}

Record receivedRecord(const Request& request)
{
    Record record;
    record.id = request.id;
    record.client = request.client;
    record.language = request.language;
    record.codeSha256 = request.codeSha256;
    record.codeBytes = request.code->size();
    record.firstLine = firstLineOf(*request.code);
    record.args = request.args;
    record.receivedAt = unixNow();
    return record;
}

} // namespace belljar::execution
