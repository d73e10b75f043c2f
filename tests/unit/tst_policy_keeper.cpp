// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#undef emit
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "engine/policy/keeper.h"
#include "engine/policy/memory.h"
#include "tests/support/run_to_end.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "store_fixture.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::policy;
using namespace belljar::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
#endif

namespace {

/// A keeper over a folder of its own; live() begins another life over the same history.
struct Bench {
    History history;
    fs::path folder = history.file.parent_path() / "config" / "policies";
    fs::path assignments = history.file.parent_path() / "config" / "assignments.json";
    std::vector<audit::Entry> log;
    int changes = 0;
    std::unique_ptr<Keeper> keeper;

    Bench() { static_cast<void>(makePrivateFolder(folder.parent_path())); }
    ~Bench() { end(); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    Result<> live(bool acceptLoosening = false)
    {
        end();
        Keeper::Options options;
        options.folder = folder;
        options.assignmentsFile = assignments;
        options.shipped = BELLJAR_POLICIES;
        options.author = "ada";
        options.acceptLoosening = acceptLoosening;
        keeper = std::make_unique<Keeper>(
            history.context.get_executor(),
            options,
            *history.store,
            Keeper::Events{
                [this] { ++changes; },
                [this](audit::Entry entry) { log.push_back(std::move(entry)); }}
        );
        auto last = history.reader().latestPolicyVersions();
        return runToEnd(history.context, keeper->start(last.value()));
    }
    void end()
    {
        if (!keeper)
            return;
        auto closing = [](Keeper* one) -> asio::awaitable<Result<>> {
            co_await one->close();
            co_return Result<>();
        };
        static_cast<void>(runToEnd(history.context, closing(keeper.get())));
        keeper.reset();
    }
    std::string text(const std::string& name) const
    {
        return readFile(folder / (name + ".json")).value();
    }
    void write(const std::string& name, const std::string& content, unsigned mode = 0600) const
    {
        QVERIFY(writeFile(folder / (name + ".json"), content, mode).has_value());
    }
    PolicyState state(const std::string& name) const
    {
        for (PolicyState& one : keeper->policies().policies) {
            if (one.name == name)
                return one;
        }
        return {};
    }
    /// Runs until the keeper has looked at its files again.
    void untilChanged()
    {
        const int before = changes;
        const Deadline limit = deadlineIn(10s);
        history.context.restart();
        while (changes == before && SteadyClock::now() < limit)
            history.context.run_one_for(100ms);
        QVERIFY(changes > before);
    }
    std::string decider(const char* clientName, const char* executable = "")
    {
        execution::Client client;
        client.name = clientName;
        client.executable = executable;
        return keeper->forClient(client)->name;
    }
    std::vector<store::PolicyVersion> versions(const std::string& name)
    {
        return history.reader().policyVersions(name).value();
    }
};

std::string edited(const std::string& text, const char* pointer, const Json& value)
{
    Json json = Json::parse(text);
    json[Json::json_pointer(pointer)] = value;
    return json.dump(2);
}

} // namespace

class TestPolicyKeeper : public QObject {
    Q_OBJECT

private slots:
    void beginsWithTheShippedOnes()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const Policies all = bench.keeper->policies();
        QCOMPARE(all.policies.size(), std::size_t(3));
        QCOMPARE(all.defaultPolicy, std::string("balanced"));
        for (const PolicyState& one : all.policies) {
            QVERIFY(one.shipped);
            QCOMPARE(one.version, std::int64_t(1));
            QVERIFY(one.problems.empty());
        }
        QCOMPARE(bench.decider("anybody"), std::string("balanced"));
        QCOMPARE(bench.versions("strict").size(), std::size_t(1));
        QCOMPARE(bench.versions("strict").front().source, std::string("shipped"));
        struct stat info {};
        QCOMPARE(::stat((bench.folder / "strict.json").c_str(), &info), 0);
        QCOMPARE(info.st_mode & 0777U, 0600U);
        // The next life makes no new versions.
        QVERIFY(bench.live().has_value());
        QCOMPARE(bench.versions("strict").size(), std::size_t(1));
    }

    void savesAVersionAndTheFile()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const std::string looser = edited(bench.text("balanced"), "/limits/memory/max", "1g");
        const auto saved =
            runToEnd(bench.history.context, bench.keeper->save("balanced", looser, "more room"));
        QVERIFY(saved.has_value());
        QCOMPARE(bench.text("balanced"), looser);
        const auto versions = bench.versions("balanced");
        QCOMPARE(versions.size(), std::size_t(2));
        QCOMPARE(versions.front().note, std::string("more room"));
        QCOMPARE(versions.front().author, std::string("ada"));
        QCOMPARE(bench.keeper->find("balanced")->policy.memoryBytes.most, 1ULL << 30U);
        const auto restored = runToEnd(
            bench.history.context, bench.keeper->restore("balanced", 1, versions.back().text)
        );
        QVERIFY(restored.has_value());
        QCOMPARE(bench.keeper->find("balanced")->version, std::int64_t(3));
        QCOMPARE(bench.text("balanced"), versions.back().text);
        QCOMPARE(bench.versions("balanced").front().source, std::string("restored"));
    }

    void refusesToSaveWhatIsBroken()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const auto broken =
            runToEnd(bench.history.context, bench.keeper->save("balanced", "{", ""));
        QCOMPARE(broken.error().code(), Errc::InvalidArgument);
        QVERIFY(broken.error().message().find("line 1, column 2") != std::string::npos);
        for (const char* name : {"", "../x", "a b", "-x", "a.b"}) {
            const auto named =
                runToEnd(bench.history.context, bench.keeper->save(name, bench.text("strict"), ""));
            QVERIFY2(!named.has_value(), name);
        }
        QCOMPARE(bench.versions("balanced").size(), std::size_t(1));
    }

    // R-88
    void aChangeOnDiskThatTightensTakesEffectAtOnce()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        bench.write("balanced", edited(bench.text("balanced"), "/limits/timeout/max", "60s"));
        bench.untilChanged();
        QCOMPARE(bench.keeper->find("balanced")->policy.timeoutMs.most, std::uint64_t(60'000));
        QCOMPARE(bench.versions("balanced").front().source, std::string("disk"));
    }

    void aChangeOnDiskThatLoosensWaitsForThePerson()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const std::string before = bench.text("balanced");
        const std::string looser = edited(before, "/approval/rules", Json::array());
        bench.write("balanced", looser);
        bench.untilChanged();
        PolicyState state = bench.state("balanced");
        QCOMPARE(state.pendingText, looser);
        QVERIFY(!state.pendingLoosens.empty());
        QVERIFY(!bench.keeper->find("balanced")->policy.rules.empty());
        QVERIFY(std::any_of(bench.log.begin(), bench.log.end(), [](const audit::Entry& entry) {
            return entry.type == audit::Type::PolicyRefused;
        }));
        // Also over the next life: it is still not what the person has seen.
        QVERIFY(bench.live().has_value());
        QVERIFY(!bench.keeper->find("balanced")->policy.rules.empty());
        QCOMPARE(
            runToEnd(
                bench.history.context, bench.keeper->confirm("balanced", sha256Hex("other"), true)
            )
                .error()
                .code(),
            Errc::Conflict
        );
        const auto putBack = runToEnd(
            bench.history.context, bench.keeper->confirm("balanced", sha256Hex(looser), false)
        );
        QVERIFY(putBack.has_value());
        QCOMPARE(bench.text("balanced"), before);
        QVERIFY(bench.state("balanced").pendingText.empty());

        bench.write("balanced", looser);
        bench.untilChanged();
        const auto accepted = runToEnd(
            bench.history.context, bench.keeper->confirm("balanced", sha256Hex(looser), true)
        );
        QVERIFY(accepted.has_value());
        QVERIFY(bench.keeper->find("balanced")->policy.rules.empty());
    }

    void headlessItCanBeAcceptedAtTheStart()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        bench.write("balanced", edited(bench.text("balanced"), "/approval/rules", Json::array()));
        QVERIFY(bench.live(true).has_value());
        QVERIFY(bench.keeper->find("balanced")->policy.rules.empty());
    }

    // R-87, R-90
    void whatIsBrokenOrNotOursChangesNothing_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("broken") << 0;
        QTest::newRow("writable by others") << 1;
        QTest::newRow("a link") << 2;
        QTest::newRow("a fifo") << 3;
        QTest::newRow("too large") << 4;
    }
    void whatIsBrokenOrNotOursChangesNothing()
    {
        QFETCH(int, kind);
        Bench bench;
        QVERIFY(bench.live().has_value());
        const fs::path file = bench.folder / "balanced.json";
        const std::string tighter = edited(bench.text("balanced"), "/limits/timeout/max", "60s");
        const fs::path elsewhere = bench.folder.parent_path() / "elsewhere.json";
        switch (kind) {
        case 0: bench.write("balanced", "{ \"title\": }"); break;
        case 1:
            bench.write("balanced", tighter);
            QCOMPARE(::chmod(file.c_str(), 0666), 0);
            break;
        case 2:
            QVERIFY(writeFile(elsewhere, tighter, 0600).has_value());
            fs::remove(file);
            fs::create_symlink(elsewhere, file);
            break;
        case 3:
            fs::remove(file);
            QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
            break;
        default: bench.write("balanced", tighter + std::string(2 << 20, ' ')); break;
        }
        bench.untilChanged();
        if (bench.state("balanced").problems.empty())
            bench.untilChanged(); // the last step of two
        QVERIFY(!bench.state("balanced").problems.empty());
        QCOMPARE(bench.keeper->find("balanced")->policy.timeoutMs.most, std::uint64_t(300'000));
        QCOMPARE(bench.keeper->find("balanced")->version, std::int64_t(1));
    }

    void theFirstAssignmentThatFitsDecides()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const std::vector<Assignment> list{
            {"claude-code", "/usr/bin/claude", "trusted"}, {"claude-code", "", "strict"}};
        QVERIFY(runToEnd(bench.history.context, bench.keeper->assign(list, "balanced")).has_value()
        );
        QCOMPARE(bench.decider("claude-code", "/usr/bin/claude"), std::string("trusted"));
        QCOMPARE(bench.decider("claude-code", "/tmp/claude"), std::string("strict"));
        QCOMPARE(bench.decider("kiro"), std::string("balanced"));
        QCOMPARE(
            runToEnd(bench.history.context, bench.keeper->assign({}, "nobody")).error().code(),
            Errc::NotFound
        );
        QVERIFY(bench.live().has_value());
        QCOMPARE(bench.decider("claude-code", "/tmp/claude"), std::string("strict"));
    }

    void anAssignmentOnDiskThatLoosensWaitsToo()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        QVERIFY(runToEnd(bench.history.context, bench.keeper->assign({}, "strict")).has_value());
        QVERIFY(writeFile(bench.assignments, "{\"default\":\"trusted\",\"clients\":[]}", 0600)
                    .has_value());
        bench.untilChanged();
        QCOMPARE(bench.decider("anybody"), std::string("strict"));
        const Policies all = bench.keeper->policies();
        QVERIFY(!all.pendingAssignments.empty());
        // Nobody can take what nobody has shown.
        for (const std::string& hash : {std::string(), sha256Hex("other")})
            QCOMPARE(
                runToEnd(bench.history.context, bench.keeper->confirm(kAssignmentsName, hash, true))
                    .error()
                    .code(),
                Errc::Conflict
            );
        QVERIFY(
            runToEnd(
                bench.history.context,
                bench.keeper->confirm(kAssignmentsName, sha256Hex(all.pendingAssignmentsText), true)
            )
                .has_value()
        );
        QCOMPARE(bench.decider("anybody"), std::string("trusted"));
        // Stricter is no question; broken is none either.
        QVERIFY(writeFile(bench.assignments, "{\"default\":\"strict\",\"clients\":[]}", 0600)
                    .has_value());
        bench.untilChanged();
        QCOMPARE(bench.decider("anybody"), std::string("strict"));
        QVERIFY(writeFile(bench.assignments, "{\"default\":3}", 0600).has_value());
        bench.untilChanged();
        QCOMPARE(bench.decider("anybody"), std::string("strict"));
        QVERIFY(!bench.keeper->policies().assignmentsProblem.empty());
    }

    // What was shown is what is taken: the file may have changed again meanwhile.
    void aChangeAfterTheOneThatWasShownIsNotTaken()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const std::string before = bench.text("balanced");
        const std::string shown = edited(before, "/limits/memory/max", "600m");
        bench.write("balanced", shown);
        bench.untilChanged();
        bench.write("balanced", edited(before, "/approval/rules", Json::array()));
        bench.untilChanged();
        const auto taken = runToEnd(
            bench.history.context, bench.keeper->confirm("balanced", sha256Hex(shown), true)
        );
        QCOMPARE(taken.error().code(), Errc::Conflict);
        QCOMPARE(bench.versions("balanced").size(), std::size_t(1));
        // And what is taken is what was shown, even where the file says something else already.
        bench.write("balanced", shown);
        bench.untilChanged();
        bench.write("balanced", edited(before, "/approval/rules", Json::array()));
        const auto now = runToEnd(
            bench.history.context, bench.keeper->confirm("balanced", sha256Hex(shown), true)
        );
        QVERIFY(now.has_value());
        QCOMPARE(bench.state("balanced").text, shown);
        while (bench.state("balanced").pendingText.empty())
            bench.untilChanged();
        QVERIFY(!bench.keeper->find("balanced")->policy.rules.empty());
    }

    // R-88: nobody gets round the question by taking a file away first.
    void aFileThatGoesAndComesBackLaxerIsAChange()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        const std::string strict = bench.text("strict");
        fs::remove(bench.folder / "strict.json");
        bench.untilChanged();
        QVERIFY(!bench.keeper->find("strict"));
        bench.write("strict", edited(strict, "/approval/rules", Json::array()));
        bench.untilChanged();
        QVERIFY(!bench.keeper->find("strict")->policy.rules.empty());
        QVERIFY(!bench.state("strict").pendingLoosens.empty());
        // The same as before is no question.
        fs::remove(bench.folder / "strict.json");
        bench.untilChanged();
        bench.write("strict", strict);
        bench.untilChanged();
        QVERIFY(bench.state("strict").pendingText.empty());
        QVERIFY(bench.keeper->find("strict"));
        QCOMPARE(bench.versions("strict").size(), std::size_t(1));
    }

    // R-88: an assignment put there between two lives is a change too, though nobody has made one.
    void theFirstAssignmentOnDiskIsAChangeOnceBelljarHasRun()
    {
        const std::string text = "{\"default\":\"trusted\",\"clients\":[]}";
        Bench fresh;
        QVERIFY(writeFile(fresh.assignments, text, 0600).has_value());
        QVERIFY(fresh.live().has_value());
        QCOMPARE(fresh.decider("anybody"), std::string("trusted")); // set up that way
        Bench bench;
        QVERIFY(bench.live().has_value());
        bench.end();
        QVERIFY(writeFile(bench.assignments, text, 0600).has_value());
        QVERIFY(bench.live().has_value());
        QCOMPARE(bench.decider("anybody"), std::string("balanced"));
        QVERIFY(!bench.keeper->policies().pendingAssignments.empty());
        // Put back, the file says what holds.
        QVERIFY(runToEnd(
                    bench.history.context,
                    bench.keeper->confirm(kAssignmentsName, sha256Hex(text), false)
        )
                    .has_value());
        bench.untilChanged();
        QVERIFY(bench.keeper->policies().pendingAssignments.empty());
        QCOMPARE(bench.keeper->policies().assignmentsProblem, std::string());
        const auto file = parseAssignments(readFile(bench.assignments).value());
        QVERIFY(file.has_value());
        QCOMPARE(file->otherwise, std::string("balanced"));
    }

    void tellsForWhomAnotherPolicyAllowsMore_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("now");
        QTest::addColumn<QString>("says"); // empty: it loosens nothing
        const auto row = [](const char* what, const char* before, const char* now, const char* says
                         ) {
            const QString file = QStringLiteral("{\"default\":\"balanced\",\"clients\":[%1]}");
            QTest::newRow(what) << file.arg(QLatin1String(before)) << file.arg(QLatin1String(now))
                                << says;
        };
        const char* strictPath = R"({"executable":"/c","policy":"strict"})";
        row("nothing", strictPath, strictPath, "");
        row("stricter", "", strictPath, "");
        row("laxer", "", R"({"name":"claude","policy":"trusted"})", "claude: balanced -> trusted");
        row("gone", strictPath, "", "/c: strict -> balanced");
        // It decides for what the row below decided, though the two policies that it names are one.
        row("a name put before a program",
            strictPath,
            R"({"name":"claude","policy":"balanced"},{"executable":"/c","policy":"strict"})",
            "claude (/c): strict -> balanced");
        row("another order",
            R"({"executable":"/c","policy":"strict"},{"name":"claude","policy":"trusted"})",
            R"({"name":"claude","policy":"trusted"},{"executable":"/c","policy":"strict"})",
            "claude (/c): strict -> trusted");
    }
    void tellsForWhomAnotherPolicyAllowsMore()
    {
        QFETCH(QString, before);
        QFETCH(QString, now);
        QFETCH(QString, says);
        Bench bench;
        QVERIFY(bench.live().has_value());
        const auto words = loosened(
            parseAssignments(before.toStdString()).value(),
            parseAssignments(now.toStdString()).value(),
            [&](const std::string& name) { return &bench.keeper->find(name)->policy; }
        );
        if (says.isEmpty()) {
            QVERIFY2(words.empty(), words.empty() ? "" : words.front().c_str());
            return;
        }
        QVERIFY(!words.empty());
        QVERIFY2(QString::fromStdString(words.front()).startsWith(says), words.front().c_str());
    }

    void deletesOnlyWhatNobodyNeeds()
    {
        Bench bench;
        QVERIFY(bench.live().has_value());
        QVERIFY(
            runToEnd(bench.history.context, bench.keeper->save("mine", bench.text("strict"), ""))
                .has_value()
        );
        QVERIFY(runToEnd(bench.history.context, bench.keeper->assign({}, "mine")).has_value());
        QCOMPARE(
            runToEnd(bench.history.context, bench.keeper->remove("strict")).error().code(),
            Errc::Conflict
        );
        QCOMPARE(
            runToEnd(bench.history.context, bench.keeper->remove("mine")).error().code(),
            Errc::Conflict
        );
        QVERIFY(runToEnd(bench.history.context, bench.keeper->assign({}, "strict")).has_value());
        QVERIFY(runToEnd(bench.history.context, bench.keeper->remove("mine")).has_value());
        QVERIFY(!bench.keeper->find("mine"));
    }

    void remembersOverLivesUntilItIsRevoked()
    {
        Bench bench;
        int changes = 0;
        Memory memory(*bench.history.store, [&changes] { ++changes; });
        Remembered one;
        one.id = "rd_1";
        one.scope = Scope::RuleCase;
        one.language = "python";
        one.rule = "risky \"rule\"";
        one.findings = {"a", "b"};
        one.clientName = "claude";
        one.policyName = "balanced";
        one.policySha256 = "aa";
        one.imageDigest = "sha256:1";
        one.createdAt = 5;
        one.expiresAt = 900;
        one.madeFrom = ExecutionId("ex_1");
        Remembered two = one;
        two.id = "rd_2";
        two.expiresAt.reset();
        QVERIFY(runToEnd(bench.history.context, memory.add(one)).has_value());
        QVERIFY(runToEnd(bench.history.context, memory.add(two)).has_value());
        memory.wasUsed("rd_1");
        QVERIFY(runToEnd(bench.history.context, memory.revoke({"rd_2"})).has_value());
        QCOMPARE(changes, 4);

        Memory later(*bench.history.store, [] {});
        later.load(bench.history.reader().remembered().value());
        QCOMPARE(later.all().size(), std::size_t(1));
        Remembered expected = one;
        expected.hits = 1;
        expected.lastUsedAt = later.all().front().lastUsedAt;
        QVERIFY(expected.lastUsedAt.has_value());
        QVERIFY(later.all().front() == expected);
        later.tidy(900, [](const ClientId&) { return true; });
        QVERIFY(later.all().empty());
    }
};

QTEST_GUILESS_MAIN(TestPolicyKeeper)
#include "tst_policy_keeper.moc"
