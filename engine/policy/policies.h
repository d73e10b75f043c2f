// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/policy/policy.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// The policies there are, and who gets which: values.
namespace belljar::policy {

/// Which client gets which policy; the first that fits. Empty members fit every client.
struct Assignment {
    std::string clientName;
    std::string executable;
    std::string policy;
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

/// Who gets which policy.
struct Assignments {
    std::vector<Assignment> list; ///< the first that fits decides
    std::string otherwise;        ///< the default policy
    friend bool operator==(const Assignments&, const Assignments&) = default;
};

/// Reads the assignments' file. Errors: InvalidArgument with the member that is wrong.
Result<Assignments> parseAssignments(const std::string& text);

/// The name of the policy that decides for `client`.
[[nodiscard]] const std::string&
policyNameFor(const Assignments& assignments, const execution::Client& client);

/// The policy of a name, or null.
using FindPolicy = std::function<const Policy*(const std::string& name)>;

/// For whom another policy decides in `now`, and what that one allows more, in words; empty: it
/// loosens nothing. Every client that can be told apart is looked at.
[[nodiscard]] std::vector<std::string>
loosened(const Assignments& before, const Assignments& now, const FindPolicy& find);

/// One named policy as it stands.
struct PolicyState {
    std::string name;
    std::string title;
    std::int64_t version = 0; ///< in force
    std::string text;         ///< in force
    UnixMs since = 0;
    std::string author;
    bool shipped = false;          ///< one of ours, so that it can be reset and not be deleted
    std::vector<Problem> problems; ///< of the file, when it isn't what is in force (R-90)
    std::string pendingText; ///< changed on disk so that it loosens: waits for confirm() (R-88)
    std::vector<std::string> pendingLoosens;
    friend bool operator==(const PolicyState&, const PolicyState&) = default;
};

/// Everything of it at once.
struct Policies {
    std::vector<PolicyState> policies; ///< by name
    std::vector<Assignment> assignments;
    std::string defaultPolicy;
    std::string assignmentsProblem; ///< what is wrong with the file, while the last good one holds
    std::string pendingAssignmentsText; ///< changed on disk so that it loosens: as pendingText
    std::vector<std::string> pendingAssignments; ///< what that would loosen
    friend bool operator==(const Policies&, const Policies&) = default;
};

/// The name under which assignments are confirmed and kept in versions, beside the policies' own.
inline constexpr const char* kAssignmentsName = "@assignments";

} // namespace belljar::policy
