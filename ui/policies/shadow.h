// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/policy/policy.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace belljar::ui {

/// Does `wide` hold wherever `narrow` does? Yes is certain; no may be a yes that can't be shown.
[[nodiscard]] bool covers(const policy::Condition& wide, const policy::Condition& narrow);

/// The first rule above `index` that always matches where this one would, so that it is never
/// reached.
[[nodiscard]] std::optional<std::size_t>
coveredBy(const std::vector<policy::Rule>& rules, std::size_t index);

} // namespace belljar::ui
