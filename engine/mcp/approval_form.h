// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/execution/elicitation.h"

#include <string>

namespace belljar::mcp {

/// The request `elicitation/create` that asks for leave to run a program.
[[nodiscard]] Json approvalForm(std::string message);

/// What its answer says. Anything but an answer: Elicited::Action::Failed.
[[nodiscard]] execution::Elicited elicitedFrom(const Json& response);

} // namespace belljar::mcp
