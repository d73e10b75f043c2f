// SPDX-License-Identifier: GPL-3.0-or-later
// A program in a warm interpreter must not be able to tell: it is run bare and warm, and what it
// prints, its errors and its exit code are compared byte for byte. Every program runs in a folder
// of the same name both times, so that paths in messages agree.

#include "tests/unit/runner_peer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QVersionNumber>

#include <chrono>
#include <string>

#include <linux/close_range.h>
#include <unistd.h>

using namespace belljar;
using nlohmann::json;
using runner::Channel;
using test::RunnerPeer;
using test::RunReport;

namespace {

struct Ending {
    QByteArray out;
    QByteArray err;
    int exitCode = 0; ///< 128 + signal where a signal ended it
};

struct Interpreter {
    QString program;
    QString file;
    json prepare;
    QString path; ///< of the real interpreter's folder, before PATH
};

/// The interpreter itself, not a version manager's script in front of it.
QString realFolder(const QString& program, const QStringList& ask)
{
    QProcess process;
    process.start(program, ask);
    if (!process.waitForFinished())
        return {};
    return QFileInfo(QString::fromUtf8(process.readAllStandardOutput().trimmed())).path();
}

/// A copy, since Python would write its __pycache__ beside the original.
const QTemporaryDir& driversFolder()
{
    static const QTemporaryDir folder;
    for (const char* file : {"python/sitecustomize.py", "node/preload.cjs"}) {
        QDir(folder.path()).mkpath(QFileInfo(file).path());
        QFile::copy(QString(BELLJAR_DRIVERS_FOLDER) + '/' + file, folder.filePath(file));
    }
    return folder;
}

Interpreter python()
{
    const std::string folder = driversFolder().filePath("python").toStdString();
    const QString path = realFolder("python3", {"-c", "import sys; print(sys.executable)"});
    return {
        "python3",
        "main.py",
        {{"op", "prepare"}, {"argv", {"python3", "main.py"}}, {"env", {{"PYTHONPATH", folder}}}},
        path};
}

Interpreter node()
{
    const std::string preload = driversFolder().filePath("node/preload.cjs").toStdString();
    const QString path = realFolder("node", {"-p", "process.execPath"});
    return {
        "node",
        "main.js",
        {{"op", "prepare"},
         {"argv", {"node", "--require", preload, "main.js"}},
         {"env", json::object()}},
        path};
}

bool nodeDetectsModules()
{
    QProcess process;
    process.start("node", {"-p", "process.versions.node"});
    process.waitForFinished();
    const QVersionNumber version =
        QVersionNumber::fromString(process.readAllStandardOutput().trimmed());
    return version >= QVersionNumber(22, 7) ||
           (version.majorVersion() == 20 && version.minorVersion() >= 19);
}

QString searchPath(const Interpreter& interpreter)
{
    return interpreter.path + ':' + qEnvironmentVariable("PATH");
}

class Folder {
public:
    explicit Folder(const QString& path)
        : m_path(path)
    {
        QDir(m_path).removeRecursively();
        QDir().mkpath(m_path);
    }
    ~Folder() { QDir(m_path).removeRecursively(); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] QString path() const { return m_path; }

private:
    QString m_path;
};

Ending runBare(
    const Interpreter& interpreter,
    const QByteArray& code,
    const QStringList& arguments,
    const QString& path
)
{
    const Folder folder(path);
    QFile file(folder.path() + '/' + interpreter.file);
    if (!file.open(QIODevice::WriteOnly) || file.write(code) != code.size())
        return {"can't write", {}, -1};
    file.close();
    QProcess process;
    process.setWorkingDirectory(folder.path());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", searchPath(interpreter));
    process.setProcessEnvironment(environment);
    // What this test inherited is not the program's.
    process.setChildProcessModifier([] { ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); });
    process.start(
        interpreter.path + '/' + interpreter.program, QStringList(interpreter.file) + arguments
    );
    process.closeWriteChannel();
    process.waitForFinished();
    const bool crashed = process.exitStatus() == QProcess::CrashExit;
    return {
        process.readAllStandardOutput(),
        process.readAllStandardError(),
        crashed ? 128 + process.exitCode() : process.exitCode()};
}

Ending runWarm(
    const Interpreter& interpreter,
    const QByteArray& code,
    const QStringList& arguments,
    const QString& path
)
{
    const Folder folder(path);
    RunnerPeer peer(folder.path().toStdString());
    peer.waitFor("hello");
    json prepare = interpreter.prepare;
    prepare["env"]["PATH"] = searchPath(interpreter).toStdString();
    prepare["argv"][0] = (interpreter.path + '/' + interpreter.program).toStdString();
    peer.sendControl(prepare);
    const json prepared = peer.waitFor("prepared");
    if (prepared["op"] != "prepared")
        return {QByteArray::fromStdString(prepared.dump()), {}, -1};
    json list = json::array();
    for (const QString& argument : arguments)
        list.push_back(argument.toStdString());
    peer.sendRun(
        {code.constData(), std::size_t(code.size())},
        {{"warm", true}, {"args", list}, {"file", interpreter.file.toStdString()}}
    );
    peer.sendData(Channel::Stdin, {}, true);
    const RunReport report = peer.collect();
    return {
        QByteArray::fromStdString(report.out),
        QByteArray::fromStdString(report.err),
        report.last.contains("signal") ? 128 + report.last["signal"].get<int>()
                                       : report.last.value("exit_code", -1)};
}

} // namespace

class TestRunnerDrivers : public QObject {
    Q_OBJECT

private:
    static void compare(
        const Interpreter& bareOne,
        const Interpreter& warmOne,
        const QByteArray& code,
        const QStringList& arguments
    )
    {
        const QTemporaryDir parent;
        const QString path = parent.filePath("work");
        const Ending bare = runBare(bareOne, code, arguments, path);
        const Ending warm = runWarm(warmOne, code, arguments, path);
        const auto withoutAddresses = [](const QByteArray& bytes) {
            static const QRegularExpression address("0x[0-9a-f]{6,}");
            return QString::fromUtf8(bytes).replace(address, "0xADDRESS");
        };
        QCOMPARE(withoutAddresses(warm.out), withoutAddresses(bare.out));
        QCOMPARE(withoutAddresses(warm.err), withoutAddresses(bare.err));
        // QProcess gives a crash's signal as the exit code.
        QCOMPARE(warm.exitCode, bare.exitCode);
    }

private slots:
    void runsPythonAsIfItWereBare_data()
    {
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const char* code) {
            QTest::newRow(name) << QByteArray(code);
        };
        row("nothing", "");
        row("arguments and file", R"(
import sys
print(sys.argv, sys.orig_argv[1:], __file__, __name__, __spec__, __doc__))");
        row("paths", R"(
import sys
print(sys.path, sys.meta_path, sys.path_hooks, sorted(sys.path_importer_cache), sys.flags, sys.warnoptions, sys._xoptions))"
        );
        row("modules", "import sys\nprint(sorted(sys.modules))");
        row("environment", R"(
import os
skip = ('SHLVL', '_', 'OLDPWD', 'PWD')
print(sorted((k, v) for k, v in os.environ.items() if k not in skip))
print(sorted(l for l in os.popen('env').read().splitlines() if l.split('=')[0] not in skip)))");
        row("globals", "print(sorted(globals()), sorted(dir(__builtins__)))");
        row("descriptors", "import os\nprint(sorted(os.listdir('/proc/self/fd')))");
        row("signals", R"(
import signal
print([(s, str(signal.getsignal(s))) for s in signal.valid_signals()])
print(signal.pthread_sigmask(signal.SIG_BLOCK, [])))");
        row("threads", R"(
import threading
print(threading.enumerate()[0].name, threading.active_count())
t = threading.Thread(target=lambda: print('in a thread')); t.start(); t.join())");
        row("a traceback", R"(
def f(x):
    return 1 / x

class A:
    def g(self):
        f(0)

A().g())");
        row("a chained exception", R"(
try:
    {}['a']
except KeyError as e:
    raise ValueError('no') from e)");
        row("a syntax error", "x = 1\nprint('a'\nfor\n");
        row("a null byte error", "print(1)\nif True:\nprint(2)\n");
        row("exit with a number", "import sys\nsys.exit(7)");
        row("exit with a text", "import sys\nsys.exit('bad things')");
        row("exit with nothing", "import sys\nsys.exit()");
        row("exit from a handler",
            "import atexit, os\natexit.register(print, 'bye')\natexit.register(lambda: "
            "print('first'))");
        row("exit without clean-up", "import os\nos._exit(9)");
        row("an interrupt",
            "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nimport time; time.sleep(1)");
        row("an abort", "import os\nprint('x', flush=True)\nos.abort()");
        row("a kill", "import os\nos.kill(os.getpid(), 9)");
        row("input at its end", "print(repr(__import__('sys').stdin.read()))\ninput('? ')");
        row("a subprocess of Python", R"(
import subprocess, sys
p = subprocess.run([sys.executable, '-c', 'import sys, os; print(sys.argv, sys.path, sorted(sys.modules), os.listdir("/proc/self/fd"))'])
print(p.returncode))");
        row("a process pool", R"(
import multiprocessing
def square(x):
    return x * x
if __name__ == '__main__':
    for way in ('fork', 'spawn', 'forkserver'):
        with multiprocessing.get_context(way).Pool(2) as pool:
            print(way, pool.map(square, range(5))))");
        row("its own socket as descriptor 3", R"(
import os, socket, subprocess, sys
a, b = socket.socketpair()
os.dup2(a.fileno(), 3, inheritable=True)
print(subprocess.run([sys.executable, '-c', 'print(4)'], pass_fds=[3], timeout=10).returncode))");
        row("its own module beside it", R"(
open('helper.py', 'w').write('value = 42')
import helper
print(helper.value, helper.__file__))");
        row("reading its own source",
            "import inspect, sys\nprint(inspect.getsource(sys.modules['__main__']))");
        row("warnings",
            "import warnings\nwarnings.warn('old', DeprecationWarning)\nassert (1, 'x') is not None"
        );
        row("unraisable", "class A:\n    def __del__(self): raise ValueError('late')\nA()");
        row("tracing",
            "import sys\nprint(sys.gettrace(), sys.getprofile(), sys.excepthook, sys.displayhook, "
            "sys.getrecursionlimit())");
        row("a BOM and CRLF", "\xEF\xBB\xBFprint('''a\r\n\"b\"''')\r\nprint(r'\\n')\r\n");
        row("coroutines",
            "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return "
            "5\nprint(asyncio.run(f()))");
        row("an image's own sitecustomize", "import sys\nprint(sys.modules.get('sitecustomize'))");
        row("what the collector knows", R"(
import gc, sys
gc.collect()
bad = []
for o in gc.get_objects():
    if type(o) is type(sys) and 'customize' in o.__name__: bad.append(repr(o))
    if isinstance(o, dict) and 'customize' in str(o.get('__name__')): bad.append(str(o.get('__file__')))
    if type(o).__name__ in ('function', 'FileFinder', 'ModuleSpec', 'SourceFileLoader') and 'customize' in str(getattr(o, 'name', '')) : bad.append(repr(o))
print(bad, gc.get_stats()[0].keys(), gc.isenabled(), gc.get_threshold()))");
        row("who called",
            "import sys\nf = sys._getframe()\nprint(f.f_back, f.f_code.co_filename, f.f_lineno)");
    }

    void runsPythonAsIfItWereBare()
    {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("python3 is not installed");
        QFETCH(QByteArray, code);

        compare(
            python(),
            python(),
            code,
            {"one", "two words", "", "a\"b\\c\n\x01", "é🙂", "[x],\"y\"]}"}
        );
    }

    void runsNodeAsIfItWereBare_data()
    {
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const char* code) {
            QTest::newRow(name) << QByteArray(code);
        };
        row("nothing", "");
        row("arguments and file",
            "console.log(process.argv, process.argv0, __filename, __dirname, process.execArgv, "
            "process.title)");
        row("modules",
            "console.log(Object.keys(require.cache), require.main === module, module.children, "
            "module.parent, module.paths)");
        row("loader caches",
            "console.log(require('module')._pathCache, Object.keys(require('module')._cache), "
            "require('module').runMain.toString().length, process._preload_modules)");
        row("environment",
            "for (const k of Object.keys(process.env).sort()) if "
            "(!['SHLVL','_','PWD','OLDPWD'].includes(k)) console.log(k, process.env[k])");
        row("descriptors below ten",
            "console.log(require('fs').readdirSync('/proc/self/fd').length)");
        row("globals",
            "console.log(Object.getOwnPropertyNames(globalThis).sort().join(), "
            "process.listeners('exit'), process.eventNames())");
        row("a missing module", "require('./nothing')");
        row("a missing package", "const x = require('leftpad')");
        row("an uncaught error", "function f() { throw new TypeError('no') }\n\nf()");
        row("a syntax error", "let x = 1;\nlet x = 2;");
        row("another syntax error", "console.log('a'\nfoo bar");
        row("an unhandled rejection", "Promise.reject(new Error('late'))");
        row("process.exit", "process.on('exit', c => console.log('bye', c)); process.exit(5)");
        row("process.exitCode", "process.exitCode = 3; setTimeout(() => console.log('later'), 5)");
        row("a kill", "process.kill(process.pid, 'SIGKILL'); setTimeout(() => {}, 1000)");
        row("an abort by SIGTERM",
            "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1000)");
        row("stdin at its end",
            "process.stdin.on('data', d => console.log('data', d)).on('end', () => "
            "console.log('end'))");
        row("a worker", R"(
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
    const w = new Worker(__filename, { workerData: 4 });
    w.on('message', m => console.log('from worker', m));
    w.on('exit', c => console.log('exit', c));
} else parentPort.postMessage([workerData * 2, process.execArgv, Object.keys(require.cache)]);)");
        row("fork", R"(
const { fork } = require('child_process');
if (process.argv[2] === 'child') process.send([process.argv.slice(1), process.execArgv], () => process.disconnect());
else fork(__filename, ['child']).on('message', m => console.log(m)).on('exit', c => console.log('exit', c));)"
        );
        row("cluster", R"(
const cluster = require('cluster');
if (cluster.isPrimary) cluster.fork().on('message', m => console.log('got', m)).on('exit', c => console.log('exit', c));
else process.send('hello', () => process.exit(2));)");
        row("a child Node",
            "console.log(require('child_process').execFileSync(process.execPath, ['-p', "
            "'process.execArgv.length + \" \" + Object.keys(require.cache).length']).toString())");
        row("ES module",
            "import fs from 'fs';\nexport const x = 1;\nconsole.log(typeof fs.readFileSync, typeof "
            "require, import.meta.url.slice(0, 8), this);");
        row("top-level await", "const x = await Promise.resolve(5);\nconsole.log(x);");
        row("a word that looks like one",
            "// import export await\nconst s = 'import x from y'; console.log(s, typeof require, "
            "this === module.exports)");
        row("dynamic import", "import('fs').then(m => console.log(typeof m.readFileSync))");
        row("an error in an ES module", "import fs from 'fs';\n\nnull.x;");
        row("a shebang", "#!/usr/bin/env node\nconsole.log('ran')");
        row("a BOM",
            "\xEF\xBB\xBF"
            "console.log('ran')");
        row("regular expression leftovers",
            "console.log([RegExp.$1, RegExp.lastMatch, RegExp.input])");
        row("stack", "console.log(new Error('here').stack)");
        row("timers and microtasks",
            "setImmediate(() => console.log(3)); Promise.resolve().then(() => console.log(2)); "
            "process.nextTick(() => console.log(1))");
        row("WebAssembly",
            "WebAssembly.instantiate(new Uint8Array([0,97,115,109,1,0,0,0])).then(r => "
            "console.log(r.instance instanceof WebAssembly.Instance))");
    }

    void runsNodeAsIfItWereBare()
    {
        if (QStandardPaths::findExecutable("node").isEmpty())
            QSKIP("node is not installed");
        QFETCH(QByteArray, code);

        // Node that doesn't look at the syntax itself runs an ES module only by its name.
        Interpreter bare = node();
        const bool isModule = code.contains("import fs from") || code.startsWith("const x = await");
        if (isModule && !nodeDetectsModules())
            bare.file = "main.mjs";
        compare(bare, node(), code, {"one", "two words", "", "a\"b\\c\n", "é🙂"});
    }

    void endsAWaitingInterpreterWithTheRunner()
    {
        const QTemporaryDir folder;
        RunnerPeer peer(folder.path().toStdString());
        peer.waitFor("hello");
        peer.sendControl(python().prepare);
        QVERIFY(peer.waitFor("prepared")["op"] == "prepared");

        peer.closeInput();

        QCOMPARE(peer.waitForEnd(), 0);
    }

    void answersFasterThanABareStart()
    {
        const Interpreter interpreter = python();
        using Clock = std::chrono::steady_clock;
        std::chrono::duration<double, std::milli> bare{1e9};
        std::chrono::duration<double, std::milli> warm{1e9};
        for (int round = 0; round < 5; ++round) {
            auto begin = Clock::now();
            QProcess::execute(interpreter.path + "/python3", {"-c", "pass"});
            bare = std::min<decltype(bare)>(bare, Clock::now() - begin);

            const QTemporaryDir folder;
            RunnerPeer peer(folder.path().toStdString());
            peer.waitFor("hello");
            json prepare = interpreter.prepare;
            prepare["env"]["PATH"] = searchPath(interpreter).toStdString();
            peer.sendControl(prepare);
            peer.waitFor("prepared");
            begin = Clock::now();
            peer.sendRun("print(1)", {{"warm", true}, {"file", "main.py"}});
            peer.sendData(Channel::Stdin, {}, true);
            QCOMPARE(peer.collect().out, std::string("1\n"));
            warm = std::min<decltype(warm)>(warm, Clock::now() - begin);
        }
        qInfo("python3 -c pass %.1f ms, print(1) warm %.1f ms", bare.count(), warm.count());
        QVERIFY(warm < bare * 1.5);
    }
};

QTEST_GUILESS_MAIN(TestRunnerDrivers)
#include "tst_runner_drivers.moc"
