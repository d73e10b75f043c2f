// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/ids.h"
#include "engine/base/json.h"
#include "engine/execution/execution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The log of everything that matters, each row bound to the one before by its hash (R-110 to
///
namespace belljar::audit {

using execution::UnixMs;

/// What happened. Names: nameOf().
enum class Type : std::uint8_t {
    EngineStarted,
    EngineStopped,
    ClientConnected,
    ClientDisconnected,
    RequestReceived,
    Decided,          ///< by the policy or a remembered decision, with the rules
    ApprovalAsked,    ///< a person is asked
    ApprovalAnswered, ///< by whom, after how long, with which edit
    ExecutionStarted, ///< with the hash that was computed in the sandbox
    ExecutionEnded,
    PolicyChanged,
    PolicyRefused, ///< a broken or loosened file that did not take effect
    AssignmentChanged,
    DecisionRemembered,
    DecisionRevoked,
    SessionStopped,
    SessionLifted,
    RunsPaused, ///< nothing new enters a sandbox
    RunsResumed,
    HistoryDeleted, ///< a person deleted an execution from the history; its rows of this log stay
    ClientBlocked,  ///< its calls are refused until it is unblocked
    ClientUnblocked,
    ImageBuilt, ///< what programs of a language run in, by a person
    ImageRemoved,
    ImageUsed,       ///< another image than the shipped one, or the shipped one again
    SettingsChanged, ///< of the engine, by a person
    TokenRotated,    ///< of HTTP clients, likewise
    ChainBroken,     ///< first row of a segment that follows damage
};

/// "engine_started", "approval_answered", ...
[[nodiscard]] std::string_view nameOf(Type type);
[[nodiscard]] std::optional<Type> typeFromName(std::string_view name);

/// A row before it is written.
struct Entry {
    Type type = Type::EngineStarted;
    UnixMs at = execution::unixNow();
    ExecutionId execution; ///< that it is about, or empty
    ClientId client;       ///< likewise
    Json detail = Json::object();
};

/// A row as it stands in the log.
struct Row {
    std::int64_t sequence = 0; ///< from 1, without gaps
    UnixMs at = 0;
    std::string type; ///< text: a newer Belljar may have written it
    std::string execution;
    std::string client;
    std::string detail;   ///< canonical JSON: keys sorted, no spaces
    std::string previous; ///< hash of the row before, 64 hex digits; of the first row 64 zeros
    std::string hash;     ///< SHA-256 over all of the above

    friend bool operator==(const Row&, const Row&) = default;
};

} // namespace belljar::audit
