// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/execution/execution.h"
#include "engine/policy/policy.h"
#include "engine/sandbox/runner_protocol.h"

#include <string>
#include <vector>

namespace belljar::execution {

/// Writes into `record` how its program ended: status, exit code, times, peaks and the notes that a
/// person needs to make sense of them. `cancelled` says that we asked for the end.
void applyExit(Record& record, const sandbox::Exit& exit, bool cancelled);

/// Notes in `record` what analysis found.
void applyReport(Record& record, const analysis::Report& report);

/// Notes in `record` which rules led to the decision.
void applyReasons(Record& record, const std::vector<policy::Reason>& reasons);

/// Why it was rejected, by whom, and what they said, for the client: "Rejected by the person: ...".
[[nodiscard]] std::string
rejectionText(DecidedBy by, const std::string& reason, const std::string& comment);

/// "SIGSEGV" for 11; "signal 42" for one without a name.
[[nodiscard]] std::string signalName(int signal);

} // namespace belljar::execution
