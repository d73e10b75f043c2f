// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/policy/policy.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::policy;
using analysis::Finding;
using analysis::Severity;
#endif

namespace {

/// A policy in which everything that can be loosened and tightened stands in the middle.
constexpr const char* kMiddle = R"({
  "$schema": "x", "version": 1, "title": "t", "description": "d",
  "limits": {
    "timeout": {"default": "20s", "max": "60s"}, "memory": {"default": "128m", "max": "256m"},
    "cpus": {"default": 0.5, "max": 1}, "pids": {"default": 40, "max": 80},
    "output": {"default": 100000, "max": 200000}, "workspace": {"default": "8m", "max": "16m"},
    "tmp": {"default": "8m", "max": "16m"},
    "over_limit": "clamp", "max_concurrent": 4, "requests_per_minute": 100},
  "container": {"read_only_root": true, "seccomp": "belljar", "runtime": "",
                "images": {"python": "a"}},
  "network": {"mode": "none"},
  "languages": {"allow": ["python", "bash"]},
  "analysis": {"severities": {"python.*": "medium"}, "ignore": ["python.x*"],
               "allowed_imports": {"python": ["json", "re*"]}},
  "approval": {
    "rules": [{"name": "r", "why": "w", "then": "ask", "when": {
      "clients": ["cl*"], "executables": ["/c"], "transports": ["socket"],
      "languages": ["python"], "findings": ["python.p*"], "categories": ["process"],
      "severity_at_least": "medium", "analysis_complete": true, "code_sha256":
      ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]}}],
    "otherwise": "ask", "wait_seconds": 50, "timeout_seconds": 300, "headless": "deny",
    "max_waiting": 4, "cancel_on_disconnect": true}})";

constexpr const char* kOtherCode =
    R"(["bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"])";
constexpr const char* kMoreCode =
    R"(["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"])";

/// One leaf of the schema: a value that allows more than kMiddle's, one that allows less; "" where
/// there is none, because the leaf decides nothing.
struct Leaf {
    const char* pointer;
    const char* looser;
    const char* tighter;
};

/// The rule asks, and what it doesn't hold for is allowed: holding for less loosens.
constexpr const char* kWhen = "/approval/rules/0/when";

const std::vector<Leaf> kLeaves{
    {"/$schema", "", R"("y")"},
    {"/version", "", "1"},
    {"/title", "", R"("another")"},
    {"/description", "", R"("another")"},
    {"/limits/timeout/default", R"("21s")", R"("19s")"},
    {"/limits/timeout/max", R"("61s")", R"("59s")"},
    {"/limits/memory/default", R"("129m")", R"("127m")"},
    {"/limits/memory/max", R"("257m")", R"("255m")"},
    {"/limits/cpus/default", "0.6", "0.4"},
    {"/limits/cpus/max", "1.1", "0.9"},
    {"/limits/pids/default", "41", "39"},
    {"/limits/pids/max", "81", "79"},
    {"/limits/output/default", "100001", "99999"},
    {"/limits/output/max", "200001", "199999"},
    {"/limits/workspace/default", R"("9m")", R"("7m")"},
    {"/limits/workspace/max", R"("17m")", R"("15m")"},
    {"/limits/tmp/default", R"("9m")", R"("7m")"},
    {"/limits/tmp/max", R"("17m")", R"("15m")"},
    {"/limits/over_limit", R"("clamp")", R"("refuse")"},
    {"/limits/max_concurrent", "5", "3"},
    {"/limits/requests_per_minute", "101", "99"},
    {"/container/read_only_root", "false", "true"},
    {"/container/seccomp", R"("engine")", R"("belljar")"},
    {"/container/runtime", R"("runc")", R"("runsc")"},
    {"/container/images", R"({"python": "b"})", R"({"python": "a"})"},
    {"/network/mode", "", R"("none")"},
    {"/languages/allow", R"(["python", "bash", "ruby"])", R"(["python"])"},
    {"/analysis/severities", R"({"python.*": "low"})", R"({"python.*": "high"})"},
    {"/analysis/ignore", R"(["python.x*", "python.y"])", R"(["python.xy"])"},
    {"/analysis/allowed_imports",
     R"({"python": ["json", "re*", "os"]})",
     R"({"python": ["json", "re"], "bash": []})"},
    {"/approval/rules/0/name", "", R"("another")"},
    {"/approval/rules/0/why", "", R"("another")"},
    {"/approval/rules/0/then", R"("allow")", R"("deny")"},
    {"/approval/rules/0/when/clients", R"(["cli*"])", R"(["c*"])"},
    {"/approval/rules/0/when/executables", R"(["/d"])", R"(["/c", "/d"])"},
    {"/approval/rules/0/when/transports", R"(["http"])", R"(["socket", "http"])"},
    {"/approval/rules/0/when/languages", R"(["bash"])", R"(["bash", "python"])"},
    {"/approval/rules/0/when/findings", R"(["python.process"])", R"(["python.*"])"},
    {"/approval/rules/0/when/categories", R"(["network"])", R"(["network", "process"])"},
    {"/approval/rules/0/when/severity_at_least", R"("high")", R"("low")"},
    {"/approval/rules/0/when/code_sha256", kOtherCode, kMoreCode},
    {"/approval/rules/0/when/analysis_complete", "false", "null"},
    {"/approval/otherwise", R"("allow")", R"("deny")"},
    {"/approval/wait_seconds", "", "10"},
    {"/approval/timeout_seconds", "301", "299"},
    {"/approval/headless", R"("elicit")", R"("deny")"},
    {"/approval/max_waiting", "5", "3"},
    {"/approval/cancel_on_disconnect", "false", "true"},
};

/// Every value that a policy may hold, as pointers; of a list of objects the first stands for all.
void addLeaves(const Json& node, const std::string& pointer, std::set<std::string>& leaves)
{
    const Json& inner = node.contains("items") ? node["items"] : node;
    if (!inner.contains("properties")) {
        leaves.insert(pointer);
        return;
    }
    const std::string place = node.contains("items") ? pointer + "/0" : pointer;
    for (const auto& [key, member] : inner["properties"].items())
        addLeaves(member, place + "/" + key, leaves);
}

Policy read(const Json& json)
{
    Checked checked = check(json.dump());
    if (!checked.policy)
        throw std::runtime_error(
            checked.problems.at(0).place + ": " + checked.problems.at(0).message
        );
    return std::move(*checked.policy);
}

/// `null` takes the member away.
Json changed(Json json, const std::string& pointer, const char* value)
{
    const Json::json_pointer place(pointer);
    const Json parsed = Json::parse(value);
    if (parsed.is_null())
        json[place.parent_pointer()].erase(place.back());
    else
        json[place] = parsed;
    return json;
}

/// The base for a leaf: where it is tightened to what stands there, it begins at the looser one.
Json baseFor(const Leaf& leaf)
{
    Json base = Json::parse(kMiddle);
    if (std::string(leaf.pointer).starts_with(kWhen))
        base["approval"]["otherwise"] = "allow";
    if (std::string(leaf.pointer) == "/limits/over_limit")
        base["limits"]["over_limit"] = "refuse";
    return base;
}

Json rules(const char* text)
{
    Json json = Json::parse(R"({"languages": {"allow": ["python", "bash"]}, "approval": {}})");
    json["approval"] = Json::parse(text);
    return json;
}

QString all(const std::vector<std::string>& words)
{
    QString text;
    for (const std::string& one : words)
        text += QString::fromStdString(one) + '\n';
    return text;
}

// --- policies and questions by chance, over few words so that they meet ---

class Chance {
public:
    explicit Chance(unsigned seed)
        : m_random(seed)
    {}

    unsigned next() { return static_cast<unsigned>(m_random()); }
    bool once(unsigned in) { return next() % in == 0; }
    template <class Value>
    Value of(const std::vector<Value>& list)
    {
        return list[next() % list.size()];
    }
    std::vector<std::string> some(const std::vector<std::string>& list)
    {
        std::vector<std::string> picked;
        for (const std::string& one : list) {
            if (once(2))
                picked.push_back(one);
        }
        return picked;
    }

    Rule rule()
    {
        Rule made;
        made.name = std::to_string(next());
        made.then = of<Verdict>({Verdict::Allow, Verdict::Ask, Verdict::Deny});
        if (once(4))
            made.when.clients = some({"a", "ab", "a*", "*"});
        if (once(5))
            made.when.executables = some({"/a", "/b", "*"});
        if (once(5))
            made.when.languages = some({"python", "bash"});
        if (once(6))
            made.when.codeSha256 = some({"1", "2"});
        if (once(2))
            made.when.findings = some({"p.a", "p.b", "p.*", "policy.import", "*"});
        if (once(4))
            made.when.categories = some({"x", "y", "import"});
        if (once(3))
            made.when.severityAtLeast = severity();
        if (once(4))
            made.when.analysisComplete = once(2);
        if (once(12))
            made.when.networkHosts = {"h"};
        return made;
    }
    Severity severity() { return static_cast<Severity>(next() % 5); }
    std::map<std::string, Severity> severities()
    {
        std::map<std::string, Severity> made;
        for (const std::string& key : some({"p.a", "p.*", "p.a*", "*"}))
            made[key] = severity();
        return made;
    }

    Policy policy()
    {
        Policy made;
        made.languages = {"python", "bash"};
        made.timeoutMs = {10, 20};
        made.memoryBytes = {10, 20};
        made.otherwise = of<Verdict>({Verdict::Allow, Verdict::Ask, Verdict::Deny});
        made.overLimit = of<OverLimit>({OverLimit::Clamp, OverLimit::Refuse});
        for (unsigned count = next() % 4; count > 0; --count)
            made.rules.push_back(rule());
        if (once(2))
            made.severities = severities();
        if (once(3))
            made.ignoredRules = some({"p.a", "p.*", "p.b"});
        if (once(2))
            made.allowedImports["python"] = some({"m", "mn", "m*", "*"});
        return made;
    }

    /// One or two steps of somebody who edits it.
    Policy edited(Policy policy)
    {
        for (unsigned count = 1 + next() % 2; count > 0; --count)
            edit(policy);
        return policy;
    }

    Question question()
    {
        Question asked;
        asked.client.name = of<std::string>({"a", "ab", "b", ""});
        asked.client.executable = of<std::string>({"/a", "/b", ""});
        asked.language = of<std::string>({"python", "bash", "ruby"});
        asked.codeSha256 = of<std::string>({"1", "2"});
        asked.report.complete = !once(3);
        if (once(3))
            asked.asked.timeout = std::chrono::milliseconds(of<int>({5, 15, 25}));
        for (unsigned count = next() % 3; count > 0; --count) {
            Finding finding;
            finding.rule = of<std::string>({"p.a", "p.ab", "p.b", "q"});
            finding.severity = severity();
            finding.category = of<std::string>({"x", "y"});
            asked.report.findings.push_back(finding);
        }
        for (const std::string& module : some({"m", "mn", "o"}))
            asked.report.imports.push_back({module, {}});
        return asked;
    }

private:
    void edit(Policy& policy)
    {
        auto& list = policy.rules;
        const std::size_t at = list.empty() ? 0 : next() % list.size();
        switch (next() % 12) {
        case 0: list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), rule()); break;
        case 1:
            if (!list.empty())
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
            break;
        case 2:
            if (!list.empty())
                std::swap(list[at], list[next() % list.size()]);
            break;
        case 3:
            if (!list.empty())
                list[at].when = rule().when;
            break;
        case 4:
            if (!list.empty())
                list[at].then = rule().then;
            break;
        case 5: policy.otherwise = rule().then; break;
        case 6: policy.severities = severities(); break;
        case 7: policy.severities[of<std::string>({"p.a", "p.*", "*"})] = severity(); break;
        case 8: policy.ignoredRules = some({"p.a", "p.*", "p.b"}); break;
        case 9: policy.allowedImports["python"] = some({"m", "mn", "m*", "o"}); break;
        case 10: policy.allowedImports.erase("python"); break;
        default:
            policy.timeoutMs.most = of<std::uint64_t>({12, 20, 30});
            policy.overLimit = of<OverLimit>({OverLimit::Clamp, OverLimit::Refuse});
            break;
        }
    }

    std::mt19937 m_random;
};

/// Would `question` be decided more leniently, or run with more?
bool gainsBy(const Policy& before, const Policy& now, const Question& question)
{
    const Decision was = decide({"p", 1, "s", before}, question, {});
    const Decision is = decide({"p", 2, "t", now}, question, {});
    if (is.verdict != was.verdict)
        return is.verdict < was.verdict;
    return is.verdict != Verdict::Deny && is.limits.timeout > was.limits.timeout;
}

} // namespace

/// Whatever allows more has to be told, or a change on disk comes into force that nobody was asked
/// about (R-88).
class TestPolicyLoosened : public QObject {
    Q_OBJECT

private slots:
    void everyLeafOfTheSchemaHasARow()
    {
        std::set<std::string> leaves;
        addLeaves(Json::parse(schemaText().value()), "", leaves);
        std::set<std::string> rows;
        for (const Leaf& leaf : kLeaves)
            rows.insert(leaf.pointer);
        for (const std::string& leaf : leaves)
            QVERIFY2(rows.contains(leaf), ("no row for " + leaf).c_str());
        for (const std::string& row : rows)
            QVERIFY2(leaves.contains(row), ("not in the schema: " + row).c_str());
        QVERIFY(leaves.size() > 40);
    }

    void tellsEveryLooserLeafAndNoTighterOne_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t at = 0; at < kLeaves.size(); ++at)
            QTest::newRow(kLeaves[at].pointer) << static_cast<int>(at);
    }
    void tellsEveryLooserLeafAndNoTighterOne()
    {
        QFETCH(int, row);
        const Leaf& leaf = kLeaves.at(static_cast<std::size_t>(row));
        const Json base = baseFor(leaf);
        const Policy before = read(base);
        const Policy tighter = read(changed(base, leaf.pointer, leaf.tighter));
        const auto silent = loosened(before, tighter);
        QVERIFY2(silent.empty(), qPrintable(all(silent)));
        if (!*leaf.looser)
            return;
        const Policy looser = read(changed(base, leaf.pointer, leaf.looser));
        QVERIFY(!loosened(before, looser).empty());
        // And the way back allows less, where both stand on one line.
        if (std::string(leaf.pointer) == "/limits/timeout/max")
            QVERIFY(loosened(looser, before).empty());
    }

    void tellsWhatSeveralChangesLoosenTogether_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("now");
        QTest::addColumn<bool>("looser");
        const char* ask = R"({"name": "a", "then": "ask", "when": {"languages": ["python"]}})";
        const char* deny = R"({"name": "d", "then": "deny", "when": {"findings": ["python.*"]}})";
        const char* allow = R"({"name": "l", "then": "allow", "when": {"clients": ["x"]}})";
        const auto list = [](const char* otherwise, std::vector<const char*> parts) {
            QStringList texts;
            for (const char* part : parts)
                texts << QString::fromUtf8(part);
            return QStringLiteral(R"({"otherwise": "%1", "rules": [%2]})")
                .arg(QLatin1String(otherwise), texts.join(','));
        };
        const auto row = [](const char* what, const QString& before, const QString& now, bool is) {
            QTest::newRow(what) << before << now << is;
        };
        row("ask before deny", list("deny", {deny, ask}), list("deny", {ask, deny}), true);
        row("deny before ask", list("deny", {ask, deny}), list("deny", {deny, ask}), false);
        row("allow goes up", list("deny", {deny, allow}), list("deny", {allow, deny}), true);
        row("allow goes down", list("deny", {allow, deny}), list("deny", {deny, allow}), false);
        row("allow is gone", list("deny", {allow, deny}), list("deny", {deny}), false);
        row("deny is gone", list("ask", {deny, ask}), list("ask", {ask}), true);
        row("ask is gone, the end asks", list("ask", {ask}), list("ask", {}), false);
        row("ask is gone, the end allows", list("allow", {ask}), list("allow", {}), true);
        row("a rule for the deny, the end laxer",
            list("deny", {}),
            list("ask", {R"({"name": "x", "then": "deny"})"}),
            true); // told by the end alone, on the safe side
        row("renamed",
            list("allow", {ask}),
            list("allow", {R"({"name": "b", "then": "ask", "when": {"languages": ["python"]}})"}),
            false);
        row("split in two",
            list("allow", {R"({"name": "b", "then": "ask", "when": {"languages":
                            ["python", "bash"]}})"}),
            list(
                "allow", {ask, R"({"name": "b", "then": "ask", "when": {"languages": ["bash"]}})"}
            ),
            true); // can't be proved rule by rule
        row("an exception for one client", list("ask", {ask}), list("ask", {allow, ask}), true);
        row("an exception behind what holds always",
            list("allow", {R"({"name": "b", "then": "ask"})"}),
            list("allow", {R"({"name": "b", "then": "ask"})", allow}),
            false);
        // Where everything is allowed, an incomplete analysis asks all the same (R-91).
        row("a rule that thinks of incomplete analyses",
            list("allow", {}),
            list("allow", {R"({"name": "i", "then": "allow", "when": {"analysis_complete":
                            false}})"}),
            true);
        row("a rule for complete ones",
            list("allow", {}),
            list("allow", {R"({"name": "i", "then": "allow", "when": {"analysis_complete":
                            true}})"}),
            false);
        // "*" is a path of a program like any other, where no pattern is meant.
        row("a star that is no pattern",
            list("allow", {R"({"name": "e", "then": "ask", "when": {"executables": ["/x"]}})"}),
            list("allow", {R"({"name": "e", "then": "ask", "when": {"executables": ["*"]}})"}),
            true);
    }
    void tellsWhatSeveralChangesLoosenTogether()
    {
        QFETCH(QString, before);
        QFETCH(QString, now);
        QFETCH(bool, looser);
        const auto words = loosened(
            read(rules(before.toUtf8().constData())), read(rules(now.toUtf8().constData()))
        );
        QVERIFY2(words.empty() != looser, qPrintable(all(words)));
    }

    /// Each is a list that allows what a finding names; one that is found now and wasn't before
    /// reaches it.
    void whatIsFoundMoreCanAllowMore_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("now");
        QTest::newRow("graver") << "/analysis/severities"
                                << R"({"python.env": "low"})"
                                << R"({"python.env": "critical"})";
        QTest::newRow("not ignored any more") << "/analysis/ignore"
                                              << R"(["python.env"])"
                                              << "[]";
        QTest::newRow("imports are checked") << "/analysis/allowed_imports"
                                             << "{}"
                                             << R"({"python": []})";
        QTest::newRow("fewer imports are listed") << "/analysis/allowed_imports"
                                                  << R"({"python": ["os"]})"
                                                  << R"({"python": []})";
    }
    void whatIsFoundMoreCanAllowMore()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, before);
        QFETCH(QString, now);
        const auto with = [&](const char* list, const QString& value) {
            return read(changed(rules(list), pointer.toStdString(), value.toUtf8().constData()));
        };
        const char* lenient = R"({"otherwise": "ask", "rules": [{"name": "known", "then": "allow",
            "when": {"severity_at_least": "medium"}}]})";
        QVERIFY(!loosened(with(lenient, before), with(lenient, now)).empty());
        const char* wary = R"({"otherwise": "allow", "rules": [{"name": "known", "then": "ask",
            "when": {"severity_at_least": "medium"}}]})";
        const auto silent = loosened(with(wary, before), with(wary, now));
        QVERIFY2(silent.empty(), qPrintable(all(silent)));
    }

    void severitiesAreComparedAsTheyApply_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("now");
        QTest::addColumn<bool>("looser");
        const auto row = [](const char* what, const char* before, const char* now, bool looser) {
            QTest::newRow(what) << before << now << looser;
        };
        row("a first one may be lower", "{}", R"({"p.a": "high"})", true);
        row("the highest is never lower", "{}", R"({"p.a": "critical"})", false);
        row("its own may be lower", R"({"p.a": "medium"})", "{}", true);
        row("its own is never lower than the lowest", R"({"p.a": "info"})", "{}", false);
        row("an exception from a pattern",
            R"({"p.*": "critical"})",
            R"({"p.*": "critical", "p.a": "low"})",
            true);
        row("said once more",
            R"({"p.*": "high"})",
            R"({"p.*": "high", "p.a": "high", "p.a*": "high"})",
            false);
        row("an exception is gone, the pattern holds",
            R"({"p.*": "high", "p.a": "low"})",
            R"({"p.*": "high"})",
            false);
        row("a longer pattern", R"({"p.*": "high"})", R"({"p.*": "high", "p.a*": "low"})", true);
        row("an id that looks like one of a pattern's",
            R"({"p.*": "high"})",
            "{\"p.*\": \"low\", \"p.\\n\": \"high\"}",
            true);
    }
    void severitiesAreComparedAsTheyApply()
    {
        QFETCH(QString, before);
        QFETCH(QString, now);
        QFETCH(bool, looser);
        const auto with = [](const QString& value) {
            return read(changed(
                rules(R"({"otherwise": "ask"})"), "/analysis/severities", value.toUtf8().constData()
            ));
        };
        const auto words = loosened(with(before), with(now));
        QVERIFY2(words.empty() != looser, qPrintable(all(words)));
    }

    void nothingThatAllowsMoreIsEverSilent()
    {
        Chance chance(20261203);
        int silent = 0;
        int gained = 0;
        for (int round = 0; round < 5000; ++round) {
            const Policy before = chance.policy();
            const Policy now = chance.once(8) ? chance.policy() : chance.edited(before);
            const auto words = loosened(before, now);
            silent += words.empty() ? 1 : 0;
            for (int asked = 0; asked < 25; ++asked) {
                const Question question = chance.question();
                if (!gainsBy(before, now, question))
                    continue;
                ++gained;
                QVERIFY2(
                    !words.empty(),
                    qPrintable(QStringLiteral("round %1, question %2").arg(round).arg(asked))
                );
            }
        }
        // It would prove nothing if everything were told, or if nothing were ever gained.
        QVERIFY2(silent > 1000, qPrintable(QString::number(silent)));
        QVERIFY2(gained > 5000, qPrintable(QString::number(gained)));
    }

    void aLongFileCantHoldItUp()
    {
        Policy before;
        before.otherwise = Verdict::Allow;
        for (int rule = 0; rule < 200; ++rule) {
            Rule made;
            made.name = std::to_string(rule);
            for (int client = 0; client < 1000; ++client)
                made.when.clients.push_back(std::to_string(rule) + "/" + std::to_string(client));
            before.rules.push_back(made);
        }
        Policy now = before;
        std::reverse(now.rules.begin(), now.rules.end());
        for (int key = 0; key < 50'000; ++key)
            now.severities["r" + std::to_string(key) + "*"] = Severity::Critical;
        const auto began = std::chrono::steady_clock::now();
        QVERIFY(!loosened(before, now).empty());
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        QVERIFY2(took.count() < 3, qPrintable(QString::number(took.count())));
    }
};

QTEST_GUILESS_MAIN(TestPolicyLoosened)
#include "tst_policy_loosened.moc"
