// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/entry.h"

#include <array>

namespace belljar::audit {

namespace {

struct Name {
    Type type;
    std::string_view text;
};

/// In the order of the enum. Names are on disk: one is never changed.
constexpr std::array kNames{
    Name{Type::EngineStarted, "engine_started"},
    Name{Type::EngineStopped, "engine_stopped"},
    Name{Type::ClientConnected, "client_connected"},
    Name{Type::ClientDisconnected, "client_disconnected"},
    Name{Type::RequestReceived, "request_received"},
    Name{Type::Decided, "decided"},
    Name{Type::ApprovalAsked, "approval_asked"},
    Name{Type::ApprovalAnswered, "approval_answered"},
    Name{Type::ExecutionStarted, "execution_started"},
    Name{Type::ExecutionEnded, "execution_ended"},
    Name{Type::PolicyChanged, "policy_changed"},
    Name{Type::PolicyRefused, "policy_refused"},
    Name{Type::AssignmentChanged, "assignment_changed"},
    Name{Type::DecisionRemembered, "decision_remembered"},
    Name{Type::DecisionRevoked, "decision_revoked"},
    Name{Type::SessionStopped, "session_stopped"},
    Name{Type::SessionLifted, "session_lifted"},
    Name{Type::RunsPaused, "runs_paused"},
    Name{Type::RunsResumed, "runs_resumed"},
    Name{Type::HistoryDeleted, "history_deleted"},
    Name{Type::ClientBlocked, "client_blocked"},
    Name{Type::ClientUnblocked, "client_unblocked"},
    Name{Type::ImageBuilt, "image_built"},
    Name{Type::ImageRemoved, "image_removed"},
    Name{Type::ImageUsed, "image_used"},
    Name{Type::SettingsChanged, "settings_changed"},
    Name{Type::TokenRotated, "token_rotated"},
    Name{Type::ChainBroken, "chain_broken"},
};

constexpr bool inOrder()
{
    for (std::size_t index = 0; index < kNames.size(); ++index) {
        if (static_cast<std::size_t>(kNames[index].type) != index)
            return false;
    }
    return kNames.size() == static_cast<std::size_t>(Type::ChainBroken) + 1;
}
static_assert(inOrder());

} // namespace

std::string_view nameOf(Type type)
{
    return kNames[static_cast<std::size_t>(type)].text;
}

std::optional<Type> typeFromName(std::string_view name)
{
    for (const Name& known : kNames) {
        if (known.text == name)
            return known.type;
    }
    return std::nullopt;
}

} // namespace belljar::audit
