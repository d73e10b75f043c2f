// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/sha256.h"
#include "engine/events.h"

#include <memory>
#include <string>
#include <utility>

namespace belljar::test {

/// A question as the engine asks it.
inline Approval sampleApproval(const std::string& id, const std::string& code)
{
    Approval approval;
    approval.id = ExecutionId(id);
    approval.client.id = ClientId("cl_1");
    approval.client.name = "Claude Code";
    approval.client.executable = "/usr/bin/node";
    approval.client.pid = 4711;
    approval.language = "python";
    approval.languageTitle = "Python";
    approval.code = std::make_shared<const std::string>(code);
    approval.codeSha256 = sha256Hex(code);
    approval.policyName = "balanced";
    approval.policyVersion = 3;
    approval.image = "belljar/python";
    approval.imageDigest = "sha256:1";
    approval.decision.verdict = policy::Verdict::Ask;
    approval.decision.reasons = {
        {"serious finding",
         "Static analysis found something above medium severity. (high python.process in line 3: "
         "starts "
         "a process)"}};
    analysis::Finding finding;
    finding.rule = "python.process";
    finding.severity = analysis::Severity::High;
    finding.category = "process";
    finding.message = "starts a process: subprocess.run";
    finding.range = {0, 10, 3, 1, 3, 11};
    analysis::Finding note = finding;
    note.rule = "python.environment";
    note.severity = analysis::Severity::Low;
    note.message = "reads environment variables";
    note.range.beginLine = 1;
    approval.decision.report.findings = {note, finding};
    approval.precedent.runs = 12;
    approval.precedent.allowed = 11;
    approval.precedent.lastAt = 1'764'590'000'000;
    approval.precedent.previous = ExecutionId("ex_before");
    approval.precedent.previousCode =
        std::make_shared<const std::string>("import os\n\nprint('before')\n");
    approval.offers = {
        {policy::Scope::ThisCode, "exactly this code, sent by \"Claude Code\"", 1, 12},
        {policy::Scope::RuleCase,
         "Python of \"Claude Code\" that asks by the rule \"serious finding\"",
         7,
         12}};
    approval.askedAt = execution::unixNow();
    approval.rejectedAt = approval.askedAt + 252'000;
    approval.clientWaitsUntil = approval.askedAt + 50'000;
    return approval;
}

inline const std::string kRiskyCode =
    "import os, subprocess\n\n"
    "out = subprocess.run(['ls', '-l', '/workspace'], capture_output=True, text=True)\n"
    "print(out.stdout)\n"
    "for name, value in os.environ.items():\n"
    "    print(f'{name}={value}')\n";

} // namespace belljar::test
