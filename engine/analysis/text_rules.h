// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/analyzer.h"
#include "engine/analysis/source.h"

#include <vector>

namespace belljar::analysis {

/// The rules that look at the text alone, whatever the language: what hides from a reader (R-97,
///
[[nodiscard]] std::vector<RuleInfo> textRules();

/// Adds what they find. One pass over the text; each rule tells the first places only and then how
/// many more.
void findInText(const Source& source, Report& report);

} // namespace belljar::analysis
