// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_runs.h"
#include "ui/runs/runs_model.h"

using namespace belljar;
using namespace belljar::ui;
using execution::Record;
using execution::Status;
using test::sampleRun;

namespace {

/// A model whose pages the test hands over.
struct Bench {
    std::vector<std::optional<std::int64_t>> asked;
    store::RunQuery lastQuery;
    RunsModel model{[this](const store::RunQuery& query) {
        asked.push_back(query.before);
        lastQuery = query;
        return std::uint64_t(asked.size());
    }};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    void page(std::uint64_t token, const std::vector<Record>& records, bool last)
    {
        std::vector<store::RunRow> rows;
        for (const Record& record : records)
            rows.push_back({record, {}, 1});
        model.addPage(token, rows, last);
    }
    void tell(const Record& record) { model.apply({ExecutionChanged{record}}); }
    [[nodiscard]] QString cell(int row, int column) const
    {
        return model.index(row, column).data().toString();
    }
};

} // namespace
#endif

class TestRunsModel : public QObject {
    Q_OBJECT

private slots:
    void pagesByKeyAndStopsAtTheOldest();
    void dropsAnAnswerToAnOlderQuestion();
    void putsNewRunsOnTopAndChangesRowsInPlace();
    void aLiveRowIsNotShownTwiceWhenItsPageComes();
    void holdsNewRowsBack();
    void takesManyChangesAsOneInsertion();
    void showsValuesInWords();
    void beginsAnewWithAnotherQuery();
    void aFilterLetsInWhatMatches();
    void whatOnlyTheDatabaseFindsIsAskedFor();
    void whatIsNewDoesNotReplaceTheFirstPage();
    void aGroupMovesToItsNewestRun();
    void hidesAndBringsBack();
    void whatIsDeletedStaysAway();
    void showsMarks();
};

void TestRunsModel::pagesByKeyAndStopsAtTheOldest()
{
    Bench bench;
    bench.model.fetchMore({});
    QVERIFY2(!bench.model.canFetchMore({}), "one request at a time");
    bench.page(1, {sampleRun(9, Status::Succeeded), sampleRun(8, Status::Failed)}, false);
    bench.model.fetchMore({});
    QCOMPARE(bench.asked.size(), std::size_t(2));
    QVERIFY(!bench.asked[0].has_value());
    QCOMPARE(*bench.asked[1], std::int64_t(8));
    bench.page(2, {sampleRun(7, Status::Succeeded)}, true);
    QCOMPARE(bench.model.rowCount(), 3);
    QVERIFY(!bench.model.canFetchMore({}));
}

void TestRunsModel::dropsAnAnswerToAnOlderQuestion()
{
    Bench bench;
    bench.model.fetchMore({});
    bench.page(77, {sampleRun(1, Status::Succeeded)}, true);
    QCOMPARE(bench.model.rowCount(), 0);
    bench.model.pageFailed(1);
    QVERIFY2(bench.model.canFetchMore({}), "a failed request may be made again");
}

void TestRunsModel::putsNewRunsOnTopAndChangesRowsInPlace()
{
    Bench bench;
    bench.tell(sampleRun(1, Status::Received));
    bench.tell(sampleRun(2, Status::Queued));
    QCOMPARE(bench.cell(0, RunsModel::Code), QStringLiteral("print(2)"));
    QSignalSpy changed(&bench.model, &QAbstractItemModel::dataChanged);
    bench.tell(sampleRun(1, Status::Succeeded));
    QCOMPARE(bench.model.rowCount(), 2);
    QCOMPARE(bench.cell(1, RunsModel::Status), QStringLiteral("Succeeded"));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().first().toModelIndex().row(), 1);
}

void TestRunsModel::aLiveRowIsNotShownTwiceWhenItsPageComes()
{
    Bench bench;
    bench.model.fetchMore({});
    bench.tell(sampleRun(5, Status::Running));
    bench.page(1, {sampleRun(5, Status::Running), sampleRun(4, Status::Succeeded)}, true);
    QCOMPARE(bench.model.rowCount(), 2);
}

void TestRunsModel::holdsNewRowsBack()
{
    Bench bench;
    bench.tell(sampleRun(1, Status::Succeeded));
    bench.model.setHeld(true);
    QSignalSpy counted(&bench.model, &RunsModel::heldBackChanged);
    bench.tell(sampleRun(2, Status::Running));
    bench.tell(sampleRun(2, Status::Succeeded));
    bench.tell(sampleRun(3, Status::Running));
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.model.heldBack(), 2);
    QCOMPARE(counted.last().first().toInt(), 2);
    bench.model.setHeld(false);
    QCOMPARE(bench.model.rowCount(), 3);
    QCOMPARE(bench.cell(0, RunsModel::Code), QStringLiteral("print(3)"));
    QCOMPARE(bench.cell(1, RunsModel::Status), QStringLiteral("Succeeded"));
}

void TestRunsModel::takesManyChangesAsOneInsertion()
{
    Bench bench;
    std::vector<Event> events;
    for (int sequence = 1; sequence <= 1000; ++sequence)
        events.push_back(ExecutionChanged{sampleRun(sequence, Status::Received)});
    QSignalSpy inserted(&bench.model, &QAbstractItemModel::rowsInserted);
    bench.model.apply(events);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(bench.model.rowCount(), 1000);
    QCOMPARE(bench.model.indexOf(ExecutionId("ex_1")).row(), 999);
}

void TestRunsModel::showsValuesInWords()
{
    QCOMPARE(durationText(execution::milliseconds(12)), QStringLiteral("12 ms"));
    QCOMPARE(durationText(execution::milliseconds(1240)), QStringLiteral("1.24 s"));
    QCOMPARE(durationText(execution::milliseconds(125'000)), QStringLiteral("2:05 min"));
    QCOMPARE(memoryText(0), QStringLiteral("-"));
    QCOMPARE(memoryText(512ULL << 20U), QStringLiteral("512.0 MB"));
    Bench bench;
    bench.tell(sampleRun(1, Status::Queued));
    QCOMPARE(bench.cell(0, RunsModel::Duration), QStringLiteral("-"));
    QCOMPARE(bench.cell(0, RunsModel::ExitCode), QStringLiteral("-"));
    QVERIFY(bench.model.index(0, RunsModel::Status)
                .data(Qt::AccessibleTextRole)
                .toString()
                .contains(QStringLiteral("Queued")));
}

void TestRunsModel::beginsAnewWithAnotherQuery()
{
    Bench bench;
    bench.model.fetchMore({});
    bench.tell(sampleRun(3, Status::Failed));
    store::RunFilter filter;
    filter.statuses = {Status::Succeeded};
    bench.model.setQuery(filter, store::Grouping::None);
    QCOMPARE(bench.model.rowCount(), 0);
    QVERIFY(bench.lastQuery.filter == filter);
    QVERIFY(!bench.lastQuery.before);
    bench.page(1, {sampleRun(2, Status::Failed)}, true); // what was asked before
    QCOMPARE(bench.model.rowCount(), 0);
    bench.page(2, {sampleRun(1, Status::Succeeded)}, true);
    QCOMPARE(bench.model.rowCount(), 1);
}

void TestRunsModel::aFilterLetsInWhatMatches()
{
    Bench bench;
    store::RunFilter filter;
    filter.statuses = {Status::Running};
    bench.model.setQuery(filter, store::Grouping::None);
    bench.tell(sampleRun(1, Status::Failed));
    QCOMPARE(bench.model.rowCount(), 0);
    bench.tell(sampleRun(2, Status::Running));
    QCOMPARE(bench.model.rowCount(), 1);
    bench.tell(sampleRun(2, Status::Succeeded)); // what is being read stays
    QCOMPARE(bench.cell(0, RunsModel::Status), QStringLiteral("Succeeded"));
}

void TestRunsModel::whatOnlyTheDatabaseFindsIsAskedFor()
{
    Bench bench;
    store::RunFilter filter;
    filter.phrases = {"print"};
    bench.model.setQuery(filter, store::Grouping::None);
    bench.page(bench.asked.size(), {sampleRun(1, Status::Succeeded)}, true);
    QSignalSpy expected(&bench.model, &RunsModel::newerExpected);
    bench.tell(sampleRun(2, Status::Succeeded));
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(expected.size(), 1);
    bench.model.fetchNewest();
    bench.page(
        bench.asked.size(), {sampleRun(2, Status::Succeeded), sampleRun(1, Status::Succeeded)}, true
    );
    QCOMPARE(bench.model.rowCount(), 2);
    QCOMPARE(bench.cell(0, RunsModel::Code), QStringLiteral("print(2)"));
}

// The loader answers only the last request for a first page.
void TestRunsModel::whatIsNewDoesNotReplaceTheFirstPage()
{
    Bench bench;
    store::RunFilter filter;
    filter.phrases = {"print"};
    bench.model.setQuery(filter, store::Grouping::None);
    const auto asked = bench.asked.size();
    bench.model.fetchNewest();
    QCOMPARE(bench.asked.size(), asked);
    QSignalSpy expected(&bench.model, &RunsModel::newerExpected);
    bench.page(asked, {sampleRun(1, Status::Succeeded)}, true);
    QCOMPARE(expected.size(), 1);
    bench.model.fetchNewest();
    QCOMPARE(bench.asked.size(), asked + 1);
}

void TestRunsModel::aGroupMovesToItsNewestRun()
{
    Bench bench;
    bench.model.setQuery({}, store::Grouping::Code); // all samples have the same code
    bench.model.addPage(bench.asked.size(), {{sampleRun(1, Status::Succeeded), {}, 4}}, true);
    QCOMPARE(bench.cell(0, RunsModel::Count), QStringLiteral("4"));
    bench.model.fetchNewest();
    bench.model.addPage(bench.asked.size(), {{sampleRun(2, Status::Succeeded), {}, 5}}, true);
    QCOMPARE(bench.model.rowCount(), 1);
    QCOMPARE(bench.cell(0, RunsModel::Count), QStringLiteral("5"));
}

void TestRunsModel::hidesAndBringsBack()
{
    Bench bench;
    bench.model.fetchMore({});
    bench.page(
        1,
        {sampleRun(3, Status::Failed), sampleRun(2, Status::Failed), sampleRun(1, Status::Failed)},
        true
    );
    bench.model.hide({ExecutionId("ex_2"), ExecutionId("ex_3")});
    QCOMPARE(bench.model.rowCount(), 1);
    bench.tell(sampleRun(3, Status::Failed));
    QCOMPARE(bench.model.rowCount(), 1);
    bench.model.unhide();
    QCOMPARE(bench.model.rowCount(), 3);
    QCOMPARE(bench.cell(0, RunsModel::Code), QStringLiteral("print(3)"));
    QCOMPARE(bench.cell(1, RunsModel::Code), QStringLiteral("print(2)"));
    QCOMPARE(bench.model.indexOf(ExecutionId("ex_1")).row(), 2);

    bench.model.hide({ExecutionId("ex_2")});
    bench.model.setQuery({}, store::Grouping::None); // other rows, then the undoing
    const auto before = bench.asked.size();
    bench.model.unhide();
    QCOMPARE(bench.asked.size(), before + 1);
    bench.page(bench.asked.size(), {sampleRun(2, Status::Failed)}, true);
    QCOMPARE(bench.model.rowCount(), 1);
}

void TestRunsModel::whatIsDeletedStaysAway()
{
    Bench bench;
    bench.model.fetchMore({});
    bench.tell(sampleRun(2, Status::Failed));
    bench.model.apply({ExecutionsDeleted{0, {ExecutionId("ex_2")}}});
    QCOMPARE(bench.model.rowCount(), 0);
    bench.page(1, {sampleRun(2, Status::Failed)}, true); // read before it was deleted
    QCOMPARE(bench.model.rowCount(), 0);
}

void TestRunsModel::showsMarks()
{
    Bench bench;
    bench.tell(sampleRun(1, Status::Failed));
    bench.model.apply({MarksChanged{ExecutionId("ex_1"), {true, "a\nnote\u202e", {"net"}}}});
    QCOMPARE(bench.cell(0, RunsModel::Marks), QStringLiteral("Pinned #net a\\u{a}note\\u{202e}"));
    bench.tell(sampleRun(1, Status::Failed));
    QVERIFY2(!bench.cell(0, RunsModel::Marks).isEmpty(), "the engine's row has no marks");
}

BELLJAR_GUI_TEST_MAIN(TestRunsModel)
#include "tst_runs_model.moc"
