// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/query_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>
#include <utility>

namespace belljar::ui {

namespace {

using execution::Status;
using execution::UnixMs;
using store::RunFilter;
using Kind = QueryProblem::Kind;

bool isBlank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

std::string lowered(std::string_view text)
{
    std::string low(text);
    for (char& letter : low) {
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    }
    return low;
}

/// Reads one token after another.
class Scanner {
public:
    explicit Scanner(std::string_view line)
        : m_line(line)
    {}

    /// False at the end of the line.
    bool next(QueryToken& token, bool& openQuote)
    {
        while (m_at < m_line.size() && isBlank(m_line[m_at]))
            ++m_at;
        if (m_at == m_line.size())
            return false;
        token = {};
        token.begin = m_at;
        openQuote = false;
        readKey(token);
        while (m_at < m_line.size() && !isBlank(m_line[m_at])) {
            if (m_line[m_at] == '"')
                openQuote = !readQuoted(token.value);
            else
                token.value += m_line[m_at++];
        }
        token.end = m_at;
        return true;
    }

private:
    /// Letters up to a colon; `http://` is no key but text.
    void readKey(QueryToken& token)
    {
        std::size_t at = m_at;
        while (at < m_line.size() && ((m_line[at] | 0x20) >= 'a' && (m_line[at] | 0x20) <= 'z'))
            ++at;
        const bool isKey = at > m_at && at < m_line.size() && m_line[at] == ':' &&
                           m_line.substr(at + 1, 2) != "//" && m_line.substr(at + 1, 1) != ":";
        if (!isKey)
            return;
        token.key = lowered(m_line.substr(m_at, at - m_at));
        m_at = at + 1;
    }

    /// False when it doesn't end.
    bool readQuoted(std::string& into)
    {
        for (++m_at; m_at < m_line.size(); ++m_at) {
            char byte = m_line[m_at];
            if (byte == '"') {
                ++m_at;
                return true;
            }
            const bool escaped = byte == '\\' && m_at + 1 < m_line.size() &&
                                 (m_line[m_at + 1] == '"' || m_line[m_at + 1] == '\\');
            if (escaped)
                byte = m_line[++m_at];
            into += byte;
        }
        return false;
    }

    std::string_view m_line;
    std::size_t m_at = 0;
};

std::vector<std::string> splitAtCommas(std::string_view value)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t comma = value.find(',');
        if (const auto part = value.substr(0, comma); !part.empty())
            parts.emplace_back(part);
        if (comma == std::string_view::npos)
            return parts;
        value.remove_prefix(comma + 1);
    }
}

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array kDurationUnits{
    Unit{"", 1000.0},
    Unit{"ms", 1.0},
    Unit{"s", 1000.0},
    Unit{"m", 60'000.0},
    Unit{"min", 60'000.0},
    Unit{"h", 3'600'000.0},
    Unit{"d", 86'400'000.0},
};
constexpr std::array kSizeUnits{
    Unit{"", 1024.0 * 1024},
    Unit{"b", 1.0},
    Unit{"k", 1024.0},
    Unit{"kb", 1024.0},
    Unit{"m", 1024.0 * 1024},
    Unit{"mb", 1024.0 * 1024},
    Unit{"g", 1024.0 * 1024 * 1024},
    Unit{"gb", 1024.0 * 1024 * 1024},
};

/// A number with a unit; nothing above 2^53, from where on a double has gaps.
template <std::size_t Count>
std::optional<std::int64_t> amount(std::string_view text, const std::array<Unit, Count>& units)
{
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (failed != std::errc() || !std::isfinite(number) || number < 0)
        return {};
    const std::string unit = lowered(std::string_view(stop, static_cast<std::size_t>(end - stop)));
    for (const Unit& known : units) {
        if (known.name != unit)
            continue;
        const double value = number * known.factor;
        if (value > 9007199254740992.0)
            return {};
        return static_cast<std::int64_t>(value);
    }
    return {};
}

struct Bound {
    bool above = true;
    std::int64_t value = 0; ///< itself excluded
};

template <std::size_t Count>
std::optional<Bound> bound(std::string_view text, const std::array<Unit, Count>& units)
{
    Bound read;
    bool inclusive = false;
    if (!text.empty() && (text.front() == '>' || text.front() == '<')) {
        read.above = text.front() == '>';
        text.remove_prefix(1);
        inclusive = !text.empty() && text.front() == '=';
        text.remove_prefix(inclusive ? 1 : 0);
    }
    const auto value = amount(text, units);
    if (!value)
        return {};
    read.value = *value + (inclusive ? (read.above ? -1 : 1) : 0);
    return read;
}

std::optional<int> digits(std::string_view text)
{
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end || number < 0 || text.front() == '-')
        return {};
    return number;
}

/// The local time `text` names: 2026-11-20, with T14:30 if wanted.
std::optional<UnixMs> moment(std::string_view text)
{
    const bool timed = text.size() == 16 && (text[10] == 'T' || text[10] == 't');
    if (!(text.size() == 10 || timed) || text[4] != '-' || text[7] != '-' ||
        (timed && text[13] != ':'))
        return {};
    const auto year = digits(text.substr(0, 4));
    const auto month = digits(text.substr(5, 2));
    const auto day = digits(text.substr(8, 2));
    const auto hour = timed ? digits(text.substr(11, 2)) : 0;
    const auto minute = timed ? digits(text.substr(14, 2)) : 0;
    if (!year || !month || !day || !hour || !minute || *year < 1970 || *hour > 23 || *minute > 59)
        return {};
    std::tm parts{};
    parts.tm_year = *year - 1900;
    parts.tm_mon = *month - 1;
    parts.tm_mday = *day;
    parts.tm_hour = *hour;
    parts.tm_min = *minute;
    parts.tm_isdst = -1;
    const std::time_t at = std::mktime(&parts);
    // mktime() takes a 31st of February for one of March.
    if (parts.tm_mon != *month - 1 || parts.tm_mday != *day)
        return {};
    return static_cast<UnixMs>(at) * 1000;
}

UnixMs startOfDay(UnixMs now, int daysAgo)
{
    const auto seconds = static_cast<std::time_t>(now / 1000);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    parts.tm_hour = parts.tm_min = parts.tm_sec = 0;
    parts.tm_mday -= daysAgo;
    parts.tm_isdst = -1;
    return static_cast<UnixMs>(std::mktime(&parts)) * 1000;
}

std::optional<UnixMs> when(std::string_view text, UnixMs now)
{
    const std::string low = lowered(text);
    if (low == "today")
        return startOfDay(now, 0);
    if (low == "yesterday")
        return startOfDay(now, 1);
    if (const auto at = moment(text))
        return at;
    if (text.empty() || (text.back() >= '0' && text.back() <= '9'))
        return {}; // a number alone is no span of time here
    const auto ago = amount(text, kDurationUnits);
    return ago ? std::optional(now - *ago) : std::nullopt;
}

struct StatusSet {
    std::string_view name;
    std::vector<Status> statuses;
};

const std::vector<StatusSet>& statusSets()
{
    static const std::vector<StatusSet> sets{
        {"waiting",
         {Status::Received, Status::Analysing, Status::AwaitingApproval, Status::Queued}},
        {"unsuccessful",
         {Status::Failed,
          Status::TimedOut,
          Status::OutOfMemory,
          Status::OutputLimit,
          Status::Interrupted,
          Status::Error}},
    };
    return sets;
}

/// What a token is read into.
struct Reading {
    RunFilter& filter;
    UnixMs now;
};

using Read = std::optional<Kind> (*)(const Reading& to, const std::string& value);

std::optional<Kind> readStatus(const Reading& to, const std::string& value)
{
    const std::string name = lowered(value);
    for (const StatusSet& set : statusSets()) {
        if (set.name == name) {
            to.filter.statuses.insert(
                to.filter.statuses.end(), set.statuses.begin(), set.statuses.end()
            );
            return {};
        }
    }
    const auto status = execution::statusFromName(name);
    if (!status)
        return Kind::Status;
    to.filter.statuses.push_back(*status);
    return {};
}

std::optional<Kind> readDuration(const Reading& to, const std::string& value)
{
    const auto read = bound(value, kDurationUnits);
    if (!read)
        return Kind::Duration;
    auto& side = read->above ? to.filter.longerThan : to.filter.shorterThan;
    side = execution::milliseconds(read->value);
    return {};
}

std::optional<Kind> readMemory(const Reading& to, const std::string& value)
{
    const auto read = bound(value, kSizeUnits);
    if (!read || read->value < 0)
        return Kind::Size;
    auto& side = read->above ? to.filter.moreMemoryThan : to.filter.lessMemoryThan;
    side = static_cast<std::uint64_t>(read->value);
    return {};
}

std::optional<Kind> readTime(const Reading& to, const std::string& value, bool before)
{
    const auto at = when(value, to.now);
    if (!at)
        return Kind::Time;
    (before ? to.filter.before : to.filter.since) = *at;
    return {};
}

std::optional<Kind> readHas(const Reading& to, const std::string& value)
{
    const std::string what = lowered(value);
    if (what == "finding")
        to.filter.hasFinding = true;
    else if (what == "note")
        to.filter.noted = true;
    else
        return Kind::Has;
    return {};
}

std::optional<Kind> readIs(const Reading& to, const std::string& value)
{
    const std::string what = lowered(value);
    if (what == "pinned")
        to.filter.pinned = true;
    else if (what == "asked")
        to.filter.asked = true;
    else
        return Kind::Is;
    return {};
}

std::optional<Kind> readSeverity(const Reading& to, const std::string& value)
{
    const auto severity = analysis::severityFromName(lowered(value));
    if (!severity)
        return Kind::Severity;
    to.filter.findingAtLeast = *severity;
    return {};
}

struct Key {
    std::string_view name;
    Read read;
    bool alternatives; ///< its value is a list by commas
};

// clang-format off
constexpr std::array kKeys{
    Key{"status", readStatus, true},
    Key{"client", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.clients.push_back(value); return {}; }, true},
    Key{"lang", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.languages.push_back(lowered(value)); return {}; }, true},
    Key{"policy", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.policies.push_back(value); return {}; }, true},
    Key{"tag", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.tags.push_back(value); return {}; }, true},
    Key{"duration", readDuration, false},
    Key{"memory", readMemory, false},
    Key{"after", [](const Reading& to, const std::string& value) { return readTime(to, value, false); }, false},
    Key{"before", [](const Reading& to, const std::string& value) { return readTime(to, value, true); }, false},
    Key{"has", readHas, false},
    Key{"is", readIs, false},
    Key{"finding", readSeverity, false},
    Key{"rule", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.findingRule = value; return {}; }, false},
    Key{"session", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.session = value; return {}; }, false},
    Key{"code", [](const Reading& to, const std::string& value) -> std::optional<Kind> { to.filter.codeSha256 = lowered(value); return {}; }, false},
};
// clang-format on

const Key* keyNamed(std::string_view name)
{
    if (name == "language")
        name = "lang";
    else if (name == "since")
        name = "after";
    const auto found = std::find_if(kKeys.begin(), kKeys.end(), [name](const Key& key) {
        return key.name == name;
    });
    return found == kKeys.end() ? nullptr : &*found;
}

std::optional<Kind> understand(const QueryToken& token, const Reading& to)
{
    if (token.key.empty()) {
        if (!store::isSearchable(token.value))
            return Kind::NotSearchable;
        to.filter.phrases.push_back(token.value);
        return {};
    }
    const Key* key = keyNamed(token.key);
    if (!key)
        return Kind::UnknownKey;
    if (!key->alternatives)
        return token.value.empty() ? Kind::NoValue : key->read(to, token.value);
    const auto values = splitAtCommas(token.value);
    if (values.empty())
        return Kind::NoValue;
    for (const std::string& value : values) {
        if (const auto problem = key->read(to, value))
            return problem;
    }
    return {};
}

} // namespace

ParsedQuery parseQuery(std::string_view line, UnixMs now)
{
    ParsedQuery parsed;
    Scanner scanner(line);
    QueryToken token;
    bool openQuote = false;
    while (scanner.next(token, openQuote)) {
        const std::string typed(line.substr(token.begin, token.end - token.begin));
        const auto problem =
            openQuote ? std::optional(Kind::OpenQuote) : understand(token, {parsed.filter, now});
        if (problem)
            parsed.problems.push_back({*problem, typed});
        parsed.tokens.push_back(token);
    }
    return parsed;
}

std::string writeToken(std::string_view key, std::string_view value)
{
    std::string token(key);
    if (!key.empty())
        token += ':';
    const bool plain = !value.empty() && std::none_of(value.begin(), value.end(), [](char byte) {
        return isBlank(byte) || byte == '"' || byte == '\\' || byte == ':';
    });
    if (plain)
        return token.append(value);
    token += '"';
    for (const char byte : value) {
        if (byte == '"' || byte == '\\')
            token += '\\';
        token += byte;
    }
    return token + '"';
}

std::string withoutToken(std::string_view line, const QueryToken& token)
{
    std::string_view before = line.substr(0, token.begin);
    std::string_view after = line.substr(std::min(token.end, line.size()));
    while (!before.empty() && isBlank(before.back()))
        before.remove_suffix(1);
    while (!after.empty() && isBlank(after.front()))
        after.remove_prefix(1);
    std::string joined(before);
    if (!before.empty() && !after.empty())
        joined += ' ';
    return joined.append(after);
}

std::string withToken(std::string_view line, std::string_view key, std::string_view value)
{
    std::string kept(line);
    const auto tokens = parseQuery(line, 0).tokens;
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
        const Key* known = keyNamed(token->key);
        if (known && known == keyNamed(key))
            kept = withoutToken(kept, *token);
    }
    while (!kept.empty() && isBlank(kept.back()))
        kept.pop_back();
    return (kept.empty() ? kept : kept + ' ') + writeToken(key, value);
}

std::vector<std::string> queryKeys()
{
    std::vector<std::string> names;
    for (const Key& key : kKeys)
        names.emplace_back(key.name);
    return names;
}

std::vector<std::string> queryValues(std::string_view key)
{
    if (key == "status") {
        std::vector<std::string> names;
        for (const StatusSet& set : statusSets())
            names.emplace_back(set.name);
        for (int value = 0; value <= static_cast<int>(Status::Error); ++value)
            names.emplace_back(execution::statusTraits(static_cast<Status>(value)).name);
        return names;
    }
    if (key == "finding")
        return {analysis::kSeverityNames.begin(), analysis::kSeverityNames.end()};
    static const std::vector<std::pair<std::string_view, std::vector<std::string>>> lists{
        {"lang", {"python", "javascript", "bash"}},
        {"has", {"finding", "note"}},
        {"is", {"pinned", "asked"}},
        {"duration", {">2s", "<100ms", ">1min"}},
        {"memory", {">200MB", "<10MB"}},
        {"after", {"today", "yesterday", "1h", "7d"}},
        {"before", {"today", "yesterday", "7d"}},
    };
    for (const auto& [name, values] : lists) {
        if (name == key)
            return values;
    }
    return {};
}

} // namespace belljar::ui
