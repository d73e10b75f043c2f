// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/names.h"

#include <algorithm>
#include <array>
#include <utility>

#include <re2/re2.h>

namespace belljar::analysis {

namespace {

constexpr int kMostSteps = 8;             ///< of aliases of aliases
constexpr std::size_t kMostMeanings = 16; ///< of one name
constexpr std::size_t kLongestName = 300;

/// Where everybody finds the same: `builtins.eval` is `eval`.
constexpr std::array<std::string_view, 6> kEverywhere{
    "builtins.", "__builtins__.", "globalThis.", "window.", "global.", "self."};

constexpr std::size_t kMostResolved = 50'000; ///< names whose meanings are kept

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Nothing but identifiers and single dots between them: what most names are.
bool isPlainName(std::string_view expression)
{
    bool begins = true; // an identifier
    for (const char c : expression) {
        if (c == '.' ? begins : !isLetter(c) && (begins || !isDigit(c)))
            return false;
        begins = c == '.';
    }
    return !begins;
}

} // namespace

std::string dottedName(std::string_view expression)
{
    if (expression.empty() || expression.size() > kLongestName)
        return {};
    if (isPlainName(expression)) // the expressions below would leave it as it is
        return std::string(expression);
    // A text or a number is no name, whatever is in it.
    if (expression.front() == '"' || expression.front() == '\'' || isDigit(expression.front()))
        return {};
    static const re2::RE2 loaded(
        R"((?:require|__import__|importlib\.import_module|import_module)\(\s*['"](?:node:)?([^'"()]+)['"]\s*\))"
    );
    static const re2::RE2 subscript(R"(\[\s*['"]([A-Za-z_$][\w$]*)['"]\s*\])");
    static const re2::RE2 blank(R"(\s+|\?|\(\s*0\s*,\s*|\)$)");
    static const re2::RE2 dotted(R"([A-Za-z_$:][\w$/:-]*(?:\.[A-Za-z_$][\w$]*)*)");
    std::string name(expression);
    re2::RE2::GlobalReplace(&name, loaded, R"(\1)");
    re2::RE2::GlobalReplace(&name, subscript, R"(.\1)");
    re2::RE2::GlobalReplace(&name, blank, "");
    return re2::RE2::FullMatch(name, dotted) ? name : std::string();
}

void Names::bind(std::string name, std::string target)
{
    m_resolved.clear();
    auto& targets = m_bound[std::move(name)];
    const bool known = std::find(targets.begin(), targets.end(), target) != targets.end();
    if (!known && targets.size() < kMostMeanings)
        targets.push_back(std::move(target));
}

void Names::bindAll(std::string module)
{
    m_resolved.clear();
    if (m_wildcards.size() < kMostMeanings)
        m_wildcards.push_back(std::move(module));
}

const std::vector<std::string>& Names::resolve(std::string_view expression) const
{
    const auto known = m_resolved.find(expression);
    if (known != m_resolved.end())
        return known->second;
    if (m_resolved.size() >= kMostResolved)
        m_resolved.clear();
    std::vector<std::string> all;
    const std::string name = dottedName(expression);
    if (!name.empty())
        expand(name, 0, all);
    // What is too long to be a name isn't worth its memory.
    std::string key(expression.size() > kLongestName ? std::string_view() : expression);
    return m_resolved.insert_or_assign(std::move(key), std::move(all)).first->second;
}

void Names::expand(const std::string& name, int depth, std::vector<std::string>& all) const
{
    if (depth > kMostSteps || all.size() >= kMostMeanings ||
        std::find(all.begin(), all.end(), name) != all.end())
        return;
    all.push_back(name);
    for (const std::string_view prefix : kEverywhere) {
        if (name.starts_with(prefix))
            expand(name.substr(prefix.size()), depth + 1, all);
    }
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string_view first = std::string_view(name).substr(0, dot);
    const std::string rest = name.substr(dot);
    if (const auto bound = m_bound.find(first); bound != m_bound.end()) {
        for (const std::string& target : bound->second)
            expand(target + rest, depth + 1, all);
    }
    if (depth == 0) {
        for (const std::string& module : m_wildcards)
            expand(module + "." + name, depth + 1, all);
    }
}

bool fitsName(std::string_view pattern, std::string_view name)
{
    if (pattern.ends_with('*'))
        return name.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern == name;
}

} // namespace belljar::analysis
