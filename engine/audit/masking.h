// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <string>
#include <string_view>

/// Secrets don't belong into a log that nobody can shorten. What is masked is what can be
/// told from its shape; code is never in the log, only its hash.
namespace belljar::audit {

/// `text` with every known key shape in it (provider keys, tokens of the common services, JSON web
/// tokens, "Bearer ...", private keys, passwords in addresses) replaced by its first characters and
/// "[masked]".
[[nodiscard]] std::string maskedText(std::string_view text);

/// `detail` with maskedText() over every string value, and the whole value of a member whose key
/// says that it is a secret (password, token, authorization, ...).
[[nodiscard]] Json masked(const Json& detail);

} // namespace belljar::audit
