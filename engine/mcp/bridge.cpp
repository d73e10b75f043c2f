// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/bridge.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace belljar::mcp {

namespace {

constexpr double kMaxSeconds = 1e9;
constexpr std::uint64_t kMinMemoryBytes =
    16ULL * 1024 * 1024; // an interpreter doesn't start in less
constexpr double kMaxMemoryBytes = 1e15;

struct UnitRow {
    std::string_view suffix;
    double bytes;
};

constexpr double kKib = 1024;
constexpr std::array kUnits{
    UnitRow{"", 1},
    UnitRow{"b", 1},
    UnitRow{"k", kKib},
    UnitRow{"kb", kKib},
    UnitRow{"kib", kKib},
    UnitRow{"m", kKib* kKib},
    UnitRow{"mb", kKib* kKib},
    UnitRow{"mib", kKib* kKib},
    UnitRow{"g", kKib* kKib* kKib},
    UnitRow{"gb", kKib* kKib* kKib},
    UnitRow{"gib", kKib* kKib* kKib},
};

/// The number that `text` starts with; `text` keeps what follows.
std::optional<double> takeNumber(std::string_view& text)
{
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(value))
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos)
        return {};
    return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

std::string memberText(const Json& params, std::string_view key)
{
    const auto found = params.find(key);
    return found != params.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

Result<std::chrono::milliseconds> parseSeconds(std::string_view text)
{
    std::string_view rest = trimmed(text);
    const auto seconds = takeNumber(rest);
    if (!seconds || !rest.empty() || *seconds < 0.001 || *seconds > kMaxSeconds)
        return fail(
            Errc::InvalidArgument,
            "\"" + escapeForLine(text.substr(0, 100)) +
                "\": expected seconds above 0, like 10 or 2.5"
        );
    return std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
}

Result<std::uint64_t> parseMemory(std::string_view text)
{
    std::string_view rest = trimmed(text);
    const auto number = takeNumber(rest);
    std::string suffix(trimmed(rest));
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    const auto* const unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&suffix](const UnitRow& row) {
            return row.suffix == suffix;
        });
    const double bytes = number && unit != kUnits.end() ? *number * unit->bytes : 0;
    if (bytes < static_cast<double>(kMinMemoryBytes) || bytes > kMaxMemoryBytes)
        return fail(
            Errc::InvalidArgument,
            "\"" + escapeForLine(text.substr(0, 100)) +
                "\": expected an amount of memory of at least 16m, like 256m, 1g or 536870912"
        );
    return static_cast<std::uint64_t>(bytes);
}

BridgeIntroduction readIntroduction(const Json& params)
{
    BridgeIntroduction introduction;
    if (const auto pid = params.find("parent_pid"); pid != params.end() && pid->is_number_integer())
        introduction.pid = pid->get<std::int64_t>();
    introduction.executable = memberText(params, "parent_executable");
    BridgeLimits& limits = introduction.limits;
    if (const std::string text = memberText(params, "sandbox_timeout"); !text.empty()) {
        const auto timeout = parseSeconds(text);
        if (timeout)
            limits.timeout = *timeout;
        else
            limits.problem =
                "SANDBOX_TIMEOUT in this client's configuration: " + timeout.error().message();
    }
    if (const std::string text = memberText(params, "sandbox_memory"); !text.empty()) {
        const auto memory = parseMemory(text);
        if (memory)
            limits.memoryBytes = *memory;
        else
            limits.problem =
                "SANDBOX_MEMORY in this client's configuration: " + memory.error().message();
    }
    return introduction;
}

} // namespace belljar::mcp
