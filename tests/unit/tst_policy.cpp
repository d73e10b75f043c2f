// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/policy/policy.h"
#include "engine/policy/text_map.h"
#include "engine/policy/units.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::policy;
using namespace std::chrono_literals;
using analysis::Finding;
using analysis::Severity;
#endif

namespace {

std::string shippedText(const std::string& name)
{
    return readFile(std::string(BELLJAR_POLICIES) + "/" + name + ".json").value();
}

Named shipped(const std::string& name)
{
    return {name, 1, "sha-of-" + name, check(shippedText(name)).policy.value()};
}

Json minimal()
{
    return Json::parse(R"({"languages":{"allow":["python"]},"approval":{"otherwise":"allow"}})");
}

Named from(const Json& json)
{
    const Checked checked = check(json.dump());
    if (!checked.policy)
        throw std::runtime_error(
            checked.problems.at(0).place + ": " + checked.problems.at(0).message
        );
    return {"test", 1, "sha", *checked.policy};
}

Finding finding(const std::string& rule, Severity severity, const std::string& category = "process")
{
    Finding made;
    made.rule = rule;
    made.severity = severity;
    made.category = category;
    made.message = "starts a process";
    made.range.beginLine = 3;
    return made;
}

Question question(std::vector<Finding> findings = {})
{
    Question asked;
    asked.client.id = ClientId("cl_1");
    asked.client.name = "claude-code";
    asked.client.executable = "/usr/bin/claude";
    asked.client.transport = "socket";
    asked.language = "python";
    asked.codeSha256 = std::string(64, 'a');
    asked.report.findings = std::move(findings);
    asked.imageDigest = "sha256:1";
    asked.now = 1'000'000;
    return asked;
}

Remembered remembered(Scope scope, const Named& policy)
{
    Remembered made;
    made.id = "rd_1";
    made.scope = scope;
    made.language = "python";
    made.codeSha256 = scope == Scope::ThisCode ? std::string(64, 'a') : "";
    made.rule = scope == Scope::RuleCase ? "serious finding" : "";
    made.findings = {"python.process"};
    made.clientName = "claude-code";
    made.clientExecutable = "/usr/bin/claude";
    made.policyName = policy.name;
    made.policySha256 = policy.sha256;
    made.imageDigest = "sha256:1";
    return made;
}

QString name(Verdict verdict)
{
    const auto text = execution::nameOf(verdict);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

class TestPolicy : public QObject {
    Q_OBJECT

private slots:
    void theShippedOnesHaveNoProblem_data();
    void theShippedOnesHaveNoProblem();
    void refusesHostileTextAtItsPlace_data();
    void refusesHostileTextAtItsPlace();
    void oneNameInTwoSpellingsIsOneName();
    void warnsOfCharactersThatNobodySees();
    void aLongFileIsRefusedSoon_data();
    void aLongFileIsRefusedSoon();
    void refusesAndSaysWhereAndWhatIsAllowed_data();
    void refusesAndSaysWhereAndWhatIsAllowed();
    void warnsOfWhatItDoesNotKnowAndTakesItAll();
    void whatIsNotSaidAllowsNothing();
    void readsQuantitiesAsPeopleTypeThem_data();
    void readsQuantitiesAsPeopleTypeThem();
    void keepsPlacesInTextsWithComments();
    void decides_data();
    void decides();
    void namesTheRuleAndTheFindingsInWords();
    void lowersOrRefusesLimits();
    void anImportThatIsNotListedIsAFinding();
    void theStrictOneBlocksWhatTheIssueNames_data();
    void theStrictOneBlocksWhatTheIssueNames();
    void anIncompleteAnalysisNeverAllows();
    void rememberedOnesAnswerOnlyTheirQuestion_data();
    void rememberedOnesAnswerOnlyTheirQuestion();
    void rememberedOnesNeverOverruleADenial();
    void tellsWhatIsLoosened_data();
    void tellsWhatIsLoosened();
    void tellsWhatIsWeakened();
    void neverAllowsWhatNothingAllows();
    void brokenTextsNeverYieldAPolicy();
};

void TestPolicy::theShippedOnesHaveNoProblem_data()
{
    QTest::addColumn<QString>("name");
    for (const char* one : {"strict", "balanced", "trusted"})
        QTest::newRow(one) << one;
}

void TestPolicy::theShippedOnesHaveNoProblem()
{
    QFETCH(QString, name);
    const Checked checked = check(shippedText(name.toStdString()));
    QVERIFY(checked.policy.has_value());
    QVERIFY(checked.problems.empty());
    QVERIFY(!checked.policy->title.empty());
}

void TestPolicy::refusesHostileTextAtItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    using namespace std::string_literals;
    const auto row =
        [](const char* what, const std::string& text, const char* says, int line, int column) {
            QTest::newRow(what) << QByteArray::fromStdString(text) << says << line << column;
        };
    // Around a value for one limit, and the rest of a good policy.
    const auto memory = [](const std::string& value) {
        return "{\"languages\": {\"allow\": []}, \"approval\": {\"otherwise\": \"ask\"},\n"
               " \"limits\": {\"memory\": {\"max\": " +
               value + "}}}";
    };
    constexpr int kValue = 31; // its column
    row("byte order mark", "\xEF\xBB\xBF{}"s, "byte order mark", 1, 1);
    row("UTF-16", "{\0}\0"s, "control character", 1, 2);
    row("not UTF-8", "{\n \"a\xFF\": 1}"s, "not UTF-8", 2, 4);
    row("half a character", "{\n \"\xC3\""s, "not UTF-8", 2, 3);
    row("a surrogate in UTF-8", "{\"\xED\xA0\x80\": 1}"s, "not UTF-8", 1, 3);
    row("NUL in a comment", "{ /*\0*/ }"s, "control character", 1, 5);
    row("escape in a comment", "{ // \x1B[2K\n}"s, "control character", 1, 6);
    // The editor shows another line where the parser would read on in the comment.
    row("a lone return ends no comment", "{ // x\r\"title\": 1\n}"s, "carriage return", 1, 7);
    row("NUL in a name", "{\n\"a\\u0000\": 1}"s, "\\u0000 is not taken", 2, 3);
    row("NUL in a value", "{\"a\": \"b\\u0000\"}"s, "\\u0000 is not taken", 1, 9);
    row("half a pair", "{\"a\": \"\\ud83d\"}"s, "half of a pair", 1, 8);
    row("the other half", "{\"a\": \"\\udc00\"}"s, "half of a pair", 1, 8);
    row("three digits", "{\"a\": \"\\u12\"}"s, "four hexadecimal digits", 1, 8);
    row("signed digits", "{\"a\": \"\\u+123\"}"s, "four hexadecimal digits", 1, 8);
    row("unknown escape", "{\"a\": \"\\x41\"}"s, "means nothing", 1, 8);
    row("a key twice", "{\"a\": 1,\n \"a\": 2}"s, "second time", 2, 2);
    row("a key twice, spelt otherwise",
        "{\"a\": 1,\n \"\\u0061\": 2}"s,
        "\"a\" is here a second",
        2,
        2);
    row("with a slash and its escape", "{\"a/b\": 1, \"a\\/b\": 2}"s, "second time", 1, 12);
    row("more behind the end", "{}\n{}"s, "the end of the text", 2, 1);
    row("a bracket behind the end", "{} ]"s, "the end of the text", 1, 4);
    row("deep lists", std::string(100'000, '['), "nested deeper", 1, 34);
    row("NaN", memory("NaN"), "expected a value", 2, kValue);
    row("infinite", memory("-Infinity"), "no number", 2, kValue);
    row("too large a number", memory("1e999"), "no number", 2, kValue);
    row("a long number", memory(std::string(400, '9')), "no number", 2, kValue);
    row("leading zero", memory("0512"), "no number", 2, kValue);
    row("hexadecimal", memory("0x20000000"), "no number", 2, kValue);
    row("a plus", memory("+5"), "expected a value", 2, kValue);
    row("ends in a point", memory("5."), "no number", 2, kValue);
    row("a bare unit", memory("512m"), "needs quotes", 2, kValue);
    row("an exponent and a unit", memory("\"1e9GB\""), "a size", 2, kValue);
    row("a negative size", memory("\"-512m\""), "a size", 2, kValue);
    row("a negative number", memory("-536870912"), "from 16 MB to 8 GB", 2, kValue);
    row("more than 64 bits", memory("18446744073709551616"), "from 16 MB to 8 GB", 2, kValue);
    row("more than 64 bits, as text", memory("\"36893488147419103232\""), "from 16 MB", 2, kValue);
    row("wraps to what is allowed", memory("\"17179869184g\""), "from 16 MB", 2, kValue);
    row("digits of another script", memory("\"٥١٢m\""), "a size", 2, kValue);
    row("nothing at all", memory("\"\""), "a size", 2, kValue);
    row("null", memory("null"), "a size", 2, kValue);
    row("true", memory("true"), "a size", 2, kValue);
    row("a tiny part", memory("1e-9"), "from 16 MB", 2, kValue);
    row("a long name", "{\"" + std::string(300, 'a') + "\": 1}", "longer than 200 bytes", 1, 2);
}

void TestPolicy::refusesHostileTextAtItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    QFETCH(int, line);
    QFETCH(int, column);
    const Checked checked = check(text.toStdString());
    QVERIFY(!checked.policy.has_value());
    const auto error =
        std::find_if(checked.problems.begin(), checked.problems.end(), [](const Problem& one) {
            return one.isError;
        });
    QVERIFY(error != checked.problems.end());
    QVERIFY2(QString::fromStdString(error->message).contains(says), error->message.c_str());
    QCOMPARE(static_cast<int>(error->line), line);
    QCOMPARE(static_cast<int>(error->column), column);
}

void TestPolicy::oneNameInTwoSpellingsIsOneName()
{
    // What is meant counts, for the place of a problem too.
    const TextMap map = mapText(R"({"\u0061\ud83d\ude00": {"b\/c": 1, "\"\\\b\n": 2}})");
    QVERIFY(!map.error);
    QVERIFY(map.values.contains("/a\xF0\x9F\x98\x80/b~1c"));
    QVERIFY(map.values.contains("/a\xF0\x9F\x98\x80/\"\\\b\n"));
    const Checked checked =
        check("{\"languages\": {\"allow\": []},\n \"\\u0061pproval\": {\"otherwise\": \"maybe\"}}");
    QVERIFY(!checked.policy);
    QCOMPARE(checked.problems.front().place, std::string("/approval/otherwise"));
    QCOMPARE(checked.problems.front().line, 2U);
}

void TestPolicy::warnsOfCharactersThatNobodySees()
{
    const Checked checked =
        check("{\"languages\": {\"allow\": []}, // plain\r\n"
              " // said \xE2\x80\xAE backwards\r\n"
              " \"approval\": {\"otherwise\": \"ask\"}, \"title\": \"a\xE2\x80\x8B b\"}");
    QVERIFY(checked.policy.has_value());
    QCOMPARE(checked.problems.size(), std::size_t(2));
    const Problem& comment = checked.problems.front();
    QVERIFY(!comment.isError);
    QVERIFY2(comment.message.ends_with("\\u{202e}"), comment.message.c_str());
    QCOMPARE(comment.line, 2U);
    QCOMPARE(comment.column, 10U);
    QCOMPARE(checked.problems.back().line, 3U);
}

void TestPolicy::aLongFileIsRefusedSoon_data()
{
    QTest::addColumn<QString>("inner");
    QTest::addColumn<QString>("says");
    const QString one = QStringLiteral("\"%1\",");
    QString many;
    for (int number = 0; number < 1001; ++number)
        many += one.arg(number);
    many.chop(1);
    QString manyMore;
    for (int number = 0; number < 100'000; ++number)
        manyMore += "3,";
    manyMore.chop(1);
    QTest::newRow("a long list") << "\"languages\": {\"allow\": [" + many + "]}"
                                 << "more than 1,000 members";
    QTest::newRow("very many values") << "\"languages\": {\"allow\": [" + manyMore + "]}"
                                      << "more than 10000 values";
    QTest::newRow("one name around many")
        << "\"" + QString("n").repeated(500'000) + "\": [" + manyMore + "]"
        << "longer than 200 bytes";
    QTest::newRow("very much text") << "\"title\": \"" + QString("x").repeated(2 << 20) + "\""
                                    << "at most 1,048,576";
}

void TestPolicy::aLongFileIsRefusedSoon()
{
    QFETCH(QString, inner);
    QFETCH(QString, says);
    const auto began = std::chrono::steady_clock::now();
    const Checked checked = check("{" + inner.toStdString() + "}");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    QVERIFY(!checked.policy);
    const std::string& message = checked.problems.front().message;
    QVERIFY2(QString::fromStdString(message).contains(says), message.c_str());
    QVERIFY2(took.count() < 2, qPrintable(QString::number(took.count())));
}

void TestPolicy::refusesAndSaysWhereAndWhatIsAllowed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("line");
    const auto row =
        [](const char* what, const QString& members, const char* place, const char* says, int line
        ) {
            QTest::newRow(what
            ) << QStringLiteral("{\n\"languages\": {\"allow\": [\"python\"]},\n") + members + "\n}"
              << place << says << line;
        };
    const char* approval = ",\n\"approval\": {\"otherwise\": \"ask\"}";
    row("no approval", "\"title\": \"x\"", "", "\"approval\" is missing", 1);
    row("wrong type", QStringLiteral("\"title\": 3%1").arg(approval), "/title", "expected a text", 3
    );
    row("wrong value",
        "\"approval\": {\"otherwise\": \"maybe\"}",
        "/approval/otherwise",
        "one of allow, ask, deny",
        3);
    row("no unit",
        QStringLiteral("\"limits\": {\"timeout\": {\"max\": \"5 parsecs\"}}%1").arg(approval),
        "/limits/timeout/max",
        "a time as 30s",
        3);
    row("over the hard bound",
        QStringLiteral("\"limits\": {\"memory\": {\"max\": \"64g\"}}%1").arg(approval),
        "/limits/memory/max",
        "from 16 MB to 8 GB",
        3);
    row("default over max",
        QStringLiteral("\"limits\": {\"timeout\": {\"default\": \"60s\", \"max\": \"30s\"}}%1")
            .arg(approval),
        "/limits/timeout/default",
        "more than \"max\"",
        3);
    row("two rules of one name",
        "\"approval\": {\"otherwise\": \"ask\", \"rules\": [{\"name\": \"a\", \"then\": "
        "\"ask\"},\n{\"name\": \"a\", \"then\": \"deny\"}]}",
        "/approval/rules/1/name",
        "names are unique",
        4);
    row("an empty condition list",
        "\"approval\": {\"otherwise\": \"ask\", \"rules\": [{\"name\": \"a\", \"then\": \"allow\", "
        "\"when\": {\"clients\": []}}]}",
        "/approval/rules/0/when/clients",
        "is empty",
        3);
    QTest::newRow("no JSON") << "{\n  \"title\": oops\n}"
                             << ""
                             << "expected a value" << 2;
    QTest::newRow("a comma too many") << "{\n  \"title\": \"x\",\n}"
                                      << ""
                                      << "take it away" << 3;
    QTest::newRow("a key twice") << "{\"title\": \"x\",\n\"title\": \"y\"}"
                                 << ""
                                 << "second time" << 2;
    QTest::newRow("a list") << "[]"
                            << ""
                            << "expected an object" << 1;
    QTest::newRow("nothing") << ""
                             << ""
                             << "the text ends" << 1;
    QTest::newRow("open comment") << "{ /* }"
                                  << ""
                                  << "comment has no end" << 1;
    QTest::newRow("too deep") << QString("[").repeated(5000) << ""
                              << "nested deeper" << 1;
}

void TestPolicy::refusesAndSaysWhereAndWhatIsAllowed()
{
    QFETCH(QString, text);
    QFETCH(QString, place);
    QFETCH(QString, says);
    QFETCH(int, line);
    const Checked checked = check(text.toStdString());
    QVERIFY(!checked.policy.has_value());
    const auto error =
        std::find_if(checked.problems.begin(), checked.problems.end(), [](const Problem& one) {
            return one.isError;
        });
    QVERIFY(error != checked.problems.end());
    QCOMPARE(QString::fromStdString(error->place), place);
    QVERIFY2(QString::fromStdString(error->message).contains(says), error->message.c_str());
    QCOMPARE(static_cast<int>(error->line), line);
    QVERIFY(error->column >= 1);
}

void TestPolicy::warnsOfWhatItDoesNotKnowAndTakesItAll()
{
    Json json = minimal();
    json["lmits"] = Json::object();
    json["approval"]["rules"] = Json::parse(
        R"([{"name":"always","then":"ask"},{"name":"never","then":"allow","when":{"languages":["python"]}}])"
    );
    const Checked checked = check(json.dump());
    QVERIFY(checked.policy.has_value());
    QCOMPARE(checked.problems.size(), std::size_t(2));
    for (const Problem& problem : checked.problems)
        QVERIFY(!problem.isError);
    const auto says = [&](const char* words) {
        return std::any_of(
            checked.problems.begin(),
            checked.problems.end(),
            [&](const Problem& one) { return one.message.find(words) != std::string::npos; }
        );
    };
    QVERIFY(says("\"lmits\" means nothing here"));
    QVERIFY(says("never reached"));
}

void TestPolicy::whatIsNotSaidAllowsNothing()
{
    Json json = minimal();
    json["languages"]["allow"] = Json::array();
    const Decision none = decide(from(json), question(), {});
    QCOMPARE(name(none.verdict), QStringLiteral("deny"));
    json["limits"]["timeout"]["default"] = "5s"; // no max
    json["languages"]["allow"] = {"python"};
    Question greedy = question();
    greedy.asked.timeout = 60s;
    QVERIFY(decide(from(json), greedy, {}).limits.timeout == 5s);
}

void TestPolicy::readsQuantitiesAsPeopleTypeThem_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("milliseconds"); // -1: none
    QTest::addColumn<qint64>("bytes");        // -1: none
    QTest::newRow("bare") << "30" << qint64(30'000) << qint64(30);
    QTest::newRow("m is minutes or MiB") << "2m" << qint64(120'000) << qint64(2 << 20);
    QTest::newRow("spaced") << " 1.5 GB " << qint64(-1) << qint64(3LL << 29);
    QTest::newRow("ms") << "500ms" << qint64(500) << qint64(-1);
    QTest::newRow("k") << "64K" << qint64(-1) << qint64(65'536);
    QTest::newRow("negative") << "-1" << qint64(-1) << qint64(-1);
    QTest::newRow("exponent") << "1e9" << qint64(-1) << qint64(-1);
    QTest::newRow("infinite") << "inf" << qint64(-1) << qint64(-1);
    QTest::newRow("absurd") << "99999999999999999999" << qint64(-1) << qint64(-1);
    QTest::newRow("nothing") << "" << qint64(-1) << qint64(-1);
}

void TestPolicy::readsQuantitiesAsPeopleTypeThem()
{
    QFETCH(QString, text);
    QFETCH(qint64, milliseconds);
    QFETCH(qint64, bytes);
    const auto span = parseDuration(text.toStdString());
    QCOMPARE(span ? qint64(span->count()) : qint64(-1), milliseconds);
    const auto size = parseSize(text.toStdString());
    QCOMPARE(size ? static_cast<qint64>(*size) : qint64(-1), bytes);
}

void TestPolicy::keepsPlacesInTextsWithComments()
{
    const std::string text = "{ // höhe\r\n  \"a\": [1, /* x */ {\"b/c\": \"ü\"}]\n}";
    const TextMap map = mapText(text);
    QVERIFY(!map.error.has_value());
    QVERIFY(map.values.contains("/a/1/b~1c"));
    const Span span = map.values.at("/a/1/b~1c");
    QCOMPARE(text.substr(span.begin, span.end - span.begin), std::string("\"ü\""));
    QCOMPARE(map.plain.size(), text.size());
    QVERIFY(parseJson(map.plain).has_value());
    const LineColumn place = lineColumnAt(text, span.begin);
    QCOMPARE(place.line, 2U);
    QCOMPARE(place.column, 28U);
}

void TestPolicy::decides_data()
{
    QTest::addColumn<QString>("policy");
    QTest::addColumn<QString>("severity"); // empty: no finding
    QTest::addColumn<QString>("verdict");
    for (const auto& [policy, severity, verdict] :
         {std::tuple{"balanced", "", "allow"},
          {"balanced", "low", "allow"},
          {"balanced", "medium", "allow"},
          {"balanced", "high", "ask"},
          {"balanced", "critical", "ask"},
          {"strict", "", "allow"},
          {"strict", "info", "allow"},
          {"strict", "low", "ask"},
          {"strict", "critical", "deny"},
          {"trusted", "critical", "allow"}})
        QTest::addRow("%s, %s", policy, *severity ? severity : "nothing")
            << policy << severity << verdict;
}

void TestPolicy::decides()
{
    QFETCH(QString, policy);
    QFETCH(QString, severity);
    QFETCH(QString, verdict);
    std::vector<Finding> findings;
    if (!severity.isEmpty())
        findings.push_back(
            finding("python.process", analysis::severityFromName(severity.toStdString()).value())
        );
    const Decision decision = decide(shipped(policy.toStdString()), question(findings), {});
    QCOMPARE(name(decision.verdict), verdict);
    QVERIFY(!decision.reasons.empty());
    QVERIFY(!decision.reasons.front().words.empty());
    QCOMPARE(decision.allowedInstead.empty(), verdict != QStringLiteral("deny"));
}

void TestPolicy::namesTheRuleAndTheFindingsInWords()
{
    const Decision decision = decide(
        shipped("balanced"),
        question({finding("python.env", Severity::Low), finding("python.process", Severity::High)}),
        {}
    );
    QCOMPARE(decision.reasons.front().rule, std::string("serious finding"));
    const QString words = QString::fromStdString(decision.reasons.front().words);
    QVERIFY(words.contains("high python.process in line 3"));
    QVERIFY(!words.contains("python.env"));
}

void TestPolicy::lowersOrRefusesLimits()
{
    Question greedy = question();
    greedy.asked.timeout = 10min;
    greedy.asked.memoryBytes = 64ULL << 20U;
    const Decision lowered = decide(shipped("balanced"), greedy, {});
    QCOMPARE(name(lowered.verdict), QStringLiteral("allow"));
    QVERIFY(lowered.limits.timeout == 300s);
    QCOMPARE(lowered.limits.memoryBytes, 64ULL << 20U);
    QCOMPARE(lowered.notes.size(), std::size_t(1));
    QVERIFY(lowered.notes.front().find("from 10 min to 5 min") != std::string::npos);
    const Decision refused = decide(shipped("strict"), greedy, {});
    QCOMPARE(name(refused.verdict), QStringLiteral("deny"));
    QCOMPARE(refused.reasons.front().rule, std::string("limits"));
    QVERIFY(refused.reasons.front().words.find("timeout of 10 min") != std::string::npos);
}

void TestPolicy::anImportThatIsNotListedIsAFinding()
{
    Question asked = question();
    asked.report.imports = {{"math", {}}, {"requests", {}}};
    const Decision strict = decide(shipped("strict"), asked, {});
    QCOMPARE(name(strict.verdict), QStringLiteral("ask"));
    QCOMPARE(strict.reasons.front().rule, std::string("import not listed"));
    QCOMPARE(strict.report.findings.size(), std::size_t(1));
    QCOMPARE(strict.report.findings.front().rule, std::string("policy.import"));
    QVERIFY(strict.report.findings.front().message.find("requests") != std::string::npos);
    QCOMPARE(name(decide(shipped("balanced"), asked, {}).verdict), QStringLiteral("allow"));
}

void TestPolicy::theStrictOneBlocksWhatTheIssueNames_data()
{
    QTest::addColumn<QString>("rule");
    for (const char* rule :
         {"python.eval", "python.exec", "python.compile", "python.open", "python.import-call"})
        QTest::newRow(rule) << rule;
}

void TestPolicy::theStrictOneBlocksWhatTheIssueNames()
{
    QFETCH(QString, rule);
    const Question asked = question({finding(rule.toStdString(), Severity::Info, "dynamic")});
    const Decision decision = decide(shipped("strict"), asked, {});
    QCOMPARE(name(decision.verdict), QStringLiteral("deny"));
    QCOMPARE(decision.reasons.front().rule, std::string("blocked calls"));
}

void TestPolicy::anIncompleteAnalysisNeverAllows()
{
    Question asked = question();
    asked.report.complete = false;
    Json json = minimal(); // otherwise: allow, no rule
    const Decision decision = decide(from(json), asked, {});
    QCOMPARE(name(decision.verdict), QStringLiteral("ask"));
    QCOMPARE(decision.reasons.front().rule, std::string("analysis-incomplete"));
    QCOMPARE(
        name(decide(shipped("trusted"), asked, {}).verdict), QStringLiteral("allow")
    ); // says so
}

void TestPolicy::rememberedOnesAnswerOnlyTheirQuestion_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<bool>("matches");
    int at = 0;
    QTest::newRow("the same") << at++ << true;
    for (const char* what :
         {"other code",
          "other client",
          "other executable",
          "other language",
          "other image",
          "image unknown",
          "other policy text",
          "expired",
          "another session"})
        QTest::newRow(what) << at++ << false;
}

void TestPolicy::rememberedOnesAnswerOnlyTheirQuestion()
{
    QFETCH(int, change);
    QFETCH(bool, matches);
    Named policy = shipped("balanced");
    Remembered kept = remembered(Scope::ThisCode, policy);
    kept.expiresAt = 2'000'000;
    kept.session = ClientId("cl_1");
    Question asked = question({finding("python.process", Severity::High)});
    const std::vector<std::function<void()>> changes{
        [] {},
        [&] { asked.codeSha256 = std::string(64, 'b'); },
        [&] { asked.client.name = "other"; },
        [&] { asked.client.executable = "/tmp/claude"; },
        [&] { asked.language = "bash"; },
        [&] { asked.imageDigest = "sha256:2"; },
        [&] { asked.imageDigest = kept.imageDigest = ""; },
        [&] { policy.sha256 = "changed"; },
        [&] { asked.now = 2'000'000; },
        [&] { asked.client.id = ClientId("cl_2"); },
    };
    changes.at(static_cast<std::size_t>(change))();
    const Decision decision = decide(policy, asked, {kept});
    QCOMPARE(name(decision.verdict), matches ? QStringLiteral("allow") : QStringLiteral("ask"));
    QCOMPARE(!decision.remembered.empty(), matches);
}

void TestPolicy::rememberedOnesNeverOverruleADenial()
{
    Named policy = shipped("strict");
    Remembered kept = remembered(Scope::RuleCase, policy);
    kept.rule = "blocked calls";
    kept.findings = {"python.eval"};
    const Question asked = question({finding("python.eval", Severity::High)});
    QCOMPARE(name(decide(policy, asked, {kept}).verdict), QStringLiteral("deny"));
    // And a case covers no finding that it wasn't made for.
    policy = shipped("balanced");
    kept = remembered(Scope::RuleCase, policy);
    const Question more = question(
        {finding("python.process", Severity::High), finding("python.network", Severity::Low)}
    );
    QCOMPARE(name(decide(policy, more, {kept}).verdict), QStringLiteral("ask"));
    const Question same = question({finding("python.process", Severity::High)});
    QCOMPARE(name(decide(policy, same, {kept}).verdict), QStringLiteral("allow"));
}

void TestPolicy::tellsWhatIsLoosened_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("loosens"); // empty: it doesn't
    const auto row =
        [](const char* what, const char* pointer, const char* value, const char* loosens) {
            QTest::newRow(what) << pointer << value << loosens;
        };
    row("nothing", "/title", "\"another\"", "");
    row("more memory", "/limits/memory/max", "\"1g\"", "limits.memory.max: 512 MB -> 1 GB");
    row("less memory", "/limits/memory", R"({"default":"128m","max":"256m"})", "");
    row("clamps no more", "/limits/over_limit", "\"refuse\"", "");
    row("writable root", "/container/read_only_root", "false", "writable");
    row("engine's seccomp", "/container/seccomp", "\"engine\"", "container.seccomp");
    row("another image", "/container/images", R"({"python":"python:3"})", "other images");
    row("another language",
        "/languages/allow",
        R"(["python","javascript","bash","ruby"])",
        "ruby is added");
    row("fewer languages", "/languages/allow", R"(["python"])", "");
    row("ignores a rule", "/analysis/ignore", R"(["python.process"])", "python.process is added");
    row("no rules", "/approval/rules", "[]", "serious finding");
    row("a rule that allows, first", "/approval/rules/0/then", "\"allow\"", "serious finding");
    row("a rule that denies", "/approval/rules/0/then", "\"deny\"", "");
    row("asks less", "/approval/rules/0/when/severity_at_least", "\"critical\"", "serious finding");
    row("denies the rest", "/approval/otherwise", "\"deny\"", "");
}

void TestPolicy::tellsWhatIsLoosened()
{
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QString, loosens);
    Json json = Json::parse(shippedText("balanced"));
    const Policy before = from(json).policy;
    json[Json::json_pointer(pointer.toStdString())] = Json::parse(value.toStdString());
    const auto words = loosened(before, from(json).policy);
    if (loosens.isEmpty()) {
        QVERIFY2(words.empty(), words.empty() ? "" : words.front().c_str());
        return;
    }
    QVERIFY(!words.empty());
    QVERIFY2(QString::fromStdString(words.front()).contains(loosens), words.front().c_str());
}

void TestPolicy::tellsWhatIsWeakened()
{
    QVERIFY(decide(shipped("balanced"), question(), {}).weakened.empty());
    Json json = minimal();
    json["container"]["read_only_root"] = false;
    json["container"]["seccomp"] = "engine";
    json["limits"]["memory"]["default"] = "2g";
    QCOMPARE(decide(from(json), question(), {}).weakened.size(), std::size_t(3));
}

void TestPolicy::neverAllowsWhatNothingAllows()
{
    // Random policies in which neither a rule nor the end says allow, random questions and memories
    // of denials: nothing is ever allowed.
    std::mt19937 random(20261201);
    const auto pick = [&random](auto... options) {
        const std::vector<std::common_type_t<decltype(options)...>> list{options...};
        return list[random() % list.size()];
    };
    for (int round = 0; round < 3000; ++round) {
        Named policy{"p", 1, "sha", {}};
        policy.policy.languages = {"python", "bash"};
        policy.policy.timeoutMs = {1000, 1000};
        policy.policy.memoryBytes = {1 << 20, 1 << 20};
        policy.policy.otherwise = pick(Verdict::Ask, Verdict::Deny);
        for (unsigned rules = random() % 4; rules > 0; --rules) {
            Rule rule;
            rule.name = "r" + std::to_string(rules);
            rule.then = pick(Verdict::Ask, Verdict::Deny);
            if (random() % 2 == 0)
                rule.when.findings = {pick(std::string("python.*"), std::string("bash.x"))};
            if (random() % 2 == 0)
                rule.when.severityAtLeast = pick(Severity::Low, Severity::High);
            policy.policy.rules.push_back(rule);
        }
        Question asked = question();
        asked.language = pick(std::string("python"), std::string("bash"), std::string("cobol"));
        asked.report.complete = random() % 2 == 0;
        if (random() % 2 == 0)
            asked.report.findings.push_back(
                finding("python.x", pick(Severity::Info, Severity::Critical))
            );
        Remembered kept = remembered(pick(Scope::ThisCode, Scope::RuleCase), policy);
        kept.verdict = Verdict::Deny;
        QVERIFY(decide(policy, asked, {kept}).verdict != Verdict::Allow);
    }
}

void TestPolicy::brokenTextsNeverYieldAPolicy()
{
    // Every prefix of a good text is broken, and a byte changed anywhere either keeps it valid or
    // is told.
    const std::string good = shippedText("strict");
    const std::size_t end = good.find_last_of('}');
    for (std::size_t size = 0; size <= end; size += 7) {
        const Checked checked = check(good.substr(0, size));
        QVERIFY(!checked.policy.has_value());
        QVERIFY(!checked.problems.empty());
    }
    std::mt19937 random(7);
    for (int round = 0; round < 1500; ++round) {
        std::string text = good;
        text[random() % text.size()] = static_cast<char>(random() % 256);
        const Checked checked = check(text);
        const bool told =
            std::any_of(checked.problems.begin(), checked.problems.end(), [](const Problem& one) {
                return one.isError;
            });
        QVERIFY(checked.policy.has_value() != told);
    }
}

QTEST_GUILESS_MAIN(TestPolicy)
#include "tst_policy.moc"
