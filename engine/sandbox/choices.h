// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace belljar::sandbox {

inline constexpr std::uint32_t kMostWarm = 8;          ///< of each kind of one language
inline constexpr std::uint32_t kMostWarmTogether = 16; ///< chosen for all languages

/// What a person has chosen about the sandboxes, for later lives of the engine too.
struct Choices {
    std::map<std::string, std::uint32_t> poolSizes; ///< language -> warm sandboxes of each kind
    std::map<std::string, std::string> images; ///< language -> reference, in place of the shipped

    friend bool operator==(const Choices&, const Choices&) = default;
};

/// Reads the text of the file that keeps them. Errors: InvalidArgument with the member and what is
/// allowed.
Result<Choices> parseChoices(std::string_view text);
[[nodiscard]] std::string choicesText(const Choices& choices);

} // namespace belljar::sandbox
