// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/policy/policy.h"
#include "engine/policy/schema.h"
#include "engine/policy/text_map.h"
#include "engine/policy/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace belljar::policy {

namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;
constexpr std::size_t kMostMembers = 1000; ///< of one list: finding repeats takes the square of it
constexpr std::size_t kMostInvisible = 20;

/// Reads a document that fits the schema; what goes beyond it becomes a problem.
class Reader {
public:
    explicit Reader(const Json& document)
        : m_document(document)
    {}

    Policy read()
    {
        Policy policy;
        policy.title = text("/title", "");
        policy.description = text("/description", "");
        readLimits(policy);
        readContainer(policy);
        policy.languages = texts("/languages/allow");
        readAnalysis(policy);
        readApproval(policy);
        return policy;
    }

    std::vector<Problem> problems;

private:
    [[nodiscard]] const Json* at(const std::string& pointer) const
    {
        const Json::json_pointer place(pointer);
        return m_document.contains(place) ? &m_document.at(place) : nullptr;
    }
    std::string text(const std::string& pointer, const char* otherwise) const
    {
        const Json* found = at(pointer);
        return found ? found->get<std::string>() : otherwise;
    }
    std::vector<std::string> texts(const std::string& pointer) const
    {
        const Json* found = at(pointer);
        return found ? found->get<std::vector<std::string>>() : std::vector<std::string>();
    }
    template <class Number>
    Number number(const std::string& pointer, Number otherwise) const
    {
        const Json* found = at(pointer);
        return found ? found->get<Number>() : otherwise;
    }
    void refuse(const std::string& pointer, std::string message)
    {
        problems.push_back({true, pointer, std::move(message), 0, 0});
    }
    void warn(const std::string& pointer, std::string message)
    {
        problems.push_back({false, pointer, std::move(message), 0, 0});
    }

    /// A quantity in the unit that the schema names, within the bounds that it names.
    std::optional<std::uint64_t> quantity(const std::string& pointer)
    {
        const Json* found = at(pointer);
        const Json* described = schemaAt(pointer);
        if (!found || !described)
            return {};
        const std::string unit = described->value("x-unit", "");
        const std::string typed = found->is_string() ? found->get<std::string>() : found->dump();
        std::optional<std::uint64_t> value;
        double inUnit = 0;
        if (unit == "duration") {
            if (const auto span = parseDuration(typed)) {
                value = static_cast<std::uint64_t>(span->count());
                inUnit = static_cast<double>(span->count()) / 1000;
            }
        } else if (unit == "size") {
            value = parseSize(typed);
            inUnit = value ? static_cast<double>(*value) : 0;
        } else if (unit == "cpus") {
            value = parseCpus(typed);
            inUnit = value ? static_cast<double>(*value) / 1000 : 0;
        } else {
            value = found->get<std::uint64_t>();
            inUnit = static_cast<double>(*value);
        }
        const double low = described->value("x-minimum", 0.0);
        const double high = described->value("x-maximum", 1e15);
        if (value && inUnit >= low && inUnit <= high)
            return value;
        refuse(
            pointer,
            "expected " + allowedAt(pointer) + ", from " + bound(unit, low) + " to " +
                bound(unit, high)
        );
        return {};
    }
    static std::string bound(const std::string& unit, double value)
    {
        if (unit == "duration")
            return durationText(std::chrono::milliseconds(std::llround(value * 1000)));
        if (unit == "size")
            return humanBytes(static_cast<std::uint64_t>(value));
        if (unit == "cpus")
            return cpusText(static_cast<std::uint32_t>(std::lround(value * 1000)));
        return std::to_string(std::llround(value));
    }

    Limit limit(const std::string& name, std::uint64_t shipped)
    {
        const std::string pointer = "/limits/" + name;
        Limit read;
        read.preset = quantity(pointer + "/default").value_or(shipped);
        // What isn't said allows no more than the default.
        read.most = quantity(pointer + "/max").value_or(read.preset);
        if (read.most < read.preset)
            refuse(pointer + "/default", "is more than \"max\"; lower it or raise \"max\"");
        return read;
    }

    void readLimits(Policy& policy)
    {
        const execution::Limits shipped;
        policy.timeoutMs = limit("timeout", static_cast<std::uint64_t>(shipped.timeout.count()));
        policy.memoryBytes = limit("memory", shipped.memoryBytes);
        policy.cpuMillis = limit("cpus", shipped.cpuMillis);
        policy.pids = limit("pids", shipped.pids);
        policy.outputBytes = limit("output", shipped.outputBytes);
        policy.workspaceBytes = limit("workspace", shipped.workspaceBytes);
        policy.tmpBytes = limit("tmp", shipped.tmpBytes);
        policy.overLimit =
            text("/limits/over_limit", "clamp") == "refuse" ? OverLimit::Refuse : OverLimit::Clamp;
        policy.maxConcurrent = number("/limits/max_concurrent", policy.maxConcurrent);
        policy.requestsPerMinute = number("/limits/requests_per_minute", policy.requestsPerMinute);
    }

    void readContainer(Policy& policy)
    {
        policy.container.readOnlyRoot = number("/container/read_only_root", true);
        policy.container.seccomp = execution::seccompFromName(text("/container/seccomp", "belljar"))
                                       .value_or(execution::Seccomp::Belljar);
        policy.container.runtime = text("/container/runtime", "");
        policy.images = number("/container/images", policy.images);
    }

    void readAnalysis(Policy& policy)
    {
        if (const Json* severities = at("/analysis/severities")) {
            for (const auto& [rule, severity] : severities->items())
                policy.severities[rule] = analysis::severityFromName(severity.get<std::string>())
                                              .value_or(analysis::Severity::Critical);
        }
        policy.ignoredRules = texts("/analysis/ignore");
        policy.allowedImports = number("/analysis/allowed_imports", policy.allowedImports);
    }

    static Verdict verdict(const std::string& name)
    {
        return execution::verdictFromName(name).value_or(Verdict::Deny);
    }

    void readApproval(Policy& policy)
    {
        if (const Json* rules = at("/approval/rules")) {
            for (std::size_t index = 0; index < rules->size(); ++index)
                policy.rules.push_back(rule("/approval/rules/" + std::to_string(index)));
        }
        findUseless(policy);
        policy.otherwise = verdict(text("/approval/otherwise", "deny"));
        policy.approvalWait =
            std::chrono::seconds(number("/approval/wait_seconds", policy.approvalWait.count()));
        policy.approvalTimeout =
            std::chrono::seconds(number("/approval/timeout_seconds", policy.approvalTimeout.count())
            );
        policy.headless =
            text("/approval/headless", "deny") == "elicit" ? Headless::Elicit : Headless::Deny;
        policy.maxWaiting = number("/approval/max_waiting", policy.maxWaiting);
        policy.cancelOnDisconnect = number("/approval/cancel_on_disconnect", true);
    }

    Rule rule(const std::string& pointer)
    {
        Rule read;
        read.name = text(pointer + "/name", "");
        read.why = text(pointer + "/why", "");
        read.then = verdict(text(pointer + "/then", "deny"));
        const std::string when = pointer + "/when";
        read.when.clients = texts(when + "/clients");
        read.when.executables = texts(when + "/executables");
        read.when.transports = texts(when + "/transports");
        read.when.languages = texts(when + "/languages");
        read.when.findings = texts(when + "/findings");
        read.when.categories = texts(when + "/categories");
        read.when.severityAtLeast =
            analysis::severityFromName(text(when + "/severity_at_least", ""));
        read.when.codeSha256 = texts(when + "/code_sha256");
        if (const Json* complete = at(when + "/analysis_complete"))
            read.when.analysisComplete = complete->get<bool>();
        // An empty list would hold always, and nobody means that.
        static constexpr std::array kLists{
            "clients",
            "executables",
            "transports",
            "languages",
            "findings",
            "categories",
            "code_sha256"};
        for (const char* list : kLists) {
            const std::string place = when + "/" + list;
            if (const Json* found = at(place); found && found->empty())
                refuse(place, "is empty; name at least one, or take the member away");
        }
        return read;
    }

    void findUseless(const Policy& policy)
    {
        std::set<std::string> names;
        const Rule* always = nullptr;
        for (std::size_t index = 0; index < policy.rules.size(); ++index) {
            const Rule& one = policy.rules[index];
            const std::string pointer = "/approval/rules/" + std::to_string(index);
            if (!names.insert(one.name).second)
                refuse(pointer + "/name", "another rule has this name; names are unique");
            if (always)
                warn(
                    pointer,
                    "is never reached: the rule \"" + always->name + "\" above holds always"
                );
            else if (one.when == Condition{})
                always = &one;
        }
    }

    const Json& m_document;
};

void locate(std::vector<Problem>& problems, const TextMap& map, std::string_view text)
{
    for (Problem& problem : problems) {
        // Where the value isn't in the text, the nearest thing around it is.
        std::string place = problem.place;
        while (!place.empty() && !map.values.contains(place))
            place.erase(place.rfind('/'));
        const auto key = problem.isError ? map.keys.end() : map.keys.find(place);
        const auto value = map.values.find(place);
        std::size_t offset = value == map.values.end() ? 0 : value->second.begin;
        if (key != map.keys.end())
            offset = key->second.begin;
        const LineColumn found = lineColumnAt(text, offset);
        problem.line = found.line;
        problem.column = found.column;
    }
}

/// A list that is longer than anybody makes by hand.
std::optional<Problem> tooLong(const Json& value, const std::string& pointer)
{
    if (value.is_structured() && value.size() > kMostMembers)
        return Problem{
            true, pointer, "has more than " + groupedDigits(kMostMembers) + " members", 0, 0};
    if (value.is_array()) {
        for (std::size_t at = 0; at < value.size(); ++at) {
            if (auto found = tooLong(value[at], pointer + "/" + std::to_string(at)))
                return found;
        }
    }
    if (value.is_object()) {
        for (const auto& [key, member] : value.items()) {
            if (auto found = tooLong(member, pointer + "/" + pointerStep(key)))
                return found;
        }
    }
    return {};
}

/// Characters that nobody sees, in comments too: what is read isn't what is shown. One a line.
void findInvisible(std::string_view text, std::vector<Problem>& problems)
{
    std::size_t begin = 0;
    for (std::size_t number = 0; begin < text.size() && number < kMostInvisible;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const std::string escaped = escapeUnusual(line);
        if (escaped != line) {
            const auto differs =
                std::mismatch(line.begin(), line.end(), escaped.begin(), escaped.end());
            const auto at = static_cast<std::size_t>(differs.first - line.begin());
            const LineColumn place = lineColumnAt(text, begin + at);
            const std::string_view shown = std::string_view(escaped).substr(at);
            problems.push_back(
                {false,
                 "",
                 "a character stands here that can't be seen: " +
                     std::string(shown.substr(0, shown.find('}') + 1)),
                 place.line,
                 place.column}
            );
            ++number;
        }
        begin = end + 1;
    }
}

LineColumn placeOfBadByte(std::string_view text)
{
    const std::string valid = toValidUtf8(text);
    const auto differs = std::mismatch(text.begin(), text.end(), valid.begin(), valid.end());
    return lineColumnAt(text, static_cast<std::size_t>(differs.first - text.begin()));
}

Checked refused(std::string message, LineColumn at)
{
    Checked checked;
    checked.problems.push_back({true, "", std::move(message), at.line, at.column});
    return checked;
}

} // namespace

Checked check(std::string_view text)
{
    if (text.size() > kMostBytes)
        return refused(
            "is " + groupedDigits(text.size()) + " bytes; at most " + groupedDigits(kMostBytes) +
                " are read",
            {}
        );
    if (!isValidUtf8(text))
        return refused("a byte stands here that is not UTF-8 text", placeOfBadByte(text));
    const TextMap map = mapText(text);
    if (map.error)
        return refused(map.error->message, lineColumnAt(text, map.error->at));
    const auto document = parseJson(map.plain, {kMostBytes, 40});
    if (!document)
        return refused(document.error().message(), {});
    if (!document->is_object())
        return refused("expected an object: { ... }", {});

    if (const auto found = tooLong(*document, "")) {
        Checked checked;
        checked.problems.push_back(*found);
        locate(checked.problems, map, text);
        return checked;
    }

    Checked checked;
    checked.problems = checkSchema(*document);
    const auto isError = [](const Problem& problem) { return problem.isError; };
    if (std::none_of(checked.problems.begin(), checked.problems.end(), isError)) {
        Reader reader(*document);
        Policy policy = reader.read();
        checked.problems.insert(
            checked.problems.end(), reader.problems.begin(), reader.problems.end()
        );
        if (std::none_of(checked.problems.begin(), checked.problems.end(), isError))
            checked.policy = std::move(policy);
    }
    locate(checked.problems, map, text);
    findInvisible(text, checked.problems);
    std::stable_sort(
        checked.problems.begin(),
        checked.problems.end(),
        [](const Problem& one, const Problem& other) {
            return std::pair(one.line, one.column) < std::pair(other.line, other.column);
        }
    );
    return checked;
}

} // namespace belljar::policy
