// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the runs' screen over a real history in its states, light and dark, to PNG files that a
// person looks at: runs_shots FOLDER
#include "tests/ui/sample_history.h"
#include "tests/ui/shots_program.h"
#include "ui/runs/compare_dialog.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_screen.h"
#include "ui/runs/versions_dialog.h"
#include "ui/shell/theme.h"

#include <QComboBox>
#include <QEventLoop>
#include <QSettings>
#include <QTableView>
#include <QTimer>

#include <cmath>

namespace {

using namespace belljar;
using execution::Status;
using test::SampleHistory;

void wait(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

void save(QWidget& widget, const QString& file)
{
    wait(400);
    widget.grab().save(file);
}

void fill(SampleHistory& history)
{
    const std::string body = "import requests\nimport statistics\n\ndata = [1200, 1500, 1100]\n"
                             "print(statistics.mean(data))\n";
    const Status statuses[] = {
        Status::Succeeded,
        Status::Succeeded,
        Status::Failed,
        Status::TimedOut,
        Status::Succeeded,
        Status::OutOfMemory};
    const char* clients[] = {"Claude Code", "Kiro", "Cursor"};
    for (int at = 0; at < 60; ++at) {
        std::string code = body + "# step " + std::to_string(at / 4) + "\n";
        if (at % 5 == 3)
            code = "for i in $(seq 0 " + std::to_string(at) + "); do echo $i; done\n";
        auto record = SampleHistory::run(
            code, statuses[at % 6], clients[at % 3], at % 5 == 3 ? "bash" : "python", 37 * at + 20
        );
        record.receivedAt -= 60'000 * (60 - at);
        record.findings = at % 7 == 0 ? 2 : 0;
        record.worstFinding = at % 7 == 0 ? "medium" : "";
        const auto kept = history.add(record, code, "mean 1266.67 of requests\n");
        if (at == 57 || at == 50) {
            const execution::Marks marks{at == 57, "check with Ann", {"net", "slow"}};
            static_cast<void>(test::runToEnd(history.context, history.store->mark(kept.id, marks)));
        }
    }
    history.waitForIndex();
}

void select(QTableView& table, std::initializer_list<int> rows)
{
    auto* selection = table.selectionModel();
    selection->clearSelection();
    for (const int row : rows) {
        const auto index = table.model()->index(row, 0);
        selection->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        selection->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
}

void shoot(SampleHistory& history, const QString& prefix)
{
    QSettings().clear();
    ui::HistoryLoader loader(history.file);
    ui::RunsScreen screen(loader);
    screen.resize(1280, 800);
    screen.show();
    wait(600);
    auto& table = *screen.findChild<QTableView*>(QStringLiteral("runsTable"));
    execution::Record running =
        SampleHistory::run("x", Status::Running, "Claude Code", "python", 900);
    running.sequence = 1000;
    running.firstLine = "import statistics";
    screen.apply({ExecutionChanged{running}});
    for (int tick = 0; tick < 20; ++tick) {
        execution::Sample sample;
        sample.cpuPercent = 60 + 40 * std::sin(tick * 0.5);
        sample.memoryBytes = static_cast<std::uint64_t>(300 + tick * 90) << 20U;
        screen.apply({SamplesTaken{running.id, {sample}}});
        wait(250);
    }
    select(table, {3});
    save(screen, prefix + QStringLiteral("runs.png"));
    screen.setQuery(QStringLiteral("client:claude lang:python \"requests\" statistics"));
    wait(500);
    select(table, {2});
    save(screen, prefix + QStringLiteral("found.png"));
    screen.setQuery(QStringLiteral("memry:>200MB status:brilliant zebra"));
    save(screen, prefix + QStringLiteral("problem.png"));
    screen.setQuery({});
    screen.findChild<QComboBox*>(QStringLiteral("groupingBox"))->setCurrentIndex(2);
    save(screen, prefix + QStringLiteral("groups.png"));
    screen.findChild<QComboBox*>(QStringLiteral("groupingBox"))->setCurrentIndex(0);
    wait(500);
    select(table, {2, 8});
    screen.compareSelected();
    wait(500);
    save(*screen.findChild<ui::CompareDialog*>(), prefix + QStringLiteral("compare.png"));
    delete screen.findChild<ui::CompareDialog*>();
    select(table, {4});
    screen.findChild<ui::RunActions*>()->showVersions();
    wait(500);
    save(*screen.findChild<ui::VersionsDialog*>(), prefix + QStringLiteral("versions.png"));
    delete screen.findChild<ui::VersionsDialog*>();
    screen.resize(780, 560);
    save(screen, prefix + QStringLiteral("small.png"));
}

} // namespace

int main(int argc, char** argv)
{
    const test::ShotsProgram program(argc, argv);
    SampleHistory history;
    fill(history);
    program.inBothSchemes([&history](
                              ui::Theme& /*theme*/, ui::Scheme /*scheme*/, const QString& prefix
                          ) { shoot(history, prefix); });
    return 0;
}
