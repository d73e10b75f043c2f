// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over concepts, raw strings and Boost
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "tests/support/gui_test.h"
#include "tests/ui/sample_history.h"
#include "tests/ui/sample_runs.h"
#include "ui/approvals/diff_view.h"
#include "ui/bridge/export_runs.h"
#include "ui/bridge/program_versions.h"
#include "ui/runs/compare_dialog.h"
#include "ui/runs/dashboard.h"
#include "ui/runs/marks_dialog.h"
#include "ui/runs/query_line.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_screen.h"
#include "ui/runs/runs_view.h"
#include "ui/runs/saved_filters.h"
#include "ui/runs/undo_strip.h"
#include "ui/runs/versions_dialog.h"

#include <memory>

using namespace belljar;
using namespace belljar::ui;
using execution::Record;
using execution::Status;
using test::SampleHistory;

namespace {

/// The screen over a history of four runs, newest first: 4 to 1.
struct Bench {
    SampleHistory history;
    std::vector<Record> runs;
    std::unique_ptr<HistoryLoader> loader;
    std::unique_ptr<RunsScreen> screen;
    std::vector<Command> commands;

    Bench()
    {
        const auto add = [this](
                             Status status,
                             const char* client,
                             const char* language,
                             int milliseconds,
                             const std::string& code,
                             const std::string& output
                         ) {
            runs.push_back(history.add(
                SampleHistory::run(code, status, client, language, milliseconds), code, output
            ));
        };
        add(Status::Succeeded, "Claude Code", "python", 100, "import requests\nprint(1)\n", "one");
        add(Status::Failed, "Kiro", "bash", 3000, "curl example.com\n", "no such host");
        add(Status::Succeeded,
            "Claude Code",
            "python",
            200,
            "import requests\nprint(2)\n",
            "two needles");
        add(Status::TimedOut, "Claude Code", "python", 9000, "while True: pass\n", "");
        history.waitForIndex();
        loader = std::make_unique<HistoryLoader>(history.file);
        screen = std::make_unique<RunsScreen>(*loader);
        QObject::connect(screen.get(), &RunsScreen::commandWanted, [this](const Command& command) {
            commands.push_back(command);
        });
        screen->resize(1200, 800);
        screen->show();
        QApplication::setActiveWindow(screen.get());
        if (!QTest::qWaitFor([this] { return rows() == 4; }))
            throw std::runtime_error("the history was not shown");
    }

    template <class T>
    T* find(const char* name) const
    {
        auto* found = screen->findChild<T*>(QLatin1String(name));
        if (!found)
            throw std::runtime_error(std::string("no ") + name);
        return found;
    }
    template <class T>
    T* one() const
    {
        return screen->findChild<T*>();
    }
    QTableView* table() const { return find<QTableView>("runsTable"); }
    int rows() const { return table()->model()->rowCount(); }
    QString cell(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    bool showsRows(int count) const
    {
        return QTest::qWaitFor([&] { return rows() == count && one<RunsModel>()->loaded(); });
    }
    void type(const QString& text) const
    {
        auto* line = find<QLineEdit>("queryLine");
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    void select(std::initializer_list<int> rowsToSelect) const
    {
        auto* selection = table()->selectionModel();
        selection->clearSelection();
        for (const int row : rowsToSelect) {
            const auto index = table()->model()->index(row, 0);
            selection->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
            selection->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
    template <class T>
    const T* lastCommand() const
    {
        return commands.empty() ? nullptr : std::get_if<T>(&commands.back());
    }
};

} // namespace
#endif

class TestRunsScreen : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("belljar-test"));
    }
    void init() { QSettings().clear(); }

    void filtersAsOneTypes()
    {
        Bench bench;
        bench.type(QStringLiteral("status:failed"));
        QVERIFY(bench.showsRows(1));
        QCOMPARE(bench.cell(0, RunsModel::Client), QStringLiteral("Kiro"));
        bench.type(QStringLiteral("requests \"needles\""));
        QTRY_COMPARE(bench.one<QueryLine>()->words(), (QStringList{"requests", "needles"}));
        QVERIFY(bench.showsRows(1));
        QCOMPARE(bench.cell(0, RunsModel::Client), QStringLiteral("Claude Code"));
        bench.type(QStringLiteral("zebra"));
        QVERIFY(bench.showsRows(0));
        QTRY_VERIFY(bench.one<RunsView>()->state() == RunsView::State::NothingFound);
        QTest::mouseClick(bench.find<QPushButton>("clearFiltersButton"), Qt::LeftButton);
        QVERIFY(bench.showsRows(4));
    }

    void chipsTakeAFilterAway()
    {
        Bench bench;
        bench.screen->setQuery(QStringLiteral("client:claude lang:python duration:>150ms"));
        QVERIFY(bench.showsRows(2));
        const auto chips = bench.screen->findChildren<QAbstractButton*>("queryChip");
        QCOMPARE(chips.size(), 3);
        QVERIFY(chips[2]->accessibleName().contains(QStringLiteral("duration: >150ms")));
        QTest::mouseClick(chips[2], Qt::LeftButton);
        QVERIFY(bench.showsRows(3));
        QCOMPARE(bench.one<QueryLine>()->text(), QStringLiteral("client:claude lang:python"));
    }

    void namesWhatItDoesNotUnderstand()
    {
        Bench bench;
        bench.screen->setQuery(QStringLiteral("memry:>1MB status:failed"));
        QVERIFY(bench.one<QueryLine>()->problem().contains(QStringLiteral("memry:>1MB")));
        QVERIFY(bench.showsRows(1)); // the rest holds
        bench.screen->setQuery({});
        QVERIFY(bench.one<QueryLine>()->problem().isEmpty());
    }

    void theNumbersFilter()
    {
        Bench bench;
        QTRY_COMPARE(bench.find<NumberTile>("succeededTile")->value(), QStringLiteral("50 %"));
        QCOMPARE(bench.find<NumberTile>("rateTile")->value(), QStringLiteral("4"));
        QCOMPARE(bench.find<NumberTile>("medianTile")->value(), QStringLiteral("200 ms"));
        auto* tile = bench.find<NumberTile>("succeededTile");
        tile->setFocus();
        QTest::keyClick(tile, Qt::Key_Space);
        QVERIFY(bench.showsRows(2));
        QCOMPARE(bench.one<QueryLine>()->text(), QStringLiteral("status:unsuccessful"));
        QVERIFY(tile->accessibleName().contains(QStringLiteral("50 %")));
    }

    void showsWhatSandboxesTake()
    {
        Bench bench;
        Record running = test::sampleRun(90, Status::Running);
        execution::Sample sample;
        sample.cpuPercent = 150;
        sample.memoryBytes = 512ULL << 20U;
        bench.screen->apply({ExecutionChanged{running}, SamplesTaken{running.id, {sample}}});
        auto* cpu = bench.find<NumberTile>("cpuTile");
        QTRY_VERIFY2(cpu->value().startsWith(QStringLiteral("1.5 ")), qPrintable(cpu->value()));
        QVERIFY(bench.find<NumberTile>("memoryTile")->value().startsWith(QStringLiteral("512 MB")));
        running.status = Status::Succeeded;
        bench.screen->apply({ExecutionChanged{running}});
        QTRY_VERIFY(cpu->value().startsWith(QStringLiteral("0.0 ")));
    }

    void groupsByCodeAndSession()
    {
        Bench bench;
        auto* box = bench.find<QComboBox>("groupingBox");
        box->setCurrentIndex(1);
        QVERIFY(bench.showsRows(2));
        QCOMPARE(bench.cell(0, RunsModel::Count), QStringLiteral("3"));
        QVERIFY(bench.one<RunsView>()->isColumnShown(RunsModel::Count));
        box->setCurrentIndex(0);
        QVERIFY(bench.showsRows(4));
        QVERIFY(!bench.one<RunsView>()->isColumnShown(RunsModel::Count));
    }

    void columnsAreRemembered()
    {
        Bench bench;
        QVERIFY(!bench.one<RunsView>()->isColumnShown(RunsModel::Policy));
        bench.one<RunsView>()->setColumnShown(RunsModel::Policy, true);
        bench.one<RunsView>()->setColumnShown(RunsModel::ExitCode, false);
        bench.screen = std::make_unique<RunsScreen>(*bench.loader);
        QVERIFY(bench.one<RunsView>()->isColumnShown(RunsModel::Policy));
        QVERIFY(!bench.one<RunsView>()->isColumnShown(RunsModel::ExitCode));
    }

    void spaceHoldsTheList()
    {
        Bench bench;
        auto* table = bench.table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Space);
        bench.screen->apply({ExecutionChanged{test::sampleRun(50, Status::Running)}});
        QCOMPARE(bench.rows(), 4);
        QVERIFY(bench.find<QPushButton>("newRowsButton")->text().contains(QStringLiteral("1 new")));
        QTest::keyClick(table, Qt::Key_Space);
        QCOMPARE(bench.rows(), 5);
        QVERIFY(!bench.find<QPushButton>("newRowsButton")->isVisible());
    }

    void aNewRunIsFoundByText()
    {
        Bench bench;
        bench.screen->setQuery(QStringLiteral("needles"));
        QVERIFY(bench.showsRows(1));
        const std::string code = "print('more needles')\n";
        const Record added = bench.history.add(
            SampleHistory::run(code, Status::Succeeded, "Kiro", "python", 5), code
        );
        bench.history.waitForIndex();
        bench.screen->apply({ExecutionChanged{added}});
        QVERIFY(bench.showsRows(2));
    }

    void pinsAndMarks()
    {
        Bench bench;
        bench.select({1});
        bench.one<RunActions>()->pin();
        const auto* pinned = bench.lastCommand<MarkExecution>();
        QVERIFY(pinned && pinned->marks.pinned && pinned->id == bench.runs[2].id);
        bench.screen->apply({MarksChanged{pinned->id, pinned->marks}});
        bench.one<RunActions>()->editMarks();
        auto* dialog = bench.one<MarksDialog>();
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>("tagsEdit")->setText(QStringLiteral("later,  net ,net,"));
        dialog->accept();
        const auto* marked = bench.lastCommand<MarkExecution>();
        QVERIFY(marked && marked->marks == (execution::Marks{true, "", {"later", "net"}}));
    }

    void deletesOnlyWhatIsConfirmedAndNotUndone()
    {
        Bench bench;
        const auto confirm = [&bench] {
            bench.one<RunActions>()->remove();
            QTest::mouseClick(bench.find<QPushButton>("confirmDelete"), Qt::LeftButton);
        };
        bench.select({0, 2});
        bench.one<RunActions>()->remove();
        bench.find<QMessageBox>("deleteBox")->reject();
        QCOMPARE(bench.rows(), 4);
        bench.select({0, 2});
        confirm();
        QCOMPARE(bench.rows(), 2);
        QTest::mouseClick(bench.find<QPushButton>("undoButton"), Qt::LeftButton);
        QCOMPARE(bench.rows(), 4);
        emit bench.one<UndoStrip>()->elapsed(); // what was undone stays undone
        QVERIFY(bench.commands.empty());
        bench.select({0, 2});
        confirm();
        emit bench.one<UndoStrip>()->elapsed(); // as after ten seconds
        const auto* deleted = bench.lastCommand<DeleteExecutions>();
        QVERIFY(deleted);
        QCOMPARE(deleted->ids.size(), 2U);
        QVERIFY(deleted->ids[0] == bench.runs[3].id && deleted->ids[1] == bench.runs[1].id);
    }

    void whatRunsCanNotBeDeleted()
    {
        Bench bench;
        bench.screen->apply({ExecutionChanged{test::sampleRun(50, Status::Running)}});
        bench.select({0});
        bench.one<RunActions>()->remove();
        QVERIFY(!bench.screen->findChild<QMessageBox*>("deleteBox"));
    }

    void comparesTwoRuns()
    {
        Bench bench;
        bench.select({1, 3});
        bench.screen->compareSelected();
        QTRY_VERIFY(bench.one<CompareDialog>());
        auto* dialog = bench.one<CompareDialog>();
        QCOMPARE(dialog->findChild<DiffView*>("codeDiff")->differences(), 1);
        QCOMPARE(dialog->findChild<DiffView*>("outputDiff")->differences(), 1);
        auto* facts = dialog->findChild<QTableWidget*>("comparedFacts");
        const auto differs = [facts](const QString& name) {
            const auto found = facts->findItems(name, Qt::MatchExactly);
            return !found.empty() && !facts->item(found.first()->row(), 3)->text().isEmpty();
        };
        QVERIFY(differs(QStringLiteral("Duration")));
        QVERIFY(!differs(QStringLiteral("Status")));
    }

    void leavesOutWhatDiffersAnyway()
    {
        execution::OutputChunk before;
        before.bytes = "start 12:00:01 at 0x7f3a10\n  sum  5\ntook 12 ms\nbye\n";
        execution::OutputChunk after;
        after.bytes = "start 13:20:59 at 0x55ee90\n sum 5\ntook 7.5 ms\nciao\n";
        ExecutionDetails first;
        first.output = {before};
        ExecutionDetails second;
        second.output = {after};
        CompareDialog dialog(first, second);
        dialog.show();
        auto* diff = dialog.findChild<DiffView*>("outputDiff");
        QCOMPARE(diff->differences(), 4);
        dialog.findChild<QCheckBox*>("ignoreVarying")->click();
        QCOMPARE(diff->differences(), 2);
        dialog.findChild<QCheckBox*>("ignoreSpaces")->click();
        QCOMPARE(diff->differences(), 1);
        // What is compared is one thing, what is shown another.
        QVERIFY(diff->findChildren<QPlainTextEdit*>().first()->toPlainText().contains("12:00:01"));
        dialog.findChild<QCheckBox*>("ignoreVarying")->click();
        QCOMPARE(diff->differences(), 3);

        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        dialog.findChild<QTabWidget*>()->setCurrentWidget(diff);
        diff->findChildren<QPlainTextEdit*>().first()->setFocus();
        QList<int> seen;
        for (int step = 0; step < 3; ++step) {
            QTest::keyClick(diff->findChildren<QPlainTextEdit*>().first(), Qt::Key_F8);
            seen << diff->currentRow();
        }
        QCOMPARE(seen, (QList<int>{0, 2, 0})); // two places: the first line, and the last two
        QTest::keyClick(
            diff->findChildren<QPlainTextEdit*>().first(), Qt::Key_F8, Qt::ShiftModifier
        );
        QCOMPARE(diff->currentRow(), 2);
    }

    void keepsFilters()
    {
        QSettings().remove(QStringLiteral("runs"));
        Bench bench;
        auto* saved = bench.one<SavedFilters>();
        auto* line = bench.one<QueryLine>();
        const auto entries = [saved] {
            emit saved->menu()->aboutToShow();
            return saved->menu()->actions();
        };
        QVERIFY(!entries().last()->isEnabled()); // nothing to save
        line->setText(QStringLiteral("status:failed <b>&x</b>"));
        entries().last()->trigger();
        QCOMPARE(saved->filters(), QStringList{QStringLiteral("status:failed <b>&x</b>")});
        line->setText({});
        SavedFilters other; // as after a restart
        QCOMPARE(other.filters(), saved->filters());
        QCOMPARE(entries().first()->text(), QStringLiteral("status:failed <b>&&x</b>"));
        entries().first()->trigger();
        QCOMPARE(line->text(), QStringLiteral("status:failed <b>&x</b>"));
        entries().last()->trigger(); // it is one of them, so it is forgotten
        QVERIFY(saved->filters().isEmpty());
    }

    void showsTheVersionsOfAProgram()
    {
        Bench bench;
        bench.select({1});
        bench.one<RunActions>()->showVersions();
        QTRY_VERIFY(bench.one<VersionsDialog>());
        auto* dialog = bench.one<VersionsDialog>();
        auto* list = dialog->findChild<QListWidget*>("versionsList");
        QCOMPARE(list->count(), 2); // the loop and the other language are other programs
        QVERIFY2(
            list->item(1)->text().contains(QStringLiteral("+1 −1")),
            qPrintable(list->item(1)->text())
        );
        QCOMPARE(dialog->findChild<DiffView*>()->differences(), 1);
    }

    void likenessIsOfLines()
    {
        QCOMPARE(likeness("a\nb\n", "a\nb\n"), 1.0);
        QCOMPARE(likeness("a\n\nb", "a  \r\nb\n"), 1.0);
        QCOMPARE(likeness("a\nb\nc\nd", "a\nb"), 0.5);
        QCOMPARE(likeness("a\na", "a\nb"), 0.5);
        QCOMPARE(likeness("", "a"), 0.0);
    }

    void exportsWhatIsSelected()
    {
        Bench bench;
        const auto exported = [&](ExportFormat format, const std::filesystem::path& place) {
            QSignalSpy done(bench.loader.get(), &HistoryLoader::exported);
            bench.select({1, 3});
            bench.one<RunActions>()->exportTo(format, QString::fromStdString(place.string()));
            return done.wait(30000) && done.first().at(2).toString().isEmpty();
        };
        const auto folder = bench.history.folder.path();
        QVERIFY(exported(ExportFormat::Json, folder / "runs.json"));
        const auto json = parseJson(readFile(folder / "runs.json").value());
        QVERIFY(json);
        QCOMPARE((*json)["runs"].size(), 2U);
        QCOMPARE((*json)["runs"][0]["code"].get<std::string>(), "import requests\nprint(2)\n");
        QCOMPARE((*json)["runs"][0]["stdout"].get<std::string>(), "two needles");
        QVERIFY(exported(ExportFormat::Markdown, folder / "runs.md"));
        QVERIFY(readFile(folder / "runs.md").value().find("two needles") != std::string::npos);

        std::filesystem::create_directory(folder / "out");
        QVERIFY(exported(ExportFormat::Folder, folder / "out"));
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "out")) {
            ++count;
            QVERIFY(std::filesystem::exists(entry.path() / "main.py"));
            QVERIFY(
                readFile(entry.path() / "run.sh")
                    .value()
                    .find("belljar run --language "
                          "'python'") != std::string::npos
            );
        }
        QCOMPARE(count, 2);
        QVERIFY2(!exported(ExportFormat::Folder, folder / "out"), "nothing is written over");
    }

    void exportsFilesAndRemarksWhateverTheyAreCalled()
    {
        Bench bench;
        const ExecutionId id = bench.runs[0].id;
        execution::RunFiles files;
        for (const char* name :
             {"../../escape", "a/b.txt", "-rf", "x\n\x1b[2J", "CON", ".hidden"}) {
            execution::RunFile file;
            file.name = name;
            file.size = 4;
            file.bytes = std::make_shared<const std::string>("data");
            file.sha256 = sha256Hex("data");
            files.files.push_back(std::move(file));
        }
        files.counts[0] = files.files.size();
        QVERIFY(bench.history.keepFiles(id, files).has_value());
        execution::Marks marks;
        marks.note = "```\n# not a heading";
        marks.tags = {"`keep`"};
        QVERIFY(
            test::runToEnd(bench.history.context, bench.history.store->mark(id, marks)).has_value()
        );

        auto reader = bench.history.reader();
        const auto folder = bench.history.folder.path();
        std::filesystem::create_directory(folder / "out");
        QVERIFY(writeRuns(reader, {id}, ExportFormat::Folder, folder / "out").has_value());
        std::size_t written = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "out")) {
            const std::string name = entry.path().filename().string();
            QVERIFY2(!name.starts_with('.') && !name.starts_with('-'), name.c_str());
            QVERIFY(name.find_first_of("\n\x1b") == std::string::npos);
            if (entry.path().parent_path().filename() == "files")
                ++written;
        }
        QCOMPARE(written, files.files.size());
        QVERIFY(!std::filesystem::exists(folder / "escape"));

        QVERIFY(writeRuns(reader, {id}, ExportFormat::Json, folder / "one.json").has_value());
        const auto json = parseJson(readFile(folder / "one.json").value());
        const Json& run = (*json)["runs"][0];
        QCOMPARE(run["files"].size(), files.files.size());
        QCOMPARE(run["note"].get<std::string>(), marks.note);
        QCOMPARE(run["tags"].size(), 1U);
        QVERIFY(run["findings"].is_array());
        QVERIFY(writeRuns(reader, {id}, ExportFormat::Markdown, folder / "one.md").has_value());
        const std::string text = readFile(folder / "one.md").value();
        QVERIFY(text.find("````\n```\n# not a heading") != std::string::npos); // it can't close it
        QVERIFY(text.find("``` `keep` ```") != std::string::npos);
    }

    void exportsForeignTextAsText()
    {
        QCOMPARE(safeFileName("../../etc/passwd"), std::string("------etc-passwd"));
        QCOMPARE(safeFileName("\n\x1b"), std::string("--"));
        QCOMPARE(safeFileName(""), std::string("unnamed"));
        QCOMPARE(safeFileName(std::string(500, 'x')).size(), 60U);
        QCOMPARE(shellWord("a'; rm -rf ~ #"), std::string("'a'\\''; rm -rf ~ #'"));
        QCOMPARE(fenceFor("x"), std::string("```"));
        QCOMPARE(fenceFor("a ```` b"), std::string("`````"));
    }
};

BELLJAR_GUI_TEST_MAIN(TestRunsScreen)
#include "tst_runs_screen.moc"
