// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/queries.h"

#include "engine/base/file.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include <re2/re2.h>
#include <tree_sitter/api.h>

namespace belljar::analysis {

namespace {

constexpr std::uint32_t kMatchesInProgress = 1000; // tree-sitter drops the oldest beyond
constexpr std::size_t kMostFindings = 500;
constexpr std::size_t kMostQuoted = 80; // of the code in a message
constexpr int kLooksAtClock = 64;       // matches between two looks
constexpr std::string_view kNamesFile = "names.scm";

struct QueryDeleter {
    void operator()(TSQuery* query) const { ts_query_delete(query); }
};
struct CursorDeleter {
    void operator()(TSQueryCursor* cursor) const { ts_query_cursor_delete(cursor); }
};

/// A block of a file: the comments that describe a rule, and the patterns below them.
struct Block {
    RuleInfo rule;
    std::vector<std::string> imports; ///< patterns of modules
    std::filesystem::path file;
    std::uint32_t line = 1;    ///< where its patterns begin
    std::size_t beginByte = 0; ///< of its patterns in the joined text
};

/// One predicate of a pattern: `(#name? @capture "argument"...)`.
struct Predicate {
    enum class Kind : std::uint8_t { Eq, AnyOf, Match, ResolvesTo, Kind };
    struct Argument {
        std::optional<std::uint32_t> capture;
        std::string text;
    };

    Kind kind = Kind::Eq;
    bool negated = false;
    std::uint32_t capture = 0;
    std::vector<Argument> arguments;
    std::unique_ptr<re2::RE2> expression; ///< of Match
};

struct PredicateRow {
    std::string_view name;
    Predicate::Kind kind;
    bool negated;
};
constexpr std::array kPredicates{
    PredicateRow{"eq?", Predicate::Kind::Eq, false},
    PredicateRow{"not-eq?", Predicate::Kind::Eq, true},
    PredicateRow{"any-of?", Predicate::Kind::AnyOf, false},
    PredicateRow{"not-any-of?", Predicate::Kind::AnyOf, true},
    PredicateRow{"match?", Predicate::Kind::Match, false},
    PredicateRow{"not-match?", Predicate::Kind::Match, true},
    PredicateRow{"resolves-to?", Predicate::Kind::ResolvesTo, false},
    PredicateRow{"not-resolves-to?", Predicate::Kind::ResolvesTo, true},
    PredicateRow{"kind?", Predicate::Kind::Kind, false},
    PredicateRow{"not-kind?", Predicate::Kind::Kind, true},
};

/// A text compiled, with the predicates of each of its patterns.
struct Compiled {
    std::unique_ptr<TSQuery, QueryDeleter> query;
    std::vector<std::vector<Predicate>> predicates; ///< by pattern

    [[nodiscard]] std::optional<std::uint32_t> capture(std::string_view name) const
    {
        for (std::uint32_t id = 0; id < ts_query_capture_count(query.get()); ++id) {
            std::uint32_t size = 0;
            const char* text = ts_query_capture_name_for_id(query.get(), id, &size);
            if (name == std::string_view(text, size))
                return id;
        }
        return {};
    }
};

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

tl::unexpected<Error>
wrong(const std::filesystem::path& file, std::size_t line, std::string_view what)
{
    return fail(
        Errc::InvalidArgument, file.string() + ":" + std::to_string(line) + ": " + std::string(what)
    );
}

std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> list;
    while (!(text = trimmed(text)).empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        list.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return list;
}

/// Takes a file apart: `;; key: value` lines describe the block that `;; rule:` begins.
Result<std::vector<std::pair<Block, std::string>>>
readBlocks(const std::filesystem::path& file, const std::string& text)
{
    std::vector<std::pair<Block, std::string>> blocks;
    std::size_t number = 0;
    std::string_view rest = text;
    bool severitySaid = true;
    while (!rest.empty()) {
        ++number;
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!line.starts_with(";; ")) {
            if (blocks.empty() && !trimmed(line).empty() && !line.starts_with(";"))
                return wrong(file, number, "a pattern stands before the first \";; rule:\"");
            if (!blocks.empty())
                blocks.back().second.append(line).append("\n");
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            return wrong(file, number, "expected \";; key: value\"");
        const std::string_view key = trimmed(line.substr(3, colon - 3));
        const std::string value(trimmed(line.substr(colon + 1)));
        if (key == "rule") {
            if (!severitySaid)
                return wrong(file, number, "the rule before has no severity");
            Block block;
            block.rule.id = value;
            block.file = file;
            block.line = static_cast<std::uint32_t>(number) + 1;
            blocks.emplace_back(std::move(block), std::string());
            severitySaid = false;
            continue;
        }
        if (blocks.empty())
            return wrong(file, number, "expected \";; rule: id\" first");
        Block& block = blocks.back().first;
        // The patterns keep their places.
        blocks.back().second += "\n";
        if (key == "severity") {
            const auto severity = severityFromName(value);
            if (!severity)
                return wrong(
                    file, number, "severity: expected info, low, medium, high or critical"
                );
            block.rule.severity = *severity;
            severitySaid = true;
        } else if (key == "category") {
            block.rule.category = value;
        } else if (key == "message") {
            block.rule.message = value;
        } else if (key == "imports") {
            block.imports = words(value);
        } else {
            return wrong(file, number, "expected rule, severity, category, message or imports");
        }
    }
    if (!severitySaid)
        return wrong(file, number, "the last rule has no severity");
    return blocks;
}

std::string_view errorWords(TSQueryError error)
{
    switch (error) {
    case TSQueryErrorSyntax: return "is not written right";
    case TSQueryErrorNodeType: return "names a node that the grammar doesn't have";
    case TSQueryErrorField: return "names a field that the grammar doesn't have";
    case TSQueryErrorCapture: return "names a capture that isn't there";
    case TSQueryErrorStructure: return "can never match";
    case TSQueryErrorNone:
    case TSQueryErrorLanguage: break;
    }
    return "can't be used with this grammar";
}

Result<std::vector<Predicate>> readPredicates(const TSQuery* query, std::uint32_t pattern)
{
    std::uint32_t count = 0;
    const TSQueryPredicateStep* steps = ts_query_predicates_for_pattern(query, pattern, &count);
    const auto text = [query](const TSQueryPredicateStep& step) {
        std::uint32_t size = 0;
        const char* value = ts_query_string_value_for_id(query, step.value_id, &size);
        return std::string(value, size);
    };
    std::vector<Predicate> list;
    for (std::uint32_t at = 0; at < count; ++at) {
        if (steps[at].type != TSQueryPredicateStepTypeString)
            return fail(Errc::InvalidArgument, "a predicate begins with its name");
        const std::string name = text(steps[at]);
        const auto row = std::find_if(kPredicates.begin(), kPredicates.end(), [&](const auto& one) {
            return one.name == name;
        });
        if (row == kPredicates.end())
            return fail(Errc::InvalidArgument, "there is no predicate #" + name);
        Predicate predicate;
        predicate.kind = row->kind;
        predicate.negated = row->negated;
        if (++at >= count || steps[at].type != TSQueryPredicateStepTypeCapture)
            return fail(Errc::InvalidArgument, "#" + name + " expects a capture first");
        predicate.capture = steps[at].value_id;
        for (++at; at < count && steps[at].type != TSQueryPredicateStepTypeDone; ++at) {
            Predicate::Argument argument;
            if (steps[at].type == TSQueryPredicateStepTypeCapture)
                argument.capture = steps[at].value_id;
            else
                argument.text = text(steps[at]);
            predicate.arguments.push_back(std::move(argument));
        }
        if (predicate.arguments.empty())
            return fail(Errc::InvalidArgument, "#" + name + " expects something to compare with");
        if (predicate.kind == Predicate::Kind::Match) {
            predicate.expression =
                std::make_unique<re2::RE2>(predicate.arguments.front().text, re2::RE2::Quiet);
            if (!predicate.expression->ok())
                return fail(
                    Errc::InvalidArgument, "#" + name + ": " + predicate.expression->error()
                );
        }
        list.push_back(std::move(predicate));
    }
    return list;
}

/// A pattern's text, its place and the file it is from, for errors.
using Whereabouts = std::function<std::string(std::size_t byte)>;

Result<Compiled>
compile(const TSLanguage* language, const std::string& text, const Whereabouts& where)
{
    std::uint32_t offset = 0;
    TSQueryError error = TSQueryErrorNone;
    Compiled compiled;
    compiled.query.reset(ts_query_new(
        language, text.data(), static_cast<std::uint32_t>(text.size()), &offset, &error
    ));
    if (!compiled.query)
        return fail(
            Errc::InvalidArgument, where(offset) + ": the pattern " + std::string(errorWords(error))
        );
    for (std::uint32_t pattern = 0; pattern < ts_query_pattern_count(compiled.query.get());
         ++pattern) {
        auto predicates = readPredicates(compiled.query.get(), pattern);
        if (!predicates)
            return fail(
                Errc::InvalidArgument,
                where(ts_query_start_byte_for_pattern(compiled.query.get(), pattern)) + ": " +
                    predicates.error().message()
            );
        compiled.predicates.push_back(std::move(*predicates));
    }
    return compiled;
}

/// One match of a pattern over a source.
class Match {
public:
    Match(const TSQueryMatch& match, const Source& source, const Names& names)
        : m_match(match)
        , m_source(source)
        , m_names(names)
    {}

    [[nodiscard]] const TSNode* node(std::uint32_t capture) const
    {
        for (std::uint16_t at = 0; at < m_match.capture_count; ++at) {
            if (m_match.captures[at].index == capture)
                return &m_match.captures[at].node;
        }
        return nullptr;
    }
    [[nodiscard]] std::string_view text(const TSNode& node) const
    {
        return m_source.text(ts_node_start_byte(node), ts_node_end_byte(node));
    }
    [[nodiscard]] bool holds(const std::vector<Predicate>& predicates) const
    {
        return std::all_of(predicates.begin(), predicates.end(), [this](const Predicate& one) {
            return holds(one);
        });
    }

private:
    [[nodiscard]] bool holds(const Predicate& predicate) const
    {
        const TSNode* subject = node(predicate.capture);
        if (!subject)
            return predicate.negated;
        return compare(predicate, *subject) != predicate.negated;
    }
    [[nodiscard]] bool compare(const Predicate& predicate, const TSNode& subject) const
    {
        const std::string_view value = text(subject);
        switch (predicate.kind) {
        case Predicate::Kind::Match:
            return re2::RE2::PartialMatch(
                re2::StringPiece(value.data(), value.size()), *predicate.expression
            );
        case Predicate::Kind::Kind: {
            const std::string_view kind = ts_node_type(subject);
            return std::any_of(
                predicate.arguments.begin(),
                predicate.arguments.end(),
                [&](const auto& one) { return one.text == kind; }
            );
        }
        case Predicate::Kind::ResolvesTo: {
            const auto meanings = m_names.resolve(value);
            return std::any_of(
                predicate.arguments.begin(),
                predicate.arguments.end(),
                [&](const auto& one) {
                    return std::any_of(
                        meanings.begin(),
                        meanings.end(),
                        [&](const std::string& meaning) { return fitsName(one.text, meaning); }
                    );
                }
            );
        }
        case Predicate::Kind::Eq:
        case Predicate::Kind::AnyOf: break;
        }
        return std::any_of(
            predicate.arguments.begin(),
            predicate.arguments.end(),
            [&](const auto& one) {
                if (!one.capture)
                    return one.text == value;
                const TSNode* other = node(*one.capture);
                return other && text(*other) == value;
            }
        );
    }

    const TSQueryMatch& m_match;
    const Source& m_source;
    const Names& m_names;
};

/// Calls `take` for every match that holds. False when the time was up or tree-sitter had to drop
/// some.
bool run(
    const Compiled& compiled,
    const TSTree* tree,
    const Source& source,
    Deadline deadline,
    const Names& names,
    const std::function<bool(std::uint32_t pattern, const Match& match)>& take
)
{
    const std::unique_ptr<TSQueryCursor, CursorDeleter> cursor(ts_query_cursor_new());
    ts_query_cursor_set_match_limit(cursor.get(), kMatchesInProgress);
    ts_query_cursor_exec(cursor.get(), compiled.query.get(), ts_tree_root_node(tree));
    TSQueryMatch found;
    int untilLook = kLooksAtClock;
    while (ts_query_cursor_next_match(cursor.get(), &found)) {
        if (--untilLook == 0) {
            untilLook = kLooksAtClock;
            if (SteadyClock::now() > deadline)
                return false;
        }
        const Match match(found, source, names);
        if (match.holds(compiled.predicates[found.pattern_index]) &&
            !take(found.pattern_index, match))
            return false;
    }
    return !ts_query_cursor_did_exceed_match_limit(cursor.get());
}

} // namespace

class Queries::Impl {
public:
    std::vector<Block> blocks; ///< in the order of the joined text
    std::vector<RuleInfo> rules;
    std::optional<Compiled> matching;
    std::optional<Compiled> names;
    std::optional<std::uint32_t> module;
    std::optional<std::uint32_t> member;
    std::optional<std::uint32_t> bound;
    std::optional<std::uint32_t> value;
    std::optional<std::uint32_t> all;

    [[nodiscard]] const Block& blockAt(std::size_t byte) const
    {
        const auto after = std::upper_bound(
            blocks.begin(),
            blocks.end(),
            byte,
            [](std::size_t offset, const Block& block) { return offset < block.beginByte; }
        );
        return *std::prev(after);
    }
    void
    add(const Block& block,
        const Source& source,
        Range range,
        std::string_view quoted,
        Report& report) const
    {
        Finding finding;
        finding.rule = block.rule.id;
        finding.severity = block.rule.severity;
        finding.category = block.rule.category;
        finding.message = block.rule.message;
        if (!quoted.empty())
            finding.message += ": " + escapeForLine(prefixWithin(quoted, kMostQuoted));
        finding.range = range;
        static_cast<void>(source);
        // A call within a call of the same kind is one finding where it begins at the same place.
        const auto same = [&](const Finding& other) {
            return other.rule == finding.rule && other.range.beginByte == finding.range.beginByte;
        };
        if (std::none_of(report.findings.begin(), report.findings.end(), same))
            report.findings.push_back(std::move(finding));
    }
};

Queries::Queries(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{}
Queries::Queries(Queries&&) noexcept = default;
Queries& Queries::operator=(Queries&&) noexcept = default;
Queries::~Queries() = default;

Result<Queries>
Queries::load(const TSLanguage* language, const std::vector<std::filesystem::path>& folders)
{
    auto impl = std::make_unique<Impl>();
    std::string joined;
    std::string names;
    std::filesystem::path namesFile;
    for (const auto& folder : folders) {
        std::vector<std::filesystem::path> files;
        std::error_code failed;
        for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
            files.push_back(entry.path());
        if (failed)
            return fail(Errc::IoFailed, folder.string() + ": " + failed.message());
        std::sort(files.begin(), files.end());
        for (const auto& file : files) {
            if (file.extension() != ".scm")
                continue;
            auto text = readFile(file);
            if (!text)
                return fail(text.error());
            if (file.filename() == kNamesFile) {
                names += *text;
                namesFile = file;
                continue;
            }
            auto blocks = readBlocks(file, *text);
            if (!blocks)
                return fail(blocks.error());
            for (auto& [block, patterns] : *blocks) {
                block.beginByte = joined.size();
                joined += patterns;
                impl->rules.push_back(block.rule);
                impl->blocks.push_back(std::move(block));
            }
        }
    }
    const auto lineIn = [](const std::string& text, std::size_t from, std::size_t to) {
        return std::count(
            text.begin() + static_cast<std::ptrdiff_t>(from),
            text.begin() + static_cast<std::ptrdiff_t>(to),
            '\n'
        );
    };
    if (!impl->blocks.empty()) {
        auto compiled = compile(language, joined, [&](std::size_t byte) {
            const Block& block = impl->blockAt(byte);
            return block.file.string() + ":" +
                   std::to_string(block.line + lineIn(joined, block.beginByte, byte));
        });
        if (!compiled)
            return fail(compiled.error());
        impl->matching = std::move(*compiled);
    }
    if (!names.empty()) {
        auto compiled = compile(language, names, [&](std::size_t byte) {
            return namesFile.string() + ":" + std::to_string(1 + lineIn(names, 0, byte));
        });
        if (!compiled)
            return fail(compiled.error());
        impl->names = std::move(*compiled);
        impl->module = impl->names->capture("module");
        impl->member = impl->names->capture("member");
        impl->bound = impl->names->capture("bind");
        impl->value = impl->names->capture("value");
        impl->all = impl->names->capture("all");
    }
    return Queries(std::move(impl));
}

const std::vector<RuleInfo>& Queries::rules() const
{
    return m_impl->rules;
}

bool Queries::readNames(
    const TSTree* tree,
    const Source& source,
    Deadline deadline,
    Names& names,
    const std::function<void(std::string module, Range)>& import
) const
{
    if (!m_impl->names)
        return true;
    const auto textOf = [](const Match& match, const std::optional<std::uint32_t>& capture) {
        const TSNode* node = capture ? match.node(*capture) : nullptr;
        return node ? std::string(match.text(*node)) : std::string();
    };
    const Names none;
    return run(
        *m_impl->names,
        tree,
        source,
        deadline,
        none,
        [&](std::uint32_t /*pattern*/, const Match& match) {
            std::string module = textOf(match, m_impl->module);
            if (module.starts_with("node:"))
                module.erase(0, 5);
            const std::string member = textOf(match, m_impl->member);
            std::string bound = textOf(match, m_impl->bound);
            if (!module.empty()) {
                const TSNode* node = match.node(*m_impl->module);
                import(module, source.range(ts_node_start_byte(*node), ts_node_end_byte(*node)));
                if (!textOf(match, m_impl->all).empty())
                    names.bindAll(module);
                else if (!member.empty())
                    names.bind(bound.empty() ? member : bound, module + "." + member);
                else if (!bound.empty())
                    names.bind(bound, module);
                return true;
            }
            const std::string target = dottedName(textOf(match, m_impl->value));
            if (!bound.empty() && !target.empty() && bound != target)
                names.bind(std::move(bound), target);
            return true;
        }
    );
}

bool Queries::find(
    const TSTree* tree, const Source& source, Deadline deadline, const Names& names, Report& report
) const
{
    for (const Import& import : report.imports) {
        for (const Block& block : m_impl->blocks) {
            const bool fits = std::any_of(
                block.imports.begin(),
                block.imports.end(),
                [&](const std::string& one) { return fitsName(one, import.module); }
            );
            if (fits)
                m_impl->add(block, source, import.range, import.module, report);
        }
    }
    if (!m_impl->matching)
        return true;
    const TSQuery* query = m_impl->matching->query.get();
    return run(
        *m_impl->matching,
        tree,
        source,
        deadline,
        names,
        [&](std::uint32_t pattern, const Match& match) {
            const Block& block = m_impl->blockAt(ts_query_start_byte_for_pattern(query, pattern));
            // What a pattern calls @at is shown; else its first capture.
            const auto at = m_impl->matching->capture("at");
            const TSNode* node = at ? match.node(*at) : nullptr;
            if (!node) {
                for (std::uint32_t id = 0; !node && id < ts_query_capture_count(query); ++id)
                    node = match.node(id);
            }
            if (!node)
                return true;
            const std::size_t begin = ts_node_start_byte(*node);
            const std::size_t end = ts_node_end_byte(*node);
            m_impl->add(block, source, source.range(begin, end), match.text(*node), report);
            return report.findings.size() < kMostFindings;
        }
    );
}

} // namespace belljar::analysis
