// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What static analysis says of a program. Advice, never the wall.
namespace belljar::analysis {

/// From least to most; they compare in that order.
enum class Severity : std::uint8_t { Info, Low, Medium, High, Critical };

inline constexpr std::array<std::string_view, 5> kSeverityNames{
    "info", "low", "medium", "high", "critical"};

/// The name in rules, policies and the database: "medium".
[[nodiscard]] constexpr std::string_view nameOf(Severity severity)
{
    return kSeverityNames.at(static_cast<std::size_t>(severity));
}

[[nodiscard]] constexpr std::optional<Severity> severityFromName(std::string_view name)
{
    for (std::size_t at = 0; at < kSeverityNames.size(); ++at) {
        if (kSeverityNames.at(at) == name)
            return static_cast<Severity>(at);
    }
    return {};
}

/// A piece of the program. Bytes are a half-open range of the code as it was received; lines and
/// columns count from 1, columns in code points.
struct Range {
    std::size_t beginByte = 0;
    std::size_t endByte = 0;
    std::uint32_t beginLine = 1;
    std::uint32_t beginColumn = 1;
    std::uint32_t endLine = 1;
    std::uint32_t endColumn = 1;

    friend bool operator==(const Range&, const Range&) = default;
};

struct Finding {
    std::string rule; ///< "python.process"; stable: policies name it
    Severity severity = Severity::Info;
    std::string category; ///< "process", "network", "dynamic", "hidden", ...
    std::string message;  ///< one sentence for a person; may quote the code, so it is foreign text
    Range range;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// A module that the program loads by a name that can be seen.
struct Import {
    std::string module; ///< top-level name as written: "numpy", "child_process", "./util"
    Range range;

    friend bool operator==(const Import&, const Import&) = default;
};

struct Report {
    std::vector<Finding> findings; ///< in the order of the code
    std::vector<Import> imports;   ///< likewise
    /// False when it could not look at everything (time, no grammar): then the decision is ask at
    /// least, and a finding says why.
    bool complete = true;
    std::chrono::microseconds took{0};

    friend bool operator==(const Report&, const Report&) = default;
};

} // namespace belljar::analysis
