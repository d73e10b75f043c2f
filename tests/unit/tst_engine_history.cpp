// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does to the history, from the command to the event; the engine is whole, Docker is
// not there.
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/engine.h"
#include "engine/store/run_search.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "store_fixture.h"

using namespace belljar;
using namespace belljar::test;
using namespace std::chrono_literals;

namespace {

/// An engine over a history that has one ended execution.
class Bench {
public:
    Bench()
    {
        execution::Record received = recordFor("print(1)");
        received.receivedAt = 1000; // long ago
        execution::Record ended = m_history.received(received, "print(1)").value();
        ended.status = execution::Status::Succeeded;
        if (!m_history.commit(ended))
            throw std::runtime_error("not committed");
        id = ended.id;
        m_history.store.reset();
        const auto folder = m_history.folder.path();
        EngineOptions options;
        options.paths = {folder / "config", folder, folder / "state", folder / "runtime", folder};
        options.dockerHost = "unix:///nonexistent/docker.sock";
        m_engine = std::make_unique<Engine>(options, [this](Event event) {
            const std::lock_guard lock(m_mutex);
            m_events.push_back(std::move(event));
            m_changed.notify_all();
        });
        m_serving = std::thread([this] {
            static_cast<void>(m_engine->run([this] {
                const std::lock_guard lock(m_mutex);
                m_ready = true;
                m_changed.notify_all();
            }));
        });
        wait([this] { return m_ready; });
    }
    ~Bench()
    {
        m_engine->stop();
        m_serving.join();
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void submit(Command command) { m_engine->submit(std::move(command)); }
    /// The first event of its kind.
    template <class T>
    T told()
    {
        T found;
        wait([&] {
            for (const Event& event : m_events) {
                if (const auto* one = std::get_if<T>(&event)) {
                    found = *one;
                    return true;
                }
            }
            return false;
        });
        return found;
    }
    std::vector<store::RunRow> rows() const
    {
        return store::RunSearch::open(m_history.file)->rows({}).value();
    }
    std::string audited(const std::string& type) const
    {
        SQLite::Database database(m_history.file.string());
        SQLite::Statement select(database, "SELECT execution FROM audit WHERE type = ?");
        select.bind(1, type);
        return select.executeStep() ? select.getColumn(0).getString() : "";
    }

    ExecutionId id;

private:
    void wait(const std::function<bool()>& until)
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait_for(lock, 20s, until))
            throw std::runtime_error("the engine said nothing");
    }

    History m_history;
    std::mutex m_mutex; ///< guards what follows
    std::condition_variable m_changed;
    std::vector<Event> m_events;
    bool m_ready = false;
    std::unique_ptr<Engine> m_engine;
    std::thread m_serving;
};

} // namespace
#endif

class TestEngineHistory : public QObject {
    Q_OBJECT

private slots:
    void keepsMarks()
    {
        Bench bench;
        const execution::Marks marks{true, "note", {"tag"}};
        bench.submit(MarkExecution{1, bench.id, marks});
        const auto changed = bench.told<MarksChanged>();
        QVERIFY(changed.id == bench.id && changed.marks == marks);
        QVERIFY(bench.rows().front().marks == marks);
    }

    void saysWhyItKeepsNone()
    {
        Bench bench;
        bench.submit(MarkExecution{7, ExecutionId("ex_none"), {}});
        QCOMPARE(bench.told<HistoryChangeFailed>().token, 7U);
    }

    void deletesWhatItCanAndSaysWhatNot()
    {
        Bench bench;
        bench.submit(DeleteExecutions{3, {bench.id, ExecutionId("ex_none")}});
        const auto deleted = bench.told<ExecutionsDeleted>();
        QVERIFY(deleted.token == 3 && deleted.ids == std::vector{bench.id});
        QCOMPARE(bench.told<HistoryChangeFailed>().token, 3U);
        QVERIFY(bench.rows().empty());
        QCOMPARE(bench.audited("history_deleted"), bench.id.text());
    }

    void deletesWhatHasExpired()
    {
        Bench bench;
        bench.submit(CleanUp{1}); // for ever: nothing is to go
        QVERIFY(!bench.told<SettingsCommandDone>().error);
        QCOMPARE(bench.told<DataMeasured>().executions, 1U);
        QCOMPARE(bench.rows().size(), 1U);
        EngineSettings settings;
        settings.keepDays = 30;
        bench.submit(ChangeSettings{2, settings});
        bench.submit(CleanUp{3});
        QVERIFY(bench.told<ExecutionsDeleted>().ids == std::vector{bench.id});
        QVERIFY(bench.rows().empty());
        QCOMPARE(bench.audited("history_deleted"), bench.id.text());
    }
};

QTEST_GUILESS_MAIN(TestEngineHistory)
#include "tst_engine_history.moc"
