// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policy/units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace belljar::policy {

namespace {

struct Unit {
    std::string_view name; ///< lower case
    double factor;
};

constexpr std::array kDurations{
    Unit{"", 1000},
    Unit{"ms", 1},
    Unit{"s", 1000},
    Unit{"sec", 1000},
    Unit{"second", 1000},
    Unit{"seconds", 1000},
    Unit{"m", 60'000},
    Unit{"min", 60'000},
    Unit{"minute", 60'000},
    Unit{"minutes", 60'000},
    Unit{"h", 3'600'000},
    Unit{"hour", 3'600'000},
    Unit{"hours", 3'600'000}};
constexpr double kKi = 1024;
constexpr std::array kSizes{
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"bytes", 1},
    Unit{"k", kKi},
    Unit{"kb", kKi},
    Unit{"kib", kKi},
    Unit{"m", kKi* kKi},
    Unit{"mb", kKi* kKi},
    Unit{"mib", kKi* kKi},
    Unit{"g", kKi* kKi* kKi},
    Unit{"gb", kKi* kKi* kKi},
    Unit{"gib", kKi* kKi* kKi}};
constexpr std::array kPlain{Unit{"", 1}};

std::string_view trimmed(std::string_view text)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

/// The number before the unit times the unit's factor.
template <std::size_t Count>
std::optional<double> parse(std::string_view text, const std::array<Unit, Count>& units)
{
    text = trimmed(text);
    constexpr double kMost =
        1e15; // far beyond anything sensible, far within a double's whole numbers
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (failed != std::errc() || !std::isfinite(number) || number < 0)
        return {};
    std::string unit(trimmed({rest, static_cast<std::size_t>(end - rest)}));
    std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    const auto found =
        std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.name == unit; });
    if (found == units.end() || number * found->factor > kMost)
        return {};
    return number * found->factor;
}

std::string trimZeros(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

} // namespace

std::optional<std::chrono::milliseconds> parseDuration(std::string_view text)
{
    const auto value = parse(text, kDurations);
    if (!value)
        return {};
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::llround(*value)));
}

std::optional<std::uint64_t> parseSize(std::string_view text)
{
    const auto value = parse(text, kSizes);
    if (!value)
        return {};
    return static_cast<std::uint64_t>(*value);
}

std::optional<std::uint32_t> parseCpus(std::string_view text)
{
    const auto value = parse(text, kPlain);
    if (!value || *value > 100'000)
        return {};
    return static_cast<std::uint32_t>(std::lround(*value * 1000));
}

std::string durationText(std::chrono::milliseconds span)
{
    const auto count = span.count();
    if (count != 0 && count % 3'600'000 == 0)
        return std::to_string(count / 3'600'000) + " h";
    if (count >= 120'000 && count % 60'000 == 0)
        return std::to_string(count / 60'000) + " min";
    if (count % 1000 == 0)
        return std::to_string(count / 1000) + " s";
    return trimZeros(static_cast<double>(count) / 1000) + " s";
}

std::string cpusText(std::uint32_t cpuMillis)
{
    return trimZeros(static_cast<double>(cpuMillis) / 1000);
}

} // namespace belljar::policy
