// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/executions.h"
#include "engine/mcp/execution_tools.h"
#include "engine/mcp/offer.h"
#include "engine/policy/policy.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What can be read of the product besides calling its tools.
namespace belljar::mcp {

/// Where they come from; all have to live longer than the offer.
struct ResourceParts {
    execution::Executions* executions = nullptr;
    std::vector<LanguageInfo> languages;
    /// The policy in force for who isn't anybody in particular.
    std::function<std::shared_ptr<const policy::Named>()> policy;
    /// The bytes of the file at `place` of an ended run.
    std::function<asio::awaitable<Result<std::string>>(ExecutionId id, std::size_t place)>
        fileBytes;
    std::function<asio::awaitable<Result<std::vector<execution::Sample>>>(ExecutionId id)> samples;
    std::string view; ///< HTML that shows a run inside clients which render apps (MCP Apps)
};

inline constexpr const char* kPolicyUri = "belljar://policy";
inline constexpr const char* kLanguagesUri = "belljar://languages";
inline constexpr const char* kViewUri = "ui://belljar/execution";

/// "belljar://executions/ex_...".
[[nodiscard]] std::string executionUri(const ExecutionId& id);

/// belljar://policy and belljar://languages; executions with their streams, samples and files, each
/// for the client that asked for it; ui://belljar/execution.
void addResources(Offer& offer, ResourceParts parts);

/// Ready-made requests: verify a function, analyse data, debug an algorithm.
void addPrompts(Offer& offer, const std::vector<LanguageInfo>& languages);

} // namespace belljar::mcp
