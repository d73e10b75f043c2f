// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace belljar::analysis {

/// What names stand for in one file, by its imports and simple assignments, wherever in the file
/// they are: `import os as o` makes `o.system` resolve to `os.system`, `e = eval` makes `e` resolve
/// to `eval`.
class Names {
public:
    /// `name` stands for the dotted name `target`.
    void bind(std::string name, std::string target);
    /// Any name may come from `module` (`from os import *`).
    void bindAll(std::string module);

    /// Everything that `expression` may stand for, the expression itself among them; empty where it
    /// isn't a name, dotted or not. `['x']` counts as `.x`, and `require('x')` and
    /// `__import__('x')` as `x`.
    /// Stands until the next call of any function.
    [[nodiscard]] const std::vector<std::string>& resolve(std::string_view expression) const;

private:
    void expand(const std::string& name, int depth, std::vector<std::string>& all) const;

    std::map<std::string, std::vector<std::string>, std::less<>> m_bound;
    std::vector<std::string> m_wildcards;
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view>()(text);
        }
    };
    /// The same names stand in a program again and again, and every rule asks for them.
    mutable std::unordered_map<std::string, std::vector<std::string>, Hash, std::equal_to<>>
        m_resolved;
};

/// The dotted name that `expression` is as written, or empty.
[[nodiscard]] std::string dottedName(std::string_view expression);

/// Does `pattern`, which may end with `*`, fit `name`?
[[nodiscard]] bool fitsName(std::string_view pattern, std::string_view name);

} // namespace belljar::analysis
