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
constexpr std::size_t kMostImports = 10'000;
constexpr std::size_t kMostKept = 1'000'000; // captures of matches that wait for the names
constexpr std::size_t kMostQuoted = 80;      // of the code in a message
constexpr int kLooksAtClock = 64;            // matches between two looks
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

/// A pattern as it stands in the rules.
struct Pattern {
    std::size_t beginByte = 0; ///< in the joined text
    std::vector<Predicate> predicates;
};

/// A text compiled. Patterns that differ in their predicates alone have one shape: the tree is
/// searched for each shape once, and what is found is held against each of its patterns.
struct Compiled {
    std::unique_ptr<TSQuery, QueryDeleter> query; ///< of the shapes
    std::vector<std::vector<Pattern>> patterns;   ///< by shape

    /// By their ids.
    [[nodiscard]] std::vector<std::string> captureNames() const
    {
        std::vector<std::string> names;
        for (std::uint32_t id = 0; id < ts_query_capture_count(query.get()); ++id) {
            std::uint32_t size = 0;
            const char* text = ts_query_capture_name_for_id(query.get(), id, &size);
            names.emplace_back(text, size);
        }
        return names;
    }
    [[nodiscard]] std::optional<std::uint32_t> capture(std::string_view name) const
    {
        const std::vector<std::string> names = captureNames();
        const auto known = std::find(names.begin(), names.end(), name);
        if (known == names.end())
            return {};
        return static_cast<std::uint32_t>(known - names.begin());
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

/// Goes along the text of patterns, token by token: brackets, strings, words. Comments and blanks
/// are no tokens.
class Tokens {
public:
    explicit Tokens(std::string_view text)
        : m_text(text)
    {
        skipBlanks();
    }
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] std::size_t at() const { return m_at; }
    [[nodiscard]] char first() const { return m_text[m_at]; }
    [[nodiscard]] bool beginsPredicate() const { return m_text.substr(m_at).starts_with("(#"); }

    /// The next one; empty at the end.
    std::string_view next()
    {
        constexpr std::string_view kAlone = "()[]";
        constexpr std::string_view kEnd = "()[]\"; \t\r\n";
        if (atEnd())
            return {};
        const std::size_t begin = m_at;
        if (first() == '"')
            m_at = endOfString();
        else if (kAlone.find(first()) != std::string_view::npos)
            ++m_at;
        else
            m_at = std::min(m_text.find_first_of(kEnd, m_at), m_text.size());
        const std::string_view token = m_text.substr(begin, m_at - begin);
        skipBlanks();
        return token;
    }

private:
    [[nodiscard]] std::size_t endOfString() const
    {
        std::size_t end = m_at + 1;
        while (end < m_text.size() && m_text[end] != '"')
            end += m_text[end] == '\\' ? 2U : 1U;
        return std::min(end + 1, m_text.size());
    }
    void skipBlanks()
    {
        while (!atEnd()) {
            if (first() == ';')
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            else if (std::string_view(" \t\r\n").find(first()) != std::string_view::npos)
                ++m_at;
            else
                return;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// A string of a pattern as it is meant.
std::string unescaped(std::string_view token)
{
    if (!token.starts_with('"'))
        return std::string(token);
    token.remove_prefix(1);
    if (token.ends_with('"'))
        token.remove_suffix(1);
    std::string text;
    for (std::size_t at = 0; at < token.size(); ++at) {
        const bool escaped = token[at] == '\\' && at + 1 < token.size();
        const char c = escaped ? token[++at] : token[at];
        text += escaped && c == 'n' ? '\n' : escaped && c == 't' ? '\t' : c;
    }
    return text;
}

/// A predicate as it is written: captures by their names.
struct WrittenPredicate {
    std::vector<std::string_view> words; ///< "#eq?", "@capture", "\"text\""...
};

/// Errors: InvalidArgument.
Result<Predicate>
readPredicate(const WrittenPredicate& written, const std::vector<std::string>& captures)
{
    const std::string name(written.words.front().substr(1));
    const auto row = std::find_if(kPredicates.begin(), kPredicates.end(), [&](const auto& one) {
        return one.name == name;
    });
    if (row == kPredicates.end())
        return fail(Errc::InvalidArgument, "there is no predicate #" + name);
    const auto isCapture = [](std::string_view word) { return word.starts_with('@'); };
    if (written.words.size() < 2 || !isCapture(written.words[1]))
        return fail(Errc::InvalidArgument, "#" + name + " expects a capture first");
    if (written.words.size() < 3)
        return fail(Errc::InvalidArgument, "#" + name + " expects something to compare with");
    Predicate predicate;
    predicate.kind = row->kind;
    predicate.negated = row->negated;
    for (std::size_t at = 1; at < written.words.size(); ++at) {
        Predicate::Argument argument;
        if (isCapture(written.words[at])) {
            const auto known =
                std::find(captures.begin(), captures.end(), written.words[at].substr(1));
            if (known == captures.end())
                return fail(Errc::InvalidArgument, "the pattern names a capture that isn't there");
            argument.capture = static_cast<std::uint32_t>(known - captures.begin());
        } else {
            argument.text = unescaped(written.words[at]);
        }
        if (at == 1)
            predicate.capture = *argument.capture;
        else
            predicate.arguments.push_back(std::move(argument));
    }
    if (predicate.kind == Predicate::Kind::Match) {
        predicate.expression =
            std::make_unique<re2::RE2>(predicate.arguments.front().text, re2::RE2::Quiet);
        if (!predicate.expression->ok())
            return fail(Errc::InvalidArgument, "#" + name + ": " + predicate.expression->error());
    }
    return predicate;
}

int costOf(Predicate::Kind kind)
{
    switch (kind) {
    case Predicate::Kind::Eq:
    case Predicate::Kind::AnyOf:
    case Predicate::Kind::Kind: return 0;
    case Predicate::Kind::ResolvesTo: return 1;
    case Predicate::Kind::Match: break;
    }
    return 2;
}

/// A pattern taken apart.
struct WrittenPattern {
    std::size_t beginByte = 0;
    std::size_t endByte = 0;
    std::string shape; ///< its tokens without its predicates
    std::vector<WrittenPredicate> predicates;
};

/// One predicate, from its bracket to its bracket.
WrittenPredicate takePredicate(Tokens& tokens)
{
    WrittenPredicate predicate;
    tokens.next(); // the bracket
    while (!tokens.atEnd()) {
        const std::string_view token = tokens.next();
        if (token == ")")
            break;
        predicate.words.push_back(token);
    }
    return predicate;
}

/// A pattern ends where the next one begins: behind its brackets, what names it and how often it
/// may come. The part of the text from `begin` to `end` has whole ones: the last one is false when
/// its brackets aren't closed there.
bool takeApart(
    std::string_view text, std::size_t begin, std::size_t end, std::vector<WrittenPattern>& patterns
)
{
    int depth = 0;
    bool isFirst = true;
    Tokens tokens(text.substr(begin, end - begin));
    while (!tokens.atEnd()) {
        const bool goesOn =
            std::string_view("@*+?.").find(tokens.first()) != std::string_view::npos;
        if (isFirst || (depth == 0 && !goesOn))
            patterns.push_back({begin + tokens.at(), end, {}, {}});
        isFirst = false;
        WrittenPattern& pattern = patterns.back();
        if (depth > 0 && tokens.beginsPredicate()) {
            pattern.predicates.push_back(takePredicate(tokens));
            continue;
        }
        const std::string_view token = tokens.next();
        depth += token == "(" || token == "[" ? 1 : token == ")" || token == "]" ? -1 : 0;
        pattern.shape.append(token).append(" ");
        pattern.endByte = begin + tokens.at();
    }
    return depth == 0;
}

/// `pattern` with blanks where its predicates stand, so that every byte keeps its place.
std::string withoutPredicates(std::string_view pattern)
{
    std::string text(pattern);
    Tokens tokens(pattern);
    while (!tokens.atEnd()) {
        if (!tokens.beginsPredicate()) {
            tokens.next();
            continue;
        }
        const std::size_t begin = tokens.at();
        takePredicate(tokens);
        for (std::size_t at = begin; at < tokens.at(); ++at)
            text[at] = text[at] == '\n' ? '\n' : ' ';
    }
    return text;
}

/// A pattern's text, its place and the file it is from, for errors.
using Whereabouts = std::function<std::string(std::size_t byte)>;

/// What is searched for: each shape once.
struct Shapes {
    struct Place {
        std::size_t beginByte = 0;   ///< in `text`
        std::size_t writtenByte = 0; ///< in the rules
    };

    std::string text;
    std::vector<Place> places;
    std::map<std::string, std::size_t, std::less<>> known;

    /// The number of the shape of `pattern`.
    std::size_t add(const WrittenPattern& pattern, std::string_view written)
    {
        const auto [found, isNew] = known.try_emplace(pattern.shape, places.size());
        if (isNew) {
            places.push_back({text.size(), pattern.beginByte});
            text += withoutPredicates(
                        written.substr(pattern.beginByte, pattern.endByte - pattern.beginByte)
                    ) +
                    "\n";
        }
        return found->second;
    }
    [[nodiscard]] std::size_t writtenByte(std::size_t byte) const
    {
        std::size_t written = byte;
        for (const Place& place : places) {
            if (place.beginByte <= byte)
                written = place.writtenByte + (byte - place.beginByte);
        }
        return written;
    }
};

/// `parts` are the places where the parts of `text` begin. Errors: InvalidArgument, with the place.
Result<Compiled> compile(
    const TSLanguage* language,
    const std::string& text,
    const std::vector<std::size_t>& parts,
    const Whereabouts& where
)
{
    std::vector<WrittenPattern> written;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::size_t end = part + 1 < parts.size() ? parts[part + 1] : text.size();
        if (!takeApart(text, parts[part], end, written))
            return fail(
                Errc::InvalidArgument,
                where(written.back().beginByte) + ": the pattern " +
                    std::string(errorWords(TSQueryErrorSyntax))
            );
    }
    Shapes shapes;
    std::vector<std::size_t> shapeOf;
    for (const WrittenPattern& pattern : written)
        shapeOf.push_back(shapes.add(pattern, text));

    Compiled compiled;
    std::uint32_t offset = 0;
    TSQueryError error = TSQueryErrorNone;
    compiled.query.reset(ts_query_new(
        language,
        shapes.text.data(),
        static_cast<std::uint32_t>(shapes.text.size()),
        &offset,
        &error
    ));
    if (!compiled.query)
        return fail(
            Errc::InvalidArgument,
            where(shapes.writtenByte(offset)) + ": the pattern " + std::string(errorWords(error))
        );
    if (ts_query_pattern_count(compiled.query.get()) != shapes.places.size())
        return fail(Errc::InvalidArgument, where(0) + ": the patterns can't be told apart");
    compiled.patterns.resize(shapes.places.size());
    const std::vector<std::string> captures = compiled.captureNames();
    for (std::size_t number = 0; number < written.size(); ++number) {
        Pattern pattern;
        pattern.beginByte = written[number].beginByte;
        for (const WrittenPredicate& one : written[number].predicates) {
            auto predicate = readPredicate(one, captures);
            if (!predicate)
                return fail(
                    Errc::InvalidArgument,
                    where(pattern.beginByte) + ": " + predicate.error().message()
                );
            pattern.predicates.push_back(std::move(*predicate));
        }
        // All of them have to hold, so those that cost least come first.
        std::stable_sort(
            pattern.predicates.begin(),
            pattern.predicates.end(),
            [](const Predicate& one, const Predicate& other) {
                return costOf(one.kind) < costOf(other.kind);
            }
        );
        compiled.patterns[shapeOf[number]].push_back(std::move(pattern));
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
            const auto& meanings = meaningsOf(value);
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

    /// Rule after rule asks for the same one.
    [[nodiscard]] const std::vector<std::string>& meaningsOf(std::string_view name) const
    {
        if (!m_meanings || m_name.data() != name.data() || m_name.size() != name.size()) {
            m_name = name;
            m_meanings = &m_names.resolve(name);
        }
        return *m_meanings;
    }

    const TSQueryMatch& m_match;
    const Source& m_source;
    const Names& m_names;
    mutable std::string_view m_name;
    mutable const std::vector<std::string>* m_meanings = nullptr;
};

/// Calls `take` for every match of a shape, until it says false. False then, when the time was up,
/// or when tree-sitter had to drop some.
bool walk(
    const Compiled& compiled,
    const TSTree* tree,
    const CpuBudget& budget,
    const std::function<bool(const TSQueryMatch& match)>& take
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
            if (budget.spent())
                return false;
        }
        if (!take(found))
            return false;
    }
    return !ts_query_cursor_did_exceed_match_limit(cursor.get());
}

/// Matches that wait until the names of the whole file are known.
class KeptMatches {
public:
    void add(const TSQueryMatch& match)
    {
        m_overflowed = m_overflowed || m_captures.size() >= kMostKept;
        if (m_overflowed)
            return;
        m_matches.push_back({match.pattern_index, match.capture_count, m_captures.size()});
        m_captures.insert(m_captures.end(), match.captures, match.captures + match.capture_count);
    }
    /// There were more than is worth the memory; the tree has to be walked again.
    [[nodiscard]] bool overflowed() const { return m_overflowed; }

    /// Calls `take` for each, until it says false. False then, or when the time was up.
    bool
    walk(const CpuBudget& budget, const std::function<bool(const TSQueryMatch& match)>& take) const
    {
        int untilLook = kLooksAtClock;
        for (const Kept& kept : m_matches) {
            if (--untilLook == 0) {
                untilLook = kLooksAtClock;
                if (budget.spent())
                    return false;
            }
            TSQueryMatch match{};
            match.pattern_index = kept.shape;
            match.capture_count = kept.captures;
            match.captures = m_captures.data() + kept.first;
            if (!take(match))
                return false;
        }
        return true;
    }

private:
    struct Kept {
        std::uint16_t shape;
        std::uint16_t captures;
        std::size_t first;
    };
    std::vector<Kept> m_matches;
    std::vector<TSQueryCapture> m_captures;
    bool m_overflowed = false;
};

} // namespace

class Queries::Impl {
public:
    std::vector<Block> blocks; ///< in the order of the joined text
    std::vector<RuleInfo> rules;
    std::optional<Compiled> compiled;
    std::size_t namesBegin = 0; ///< of what says which names are bound, in the joined text
    std::optional<std::uint32_t> at;
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
    void readNames(const Match& match, const Source& source, Names& names, Report& report) const;
    bool findImports(Report& report) const;
    bool findRules(
        const TSQueryMatch& found, const Source& source, const Names& names, Report& report
    ) const;
    void add(const Block& block, Range range, std::string_view quoted, Report& report) const
    {
        Finding finding;
        finding.rule = block.rule.id;
        finding.severity = block.rule.severity;
        finding.category = block.rule.category;
        finding.message = block.rule.message;
        if (!quoted.empty())
            finding.message += ": " + escapeForLine(prefixWithin(quoted, kMostQuoted));
        finding.range = range;
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
    impl->namesBegin = joined.size();
    joined += names;
    std::vector<std::size_t> parts;
    for (const Block& block : impl->blocks)
        parts.push_back(block.beginByte);
    parts.push_back(impl->namesBegin);
    if (joined.empty())
        return Queries(std::move(impl));
    auto compiled = compile(language, joined, parts, [&](std::size_t byte) {
        if (byte >= impl->namesBegin)
            return namesFile.string() + ":" +
                   std::to_string(1 + lineIn(joined, impl->namesBegin, byte));
        const Block& block = impl->blockAt(byte);
        return block.file.string() + ":" +
               std::to_string(block.line + lineIn(joined, block.beginByte, byte));
    });
    if (!compiled)
        return fail(compiled.error());
    impl->at = compiled->capture("at");
    impl->module = compiled->capture("module");
    impl->member = compiled->capture("member");
    impl->bound = compiled->capture("bind");
    impl->value = compiled->capture("value");
    impl->all = compiled->capture("all");
    impl->compiled = std::move(*compiled);
    return Queries(std::move(impl));
}

const std::vector<RuleInfo>& Queries::rules() const
{
    return m_impl->rules;
}

/// Takes in what one match says of the file's names and imports.
void Queries::Impl::readNames(
    const Match& match, const Source& source, Names& names, Report& report
) const
{
    const auto textOf = [&match](const std::optional<std::uint32_t>& capture) {
        const TSNode* node = capture ? match.node(*capture) : nullptr;
        return node ? std::string(match.text(*node)) : std::string();
    };
    std::string moduleName = textOf(module);
    if (moduleName.starts_with("node:"))
        moduleName.erase(0, 5);
    std::string boundName = textOf(bound);
    if (moduleName.empty()) {
        const TSNode* node = value ? match.node(*value) : nullptr;
        std::string target = node ? dottedName(match.text(*node)) : std::string();
        if (!boundName.empty() && !target.empty() && boundName != target)
            names.bind(std::move(boundName), std::move(target));
        return;
    }
    const TSNode* node = match.node(*module);
    report.imports.push_back(
        {moduleName, source.range(ts_node_start_byte(*node), ts_node_end_byte(*node))}
    );
    const std::string memberName = textOf(member);
    if (!textOf(all).empty())
        names.bindAll(moduleName);
    else if (!memberName.empty())
        names.bind(boundName.empty() ? memberName : boundName, moduleName + "." + memberName);
    else if (!boundName.empty())
        names.bind(std::move(boundName), moduleName);
}

/// Every import that a rule names is a finding.
bool Queries::Impl::findImports(Report& report) const
{
    for (const Import& import : report.imports) {
        for (const Block& block : blocks) {
            const bool fits = std::any_of(
                block.imports.begin(),
                block.imports.end(),
                [&](const std::string& one) { return fitsName(one, import.module); }
            );
            if (fits)
                add(block, import.range, import.module, report);
        }
        if (report.findings.size() >= kMostFindings)
            return false;
    }
    return true;
}

/// The findings of one match.
bool Queries::Impl::findRules(
    const TSQueryMatch& found, const Source& source, const Names& names, Report& report
) const
{
    const Match match(found, source, names);
    for (const Pattern& pattern : compiled->patterns[found.pattern_index]) {
        if (pattern.beginByte >= namesBegin || !match.holds(pattern.predicates))
            continue;
        // What a pattern calls @at is shown; else its first capture.
        const TSNode* node = at ? match.node(*at) : nullptr;
        if (!node && found.capture_count > 0)
            node = &found.captures[0].node;
        if (!node)
            continue;
        const Range range = source.range(ts_node_start_byte(*node), ts_node_end_byte(*node));
        add(blockAt(pattern.beginByte), range, match.text(*node), report);
        if (report.findings.size() >= kMostFindings)
            return false;
    }
    return true;
}

bool Queries::find(
    const TSTree* tree, const Source& source, const CpuBudget& budget, Report& report
) const
{
    if (!m_impl->compiled)
        return true;
    // One walk for all: names may be bound behind their use, so the rules' matches wait for them.
    const Compiled& compiled = *m_impl->compiled;
    const Names none;
    Names names;
    KeptMatches kept;
    const auto take = [&](const TSQueryMatch& found) {
        const Match match(found, source, none);
        bool hasRules = false;
        for (const Pattern& pattern : compiled.patterns[found.pattern_index]) {
            if (pattern.beginByte < m_impl->namesBegin)
                hasRules = true;
            else if (match.holds(pattern.predicates))
                m_impl->readNames(match, source, names, report);
        }
        if (hasRules)
            kept.add(found);
        return report.imports.size() < kMostImports;
    };
    // What was found is told even where there is more.
    bool whole = walk(compiled, tree, budget, take);
    whole = m_impl->findImports(report) && whole;
    const auto findRules = [&](const TSQueryMatch& found) {
        return m_impl->findRules(found, source, names, report);
    };
    const bool looked =
        kept.overflowed() ? walk(compiled, tree, budget, findRules) : kept.walk(budget, findRules);
    return looked && whole;
}

} // namespace belljar::analysis
