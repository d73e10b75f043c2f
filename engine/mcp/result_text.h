// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/execution/execution.h"
#include "engine/execution/executions.h"

#include <cstdint>
#include <string>
#include <vector>

/// What a model and a program get to see of an execution: DESIGN.md sections 5 and 7.
namespace belljar::mcp {

/// One stream as it is answered: valid UTF-8, shortened in the middle where it has to be.
struct StreamText {
    std::string text;
    bool complete = true; ///< nothing the program wrote is missing
    std::uint64_t missingBytes = 0;
};

/// The text of `stream` from the kept `chunks`, at most about `maxBytes` long, and as JSON at most
/// about twice that: two thirds from its head, one from its tail, cut between characters and at
/// line ends where there are some. `totals` says how much there was.
[[nodiscard]] StreamText streamText(
    const std::vector<execution::OutputChunk>& chunks,
    execution::Stream stream,
    const execution::StreamTotals& totals,
    std::size_t maxBytes
);

/// The bytes `offset` to `offset + limit` of what is kept of `stream`, as text; the two sides of a
/// gap are decoded each for itself.
[[nodiscard]] std::string streamRange(
    const std::vector<execution::OutputChunk>& chunks,
    execution::Stream stream,
    std::uint64_t offset,
    std::uint64_t limit
);

struct Answer {
    std::string text;
    Json structured;
};

/// The whole answer about `snapshot`. `hints` are sentences about the call, not the run ("joined
/// ...").
[[nodiscard]] Answer answerFor(
    const execution::Snapshot& snapshot,
    std::size_t maxOutputBytes,
    const std::vector<std::string>& hints
);

/// `answer` with the bytes `offset` to `offset + limit` of one stream in place of all output. Like
/// all output, they stand in a fence after a line of Belljar's own.
[[nodiscard]] Answer answerForRange(
    Answer answer,
    const execution::Snapshot& snapshot,
    execution::Stream stream,
    std::uint64_t offset,
    std::uint64_t limit
);

/// Where the file at `place` of the execution's files can be read.
[[nodiscard]] std::string fileUri(const ExecutionId& id, std::size_t place);

/// Content blocks for the files that the program left: small pictures themselves, and where to read
/// each that is kept.
[[nodiscard]] Json fileBlocks(const execution::Snapshot& snapshot);

/// The answer to a call that couldn't be made: `message` says what is allowed.
[[nodiscard]] Answer answerForProblem(const std::string& message);

/// The JSON Schema that every structured answer satisfies.
[[nodiscard]] Json resultSchema();

} // namespace belljar::mcp
