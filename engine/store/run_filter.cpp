// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_filter.h"

#include <algorithm>

namespace belljar::store {

namespace {

bool isAsciiWord(unsigned char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z');
}

char lowered(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool contains(std::string_view text, std::string_view part)
{
    const auto same = [](char a, char b) { return lowered(a) == lowered(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

template <class T>
bool allows(const std::vector<T>& alternatives, const T& value)
{
    return alternatives.empty() ||
           std::find(alternatives.begin(), alternatives.end(), value) != alternatives.end();
}

bool isFrom(const std::vector<std::string>& parts, const execution::Client& client)
{
    return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
               return contains(client.name, part) || contains(client.title, part);
           });
}

bool isWithin(const RunFilter& filter, const execution::Record& record)
{
    const auto time = record.executionTime;
    const auto memory = record.memoryPeakBytes;
    return !(filter.since && record.receivedAt < *filter.since) &&
           !(filter.before && record.receivedAt >= *filter.before) &&
           !(filter.longerThan && (!record.startedAt || time <= *filter.longerThan)) &&
           !(filter.shorterThan && (!record.startedAt || time >= *filter.shorterThan)) &&
           !(filter.moreMemoryThan && memory <= *filter.moreMemoryThan) &&
           !(filter.lessMemoryThan && (memory == 0 || memory >= *filter.lessMemoryThan));
}

bool isFound(const RunFilter& filter, const execution::Record& record)
{
    if (filter.hasFinding && record.findings == 0)
        return false;
    if (!filter.findingAtLeast)
        return true;
    const auto worst = analysis::severityFromName(record.worstFinding);
    return worst && *worst >= *filter.findingAtLeast;
}

} // namespace

bool isSearchable(std::string_view phrase)
{
    for (const char byte : phrase) {
        const auto value = static_cast<unsigned char>(byte);
        if (value >= 0x80 || isAsciiWord(value))
            return true;
    }
    return false;
}

bool needsDatabase(const RunFilter& filter)
{
    return !filter.phrases.empty() || !filter.tags.empty() || !filter.findingRule.empty() ||
           filter.pinned || filter.noted;
}

bool matches(const RunFilter& filter, const execution::Record& record)
{
    return allows(filter.statuses, record.status) && isFrom(filter.clients, record.client) &&
           allows(filter.languages, record.language) && allows(filter.policies, record.policy) &&
           isWithin(filter, record) && isFound(filter, record) &&
           (!filter.asked || record.verdict == execution::Verdict::Ask) &&
           (filter.session.empty() || record.client.id.text() == filter.session) &&
           (filter.codeSha256.empty() || record.codeSha256 == filter.codeSha256);
}

} // namespace belljar::store
