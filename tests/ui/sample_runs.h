// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/events.h"
#include "engine/execution/execution.h"

#include <string>
#include <vector>

namespace belljar::test {

/// A run as the engine tells of it.
inline execution::Record sampleRun(
    std::int64_t sequence, execution::Status status, const std::string& client = "Claude Code"
)
{
    execution::Record record;
    record.id = ExecutionId("ex_" + std::to_string(sequence));
    record.sequence = sequence;
    record.client.name = client;
    record.client.version = "2.1";
    record.client.protocolRevision = "2025-11-25";
    record.language = "python";
    record.codeSha256 = std::string(64, 'a');
    record.codeBytes = 10;
    record.firstLine = "print(" + std::to_string(sequence) + ")";
    record.status = status;
    record.image = "belljar/python";
    record.receivedAt = execution::unixNow() - 1000 * (100 - sequence);
    if (status != execution::Status::Received && status != execution::Status::Queued) {
        record.startedAt = record.receivedAt + 20;
        record.executionTime = execution::milliseconds(37 * sequence % 4000 + 12);
        record.memoryPeakBytes = static_cast<std::uint64_t>(9 + sequence * 13 % 400) << 20U;
    }
    if (status == execution::Status::Succeeded)
        record.exitCode = 0;
    if (status == execution::Status::Failed)
        record.exitCode = 1;
    return record;
}

} // namespace belljar::test
