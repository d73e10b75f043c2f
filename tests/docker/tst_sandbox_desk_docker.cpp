// SPDX-License-Identifier: GPL-3.0-or-later
// The sandboxes as the window sees them and what it does with them, with a real container engine.
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/docker/client.h"
#include "tests/support/engine_bench.h"

#include <algorithm>

using namespace belljar;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

std::vector<SandboxStatus>
those(const SandboxesChanged& told, SandboxState state, const std::string& language)
{
    std::vector<SandboxStatus> found;
    std::copy_if(
        told.sandboxes.begin(),
        told.sandboxes.end(),
        std::back_inserter(found),
        [&](const SandboxStatus& one) { return one.state == state && one.language == language; }
    );
    return found;
}

/// Waits until exactly so many sandboxes of the language are warm.
SandboxesChanged untilWarm(EngineBench& bench, const std::string& language, std::size_t count)
{
    return bench.told<SandboxesChanged>([&](const SandboxesChanged& told) {
        return those(told, SandboxState::Warm, language).size() == count;
    });
}

void submitProgram(
    EngineBench& bench, std::uint64_t token, const std::string& language, const std::string& code
)
{
    SubmitProgram program;
    program.token = token;
    program.language = language;
    program.code = code;
    program.asked.timeout = 60s;
    bench.submit(program);
}

SandboxCommandDone answerTo(EngineBench& bench, Command command, std::uint64_t token)
{
    bench.submit(std::move(command));
    return bench.told<SandboxCommandDone>([token](const auto& done) { return done.token == token; }
    );
}

ImageStatus statusOf(const ImagesChanged& told, const std::string& language)
{
    for (const ImageStatus& image : told.images) {
        if (image.language == language)
            return image;
    }
    throw std::runtime_error("no image of " + language);
}

/// The installation's data with `to` for `from` in every JSON file.
class OtherData {
public:
    OtherData(const std::string& from, const std::string& to)
    {
        const auto all = std::filesystem::copy_options::recursive;
        std::filesystem::copy(m_before.toStdString(), folder(), all);
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
            if (entry.path().extension() != ".json")
                continue;
            std::string text = readFile(entry.path()).value();
            for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
                 at += to.size())
                text.replace(at, from.size(), to);
            QVERIFY(writeFile(entry.path(), text, 0600));
        }
        qputenv("BELLJAR_DATA_DIR", m_folder.filePath("belljar").toUtf8());
    }
    ~OtherData() { qputenv("BELLJAR_DATA_DIR", m_before); }
    OtherData(const OtherData&) = delete;
    OtherData& operator=(const OtherData&) = delete;

private:
    [[nodiscard]] std::string folder() const { return m_folder.filePath("belljar").toStdString(); }

    QByteArray m_before = qgetenv("BELLJAR_DATA_DIR");
    QTemporaryDir m_folder;
};

} // namespace
#endif

class TestSandboxDeskDocker : public QObject {
    Q_OBJECT

    asio::io_context m_context;
    std::shared_ptr<docker::Client> m_client;

    bool isThere(const std::string& reference)
    {
        return runToEnd(m_context, m_client->image(reference, deadlineIn(10s))).has_value();
    }
    void tag(const std::string& source, const std::string& reference)
    {
        const auto tagged =
            runToEnd(m_context, m_client->tagImage(source, reference, deadlineIn(10s)));
        QVERIFY(tagged.has_value());
    }

private slots:
    void initTestCase()
    {
        const auto endpoints = docker::findEndpoints({});
        QVERIFY(endpoints.has_value());
        for (const docker::Endpoint& endpoint : *endpoints) {
            auto client = std::make_shared<docker::Client>(m_context.get_executor(), endpoint);
            if (runToEnd(m_context, client->negotiate(deadlineIn(5s)))) {
                m_client = client;
                return;
            }
        }
        if (qEnvironmentVariableIntValue("BELLJAR_REQUIRE_DOCKER") == 1)
            QFAIL("no container engine answers");
        QSKIP("no container engine answers");
    }

    void measuresABusyOneAndKillsItWithItsProgram()
    {
        EngineBench bench("");
        bench.told<ImagesChanged>();
        bench.submit(WatchSandboxes{true});
        submitProgram(bench, 1, "python", "block = bytearray(40_000_000)\nwhile True:\n    pass\n");
        const auto id = bench.told<ProgramSubmitted>().result;
        QVERIFY(id.has_value());
        const auto told = bench.told<SandboxesChanged>([](const SandboxesChanged& all) {
            const auto busy = those(all, SandboxState::Busy, "python");
            return !busy.empty() && busy.front().cpuPercent.value_or(0) > 20 &&
                   busy.front().memoryBytes.value_or(0) > 40'000'000;
        });
        const SandboxStatus busy = those(told, SandboxState::Busy, "python").front();
        QVERIFY(busy.execution == *id);
        QCOMPARE(busy.image, std::string("belljar/python"));
        QVERIFY(busy.imageDigest.starts_with("sha256:"));
        QVERIFY(!busy.name.empty() && busy.madeAt > 0);
        QVERIFY(*busy.cpuPercent < 80); // of the half processor that it may use
        QVERIFY(*busy.memoryBytes <= busy.limits.memoryBytes);

        QVERIFY(!answerTo(bench, KillSandbox{2, busy.id}, 2).error);
        const auto ended = bench.told<ExecutionChanged>([](const ExecutionChanged& changed) {
            return isFinal(changed.record.status);
        });
        QCOMPARE(ended.record.status, execution::Status::Cancelled);
        QCOMPARE(ended.record.error, std::string("its sandbox was ended by the person"));
        bench.told<SandboxesChanged>([&](const SandboxesChanged& all) {
            return std::none_of(all.sandboxes.begin(), all.sandboxes.end(), [&](const auto& one) {
                return one.id == busy.id;
            });
        });
        QCOMPARE(answerTo(bench, KillSandbox{3, busy.id}, 3).error->code(), Errc::NotFound);
    }

    void makesAsManyWarmAsAPersonWantsAndReplacesAKilledOne()
    {
        EngineBench bench("");
        bench.told<ImagesChanged>();
        bench.submit(WatchSandboxes{true});
        QVERIFY(!answerTo(bench, SetPoolSize{1, "bash", 2}, 1).error);
        auto warm = those(untilWarm(bench, "bash", 2), SandboxState::Warm, "bash");
        QVERIFY(!answerTo(bench, KillSandbox{2, warm.front().id}, 2).error);
        const auto again = bench.told<SandboxesChanged>([&](const SandboxesChanged& told) {
            const auto now = those(told, SandboxState::Warm, "bash");
            return now.size() == 2 && std::none_of(now.begin(), now.end(), [&](const auto& one) {
                       return one.id == warm.front().id;
                   });
        });
        QVERIFY(!again.sandboxes.empty());
        QVERIFY(!answerTo(bench, SetPoolSize{3, "bash", 0}, 3).error);
        untilWarm(bench, "bash", 0);
        QVERIFY(!answerTo(bench, SetPoolSize{4, "bash", 1}, 4).error);
        untilWarm(bench, "bash", 1);

        // What was chosen holds in the next life, before any program comes.
        bench.restart();
        bench.submit(WatchSandboxes{true});
        untilWarm(bench, "bash", 1);
    }

    void removesAnImageThatNothingRunsIn()
    {
        // What is removed is nobody else's.
        const OtherData names("\"belljar/", "\"belljar-test/");
        tag("belljar/bash", "belljar-test/bash");
        EngineBench bench("");
        bench.told<ImagesChanged>();
        bench.submit(WatchSandboxes{true});
        submitProgram(bench, 1, "bash", "sleep 50");
        const auto busy = bench.told<SandboxesChanged>([](const SandboxesChanged& told) {
            return !those(told, SandboxState::Busy, "bash").empty();
        });
        const auto inUse = answerTo(bench, RemoveImage{2, "bash"}, 2);
        QVERIFY(inUse.error);
        QCOMPARE(inUse.error->code(), Errc::Conflict);
        QVERIFY(inUse.error->message().find("in use by 1 program") != std::string::npos);
        QVERIFY(isThere("belljar-test/bash"));

        bench.submit(KillSandbox{3, those(busy, SandboxState::Busy, "bash").front().id});
        bench.told<ExecutionChanged>([](const ExecutionChanged& changed) {
            return isFinal(changed.record.status);
        });
        const auto removed = answerTo(bench, RemoveImage{4, "bash"}, 4);
        QVERIFY2(!removed.error, removed.error ? removed.error->message().c_str() : "");
        QVERIFY(!isThere("belljar-test/bash"));
        QVERIFY(!statusOf(bench.told<ImagesChanged>(), "bash").present);
        QCOMPARE(answerTo(bench, RemoveImage{5, "bash"}, 5).error->code(), Errc::NotFound);
        bench.restart(); // so that the log is written
        const auto audited = bench.audited("image_removed");
        QCOMPARE(audited.size(), std::size_t(1));
        QVERIFY(audited.front().find("sha256:") != std::string::npos);
    }

    void usesAnotherImageOnlyOnceItWorks()
    {
        const std::string other = "belljar-test/other-bash:v2";
        tag("belljar/bash", other);
        EngineBench bench("");
        bench.told<ImagesChanged>();
        const auto imageOfARun = [&bench](std::uint64_t token) {
            submitProgram(bench, token, "bash", "echo");
            return bench
                .told<ExecutionChanged>([](const ExecutionChanged& changed) {
                    return changed.record.status == execution::Status::Succeeded;
                })
                .record.image;
        };
        const auto refusal = [&bench](std::uint64_t token, const std::string& reference) {
            const auto done = answerTo(bench, UseImage{token, "bash", reference}, token);
            return done.error ? done.error->message() : std::string("it was not refused");
        };
        const auto says = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        const std::string missing = refusal(1, "belljar-test/no-such");
        QVERIFY2(says(missing, "docker pull belljar-test/no-such"), missing.c_str());
        const std::string noName = refusal(2, "../../containers\x1b");
        QVERIFY2(says(noName, "is no image name"), noName.c_str());
        QVERIFY(!answerTo(bench, UseImage{3, "bash", other}, 3).error);
        const ImageStatus bash = statusOf(bench.told<ImagesChanged>(), "bash");
        QVERIFY(bash.chosen && bash.chosen->present && bash.chosen->reference == other);
        QCOMPARE(bash.chosen->digest, bash.digest);
        QCOMPARE(imageOfARun(4), other);
        bench.restart();
        bench.told<ImagesChanged>();
        QCOMPARE(imageOfARun(5), other);
        QVERIFY(!answerTo(bench, UseImage{6, "bash", ""}, 6).error);
        QVERIFY(!statusOf(bench.told<ImagesChanged>(), "bash").chosen);
        QCOMPARE(imageOfARun(7), std::string("belljar/bash"));

        // Nothing was kept of what was refused.
        bench.restart();
        QCOMPARE(imageOfARun(8), std::string("belljar/bash"));
        const auto audited = bench.audited("image_used");
        QCOMPARE(audited.size(), std::size_t(2));
        QVERIFY(says(audited[0], other.c_str()) && says(audited[0], "sha256:"));
        QVERIFY(says(audited[1], "belljar/bash"));
        static_cast<void>(runToEnd(m_context, m_client->removeImage(other, deadlineIn(10s))));
    }

    void refusesAnImageInWhichAProgramSaysSomethingElse()
    {
        const OtherData wrong("echo hello world", "printf 'no \\\\033[31m'");
        EngineBench bench("");
        bench.told<ImagesChanged>();
        const auto done = answerTo(bench, UseImage{1, "bash", "belljar/bash:latest"}, 1);
        QVERIFY(done.error);
        QVERIFY2(
            done.error->message().find("it said \"no \\u{1b}[31m\"") != std::string::npos,
            done.error->message().c_str()
        );
        QVERIFY(!statusOf(bench.told<ImagesChanged>(), "bash").chosen);
    }

    void refusesAnImageInWhichTheLanguageDoesNotWork()
    {
        EngineBench bench("");
        bench.told<ImagesChanged>();
        bench.submit(WatchSandboxes{true});
        // There is no node in the image for bash.
        const auto done = answerTo(bench, UseImage{1, "javascript", "belljar/bash"}, 1);
        QVERIFY(done.error);
        QVERIFY2(
            done.error->message().find("no sandbox starts in belljar/bash") != std::string::npos,
            done.error->message().c_str()
        );
        QVERIFY(!statusOf(bench.told<ImagesChanged>(), "javascript").chosen);
        // What it was tried in goes away.
        bench.told<SandboxesChanged>([](const SandboxesChanged& told) {
            return told.sandboxes.empty();
        });
    }

    void tellsWhatIsInTheImages()
    {
        EngineBench bench("");
        const ImageStatus python = statusOf(bench.told<ImagesChanged>(), "python");
        QVERIFY(python.present && python.bytes > 1'000'000 && python.createdAt > 0);
        QVERIFY(python.description.find("numpy") != std::string::npos);
        QVERIFY(python.madeFrom == "registry" || python.madeFrom == "distribution");
        QVERIFY(!python.building);
    }
};

QTEST_GUILESS_MAIN(TestSandboxDeskDocker)
#include "tst_sandbox_desk_docker.moc"
