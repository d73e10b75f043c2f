// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace belljar::runner {

/// The arguments and environment of a program to start, kept in memory of its own: the control
/// frame they came in is overwritten by the next one.
class Launch {
public:
    void clear();

    /// False when it doesn't fit.
    bool addArgument(std::string_view argument);

    /// Sets NAME for the program; what is set later wins.
    bool setVariable(std::string_view name, std::string_view value);

    /// Adds those of the runner's own variables that aren't set yet.
    bool addInherited(char** environment);

    [[nodiscard]] bool hasArguments() const { return m_argumentCount > 0; }
    [[nodiscard]] std::string_view program() const { return m_arguments[0]; }
    [[nodiscard]] char* const* arguments() const { return m_arguments.data(); }
    [[nodiscard]] char* const* variables() const { return m_variables.data(); }

    /// The value that the program will see; empty when it isn't set.
    [[nodiscard]] std::string_view variable(std::string_view name) const;

private:
    char* copy(std::string_view first, std::string_view second, std::string_view third);
    [[nodiscard]] std::size_t indexOf(std::string_view name) const;

    // Each list ends with a null pointer, which is why one place is never used.
    std::array<char*, 4096> m_arguments;
    std::array<char*, 1024> m_variables;
    std::size_t m_argumentCount = 0;
    std::size_t m_variableCount = 0;
    std::array<char, std::size_t{256} * 1024> m_text;
    std::size_t m_textSize = 0;
};

} // namespace belljar::runner
