// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runner/launch.h"

#include <cstring>

namespace belljar::runner {

void Launch::clear()
{
    m_argumentCount = 0;
    m_variableCount = 0;
    m_textSize = 0;
    m_arguments[0] = nullptr;
    m_variables[0] = nullptr;
}

char* Launch::copy(std::string_view first, std::string_view second, std::string_view third)
{
    const std::size_t size = first.size() + second.size() + third.size() + 1;
    if (size > m_text.size() - m_textSize)
        return nullptr;
    char* const begin = m_text.data() + m_textSize;
    char* end = begin;
    for (const std::string_view part : {first, second, third}) {
        if (!part.empty())
            std::memcpy(end, part.data(), part.size());
        end += part.size();
    }
    *end = '\0';
    m_textSize += size;
    return begin;
}

bool Launch::addArgument(std::string_view argument)
{
    char* const text = copy(argument, {}, {});
    if (text == nullptr || m_argumentCount + 1 == m_arguments.size())
        return false;
    m_arguments[m_argumentCount++] = text;
    m_arguments[m_argumentCount] = nullptr;
    return true;
}

std::size_t Launch::indexOf(std::string_view name) const
{
    std::size_t index = 0;
    for (; index < m_variableCount; ++index) {
        const std::string_view entry = m_variables[index];
        if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
            break;
    }
    return index;
}

bool Launch::setVariable(std::string_view name, std::string_view value)
{
    if (name.empty() || name.find('=') != std::string_view::npos)
        return false;
    char* const text = copy(name, "=", value);
    const std::size_t index = indexOf(name);
    if (text == nullptr || index + 1 == m_variables.size())
        return false;
    m_variables[index] = text;
    if (index == m_variableCount)
        m_variables[++m_variableCount] = nullptr;
    return true;
}

bool Launch::addInherited(char** environment)
{
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::size_t equals = entry.find('=');
        if (equals == 0 || equals == std::string_view::npos)
            continue;
        const std::string_view name = entry.substr(0, equals);
        if (indexOf(name) == m_variableCount && !setVariable(name, entry.substr(equals + 1)))
            return false;
    }
    return true;
}

std::string_view Launch::variable(std::string_view name) const
{
    const std::size_t index = indexOf(name);
    if (index == m_variableCount)
        return {};
    return std::string_view(m_variables[index]).substr(name.size() + 1);
}

} // namespace belljar::runner
