// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/policy/policies.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace belljar::policy {

namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr std::size_t kMostAssignments = 200;

/// A client as assignments see it. Empty: one that none of them names.
struct Who {
    std::string name;
    std::string executable;
};

std::string wordsFor(const Who& who)
{
    const std::string name = escapeForLine(who.name);
    const std::string executable = escapeForLine(who.executable);
    if (name.empty() && executable.empty())
        return "every other client";
    if (executable.empty())
        return name;
    return name.empty() ? executable : name + " (" + executable + ")";
}

/// All who can be told apart by either of the two, those that say less first.
std::vector<Who> everybody(const Assignments& before, const Assignments& now)
{
    std::set<std::string> names{""};
    std::set<std::string> executables{""};
    for (const Assignments* assignments : {&before, &now}) {
        for (const Assignment& one : assignments->list) {
            names.insert(one.clientName);
            executables.insert(one.executable);
        }
    }
    std::vector<Who> all;
    for (const std::string& name : names) {
        for (const std::string& executable : executables)
            all.push_back({name, executable});
    }
    std::stable_sort(all.begin(), all.end(), [](const Who& one, const Who& other) {
        const auto says = [](const Who& who) {
            return (who.name.empty() ? 0 : 1) + (who.executable.empty() ? 0 : 1);
        };
        return says(one) < says(other);
    });
    return all;
}

std::string listed(const std::vector<std::string>& all)
{
    constexpr std::size_t kMost = 5;
    std::string words;
    for (std::size_t at = 0; at < std::min(all.size(), kMost); ++at)
        words += (at == 0 ? "" : ", ") + all[at];
    if (all.size() > kMost)
        words += " and " + std::to_string(all.size() - kMost) + " more";
    return words;
}

} // namespace

Result<Assignments> parseAssignments(const std::string& text)
{
    const auto json = parseJson(text, {kMostBytes, 8});
    if (!json)
        return fail(json.error());
    if (!json->is_object())
        return fail(Errc::InvalidArgument, "expected an object with default and clients");
    Assignments assigned;
    JsonReader reader(*json, "");
    reader.require("default");
    assigned.otherwise = reader.string("default").value_or("");
    const Json* clients = reader.member("clients");
    if (clients && !clients->is_array())
        reader.refuse("clients", "expected a list");
    else if (clients && clients->size() > kMostAssignments)
        reader.refuse("clients", "expected at most " + std::to_string(kMostAssignments));
    if (reader.error())
        return fail(*reader.error());
    for (std::size_t at = 0; clients && at < clients->size(); ++at) {
        const Json& row = (*clients)[at];
        const std::string place = "clients[" + std::to_string(at) + "]";
        if (!row.is_object())
            return fail(Errc::InvalidArgument, place + ": expected an object");
        JsonReader one(row, place);
        one.require("policy");
        Assignment assignment;
        assignment.clientName = one.string("name").value_or("");
        assignment.executable = one.string("executable").value_or("");
        assignment.policy = one.string("policy").value_or("");
        if (assignment.clientName.empty() && assignment.executable.empty())
            one.refuse("name", "expected the client's name, its executable, or both");
        if (one.error())
            return fail(*one.error());
        assigned.list.push_back(std::move(assignment));
    }
    return assigned;
}

const std::string& policyNameFor(const Assignments& assignments, const execution::Client& client)
{
    for (const Assignment& one : assignments.list) {
        const bool fits = (one.clientName.empty() || one.clientName == client.name) &&
                          (one.executable.empty() || one.executable == client.executable);
        if (fits)
            return one.policy;
    }
    return assignments.otherwise;
}

std::vector<std::string>
loosened(const Assignments& before, const Assignments& now, const FindPolicy& find)
{
    // Everybody for whom another policy decides, by the two policies.
    std::map<std::pair<std::string, std::string>, std::vector<Who>> moved;
    for (const Who& who : everybody(before, now)) {
        execution::Client client;
        client.name = who.name;
        client.executable = who.executable;
        const std::string& was = policyNameFor(before, client);
        const std::string& is = policyNameFor(now, client);
        if (was == is)
            continue;
        auto& those = moved[{was, is}];
        // "claude" says it for "claude (/usr/bin/claude)" too.
        const bool said = std::any_of(those.begin(), those.end(), [&](const Who& other) {
            return (other.name.empty() || other.name == who.name) &&
                   (other.executable.empty() || other.executable == who.executable);
        });
        if (!said)
            those.push_back(who);
    }
    std::vector<std::string> words;
    for (const auto& [names, those] : moved) {
        const auto policyNamed = [&](const std::string& name, const std::string& otherwise) {
            const Policy* found = find(name);
            return found ? found : find(otherwise);
        };
        const Policy* was = policyNamed(names.first, before.otherwise);
        const Policy* is = policyNamed(names.second, now.otherwise);
        if (!was || !is)
            continue;
        std::vector<std::string> who;
        for (const Who& one : those)
            who.push_back(wordsFor(one));
        for (const std::string& loosens : loosened(*was, *is))
            words.push_back(
                listed(who) + ": " + names.first + " -> " + names.second + ": " + loosens
            );
    }
    return words;
}

} // namespace belljar::policy
