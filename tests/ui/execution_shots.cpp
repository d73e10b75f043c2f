// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the page of one execution in its states, light and dark, to PNG files that a person
// looks at: execution_shots FOLDER [en|zh_CN]
#include "tests/ui/sample_runs.h"
#include "tests/ui/shots_program.h"
#include "ui/execution/execution_page.h"
#include "ui/execution/resource_graph.h"
#include "ui/execution/timeline_strip.h"

#include <QApplication>
#include <QComboBox>
#include <QEventLoop>
#include <QKeyEvent>
#include <QSettings>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>

#include <cmath>

namespace {

using namespace belljar;
using execution::Record;
using execution::Status;

const std::string kSettings =
    R"({"Image":"sha256:5f1c0e6c8d","User":"65532:65532","WorkingDir":"/workspace",)"
    R"("Env":["PATH=/usr/bin","HOME=/workspace","A=<b>x</b>"],"Entrypoint":["/run/belljar/runner"],)"
    R"("NetworkDisabled":true,"HostConfig":{"NetworkMode":"none","CapDrop":["ALL"],"CapAdd":[],)"
    R"("SecurityOpt":["no-new-privileges:true","seccomp={}"],"Privileged":false,"Memory":536870912,)"
    R"("MemorySwap":536870912,"NanoCpus":500000000,"PidsLimit":50,"ReadonlyRootfs":true,)"
    R"("Ulimits":[{"Name":"nofile","Soft":1024,"Hard":1024}],"IpcMode":"private",)"
    R"("Tmpfs":{"/tmp":"rw,nosuid,nodev","/workspace":"rw,nosuid,nodev"},)"
    R"("Mounts":[{"Type":"bind","Source":"/var/lib/b","Target":"/run/belljar","ReadOnly":true}]}})";

Record run(Status status)
{
    Record record = test::sampleRun(1, status);
    record.receivedAt = 1'764'590'000'000;
    record.analysedAt = record.receivedAt + 12;
    record.decidedAt = record.receivedAt + 8'412;
    record.queuedAt = record.receivedAt + 8'413;
    record.startedAt = record.receivedAt + 8'453;
    record.firstOutputAt = record.receivedAt + 8'553;
    record.endedAt = record.receivedAt + 12'553;
    record.executionTime = execution::milliseconds(4'100);
    record.policy = "balanced";
    record.verdict = execution::Verdict::Ask;
    record.decidedBy = execution::DecidedBy::Person;
    record.approvalTime = execution::milliseconds(8'400);
    record.containerId = "c0ffee00c0ffee00";
    record.settingsSha256 = "0f";
    record.standardOutput.totalBytes = 400;
    return record;
}

std::vector<execution::Sample> samples()
{
    std::vector<execution::Sample> list;
    std::uint64_t written = 0;
    for (int tick = 1; tick <= 41; ++tick) {
        execution::Sample sample;
        sample.at = execution::milliseconds(tick * 100);
        sample.cpuPercent = 48 + 4 * std::sin(tick * 0.7);
        sample.memoryBytes = static_cast<std::uint64_t>(tick * 12) << 20U;
        sample.processes = tick < 12 ? 1 : 3;
        sample.readBytes = static_cast<std::uint64_t>(tick) * 2048;
        written += tick > 20 ? 12'000U : 0U;
        sample.writtenBytes = written;
        sample.outputBytes = static_cast<std::uint64_t>(tick) * 900;
        list.push_back(sample);
    }
    return list;
}

std::vector<execution::OutputChunk> output()
{
    const std::string first = "mean     1550.00\nmedian   1600.00\n";
    const std::string error = "Traceback (most recent call last):\n  File \"main.py\", line 9\n"
                              "ValueError: \x1b[31mno <b>such</b>\x1b[0m value\n";
    return {
        {execution::Stream::Stdout, 0, first},
        {execution::Stream::Stderr, 0, error},
        {execution::Stream::Stdout, first.size(), std::string(160, '=') + " \xe4\xb8\xad\n"}};
}

void save(QWidget& widget, const QString& file)
{
    QEventLoop loop;
    QTimer::singleShot(200, &loop, &QEventLoop::quit);
    loop.exec();
    widget.grab().save(file);
}

void shoot(const QString& prefix)
{
    QSettings().clear();
    ui::ExecutionPage page;
    page.resize(1280, 700);
    page.QWidget::show();
    const Record failed = run(Status::OutOfMemory);
    page.show(failed);
    page.setDetails({failed, "import statistics\nprint(1)\n", output(), samples(), kSettings});
    save(page, prefix + QStringLiteral("execution.png"));

    auto* graph = page.findChild<ui::ResourceGraph*>();
    graph->setFocus();
    for (const int key : {Qt::Key_Plus, Qt::Key_End, Qt::Key_Left, Qt::Key_Left}) {
        QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(graph, &press);
    }
    page.findChild<QComboBox*>(QStringLiteral("outputArrangement"))->setCurrentIndex(2);
    page.findChild<QToolButton*>(QStringLiteral("outputWrap"))->setChecked(true);
    page.jumpToError(ui::Direction::Next);
    save(page, prefix + QStringLiteral("execution-apart.png"));

    auto* side = page.findChild<QTabWidget*>(QStringLiteral("sideTabs"));
    side->setCurrentIndex(2);
    page.findChild<QComboBox*>(QStringLiteral("outputArrangement"))->setCurrentIndex(1);
    page.findChild<ui::TimelineStrip*>()->setFocus();
    save(page, prefix + QStringLiteral("execution-container.png"));

    side->setCurrentIndex(1);
    page.findChild<QComboBox*>(QStringLiteral("outputArrangement"))->setCurrentIndex(0);
    Record rejected = run(Status::Rejected);
    rejected.id = ExecutionId("ex_2");
    rejected.queuedAt = rejected.startedAt = rejected.firstOutputAt = std::nullopt;
    rejected.standardOutput = {};
    page.show(rejected);
    page.resize(780, 480);
    save(page, prefix + QStringLiteral("execution-rejected-small.png"));
}

} // namespace

int main(int argc, char** argv)
{
    const test::ShotsProgram program(argc, argv);
    program.inBothSchemes([](ui::Theme&, ui::Scheme, const QString& prefix) { shoot(prefix); });
    return 0;
}
