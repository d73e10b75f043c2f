// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"

#include <QString>

#include <string_view>
#include <utility>
#include <vector>

namespace belljar::ui {

/// What Docker was asked for, for people: a name and what was set, in the order of their weight.
/// Says "not set" where the request says nothing. Empty when `json` isn't such a request.
[[nodiscard]] std::vector<std::pair<QString, QString>>
settingsRows(std::string_view json, const execution::Record& record);

} // namespace belljar::ui
