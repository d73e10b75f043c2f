// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/analyzer.h"

#include "engine/analysis/queries.h"
#include "engine/analysis/source.h"
#include "engine/analysis/text_rules.h"
#include "engine/base/deadline.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <tree_sitter/api.h>

extern "C" {
const TSLanguage* tree_sitter_bash();
const TSLanguage* tree_sitter_go();
const TSLanguage* tree_sitter_java();
const TSLanguage* tree_sitter_javascript();
const TSLanguage* tree_sitter_python();
const TSLanguage* tree_sitter_rust();
const TSLanguage* tree_sitter_typescript();
}

namespace belljar::analysis {

namespace {

using namespace std::chrono_literals;

constexpr auto kLeastTime = 200ms; // 200 ms per 100 KiB
constexpr std::size_t kBytesPerBudget = 100 * 1024;
constexpr std::size_t kMostBytes =
    16U * 1024 * 1024; // tree-sitter counts in 32 bits; no request is so long
constexpr std::size_t kMostSyntaxErrors = 3;

constexpr const char* kIncomplete = "analysis.incomplete";
constexpr const char* kSyntax = "analysis.syntax-error";

struct LanguageRow {
    const char* id;
    const TSLanguage* (*grammar)();
    std::array<const char*, 2> folders; ///< of resources/queries; the second may be missing
};

constexpr std::array kLanguages{
    LanguageRow{"python", tree_sitter_python, {"python", nullptr}},
    LanguageRow{"javascript", tree_sitter_javascript, {"javascript", nullptr}},
    // Its grammar has every node that those rules name.
    LanguageRow{"typescript", tree_sitter_typescript, {"javascript", nullptr}},
    LanguageRow{"bash", tree_sitter_bash, {"bash", nullptr}},
    LanguageRow{"go", tree_sitter_go, {"go", nullptr}},
    LanguageRow{"rust", tree_sitter_rust, {"rust", nullptr}},
    LanguageRow{"java", tree_sitter_java, {"java", nullptr}},
};

struct ParserDeleter {
    void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct TreeDeleter {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};
using Tree = std::unique_ptr<TSTree, TreeDeleter>;

std::chrono::milliseconds budgetFor(std::size_t bytes)
{
    return kLeastTime * (1 + bytes / kBytesPerBudget);
}

Tree parse(const TSLanguage* grammar, std::string_view code, const CpuBudget& budget)
{
    const std::unique_ptr<TSParser, ParserDeleter> parser(ts_parser_new());
    if (!ts_parser_set_language(parser.get(), grammar))
        return nullptr;
    const auto size = static_cast<std::uint32_t>(code.size());
    // The parser's own bound is time on the wall; stopped by it, it goes on where it was.
    do {
        const auto left = std::max(budget.left(), std::chrono::microseconds(1));
        ts_parser_set_timeout_micros(parser.get(), static_cast<std::uint64_t>(left.count()));
        if (Tree tree{ts_parser_parse_string(parser.get(), nullptr, code.data(), size)})
            return tree;
    } while (!budget.spent());
    return nullptr;
}

void addIncomplete(Report& report, const std::string& why)
{
    report.complete = false;
    Finding finding;
    finding.rule = kIncomplete;
    finding.severity = Severity::Low; // the decision is ask at least in any case
    finding.category = "analysis";
    finding.message = "static analysis could not look at everything: " + why;
    report.findings.push_back(std::move(finding));
}

/// A program that is wrong fails by itself; but what isn't understood can't be judged, so it is
/// told.
void addSyntaxErrors(const TSTree* tree, const Source& source, Report& report)
{
    TSNode root = ts_tree_root_node(tree);
    if (!ts_node_has_error(root))
        return;
    std::size_t told = 0;
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    // Down only where an error is below; the walk is bounded by the tree.
    bool down = true;
    while (told < kMostSyntaxErrors) {
        const TSNode node = ts_tree_cursor_current_node(&cursor);
        const bool wrong =
            std::string_view(ts_node_type(node)) == "ERROR" || ts_node_is_missing(node);
        if (down && wrong) {
            Finding finding;
            finding.rule = kSyntax;
            finding.severity = Severity::Info;
            finding.category = "analysis";
            finding.message =
                "the program is not understood here; what stands here is judged as far as it is";
            finding.range = source.range(ts_node_start_byte(node), ts_node_end_byte(node));
            report.findings.push_back(std::move(finding));
            ++told;
        }
        if (down && !wrong && ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor))
            continue;
        if (ts_tree_cursor_goto_next_sibling(&cursor)) {
            down = true;
            continue;
        }
        if (!ts_tree_cursor_goto_parent(&cursor))
            break;
        down = false;
    }
    ts_tree_cursor_delete(&cursor);
}

} // namespace

class Analyzer::Impl {
public:
    struct Entry {
        const TSLanguage* grammar;
        Queries queries;
    };
    std::map<std::string, Entry, std::less<>> languages;
};

Analyzer::Analyzer(std::shared_ptr<const Impl> impl)
    : m_impl(std::move(impl))
{}
Analyzer::Analyzer(Analyzer&&) noexcept = default;
Analyzer& Analyzer::operator=(Analyzer&&) noexcept = default;
Analyzer::~Analyzer() = default;

Result<Analyzer> Analyzer::load(const std::filesystem::path& folder)
{
    auto impl = std::make_shared<Impl>();
    for (const LanguageRow& row : kLanguages) {
        std::vector<std::filesystem::path> folders;
        for (const char* name : row.folders) {
            if (name)
                folders.push_back(folder / name);
        }
        auto queries = Queries::load(row.grammar(), folders);
        if (!queries)
            return fail(queries.error());
        impl->languages.emplace(row.id, Impl::Entry{row.grammar(), std::move(*queries)});
    }
    return Analyzer(std::move(impl));
}

Report Analyzer::analyse(std::string_view language, std::string_view code) const
{
    const auto began = SteadyClock::now();
    const CpuBudget budget(budgetFor(code.size()));
    Report report;
    const Source source(code);
    findInText(source, report);
    const auto found = m_impl->languages.find(language);
    if (found == m_impl->languages.end()) {
        addIncomplete(report, "it doesn't know the language");
    } else if (code.size() > kMostBytes) {
        addIncomplete(report, "the program is too long");
    } else if (const Tree tree = parse(found->second.grammar, code, budget)) {
        if (!found->second.queries.find(tree.get(), source, budget, report))
            addIncomplete(report, "it took too long");
        addSyntaxErrors(tree.get(), source, report);
    } else {
        addIncomplete(report, "it took too long");
    }
    std::stable_sort(
        report.findings.begin(),
        report.findings.end(),
        [](const Finding& one, const Finding& other) {
            return one.range.beginByte < other.range.beginByte;
        }
    );
    report.took = std::chrono::duration_cast<std::chrono::microseconds>(SteadyClock::now() - began);
    return report;
}

std::vector<RuleInfo> Analyzer::rules() const
{
    std::vector<RuleInfo> rules = textRules();
    rules.push_back(
        {kIncomplete, "", Severity::Low, "analysis", "static analysis could not look at everything"}
    );
    rules.push_back(
        {kSyntax, "", Severity::Info, "analysis", "the program is not understood somewhere"}
    );
    for (const auto& [language, entry] : m_impl->languages) {
        if (language == "typescript") // the rules of javascript
            continue;
        for (RuleInfo rule : entry.queries.rules()) {
            rule.language = language;
            const auto same = [&](const RuleInfo& other) { return other.id == rule.id; };
            if (std::none_of(rules.begin(), rules.end(), same))
                rules.push_back(std::move(rule));
        }
    }
    return rules;
}

} // namespace belljar::analysis
