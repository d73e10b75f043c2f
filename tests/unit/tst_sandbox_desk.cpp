// SPDX-License-Identifier: GPL-3.0-or-later
// What a person chooses about the sandboxes, where Docker isn't there; tests/docker has the rest.
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/sandbox/choices.h"
#include "tests/support/engine_bench.h"

using namespace belljar;
using namespace belljar::test;
using sandbox::parseChoices;

namespace {

const std::string kNoDocker = "unix:///nonexistent/docker.sock";

SandboxCommandDone answerTo(EngineBench& bench, Command command, std::uint64_t token)
{
    bench.submit(std::move(command));
    return bench.told<SandboxCommandDone>([token](const auto& done) { return done.token == token; }
    );
}

std::uint32_t wanted(const SandboxesChanged& told, const std::string& language)
{
    for (const PoolStatus& pool : told.pools) {
        if (pool.language == language)
            return pool.wanted;
    }
    throw std::runtime_error("no pool of " + language);
}

SandboxesChanged look(EngineBench& bench)
{
    bench.forget();
    bench.submit(WatchSandboxes{true});
    return bench.told<SandboxesChanged>();
}

} // namespace
#endif

class TestSandboxDesk : public QObject {
    Q_OBJECT

private slots:
    void choicesComeBackAsTheyWere()
    {
        sandbox::Choices choices;
        choices.poolSizes = {{"bash", 0}, {"python", 8}};
        choices.images = {{"python", "registry.example:5000/team/python@sha256:ab"}};
        QVERIFY(parseChoices(choicesText(choices)).value() == choices);
        QVERIFY(parseChoices("{}").value() == sandbox::Choices());
    }

    void refusesChoicesThatItCanNotHold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no json") << QByteArray("{") << QByteArray("");
        QTest::newRow("a list") << QByteArray("[]") << QByteArray("object");
        QTest::newRow("sizes") << QByteArray(R"({"pool_sizes":[1]})") << QByteArray("pool_sizes");
        QTest::newRow("negative") << QByteArray(R"({"pool_sizes":{"bash":-1}})")
                                  << QByteArray("pool_sizes.bash");
        QTest::newRow("too many") << QByteArray(R"({"pool_sizes":{"bash":9}})")
                                  << QByteArray("pool_sizes.bash");
        QTest::newRow("no number")
            << QByteArray(R"({"pool_sizes":{"bash":null}})") << QByteArray("pool_sizes.bash");
        QTest::newRow("images") << QByteArray(R"({"images":"python"})") << QByteArray("images");
        QTest::newRow("no name") << QByteArray(R"({"images":{"bash":"a b"}})")
                                 << QByteArray("images.bash");
        QTest::newRow("a way out")
            << QByteArray(R"({"images":{"bash":"../containers"}})") << QByteArray("images.bash");
        QTest::newRow("too many together")
            << QByteArray(R"({"pool_sizes":{"a":8,"b":8,"c":1}})") << QByteArray("together");
    }
    void refusesChoicesThatItCanNotHold()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto parsed = parseChoices(text.toStdString());
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code(), Errc::InvalidArgument);
        QVERIFY2(
            parsed.error().message().find(says.toStdString()) != std::string::npos,
            parsed.error().message().c_str()
        );
    }

    void tellsOnlyWhileSomebodyLooks()
    {
        EngineBench bench(kNoDocker);
        bench.submit(SendSnapshot{});
        bench.told<PauseChanged>();
        QCOMPARE(bench.count<SandboxesChanged>(), std::ptrdiff_t(0));
        bench.submit(WatchSandboxes{true});
        const auto told = bench.told<SandboxesChanged>();
        QVERIFY(told.sandboxes.empty());
        QCOMPARE(told.pools.size(), std::size_t(3));
        QCOMPARE(wanted(told, "python"), std::uint32_t(1));
        bench.told<SandboxesChanged>(); // the next second's

        bench.submit(WatchSandboxes{false});
        bench.submit(KillSandbox{4, "none"});
        bench.told<SandboxCommandDone>();
        bench.forget();
        bench.submit(SendSnapshot{});
        bench.told<PauseChanged>();
        QCOMPARE(bench.count<SandboxesChanged>(), std::ptrdiff_t(0));
    }

    void keepsPoolSizesForTheNextLife()
    {
        EngineBench bench(kNoDocker);
        QVERIFY(!answerTo(bench, SetPoolSize{1, "python", 3}, 1).error);
        QCOMPARE(wanted(look(bench), "python"), std::uint32_t(3));
        bench.restart();
        const auto told = look(bench);
        QCOMPARE(wanted(told, "python"), std::uint32_t(3));
        QCOMPARE(wanted(told, "bash"), std::uint32_t(1));
        QVERIFY(told.problem.empty());
    }

    void refusesPoolSizesOutOfBounds()
    {
        EngineBench bench(kNoDocker);
        const auto tooMany = answerTo(bench, SetPoolSize{1, "python", 9}, 1);
        QCOMPARE(tooMany.error->code(), Errc::InvalidArgument);
        QVERIFY(tooMany.error->message().find("0 to 8") != std::string::npos);
        const auto unknown = answerTo(bench, SetPoolSize{2, "cobol", 1}, 2);
        QCOMPARE(unknown.error->code(), Errc::InvalidArgument);
        QVERIFY(unknown.error->message().find("bash, javascript, python") != std::string::npos);
        QVERIFY(!answerTo(bench, SetPoolSize{3, "python", 8}, 3).error);
        QVERIFY(!answerTo(bench, SetPoolSize{4, "bash", 7}, 4).error);
        const auto together = answerTo(bench, SetPoolSize{5, "javascript", 2}, 5);
        QVERIFY2(together.error, "17 together");
        QVERIFY(together.error->message().find("leave 1 of 16") != std::string::npos);
        QCOMPARE(wanted(look(bench), "javascript"), std::uint32_t(1));
    }

    void whatCanNotBeKeptDoesNotTakeEffect()
    {
        EngineBench bench(kNoDocker);
        std::filesystem::create_directories(bench.folder() / "sandboxes.json" / "in the way");
        const auto answer = answerTo(bench, SetPoolSize{1, "python", 3}, 1);
        QVERIFY(answer.error);
        QCOMPARE(wanted(look(bench), "python"), std::uint32_t(1));
    }

    void aBrokenFileIsToldAndChangesNothing()
    {
        EngineBench bench(kNoDocker);
        const auto file = bench.folder() / "sandboxes.json";
        QVERIFY(writeFile(file, R"({"pool_sizes":{"python":900}})", 0600));
        bench.restart();
        const auto told = look(bench);
        QVERIFY(told.problem.find("pool_sizes.python") != std::string::npos);
        QCOMPARE(wanted(told, "python"), std::uint32_t(1));
        QVERIFY(!answerTo(bench, SetPoolSize{1, "python", 2}, 1).error);
        QVERIFY(look(bench).problem.empty());
        // A file that others can write to isn't ours.
        std::filesystem::permissions(file, std::filesystem::perms(0666));
        bench.restart();
        const auto unsafe = look(bench);
        QVERIFY(!unsafe.problem.empty());
        QCOMPARE(wanted(unsafe, "python"), std::uint32_t(1));
    }

    void refusesInWordsWhatIsNotThere()
    {
        EngineBench bench(kNoDocker);
        const auto killed = answerTo(bench, KillSandbox{1, "\x1b[31mno such\n"}, 1);
        QCOMPARE(killed.error->code(), Errc::NotFound);
        QVERIFY(killed.error->message().find('\x1b') == std::string::npos);
        const auto unknown = answerTo(bench, RemoveImage{2, "cobol"}, 2);
        QCOMPARE(unknown.error->code(), Errc::InvalidArgument);
        const auto removed = answerTo(bench, RemoveImage{3, "python"}, 3);
        QCOMPARE(removed.error->code(), Errc::EngineUnreachable);
        const auto used = answerTo(bench, UseImage{4, "python", "python:3"}, 4);
        QCOMPARE(used.error->code(), Errc::EngineUnreachable);
        QCOMPARE(
            answerTo(bench, UseImage{5, "cobol", "x"}, 5).error->code(), Errc::InvalidArgument
        );
        QVERIFY(!answerTo(bench, UseImage{6, "python", ""}, 6).error); // needs no Docker
        QVERIFY(bench.audited("image_removed").empty());
    }
};

QTEST_GUILESS_MAIN(TestSandboxDesk)
#include "tst_sandbox_desk.moc"
