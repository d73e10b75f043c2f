// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/base/json.h"

namespace belljar::analysis {

/// A report as the history keeps it and as results show it.
[[nodiscard]] Json toJson(const Report& report);
[[nodiscard]] Json toJson(const Finding& finding);

/// The way back. Errors: InvalidArgument with the place of what isn't as toJson() writes it.
Result<Report> reportFromJson(const Json& json);

} // namespace belljar::analysis
