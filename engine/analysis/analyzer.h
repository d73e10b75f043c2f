// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/analysis/finding.h"
#include "engine/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace belljar::analysis {

/// One rule, as its query file describes it.
struct RuleInfo {
    std::string id;
    std::string language; ///< empty: of every language
    Severity severity = Severity::Info;
    std::string category;
    std::string message;
};

/// Looks at programs without running anything. Immutable once loaded, so threads may share it.
class Analyzer {
public:
    /// Reads resources/queries: one folder a language, its rules in .scm files, and the rules of
    /// every language. Errors: IoFailed, InvalidArgument with file and line of a query that is
    /// wrong.
    static Result<Analyzer> load(const std::filesystem::path& folder);

    Analyzer(Analyzer&&) noexcept;
    Analyzer& operator=(Analyzer&&) noexcept;
    ~Analyzer();

    /// Never fails and never hangs: what goes wrong, or takes longer than 200 ms per 100 KiB
    /// is a finding of a report that isn't complete. `code` may be any bytes.
    [[nodiscard]] Report analyse(std::string_view language, std::string_view code) const;

    /// Every rule, by language and id.
    [[nodiscard]] std::vector<RuleInfo> rules() const;

private:
    class Impl;
    explicit Analyzer(std::shared_ptr<const Impl> impl);
    std::shared_ptr<const Impl> m_impl;
};

} // namespace belljar::analysis
