// SPDX-License-Identifier: GPL-3.0-or-later
// Every call of docker::Client against the real engine.
#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/docker/client.h"
#include "tests/docker/docker_fixture.h"

#include <algorithm>
#include <functional>

#include <unistd.h>

using namespace belljar;
using namespace belljar::docker;
using namespace std::chrono_literals;
using test::Beside;
using test::take;

namespace {

constexpr const char* kLabel = "io.belljar.test";
constexpr const char* kAllowAll = R"({"defaultAction":"SCMP_ACT_ALLOW"})";
constexpr std::size_t kMegabyte = 1024 * 1024;

struct Ran {
    int exitCode = -1;
    std::string standardOutput;
    std::string standardError;
};

/// Bytes of every value that repeat only after a long time.
std::string binary(std::size_t size)
{
    std::string bytes(size, '\0');
    std::uint32_t state = 12345;
    for (char& byte : bytes) {
        state = state * 1664525U + 1013904223U;
        byte = static_cast<char>(state >> 24U);
    }
    return bytes;
}

/// Yields `bytes` piece by piece, then the end.
Client::NextBytes piecesOf(std::string bytes)
{
    auto left = std::make_shared<std::string>(std::move(bytes));
    return [left]() -> asio::awaitable<Result<std::string>> {
        return [](std::shared_ptr<std::string> rest) -> asio::awaitable<Result<std::string>> {
            std::string piece = rest->substr(0, 65536);
            rest->erase(0, piece.size());
            co_return std::move(piece);
        }(left);
    };
}

/// Reads until the stream ends.
asio::awaitable<Result<Ran>> readAll(AttachStream* stream)
{
    Ran ran;
    for (;;) {
        auto chunk = co_await stream->read(deadlineIn(60s));
        if (!chunk && chunk.error().code() == Errc::Closed)
            co_return std::move(ran);
        if (!chunk)
            co_return fail(chunk.error());
        const bool isError = chunk->stream == OutputStream::Stderr;
        (isError ? ran.standardError : ran.standardOutput) += chunk->bytes;
    }
}

std::uint64_t residentBytes()
{
    const auto statm = readFile("/proc/self/statm", 4096);
    const std::string text = statm ? *statm : std::string();
    return std::stoull(text.substr(text.find(' ') + 1)) * 4096;
}

/// QCOMPARE can't take Json apart, and text reads better when it fails.
std::string dumped(const Json& json)
{
    return json.dump();
}

QString joined(const std::vector<std::string>& words)
{
    QStringList list;
    for (const std::string& word : words)
        list << QString::fromStdString(word);
    return list.join(", ");
}

/// A ustar archive of one file.
std::string tarOf(const std::string& name, const std::string& content)
{
    std::string header(512, '\0');
    const auto put = [&header](std::size_t at, std::string_view text) {
        std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
    };
    char size[12];
    std::snprintf(size, sizeof size, "%011zo", content.size());
    put(0, name);
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, size);
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257,
        std::string_view(
            "ustar\0"
            "00",
            8
        ));
    unsigned sum = 0;
    for (const char c : header)
        sum += static_cast<unsigned char>(c);
    char check[8];
    std::snprintf(check, sizeof check, "%06o", sum);
    put(148, check);
    std::string body = content;
    body.resize((body.size() + 511) / 512 * 512);
    return header + body + std::string(1024, '\0');
}

} // namespace
#endif

class TestDockerClient : public QObject {
    Q_OBJECT

private:
    template <class T>
    T run(asio::awaitable<Result<T>> call)
    {
        return take(test::runToEnd(m_context, std::move(call)));
    }
    template <class T>
    Result<T> attempt(asio::awaitable<Result<T>> call)
    {
        return test::runToEnd(m_context, std::move(call));
    }

    ContainerSpec spec(const std::string& script)
    {
        ContainerSpec container;
        container.image = m_image;
        container.entrypoint = {"/bin/sh", "-c", script};
        container.environment = {"PATH=/bin", "HOME=/tmp"};
        container.workingDirectory = "/tmp";
        container.memoryBytes = 64 * kMegabyte;
        container.cpuMillis = 500;
        container.pids = 20;
        container.ulimits = {{"core", 0, 0}, {"nofile", 256, 512}};
        container.tmpfs = {{"/tmp", "rw,nosuid,nodev,size=8m,uid=65532,gid=65532"}};
        container.seccompProfile = kAllowAll;
        container.labels = {{kLabel, m_id}};
        return container;
    }

    /// The instruction that marks what a build makes as ours.
    std::string label() const { return "LABEL " + std::string(kLabel) + "=" + m_id + "\n"; }

    std::string create(const std::string& script)
    {
        return run(m_client->createContainer(spec(script), deadlineIn(30s)));
    }

    /// A container that was started, its stream, and its end.
    struct Started {
        std::string id;
        std::unique_ptr<AttachStream> stream;
        std::unique_ptr<Beside<Result<int>>> end;
    };
    Started start(ContainerSpec container)
    {
        Started started;
        started.id = run(m_client->createContainer(std::move(container), deadlineIn(30s)));
        started.stream =
            std::make_unique<AttachStream>(run(m_client->attach(started.id, deadlineIn(10s))));
        run(m_client->start(started.id, deadlineIn(30s)));
        started.end = std::make_unique<Beside<Result<int>>>(
            m_context, m_client->wait(started.id, deadlineIn(60s))
        );
        // The engine knows of the wait once it has answered something that was asked later.
        run(m_client->ping(deadlineIn(10s)));
        return started;
    }

    /// Runs `container` to its end. Its script has to begin with `read x`, so that the wait is in
    /// place.
    Ran finish(ContainerSpec container)
    {
        Started started = start(std::move(container));
        run(started.stream->write("go\n", deadlineIn(10s)));
        Ran ran = run(readAll(started.stream.get()));
        ran.exitCode = take(started.end->value());
        return ran;
    }

    Json inspect(const std::string& id)
    {
        return *parseJson(run(m_client->inspect(id, deadlineIn(10s))).json);
    }

    asio::io_context m_context;
    std::shared_ptr<Client> m_client;
    std::string m_id = std::to_string(::getpid());
    std::string m_image = "belljar-test/docker-client:" + m_id;
    std::string m_hostile = "belljar-test/docker-hostile:" + m_id;
    std::string m_rootTar;

private slots:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();

    void settlesOnAnApiVersion();
    void tellsWhatTheEngineCanDo();
    void importsARootFileSystemWithChanges();
    void reportsWhyAnImportFails();
    void endsAnImportWhoseSourceFails();
    void namesTheImageThatIsMissing();
    void makesContainersExactlyAsTheRequirementsSay();
    void givesTheImagesOwnMetadataNoEffect();
    void keepsBothOutputsApart();
    void carriesTenMegabytesBothWays();
    void holdsTheContainerBackWhileNobodyReads();
    void losesNothingWhenAReadTimesOut();
    void endsTheContainersInputWhenTheStreamIsClosed();
    void reportsTheExitCode();
    void killsWithASignal();
    void takesWhatIsAlreadySoForASuccess();
    void tellsWhatDoesNotExist();
    void listsContainersByLabel();
    void tagsAndRemovesImages();
    void hearsWhatHappens();
    void buildsAnImage();
    void reportsTheStepThatFails();
    void refusesNamesThatAreNone();
    void answersManyCallsAtOnce();
    void endsByTheDeadline();
    void endsWhenCancelledAtAnyTime_data();
    void endsWhenCancelledAtAnyTime();
};

#ifndef Q_MOC_RUN
void TestDockerClient::initTestCase()
{
    const auto endpoints = findEndpoints({});
    QVERIFY(endpoints.has_value());
    for (const Endpoint& endpoint : *endpoints) {
        auto client = std::make_shared<Client>(m_context.get_executor(), endpoint);
        if (attempt(client->negotiate(deadlineIn(5s)))) {
            m_client = client;
            break;
        }
    }
    const bool required = qEnvironmentVariableIntValue("BELLJAR_REQUIRE_DOCKER") == 1;
    if (!m_client && required)
        QFAIL("no container engine answers");
    if (!m_client)
        QSKIP("no container engine answers");
    const QString busybox = QStandardPaths::findExecutable("busybox");
    if (busybox.isEmpty() && required)
        QFAIL("busybox is missing (apt-get install busybox-static)");
    if (busybox.isEmpty())
        QSKIP("busybox is missing (apt-get install busybox-static)");

    QTemporaryDir root;
    for (const char* folder : {"bin", "tmp", "data"})
        QVERIFY(QDir(root.path()).mkdir(folder));
    QVERIFY(QFile::copy(busybox, root.filePath("bin/sh")));
    QProcess tar;
    tar.start("tar", {"-C", root.path(), "--owner=0", "--group=0", "-c", "."});
    QVERIFY(tar.waitForFinished(30000));
    m_rootTar = tar.readAllStandardOutput().toStdString();
    QVERIFY(m_rootTar.size() > kMegabyte / 2);
    run(m_client->importImage(m_image, {}, piecesOf(m_rootTar), deadlineIn(60s)));
}

void TestDockerClient::cleanup()
{
    if (!m_client)
        return;
    const std::string label = std::string(kLabel) + "=" + m_id;
    for (const auto& container : run(m_client->containersWithLabel(label, deadlineIn(10s))))
        run(m_client->remove(container.id, deadlineIn(30s)));
}

void TestDockerClient::cleanupTestCase()
{
    if (!m_client)
        return;
    // A build leaves its steps behind as images without a name, which no call of ours lists.
    QProcess docker; // its own words are of no interest
    const QString filter = QString("label=%1=%2").arg(kLabel, QString::fromStdString(m_id));
    docker.start("docker", {"images", "-aq", "--filter", filter});
    if (docker.waitForFinished(30000)) {
        const auto left =
            QString::fromUtf8(docker.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
        if (!left.isEmpty())
            QProcess::execute("docker", QStringList{"rmi", "-f"} + left);
    }
    for (const std::string& image : {m_hostile, m_image}) {
        const auto removed = attempt(m_client->removeImage(image, deadlineIn(30s)));
        QVERIFY2(
            removed || removed.error().code() == Errc::NotFound,
            removed ? "" : removed.error().message().c_str()
        );
    }
}

void TestDockerClient::settlesOnAnApiVersion()
{
    const Version version = run(m_client->negotiate(deadlineIn(10s)));

    QVERIFY(version.apiVersion.starts_with("1."));
    QVERIFY(std::stoi(version.apiVersion.substr(2)) >= 41);
    QVERIFY(!version.engine.empty());
    QVERIFY(!version.kernel.empty());
    QVERIFY(!version.architecture.empty());
}

void TestDockerClient::tellsWhatTheEngineCanDo()
{
    run(m_client->ping(deadlineIn(10s)));
    const Info info = run(m_client->info(deadlineIn(10s)));

    QVERIFY(info.cgroupVersion == "1" || info.cgroupVersion == "2");
    QVERIFY(std::count(info.runtimes.begin(), info.runtimes.end(), "runc") == 1);
    QVERIFY(info.memoryLimit);
    QVERIFY(info.pidsLimit);
    QVERIFY(info.seccomp);
}

void TestDockerClient::importsARootFileSystemWithChanges()
{
    const std::string reference = "belljar-test/docker-import:" + m_id;
    const std::vector<std::string> changes{
        "ENV ONE=1 TWO=\"a b & c\"", "LABEL io.belljar.test.kind=\"x=y&z\"", "VOLUME /data"};

    const std::string id =
        run(m_client->importImage(reference, changes, piecesOf(m_rootTar), deadlineIn(60s)));
    const ImageDetails image = run(m_client->image(reference, deadlineIn(10s)));
    run(m_client->removeImage(reference, deadlineIn(30s)));

    QCOMPARE(image.digest, id);
    QVERIFY(id.starts_with("sha256:"));
    QVERIFY(image.bytes > kMegabyte / 2);
    QVERIFY(image.created.starts_with("20"));
    QCOMPARE(image.labels.at("io.belljar.test.kind"), std::string("x=y&z"));
    QCOMPARE(image.environmentNames, (std::vector<std::string>{"ONE", "TWO"}));
    QCOMPARE(image.volumes, (std::vector<std::string>{"/data"}));
}

void TestDockerClient::reportsWhyAnImportFails()
{
    const std::string reference = "belljar-test/docker-broken:" + m_id;

    const auto garbage = attempt(
        m_client->importImage(reference, {}, piecesOf(binary(3 * kMegabyte)), deadlineIn(60s))
    );
    const auto badChange = attempt(
        m_client->importImage(reference, {"NONSENSE x"}, piecesOf(m_rootTar), deadlineIn(60s))
    );

    QCOMPARE(garbage.error().code(), Errc::EngineRefused);
    QVERIFY2(garbage.error().message().starts_with("Docker: "), garbage.error().message().c_str());
    QVERIFY2(
        badChange.error().message().find("NONSENSE") != std::string::npos ||
            badChange.error().message().find("nonsense") != std::string::npos,
        badChange.error().message().c_str()
    );
}

void TestDockerClient::endsAnImportWhoseSourceFails()
{
    const Client::NextBytes broken = []() -> asio::awaitable<Result<std::string>> {
        co_return fail(Errc::IoFailed, "the disk is gone");
    };

    const auto imported = attempt(
        m_client->importImage("belljar-test/docker-broken:" + m_id, {}, broken, deadlineIn(30s))
    );

    QCOMPARE(imported.error(), Error(Errc::IoFailed, "the disk is gone"));
}

void TestDockerClient::namesTheImageThatIsMissing()
{
    ContainerSpec container = spec("true");
    container.image = "belljar-test/nobody-made-this:1";

    const auto made = attempt(m_client->createContainer(container, deadlineIn(30s)));

    QCOMPARE(made.error().code(), Errc::ImageMissing);
    QVERIFY(made.error().message().find("belljar-test/nobody-made-this:1") != std::string::npos);
}

// R-1, R-2, R-10, R-15, R-16.
void TestDockerClient::makesContainersExactlyAsTheRequirementsSay()
{
    QTemporaryDir folder;
    ContainerSpec asked = spec("true");
    asked.readOnlyBinds = {{folder.path().toStdString(), "/data"}};
    const Json all = inspect(run(m_client->createContainer(asked, deadlineIn(30s))));
    const Json& host = all["HostConfig"];
    const Json& config = all["Config"];

    const std::vector<std::pair<const Json*, const char*>> texts{
        {&host["NetworkMode"], "none"},
        {&host["IpcMode"], "private"},
        {&host["CgroupnsMode"], "private"},
        {&host["LogConfig"]["Type"], "none"},
        {&host["RestartPolicy"]["Name"], "no"},
        {&host["PidMode"], ""},
        {&host["UTSMode"], ""},
        {&host["UsernsMode"], ""},
        {&host["CgroupParent"], ""},
        {&host["VolumeDriver"], ""},
        {&config["User"], "65532:65532"},
        {&config["WorkingDir"], "/tmp"},
        {&config["StopSignal"], "SIGKILL"},
    };
    for (const auto& [made, expected] : texts)
        QCOMPARE(made->get<std::string>(), std::string(expected));
    for (const char* yes : {"ReadonlyRootfs", "AutoRemove"})
        QVERIFY2(host[yes].get<bool>(), yes);
    for (const char* yes :
         {"OpenStdin", "StdinOnce", "AttachStdin", "AttachStdout", "AttachStderr"})
        QVERIFY2(config[yes].get<bool>(), yes);
    for (const char* no : {"Privileged", "PublishAllPorts", "Init", "OomKillDisable"})
        QVERIFY2(host[no].is_null() || !host[no].get<bool>(), no);
    QVERIFY(!config["Tty"].get<bool>());
    for (const char* empty :
         {"CapAdd",
          "Binds",
          "Devices",
          "DeviceRequests",
          "DeviceCgroupRules",
          "VolumesFrom",
          "Links",
          "ExtraHosts",
          "Sysctls",
          "PortBindings",
          "GroupAdd"}) {
        const Json value = host.value(empty, Json());
        QVERIFY2(value.is_null() || value.empty(), empty);
    }
    QCOMPARE(dumped(host["CapDrop"]), dumped(Json::array({"ALL"})));
    QCOMPARE(
        dumped(host["SecurityOpt"]),
        dumped(Json::array({"no-new-privileges:true", "seccomp=" + std::string(kAllowAll)}))
    );
    QCOMPARE(host["Memory"].get<std::uint64_t>(), 64 * kMegabyte);
    QCOMPARE(host["MemorySwap"].get<std::uint64_t>(), 64 * kMegabyte);
    QCOMPARE(host["NanoCpus"].get<std::int64_t>(), 500'000'000);
    QCOMPARE(host["PidsLimit"].get<int>(), 20);
    QCOMPARE(host["OomScoreAdj"].get<int>(), 0);
    QCOMPARE(
        dumped(host["Ulimits"]),
        dumped(*parseJson(
            R"([{"Name":"core","Hard":0,"Soft":0},{"Name":"nofile","Hard":512,"Soft":256}])"
        ))
    );
    QCOMPARE(
        dumped(host["Tmpfs"]),
        dumped(*parseJson(R"({"/tmp":"rw,nosuid,nodev,size=8m,uid=65532,gid=65532"})"))
    );
    QVERIFY(host["MaskedPaths"].size() >= 8); // the engine's own list stays in force
    QVERIFY(host["ReadonlyPaths"].size() >= 4);
    QCOMPARE(all["Mounts"].size(), std::size_t(1));
    QCOMPARE(all["Mounts"][0]["Type"].get<std::string>(), std::string("bind"));
    QCOMPARE(all["Mounts"][0]["RW"].get<bool>(), false);
    QCOMPARE(all["Mounts"][0]["Propagation"].get<std::string>(), std::string("rprivate"));
    QCOMPARE(dumped(config["Entrypoint"]), dumped(Json::array({"/bin/sh", "-c", "true"})));
    QVERIFY(config["Cmd"].is_null() || config["Cmd"].empty());
    QCOMPARE(dumped(config["Healthcheck"]["Test"]), dumped(Json::array({"NONE"})));
}

// R-14, R-15.
void TestDockerClient::givesTheImagesOwnMetadataNoEffect()
{
    const std::string dockerfile = "FROM " + m_image + "\n" + label() + R"(
USER 0:0
WORKDIR /data
ENV EVIL=1 LD_PRELOAD=/x.so PATH=/evil HOME=/evil
VOLUME /data /more
STOPSIGNAL SIGWINCH
EXPOSE 80
ONBUILD RUN /bin/false
HEALTHCHECK --interval=1s CMD /bin/sh -c "echo health"
ENTRYPOINT ["/bin/sh", "-c", "echo entrypoint"]
CMD ["command"]
)";
    run(m_client->buildImage(m_hostile, tarOf("Dockerfile", dockerfile), {}, {}, deadlineIn(120s)));
    const ImageDetails image = run(m_client->image(m_hostile, deadlineIn(10s)));
    ContainerSpec asked =
        spec("read x; export; echo in=$PWD; id; cat /proc/self/mounts; touch /data/x /more/x");
    asked.image = image.digest;
    asked.clearEnvironment = image.environmentNames;
    asked.blankVolumes = image.volumes;
    const std::string id = run(m_client->createContainer(asked, deadlineIn(30s)));
    const Json made = inspect(id);

    const Ran ran = finish(asked);

    const std::string& text = ran.standardOutput;
    const auto has = [&text](const char* part) { return text.find(part) != std::string::npos; };
    QVERIFY2(!has("EVIL") && !has("LD_PRELOAD") && !has("evil"), text.c_str());
    QVERIFY2(has("export PATH='/bin'") && has("export HOME='/tmp'"), text.c_str());
    QVERIFY2(has("in=/tmp") && has("uid=65532 gid=65532"), text.c_str());
    QVERIFY2(!has("entrypoint") && !has("command") && !has("health"), text.c_str());
    QVERIFY2(has("tmpfs /data tmpfs ro,") && has("tmpfs /more tmpfs ro,"), text.c_str());
    QVERIFY(ran.standardError.find("Read-only file system") != std::string::npos);
    QVERIFY(ran.exitCode != 0);
    for (const Json& mount : made["Mounts"])
        QCOMPARE(mount["Type"].get<std::string>(), std::string("tmpfs"));
    QCOMPARE(dumped(made["Config"]["Healthcheck"]["Test"]), dumped(Json::array({"NONE"})));
    QCOMPARE(made["Config"]["StopSignal"].get<std::string>(), std::string("SIGKILL"));
}

void TestDockerClient::keepsBothOutputsApart()
{
    const Ran ran = finish(spec("read x; echo $x; echo problem >&2"));

    QCOMPARE(ran.standardOutput, std::string("go\n"));
    QCOMPARE(ran.standardError, std::string("problem\n"));
    QCOMPARE(ran.exitCode, 0);
}

void TestDockerClient::carriesTenMegabytesBothWays()
{
    const std::string sent = binary(10 * kMegabyte);
    ContainerSpec container = spec("exec head -c " + std::to_string(sent.size()));
    Started started = start(container);

    Beside<Result<>> written(m_context, started.stream->write(sent, deadlineIn(60s)));
    const Ran ran = run(readAll(started.stream.get()));

    take(written.value());
    QCOMPARE(ran.standardOutput.size(), sent.size());
    QVERIFY(ran.standardOutput == sent);
    QCOMPARE(take(started.end->value()), 0);
}

void TestDockerClient::holdsTheContainerBackWhileNobodyReads()
{
    constexpr std::size_t kMany = 64 * kMegabyte;
    Started started = start(spec("read x; exec head -c " + std::to_string(kMany) + " /dev/zero"));
    const std::uint64_t before = residentBytes();
    run(started.stream->write("go\n", deadlineIn(10s)));
    const AttachChunk first = run(started.stream->read(deadlineIn(10s)));

    // Unhindered it needs less than a tenth of this.
    QVERIFY(!started.end->ends(2s));
    QVERIFY(residentBytes() < before + 16 * kMegabyte);

    const Ran rest = run(readAll(started.stream.get()));
    QCOMPARE(first.bytes.size() + rest.standardOutput.size(), kMany);
    QCOMPARE(take(started.end->value()), 0);
}

void TestDockerClient::losesNothingWhenAReadTimesOut()
{
    Started started = start(spec("read x; echo $x; read y; echo $y"));

    const auto nothing = attempt(started.stream->read(deadlineIn(100ms)));
    run(started.stream->write("one\n", deadlineIn(10s)));
    std::string got;
    for (int attempts = 0; got.size() < 4 && attempts < 10000; ++attempts) {
        auto chunk = attempt(started.stream->read(deadlineIn(1ms)));
        got += chunk ? chunk->bytes : std::string();
    }
    run(started.stream->write("two\n", deadlineIn(10s)));
    const Ran rest = run(readAll(started.stream.get()));

    QCOMPARE(nothing.error().code(), Errc::TimedOut);
    QCOMPARE(got + rest.standardOutput, std::string("one\ntwo\n"));
}

void TestDockerClient::endsTheContainersInputWhenTheStreamIsClosed()
{
    Started started = start(spec("cat; exit 5"));

    started.stream->close();

    QCOMPARE(take(started.end->value()), 5);
    QCOMPARE(attempt(started.stream->read(deadlineIn(5s))).error().code(), Errc::Closed);
}

void TestDockerClient::reportsTheExitCode()
{
    QCOMPARE(finish(spec("read x; exit 37")).exitCode, 37);
    QCOMPARE(finish(spec("read x; kill -9 $$; exit 1")).exitCode, 1); // PID 1 can't kill itself
}

void TestDockerClient::killsWithASignal()
{
    Started polite = start(spec("trap 'exit 7' TERM; echo ready; read x"));
    run(polite.stream->read(deadlineIn(10s)));
    Started stubborn = start(spec("echo ready; read x"));
    run(stubborn.stream->read(deadlineIn(10s)));

    run(m_client->kill(polite.id, "SIGTERM", deadlineIn(10s)));
    run(m_client->kill(stubborn.id, "KILL", deadlineIn(10s)));

    QCOMPARE(take(polite.end->value()), 7);
    QCOMPARE(take(stubborn.end->value()), 137);
    const std::string idle = create("true");
    QCOMPARE(attempt(m_client->kill(idle, "KILL", deadlineIn(10s))).error().code(), Errc::Conflict);
    QCOMPARE(
        attempt(m_client->kill(idle, "KILL&x", deadlineIn(10s))).error().code(),
        Errc::InvalidArgument
    );
}

void TestDockerClient::takesWhatIsAlreadySoForASuccess()
{
    Started started = start(spec("read x"));

    run(m_client->start(started.id, deadlineIn(10s)));
    Beside<Result<>> first(m_context, m_client->remove(started.id, deadlineIn(30s)));
    Beside<Result<>> second(m_context, m_client->remove(started.id, deadlineIn(30s)));

    take(first.value());
    take(second.value());
    run(m_client->remove(started.id, deadlineIn(30s)));
}

void TestDockerClient::tellsWhatDoesNotExist()
{
    const std::string nobody(64, 'f');

    QCOMPARE(attempt(m_client->inspect(nobody, deadlineIn(10s))).error().code(), Errc::NotFound);
    QCOMPARE(attempt(m_client->start(nobody, deadlineIn(10s))).error().code(), Errc::NotFound);
    QCOMPARE(attempt(m_client->wait(nobody, deadlineIn(10s))).error().code(), Errc::NotFound);
    QCOMPARE(
        attempt(m_client->kill(nobody, "KILL", deadlineIn(10s))).error().code(), Errc::NotFound
    );
    QCOMPARE(
        attempt(m_client->image("belljar-test/no", deadlineIn(10s))).error().code(), Errc::NotFound
    );
    const auto attached = attempt(m_client->attach(nobody, deadlineIn(10s)));
    QCOMPARE(attached.error().code(), Errc::NotFound);
    QVERIFY2(
        attached.error().message().find("No such container") != std::string::npos,
        attached.error().message().c_str()
    );
}

void TestDockerClient::listsContainersByLabel()
{
    const std::string created = create("true");
    const Started running = start(spec("read x"));

    auto list =
        run(m_client->containersWithLabel(std::string(kLabel) + "=" + m_id, deadlineIn(10s)));
    const auto none =
        run(m_client->containersWithLabel(std::string(kLabel) + "=nobody\"}", deadlineIn(10s)));

    QCOMPARE(list.size(), std::size_t(2));
    if (list[0].id != created)
        std::swap(list[0], list[1]);
    QCOMPARE(list[0].id, created);
    QCOMPARE(list[0].state, std::string("created"));
    QCOMPARE(list[1].state, std::string("running"));
    QCOMPARE(list[1].image, m_image);
    QCOMPARE(list[1].labels.at(kLabel), m_id);
    QVERIFY(list[1].createdUnix > 1'600'000'000);
    QVERIFY(none.empty());
}

void TestDockerClient::tagsAndRemovesImages()
{
    const std::string other = "belljar-test/docker-tagged:" + m_id;

    run(m_client->tagImage(m_image, other, deadlineIn(10s)));
    const auto tagged = run(m_client->image(other, deadlineIn(10s)));
    run(m_client->removeImage(other, deadlineIn(10s)));

    QCOMPARE(tagged.digest, run(m_client->image(m_image, deadlineIn(10s))).digest);
    QCOMPARE(attempt(m_client->image(other, deadlineIn(10s))).error().code(), Errc::NotFound);
}

void TestDockerClient::hearsWhatHappens()
{
    std::vector<std::string> heard;
    std::map<std::string, std::string> attributes;
    const auto onEvent = [&](const EngineEvent& event) {
        heard.push_back(event.type + " " + event.action);
        if (event.action == "die")
            attributes = event.attributes;
    };
    const std::map<std::string, std::vector<std::string>> filters{
        {"label", {std::string(kLabel) + "=" + m_id}},
        {"event", {"create", "start", "die", "destroy"}},
    };
    Beside<Result<>> listening(m_context, m_client->events(filters, onEvent, deadlineIn(60s)));
    run(m_client->ping(deadlineIn(10s)));

    finish(spec("read x; exit 3"));
    const Deadline limit = deadlineIn(20s);
    m_context.restart();
    while ((heard.empty() || heard.back() != "container destroy") && SteadyClock::now() < limit)
        m_context.run_one_until(limit);

    listening.cancel();
    QVERIFY(listening.ends(5s));
    QCOMPARE(
        joined(heard),
        QString("container create, container start, container die, container destroy")
    );
    QCOMPARE(attributes.at("exitCode"), std::string("3"));
    QCOMPARE(attributes.at("image"), m_image);
}

void TestDockerClient::buildsAnImage()
{
    const std::string reference = "belljar-test/docker-built:" + m_id;
    const std::string context = tarOf(
        "Dockerfile", "FROM scratch\n" + label() + "ARG who\nLABEL for=$who\nCOPY Dockerfile /\n"
    );
    std::vector<std::string> lines;
    const std::map<std::string, std::string> arguments{{"who", "you & \"me\""}};

    run(m_client->buildImage(
        reference,
        context,
        arguments,
        [&](std::string line) { lines.push_back(std::move(line)); },
        deadlineIn(120s)
    ));
    const ImageDetails image = run(m_client->image(reference, deadlineIn(10s)));
    run(m_client->removeImage(reference, deadlineIn(30s)));

    QCOMPARE(image.labels.at("for"), std::string("you & \"me\""));
    QVERIFY(lines.size() >= 5);
    const auto step = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("COPY Dockerfile /") != std::string::npos;
    });
    QVERIFY(step != lines.end());
    QVERIFY(step->starts_with("Step "));
}

void TestDockerClient::reportsTheStepThatFails()
{
    const std::string context =
        tarOf("Dockerfile", "FROM " + m_image + "\n" + label() + "RUN echo before; exit 9\n");
    std::vector<std::string> lines;

    const auto built = attempt(m_client->buildImage(
        "belljar-test/docker-failing:" + m_id,
        context,
        {},
        [&](std::string line) { lines.push_back(std::move(line)); },
        deadlineIn(120s)
    ));

    QCOMPARE(built.error().code(), Errc::EngineRefused);
    const std::string& message = built.error().message();
    QVERIFY2(message.find("returned a non-zero code: 9") != std::string::npos, message.c_str());
    QVERIFY(std::find(lines.begin(), lines.end(), "before") != lines.end());
    const auto nonsense = attempt(m_client->buildImage(
        "belljar-test/docker-failing:" + m_id, "no tar", {}, {}, deadlineIn(30s)
    ));
    QVERIFY(!nonsense);
}

// R-68.
void TestDockerClient::refusesNamesThatAreNone()
{
    for (const char* name : {"", "../images", "a/b", "a?b", "a b", "-a", "a\nb", "a%2fb"})
        QCOMPARE(
            attempt(m_client->inspect(name, deadlineIn(5s))).error().code(), Errc::InvalidArgument
        );
    for (const char* name : {"", "a/../../containers/x", "a//b", "/a", "a b", "a?b", "a/", "a\"b"})
        QCOMPARE(
            attempt(m_client->image(name, deadlineIn(5s))).error().code(), Errc::InvalidArgument
        );
}

void TestDockerClient::answersManyCallsAtOnce()
{
    const std::string id = create("true");
    std::vector<std::unique_ptr<Beside<Result<ContainerDetails>>>> calls;

    for (int i = 0; i < 100; ++i)
        calls.push_back(std::make_unique<Beside<Result<ContainerDetails>>>(
            m_context, m_client->inspect(id, deadlineIn(30s))
        ));

    for (auto& call : calls)
        QCOMPARE(take(call->value()).id, id);
}

void TestDockerClient::endsByTheDeadline()
{
    Started started = start(spec("read x"));
    const std::size_t before = test::openDescriptors();

    const auto waited = attempt(m_client->wait(started.id, deadlineIn(200ms)));
    const auto listened = attempt(m_client->events(
        {}, [](const EngineEvent&) {}, deadlineIn(200ms)
    ));
    const auto late = attempt(m_client->inspect(started.id, deadlineIn(-1s)));

    QCOMPARE(waited.error().code(), Errc::TimedOut);
    QVERIFY(waited.error().message().find("/wait") != std::string::npos);
    QCOMPARE(listened.error().code(), Errc::TimedOut);
    QCOMPARE(late.error().code(), Errc::TimedOut);
    QCOMPARE(test::openDescriptors(), before);
}

void TestDockerClient::endsWhenCancelledAtAnyTime_data()
{
    QTest::addColumn<QString>("call");
    for (const char* call :
         {"ping", "info", "create", "attach", "read", "write", "wait", "events", "import", "build"})
        QTest::newRow(call) << call;
}

void TestDockerClient::endsWhenCancelledAtAnyTime()
{
    QFETCH(QString, call);
    Started started = start(spec("sleep 600"));
    const std::string reference = "belljar-test/docker-cancelled:" + m_id;
    const std::string context =
        tarOf("Dockerfile", "FROM " + m_image + "\n" + label() + "RUN sleep 1\n");
    const auto done = [](auto operation) -> asio::awaitable<int> {
        auto ended = co_await std::move(operation);
        co_return ended.has_value() ? 0 : 1;
    };
    const std::map<QString, std::function<asio::awaitable<int>()>> calls{
        {"ping", [&] { return done(m_client->ping(deadlineIn(30s))); }},
        {"info", [&] { return done(m_client->info(deadlineIn(30s))); }},
        {"create", [&] { return done(m_client->createContainer(spec("true"), deadlineIn(30s))); }},
        {"attach", [&] { return done(m_client->attach(started.id, deadlineIn(30s))); }},
        {"read", [&] { return done(started.stream->read(deadlineIn(30s))); }},
        {"write",
         [&] {
             return done(started.stream->write(std::string(8 * kMegabyte, 'x'), deadlineIn(30s)));
         }},
        {"wait", [&] { return done(m_client->wait(started.id, deadlineIn(30s))); }},
        {"events",
         [&] {
             return done(m_client->events(
                 {}, [](const EngineEvent&) {}, deadlineIn(30s)
             ));
         }},
        {"import",
         [&] {
             return done(m_client->importImage(reference, {}, piecesOf(m_rootTar), deadlineIn(30s))
             );
         }},
        {"build",
         [&] { return done(m_client->buildImage(reference, context, {}, {}, deadlineIn(30s))); }},
    };
    // The timers and sockets that every later call shares are there after the first one.
    run(m_client->ping(deadlineIn(10s)));
    const std::size_t before = test::openDescriptors();

    for (const auto span : {0us, 100us, 300us, 1000us, 3000us, 10000us, 30000us, 100000us}) {
        Beside<int> operation(m_context, calls.at(call)());
        m_context.restart();
        m_context.run_for(span);
        operation.cancel();
        QVERIFY2(operation.ends(5s), "it goes on after it was cancelled");
        QCOMPARE(test::openDescriptors(), before);
    }
    static_cast<void>(attempt(m_client->removeImage(reference, deadlineIn(30s))));
}

#endif

QTEST_GUILESS_MAIN(TestDockerClient)
#include "tst_docker_client.moc"
