// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sandbox/languages.h"

#include <string>

namespace belljar::sandbox {

/// What a person can do about an image that is missing or lacks the language, for the end of a
/// message.
[[nodiscard]] inline std::string remedyFor(const Language& language)
{
    if (language.image.starts_with("belljar/"))
        return "build it with: belljar images build " + language.id;
    return "it was chosen in place of Belljar's own; choose another under Sandboxes or in the "
           "policy";
}

} // namespace belljar::sandbox
