// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_edit.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace belljar::json {

namespace {

constexpr int kMostLevels = 32;
constexpr std::size_t kLongestLine = 78;

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// After blanks and comments from `at` on; `end` of the text when a comment has no end.
std::size_t afterBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        if (isBlank(text[at])) {
            ++at;
        } else if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.substr(at, 2) == "/*") {
            const std::size_t end = text.find("*/", at + 2);
            at = end == std::string_view::npos ? text.size() : end + 2;
        } else {
            break;
        }
    }
    return at;
}

/// After the comments that stand on the same line as `at`, or `at` where there is none.
std::size_t afterTrailingComment(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (at < text.size()) {
        if (text[at] == ' ' || text[at] == '\t') {
            ++at;
        } else if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
            return at > 0 && text[at - 1] == '\r' ? at - 1 : at;
        } else if (text.substr(at, 2) == "/*") {
            const std::size_t close = text.find("*/", at + 2);
            if (close == std::string_view::npos)
                return end;
            at = close + 2;
            end = at;
        } else {
            break;
        }
    }
    return end;
}

/// After the string that begins at `at`; nothing when it has no end on its line.
std::optional<std::size_t> afterString(std::string_view text, std::size_t at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
        else if (text[at] == '\n')
            return {};
    }
    return {};
}

std::string unquoted(std::string_view quoted)
{
    const Json value = Json::parse(quoted, nullptr, false);
    return value.is_string() ? value.get<std::string>()
                             : std::string(quoted.substr(1, quoted.size() - 2));
}

class Parser {
public:
    Parser(std::string_view text, Dialect dialect)
        : m_text(text)
        , m_dialect(dialect)
    {}

    Tree parse()
    {
        Tree tree;
        Node root;
        skip();
        if (value(root, 0)) {
            skip();
            if (m_at < m_text.size())
                refuse("expected the end of the text after the value");
        }
        if (m_error)
            tree.error = std::move(m_error);
        else
            tree.root = std::move(root);
        return tree;
    }

private:
    bool refuse(std::string message)
    {
        if (!m_error)
            m_error = SyntaxError{std::min(m_at, m_text.size()), std::move(message)};
        return false;
    }
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void skip() { m_at = afterBlanks(m_text, m_at); }

    bool value(Node& node, int level)
    {
        node.begin = m_at;
        if (level > kMostLevels)
            return refuse("too many levels");
        switch (peek()) {
        case '{': return container(node, level, Kind::Object, '}');
        case '[': return container(node, level, Kind::Array, ']');
        case '"': return string(node);
        default: return scalar(node);
        }
    }

    bool string(Node& node)
    {
        node.kind = Kind::String;
        const auto end = afterString(m_text, m_at);
        if (!end)
            return refuse("this text has no closing quote");
        if (!Json::accept(m_text.substr(m_at, *end - m_at)))
            return refuse("this text has a character or escape that JSON doesn't allow");
        m_at = node.end = *end;
        return true;
    }

    bool scalar(Node& node)
    {
        constexpr std::string_view kEnds = ",:]}[{\"/ \t\r\n";
        const std::size_t end = std::min(m_text.find_first_of(kEnds, m_at), m_text.size());
        const std::string_view word = m_text.substr(m_at, end - m_at);
        if (word.empty() || !Json::accept(word))
            return refuse("expected a value");
        node.kind = word == "true" || word == "false" || word == "null" ? Kind::Word : Kind::Number;
        m_at = node.end = end;
        return true;
    }

    bool container(Node& node, int level, Kind kind, char close)
    {
        node.kind = kind;
        ++m_at;
        skip();
        for (bool first = true; peek() != close; first = false) {
            if (!first) {
                if (peek() != ',')
                    return refuse(std::string("expected , or ") + close);
                ++m_at;
                skip();
                if (m_dialect == Dialect::TrailingCommas && peek() == close)
                    break;
            }
            Node child;
            if (kind == Kind::Object && !memberKey(child))
                return false;
            if (!value(child, level + 1))
                return false;
            node.children.push_back(std::move(child));
            skip();
        }
        node.end = ++m_at;
        return true;
    }

    bool memberKey(Node& child)
    {
        if (peek() != '"')
            return refuse("expected a key in quotes");
        Node key;
        if (const std::size_t begin = m_at; string(key)) {
            child.keyBegin = begin;
            child.keyEnd = m_at;
            child.key = unquoted(m_text.substr(begin, m_at - begin));
        } else {
            return false;
        }
        skip();
        if (peek() != ':')
            return refuse("expected : after the key");
        ++m_at;
        skip();
        return true;
    }

    std::string_view m_text;
    Dialect m_dialect;
    std::size_t m_at = 0;
    std::optional<SyntaxError> m_error;
};

std::optional<std::size_t> indexOf(std::string_view step)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (step.empty() || error != std::errc() || end != step.data() + step.size())
        return {};
    return index;
}

const Node* childAt(const Node& node, std::string_view key)
{
    if (node.kind == Kind::Array) {
        const auto index = indexOf(key);
        return index && *index < node.children.size() ? &node.children[*index] : nullptr;
    }
    const auto found =
        std::find_if(node.children.rbegin(), node.children.rend(), [key](const Node& child) {
            return child.key == key;
        });
    return found == node.children.rend() ? nullptr : &*found;
}

std::string_view newlineOf(std::string_view text)
{
    return text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
}

/// The blanks at the beginning of the line that `at` is in.
std::string_view indentAt(std::string_view text, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
    return text.substr(begin, std::min(end, at) - begin);
}

/// One level: the blanks before the first member of the outermost object, if it is on a line of its
/// own.
std::string indentStep(std::string_view text, const Node& root)
{
    if (root.children.empty())
        return "  ";
    const std::size_t first = root.children.front().itemBegin();
    if (text.substr(root.begin, first - root.begin).find('\n') == std::string_view::npos)
        return "  ";
    const std::string_view indent = indentAt(text, first);
    return indent.empty() ? "  " : std::string(indent);
}

/// After the comma that follows an item which ends at `end`, if there is one.
std::optional<std::size_t> afterComma(std::string_view text, std::size_t end)
{
    const std::size_t at = afterBlanks(text, end);
    return at < text.size() && text[at] == ',' ? std::optional(at + 1) : std::nullopt;
}

template <class Value>
std::string laidOut(
    const Value& value, std::string_view indent, std::string_view step, std::string_view newline
)
{
    // replace: foreign text with broken bytes must not throw.
    const auto plain = [](const Value& json) {
        return json.dump(-1, ' ', false, Value::error_handler_t::replace);
    };
    if (!value.is_structured() || value.empty())
        return plain(value);
    if (value.is_array() && std::none_of(value.begin(), value.end(), [](const Value& element) {
            return element.is_structured();
        })) {
        std::string line = "[";
        for (const Value& element : value)
            line += (line.size() > 1 ? ", " : "") + plain(element);
        line += "]";
        if (line.size() + indent.size() <= kLongestLine)
            return line;
    }
    const std::string inner = std::string(indent) + std::string(step);
    std::string lines(1, value.is_object() ? '{' : '[');
    bool first = true;
    for (const auto& [key, element] : value.items()) {
        lines.append(first ? "" : ",").append(newline).append(inner);
        if (value.is_object())
            lines += plain(Value(key)) + ": ";
        lines += laidOut(element, inner, step, newline);
        first = false;
    }
    lines.append(newline).append(indent).append(value.is_object() ? "}" : "]");
    return lines;
}

/// Text, its tree and its layout, while an edit is made.
struct Draft {
    std::string_view text;
    const Node& root;
    std::string_view newline = newlineOf(text);
    std::string step = indentStep(text, root);

    [[nodiscard]] bool isOverLines(const Node& container) const
    {
        const std::size_t first = container.children.front().itemBegin();
        return text.substr(container.begin, first - container.begin).find('\n') !=
               std::string_view::npos;
    }

    /// Adds `item` (a value, or a key and a value) as the last of `container`.
    template <class Value>
    [[nodiscard]] Edit append(const Node& container, std::string_view key, const Value& value) const
    {
        const auto item = [&](std::string_view indent) {
            const std::string lines = laidOut(value, indent, step, newline);
            return key.empty() ? lines : Json(key).dump() + ": " + lines;
        };
        if (container.children.empty())
            return fill(container, item);
        const Node& last = container.children.back();
        const std::optional<std::size_t> trailing = afterComma(text, last.end);
        if (!isOverLines(container)) {
            const std::string inserted = item(indentAt(text, container.begin));
            return trailing ? Edit{*trailing, 0, " " + inserted + ","}
                            : Edit{last.end, 0, ", " + inserted};
        }
        const std::string indent(indentAt(text, container.children.front().itemBegin()));
        if (trailing) {
            std::string inserted(newline);
            inserted.append(indent).append(item(indent)).append(",");
            return {afterTrailingComment(text, *trailing), 0, inserted};
        }
        // A comment behind the last value belongs to it: the comma goes before, the new one behind.
        const std::size_t behind = afterTrailingComment(text, last.end);
        std::string inserted = ",";
        inserted += text.substr(last.end, behind - last.end);
        inserted += newline;
        return {last.end, behind - last.end, inserted + indent + item(indent)};
    }

    template <class Item>
    [[nodiscard]] Edit fill(const Node& container, const Item& item) const
    {
        const std::string outer(indentAt(text, container.begin));
        const std::string inner = outer + step;
        std::string_view comments =
            text.substr(container.begin + 1, container.end - container.begin - 2);
        const std::size_t end = comments.find_last_not_of(" \t\r\n");
        comments = comments.substr(0, end == std::string_view::npos ? 0 : end + 1);
        std::string inserted(comments);
        inserted.append(newline).append(inner).append(item(inner)).append(newline).append(outer);
        return {container.begin + 1, container.end - container.begin - 2, inserted};
    }
};

Result<Tree> parsed(std::string_view text, Dialect dialect = Dialect::Plain)
{
    Tree tree = parse(text, dialect);
    if (tree.error)
        return fail(Errc::InvalidArgument, tree.error->message);
    return tree;
}

/// A node and what of the pointer is not there below it.
struct Deepest {
    const Node* node;
    std::vector<std::string> missing;
};

Deepest deepest(const Node& root, std::string_view pointer)
{
    Deepest found{&root, steps(pointer)};
    while (!found.missing.empty()) {
        const Node* child = childAt(*found.node, found.missing.front());
        if (!child)
            break;
        found.node = child;
        found.missing.erase(found.missing.begin());
    }
    return found;
}

template <class Value>
Value wrapped(const std::vector<std::string>& keys, Value value)
{
    for (auto key = keys.rbegin(); key + 1 < keys.rend(); ++key) {
        Value object = Value::object();
        object[*key] = std::move(value);
        value = std::move(object);
    }
    return value;
}

std::size_t trimmedEnd(std::string_view text, std::size_t begin, std::size_t end)
{
    while (end > begin && isBlank(text[end - 1]))
        --end;
    return end;
}

/// Takes a line that would be left blank with what is on it.
Edit withItsLine(std::string_view text, std::size_t begin, std::size_t end)
{
    const std::size_t indent = indentAt(text, begin).size();
    const std::size_t lineBegin = begin - indent;
    const bool startsLine = lineBegin == 0 || text[lineBegin - 1] == '\n';
    const std::size_t after = std::min(text.find_first_not_of(" \t", end), text.size());
    const bool endsLine = after < text.size() && (text[after] == '\n' || text[after] == '\r');
    if (startsLine && endsLine)
        return {lineBegin, std::min(text.find('\n', after), text.size() - 1) + 1 - lineBegin, ""};
    return {begin, (endsLine ? end : after) - begin, ""};
}

Edit withoutChild(std::string_view text, const Node& parent, std::size_t index)
{
    const Node& child = parent.children[index];
    const auto next = afterComma(text, child.end);
    if (next && index > 0 && index + 1 == parent.children.size()) {
        // Behind it is a trailing comma: then the blanks before it are its own.
        const std::size_t before = *afterComma(text, parent.children[index - 1].end);
        if (text.find_first_not_of(" \t", before) == child.itemBegin())
            return {before, *next - before, ""};
    }
    if (next)
        return withItsLine(text, child.itemBegin(), *next);
    if (index > 0) {
        const std::size_t before = parent.children[index - 1].end;
        const std::size_t comma = *afterComma(text, before) - 1;
        const std::size_t keep = trimmedEnd(text, comma + 1, child.itemBegin());
        return {comma, child.end - comma, std::string(text.substr(comma + 1, keep - comma - 1))};
    }
    // The only one: nothing but its comments stays.
    const std::size_t begin = trimmedEnd(text, parent.begin + 1, child.itemBegin());
    const std::size_t rest = trimmedEnd(text, child.end, parent.end - 1);
    const bool bare = begin == parent.begin + 1 && rest == child.end;
    return {begin, (bare ? parent.end - 1 : child.end) - begin, ""};
}

/// The element with the comments on lines above it.
struct Chunk {
    std::size_t begin;
    std::size_t end;
};

Chunk chunkOf(std::string_view text, const Node& array, std::size_t index)
{
    const Node& child = array.children[index];
    const std::size_t from =
        index == 0 ? array.begin + 1 : *afterComma(text, array.children[index - 1].end);
    std::size_t begin = afterTrailingComment(text, from);
    while (begin < child.begin && isBlank(text[begin]))
        ++begin;
    return {begin, child.end};
}

template <class Value>
Result<Edit>
set(std::string_view text, std::string_view pointer, const Value& value, Dialect dialect)
{
    const auto tree = parsed(text, dialect);
    if (!tree)
        return fail(tree.error());
    const Draft draft{text, *tree->root};
    const Deepest found = deepest(*tree->root, pointer);
    const Node& node = *found.node;
    if (found.missing.empty()) {
        const std::string indent(indentAt(text, node.itemBegin()));
        return Edit{
            node.begin, node.end - node.begin, laidOut(value, indent, draft.step, draft.newline)};
    }
    if (node.kind != Kind::Object)
        return fail(
            Errc::InvalidArgument, "there is no object for \"" + found.missing.front() + "\""
        );
    return draft.append(node, found.missing.front(), wrapped(found.missing, value));
}

} // namespace

Tree parse(std::string_view text, Dialect dialect)
{
    return Parser(text, dialect).parse();
}

std::string step(std::string_view key)
{
    std::string escaped;
    for (const char c : key) {
        if (c == '~')
            escaped += "~0";
        else if (c == '/')
            escaped += "~1";
        else
            escaped += c;
    }
    return escaped;
}

std::vector<std::string> steps(std::string_view pointer)
{
    std::vector<std::string> all;
    while (pointer.starts_with('/')) {
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        std::string key;
        for (std::size_t at = 1; at < end; ++at) {
            const bool escaped = pointer[at] == '~' && at + 1 < end;
            key += escaped ? (pointer[++at] == '1' ? '/' : '~') : pointer[at];
        }
        all.push_back(std::move(key));
        pointer.remove_prefix(end);
    }
    return all;
}

const Node* find(const Node& root, std::string_view pointer)
{
    const Deepest found = deepest(root, pointer);
    return found.missing.empty() ? found.node : nullptr;
}

Json valueOf(std::string_view text, const Node& node)
{
    if (node.kind == Kind::Object) {
        Json object = Json::object();
        for (const Node& child : node.children)
            object[child.key] = valueOf(text, child);
        return object;
    }
    if (node.kind == Kind::Array) {
        Json array = Json::array();
        for (const Node& child : node.children)
            array.push_back(valueOf(text, child));
        return array;
    }
    return Json::parse(text.substr(node.begin, node.end - node.begin), nullptr, false);
}

Place placeAt(std::string_view text, std::size_t offset)
{
    /// An object or array that is open at this point.
    struct Open {
        bool isObject;
        bool afterColon = false;
        std::string key;
        std::size_t index = 0;
    };
    std::vector<Open> open;
    offset = std::min(offset, text.size());
    std::size_t tokenBegin = offset;
    for (std::size_t at = 0; at < offset;) {
        const char c = text[at];
        tokenBegin = offset;
        if (isBlank(c) || text.substr(at, 2) == "//" || text.substr(at, 2) == "/*") {
            at = afterBlanks(text, at);
        } else if (c == '{' || c == '[') {
            open.push_back({c == '{', false, {}, 0});
            ++at;
        } else if (c == '}' || c == ']') {
            if (!open.empty())
                open.pop_back();
            ++at;
        } else if (c == ',' || c == ':') {
            if (!open.empty()) {
                open.back().afterColon = c == ':';
                open.back().index += c == ',' ? 1 : 0;
            }
            ++at;
        } else if (c == '"') {
            const std::size_t lineEnd = std::min(text.find('\n', at), text.size());
            const std::size_t end = afterString(text, at).value_or(lineEnd);
            if (end >= offset)
                tokenBegin = at;
            else if (!open.empty() && open.back().isObject && !open.back().afterColon)
                open.back().key = unquoted(text.substr(at, end - at));
            at = end;
        } else {
            const std::size_t end =
                std::min(text.find_first_of(",:]}[{\"/ \t\r\n", at + 1), text.size());
            if (end >= offset)
                tokenBegin = at;
            at = end;
        }
    }
    Place place;
    place.tokenBegin = tokenBegin;
    for (std::size_t level = 0; level < open.size(); ++level) {
        const Open& container = open[level];
        if (!container.isObject)
            place.pointer += "/" + std::to_string(container.index);
        else if (container.afterColon)
            place.pointer += "/" + step(container.key);
        else
            place.isKey = level + 1 == open.size();
    }
    return place;
}

std::string applied(std::string text, const Edit& edit)
{
    text.replace(edit.at, edit.removed, edit.inserted);
    return text;
}

std::string
layOut(const Json& value, std::string_view indent, std::string_view step, std::string_view newline)
{
    return laidOut(value, indent, step, newline);
}

Result<Edit> setValue(std::string_view text, std::string_view pointer, const Json& value)
{
    return set(text, pointer, value, Dialect::Plain);
}

Result<Edit> setValue(
    std::string_view text,
    std::string_view pointer,
    const nlohmann::ordered_json& value,
    Dialect dialect
)
{
    return set(text, pointer, value, dialect);
}

Result<Edit> removeValue(std::string_view text, std::string_view pointer, Dialect dialect)
{
    const auto tree = parsed(text, dialect);
    if (!tree)
        return fail(tree.error());
    const Node* node = find(*tree->root, pointer);
    if (!node)
        return Edit{};
    if (pointer.empty())
        return fail(Errc::InvalidArgument, "the whole text can't be taken out");
    const Node* parent = find(*tree->root, pointer.substr(0, pointer.rfind('/')));
    const auto index = static_cast<std::size_t>(node - parent->children.data());
    return withoutChild(text, *parent, index);
}

Result<Edit>
insertElement(std::string_view text, std::string_view pointer, std::size_t index, const Json& value)
{
    const auto tree = parsed(text);
    if (!tree)
        return fail(tree.error());
    const Node* array = find(*tree->root, pointer);
    if (!array)
        return setValue(text, pointer, Json::array({value}));
    if (array->kind != Kind::Array)
        return fail(Errc::InvalidArgument, "this is no list");
    const Draft draft{text, *tree->root};
    if (index >= array->children.size())
        return draft.append(*array, {}, value);
    const std::size_t at = chunkOf(text, *array, index).begin;
    if (!draft.isOverLines(*array))
        return Edit{
            at, 0, layOut(value, indentAt(text, array->begin), draft.step, draft.newline) + ", "};
    const std::string indent(indentAt(text, at));
    std::string inserted = layOut(value, indent, draft.step, draft.newline) + ",";
    inserted.append(draft.newline).append(indent);
    return Edit{at, 0, inserted};
}

Result<Edit>
moveElement(std::string_view text, std::string_view pointer, std::size_t from, std::size_t to)
{
    const auto tree = parsed(text);
    if (!tree)
        return fail(tree.error());
    const Node* array = find(*tree->root, pointer);
    if (!array || array->kind != Kind::Array || from >= array->children.size() ||
        to >= array->children.size())
        return fail(Errc::InvalidArgument, "there is no such element");
    const std::size_t first = std::min(from, to);
    const std::size_t last = std::max(from, to);
    std::vector<Chunk> chunks;
    std::vector<std::string_view> contents;
    for (std::size_t at = first; at <= last; ++at) {
        chunks.push_back(chunkOf(text, *array, at));
        contents.push_back(text.substr(chunks.back().begin, chunks.back().end - chunks.back().begin)
        );
    }
    if (from < to)
        std::rotate(contents.begin(), contents.begin() + 1, contents.end());
    else
        std::rotate(contents.begin(), contents.end() - 1, contents.end());
    std::string inserted;
    for (std::size_t at = 0; at < chunks.size(); ++at) {
        if (at > 0)
            inserted += text.substr(chunks[at - 1].end, chunks[at].begin - chunks[at - 1].end);
        inserted += contents[at];
    }
    return Edit{chunks.front().begin, chunks.back().end - chunks.front().begin, inserted};
}

} // namespace belljar::json
