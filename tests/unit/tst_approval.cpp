// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/approval/gate.h"
#include "engine/base/sha256.h"
#include "engine/base/task_group.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace belljar;
using namespace belljar::approval;
using namespace std::chrono_literals;
#endif

namespace {

execution::Client client(const char* id = "cl_1", std::int64_t pid = 100)
{
    execution::Client made;
    made.id = ClientId(id);
    made.name = "claude-code";
    made.executable = "/usr/bin/claude";
    made.pid = pid;
    return made;
}

std::shared_ptr<Case> request(const std::string& code, execution::Client by = client())
{
    auto asked = std::make_shared<Case>();
    asked->request.id = ExecutionId::make();
    asked->request.client = std::move(by);
    asked->request.language = "python";
    asked->request.code = std::make_shared<const std::string>(code);
    asked->request.codeSha256 = sha256Hex(code);
    asked->languageTitle = "Python";
    asked->image = "belljar/python";
    return asked;
}

/// One request on its way through the gate.
struct Passage {
    std::shared_ptr<Case> asked;
    std::optional<Result<Ruling>> ruling;
    bool asking = false;
};

/// The gate with everything around it in memory. Code with "risky" in it is asked about, with
/// "forbidden" denied.
struct Bench {
    asio::io_context context;
    std::vector<Approval> shown;
    std::map<ExecutionId, Answer> settled;
    Desk desk{
        context.get_executor(),
        {[this](const Approval& approval) { shown.push_back(approval); },
         [this](const ExecutionId& id, const Answer& answer) { settled[id] = answer; }}};
    std::shared_ptr<policy::Named> policy = std::make_shared<policy::Named>();
    std::vector<policy::Remembered> memory;
    std::vector<audit::Entry> log;
    std::optional<Error> auditFails;
    std::string digest = "sha256:1";
    Gate gate{parts(), desk};
    TaskGroup tasks{context.get_executor(), "test"};
    std::vector<std::shared_ptr<Passage>> passages;

    Bench()
    {
        policy->name = "balanced";
        policy->version = 1;
        policy->sha256 = "one";
        policy->policy.languages = {"python"};
        policy->policy.timeoutMs = {30'000, 30'000};
        policy->policy.memoryBytes = {1 << 20, 1 << 20};
        policy->policy.otherwise = Verdict::Allow;
        policy::Rule deny;
        deny.name = "forbidden";
        deny.when.findings = {"forbidden"};
        deny.then = Verdict::Deny;
        policy::Rule ask;
        ask.name = "risky";
        ask.when.findings = {"risky"};
        ask.then = Verdict::Ask;
        policy->policy.rules = {deny, ask};
        desk.setListening(true);
    }
    ~Bench()
    {
        desk.close("the test is over");
        tasks.cancel();
        settle();
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    Gate::Parts parts()
    {
        Gate::Parts all;
        all.analyse = [](std::string, std::shared_ptr<const std::string> code
                      ) -> asio::awaitable<analysis::Report> {
            analysis::Report report;
            for (const char* word : {"risky", "forbidden"}) {
                if (code->find(word) == std::string::npos)
                    continue;
                analysis::Finding finding;
                finding.rule = word;
                finding.severity = analysis::Severity::High;
                report.findings.push_back(finding);
            }
            co_return report;
        };
        all.policyFor = [this](const execution::Client&) {
            return std::make_shared<const policy::Named>(*policy);
        };
        all.remembered = [this]() -> const std::vector<policy::Remembered>& { return memory; };
        all.rememberedWasUsed = [](const std::string&) {};
        all.remember = [this](policy::Remembered one) -> asio::awaitable<Result<>> {
            memory.push_back(std::move(one));
            co_return Result<>();
        };
        all.imageDigest = [this](std::string) -> asio::awaitable<std::string> { co_return digest; };
        all.lookBack = [](std::shared_ptr<const Approval>,
                          std::shared_ptr<const policy::Named>) -> asio::awaitable<Background> {
            co_return Background();
        };
        all.audit = [this](audit::Entry entry) -> asio::awaitable<Result<>> {
            if (auditFails)
                co_return fail(*auditFails);
            log.push_back(std::move(entry));
            co_return Result<>();
        };
        all.stoppedChanged = [] {};
        return all;
    }

    std::shared_ptr<Passage> send(std::shared_ptr<Case> asked)
    {
        auto passage = std::make_shared<Passage>();
        passage->asked = std::move(asked);
        passages.push_back(passage);
        tasks.spawn("rule", pass(passage));
        settle();
        return passage;
    }
    asio::awaitable<void> pass(std::shared_ptr<Passage> passage)
    {
        Gate::Progress progress;
        progress.decided = [](const policy::Decision&, const policy::Named&) {};
        progress.asking = [passage](const policy::Named&) { passage->asking = true; };
        auto ruling = co_await gate.rule(passage->asked, progress);
        passage->ruling = std::move(ruling);
    }
    /// Lets everything happen that can happen now.
    void settle()
    {
        context.restart();
        context.poll();
    }
    Result<> answer(const std::shared_ptr<Passage>& passage, Answer answer)
    {
        const std::string shownSha =
            answer.editedCode ? sha256Hex(*answer.editedCode) : passage->asked->request.codeSha256;
        auto answered = desk.answer(passage->asked->request.id, shownSha, std::move(answer));
        settle();
        return answered;
    }
    /// The details of the last row of this type.
    Json last(audit::Type type) const
    {
        for (auto entry = log.rbegin(); entry != log.rend(); ++entry) {
            if (entry->type == type)
                return entry->detail;
        }
        return {};
    }
};

Answer allow()
{
    Answer answer;
    answer.verdict = Verdict::Allow;
    return answer;
}

bool isAllowed(const std::shared_ptr<Passage>& passage)
{
    return passage->ruling && *passage->ruling && (*passage->ruling)->verdict == Verdict::Allow;
}

bool isDenied(const std::shared_ptr<Passage>& passage)
{
    return passage->ruling && *passage->ruling && (*passage->ruling)->verdict == Verdict::Deny;
}

} // namespace

class TestApproval : public QObject {
    Q_OBJECT

private slots:
    void letsHarmlessCodeThroughWithoutAsking()
    {
        Bench bench;
        const auto passage = bench.send(request("print(1)"));
        QVERIFY(isAllowed(passage));
        QVERIFY(!passage->asking);
        QVERIFY(bench.shown.empty());
        QCOMPARE((*passage->ruling)->by, DecidedBy::Policy);
        QCOMPARE(bench.last(audit::Type::Decided)["verdict"].dump(), std::string("\"allow\""));
    }

    void waitsForThePersonAndRunsWhatTheyAllowed()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        QVERIFY(passage->asking);
        QVERIFY(!passage->ruling.has_value());
        QCOMPARE(bench.shown.size(), std::size_t(1));
        QCOMPARE(bench.shown.front().decision.reasons.front().rule, std::string("risky"));
        QVERIFY(bench.answer(passage, allow()).has_value());
        QVERIFY(isAllowed(passage));
        QCOMPARE((*passage->ruling)->by, DecidedBy::Person);
        QCOMPARE(*(*passage->ruling)->code, std::string("risky()"));
        QCOMPARE((*passage->ruling)->imageDigest, std::string("sha256:1"));
        QVERIFY(bench.desk.waiting().empty());
    }

    void tellsTheClientWhyItWasDenied()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        Answer deny;
        deny.comment = "use the standard library";
        QVERIFY(bench.answer(passage, deny).has_value());
        QVERIFY(isDenied(passage));
        QCOMPARE((*passage->ruling)->comment, std::string("use the standard library"));
        QCOMPARE((*passage->ruling)->by, DecidedBy::Person);
    }

    // the answer is for what was shown.
    void refusesAnAnswerForOtherCodeThanIsAsked()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        const auto& id = passage->asked->request.id;
        QCOMPARE(bench.desk.answer(id, sha256Hex("other"), allow()).error().code(), Errc::Conflict);
        QCOMPARE(
            bench.desk.answer(ExecutionId("ex_no"), passage->asked->request.codeSha256, allow())
                .error()
                .code(),
            Errc::NotFound
        );
        Answer edited = allow();
        edited.editedCode = std::make_shared<const std::string>("print(2)");
        QCOMPARE(
            bench.desk.answer(id, passage->asked->request.codeSha256, edited).error().code(),
            Errc::Conflict
        );
        bench.settle();
        QVERIFY(!passage->ruling.has_value());
        QVERIFY(bench.answer(passage, allow()).has_value());
        QCOMPARE(
            bench.desk.answer(id, passage->asked->request.codeSha256, allow()).error().code(),
            Errc::NotFound
        );
    }

    void runsTheEditedCodeAndRecordsBoth()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        Answer edited = allow();
        edited.editedCode = std::make_shared<const std::string>("print('safe')");
        QVERIFY(bench.answer(passage, edited).has_value());
        QVERIFY(isAllowed(passage));
        QVERIFY((*passage->ruling)->edited);
        QCOMPARE(*(*passage->ruling)->code, std::string("print('safe')"));
        const Json row = bench.last(audit::Type::ApprovalAnswered);
        QVERIFY(row["asked_sha256"] == sha256Hex("risky()"));
        QVERIFY(row["code_sha256"] == sha256Hex("print('safe')"));
    }

    void aPersonCanNotAllowWhatThePolicyDenies()
    {
        Bench bench;
        QVERIFY(isDenied(bench.send(request("forbidden()"))));
        const auto passage = bench.send(request("risky()"));
        Answer edited = allow();
        edited.editedCode = std::make_shared<const std::string>("forbidden()");
        QVERIFY(bench.answer(passage, edited).has_value());
        QVERIFY(isDenied(passage));
        QCOMPARE((*passage->ruling)->by, DecidedBy::Policy);
    }

    void rejectsWhatNobodyAnswers()
    {
        Bench bench;
        bench.policy->policy.approvalTimeout = 1s;
        const auto passage = bench.send(request("risky()"));
        QVERIFY(bench.shown.front().rejectedAt.has_value());
        bench.context.restart();
        bench.context.run_for(5s);
        QVERIFY(isDenied(passage));
        QCOMPARE((*passage->ruling)->by, DecidedBy::Timeout);
        QVERIFY((*passage->ruling)->reason.find("1 s") != std::string::npos);
    }

    void theClockStandsWhileItIsHeld()
    {
        Bench bench;
        bench.policy->policy.approvalTimeout = 1s;
        const auto passage = bench.send(request("risky()"));
        bench.desk.hold(passage->asked->request.id, true);
        QVERIFY(!bench.shown.back().rejectedAt.has_value());
        bench.context.restart();
        bench.context.run_for(1500ms);
        QVERIFY(!passage->ruling.has_value());
        // The window has gone: nobody reads any more.
        bench.desk.setListening(false);
        bench.context.restart();
        bench.context.run_for(5s);
        QVERIFY(isDenied(passage));
    }

    void identicalQuestionsAreOne()
    {
        Bench bench;
        const auto one = bench.send(request("risky()"));
        const auto two = bench.send(request("risky()"));
        const auto other = bench.send(request("risky(2)"));
        const auto foreign = bench.send(request("risky()", client("cl_2", 200)));
        QCOMPARE(bench.desk.waiting().size(), std::size_t(3));
        QCOMPARE(bench.desk.waiting().front().alike.size(), std::size_t(1));
        QCOMPARE(bench.desk.waitingOf(ClientId("cl_1")), std::size_t(3));
        QVERIFY(bench.answer(two, allow()).has_value());
        QVERIFY(isAllowed(one) && isAllowed(two));
        QVERIFY(!other->ruling && !foreign->ruling);
    }

    void whatIsRememberedSettlesWhatWaitsAndWhatComes()
    {
        Bench bench;
        const auto one = bench.send(request("risky(1)"));
        const auto two = bench.send(request("risky(2)"));
        const auto foreign = bench.send(request("risky(3)", client("cl_2", 200)));
        Answer always = allow();
        always.remember = Remember{policy::Scope::RuleCase, true, {}};
        QVERIFY(bench.answer(one, always).has_value());
        QVERIFY(isAllowed(one) && isAllowed(two));
        QCOMPARE((*two->ruling)->by, DecidedBy::Remembered);
        QVERIFY(!foreign->ruling.has_value()); // for that session only
        const auto later = bench.send(request("risky(4)"));
        QVERIFY(isAllowed(later) && !later->asking);
        // void once the image changes, and once the policy does.
        bench.digest = "sha256:2";
        QVERIFY(!bench.send(request("risky(5)"))->ruling.has_value());
        bench.digest = "sha256:1";
        bench.policy->sha256 = "two";
        QVERIFY(!bench.send(request("risky(6)"))->ruling.has_value());
        QVERIFY(isDenied(bench.send(request("risky forbidden"))));
    }

    // what changes while it is asked makes it another question.
    void asksAgainWhenThePolicyHasChangedMeanwhile()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        bench.policy->sha256 = "two";
        QVERIFY(bench.answer(passage, allow()).has_value());
        QVERIFY(!passage->ruling.has_value());
        QCOMPARE(bench.desk.waiting().size(), std::size_t(1));
        bench.policy->sha256 = "three";
        bench.policy->policy.rules.clear();
        bench.policy->policy.otherwise = Verdict::Deny;
        QVERIFY(bench.answer(passage, allow()).has_value());
        QVERIFY(isDenied(passage));
    }

    void aStoppedSessionStaysStoppedUntilItIsLifted()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        const auto second = bench.send(request("risky(2)"));
        Answer stop;
        stop.stopSession = true;
        QVERIFY(bench.answer(passage, stop).has_value());
        QVERIFY(isDenied(passage) && isDenied(second));
        QVERIFY(isDenied(bench.send(request("print(1)"))));
        // The same process over another connection is the same session; another process isn't.
        QVERIFY(isDenied(bench.send(request("print(1)", client("cl_9", 100)))));
        QVERIFY(isAllowed(bench.send(request("print(1)", client("cl_2", 200)))));
        bench.tasks.spawn("lift", bench.gate.lift(ClientId("cl_1")));
        bench.settle();
        QVERIFY(isAllowed(bench.send(request("print(1)"))));
    }

    void boundsWhatWaitsOfOneClient()
    {
        Bench bench;
        bench.policy->policy.maxWaiting = 2;
        bench.send(request("risky(1)"));
        bench.send(request("risky(2)"));
        const auto third = bench.send(request("risky(3)"));
        QVERIFY(isDenied(third));
        QCOMPARE((*third->ruling)->by, DecidedBy::Policy);
    }

    void withoutAWindowItAsksThroughTheClientOrDenies_data()
    {
        QTest::addColumn<int>("action"); // -1: the client can't ask
        QTest::addColumn<bool>("elicit");
        QTest::addColumn<bool>("allowed");
        using Action = execution::Elicited::Action;
        QTest::newRow("accepted") << int(Action::Accept) << true << true;
        QTest::newRow("declined") << int(Action::Decline) << true << false;
        QTest::newRow("closed") << int(Action::Cancel) << true << false;
        QTest::newRow("failed") << int(Action::Failed) << true << false;
        QTest::newRow("the client can't") << -1 << true << false;
        QTest::newRow("the policy says deny") << int(Action::Accept) << false << false;
    }
    void withoutAWindowItAsksThroughTheClientOrDenies()
    {
        QFETCH(int, action);
        QFETCH(bool, elicit);
        QFETCH(bool, allowed);
        Bench bench;
        bench.desk.setListening(false);
        bench.policy->policy.headless = elicit ? policy::Headless::Elicit : policy::Headless::Deny;
        auto asked = request("risky()");
        auto message = std::make_shared<std::string>();
        if (action >= 0)
            asked->elicit = [action,
                             message](std::string text) -> asio::awaitable<execution::Elicited> {
                *message = text;
                execution::Elicited answer;
                answer.action = static_cast<execution::Elicited::Action>(action);
                co_return answer;
            };
        const auto passage = bench.send(asked);
        QCOMPARE(isAllowed(passage), allowed);
        QCOMPARE(isDenied(passage), !allowed);
        if (action >= 0 && elicit) {
            QVERIFY(message->find("risky()") != std::string::npos);
            QVERIFY(message->find("Why it asks") != std::string::npos);
        }
    }

    // what can't be recorded doesn't run.
    void nothingRunsThatCanNotBeRecorded()
    {
        Bench bench;
        bench.auditFails = Error(Errc::StoreFailed, "disk full");
        const auto passage = bench.send(request("print(1)"));
        QVERIFY(passage->ruling.has_value());
        QVERIFY(!passage->ruling->has_value());
        bench.auditFails.reset();
        const auto asked = bench.send(request("risky()"));
        bench.auditFails = Error(Errc::StoreFailed, "disk full");
        QVERIFY(bench.answer(asked, allow()).has_value());
        QVERIFY(asked->ruling.has_value() && !asked->ruling->has_value());
    }

    void theEnginesEndDeniesWhatWaits()
    {
        Bench bench;
        const auto passage = bench.send(request("risky()"));
        bench.desk.close("Belljar is ending");
        bench.settle();
        QVERIFY(isDenied(passage));
        QCOMPARE((*passage->ruling)->by, DecidedBy::Engine);
        QVERIFY(isDenied(bench.send(request("risky(2)"))));
    }

    /// Whatever happens in whatever order: what gets through was allowed by the policy, by an
    /// answer of the person to that very code, or by one that they made for its kind.
    void noSequenceOfEventsLetsThroughWhatWasNotAllowed()
    {
        std::mt19937 random(20261201);
        const std::vector<std::string> codes{
            "print(1)", "risky(1)", "risky(2)", "forbidden()", "risky forbidden"};
        int allowed = 0;
        for (int run = 0; run < 150; ++run) {
            Bench bench;
            std::map<ExecutionId, std::string> allowedByPerson; // execution -> code that they saw
            bool remembered = false;
            std::vector<std::shared_ptr<Passage>> passages;
            for (int step = 0; step < 25; ++step) {
                const auto waiting = bench.desk.waiting();
                switch (random() % 9) {
                case 0:
                case 1:
                case 2:
                    passages.push_back(bench.send(request(codes[random() % codes.size()])));
                    break;
                case 3:
                case 4: {
                    if (waiting.empty())
                        break;
                    const Approval& one = waiting[random() % waiting.size()];
                    Answer answer;
                    answer.verdict = random() % 3 == 0 ? Verdict::Deny : Verdict::Allow;
                    std::string code = *one.code;
                    if (random() % 4 == 0) {
                        code = codes[random() % codes.size()];
                        answer.editedCode = std::make_shared<const std::string>(code);
                    }
                    if (random() % 4 == 0) {
                        answer.remember = Remember{
                            random() % 2 == 0 ? policy::Scope::ThisCode : policy::Scope::RuleCase,
                            random() % 2 == 0,
                            {}};
                        remembered = remembered || answer.verdict == Verdict::Allow;
                    }
                    answer.stopSession = random() % 8 == 0;
                    const bool right = random() % 4 != 0;
                    const bool allows = answer.verdict == Verdict::Allow;
                    const auto done = bench.desk.answer(
                        one.id, right ? sha256Hex(code) : sha256Hex("other"), answer
                    );
                    QCOMPARE(done.has_value(), right);
                    if (right && allows) {
                        allowedByPerson[one.id] = code;
                        for (const ExecutionId& alike : one.alike)
                            allowedByPerson[alike] = code;
                    }
                    break;
                }
                case 5: bench.policy->sha256 = std::to_string(random() % 3); break;
                case 6: bench.desk.setListening(random() % 4 != 0); break;
                case 7: bench.digest = "sha256:" + std::to_string(random() % 2); break;
                default: {
                    if (waiting.empty())
                        break;
                    bench.desk.hold(waiting.front().id, random() % 2 == 0);
                    break;
                }
                }
                bench.settle();
            }
            bench.desk.close("over");
            bench.settle();
            for (const auto& passage : passages) {
                QVERIFY(passage->ruling.has_value()); // each has exactly one end
                if (!isAllowed(passage))
                    continue;
                ++allowed;
                const Ruling& ruling = **passage->ruling;
                QCOMPARE(ruling.codeSha256, sha256Hex(*ruling.code));
                QVERIFY(ruling.code->find("forbidden") == std::string::npos);
                if (ruling.code->find("risky") == std::string::npos && !ruling.edited)
                    continue; // the policy allows it
                const auto person = allowedByPerson.find(passage->asked->request.id);
                if (ruling.by == DecidedBy::Person) {
                    QVERIFY(person != allowedByPerson.end());
                    QCOMPARE(*ruling.code, person->second);
                } else {
                    QCOMPARE(ruling.by, DecidedBy::Remembered);
                    QVERIFY(remembered);
                }
            }
        }
        QVERIFY(allowed > 200); // it isn't for want of trying
    }
};

QTEST_GUILESS_MAIN(TestApproval)
#include "tst_approval.moc"
