// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mcp/offer.h"

#include <functional>
#include <memory>
#include <string>

/// What the official conformance suite asks of a server, by its exact names (shared/mcp/
/// CONFORMANCE.md section 4).
namespace belljar::conformance {

using ToolHandler =
    std::function<asio::awaitable<mcp::ToolReply>(std::shared_ptr<mcp::Call>, Json arguments)>;

/// A tool whose arguments are the `properties` (JSON text), of which `required` (a JSON list) have
/// to be there.
mcp::Tool makeTool(
    std::string name,
    std::string description,
    ToolHandler handler,
    const char* properties = "{}",
    const char* required = "[]"
);

[[nodiscard]] mcp::ToolResult textResult(std::string text);
/// A request to the client for a text.
[[nodiscard]] Json samplingRequest(const std::string& prompt, int maxTokens);
/// A form with one required field `name` of `type`.
[[nodiscard]] Json
formRequest(const std::string& message, const std::string& name, const std::string& type);
/// The field `name` of the form that `key` asked for; null: it isn't there, or not of `type`.
[[nodiscard]] Json answered(
    const mcp::Call& call, const std::string& key, const std::string& name, Json::value_t type
);

/// Sections 4.1 to 4.4 and 4.7: tools, resources, prompts.
void addFixtures(mcp::Offer& offer);
/// Section 4.5: what asks for input.
void addInputFixtures(mcp::Offer& offer);
/// Section 4.6: what goes on as a task.
void addTaskFixtures(mcp::Offer& offer);

} // namespace belljar::conformance
