// SPDX-License-Identifier: GPL-3.0-or-later
// Every default of a sandbox, seen from inside the container and in what the engine says of it (R-1
// to R-18).
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts and raw strings
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/paths.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/sandbox/pool.h"
#include "engine/sandbox/reaper.h"
#include "engine/sandbox/runner_folder.h"
#include "engine/sandbox/sandbox.h"
#include "tests/support/run_to_end.h"

#include <csignal>
#include <map>

#include <sys/wait.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::sandbox;
using namespace std::chrono_literals;

namespace {

struct Ran {
    Exit exit;
    std::string standardOutput;
    std::string standardError;
    std::string codeSha256;
    std::vector<execution::Sample> samples;
};

} // namespace
#endif

class TestSandbox : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Sandbox> make(const std::string& languageId, execution::Limits limits = {})
    {
        const Language* language = m_languages.find(languageId);
        auto image = test::runToEnd(m_context, m_client->image(language->image, deadlineIn(10s)));
        if (!image)
            throw std::runtime_error(image.error().message());
        SandboxSpec spec{*language, limits, {}, *image};
        auto sandbox = test::runToEnd(
            m_context, Sandbox::create(m_client, spec, m_surroundings, deadlineIn(30s))
        );
        if (!sandbox)
            throw std::runtime_error(sandbox.error().message());
        return std::move(*sandbox);
    }

    Ran run(Sandbox& sandbox, const std::string& code, std::chrono::milliseconds timeout = 20s)
    {
        Program program;
        program.argv = sandbox.spec().language.run;
        program.environment = sandbox.spec().language.environment;
        program.file = sandbox.spec().language.file;
        program.code = std::make_shared<const std::string>(code);
        program.timeout = timeout;
        Ran ran;
        RunSink sink;
        sink.started = [&ran](const std::string& digest) { ran.codeSha256 = digest; };
        sink.output = [&ran](execution::OutputChunk chunk) {
            (chunk.stream == execution::Stream::Stdout ? ran.standardOutput : ran.standardError) +=
                chunk.bytes;
        };
        sink.sample = [&ran](const execution::Sample& sample) { ran.samples.push_back(sample); };
        auto exit = test::runToEnd(m_context, sandbox.run(program, sink));
        if (!exit)
            throw std::runtime_error(exit.error().message());
        ran.exit = *exit;
        return ran;
    }

    Json inspect(const Sandbox& sandbox)
    {
        auto details =
            test::runToEnd(m_context, m_client->inspect(sandbox.containerId(), deadlineIn(10s)));
        if (!details)
            throw std::runtime_error(details.error().message());
        return *parseJson(details->json);
    }

    bool exists(const std::string& containerId)
    {
        auto details = test::runToEnd(m_context, m_client->inspect(containerId, deadlineIn(10s)));
        return details.has_value();
    }

    void reapAll() { test::runToEnd(m_context, closeReaper()); }
    asio::awaitable<int> closeReaper()
    {
        co_await m_reaper->settle(deadlineIn(30s));
        co_return 0;
    }

    void close(Pool& pool) { test::runToEnd(m_context, closePool(pool)); }
    static asio::awaitable<int> closePool(Pool& pool)
    {
        co_await pool.close(deadlineIn(30s));
        co_return 0;
    }

    asio::io_context m_context;
    QTemporaryDir m_data;
    Languages m_languages;
    std::shared_ptr<docker::Client> m_client;
    std::shared_ptr<Reaper> m_reaper;
    Surroundings m_surroundings;

private slots:
    void initTestCase()
    {
        auto endpoints = docker::findEndpoints({});
        QVERIFY(endpoints.has_value());
        for (const docker::Endpoint& endpoint : *endpoints) {
            auto client = std::make_shared<docker::Client>(m_context.get_executor(), endpoint);
            if (test::runToEnd(m_context, client->negotiate(deadlineIn(5s)))) {
                m_client = client;
                break;
            }
        }
        if (!m_client) {
            if (qEnvironmentVariableIntValue("BELLJAR_REQUIRE_DOCKER") == 1)
                QFAIL("no container engine answers");
            QSKIP("no container engine answers");
        }
        m_languages = *Languages::load(*findResource("languages"));
        m_reaper = std::make_shared<Reaper>(m_context.get_executor(), ownerOfThisProcess());
        auto folder = stageRunnerFolder(m_data.path().toStdString());
        QVERIFY2(folder.has_value(), folder ? "" : folder.error().message().c_str());
        m_surroundings = {
            ownerOfThisProcess(),
            folder->string(),
            *readFile(*findResource("sandbox/seccomp.json")),
            m_reaper};
    }

    void sendsAPlotAndNothingOfTheHost()
    {
        constexpr const char* kCode =
            "import os, struct, zlib\n"
            "def chunk(t, d):\n"
            "    return struct.pack('>I', len(d)) + t + d + struct.pack('>I', zlib.crc32(t + d))\n"
            "raw = b''.join(b'\\0' + b'\\xff\\0\\0' * 8 for _ in range(8))\n"
            "png = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 8, 8, 8, 2, "
            "0, "
            "0, 0))\n"
            "png += chunk(b'IDAT', zlib.compress(raw)) + chunk(b'IEND', b'')\n"
            "os.mkdir('many')\n"
            "for i in range(10000): open(f'many/{i}', 'w').write('x')\n"
            "open('plot.png', 'wb').write(png)\n"
            "open('notes.txt', 'w').write('hello')\n"
            "os.symlink('/etc/passwd', 'link')\n"
            "os.mkfifo('fifo')\n"
            "open('big', 'wb').truncate(200 << 20)\n"
            "for name in (b'\\xe2\\x80\\xaegnp.exe', b'a\\nb', b'<img>', b'\\xff'):\n"
            "    open(name, 'wb').close()\n";
        execution::Limits limits;
        limits.memoryBytes = 1024ULL * 1024 * 1024;
        limits.workspaceBytes = 256ULL * 1024 * 1024;
        auto sandbox = make("python", limits);

        const auto begin = std::chrono::steady_clock::now();
        const Ran ran = run(*sandbox, kCode);
        const auto took = std::chrono::steady_clock::now() - begin;

        QVERIFY2(ran.exit.exitCode == 0, ran.standardError.c_str());
        const execution::RunFiles& files = ran.exit.files;
        std::map<std::string, execution::RunFile> byName;
        for (const execution::RunFile& file : files.files)
            byName[file.name] = file;
        QVERIFY(byName["plot.png"].kind == execution::FileKind::Png);
        QVERIFY(byName["plot.png"].bytes->ends_with("IEND\xae\x42\x60\x82"));
        QCOMPARE(*byName["notes.txt"].bytes, std::string("hello"));
        QVERIFY(byName["link"].fate == execution::FileFate::Link);
        QVERIFY(byName["fifo"].fate == execution::FileFate::Special);
        QVERIFY(byName["big"].fate == execution::FileFate::TooLarge);
        QCOMPARE(byName["big"].size, std::uint64_t{200} << 20U);
        for (const char* odd : {"\xe2\x80\xaegnp.exe", "a\nb", "<img>", "\xff"})
            QVERIFY(byName.contains(odd) && byName[odd].fate == execution::FileFate::Kept);
        QVERIFY(!byName.contains("main.py"));
        QCOMPARE(files.kept(), execution::FileBudget().files);
        QCOMPARE(files.leftOut(), std::uint64_t{10000 + 6 + 3} - files.kept());
        QVERIFY(files.whole);
        QVERIFY(took < 15s);
        for (const execution::RunFile& file : files.files)
            QVERIFY(!file.bytes || file.bytes->find("root:") == std::string::npos);
    }

    void cleanup()
    {
        if (m_reaper)
            reapAll();
        m_reaper = std::make_shared<Reaper>(m_context.get_executor(), ownerOfThisProcess());
        m_surroundings.reaper = m_reaper;
    }

    //
    void isMadeExactlyAsTheRequirementsSay()
    {
        const auto sandbox = make("python");
        const Json all = inspect(*sandbox);
        const Json& host = all["HostConfig"];
        const Json& config = all["Config"];

        QCOMPARE(host["NetworkMode"].get<std::string>(), std::string("none"));
        QVERIFY(host["ReadonlyRootfs"].get<bool>());
        QVERIFY(!host["Privileged"].get<bool>());
        QCOMPARE(host["CapDrop"].dump(), std::string("[\"ALL\"]"));
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
        for (const char* blank : {"PidMode", "UTSMode", "UsernsMode", "CgroupParent"})
            QVERIFY2(host.value(blank, std::string()).empty(), blank);
        QCOMPARE(host["IpcMode"].get<std::string>(), std::string("private"));
        QCOMPARE(host["CgroupnsMode"].get<std::string>(), std::string("private"));
        QVERIFY(
            host["RestartPolicy"]["Name"].get<std::string>() == "no" ||
            host["RestartPolicy"]["Name"] == ""
        );
        QVERIFY(host["AutoRemove"].get<bool>());
        QCOMPARE(host["LogConfig"]["Type"].get<std::string>(), std::string("none"));
        QCOMPARE(host["Memory"].get<std::int64_t>(), std::int64_t(512) << 20);
        QCOMPARE(host["MemorySwap"].get<std::int64_t>(), std::int64_t(512) << 20);
        QCOMPARE(host["NanoCpus"].get<std::int64_t>(), std::int64_t(500'000'000));
        QCOMPARE(host["PidsLimit"].get<std::int64_t>(), std::int64_t(50));

        bool noNewPrivileges = false;
        bool ownFilter = false;
        for (const Json& option : host["SecurityOpt"]) {
            noNewPrivileges |= option.get<std::string>().starts_with("no-new-privileges");
            ownFilter |= option.get<std::string>().starts_with("seccomp={");
        }
        QVERIFY(noNewPrivileges);
        QVERIFY(ownFilter);

        std::map<std::string, std::pair<std::int64_t, std::int64_t>> ulimits;
        for (const Json& limit : host["Ulimits"])
            ulimits[limit["Name"]] = {limit["Soft"], limit["Hard"]};
        QVERIFY((ulimits.at("core") == std::pair<std::int64_t, std::int64_t>(0, 0)));
        QVERIFY(ulimits.at("nofile").second <= 1024);
        QVERIFY(ulimits.at("fsize").second <= (64 << 20));
        QVERIFY(
            ulimits.contains("msgqueue") && ulimits.contains("sigpending") &&
            ulimits.contains("memlock")
        );

        std::uint64_t tmpfsBytes = 0;
        for (const auto& [point, options] : host["Tmpfs"].items()) {
            const std::string text = options.get<std::string>();
            for (const char* needed : {"nosuid", "nodev", "size=", "nr_inodes="})
                QVERIFY2(text.find(needed) != std::string::npos, (point + " " + needed).c_str());
            tmpfsBytes += std::stoull(text.substr(text.find("size=") + 5));
        }
        QCOMPARE(host["Tmpfs"].size(), std::size_t(3));
        QVERIFY(tmpfsBytes < (512U << 20U));

        QCOMPARE(all["Mounts"].size(), std::size_t(1));
        QCOMPARE(all["Mounts"][0]["Destination"].get<std::string>(), std::string("/belljar"));
        QVERIFY(!all["Mounts"][0]["RW"].get<bool>());

        QCOMPARE(config["User"].get<std::string>(), std::string("65532:65532"));
        QCOMPARE(config["WorkingDir"].get<std::string>(), std::string("/workspace"));
        QCOMPARE(config["Entrypoint"].dump(), std::string("[\"/belljar/belljar_runner\"]"));
        QVERIFY(config["Cmd"].is_null() || config["Cmd"].empty());
        QVERIFY(!config["Tty"].get<bool>());
        QVERIFY(config["StdinOnce"].get<bool>());
        QVERIFY(config["Image"].get<std::string>().starts_with("sha256:")); // by digest
        QCOMPARE(config["Labels"][kOwnerLabel].get<std::string>(), ownerOfThisProcess());
    }

    // as the code itself finds them.
    void isACageFromInside_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("output");
        const auto row = [](const char* name, const char* code, const char* output) {
            QTest::newRow(name) << code << output;
        };
        row("no capabilities, no new privileges, filter on",
            "for l in open('/proc/self/status'):\n"
            "    if l[:3] == 'Cap' or l.startswith(('NoNewPrivs', 'Seccomp:')): "
            "print(l.split()[1])\n",
            "0000000000000000\n0000000000000000\n0000000000000000\n0000000000000000\n00000000000000"
            "00\n1\n2\n");
        row("not root, no other group",
            "import os; print(os.getuid(), os.getgid(), os.getgroups())",
            "65532 65532 [65532]\n");
        row("not PID 1", "import os; print(os.getpid() > 1, os.getppid())", "True 1\n");
        row("own session and group",
            "import os; print(os.getsid(0) == os.getpid() == os.getpgrp())",
            "True\n");
        row("workspace is the working directory and writable",
            "import os; open('f', 'w').write('x'); print(os.getcwd(), sorted(os.listdir()))",
            "/workspace ['f', 'main.py']\n");
        row("limits of R-10",
            "import resource as r\n"
            "for n in ('CORE', 'NOFILE', 'FSIZE', 'MEMLOCK', 'MSGQUEUE', 'SIGPENDING'):\n"
            "    print(n, *r.getrlimit(getattr(r, 'RLIMIT_' + n, None) or {'MSGQUEUE': 12, "
            "'SIGPENDING': 11}[n]))",
            "CORE 0 0\nNOFILE 1024 1024\nFSIZE 67108864 67108864\nMEMLOCK 65536 65536\nMSGQUEUE "
            "65536 65536\nSIGPENDING 256 256\n");
        row("writable places are three bounded tmpfs",
            "import os\n"
            "for p in ('/workspace', '/tmp', '/dev/shm'):\n"
            "    s = os.statvfs(p); print(p, s.f_blocks * s.f_frsize >> 20, s.f_files <= 32768, "
            "bool(s.f_flag & os.ST_NOSUID), bool(s.f_flag & os.ST_NODEV))\n"
            "for p in ('/', '/etc', '/var/tmp', '/run', '/belljar', '/usr', '/home'):\n"
            "    try: open(p + '/x', 'w'); print('writable', p)\n"
            "    except OSError: pass\n",
            "/workspace 64 True True True\n/tmp 64 True True True\n/dev/shm 16 True True True\n");
        row("only the loopback interface, no route",
            "import os\nprint(os.listdir('/sys/class/net'), "
            "open('/proc/net/route').read().count('\\n'))",
            "['lo'] 1\n");
        row("environment is an allow-list",
            "import os; print(sorted(k for k in os.environ if not k.startswith('PYTHON')), "
            "os.environ['HOME'], os.environ['LANG'])",
            "['HOME', 'HOSTNAME', 'LANG', 'PATH', 'TZ'] /workspace C.UTF-8\n");
        row("descriptors 0, 1, 2 only",
            "import os; print(sorted(os.listdir('/proc/self/fd'))[:3], "
            "len(os.listdir('/proc/self/fd')))",
            "['0', '1', '2'] 4\n"); // the fourth is the listing itself
        row("stdin is at its end", "import sys; print(repr(sys.stdin.read()))", "''\n");
        row("PID 1 is closed",
            "import os\n"
            "for n in ('mem', 'environ', 'maps', 'fd', 'root', 'cwd', 'exe', 'auxv'):\n"
            "    try:\n"
            "        p = '/proc/1/' + n\n"
            "        (os.listdir if n == 'fd' else os.readlink if n in ('root', 'cwd', 'exe') else "
            "open)(p); print('open', n)\n"
            "    except OSError: pass\n"
            "print('closed')",
            "closed\n");
        row("the code is killed before PID 1",
            "print(open('/proc/self/oom_score_adj').read().strip(), "
            "open('/proc/1/oom_score_adj').read().strip())",
            "1000 0\n");
        row("private cgroup namespace",
            "print(all(l.rstrip().endswith(':/') for l in open('/proc/self/cgroup')))",
            "True\n");
        row("host name says nothing",
            "import socket; print(len(socket.gethostname()), 'belljar' in socket.gethostname())",
            "12 False\n");
    }
    void isACageFromInside()
    {
        QFETCH(QString, code);
        QFETCH(QString, output);
        const auto sandbox = make("python");

        const Ran ran = run(*sandbox, code.toStdString());

        QCOMPARE(QString::fromStdString(ran.standardOutput), output);
        QCOMPARE(QString::fromStdString(ran.standardError), QString());
    }

    void runsEveryLanguageAndReportsTheCodeItGot_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("code");
        QTest::newRow("python") << "python"
                                << "print('né', 6 * 7)\nraise SystemExit(3)\n";
        QTest::newRow("javascript") << "javascript"
                                    << "console.log('né', 6 * 7); process.exit(3)\n";
        QTest::newRow("bash") << "bash"
                              << "echo né $((6 * 7)); exit 3\n";
    }
    void runsEveryLanguageAndReportsTheCodeItGot()
    {
        QFETCH(QString, language);
        QFETCH(QString, code);
        const auto sandbox = make(language.toStdString());

        const Ran ran = run(*sandbox, code.toStdString());

        QCOMPARE(QString::fromStdString(ran.standardOutput), QString::fromUtf8("né 42\n"));
        QCOMPARE(ran.exit.exitCode.value_or(-1), 3);
        QCOMPARE(ran.codeSha256, sha256Hex(code.toStdString()));
        QVERIFY(ran.exit.memoryPeakBytes > 0);
    }

    void samplesTenTimesASecond()
    {
        const auto sandbox = make("python");
        const Ran ran =
            run(*sandbox,
                "import time\nx = bytearray(100 << 20)\nt = time.time()\nwhile time.time() - t < "
                "1.5: pass\n");
        // The program measures 1.5 s from its second line on; a busy machine makes it longer.
        const auto tenths = static_cast<std::size_t>(ran.samples.back().at.count() / 100);
        QVERIFY2(
            ran.samples.size() >= 10 && ran.samples.size() <= tenths + 3,
            std::to_string(ran.samples.size()).c_str()
        );
        // The last ones may be of its end.
        const auto byMemory = [](const auto& one, const auto& other) {
            return one.memoryBytes < other.memoryBytes;
        };
        const auto most = std::max_element(ran.samples.begin(), ran.samples.end(), byMemory);
        QVERIFY(most->memoryBytes > (90U << 20U));
        QCOMPARE(most->processes, 1U);
        // One sample may hold two periods of the scheduler; on the whole it is half a core.
        double cpu = 0;
        for (const auto& sample : ran.samples)
            cpu += sample.cpuPercent / static_cast<double>(ran.samples.size());
        QVERIFY2(cpu > 10 && cpu < 75, std::to_string(cpu).c_str());
    }

    void aCancelledProgramReportsItsEndAtOnce()
    {
        auto sandbox = make("python");
        asio::steady_timer soon(m_context, 300ms);
        soon.async_wait([&](const boost::system::error_code&) { sandbox->cancel(); });
        const auto before = SteadyClock::now();

        const Ran ran = run(*sandbox, "import time\nprint('a', flush=True)\ntime.sleep(60)");

        QVERIFY(SteadyClock::now() - before < 1500ms);
        QVERIFY(ran.exit.cancelled);
        QCOMPARE(ran.standardOutput, std::string("a\n"));
    }

    void isGoneOnceItsOwnerLetsGo()
    {
        auto sandbox = make("python");
        const std::string id = sandbox->containerId();
        QVERIFY(exists(id));

        sandbox.reset();
        reapAll();

        QVERIFY(!exists(id));
    }

    // removed when their engine is dead, and only then.
    void removesContainersOfDeadEnginesOnly()
    {
        auto mine = make("bash");
        auto other = make("bash");
        // A process that has lived: its pid may be in use again, its start time is not.
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(0);
        ::waitpid(child, nullptr, 0);
        Surroundings dead = m_surroundings;
        dead.owner = std::to_string(::geteuid()) + ":" + std::to_string(child) + ":12345";
        SandboxSpec spec = mine->spec();
        auto orphan =
            test::runToEnd(m_context, Sandbox::create(m_client, spec, dead, deadlineIn(30s)));
        QVERIFY(orphan.has_value());

        auto removed =
            test::runToEnd(m_context, m_reaper->removeOrphans(m_client, deadlineIn(30s)));

        QVERIFY2(removed.has_value(), removed ? "" : removed.error().message().c_str());
        QVERIFY(!exists((*orphan)->containerId()));
        QVERIFY(exists(mine->containerId()));
        QVERIFY(exists(other->containerId()));
    }

    void knowsDeadOwnersFromLivingOnes()
    {
        QVERIFY(!isDeadOwner(ownerOfThisProcess()));
        const std::string uid = std::to_string(::geteuid());
        QVERIFY(isDeadOwner(uid + ":" + std::to_string(::getpid()) + ":1")); // a re-used pid
        QVERIFY(isDeadOwner(uid + ":4194304:1"));
        QVERIFY(!isDeadOwner("12345:4194304:1")); // another user's
        for (const char* junk : {"", "x", "1:2", "::", "0:../../x:1"})
            QVERIFY2(!isDeadOwner(junk), junk);
    }

    void theStagedRunnerIsTheOneWeWereBuiltWith()
    {
        const QTemporaryDir data;
        const auto folder = stageRunnerFolder(data.path().toStdString());
        QVERIFY(folder.has_value());
        // Tampered with after staging: noticed and replaced at the next start.
        const std::string runner = (*folder / "belljar_runner").string();
        QVERIFY(writeFile(runner, "#!/bin/sh\n", 0555).has_value());
        QVERIFY(stageRunnerFolder(data.path().toStdString()).has_value());
        QVERIFY(*sha256OfFile(runner) != sha256Hex("#!/bin/sh\n"));
    }

    void refusesARunnerThatIsNotOurs()
    {
        const QTemporaryDir data;
        const std::string fake = data.path().toStdString() + "/fake";
        QVERIFY(writeFile(fake, "#!/bin/sh\n", 0755).has_value());
        qputenv("BELLJAR_RUNNER", fake.c_str());
        const auto folder = stageRunnerFolder(data.path().toStdString());
        qunsetenv("BELLJAR_RUNNER");
        QVERIFY(!folder.has_value());
        QCOMPARE(folder.error().code(), Errc::Unsafe);
    }

    void thePoolHandsOutWarmSandboxesAndRefills()
    {
        Pool::FindClient find = [this](Deadline
                                ) -> asio::awaitable<Result<std::shared_ptr<docker::Client>>> {
            co_return m_client;
        };
        Pool pool(m_context.get_executor(), {}, m_surroundings, find);
        const Language python = *m_languages.find("python");
        std::vector<std::string> ids;
        for (int turn = 0; turn < 3; ++turn) {
            auto taken = test::runToEnd(m_context, pool.take(python, {}, {}, deadlineIn(30s)));
            QVERIFY2(taken.has_value(), taken ? "" : taken.error().message().c_str());
            ids.push_back((*taken)->containerId());
            const Ran ran = run(**taken, "print('warm')");
            QCOMPARE(ran.standardOutput, std::string("warm\n"));
            const auto limit = deadlineIn(30s);
            m_context.restart();
            while (pool.warmCount() == 0 && SteadyClock::now() < limit)
                m_context.run_one_for(1s);
            QCOMPARE(pool.warmCount(), std::size_t(1));
        }
        QVERIFY(ids[0] != ids[1] && ids[1] != ids[2]); // one container, one execution
        close(pool);
        QCOMPARE(pool.warmCount(), std::size_t(0));
    }

    void thePoolKeepsAsManyWarmAsItIsTold()
    {
        Pool::FindClient find = [this](Deadline
                                ) -> asio::awaitable<Result<std::shared_ptr<docker::Client>>> {
            co_return m_client;
        };
        Pool pool(m_context.get_executor(), {}, m_surroundings, find);
        const auto waitFor = [&](std::size_t count) {
            const auto limit = deadlineIn(30s);
            m_context.restart();
            while (pool.warmCount() != count && SteadyClock::now() < limit)
                m_context.run_one_for(1s);
            return pool.warmCount() == count;
        };
        const auto firstWarm = [&]() -> std::string {
            for (const auto& [id, resident] : m_reaper->residents()) {
                if (pool.isWarm(id))
                    return id;
            }
            return "";
        };
        const Language bash = *m_languages.find("bash");
        QCOMPARE(pool.warmWanted("bash"), std::size_t(1));
        pool.setWarm("bash", 2);
        QCOMPARE(pool.warmWanted("bash"), std::size_t(2));
        QCOMPARE(pool.warmCount(), std::size_t(0)); // of no kind yet
        pool.keepWarm(bash, {}, {});
        QVERIFY(waitFor(2));

        const std::string id = firstWarm();
        QVERIFY(!id.empty() && m_reaper->residents().at(id).language == "bash");
        QVERIFY(pool.replace(id));
        QVERIFY(!pool.isWarm(id) && !pool.replace(id));
        QVERIFY(m_reaper->residents().at(id).ending);
        QVERIFY(waitFor(2));
        pool.setWarm("bash", 0);
        QCOMPARE(pool.warmCount(), std::size_t(0));

        // None warm: one is made for who asks, and none after it.
        auto taken = test::runToEnd(m_context, pool.take(bash, {}, {}, deadlineIn(30s)));
        QVERIFY(taken.has_value());
        QCOMPARE(run(**taken, "echo cold").standardOutput, std::string("cold\n"));
        taken->reset();
        close(pool);
        reapAll();
        QVERIFY(m_reaper->residents().empty());
    }

    void aMissingImageSaysWhichCommandBuildsIt()
    {
        Pool::FindClient find = [this](Deadline
                                ) -> asio::awaitable<Result<std::shared_ptr<docker::Client>>> {
            co_return m_client;
        };
        Pool pool(m_context.get_executor(), {}, m_surroundings, find);
        Language cobol = *m_languages.find("python");
        cobol.id = "cobol";
        cobol.image = "belljar/no-such-image";
        auto taken = test::runToEnd(m_context, pool.take(cobol, {}, {}, deadlineIn(30s)));
        close(pool); // another one may still be in the making
        QVERIFY(!taken.has_value());
        QCOMPARE(taken.error().code(), Errc::ImageMissing);
        QVERIFY(taken.error().message().find("belljar images build cobol") != std::string::npos);
    }

    // what an image says of itself has no effect.
    void anImageWithoutTheInterpreterEndsInAClearError()
    {
        const Language* bash = m_languages.find("bash");
        auto image = test::runToEnd(m_context, m_client->image(bash->image, deadlineIn(10s)));
        QVERIFY(image.has_value());
        Language python = *m_languages.find("python");
        python.run[0] = "no-such-python";
        python.warm->argv = {"no-such-python"};
        SandboxSpec spec{python, {}, {}, *image};
        auto sandbox = test::runToEnd(
            m_context, Sandbox::create(m_client, spec, m_surroundings, deadlineIn(30s))
        );
        QVERIFY(!sandbox.has_value());
        QCOMPARE(sandbox.error().code(), Errc::ImageMissing);
        QVERIFY2(
            sandbox.error().message().find("no-such-python") != std::string::npos,
            sandbox.error().message().c_str()
        );
    }
};

QTEST_GUILESS_MAIN(TestSandbox)
#include "tst_sandbox.moc"
