// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#undef emit       // Qt's word for nothing is Asio's name of a function
#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/store/database.h"
#include "engine/store/write_thread.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <future>
#include <limits>
#include <mutex>

#include "store_fixture.h"
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace belljar;
using namespace belljar::execution;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

constexpr auto kMaxU64 = std::numeric_limits<std::uint64_t>::max();
constexpr auto kMaxI64 = std::numeric_limits<std::int64_t>::max();
constexpr auto kMinI64 = std::numeric_limits<std::int64_t>::min();

/// Text with everything that tends to get lost.
const std::string kOddText = std::string("a\0b\r\n\xff\xc3\xa9'\";--", 13);

/// Sets every field of `record` to something that isn't its default. The bindings break the build
/// when a field is added: then it needs a column, a migration and a value here.
void fill(Record& record)
{
    auto& [id, sequence, client, language, codeSha256, codeBytes, firstLine, args, status, limits, container, policy, policyVersion, verdict, decidedBy, reasons, decidingRule, remembered, comment, ranSha256, findings, worstFinding, image, imageDigest, containerId, settingsSha256, receivedAt, analysedAt, decidedAt, queuedAt, startedAt, firstOutputAt, endedAt, queueTime, approvalTime, executionTime, cpuTime, memoryPeakBytes, exitCode, signal, timedOut, oomKilled, outputTruncated, leftProcesses, standardOutput, standardError, notes, error] =
        record;
    static_cast<void>(id), static_cast<void>(sequence), static_cast<void>(codeSha256);
    auto& [clientId, name, title, version, transport, protocolRevision, pid, executable, connectedAt] =
        client;
    clientId = ClientId(kOddText);
    name = kOddText + "name", title = kOddText + "title", version = "1.2", transport = "socket";
    protocolRevision = "2025-11-25", pid = kMinI64, executable = "/usr/bin/\xff",
    connectedAt = kMaxI64;
    language = "python", codeBytes = kMaxU64, firstLine = kOddText;
    args = {"", kOddText, std::string(70'000, 'x'), "1:2,", ""};
    status = Status::OutOfMemory;
    auto& [timeout, memoryBytes, cpuMillis, pids, outputBytes, workspaceBytes, tmpBytes] = limits;
    timeout = milliseconds(kMaxI64), memoryBytes = kMaxU64, cpuMillis = 4'294'967'295U,
    pids = 4'294'967'294U;
    outputBytes = kMaxU64 - 1, workspaceBytes = kMaxU64 - 2, tmpBytes = 1ULL << 63U;
    image = "belljar/python", imageDigest = "sha256:0f", containerId = "c0ffee";
    receivedAt = kMaxI64, startedAt = kMinI64, endedAt = 0;
    analysedAt = 1, decidedAt = kMaxI64, queuedAt = kMinI64, firstOutputAt = -1;
    settingsSha256 = "0f";
    queueTime = 1ms, approvalTime = 2ms, executionTime = milliseconds(kMinI64), cpuTime = 4ms;
    memoryPeakBytes = kMaxU64 - 3;
    exitCode = std::numeric_limits<int>::min(), signal = std::numeric_limits<int>::max();
    timedOut = true, oomKilled = true, outputTruncated = true, leftProcesses = 4'294'967'293U;
    standardOutput = {kMaxU64, 2, 3, 4};
    standardError = {5, kMaxU64, 7, 8};
    auto& [readOnlyRoot, seccomp, runtime] = container;
    readOnlyRoot = false, seccomp = Seccomp::Engine, runtime = kOddText;
    policy = kOddText + "policy", policyVersion = kMaxI64, verdict = Verdict::Deny;
    decidedBy = DecidedBy::Client, reasons = {kOddText, ""}, decidingRule = kOddText + "rule";
    remembered = kOddText + "remembered", comment = kOddText + "comment", ranSha256 = "5e";
    findings = 4'294'967'292U, worstFinding = "critical";
    notes = {"a sentence", kOddText};
    error = kOddText;
}

QByteArray bytes(const std::string& text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

QString message(const Error& error)
{
    return QString::fromStdString(error.message());
}

unsigned modeOf(const std::filesystem::path& file)
{
    struct stat info {};
    return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777U : 0U;
}

std::vector<OutputChunk>
chunk(std::string bytes, std::uint64_t offset = 0, Stream stream = Stream::Stdout)
{
    std::vector<OutputChunk> chunks(1);
    chunks[0].stream = stream;
    chunks[0].offset = offset;
    chunks[0].bytes = std::move(bytes);
    return chunks;
}

std::int64_t ask(const std::filesystem::path& file, const std::string& sql)
{
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, 5000);
    return database.execAndGet(sql).getInt64();
}

/// Failures told by the store thread, for the test's thread.
class Failures {
public:
    std::function<void(Error)> sink()
    {
        return [this](const Error& error) {
            const std::lock_guard lock(m_mutex);
            m_errors.push_back(error);
        };
    }
    std::vector<Error> all() const
    {
        const std::lock_guard lock(m_mutex);
        return m_errors;
    }
    std::size_t count() const { return all().size(); }

private:
    mutable std::mutex m_mutex;
    std::vector<Error> m_errors;
};

/// No file of this process grows beyond `bytes` while it lives: what a full disk does.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit tight = m_before;
        tight.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &tight);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
};

/// The store thread over a database that the test has tuned.
struct Workbench {
    PrivateFolder folder;
    std::filesystem::path file = folder.path() / "history.db";
    Failures failures;
    std::unique_ptr<store::WriteThread> thread;

    explicit Workbench(const std::string& pragma, int patienceMs = 5000)
    {
        auto database = store::openForWriting(file);
        (*database)->setBusyTimeout(patienceMs);
        if (!pragma.empty())
            static_cast<void>((*database)->execAndGet(pragma));
        thread = std::make_unique<store::WriteThread>(
            std::make_unique<store::Writer>(file, std::move(*database))
        );
        thread->onFailure(failures.sink());
    }

    /// Waits for a write of `record`.
    Result<> receive(const Record& record, const std::string& code)
    {
        return await([record, code](store::Writer& writer) -> Result<> {
            auto inserted = writer.insert(record, code);
            return inserted ? Result<>() : Result<>(fail(inserted.error()));
        });
    }
    Result<> await(std::function<Result<>(store::Writer&)> work)
    {
        std::promise<Result<>> done;
        store::Write write;
        write.what = "awaited";
        write.apply = std::move(work);
        write.settled = [&done](const Result<>& result) { done.set_value(result); };
        thread->push(std::move(write));
        return done.get_future().get();
    }
    void append(const ExecutionId& id, const std::string& output)
    {
        store::Write write;
        write.kind = store::Write::Kind::Output;
        write.what = "output of " + id.text();
        write.bytes = output.size();
        write.apply = [id, chunks = chunk(output)](store::Writer& writer) {
            return writer.keep(id, chunks);
        };
        thread->push(std::move(write));
    }
    void sample(const ExecutionId& id, std::size_t countedBytes)
    {
        store::Write write;
        write.kind = store::Write::Kind::Samples;
        write.what = "samples of " + id.text();
        write.bytes = countedBytes;
        const std::vector<Sample> samples(1);
        write.apply = [id, samples](store::Writer& writer) { return writer.keep(id, samples); };
        thread->push(std::move(write));
    }
};

/// What the child process does for survivesKill: writes, and is gone the moment the write returned.
asio::awaitable<Result<>> writeAndDie(store::Store& store, std::string step)
{
    const std::string code = "print('durable')\n";
    Record record = recordFor(code);
    record.id = ExecutionId("ex_durable");
    auto received = co_await store.received(record, text(code));
    if (received && step == "commit") {
        received->status = Status::Succeeded;
        received->exitCode = 0;
        store.append(record.id, chunk("kept\n"));
        auto committed = co_await store.commit(*received);
        if (!committed)
            co_return fail(committed.error());
    }
    ::kill(::getpid(), SIGKILL);
    co_return Result<>();
}

/// Comes to the store at `begin`, or when it is cancelled.
asio::awaitable<Result<Record>> receiveAt(Deadline begin, store::Store& store, Record record)
{
    asio::steady_timer timer(co_await asio::this_coro::executor, begin);
    boost::system::error_code cancelled;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    co_return co_await store.received(std::move(record), text("a"));
}

int childMain(const std::string& step, const std::string& file)
{
    asio::io_context context;
    auto opened = store::Store::open(file);
    if (!opened)
        return 3;
    auto done = runToEnd(context, writeAndDie(**opened, step));
    return done ? 0 : 4;
}

} // namespace
#endif

class TestStore : public QObject {
    Q_OBJECT

private slots:
    void keepsEveryFieldOfARecord()
    {
        History history;
        const std::string code = "pass\n";
        Record record = recordFor(code);
        fill(record);

        const auto received = history.received(record, code);

        QVERIFY2(received, received ? "" : received.error().message().c_str());
        record.sequence = received->sequence;
        QVERIFY(record.sequence > 0);
        QVERIFY(*received == record);
        auto reader = history.reader();
        QVERIFY(reader.record(record.id).value() == record);
        QVERIFY(reader.page({}).value().at(0) == record);
    }

    void keepsEveryFieldThroughACommit()
    {
        History history;
        const Record before = history.receive("pass\n");
        Record after = before;
        fill(after);

        QVERIFY(history.commit(after));

        QVERIFY(history.reader().record(before.id).value() == after);
        QVERIFY(!(before == after));
    }

    void forgetsOptionalValuesThatWereWithdrawn()
    {
        History history;
        Record record = history.receive();
        record.exitCode = 3;
        QVERIFY(history.commit(record));
        record.exitCode.reset();

        QVERIFY(history.commit(record));

        QVERIFY(history.reader().record(record.id).value() == record);
    }

    void keepsEveryStatus()
    {
        History history;
        for (int value = 0; value <= static_cast<int>(Status::Error); ++value) {
            Record record = history.receive();
            record.status = static_cast<Status>(value);
            QVERIFY(history.commit(record));
            QVERIFY(history.reader().record(record.id).value().status == record.status);
        }
    }

    void returnsCodeByteForByte_data()
    {
        QTest::addColumn<QByteArray>("code");
        QByteArray all;
        for (int byte = 0; byte < 256; ++byte)
            all.append(static_cast<char>(byte));
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("NUL") << QByteArray("a\0b\0", 4);
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFprint(1)\n");
        QTest::newRow("CRLF") << QByteArray("a\r\nb\rc\n\n");
        QTest::newRow("every byte") << all;
        QTest::newRow("big and compressible") << QByteArray(3'000'000, 'x');
        QTest::newRow("just worth compressing") << QByteArray(256, 'x');
        QTest::newRow("not compressible") << bytes(randomHex(200'000));
    }
    void returnsCodeByteForByte()
    {
        QFETCH(QByteArray, code);
        History history;
        const Record record = history.receive(code.toStdString());

        const auto read = history.reader().code(record.id);

        QVERIFY2(read, read ? "" : read.error().message().c_str());
        QCOMPARE(bytes(*read), code);
    }

    void keepsTheSameCodeOnce()
    {
        History history;
        const std::string code(100'000, 'x');
        history.receive(code);
        history.receive(code);
        history.receive("other");

        QCOMPARE(ask(history.file, "SELECT count(*) FROM blobs"), 2);
        QCOMPARE(ask(history.file, "SELECT count(*) FROM executions"), 3);
        QVERIFY(ask(history.file, "SELECT max(length(content)) FROM blobs") < 1000);
    }

    void refusesCodeThatIsNotWhatTheRecordSays()
    {
        History history;

        const auto received = history.received(recordFor("print(1)"), "print(2)");

        QVERIFY(!received);
        QCOMPARE(nameOf(received.error().code()), nameOf(Errc::InvalidArgument));
        QCOMPARE(history.reader().count().value(), 0U);
    }

    void refusesTheSameIdTwice()
    {
        History history;
        const Record record = history.receive("a");

        const auto again = history.received(record, "a");

        QVERIFY(!again);
        QCOMPARE(nameOf(again.error().code()), nameOf(Errc::StoreFailed));
        QVERIFY(message(again.error()).contains("history.db"));
    }

    void numbersExecutionsInTheOrderReceived()
    {
        History history;
        const auto first = history.receive().sequence;
        const auto second = history.receive().sequence;
        history.reopen();
        const auto third = history.receive().sequence;

        QVERIFY(first < second);
        QVERIFY(second < third);
    }

    void commitsOnlyWhatWasReceived()
    {
        History history;

        const auto committed = history.commit(recordFor("a"));

        QVERIFY(!committed);
        QCOMPARE(nameOf(committed.error().code()), nameOf(Errc::NotFound));
    }

    void writesUpdatesInOrder()
    {
        History history;
        Record record = history.receive();
        for (const Status status : {Status::Analysing, Status::Queued, Status::Running}) {
            record.status = status;
            history.store->update(record);
        }
        record.status = Status::Succeeded;

        QVERIFY(history.commit(record));

        QVERIFY(history.reader().record(record.id).value().status == Status::Succeeded);
    }

    void survivesKill_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("status");
        QTest::newRow("after received") << "received"
                                        << "received";
        QTest::newRow("after commit") << "commit"
                                      << "succeeded";
    }
    void survivesKill()
    {
        QFETCH(QString, step);
        QFETCH(QString, status);
        PrivateFolder folder;
        const auto file = folder.path() / "history.db";
        QProcess child;
        child.setProcessChannelMode(QProcess::ForwardedChannels);

        child.start(
            QCoreApplication::applicationFilePath(),
            {"--write", step, QString::fromStdString(file.string())}
        );
        QVERIFY(child.waitForFinished(60'000));

        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        auto opened = store::Store::open(file);
        QVERIFY2(opened, opened ? "" : opened.error().message().c_str());
        auto reader = store::HistoryReader::open(file).value();
        const auto record = reader.record(ExecutionId("ex_durable"));
        QVERIFY2(record, record ? "" : record.error().message().c_str());
        QCOMPARE(QString::fromStdString(std::string(statusTraits(record->status).name)), status);
        QCOMPARE(bytes(reader.code(record->id).value()), QByteArray("print('durable')\n"));
        if (step == "commit")
            QVERIFY(reader.output(record->id).value() == chunk("kept\n"));
    }

    void makesItsFilesPrivateWhateverTheUmask()
    {
        const mode_t before = ::umask(0);
        History history;
        history.receive();
        ::umask(before);

        for (const char* ending : {"", "-wal", "-shm"}) {
            const std::filesystem::path file = history.file.string() + ending;
            QVERIFY2(std::filesystem::exists(file), file.c_str());
            QCOMPARE(modeOf(file), 0600U);
        }
    }

    void makesAnOpenFilePrivate()
    {
        History history;
        history.store.reset();
        ::chmod(history.file.c_str(), 0644);

        history.store = history.open();

        QCOMPARE(modeOf(history.file), 0600U);
    }

    void refusesAFolderThatOthersCanWrite()
    {
        PrivateFolder folder;
        ::chmod(folder.path().c_str(), 0770);

        const auto opened = store::Store::open(folder.path() / "history.db");

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::Unsafe));
    }

    void refusesALink()
    {
        PrivateFolder folder;
        std::filesystem::create_symlink("/tmp/elsewhere.db", folder.path() / "history.db");

        const auto opened = store::Store::open(folder.path() / "history.db");

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::StoreFailed));
        QVERIFY(!std::filesystem::exists("/tmp/elsewhere.db"));
    }

    void interruptsWhatAnEarlierLifeLeft()
    {
        History history;
        Record running = history.receive();
        running.status = Status::Running;
        QVERIFY(history.commit(running));
        const Record received = history.receive();
        Record done = history.receive();
        done.status = Status::Succeeded;
        QVERIFY(history.commit(done));
        history.reopen();
        const Record alive = history.receive();

        const auto interrupted = runToEnd(
            history.context, history.store->interruptUnfinished("the engine ended meanwhile")
        );

        QVERIFY(interrupted);
        QCOMPARE(interrupted->size(), 2U);
        auto reader = history.reader();
        for (const Record& record : *interrupted) {
            QVERIFY(record.id == running.id || record.id == received.id);
            QVERIFY(record.status == Status::Interrupted);
            QVERIFY(record.endedAt.has_value());
            QCOMPARE(bytes(record.error), QByteArray("the engine ended meanwhile"));
            QVERIFY(reader.record(record.id).value() == record);
        }
        QVERIFY(reader.record(done.id).value() == done);
        QVERIFY(reader.record(alive.id).value() == alive);
    }

    void keepsOutputOfInterleavedExecutionsInOrder()
    {
        History history;
        const Record one = history.receive();
        const Record two = history.receive();
        std::vector<OutputChunk> ofOne;
        std::vector<OutputChunk> ofTwo;
        for (std::uint64_t index = 0; index < 200; ++index) {
            const Stream stream = index % 3 == 0 ? Stream::Stderr : Stream::Stdout;
            const auto first = chunk("one " + std::to_string(index), index, stream);
            const auto second = chunk(std::string(index * 10, 'x') + '\0', kMaxU64 - index, stream);
            history.store->append(one.id, first);
            history.store->append(two.id, second);
            ofOne.push_back(first[0]);
            ofTwo.push_back(second[0]);
        }
        QVERIFY(history.commit(one));

        auto reader = history.reader();
        QVERIFY(reader.output(one.id).value() == ofOne);
        QVERIFY(reader.output(two.id).value() == ofTwo);
    }

    void keepsTenThousandAppends()
    {
        History history;
        const Record record = history.receive();
        for (std::uint64_t index = 0; index < 10'000; ++index)
            history.store->append(record.id, chunk(std::to_string(index) + "\n", index));
        QVERIFY(history.commit(record));

        const auto output = history.reader().output(record.id).value();

        QCOMPARE(output.size(), 10'000U);
        for (std::uint64_t index = 0; index < output.size(); ++index)
            QCOMPARE(output[index].offset, index);
    }

    void keepsSamplesExactly()
    {
        History history;
        const Record record = history.receive();
        std::vector<Sample> samples(3);
        samples[0].at = 100ms;
        samples[0].cpuPercent = 0.1 + 0.2;
        samples[1].at = milliseconds(kMaxI64);
        samples[1].cpuPercent = std::numeric_limits<double>::infinity();
        samples[1].memoryBytes = kMaxU64;
        samples[1].processes = 4'294'967'295U;
        samples[1].readBytes = kMaxU64 - 1;
        samples[1].outputBytes = kMaxU64 - 2;
        samples[1].writtenBytes = kMaxU64 - 2;
        samples[2].at = 50ms; // as taken, not as sorted
        history.store->append(record.id, samples);
        std::vector<Sample> notANumber(1);
        notANumber[0].cpuPercent = std::numeric_limits<double>::quiet_NaN();
        history.store->append(record.id, notANumber);
        QVERIFY(history.commit(record));

        auto read = history.reader().samples(record.id).value();

        QCOMPARE(read.size(), 4U);
        QVERIFY(std::isnan(read.back().cpuPercent));
        read.pop_back();
        QVERIFY(read == samples);
    }

    void writesQueuedOutputUnasked()
    {
        History history;
        const Record record = history.receive();
        auto reader = history.reader();

        history.store->append(record.id, chunk("soon"));

        QTRY_COMPARE(reader.output(record.id).value().size(), 1U);
    }

    void writesWhatIsQueuedWhenItEnds()
    {
        History history;
        Record record = history.receive();
        for (std::uint64_t index = 0; index < 1000; ++index)
            history.store->append(record.id, chunk("x", index));
        record.status = Status::Running;
        history.store->update(record);

        history.store.reset();

        auto reader = history.reader();
        QCOMPARE(reader.output(record.id).value().size(), 1000U);
        QVERIFY(reader.record(record.id).value().status == Status::Running);
    }

    void reportsAQueuedWriteThatFails()
    {
        History history;
        Failures failures;
        history.store->onFailure(failures.sink());
        const Record record = history.receive();

        history.store->append(ExecutionId("ex_nobody"), chunk("lost"));
        history.store->append(record.id, chunk("kept"));
        QVERIFY(history.commit(record));

        QTRY_COMPARE(failures.count(), 1U);
        QVERIFY(message(failures.all()[0]).contains("output of ex_nobody"));
        QCOMPARE(history.reader().output(record.id).value().size(), 1U);
    }

    void migratesForwardStepByStep()
    {
        PrivateFolder folder;
        const auto file = (folder.path() / "old.db").string();
        const std::array steps{
            store::Migration{1, "CREATE TABLE a (x); INSERT INTO a VALUES (1);"},
            store::Migration{2, "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1;"},
            store::Migration{3, "CREATE TABLE b AS SELECT x + y AS sum FROM a;"},
        };
        SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        const std::span all(steps);

        QVERIFY(store::migrate(database, all.first(1)));
        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), 1);
        database.exec("INSERT INTO a VALUES (10)");
        QVERIFY(store::migrate(database, all));
        QVERIFY(store::migrate(database, all)); // nothing left to do

        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), 3);
        QCOMPARE(
            database.execAndGet("SELECT group_concat(sum) FROM b").getString(), std::string("3,21")
        );
    }

    void keepsTheLastGoodVersionWhenAStepFails()
    {
        PrivateFolder folder;
        const auto file = (folder.path() / "old.db").string();
        const std::array steps{
            store::Migration{1, "CREATE TABLE a (x);"},
            store::Migration{2, "INSERT INTO a VALUES (1); INSERT INTO missing VALUES (1);"},
        };
        SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);

        const auto migrated = store::migrate(database, steps);

        QVERIFY(!migrated);
        QVERIFY(message(migrated.error()).contains("missing"));
        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), 1);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM a").getInt(), 0);
    }

    void numbersItsMigrationsWithoutAGap()
    {
        int expected = 1;
        for (const store::Migration& step : store::migrations())
            QCOMPARE(step.version, expected++);
    }

    void marksTheFileAsItsOwn()
    {
        History history;

        QCOMPARE(ask(history.file, "PRAGMA application_id"), 0x424C4A52);
        QCOMPARE(ask(history.file, "PRAGMA user_version"), store::schemaVersion());
    }

    void refusesANewerSchema()
    {
        History history;
        history.store.reset();
        SQLite::Database(history.file.string(), SQLite::OPEN_READWRITE)
            .exec("PRAGMA user_version = 9999");

        const auto opened = store::Store::open(history.file);

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::StoreFailed));
        QVERIFY2(
            message(opened.error()).contains("newer Belljar (schema 9999"),
            opened.error().message().c_str()
        );
        QVERIFY(message(opened.error()).contains(QString::fromStdString(history.file.string())));
    }

    void refusesADatabaseOfAnotherProgram()
    {
        PrivateFolder folder;
        const auto file = folder.path() / "history.db";
        SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("CREATE TABLE cookies (x)");

        const auto opened = store::Store::open(file);

        QVERIFY(!opened);
        QVERIFY(message(opened.error()).contains("another program"));
        QCOMPARE(ask(file, "SELECT count(*) FROM sqlite_schema"), 1);
    }

    void refusesADamagedFile()
    {
        PrivateFolder folder;
        const auto file = folder.path() / "history.db";
        std::ofstream(file) << std::string(8192, 'z');

        const auto opened = store::Store::open(file);

        QVERIFY(!opened);
        QCOMPARE(nameOf(opened.error().code()), nameOf(Errc::StoreFailed));
        QVERIFY2(message(opened.error()).contains("history.db"), opened.error().message().c_str());
        QVERIFY(message(opened.error()).contains("not a database"));
        QCOMPARE(std::filesystem::file_size(file), 8192U);
    }

    void survivesAFullDisk()
    {
        History history;
        Failures failures;
        history.store->onFailure(failures.sink());
        Record record = history.receive();
        {
            const FullDisk full(std::filesystem::file_size(history.file.string() + "-wal") + 8192);

            history.store->append(record.id, chunk(randomHex(500'000)));
            QTRY_COMPARE(failures.count(), 1U);
            const std::string big = randomHex(500'000);
            const auto refused = history.received(recordFor(big), big);

            QVERIFY(!refused);
            QCOMPARE(nameOf(refused.error().code()), nameOf(Errc::StoreFailed));
            QVERIFY(message(failures.all()[0]).contains("output of"));
        }
        record.status = Status::Succeeded;
        QVERIFY(history.commit(record));
        history.store->append(record.id, chunk("later"));
        history.reopen();
        QCOMPARE(history.reader().output(record.id).value().size(), 1U);
        QVERIFY(history.reader().record(record.id).value().status == Status::Succeeded);
    }

    void writesWhatFitsWhenTheRestDoesNot()
    {
        Workbench bench("PRAGMA max_page_count = 60");
        const Record record = recordFor("a");
        QVERIFY(bench.receive(record, "a"));

        bench.append(record.id, "before");
        bench.append(record.id, randomHex(400'000)); // more than the database may hold
        bench.append(record.id, "after");
        Record ended = record;
        ended.status = Status::Failed;
        const auto committed =
            bench.await([ended](store::Writer& writer) { return writer.replace(ended); });

        QVERIFY2(committed, committed ? "" : committed.error().message().c_str());
        QTRY_COMPARE(bench.failures.count(), 1U);
        QVERIFY2(
            message(bench.failures.all()[0]).contains("full"),
            bench.failures.all()[0].message().c_str()
        );
        auto reader = store::HistoryReader::open(bench.file).value();
        const auto output = reader.output(record.id).value();
        QCOMPARE(output.size(), 2U);
        QCOMPARE(bytes(output[1].bytes), QByteArray("after"));
        QVERIFY(reader.record(record.id).value().status == Status::Failed);
    }

    void keepsQueuedWritesWhileTheDatabaseIsHeld()
    {
        Workbench bench("", 1);
        const Record record = recordFor("a");
        QVERIFY(bench.receive(record, "a"));
        SQLite::Database other(bench.file.string(), SQLite::OPEN_READWRITE);
        other.exec("BEGIN IMMEDIATE");

        bench.append(record.id, "queued");
        const auto refused =
            bench.await([record](store::Writer& writer) { return writer.replace(record); });
        other.exec("ROLLBACK");

        QVERIFY(!refused);
        QVERIFY2(message(refused.error()).contains("locked"), refused.error().message().c_str());
        auto reader = store::HistoryReader::open(bench.file).value();
        QTRY_COMPARE(reader.output(record.id).value().size(), 1U);
        QCOMPARE(bench.failures.count(), 0U);
    }

    void dropsSamplesBeforeOutputWhenTheQueueIsFull()
    {
        Workbench bench("", 1);
        const Record record = recordFor("a");
        QVERIFY(bench.receive(record, "a"));
        SQLite::Database other(bench.file.string(), SQLite::OPEN_READWRITE);
        other.exec("BEGIN IMMEDIATE");
        const std::string megabyte(1024 * 1024, 'x');

        bench.sample(record.id, 64);
        for (int count = 0; count < 20; ++count)
            bench.append(record.id, megabyte);
        bench.sample(record.id, 64); // over a quarter: refused
        for (int count = 0; count < 60; ++count)
            bench.append(record.id, megabyte); // the last of them over the bound
        bench.thread->push([&] {
            store::Write state;
            state.what = "state";
            state.apply = [record](store::Writer& writer) { return writer.replace(record); };
            return state;
        }());
        other.exec("ROLLBACK");
        const auto done =
            bench.await([record](store::Writer& writer) { return writer.replace(record); });
        QVERIFY2(done, done ? "" : done.error().message().c_str());

        auto reader = store::HistoryReader::open(bench.file).value();
        QCOMPARE(reader.samples(record.id).value().size(), 1U);
        QCOMPARE(reader.output(record.id).value().size(), 63U);
        bench.thread.reset();
        // Told in as many reports as there were batches; together nothing is left out.
        std::uint64_t lostBytes = 0;
        std::uint64_t lostSamples = 0;
        for (const Error& error : bench.failures.all()) {
            static const QRegularExpression numbers(
                "too slowly: ([0-9,]+) bytes of output and ([0-9,]+) samples"
            );
            const auto match = numbers.match(message(error));
            QVERIFY2(match.hasMatch(), error.message().c_str());
            lostBytes += match.captured(1).remove(',').toULongLong();
            lostSamples += match.captured(2).remove(',').toULongLong();
        }
        QCOMPARE(lostBytes, 17U * megabyte.size());
        QCOMPARE(lostSamples, 1U);
    }

    void endsAWaitThatIsCancelled_data()
    {
        QTest::addColumn<QString>("when");
        QTest::addColumn<bool>("written");
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("before it began") << "before" << false << true;
        QTest::newRow("while it is queued or being written") << "writing" << true << true;
        QTest::newRow("written, not yet delivered") << "settled" << true << false;
        QTest::newRow("after it ended") << "after" << true << false;
    }
    void endsAWaitThatIsCancelled()
    {
        QFETCH(QString, when);
        QFETCH(bool, written);
        QFETCH(bool, cancelled);
        History history;
        const Record record = recordFor("a");
        SQLite::Database other(history.file.string(), SQLite::OPEN_READWRITE, 5000);
        if (when == "writing")
            other.exec("BEGIN IMMEDIATE"); // holds the store thread in the middle of its work
        asio::cancellation_signal signal;
        bool ended = false;
        bool wasCancelled = false;
        bool succeeded = false;
        asio::co_spawn(
            history.context,
            receiveAt(when == "before" ? deadlineIn(1h) : deadlineIn(0s), *history.store, record),
            asio::bind_cancellation_slot(
                signal.slot(),
                [&](const std::exception_ptr& thrown, const Result<Record>& result) {
                    ended = true;
                    wasCancelled = thrown && isCancellation(thrown);
                    succeeded = !thrown && result.has_value();
                }
            )
        );

        if (when == "before") {
            history.context.run_one_for(10s); // waits, but not yet for the store
            signal.emit(asio::cancellation_type::terminal);
        } else if (when == "writing") {
            while (history.context.run_one_for(10ms) != 0) {
            } // until all it does is wait for the store
            QVERIFY(!ended);
            signal.emit(asio::cancellation_type::terminal);
        } else if (when == "settled") {
            history.context.run_one_for(10s);
            history.context.run_one_for(10s); // queued
            // Committed, while the answer lies in the context's queue.
            auto reader = history.reader();
            QTRY_VERIFY(reader.record(record.id).has_value());
            history.store.reset();
            signal.emit(asio::cancellation_type::terminal);
        }
        history.context.run_for(kLongestWait);
        if (when == "after")
            signal.emit(asio::cancellation_type::terminal);
        if (when == "writing")
            other.exec("ROLLBACK");
        history.store.reset();

        QVERIFY(ended);
        QCOMPARE(wasCancelled, cancelled);
        QCOMPARE(succeeded, !cancelled);
        QCOMPARE(history.reader().record(record.id).has_value(), written);
    }

    void letsGoOfAWaitWhoseContextEnds()
    {
        // The context is stopped with the answer still in it; nothing may leak or be touched late.
        PrivateFolder folder;
        const auto file = folder.path() / "history.db";
        {
            asio::io_context context;
            auto store = store::Store::open(file).value();
            asio::co_spawn(
                context,
                store->received(recordFor("a"), text("a")),
                [](const std::exception_ptr&, const Result<Record>&) { QFAIL("nobody runs this"); }
            );
            context.run_one_for(10s);
            store.reset();
        }
        QCOMPARE(store::HistoryReader::open(file).value().count().value(), 1U);
    }
};

#ifndef Q_MOC_RUN
int main(int argc, char** argv)
{
    if (argc == 4 && std::string_view(argv[1]) == "--write")
        return childMain(argv[2], argv[3]);
    QCoreApplication application(argc, argv);
    TestStore test;
    return QTest::qExec(&test, argc, argv);
}
#endif
#include "tst_store.moc"
