// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_runs.h"
#include "ui/execution/resource_graph.h"

#include <qcustomplot.h>

#include <cmath>

using namespace belljar;
using namespace belljar::ui;
using execution::Sample;

namespace {

Sample sampleAt(int milliseconds, std::uint64_t read, std::optional<std::uint64_t> output)
{
    Sample sample;
    sample.at = execution::milliseconds(milliseconds);
    sample.cpuPercent = 50;
    sample.memoryBytes = 100ULL << 20U;
    sample.processes = 2;
    sample.readBytes = read;
    sample.writtenBytes = 2 * read;
    sample.outputBytes = output;
    return sample;
}

std::vector<Sample> tenSeconds()
{
    std::vector<Sample> samples;
    for (int tick = 1; tick <= 100; ++tick)
        samples.push_back(sampleAt(
            tick * 100, 1024ULL * static_cast<unsigned>(tick), 512ULL * static_cast<unsigned>(tick)
        ));
    return samples;
}

} // namespace
#endif

class TestResourceGraph : public QObject {
    Q_OBJECT

private slots:
    void countersBecomeRates();
    void whatIsNotKnownIsNoZero();
    void aCounterThatWentBackSaysNothing();
    void theTableHasWhatWasSampled();
    void fileNamesCanNotBePaths();
    void keysMoveTheCursorAndTheView();
    void theWheelZoomsAroundTheMouse();
    void aMemoryKillIsMarked();
    void exportsAPictureAndATable();
};

void TestResourceGraph::countersBecomeRates()
{
    ResourceSeries series;
    series.append(sampleAt(500, 1024, 2048));
    series.append(sampleAt(1500, 3072, 2048));
    QCOMPARE(*series.points()[0].readKbPerSecond, 2.0);
    QCOMPARE(*series.points()[0].outputKbPerSecond, 4.0);
    QCOMPARE(*series.points()[1].readKbPerSecond, 2.0);
    QCOMPARE(*series.points()[1].writtenKbPerSecond, 4.0);
    QCOMPARE(*series.points()[1].outputKbPerSecond, 0.0);
    QCOMPARE(*series.nearest(0), std::size_t(0));
    QCOMPARE(*series.nearest(1.01), std::size_t(1));
    QCOMPARE(*series.nearest(99), std::size_t(1));
    QVERIFY(!ResourceSeries().nearest(1));
}

void TestResourceGraph::whatIsNotKnownIsNoZero()
{
    ResourceSeries series;
    Sample sample = sampleAt(100, 0, {});
    sample.cpuPercent = std::nan("");
    series.append(sample);
    QVERIFY(!series.points()[0].cpuPercent && !series.points()[0].outputKbPerSecond);
    QVERIFY(readOut(series.points()[0], 512).contains("output unknown"));
    QVERIFY(readOut(series.points()[0], 512).contains("CPU unknown"));
}

void TestResourceGraph::aCounterThatWentBackSaysNothing()
{
    ResourceSeries series;
    series.append(sampleAt(100, 5000, 100));
    series.append(sampleAt(200, 4000, 50));
    series.append(sampleAt(200, 4000, 50)); // no time between
    for (const std::size_t at : {1U, 2U}) {
        QVERIFY(!series.points()[at].readKbPerSecond);
        QVERIFY(!series.points()[at].outputKbPerSecond);
    }
}

void TestResourceGraph::theTableHasWhatWasSampled()
{
    ResourceSeries series;
    Sample unknown = sampleAt(100, 1, {});
    unknown.cpuPercent = std::nan("");
    series.append(unknown);
    series.append(sampleAt(200, 7, 9));
    QCOMPARE(
        series.csv(),
        QByteArray("t_ms,cpu_percent,memory_bytes,processes,read_bytes,written_bytes,output_bytes\n"
                   "100,,104857600,2,1,2,\n"
                   "200,50.00,104857600,2,7,14,9\n")
    );
}

void TestResourceGraph::fileNamesCanNotBePaths()
{
    QCOMPARE(
        safeFileName(ExecutionId("../../etc/\x1b[31m\n-rf x"), "-r.csv"),
        QStringLiteral("belljar-______etc___31m__rf_x-r.csv").replace("_rf", "-rf")
    );
    QVERIFY(safeFileName(ExecutionId(std::string(5000, 'a')), ".png").size() < 100);
}

void TestResourceGraph::keysMoveTheCursorAndTheView()
{
    ResourceGraph graph;
    graph.resize(320, 600);
    graph.show();
    graph.clear(test::sampleRun(1, execution::Status::Succeeded));
    graph.append(tenSeconds());
    QVERIFY((graph.shownSeconds() == std::pair{0.0, 10.0}));
    QTest::keyClick(&graph, Qt::Key_Right);
    QVERIFY2(graph.cursorText().startsWith("At 0.10 s"), qPrintable(graph.cursorText()));
    QTest::keyClick(&graph, Qt::Key_Right);
    QVERIFY(graph.cursorText().startsWith("At 0.20 s"));
    QVERIFY(graph.cursorText().contains("memory 100.0 of 512 MB"));
    QVERIFY(graph.cursorText().contains("disk read 10, written 20 KB/s"));
    QCOMPARE(graph.accessibleName(), graph.cursorText());
    QCOMPARE(graph.findChild<QLabel*>("resourceReadOut")->text(), graph.cursorText());
    QTest::keyClick(&graph, Qt::Key_End);
    QVERIFY(graph.cursorText().startsWith("At 10.00 s"));
    QTest::keyClick(&graph, Qt::Key_Plus);
    QTest::keyClick(&graph, Qt::Key_Plus);
    const auto [from, to] = graph.shownSeconds();
    QVERIFY(to - from < 5 && to == 10);
    QTest::keyClick(&graph, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(graph.shownSeconds().second < 10);
    QTest::keyClick(&graph, Qt::Key_Home); // the view follows the cursor
    QVERIFY(graph.shownSeconds().first <= 0.1);
    QTest::keyClick(&graph, Qt::Key_0);
    QVERIFY((graph.shownSeconds() == std::pair{0.0, 10.0}));
    QTest::keyClick(&graph, Qt::Key_Minus);
    QVERIFY((graph.shownSeconds() == std::pair{0.0, 10.0}));
}

void TestResourceGraph::theWheelZoomsAroundTheMouse()
{
    ResourceGraph graph;
    graph.resize(320, 600);
    graph.show();
    graph.clear(test::sampleRun(1, execution::Status::Succeeded));
    graph.append(tenSeconds());
    auto* plot = graph.findChild<QCustomPlot*>();
    plot->replot(QCustomPlot::rpImmediateRefresh);
    const QPointF place(plot->width() / 2.0, plot->height() / 2.0);
    QWheelEvent wheel(
        place,
        plot->mapToGlobal(place),
        {},
        {0, 240},
        Qt::NoButton,
        Qt::NoModifier,
        Qt::NoScrollPhase,
        false
    );
    QApplication::sendEvent(plot, &wheel);
    const auto [from, to] = graph.shownSeconds();
    QVERIFY(from > 0.5 && to < 9.5);
    plot->replot(QCustomPlot::rpImmediateRefresh);
    const QPoint middle(plot->width() / 2, plot->height() / 2);
    QTest::mousePress(plot, Qt::LeftButton, {}, middle);
    QTest::mouseMove(plot, middle + QPoint(30, 0));
    QTest::mouseRelease(plot, Qt::LeftButton, {}, middle + QPoint(30, 0));
    QVERIFY(graph.shownSeconds().first < from);
    QTest::mouseMove(plot, middle);
    QVERIFY(graph.cursorText().startsWith("At "));
}

void TestResourceGraph::aMemoryKillIsMarked()
{
    ResourceGraph graph;
    auto record = test::sampleRun(1, execution::Status::OutOfMemory);
    record.executionTime = execution::milliseconds(10'250);
    graph.clear(record);
    graph.append(tenSeconds());
    QVERIFY(graph.shownSeconds().second > 10.25);
    const auto* mark = graph.findChild<QCustomPlot*>()->findChild<QCPItemText*>();
    QVERIFY(mark && mark->visible() && mark->text().contains("memory limit"));
    QVERIFY(mark->clipAxisRect() == mark->position->axisRect());
}

void TestResourceGraph::exportsAPictureAndATable()
{
    const QTemporaryDir folder;
    ResourceGraph graph;
    graph.resize(320, 600);
    graph.clear(test::sampleRun(1, execution::Status::Succeeded));
    graph.append(tenSeconds());
    QCOMPARE(graph.writePng(folder.filePath("a.png")), QString());
    QVERIFY(QImage(folder.filePath("a.png")).width() == 1200);
    QCOMPARE(graph.writeCsv(folder.filePath("a.csv")), QString());
    QFile file(folder.filePath("a.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), 101);
    QVERIFY(graph.writeCsv(folder.filePath("no/such/a.csv")).contains("can't be written"));
}

BELLJAR_GUI_TEST_MAIN(TestResourceGraph)
#include "tst_resource_graph.moc"
