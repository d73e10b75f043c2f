// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policy/schema.h"

#include "engine/base/text.h"
#include "engine/policy/text_map.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>

#include "belljar_policy_schema.h"

namespace belljar::policy {

namespace {

constexpr std::size_t kShownBytes = 100;
constexpr std::size_t kMostProblems = 200; ///< nobody reads more

/// valijson says places as "<root>", "[limits]", "[0]".
std::string pointerOf(const std::vector<std::string>& context)
{
    std::string pointer;
    for (const std::string& step : context) {
        if (step.size() > 2 && step.front() == '[' && step.back() == ']')
            pointer += "/" + pointerStep(std::string_view(step).substr(1, step.size() - 2));
    }
    return pointer;
}

std::string unescaped(std::string_view step)
{
    std::string key;
    for (std::size_t at = 0; at < step.size(); ++at) {
        const bool escape = step[at] == '~' && at + 1 < step.size();
        if (!escape) {
            key += step[at];
            continue;
        }
        key += step[++at] == '1' ? '/' : '~';
    }
    return key;
}

const Json* memberOf(const Json& json, std::string_view key)
{
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
}

std::string typeWords(const Json& type)
{
    if (type.is_array()) {
        std::string words;
        for (const Json& one : type)
            words += (words.empty() ? "" : " or ") + typeWords(one);
        return words;
    }
    struct Row {
        std::string_view type;
        std::string_view words;
    };
    constexpr std::array kRows{
        Row{"string", "a text"},
        Row{"integer", "a whole number"},
        Row{"number", "a number"},
        Row{"boolean", "true or false"},
        Row{"array", "a list"},
        Row{"object", "an object"}};
    const std::string name = type.get<std::string>();
    for (const Row& row : kRows) {
        if (row.type == name)
            return std::string(row.words);
    }
    return name;
}

std::string numberText(const Json& number)
{
    return number.dump();
}

/// Members that the schema doesn't name, where it names any: they stay, and are told.
void findUnknown(
    const Json& document,
    const Json& node,
    const std::string& pointer,
    std::vector<Problem>& problems
)
{
    const Json* items = memberOf(node, "items");
    if (document.is_array() && items) {
        for (std::size_t at = 0; at < document.size(); ++at)
            findUnknown(document[at], *items, pointer + "/" + std::to_string(at), problems);
    }
    const Json* properties = memberOf(node, "properties");
    if (!document.is_object() || !properties)
        return;
    for (const auto& [key, value] : document.items()) {
        const std::string member = pointer + "/" + pointerStep(key);
        if (const Json* known = memberOf(*properties, key)) {
            findUnknown(value, *known, member, problems);
            continue;
        }
        std::string names;
        for (const auto& [name, ignored] : properties->items())
            names += (names.empty() ? "" : ", ") + name;
        problems.push_back(
            {false,
             member,
             "\"" + escapeForLine(prefixWithin(key, kShownBytes)) +
                 "\" means nothing here; known are " + names,
             0,
             0}
        );
    }
}

} // namespace

const Json& schema()
{
    static const Json parsed = Json::parse(kPolicySchema);
    return parsed;
}

Result<std::string> schemaText()
{
    return std::string(kPolicySchema);
}

const Json* schemaAt(std::string_view pointer)
{
    const Json* node = &schema();
    while (node && !pointer.empty()) {
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        const std::string key = unescaped(pointer.substr(0, end));
        pointer.remove_prefix(end);
        const Json* properties = memberOf(*node, "properties");
        const Json* known = properties ? memberOf(*properties, key) : nullptr;
        if (!known)
            known = memberOf(*node, "items");
        if (!known)
            known = memberOf(*node, "additionalProperties");
        node = known && known->is_object() ? known : nullptr;
    }
    return node;
}

std::string allowedAt(std::string_view pointer)
{
    const Json* node = schemaAt(pointer);
    if (!node)
        return "nothing";
    if (const Json* values = memberOf(*node, "enum")) {
        std::string words;
        for (const Json& value : *values)
            words += (words.empty() ? "one of " : ", ") +
                     (value.is_string() ? value.get<std::string>() : value.dump());
        return words;
    }
    const Json* unit = memberOf(*node, "x-unit");
    const std::string unitName = unit ? unit->get<std::string>() : "";
    if (unitName == "duration")
        return "a time as 30s, 5 min or 500ms";
    if (unitName == "size")
        return "a size as 512m, 1.5 GB or a number of bytes";
    if (unitName == "cpus")
        return "a number of processors as 0.5 or 2";
    const Json* type = memberOf(*node, "type");
    std::string words = type ? typeWords(*type) : "a value";
    const Json* low = memberOf(*node, "minimum");
    const Json* high = memberOf(*node, "maximum");
    if (low && high)
        words += " from " + numberText(*low) + " to " + numberText(*high);
    if (const Json* most = memberOf(*node, "maxLength"))
        words += " of at most " + numberText(*most) + " characters";
    if (const Json* most = memberOf(*node, "maxItems"))
        words += " of at most " + numberText(*most);
    if (memberOf(*node, "uniqueItems"))
        words += " without repeats";
    if (const Json* pattern = memberOf(*node, "pattern"))
        words += " like " + pattern->get<std::string>();
    return words;
}

std::vector<Problem> checkSchema(const Json& document)
{
    static const auto compiled = [] {
        auto made = std::make_unique<valijson::Schema>();
        valijson::SchemaParser parser;
        parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema()), *made);
        return made;
    }();
    std::vector<Problem> problems;
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (!validator.validate(
            *compiled, valijson::adapters::NlohmannJsonAdapter(document), &results
        )) {
        valijson::ValidationResults::Error error;
        while (problems.size() < kMostProblems && results.popError(error)) {
            Problem problem;
            problem.place = pointerOf(error.context);
            constexpr std::string_view kMissing = "Missing required property '";
            const std::size_t missing = error.description.find(kMissing);
            if (missing != std::string::npos) {
                std::string name = error.description.substr(missing + kMissing.size());
                name.erase(std::min(name.find('\''), name.size()));
                problem.message = "\"" + name + "\" is missing; expected " +
                                  allowedAt(problem.place + "/" + name);
            } else {
                problem.message = "expected " + allowedAt(problem.place);
            }
            problems.push_back(std::move(problem));
        }
        // Each one is told again by everything around it: the innermost says it.
        std::vector<Problem> innermost;
        for (const Problem& problem : problems) {
            const bool told =
                std::any_of(problems.begin(), problems.end(), [&](const Problem& other) {
                    return other.place.size() > problem.place.size() &&
                           other.place.starts_with(problem.place + "/");
                });
            const bool twice =
                std::find(innermost.begin(), innermost.end(), problem) != innermost.end();
            if (!twice && (!told || problem.message.find("is missing") != std::string::npos))
                innermost.push_back(problem);
        }
        problems = std::move(innermost);
    }
    findUnknown(document, schema(), "", problems);
    return problems;
}

} // namespace belljar::policy
