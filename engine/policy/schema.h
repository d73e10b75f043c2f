// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/policy/policy.h"

#include <string>
#include <string_view>
#include <vector>

namespace belljar::policy {

/// The schema that this program was built with (resources/schemas/policy.json): a file that
/// somebody can edit must not decide what is valid.
[[nodiscard]] const Json& schema();

/// The part of the schema for the value at `pointer`, or nullptr where it says nothing.
[[nodiscard]] const Json* schemaAt(std::string_view pointer);

/// What the schema allows at `pointer`, in words: "one of clamp, refuse", "a whole number from 4 to
/// 4096".
[[nodiscard]] std::string allowedAt(std::string_view pointer);

/// What of `document` the schema doesn't allow, and as warnings what it doesn't know. Without
/// places in the text.
[[nodiscard]] std::vector<Problem> checkSchema(const Json& document);

} // namespace belljar::policy
