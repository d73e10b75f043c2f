// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/analysis/finding.h"
#include "engine/base/json.h"
#include "engine/execution/execution.h"

#include <cstddef>
#include <string>
#include <vector>
#endif

namespace belljar::ui {

/// Is there anything about this run that a rule could be made from: findings, or a question?
[[nodiscard]] bool canMakeRule(const execution::Record& record);

/// A rule as somebody might want it after this run, for a person to look at and to change. One that
/// allows more covers exactly this code of this client, never whatever has the same findings: those
/// would let everything else through that is in the same program.
///
/// A question that was allowed: this code is allowed. One that was not: the worst findings are
/// denied. Denied by the policy: this code is asked about. Allowed by it: the worst findings are
/// asked about.
[[nodiscard]] Json
draftRule(const execution::Record& record, const std::vector<analysis::Finding>& findings);

/// Where the rule has to stand among `rules` to come before the one that decided.
[[nodiscard]] std::size_t draftPlace(const Json* rules, const execution::Record& record);

/// `name`, or with a number where another of `rules` has it.
[[nodiscard]] std::string freeRuleName(const Json* rules, const std::string& name);

} // namespace belljar::ui
