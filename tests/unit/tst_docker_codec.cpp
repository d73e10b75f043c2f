// SPDX-License-Identifier: GPL-3.0-or-later
// Between our structs and the Engine API, without an engine.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/file.h"
#include "engine/base/sha256.h"
#include "engine/docker/attach_demux.h"
#include "engine/docker/codec.h"
#include "engine/docker/spec_check.h"
#include "engine/docker/trouble.h"

#include <algorithm>
#include <functional>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::docker;

namespace {

ContainerSpec goodSpec()
{
    ContainerSpec spec;
    spec.image = "belljar/python";
    spec.entrypoint = {"/run/belljar/belljar_runner"};
    spec.environment = {"PATH=/bin"};
    spec.workingDirectory = "/workspace";
    spec.memoryBytes = 1U << 26U;
    spec.cpuMillis = 500;
    spec.pids = 50;
    spec.tmpfs = {{"/tmp", "size=1m"}};
    spec.seccompProfile = R"({"defaultAction":"SCMP_ACT_ERRNO"})";
    spec.labels = {{"io.belljar.engine", "1"}};
    return spec;
}

std::string frame(char stream, const std::string& payload)
{
    std::string header(8, '\0');
    header[0] = stream;
    header[6] = static_cast<char>(payload.size() >> 8U);
    header[7] = static_cast<char>(payload.size() & 0xFFU);
    return header + payload;
}

using Change = std::function<void(ContainerSpec&)>;

/// Sets an environment variable until the end of the scope; nullptr unsets.
class ScopedVariable {
public:
    ScopedVariable(const char* name, const QByteArray& value)
        : m_name(name)
        , m_before(qgetenv(name))
        , m_wasSet(qEnvironmentVariableIsSet(name))
    {
        if (value.isNull())
            qunsetenv(name);
        else
            qputenv(name, value);
    }
    ~ScopedVariable()
    {
        if (m_wasSet)
            qputenv(m_name, m_before);
        else
            qunsetenv(m_name);
    }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
    bool m_wasSet;
};

} // namespace
#endif

class TestDockerCodec : public QObject {
    Q_OBJECT

private slots:
    void writesWhatTheSandboxNeeds();
    void clearsTheImagesVariables();
    void coversTheImagesVolumes();
    void refusesAWeakSpec_data();
    void refusesAWeakSpec();
    void refusesMountsThatOpenTheHost_data();
    void refusesMountsThatOpenTheHost();
    void knowsNamesFromOthers_data();
    void knowsNamesFromOthers();
    void comparesApiVersionsByNumber();
    void encodesQueries();
    void readsReplies();
    void refusesRepliesOfWrongTypes_data();
    void refusesRepliesOfWrongTypes();
    void boundsForeignMessages();
    void takesAttachStreamsApartHoweverTheyAreCut();
    void cutsLongFrames();
    void tellsAdviceFromMessage();
    void looksWhereItIsTold();
    void looksAtTheCurrentContext();
    void refusesAddressesThatAreNoSocket();
};

#ifndef Q_MOC_RUN
void TestDockerCodec::writesWhatTheSandboxNeeds()
{
    ContainerSpec spec = goodSpec();
    spec.runtime = "runsc";
    const Json body = encodeContainer(spec);

    QVERIFY(checkSpec(spec).has_value());
    QCOMPARE(body["HostConfig"]["NetworkMode"].get<std::string>(), std::string("none"));
    QCOMPARE(body["HostConfig"]["Runtime"].get<std::string>(), std::string("runsc"));
    QCOMPARE(
        body["HostConfig"]["Memory"].get<std::uint64_t>(),
        body["HostConfig"]["MemorySwap"].get<std::uint64_t>()
    );
    QVERIFY(!encodeContainer(goodSpec())["HostConfig"].contains("Runtime"));
    // R-2: nobody can set these, so nobody writes them.
    for (const char* never :
         {"Devices",
          "DeviceRequests",
          "DeviceCgroupRules",
          "PidMode",
          "UTSMode",
          "UsernsMode",
          "CgroupParent",
          "VolumesFrom",
          "Links",
          "PortBindings",
          "ExtraHosts",
          "Sysctls",
          "OomScoreAdj",
          "Binds"})
        QVERIFY2(!body["HostConfig"].contains(never), never);
}

void TestDockerCodec::clearsTheImagesVariables()
{
    ContainerSpec spec = goodSpec();
    spec.clearEnvironment = {"PATH", "EVIL", "PATHS"};

    QCOMPARE(encodeContainer(spec)["Env"].dump(), std::string(R"(["PATH=/bin","EVIL","PATHS"])"));
}

void TestDockerCodec::coversTheImagesVolumes()
{
    ContainerSpec spec = goodSpec();
    spec.blankVolumes = {"/tmp", "/data"}; // /tmp is a tmpfs already

    const Json mounts = encodeContainer(spec)["HostConfig"]["Mounts"];

    QCOMPARE(mounts.size(), std::size_t(1));
    QCOMPARE(mounts[0]["Type"].get<std::string>(), std::string("tmpfs"));
    QCOMPARE(mounts[0]["Target"].get<std::string>(), std::string("/data"));
    QVERIFY(mounts[0]["ReadOnly"].get<bool>());
}

void TestDockerCodec::refusesAWeakSpec_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("member");
    const auto row = [](const char* name, const char* member, Change change) {
        QTest::newRow(name) << std::move(change) << member;
    };
    row("no image", "image", [](auto& s) { s.image.clear(); });
    row("image with a query", "image", [](auto& s) { s.image = "a?b"; });
    row("no entry point", "entrypoint", [](auto& s) { s.entrypoint.clear(); });
    row("relative entry point", "entrypoint", [](auto& s) { s.entrypoint = {"sh"}; });
    row("no folder", "working directory", [](auto& s) { s.workingDirectory.clear(); });
    row("variable without value", "environment", [](auto& s) { s.environment = {"HOME"}; });
    row("variable without name", "environment", [](auto& s) { s.environment = {"=x"}; });
    row("label with a space", "labels", [](auto& s) { s.labels = {{"a b", "x"}}; });
    row("runtime with a slash", "runtime", [](auto& s) { s.runtime = "/bin/sh"; });
    row("no memory limit", "memory", [](auto& s) { s.memoryBytes = 0; });
    row("no cpu limit", "cpus", [](auto& s) { s.cpuMillis = 0; });
    row("no pids limit", "pids", [](auto& s) { s.pids = 0; });
    row("root", "user", [](auto& s) { s.uid = 0; });
    row("group of root", "user", [](auto& s) { s.gid = 0; });
    row("no seccomp", "seccomp", [](auto& s) { s.seccompProfile = ""; });
    row("seccomp unconfined", "seccomp", [](auto& s) { s.seccompProfile = "unconfined"; });
    row("empty seccomp", "seccomp", [](auto& s) { s.seccompProfile = "{}"; });
    row("tmpfs with dots", "tmpfs", [](auto& s) { s.tmpfs = {{"/tmp/../etc", ""}}; });
    row("volume is the root", "volumes", [](auto& s) { s.blankVolumes = {"/"}; });
    row("volume is relative", "volumes", [](auto& s) { s.blankVolumes = {"data"}; });
}

void TestDockerCodec::refusesAWeakSpec()
{
    QFETCH(Change, change);
    QFETCH(QString, member);
    ContainerSpec spec = goodSpec();
    change(spec);

    const auto checked = checkSpec(spec);

    QVERIFY(!checked);
    QCOMPARE(checked.error().code(), Errc::InvalidArgument);
    QVERIFY2(
        QString::fromStdString(checked.error().message()).startsWith("container." + member + ": "),
        checked.error().message().c_str()
    );
}

// R-65.
void TestDockerCodec::refusesMountsThatOpenTheHost_data()
{
    QTest::addColumn<QString>("source");
    for (const char* path :
         {"/",
          "/etc",
          "/home",
          "/root",
          "/run",
          "/var/run",
          "/var",
          "/usr",
          "/tmp",
          "/proc",
          "/proc/1/root",
          "/sys/fs",
          "/dev",
          "/dev/sda",
          "/tmp/../etc",
          "relative",
          "",
          "/a:/b"})
        QTest::newRow(path) << path;
    QTest::newRow("socket") << "SOCKET";
    QTest::newRow("link to the root") << "LINK";
}

void TestDockerCodec::refusesMountsThatOpenTheHost()
{
    QFETCH(QString, source);
    QTemporaryDir folder;
    if (source == "LINK") {
        source = folder.filePath("link");
        QVERIFY(QFile::link("/", source));
    } else if (source == "SOCKET") {
        source = folder.filePath("s");
        UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string path = source.toStdString();
        std::copy(path.begin(), path.end(), address.sun_path);
        // NOLINTNEXTLINE: the interface of sockets
        QCOMPARE(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    }
    ContainerSpec spec = goodSpec();
    spec.readOnlyBinds = {{folder.path().toStdString(), "/run/belljar"}};
    QVERIFY(checkSpec(spec).has_value());

    spec.readOnlyBinds[0].source = source.toStdString();

    QVERIFY(!checkSpec(spec));
}

void TestDockerCodec::knowsNamesFromOthers_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isContainer");
    QTest::addColumn<bool>("isImage");
    const auto row = [](const QString& name, bool isContainer, bool isImage) {
        QTest::newRow(name.left(30).toUtf8().constData()) << name << isContainer << isImage;
    };
    row("c0ffee", true, true);
    row("belljar_1.a-b", true, true);
    row("belljar/python:3.11", false, true);
    row("registry.example:5000/a/b@sha256:00", false, true);
    row("sha256:00ff", false, true);
    row("", false, false);
    row(".", false, false);
    row("..", false, false);
    row("a/../b", false, false);
    row("a/./b", false, false);
    row("a//b", false, false);
    row("/a", false, false);
    row("a/", false, false);
    row("a b", false, false);
    row("a?b=c", false, false);
    row("a#b", false, false);
    row("a%2e", false, false);
    row("a\r\nHost: x", false, false);
    row(QString("a") + QChar(0), false, false);
    row(QString::fromUtf8("ä"), false, false);
    row(QString(129, 'a'), false, true);
    row(QString(600, 'a'), false, false);
}

void TestDockerCodec::knowsNamesFromOthers()
{
    QFETCH(QString, name);
    QFETCH(bool, isContainer);
    QFETCH(bool, isImage);

    QCOMPARE(isContainerName(name.toStdString()), isContainer);
    QCOMPARE(isImageReference(name.toStdString()), isImage);
    QVERIFY(isSignal("SIGKILL") && isSignal("9") && isSignal("SIGRTMIN+3"));
    QVERIFY(!isSignal("KILL&x=1") && !isSignal(""));
}

void TestDockerCodec::comparesApiVersionsByNumber()
{
    QCOMPARE(*parseApiVersion("1.41"), (std::pair{1, 41}));
    QVERIFY(*parseApiVersion("1.9") < *parseApiVersion("1.41"));
    for (const char* none : {"", "1", "1.", ".4", "1.4x", "a.b", "1.4.1", "99999999999.1"})
        QVERIFY2(!parseApiVersion(none), none);
}

void TestDockerCodec::encodesQueries()
{
    QCOMPARE(queryEncoded("aZ09-_.~"), std::string("aZ09-_.~"));
    QCOMPARE(
        queryEncoded("{\"a\":[\"b&c=d #%\xff\"]}"),
        std::string("%7B%22a%22%3A%5B%22b%26c%3Dd%20%23%25%FF%22%5D%7D")
    );
}

void TestDockerCodec::readsReplies()
{
    const auto created = decodeCreated(R"({"Id":"c0ffee","Warnings":["careful"]})");
    QCOMPARE(created->id, std::string("c0ffee"));
    QCOMPARE(created->warnings, (std::vector<std::string>{"careful"}));
    QCOMPARE(*decodeWait(R"({"Error":null,"StatusCode":137})"), 137);
    QCOMPARE(
        decodeWait(R"({"Error":{"Message":"lost it"},"StatusCode":-1})").error().message(),
        std::string("Docker: lost it")
    );
    const auto image = decodeImage(
        R"({"Id":"sha256:ab","Size":7,"Created":"2026","Config":{"Labels":null,"Env":["A=1","B","C=x=y"],"Volumes":{"/d":{}}}})"
    );
    QCOMPARE(image->environmentNames, (std::vector<std::string>{"A", "B", "C"}));
    QCOMPARE(image->volumes, (std::vector<std::string>{"/d"}));
    QCOMPARE(image->bytes, std::uint64_t(7));
    // As Docker 20.10 says it on cgroup v1, and what newer ones say on v2.
    const auto stats = decodeStats(
        R"({"name":"/eager_bohr","cpu_stats":{"cpu_usage":{"total_usage":34018558}},"memory_stats":{"usage":2895872,"stats":{"total_inactive_file":2187264,"inactive_file":1}}})"
    );
    QCOMPARE(stats->name, std::string("eager_bohr"));
    QCOMPARE(stats->cpuNanos.value(), std::uint64_t(34018558));
    QCOMPARE(stats->memoryBytes.value(), std::uint64_t(708608));
    const auto newer = decodeStats(R"({"memory_stats":{"usage":10,"stats":{"inactive_file":4}}})");
    QCOMPARE(newer->memoryBytes.value(), std::uint64_t(6));
    const auto ended = decodeStats(R"({"name":"/x","cpu_stats":{},"memory_stats":{}})");
    QVERIFY(!ended->cpuNanos && !ended->memoryBytes);
    const auto info = decodeInfo(
        R"({"CgroupVersion":"2","MemoryLimit":true,"PidsLimit":true,"SecurityOptions":["name=seccomp,profile=default","name=rootless"],"Runtimes":{"runc":{},"runsc":{}},"Warnings":null})"
    );
    QVERIFY(info->memoryLimit && info->pidsLimit && info->seccomp && info->rootless);
    QCOMPARE(info->runtimes, (std::vector<std::string>{"runc", "runsc"}));
    const auto event = decodeEvent(
        R"({"Type":"container","Action":"die","Actor":{"ID":"c0","Attributes":{"exitCode":"3"}}})"
    );
    QCOMPARE(event->attributes.at("exitCode"), std::string("3"));
    const auto pull = decodeProgress(R"({"status":"Pulling from library/python","id":"3.11"})");
    QCOMPARE(pull->status, std::string("3.11: Pulling from library/python"));
    QCOMPARE(
        *decodeProgress(R"({"errorDetail":{"code":9},"error":"no"})")->error, std::string("no")
    );
}

void TestDockerCodec::refusesRepliesOfWrongTypes_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char* kind, const char* body) {
        QTest::newRow((std::string(kind) + " " + body).c_str()) << kind << QByteArray(body);
    };
    row("created", "{\"Id\":5}");
    row("created", "{\"Id\":\"../x\"}");
    row("created", "{\"Id\":\"a\",\"Warnings\":\"x\"}");
    row("created", "{\"Id\":\"a\",\"Warnings\":[5]}");
    row("wait", "{}");
    row("wait", "{\"StatusCode\":\"0\"}");
    row("wait", "{\"StatusCode\":1e300}");
    row("wait", "{\"StatusCode\":0,\"Error\":[]}");
    row("container", "{\"Id\":\"a\",\"State\":[]}");
    row("container", "{\"Id\":\"a\",\"State\":{\"Running\":\"yes\"}}");
    row("container", "{\"Id\":\"a\",\"Config\":{\"Labels\":{\"a\":1}}}");
    row("container", "{}");
    row("containers", "{}");
    row("containers", "[5]");
    row("containers", "[{\"Id\":\"a\",\"Created\":\"now\"}]");
    row("image", "{\"Id\":\"sha256:a\",\"Config\":{\"Env\":{}}}");
    row("image", "{\"Id\":\"sha256:a\",\"Config\":{\"Volumes\":[\"/x\"]}}");
    row("image", "{\"Id\":\"sha256:a\",\"Size\":-1}");
    row("info", "{\"Runtimes\":[]}");
    row("info", "{\"MemoryLimit\":1}");
    row("event", "{\"Actor\":{\"Attributes\":[]}}");
    row("event", "[]");
    row("stats", "[]");
    row("stats", "{\"memory_stats\":{\"usage\":-1}}");
    row("stats", "{\"cpu_stats\":{\"cpu_usage\":{\"total_usage\":1.5}}}");
    row("stats", "{\"cpu_stats\":5}");
    row("stats", "{\"name\":{}}");
    row("progress", "{\"stream\":5}");
    row("progress", "{\"error\":{}}");
}

void TestDockerCodec::refusesRepliesOfWrongTypes()
{
    QFETCH(QString, kind);
    QFETCH(QByteArray, body);
    const auto codeOf = [](const auto& result) {
        return result ? std::optional<Errc>() : std::optional<Errc>(result.error().code());
    };
    const std::map<QString, std::function<std::optional<Errc>(std::string_view)>> decoders{
        {"created", [&](auto b) { return codeOf(decodeCreated(b)); }},
        {"wait", [&](auto b) { return codeOf(decodeWait(b)); }},
        {"container", [&](auto b) { return codeOf(decodeContainer(b)); }},
        {"containers", [&](auto b) { return codeOf(decodeContainers(b)); }},
        {"image", [&](auto b) { return codeOf(decodeImage(b)); }},
        {"stats", [&](auto b) { return codeOf(decodeStats(b)); }},
        {"info", [&](auto b) { return codeOf(decodeInfo(b)); }},
        {"event", [&](auto b) { return codeOf(decodeEvent(b)); }},
        {"progress", [&](auto b) { return codeOf(decodeProgress(b)); }},
    };

    const auto code = decoders.at(kind)(body.toStdString());

    QVERIFY(code.has_value());
    QCOMPARE(*code, Errc::ProtocolViolation);
}

void TestDockerCodec::boundsForeignMessages()
{
    const std::string endless(100000, 'x');

    QCOMPARE(decodeMessage("{\"message\":\"No such image\"}"), std::string("No such image"));
    QCOMPARE(decodeMessage("plain \xff"), std::string("plain \xEF\xBF\xBD"));
    QVERIFY(decodeMessage("{\"message\":\"" + endless + "\"}").size() <= 2048);
    QVERIFY(decodeMessage(endless).size() <= 2048);
    QVERIFY(decodeProgress("{\"error\":\"" + endless + "\"}")->error->size() <= 2048);
}

void TestDockerCodec::takesAttachStreamsApartHoweverTheyAreCut()
{
    const std::string bytes = frame(1, "out") + frame(2, std::string("e\0r", 3)) + frame(1, "") +
                              frame(0, std::string(700, 'x'));
    const std::string expected = "1out2" + std::string("e\0r", 3) + "1" + std::string(700, 'x');

    for (std::size_t cut = 1; cut <= bytes.size(); ++cut) {
        AttachDemux demux;
        std::string got;
        char last = 0;
        for (std::size_t at = 0; at < bytes.size(); at += cut) {
            std::string_view piece = std::string_view(bytes).substr(at, cut);
            for (auto chunk = demux.take(piece); chunk && *chunk; chunk = demux.take(piece)) {
                const char stream = (*chunk)->stream == OutputStream::Stderr ? '2' : '1';
                if (stream != last)
                    got.push_back(stream);
                last = stream;
                got += (*chunk)->bytes;
            }
            QVERIFY(piece.empty());
        }
        QVERIFY2(got == expected, std::to_string(cut).c_str());
        QVERIFY(demux.atFrameEnd());
    }
}

void TestDockerCodec::cutsLongFrames()
{
    std::string bytes("\1\0\0\0\0\3\0\0", 8); // 192 KiB
    bytes += std::string(196608, 'y');
    std::string_view left = bytes;
    AttachDemux demux;
    std::size_t total = 0;

    for (auto chunk = demux.take(left); chunk && *chunk; chunk = demux.take(left)) {
        QVERIFY((*chunk)->bytes.size() <= 65536);
        total += (*chunk)->bytes.size();
    }

    QCOMPARE(total, std::size_t(196608));
    QVERIFY(demux.atFrameEnd());
}

void TestDockerCodec::tellsAdviceFromMessage()
{
    const Endpoint endpoint{"/a. b/docker.sock", "test"};
    const auto denied = connectionError(
        endpoint, boost::system::errc::make_error_code(boost::system::errc::permission_denied)
    );

    QCOMPARE(
        troubleOf(denied),
        (Trouble{
            "Docker is not running: /a. b/docker.sock: Permission denied",
            std::string(adviceFor(Cause::Forbidden))})
    );
    QCOMPARE(
        troubleOf(Error(Errc::NotFound, "No such image: a. b")),
        (Trouble{"No such image: a. b", ""})
    );
    for (int cause = 0; cause <= static_cast<int>(Cause::Broken); ++cause)
        QVERIFY(!adviceFor(static_cast<Cause>(cause)).empty());
}

void TestDockerCodec::looksWhereItIsTold()
{
    QTemporaryDir home;
    const ScopedVariable homeVariable("HOME", home.path().toUtf8());
    const ScopedVariable runtime("XDG_RUNTIME_DIR", "/run/user/42");
    const ScopedVariable context("DOCKER_CONTEXT", {});
    const ScopedVariable config("DOCKER_CONFIG", {});
    const ScopedVariable host("DOCKER_HOST", "unix:///from/host.sock");

    QCOMPARE(
        *findEndpoints("unix:///mine.sock"), (std::vector<Endpoint>{{"/mine.sock", "settings"}})
    );
    QCOMPARE(*findEndpoints(""), (std::vector<Endpoint>{{"/from/host.sock", "DOCKER_HOST"}}));
    qunsetenv("DOCKER_HOST");
    std::vector<std::string> paths;
    const auto found = findEndpoints("");
    for (const Endpoint& endpoint : *found)
        paths.push_back(endpoint.socketPath);
    const std::string folder = home.path().toStdString();
    const std::string uid = std::to_string(::geteuid());
    QCOMPARE(
        paths,
        (std::vector<std::string>{
            "/var/run/docker.sock",
            "/run/user/42/docker.sock",
            "/run/user/" + uid + "/docker.sock",
            folder + "/.docker/desktop/docker.sock",
            folder + "/.docker/run/docker.sock",
            folder + "/.colima/default/docker.sock",
            "/run/user/42/podman/podman.sock",
            "/run/user/" + uid + "/podman/podman.sock",
            "/run/podman/podman.sock"})
    );
}

void TestDockerCodec::looksAtTheCurrentContext()
{
    QTemporaryDir home;
    const ScopedVariable homeVariable("HOME", home.path().toUtf8());
    const ScopedVariable host("DOCKER_HOST", {});
    const ScopedVariable context("DOCKER_CONTEXT", {});
    const ScopedVariable config("DOCKER_CONFIG", {});
    const QDir folder(home.path());
    const auto write = [&folder](const QString& file, const std::string& content) {
        QVERIFY(folder.mkpath(QFileInfo(file).path()));
        QVERIFY(writeFile(folder.filePath(file).toStdString(), content, 0600).has_value());
    };
    const auto meta = [](const std::string& name) {
        return QString::fromStdString(".docker/contexts/meta/" + sha256Hex(name) + "/meta.json");
    };
    write(meta("mine"), R"({"Name":"mine","Endpoints":{"docker":{"Host":"unix:///c.sock"}}})");
    write(meta("far"), R"({"Name":"far","Endpoints":{"docker":{"Host":"ssh://me@far"}}})");
    write(meta("odd"), R"({"Endpoints":[{"docker":5}]})");

    for (const char* harmless :
         {"not JSON",
          "[]",
          R"({"currentContext":5})",
          R"({"currentContext":"default"})",
          R"({"currentContext":"odd"})",
          R"({"currentContext":"../../gone"})"}) {
        write(".docker/config.json", harmless);
        QCOMPARE(findEndpoints("")->front().socketPath, std::string("/var/run/docker.sock"));
    }
    write(".docker/config.json", R"({"currentContext":"mine"})");
    QCOMPARE(findEndpoints("")->front(), (Endpoint{"/c.sock", "docker context \"mine\""}));
    QVERIFY(findEndpoints("")->size() > 5);
    qputenv("DOCKER_CONTEXT", "far");
    const auto far = findEndpoints("");
    QCOMPARE(far.error().code(), Errc::InvalidArgument);
    QVERIFY(far.error().message().find("docker context \"far\": \"ssh://me@far\"") == 0);
}

void TestDockerCodec::refusesAddressesThatAreNoSocket()
{
    for (const char* address :
         {"tcp://127.0.0.1:2375", "ssh://host", "/var/run/docker.sock", "unix://", "npipe://x"}) {
        const auto endpoints = findEndpoints(address);
        QCOMPARE(endpoints.error().code(), Errc::InvalidArgument);
        QVERIFY(
            endpoints.error().message().find("only Unix sockets work for now") != std::string::npos
        );
    }
}
#endif

QTEST_GUILESS_MAIN(TestDockerCodec)
#include "tst_docker_codec.moc"
