// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/analyzer.h"
#include "engine/analysis/cpu_budget.h"
#include "engine/analysis/names.h"
#include "engine/analysis/source.h"
#include "engine/base/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct TSLanguage;
struct TSTree;

namespace belljar::analysis {

/// The rules of one language, as its .scm files have them (resources/queries/README.md).
class Queries {
public:
    /// Reads and compiles what `folders` hold, in order. Errors: IoFailed; InvalidArgument with
    /// file and line.
    static Result<Queries>
    load(const TSLanguage* language, const std::vector<std::filesystem::path>& folders);

    Queries(Queries&&) noexcept;
    Queries& operator=(Queries&&) noexcept;
    ~Queries();

    [[nodiscard]] const std::vector<RuleInfo>& rules() const;

    /// What the file imports and every match of every rule. False when the time was up or there
    /// were too many.
    [[nodiscard]] bool
    find(const TSTree* tree, const Source& source, const CpuBudget& budget, Report& report) const;

private:
    class Impl;
    explicit Queries(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace belljar::analysis
