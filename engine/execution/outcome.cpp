// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/execution/outcome.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>

namespace belljar::execution {

namespace {

constexpr int kSignalBase = 128; // what shells add to a signal number to make an exit code of it

struct SignalRow {
    int signal;
    std::string_view name;
};

constexpr std::array kSignals{
    SignalRow{SIGHUP, "SIGHUP"},
    SignalRow{SIGINT, "SIGINT"},
    SignalRow{SIGQUIT, "SIGQUIT"},
    SignalRow{SIGILL, "SIGILL"},
    SignalRow{SIGTRAP, "SIGTRAP"},
    SignalRow{SIGABRT, "SIGABRT"},
    SignalRow{SIGBUS, "SIGBUS"},
    SignalRow{SIGFPE, "SIGFPE"},
    SignalRow{SIGKILL, "SIGKILL"},
    SignalRow{SIGUSR1, "SIGUSR1"},
    SignalRow{SIGSEGV, "SIGSEGV"},
    SignalRow{SIGUSR2, "SIGUSR2"},
    SignalRow{SIGPIPE, "SIGPIPE"},
    SignalRow{SIGALRM, "SIGALRM"},
    SignalRow{SIGTERM, "SIGTERM"},
    SignalRow{SIGXCPU, "SIGXCPU"},
    SignalRow{SIGXFSZ, "SIGXFSZ"},
    SignalRow{SIGSYS, "SIGSYS"},
};

Status statusOf(const sandbox::Exit& exit, bool cancelled)
{
    if (cancelled && exit.cancelled)
        return Status::Cancelled;
    if (exit.timedOut)
        return Status::TimedOut;
    if (exit.oomKills > 0 && exit.signal == SIGKILL)
        return Status::OutOfMemory;
    return exit.exitCode == 0 ? Status::Succeeded : Status::Failed;
}

std::string seconds(milliseconds span)
{
    std::string text = std::to_string(span.count() / 1000);
    if (const auto rest = span.count() % 1000; rest != 0) {
        std::string digits = std::to_string(1000 + rest).substr(1);
        digits.erase(digits.find_last_not_of('0') + 1);
        text += "." + digits;
    }
    return text + " s";
}

void addNotes(Record& record, const sandbox::Exit& exit)
{
    const auto note = [&record](std::string text) { record.notes.push_back(std::move(text)); };
    const std::string memoryLimit = humanBytes(record.limits.memoryBytes);
    if (record.status == Status::TimedOut)
        note(
            "Ended at its time limit of " + seconds(record.limits.timeout) +
            "; output up to then is kept."
        );
    if (record.status == Status::OutOfMemory)
        note(
            "Killed at its memory limit of " + memoryLimit + " (peak " +
            humanBytes(record.memoryPeakBytes) +
            "). Use less memory, for example by working in pieces."
        );
    else if (record.oomKilled)
        note(
            "The memory limit of " + memoryLimit +
            " was hit and a process of the program was killed for it."
        );
    if (record.status == Status::Failed && exit.signal)
        note("Ended by " + signalName(*exit.signal) + ".");
    if (record.status == Status::Failed && exit.signal == SIGSYS)
        note("A system call of another processor architecture was refused.");
    if (exit.leftProcesses > 0)
        note(
            std::to_string(exit.leftProcesses) +
            (exit.leftProcesses == 1 ? " process was" : " processes were") +
            " still running when the program ended; ended with it."
        );
}

} // namespace

std::string signalName(int signal)
{
    for (const SignalRow& row : kSignals) {
        if (row.signal == signal)
            return std::string(row.name);
    }
    return "signal " + std::to_string(signal);
}

void applyExit(Record& record, const sandbox::Exit& exit, bool cancelled)
{
    record.status = statusOf(exit, cancelled);
    record.executionTime = std::chrono::duration_cast<milliseconds>(exit.wall);
    record.cpuTime = std::chrono::duration_cast<milliseconds>(exit.cpu);
    record.memoryPeakBytes = exit.memoryPeakBytes;
    record.timedOut = record.status == Status::TimedOut;
    record.oomKilled = exit.oomKills > 0;
    record.leftProcesses = exit.leftProcesses;
    // How a program that we ended ended says nothing about the program.
    if (record.status != Status::TimedOut && record.status != Status::Cancelled) {
        record.signal = exit.signal;
        record.exitCode = exit.signal ? kSignalBase + *exit.signal : exit.exitCode;
    }
    const auto take = [](StreamTotals& totals, const StreamTotals& from) {
        const auto invalidBytes = totals.invalidBytes;
        totals = from;
        totals.invalidBytes = invalidBytes;
    };
    take(record.standardOutput, exit.standardOutput);
    take(record.standardError, exit.standardError);
    record.outputTruncated = exit.standardOutput.keptBytes < exit.standardOutput.totalBytes ||
                             exit.standardError.keptBytes < exit.standardError.totalBytes;
    addNotes(record, exit);
}

void applyReport(Record& record, const analysis::Report& report)
{
    record.findings = static_cast<std::uint32_t>(report.findings.size());
    const auto worst = std::max_element(
        report.findings.begin(),
        report.findings.end(),
        [](const analysis::Finding& one, const analysis::Finding& other) {
            return one.severity < other.severity;
        }
    );
    record.worstFinding =
        worst == report.findings.end() ? "" : std::string(analysis::nameOf(worst->severity));
}

void applyReasons(Record& record, const std::vector<policy::Reason>& reasons)
{
    record.decidingRule = reasons.empty() ? "" : reasons.front().rule;
    record.reasons.clear();
    for (const policy::Reason& reason : reasons)
        record.reasons.push_back(reason.words);
}

std::string rejectionText(DecidedBy by, const std::string& reason, const std::string& comment)
{
    struct Row {
        DecidedBy by;
        std::string_view words;
    };
    constexpr std::array kRows{
        Row{DecidedBy::Policy, "Rejected by the policy"},
        Row{DecidedBy::Remembered, "Rejected by a decision that the person has made before"},
        Row{DecidedBy::Person, "Rejected by the person at Belljar"},
        Row{DecidedBy::Client, "Rejected by the person at the client"},
        Row{DecidedBy::Timeout, "Rejected since nobody answered"},
    };
    const auto* row =
        std::find_if(kRows.begin(), kRows.end(), [by](const Row& one) { return one.by == by; });
    std::string text(row == kRows.end() ? std::string_view("Rejected by Belljar") : row->words);
    if (!reason.empty())
        text += ": " + reason;
    if (!comment.empty())
        text += ". The person says: " + comment;
    return text;
}

} // namespace belljar::execution
