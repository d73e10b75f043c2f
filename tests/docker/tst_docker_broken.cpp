// SPDX-License-Identifier: GPL-3.0-or-later
// Engines that are absent, broken, hostile, or that go and come back (R-38, R-69).
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/json.h"
#include "engine/docker/client.h"
#include "engine/docker/codec.h"
#include "engine/docker/watch.h"
#include "tests/docker/docker_fixture.h"
#include "tests/docker/fake_engine.h"

#include <algorithm>
#include <fstream>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::docker;
using namespace std::chrono_literals;
using test::Beside;
using test::FakeEngine;
using test::reply;
using Then = FakeEngine::Then;

namespace {

constexpr const char* kGoodVersion =
    R"({"Version":"20.10.24","ApiVersion":"1.41","KernelVersion":"5","Arch":"amd64"})";
constexpr const char* kUpgraded = "HTTP/1.1 101 UPGRADED\r\nContent-Type: "
                                  "application/vnd.docker.raw-stream\r\nConnection: "
                                  "Upgrade\r\nUpgrade: tcp\r\n\r\n";

std::string frame(unsigned char stream, std::string_view payload, std::size_t claimed = SIZE_MAX)
{
    const std::size_t size = claimed == SIZE_MAX ? payload.size() : claimed;
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(stream);
    for (std::size_t i = 0; i < 4; ++i)
        bytes[4 + i] = static_cast<char>((size >> (8 * (3 - i))) & 0xFFU);
    return bytes + std::string(payload);
}

/// An engine that does nothing wrong, as far as Watch can tell.
FakeEngine::Answer goodEngine(const std::string& head)
{
    if (head.starts_with("GET /version"))
        return {reply("200 OK", kGoodVersion), Then::Close, {}};
    if (head.find("/events?") != std::string::npos)
        return {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Then::StayOpen, {}};
    return {reply("200 OK", "OK"), Then::Close, {}};
}

ContainerSpec goodSpec()
{
    ContainerSpec spec;
    spec.image = "belljar/python";
    spec.entrypoint = {"/bin/sh"};
    spec.workingDirectory = "/workspace";
    spec.memoryBytes = 1U << 26U;
    spec.cpuMillis = 500;
    spec.pids = 50;
    spec.seccompProfile = R"({"defaultAction":"SCMP_ACT_ERRNO"})";
    return spec;
}

/// What the engine would say of a container that is exactly as asked for.
Json accountOf(const ContainerSpec& spec)
{
    const Json asked = encodeContainer(spec);
    Json account;
    account["Id"] = "c0ffee";
    account["HostConfig"] = asked["HostConfig"];
    account["Config"] = asked;
    return account;
}

} // namespace
#endif

class TestDockerBroken : public QObject {
    Q_OBJECT

private:
    std::string socketPath() const { return m_folder.filePath("docker.sock").toStdString(); }
    Client& client()
    {
        m_client =
            std::make_unique<Client>(m_context.get_executor(), Endpoint{socketPath(), "test"});
        return *m_client;
    }
    template <class T>
    Result<T> attempt(asio::awaitable<Result<T>> call)
    {
        return test::runToEnd(m_context, std::move(call));
    }
    FakeEngine& play(FakeEngine::Script script, int backlog = 16)
    {
        m_engine.reset();
        m_engine =
            std::make_unique<FakeEngine>(m_context, socketPath(), std::move(script), backlog);
        m_engine->start();
        return *m_engine;
    }
    FakeEngine& play(FakeEngine::Answer answer)
    {
        return play([answer](const std::string&) { return answer; });
    }
    template <class Condition>
    bool runUntil(Condition condition, std::chrono::seconds longest = 20s)
    {
        const Deadline limit = deadlineIn(longest);
        m_context.restart();
        while (!condition() && SteadyClock::now() < limit)
            m_context.run_one_until(limit);
        return condition();
    }
    void closeWatch(Watch& watch)
    {
        auto closing = [](Watch* closed) -> asio::awaitable<int> {
            co_await closed->close();
            co_return 0;
        };
        test::runToEnd(m_context, closing(&watch));
    }

    QTemporaryDir m_folder;
    asio::io_context m_context;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<Client> m_client;

private slots:
    void cleanup();

    void saysWhatToDoWithoutASocket();
    void saysWhatToDoWithoutPermission();
    void saysWhatToDoWhenNobodyListens();
    void refusesAPathThatIsTooLong();
    void waitsForAListenerThatIsBehind();
    void namesWhatIsWrongWithTheAnswer_data();
    void namesWhatIsWrongWithTheAnswer();
    void breaksOffAnAttachStreamThatIsNone_data();
    void breaksOffAnAttachStreamThatIsNone();
    void readsTheWholeRefusalOfAnAttach();
    void removesAContainerThatTheEngineWarnsAbout();
    void removesAContainerThatIsNotAsAskedFor_data();
    void removesAContainerThatIsNotAsAskedFor();
    void boundsTheLinesOfAStream();
    void takesALastLineWithoutItsEnd();
    void prefersAnEarlyAnswerToABrokenPipe();
    void findsAnEngineThatComesLater();
    void followsAnEngineThatGoesAndComesBack();
    void noticesAnEngineThatStalls();
    void handsOnTheEventsOfOurContainers();
    void staysWithAnEngineThatRefusesTheEvents();
    void givesTheClientOnceTheFirstLookIsDone();
    void closesInEveryState();
};

#ifndef Q_MOC_RUN
void TestDockerBroken::cleanup()
{
    m_engine.reset();
    m_client.reset();
    ::unlink(socketPath().c_str());
}

void TestDockerBroken::saysWhatToDoWithoutASocket()
{
    const auto version = attempt(client().negotiate(deadlineIn(10s)));

    QCOMPARE(version.error().code(), Errc::EngineUnreachable);
    const Trouble trouble = troubleOf(version.error());
    QCOMPARE(
        trouble.message, "Docker is not running: " + socketPath() + ": No such file or directory"
    );
    QVERIFY(trouble.advice.starts_with("Install Docker"));
}

void TestDockerBroken::saysWhatToDoWithoutPermission()
{
    if (::geteuid() != 0)
        QSKIP("only root can become somebody who may not");
    play(goodEngine);

    QCOMPARE(::seteuid(65534), 0);
    const auto version = attempt(client().negotiate(deadlineIn(10s)));
    QCOMPARE(::seteuid(0), 0);

    QCOMPARE(version.error().code(), Errc::EngineUnreachable);
    const Trouble trouble = troubleOf(version.error());
    QVERIFY(trouble.message.ends_with(": Permission denied"));
    QVERIFY(trouble.advice.find("docker group") != std::string::npos);
}

void TestDockerBroken::saysWhatToDoWhenNobodyListens()
{
    play(goodEngine);
    m_engine->stop();

    const auto version = attempt(client().negotiate(deadlineIn(10s)));

    QCOMPARE(version.error().code(), Errc::EngineUnreachable);
    const Trouble trouble = troubleOf(version.error());
    QVERIFY(trouble.message.ends_with(": Connection refused"));
    QVERIFY(trouble.advice.find("systemctl start docker") != std::string::npos);
}

void TestDockerBroken::refusesAPathThatIsTooLong()
{
    Client far(m_context.get_executor(), {"/" + std::string(200, 'x'), "test"});

    QCOMPARE(attempt(far.ping(deadlineIn(10s))).error().code(), Errc::InvalidArgument);
}

void TestDockerBroken::waitsForAListenerThatIsBehind()
{
    FakeEngine late(m_context, socketPath(), goodEngine, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = socketPath();
    std::copy(path.begin(), path.end(), address.sun_path);
    std::vector<int> waiting;
    for (int result = 0; result == 0 && waiting.size() < 100;) {
        waiting.push_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        // NOLINTNEXTLINE: the interface of sockets
        result = ::connect(waiting.back(), reinterpret_cast<sockaddr*>(&address), sizeof address);
    }

    Beside<Result<>> early(m_context, client().ping(deadlineIn(100ms)));
    QVERIFY(early.ends(5s));
    Beside<Result<>> patient(m_context, m_client->ping(deadlineIn(20s)));
    const bool endedEarly = patient.ends(200ms);
    late.start();

    QCOMPARE(early.value().error().code(), Errc::TimedOut);
    QVERIFY(!endedEarly);
    QVERIFY(patient.value().has_value());
    std::for_each(waiting.begin(), waiting.end(), ::close);
}

void TestDockerBroken::namesWhatIsWrongWithTheAnswer_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("then");
    QTest::addColumn<QByteArray>("repeated");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name,
                        const std::string& bytes,
                        Then then,
                        const std::string& repeated,
                        Errc code,
                        const char* words) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << static_cast<int>(then)
                            << QByteArray::fromStdString(repeated) << static_cast<int>(code)
                            << words;
    };
    const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string chunk = "10000\r\n" + std::string(65536, ' ') + "\r\n";
    const std::string sized = "HTTP/1.1 200 OK\r\nContent-Length: ";
    const std::string filler = "X: " + std::string(8000, 'x') + "\r\n";
    std::string deep(100, '[');
    deep += std::string(100, ']');
    const auto body = [](const std::string& text) { return reply("200 OK", text); };

    row("says nothing", "", Then::StayOpen, "", Errc::TimedOut, "does not answer");
    row("closes at once", "", Then::Close, "", Errc::EngineUnreachable, "without an answer");
    row("speaks ssh", "SSH-2.0-OpenSSH\r\n", Then::Close, "", Errc::ProtocolViolation, "not Docker"
    );
    row("endless header",
        "HTTP/1.1 200 OK\r\n",
        Then::Repeat,
        filler,
        Errc::ProtocolViolation,
        "longer");
    row("huge body",
        sized + "99999999\r\n\r\n",
        Then::Repeat,
        chunk,
        Errc::ProtocolViolation,
        "longer");
    row("endless body", chunked, Then::Repeat, chunk, Errc::ProtocolViolation, "longer");
    row("chunk size overflows",
        chunked + "FFFFFFFFFFFFFFFFF\r\nx",
        Then::StayOpen,
        "",
        Errc::ProtocolViolation,
        "not Docker");
    row("chunk size is none",
        chunked + "xyz\r\n",
        Then::StayOpen,
        "",
        Errc::ProtocolViolation,
        "not Docker");
    row("negative length",
        sized + "-5\r\n\r\n",
        Then::StayOpen,
        "",
        Errc::ProtocolViolation,
        "not Docker");
    row("half a reply",
        sized + "100\r\n\r\n{\"Ver",
        Then::Close,
        "",
        Errc::EngineUnreachable,
        "in the middle");
    row("half a reply, then silence",
        sized + "100\r\n\r\n{",
        Then::StayOpen,
        "",
        Errc::TimedOut,
        "does not answer");
    row("no JSON", body("<html>"), Then::Close, "", Errc::ProtocolViolation, "not Docker");
    row("a list", body("[]"), Then::Close, "", Errc::ProtocolViolation, "not Docker");
    row("deep JSON", body(deep), Then::Close, "", Errc::ProtocolViolation, "not Docker");
    row("wrong types",
        body("{\"ApiVersion\":141}"),
        Then::Close,
        "",
        Errc::ProtocolViolation,
        "ApiVersion");
    row("no version", body("{}"), Then::Close, "", Errc::ProtocolViolation, "ApiVersion");
    row("strange version",
        body("{\"ApiVersion\":\"x.y\"}"),
        Then::Close,
        "",
        Errc::ProtocolViolation,
        "x.y");
    row("old version",
        body("{\"Version\":\"18.09\",\"ApiVersion\":\"1.9\"}"),
        Then::Close,
        "",
        Errc::Unsupported,
        "1.41");
    row("web server",
        reply("404 Not Found", "<html>"),
        Then::Close,
        "",
        Errc::ProtocolViolation,
        "not Docker");
    row("engine is off",
        reply("503 Service Unavailable", "{\"message\":\"starting\"}"),
        Then::Close,
        "",
        Errc::EngineUnreachable,
        "starting");
}

void TestDockerBroken::namesWhatIsWrongWithTheAnswer()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, then);
    QFETCH(QByteArray, repeated);
    QFETCH(int, code);
    QFETCH(QString, words);
    play({bytes.toStdString(), static_cast<Then>(then), repeated.toStdString()});
    const bool silent = static_cast<Errc>(code) == Errc::TimedOut;
    // The engine's own sockets stay with it.
    const auto version = attempt(client().negotiate(deadlineIn(silent ? 200ms : 20s)));

    QVERIFY(!version);
    QCOMPARE(static_cast<int>(version.error().code()), code);
    QVERIFY2(
        QString::fromStdString(version.error().message()).contains(words),
        version.error().message().c_str()
    );
    QVERIFY(!troubleOf(version.error()).advice.empty());
}

void TestDockerBroken::breaksOffAnAttachStreamThatIsNone_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("read");
    QTest::addColumn<int>("end");
    const auto row = [](const char* name, const std::string& bytes, const char* read, Errc end) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << read << static_cast<int>(end);
    };
    std::string padded = frame(1, "x");
    padded[2] = 1;

    row("good", frame(1, "out") + frame(2, "err") + frame(0, "in"), "1out2err1in", Errc::Closed);
    row("empty frames", frame(1, "") + frame(2, "") + frame(1, "x"), "1x", Errc::Closed);
    row("unknown stream", frame(1, "x") + frame(3, "y"), "1x", Errc::ProtocolViolation);
    row("padding", padded, "", Errc::ProtocolViolation);
    row("oversize", frame(1, "x", 0x7FFFFFFF), "", Errc::ProtocolViolation);
    row("largest number", frame(2, "x", 0xFFFFFFFF), "", Errc::ProtocolViolation);
    row("ends in a header", frame(1, "x") + std::string("\1\0\0", 3), "1x", Errc::ProtocolViolation
    );
    row("ends in a frame", frame(1, "x", 5), "1x", Errc::ProtocolViolation);
    row("text", "plain text of a terminal\n", "", Errc::ProtocolViolation);
}

void TestDockerBroken::breaksOffAnAttachStreamThatIsNone()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, read);
    QFETCH(int, end);
    play({kUpgraded + bytes.toStdString(), Then::Close, {}});
    auto stream = test::take(attempt(client().attach("c0ffee", deadlineIn(10s))));
    std::string got;

    auto chunk = attempt(stream.read(deadlineIn(10s)));
    while (chunk) {
        got += (chunk->stream == OutputStream::Stderr ? "2" : "1") + chunk->bytes;
        chunk = attempt(stream.read(deadlineIn(10s)));
    }

    QCOMPARE(QString::fromStdString(got), read);
    QCOMPARE(static_cast<int>(chunk.error().code()), end);
    // And it stays ended.
    QCOMPARE(static_cast<int>(attempt(stream.read(deadlineIn(10s))).error().code()), end);
}

void TestDockerBroken::readsTheWholeRefusalOfAnAttach()
{
    const std::string body = R"({"message":"container is )" + std::string(100000, 'x') + "\"}";
    play({reply("409 Conflict", body), Then::StayOpen, {}});

    const auto stream = attempt(client().attach("c0ffee", deadlineIn(10s)));

    QCOMPARE(stream.error().code(), Errc::Conflict);
    QVERIFY(stream.error().message().starts_with("Docker: container is xxx"));
    QVERIFY(stream.error().message().size() < 4096);
}

void TestDockerBroken::removesAContainerThatTheEngineWarnsAbout()
{
    const Json account = accountOf(goodSpec());
    std::string warning = "The requested image's platform (linux/arm64) does not match";
    FakeEngine& engine = play([&](const std::string& head) -> FakeEngine::Answer {
        const std::string made = R"({"Id":"c0ffee","Warnings":[")" + warning + "\"]}";
        if (head.starts_with("POST"))
            return {reply("201 Created", made), Then::Close, {}};
        return {reply("200 OK", account.dump()), Then::Close, {}};
    });

    const auto harmless = attempt(client().createContainer(goodSpec(), deadlineIn(10s)));
    warning = "Your kernel does not support pids limit capabilities. PIDs limit discarded.";
    const auto weak = attempt(m_client->createContainer(goodSpec(), deadlineIn(10s)));

    QVERIFY(harmless.has_value());
    QCOMPARE(weak.error().code(), Errc::Unsafe);
    QVERIFY(weak.error().message().find("PIDs limit discarded") != std::string::npos);
    QVERIFY(engine.requests().back().starts_with("DELETE /v1.41/containers/c0ffee?force=1"));
}

// R-69.
void TestDockerBroken::removesAContainerThatIsNotAsAskedFor_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("network") << "/HostConfig/NetworkMode" << QByteArray("\"bridge\"");
    QTest::newRow("root") << "/HostConfig/ReadonlyRootfs" << QByteArray("false");
    QTest::newRow("privileged") << "/HostConfig/Privileged" << QByteArray("true");
    QTest::newRow("no capabilities dropped") << "/HostConfig/CapDrop" << QByteArray("null");
    QTest::newRow("capability added") << "/HostConfig/CapAdd" << QByteArray("[\"SYS_ADMIN\"]");
    QTest::newRow("no seccomp") << "/HostConfig/SecurityOpt"
                                << QByteArray("[\"no-new-privileges:true\"]");
    QTest::newRow("memory") << "/HostConfig/Memory" << QByteArray("0");
    QTest::newRow("swap") << "/HostConfig/MemorySwap" << QByteArray("-1");
    QTest::newRow("pids") << "/HostConfig/PidsLimit" << QByteArray("null");
    QTest::newRow("cpus") << "/HostConfig/NanoCpus" << QByteArray("0");
    QTest::newRow("user") << "/Config/User" << QByteArray("\"\"");
    QTest::newRow("entry point") << "/Config/Entrypoint" << QByteArray("[\"/evil\"]");
}

void TestDockerBroken::removesAContainerThatIsNotAsAskedFor()
{
    QFETCH(QString, pointer);
    QFETCH(QByteArray, value);
    Json account = accountOf(goodSpec());
    account[Json::json_pointer(pointer.toStdString())] = *parseJson(value.toStdString());
    FakeEngine& engine = play([&](const std::string& head) -> FakeEngine::Answer {
        if (head.starts_with("POST"))
            return {reply("201 Created", R"({"Id":"c0ffee","Warnings":null})"), Then::Close, {}};
        return {reply("200 OK", account.dump()), Then::Close, {}};
    });

    const auto made = attempt(client().createContainer(goodSpec(), deadlineIn(10s)));

    QCOMPARE(made.error().code(), Errc::Unsafe);
    const std::string part = pointer.section('/', -1).toStdString();
    QVERIFY2(
        made.error().message().find(part) != std::string::npos, made.error().message().c_str()
    );
    QVERIFY(engine.requests().back().starts_with("DELETE /v1.41/containers/c0ffee?force=1"));
}

void TestDockerBroken::boundsTheLinesOfAStream()
{
    const std::string head = "HTTP/1.1 200 OK\r\n\r\n";
    const auto listen = [this] {
        return attempt(client().events(
            {}, [](const EngineEvent&) {}, deadlineIn(20s)
        ));
    };

    play({head, Then::Repeat, std::string(4096, 'x')});
    QCOMPARE(listen().error().code(), Errc::ProtocolViolation);
    play({head + "nonsense\n", Then::StayOpen, {}});
    QCOMPARE(listen().error().code(), Errc::ProtocolViolation);
    play({head + "{\"Actor\":[]}\n", Then::StayOpen, {}});
    QCOMPARE(listen().error().code(), Errc::ProtocolViolation);
    play({head, Then::Close, {}});
    QCOMPARE(listen().error().code(), Errc::Closed);
    play({reply("500 Oh", "{\"message\":\"no events\"}"), Then::Close, {}});
    QCOMPARE(listen().error(), Error(Errc::EngineRefused, "Docker: no events"));
}

void TestDockerBroken::takesALastLineWithoutItsEnd()
{
    play({reply("200 OK", "{\"status\":\"a\"}\r\n{\"status\":\"sha256:b0\"}"), Then::Close, {}});
    const Client::NextBytes nothing = []() -> asio::awaitable<Result<std::string>> {
        co_return std::string();
    };

    QCOMPARE(
        test::take(attempt(client().importImage("a/b", {}, nothing, deadlineIn(10s)))),
        std::string("sha256:b0")
    );
}

void TestDockerBroken::prefersAnEarlyAnswerToABrokenPipe()
{
    play({reply("500 Full", "{\"message\":\"no space left\"}"), Then::Close, {}});
    const Client::NextBytes endless = []() -> asio::awaitable<Result<std::string>> {
        co_return std::string(65536, 'x');
    };

    const auto imported = attempt(client().importImage("a/b", {}, endless, deadlineIn(10s)));
    const auto built =
        attempt(m_client->buildImage("a/b", std::string(8U << 20U, 'x'), {}, {}, deadlineIn(10s)));

    QCOMPARE(imported.error(), Error(Errc::EngineRefused, "Docker: no space left"));
    QCOMPARE(built.error(), Error(Errc::EngineRefused, "Docker: no space left"));
}

void TestDockerBroken::findsAnEngineThatComesLater()
{
    std::vector<DockerStatus> seen;
    Watch watch(
        m_context.get_executor(),
        "unix://" + socketPath(),
        [&](const DockerStatus& status) { seen.push_back(status); }
    );
    QCOMPARE(watch.status().state, DockerState::Connecting);
    watch.start();
    QVERIFY(runUntil([&] { return seen.size() == 1; }));
    QCOMPARE(seen[0].state, DockerState::Unreachable);
    QVERIFY(seen[0].message.starts_with("Docker is not running: " + socketPath()));
    QVERIFY(seen[0].advice.starts_with("Install Docker"));

    play(goodEngine);
    watch.retryNow();

    QVERIFY(runUntil([&] { return seen.size() == 2; }));
    QCOMPARE(seen[1].state, DockerState::Ready);
    QCOMPARE(seen[1].endpoint, socketPath());
    QCOMPARE(seen[1].version, std::string("20.10.24"));
    QVERIFY(seen[1].message.empty() && seen[1].advice.empty());
    closeWatch(watch);
    QCOMPARE(seen.size(), std::size_t(2));
}

void TestDockerBroken::followsAnEngineThatGoesAndComesBack()
{
    std::vector<DockerState> seen;
    Watch watch(
        m_context.get_executor(),
        "unix://" + socketPath(),
        [&](const DockerStatus& status) { seen.push_back(status.state); }
    );
    FakeEngine& first = play(goodEngine);
    watch.start();
    QVERIFY(runUntil([&] { return first.requests().size() >= 2; })); // it listens to events
    QCOMPARE(seen, (std::vector<DockerState>{DockerState::Ready}));

    first.stop();
    QVERIFY(runUntil([&] { return seen.size() == 2; }));
    QVERIFY(!attempt(watch.client(deadlineIn(1s))));
    play(goodEngine);
    QVERIFY(runUntil([&] { return seen.back() == DockerState::Ready; }));

    QCOMPARE(seen[1], DockerState::Unreachable);
    QVERIFY(attempt(watch.client(deadlineIn(1s))).has_value());
    closeWatch(watch);
}

void TestDockerBroken::noticesAnEngineThatStalls()
{
    std::vector<DockerState> seen;
    Watch watch(
        m_context.get_executor(),
        "unix://" + socketPath(),
        [&](const DockerStatus& status) { seen.push_back(status.state); }
    );
    bool stalled = false;
    play([&](const std::string& head) -> FakeEngine::Answer {
        return stalled ? FakeEngine::Answer{"", Then::StayOpen, {}} : goodEngine(head);
    });
    watch.start();
    QVERIFY(runUntil([&] { return seen.size() == 1; }));

    stalled = true;

    QVERIFY(runUntil([&] { return seen.size() == 2; }, 20s));
    QCOMPARE(seen[1], DockerState::Unreachable);
    closeWatch(watch);
}

void TestDockerBroken::handsOnTheEventsOfOurContainers()
{
    const std::string event =
        R"({"Type":"container","Action":"oom","Actor":{"ID":"c0ffee","Attributes":{"io.belljar.engine":"1"}}})";
    std::string asked;
    play([&](const std::string& head) -> FakeEngine::Answer {
        if (head.find("/events?") == std::string::npos)
            return goodEngine(head);
        asked = head;
        return {"HTTP/1.1 200 OK\r\n\r\n" + event + "\n", Then::StayOpen, {}};
    });
    std::vector<EngineEvent> heard;
    Watch watch(
        m_context.get_executor(),
        "unix://" + socketPath(),
        [](const DockerStatus&) {},
        [&](const EngineEvent& told) { heard.push_back(told); }
    );
    watch.start();

    QVERIFY(runUntil([&] { return !heard.empty(); }));
    QCOMPARE(heard[0].action, std::string("oom"));
    QCOMPARE(heard[0].actorId, std::string("c0ffee"));
    QVERIFY(asked.find("io.belljar.engine") != std::string::npos);
    closeWatch(watch);
}

void TestDockerBroken::staysWithAnEngineThatRefusesTheEvents()
{
    std::vector<DockerState> seen;
    Watch watch(
        m_context.get_executor(),
        "unix://" + socketPath(),
        [&](const DockerStatus& status) { seen.push_back(status.state); }
    );
    FakeEngine& engine = play([](const std::string& head) -> FakeEngine::Answer {
        if (head.find("/events?") != std::string::npos)
            return {reply("400 Bad Request", "{\"message\":\"invalid filter\"}"), Then::Close, {}};
        return goodEngine(head);
    });
    watch.start();

    QVERIFY(runUntil([&] { return engine.requests().size() >= 3; })); // version, events, ping
    QVERIFY(engine.requests().back().starts_with("GET /_ping"));
    QCOMPARE(seen, (std::vector<DockerState>{DockerState::Ready}));
    closeWatch(watch);
}

void TestDockerBroken::givesTheClientOnceTheFirstLookIsDone()
{
    Watch watch(m_context.get_executor(), "unix://" + socketPath(), [](const DockerStatus&) {});
    const auto early = attempt(watch.client(deadlineIn(50ms)));
    play(goodEngine);
    Beside<Result<std::shared_ptr<Client>>> waiting(m_context, watch.client(deadlineIn(10s)));
    watch.start();

    QCOMPARE(early.error().code(), Errc::TimedOut);
    QCOMPARE(test::take(waiting.value())->endpoint().socketPath, socketPath());
    closeWatch(watch);
    Watch remote(m_context.get_executor(), "ssh://somewhere", [](const DockerStatus&) {});
    remote.start();
    const auto none = attempt(remote.client(deadlineIn(5s)));
    QVERIFY(none.error().message().find("only Unix sockets work for now") != std::string::npos);
    closeWatch(remote);
}

void TestDockerBroken::closesInEveryState()
{
    for (const auto span : {0ms, 1ms, 5ms, 20ms, 100ms, 300ms}) {
        for (const bool present : {false, true}) {
            m_engine.reset();
            ::unlink(socketPath().c_str());
            if (present)
                play(goodEngine);
            std::vector<DockerState> seen;
            Watch watch(
                m_context.get_executor(),
                "unix://" + socketPath(),
                [&](const DockerStatus& status) { seen.push_back(status.state); }
            );
            watch.start();
            m_context.restart();
            m_context.run_for(span);
            const std::size_t before = seen.size();
            closeWatch(watch);
            QVERIFY(seen.size() <= 1 && seen.size() == before);
        }
    }
}
#endif

QTEST_GUILESS_MAIN(TestDockerBroken)
#include "tst_docker_broken.moc"
