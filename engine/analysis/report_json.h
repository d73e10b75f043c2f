// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/base/json.h"

#include <string_view>

namespace belljar::analysis {

/// A report as the history keeps it and as results show it.
[[nodiscard]] Json toJson(const Report& report);
[[nodiscard]] Json toJson(const Finding& finding);

/// The way back. Errors: InvalidArgument with the place of what isn't as toJson() writes it.
Result<Report> reportFromJson(const Json& json);

/// Does all of `report` lie in `code`? What comes from a process that reads hostile text needn't.
[[nodiscard]] bool fits(const Report& report, std::string_view code);

} // namespace belljar::analysis
