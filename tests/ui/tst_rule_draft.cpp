// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/policy/policy.h"
#include "ui/policies/rule_draft.h"

using namespace belljar;
using namespace belljar::ui;
using execution::DecidedBy;
using execution::Status;
using execution::Verdict;

namespace {

const std::string kSha(64, 'a');

execution::Record runOf(Verdict verdict, DecidedBy by, Status status)
{
    execution::Record record;
    record.client.name = "claude";
    record.client.executable = "/usr/bin/claude";
    record.language = "python";
    record.codeSha256 = kSha;
    record.verdict = verdict;
    record.decidedBy = by;
    record.status = status;
    return record;
}

std::vector<analysis::Finding> findings()
{
    using analysis::Severity;
    return {
        {"python.environment", Severity::Low, "environment", "reads", {}},
        {"python.process", Severity::High, "process", "starts", {}},
        {"python.network", Severity::High, "network", "connects", {}},
        {"python.process", Severity::High, "process", "starts", {}}};
}

/// The rule in a policy of its own: what the engine takes it for.
policy::Rule parsed(const Json& rule)
{
    Json json = Json::parse(R"({"version": 1, "title": "t", "languages": {"allow": ["python"]}})");
    json["approval"]["rules"] = Json::array({rule});
    json["approval"]["otherwise"] = "ask";
    const auto checked = policy::check(json.dump());
    if (!checked.policy)
        throw std::runtime_error(checked.problems.front().message);
    return checked.policy->rules.at(0);
}

} // namespace

Q_DECLARE_METATYPE(belljar::execution::Record)
#endif

class TestRuleDraft : public QObject {
    Q_OBJECT

private slots:
    void draftsWhatFollowsFromTheRun_data()
    {
        QTest::addColumn<execution::Record>("record");
        QTest::addColumn<int>("then");
        QTest::addColumn<bool>("onlyThisCode");
        const auto row =
            [](const char* name, const execution::Record& record, Verdict then, bool only) {
                QTest::newRow(name) << record << static_cast<int>(then) << only;
            };
        auto run = runOf(Verdict::Allow, DecidedBy::Policy, Status::Succeeded);
        row("allowed by the policy", run, Verdict::Ask, false);
        run = runOf(Verdict::Ask, DecidedBy::Person, Status::Failed);
        row("allowed by a person", run, Verdict::Allow, true);
        run.ranSha256 = std::string(64, 'b');
        row("allowed after an edit", run, Verdict::Deny, false);
        run = runOf(Verdict::Ask, DecidedBy::Person, Status::Rejected);
        row("denied by a person", run, Verdict::Deny, false);
        run = runOf(Verdict::Ask, DecidedBy::Timeout, Status::Rejected);
        row("answered by nobody", run, Verdict::Deny, false);
        run = runOf(Verdict::Ask, DecidedBy::Nobody, Status::AwaitingApproval);
        row("not answered yet", run, Verdict::Deny, false);
        run = runOf(Verdict::Deny, DecidedBy::Policy, Status::Rejected);
        row("denied by the policy", run, Verdict::Ask, true);
        run = runOf(Verdict::Allow, DecidedBy::Remembered, Status::Succeeded);
        run.remembered = "r1";
        row("allowed as before", run, Verdict::Allow, true);
        run = runOf(Verdict::Deny, DecidedBy::Remembered, Status::Rejected);
        run.remembered = "r1";
        row("denied as before", run, Verdict::Deny, false);
    }
    void draftsWhatFollowsFromTheRun()
    {
        QFETCH(execution::Record, record);
        QFETCH(int, then);
        QFETCH(bool, onlyThisCode);
        QVERIFY(canMakeRule(record) || record.verdict == Verdict::Allow);
        const policy::Rule rule = parsed(draftRule(record, findings()));
        QCOMPARE(static_cast<int>(rule.then), then);
        QCOMPARE(rule.when.clients, std::vector<std::string>{"claude"});
        QCOMPARE(rule.when.executables, std::vector<std::string>{"/usr/bin/claude"});
        QCOMPARE(rule.when.languages, std::vector<std::string>{"python"});
        const std::vector<std::string> none;
        const std::vector<std::string> worst{"python.network", "python.process"};
        QCOMPARE(rule.when.codeSha256, onlyThisCode ? std::vector<std::string>{kSha} : none);
        QCOMPARE(rule.when.findings, onlyThisCode ? none : worst);
    }

    // A client chooses its name: no name makes a rule that allows other clients anything.
    void namesThatArePatternsAllowNothing()
    {
        auto run = runOf(Verdict::Ask, DecidedBy::Person, Status::Succeeded);
        for (const char* name : {"", "*", "cl*"}) {
            run.client.name = name;
            run.client.executable = "/usr/bin/x";
            const policy::Rule byProgram = parsed(draftRule(run, {}));
            QVERIFY(byProgram.when.clients.empty());
            QCOMPARE(byProgram.then, Verdict::Allow);
            run.client.executable.clear();
            QCOMPARE(parsed(draftRule(run, {})).then, Verdict::Ask);
        }
    }

    void fitsTheSchemaWhateverTheFindings()
    {
        std::vector<analysis::Finding> many;
        for (int number = 0; number < 300; ++number)
            many.push_back(
                {"python." + std::string(40, 'x') + std::to_string(number),
                 analysis::Severity::High,
                 "c",
                 "m",
                 {}}
            );
        auto run = runOf(Verdict::Allow, DecidedBy::Policy, Status::Succeeded);
        run.client.name = "a\xff\"\n";
        const policy::Rule rule = parsed(draftRule(run, many));
        QVERIFY(rule.name.size() <= 100);
        QCOMPARE(rule.when.findings.size(), std::size_t{20});
        QVERIFY(!parsed(draftRule(run, {})).when.codeSha256.empty()); // no findings on record
    }

    void standsBeforeTheRuleThatDecided()
    {
        const Json rules = Json::array({{{"name", "a"}}, {{"name", "b"}}});
        execution::Record record;
        const auto place = [&](const char* rule) {
            record.decidingRule = rule;
            return draftPlace(&rules, record);
        };
        QCOMPARE(place("b"), std::size_t{1});
        QCOMPARE(place("otherwise"), std::size_t{2});
        QCOMPARE(place("remembered"), std::size_t{0});
        QCOMPARE(draftPlace(nullptr, record), std::size_t{0});
        QCOMPARE(freeRuleName(&rules, "c"), std::string("c"));
        QCOMPARE(freeRuleName(&rules, "a"), std::string("a 2"));
        QCOMPARE(freeRuleName(nullptr, "a"), std::string("a"));
    }

    void onlyRunsThatSayAnythingMakeRules()
    {
        auto run = runOf(Verdict::Allow, DecidedBy::Policy, Status::Succeeded);
        QVERIFY(!canMakeRule(run));
        run.findings = 1;
        QVERIFY(canMakeRule(run));
        run.verdict.reset();
        QVERIFY(!canMakeRule(run));
    }
};

QTEST_GUILESS_MAIN(TestRuleDraft)
#include "tst_rule_draft.moc"
