// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"
#include "engine/policy/policy.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Questions that the policy leaves to a person, and what was answered.
namespace belljar::approval {

/// How the code that is asked about compares with earlier runs of the same client.
struct Precedent {
    std::uint64_t runs = 0;    ///< of this client, earlier
    std::uint64_t allowed = 0; ///< of them
    execution::UnixMs lastAt = 0;
    std::uint64_t sameCodeRuns = 0; ///< of exactly this code, by anybody
    ExecutionId previous; ///< the last allowed run of this client in this language, or empty
    std::shared_ptr<const std::string> previousCode;
    friend bool operator==(const Precedent&, const Precedent&) = default;
};

/// A scope that may be remembered, with what it would have matched of the last runs.
struct ScopeOffer {
    policy::Scope scope = policy::Scope::ThisCode;
    std::string words; ///< "python.network by Claude Code, with no finding beyond it"
    std::uint64_t wouldHaveMatched = 0;
    std::uint64_t of = 0;
    friend bool operator==(const ScopeOffer&, const ScopeOffer&) = default;
};

/// A question that waits for a person. Identical ones of one client are one question (UX.md rule
/// 9).
struct Approval {
    ExecutionId id;                 ///< of the first that asked
    std::vector<ExecutionId> alike; ///< the others
    execution::Client client;
    std::string language;
    std::string languageTitle;
    std::shared_ptr<const std::string> code; ///< as it was received
    std::string codeSha256;
    std::vector<std::string> args;
    std::uint64_t standardInputBytes = 0;
    std::string standardInputSha256;
    policy::Decision decision; ///< why it is asked, what it would run with, the findings
    std::string policyName;
    std::int64_t policyVersion = 0;
    std::string image;
    std::string imageDigest;
    Precedent precedent;
    std::vector<ScopeOffer> offers; ///< empty: this can't be remembered (R-97)
    execution::UnixMs askedAt = 0;
    std::optional<execution::UnixMs> rejectedAt; ///< when it is rejected by itself; nothing: held
    std::optional<execution::UnixMs>
        clientWaitsUntil; ///< nothing: its call has been answered already
    friend bool operator==(const Approval&, const Approval&) = default;
};

/// For how long and for whom an answer stands.
struct Remember {
    policy::Scope scope = policy::Scope::ThisCode;
    bool sessionOnly = false;
    std::optional<std::chrono::seconds> lasts; ///< nothing: until it is revoked
};
} // namespace belljar::approval
