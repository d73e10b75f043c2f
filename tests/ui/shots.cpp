// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the window in its states, light and dark, to PNG files that a person looks at: shots
// FOLDER
#include "tests/ui/sample_approvals.h"
#include "tests/ui/sample_runs.h"
#include "tests/ui/shots_program.h"
#include "ui/approvals/approvals_screen.h"
#include "ui/execution/execution_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/rail.h"
#include "ui/shell/theme.h"

#include <QDir>
#include <QEventLoop>
#include <QSettings>
#include <QTabWidget>
#include <QTimer>

#include <cmath>

namespace {

using namespace belljar;
using execution::Status;

const std::string kCode = "import statistics\n\n"
                          "data = [1200, 1500, 1100, 1800, 2000, 1700]\n\n"
                          "print(f\"mean    {statistics.mean(data):8.2f}\")\n"
                          "print(f\"median  {statistics.median(data):8.2f}\")\n"
                          "print(f\"stdev   {statistics.stdev(data):8.2f}\")\n"
                          "print(f\"max     {max(data):8}\")\n"
                          "print(f\"min     {min(data):8}\")\n";

std::vector<Event> history()
{
    struct Row {
        Status status;
        const char* client;
        const char* language;
        const char* line;
    };
    const Row rows[] = {
        {Status::Succeeded, "Claude Code", "python", "def fib(n):"},
        {Status::Failed, "Kiro", "javascript", "const numbers = [64, 34, 25, 12, 22, 11, 90]"},
        {Status::Succeeded, "Claude Desktop", "bash", "for i in $(seq 0 9); do echo $i; done"},
        {Status::TimedOut, "Cursor", "python", "while True:"},
        {Status::OutOfMemory, "Claude Code", "python", "import numpy as np"},
        {Status::Cancelled, "Kiro", "python", "import time"},
        {Status::Succeeded, "Claude Code", "javascript", "function bubbleSort(xs) {"},
        {Status::Interrupted, "Cursor", "python", "import pandas as pd"},
        {Status::Queued, "Claude Desktop", "python", "print('waiting')"},
        {Status::Running, "Claude Code", "python", "import statistics"},
    };
    std::vector<Event> events;
    std::int64_t sequence = 0;
    for (const Row& row : rows) {
        auto record = test::sampleRun(++sequence, row.status, row.client);
        record.language = row.language;
        record.firstLine = row.line;
        events.push_back(ExecutionChanged{record});
    }
    return events;
}

std::vector<execution::Sample> samples()
{
    std::vector<execution::Sample> list;
    for (int tick = 0; tick < 40; ++tick) {
        execution::Sample sample;
        sample.at = execution::milliseconds(tick * 100);
        sample.cpuPercent = 48 + 4 * std::sin(tick * 0.7);
        sample.memoryBytes =
            static_cast<std::uint64_t>((30 + tick * 3.5 + 8 * std::sin(tick * 0.3)) * 1024 * 1024);
        sample.processes = tick < 12 ? 1 : 3;
        list.push_back(sample);
    }
    return list;
}

void save(ui::MainWindow& window, const QString& file)
{
    // Replots are queued, so the events have to be let through once.
    QEventLoop loop;
    QTimer::singleShot(50, &loop, &QEventLoop::quit);
    loop.exec();
    window.grab().save(file);
}

execution::Record answered(std::int64_t sequence, execution::DecidedBy by)
{
    execution::Record record = test::sampleRun(sequence, execution::Status::Succeeded);
    if (by == execution::DecidedBy::Timeout)
        record.status = execution::Status::Rejected;
    record.receivedAt = execution::unixNow();
    record.verdict = execution::Verdict::Ask;
    record.decidedBy = by;
    record.remembered = by == execution::DecidedBy::Remembered ? "rd_1" : "";
    record.approvalTime = std::chrono::milliseconds(8'400);
    return record;
}

void shoot(ui::Language language, ui::Theme& theme, ui::Scheme scheme, const QString& prefix)
{
    ui::Preferences preferences;
    preferences.language = language;
    preferences.scheme =
        scheme == ui::Scheme::Dark ? ui::SchemeChoice::Dark : ui::SchemeChoice::Light;
    ui::savePreferences(preferences);
    ui::MainWindow window("/nonexistent/history.db", theme);
    window.resize(1280, 800);
    window.show();
    save(window, prefix + QStringLiteral("empty.png"));

    window.apply({DockerChanged{
        {DockerState::Unreachable,
         "",
         "",
         "Docker is not running: /var/run/docker.sock: Connection refused",
         "Start Docker: sudo systemctl start docker."}}});
    save(window, prefix + QStringLiteral("no-docker.png"));

    ImageStatus image;
    image.language = "python";
    image.title = "Python";
    window.apply(
        {DockerChanged{{DockerState::Ready, "/var/run/docker.sock", "20.10.24", "", ""}},
         ImagesChanged{{image}}}
    );
    save(window, prefix + QStringLiteral("no-image.png"));

    image.present = true;
    auto events = history();
    events.push_back(ImagesChanged{{image}});
    execution::Client client;
    client.id = ClientId("c1");
    client.name = "Claude Code";
    events.push_back(ClientConnected{client});
    window.apply(events);
    save(
        window, prefix + QStringLiteral("unreadable.png")
    ); // there is no history behind these runs
    auto* page = window.findChild<ui::ExecutionPage*>();
    const std::string output = "mean     1550.00\nmedian   1600.00\nstdev     "
                               "350.71\n\x1b[32mmax         2000\x1b[0m\nmin         1100\n";
    page->setDetails(
        {*page->record(),
         kCode,
         {{execution::Stream::Stdout, 0, output},
          {execution::Stream::Stderr, 0, "warning: six values are few\n"}},
         samples()}
    );
    save(window, prefix + QStringLiteral("running.png"));
    Approval first = test::sampleApproval("ex_1", test::kRiskyCode);
    Approval second = test::sampleApproval("ex_2", "print('\xe2\x80\xae hidden')\n");
    second.client.name = "Kiro";
    window.apply({ApprovalAsked{first}, ApprovalAsked{second}});
    save(window, prefix + QStringLiteral("waiting.png"));
    window.findChild<ui::Rail*>()->setCurrentRow(1);
    save(window, prefix + QStringLiteral("approval.png"));
    window.findChild<ui::ApprovalsScreen*>()
        ->findChild<QTabWidget*>(QStringLiteral("approvalTabs"))
        ->setCurrentIndex(1);
    save(window, prefix + QStringLiteral("approval-diff.png"));
    policy::Remembered kept;
    kept.id = "rd_1";
    kept.scope = policy::Scope::RuleCase;
    kept.rule = "serious finding";
    kept.findings = {"python.process"};
    kept.clientName = "Claude Code";
    kept.policyName = "balanced";
    kept.hits = 14;
    kept.lastUsedAt = 1'764'590'000'000;
    kept.expiresAt = 1'764'593'600'000;
    kept.madeFrom = ExecutionId("ex_4f2c");
    window.apply({RememberedChanged{{kept}}, StoppedSessionsChanged{{first.client}}});
    window.findChild<ui::ApprovalsScreen*>()->findChild<QTabWidget*>()->setCurrentIndex(1);
    save(window, prefix + QStringLiteral("remembered.png"));
    window.apply(
        {ApprovalSettled{
             second.id, execution::Verdict::Allow, execution::DecidedBy::Remembered, ""},
         ExecutionChanged{answered(41, execution::DecidedBy::Remembered)},
         ExecutionChanged{answered(42, execution::DecidedBy::Person)},
         ExecutionChanged{answered(43, execution::DecidedBy::Timeout)}}
    );
    window.findChild<ui::ApprovalsScreen*>()->findChild<QTabWidget*>()->setCurrentIndex(2);
    save(window, prefix + QStringLiteral("answered.png"));
    window.findChild<ui::ApprovalsScreen*>()->findChild<QTabWidget*>()->setCurrentIndex(0);
    window.resize(900, 600);
    save(window, prefix + QStringLiteral("small-approval.png"));
    window.findChild<ui::Rail*>()->setCurrentRow(0);
    save(window, prefix + QStringLiteral("small.png"));
    window.resize(1280, 800);
    window.findChild<ui::Rail*>()->setCurrentRow(4);
    save(window, prefix + QStringLiteral("clients.png"));
    window.findChild<ui::Rail*>()->setCurrentRow(6);
    SettingsChanged set;
    set.settings.httpOn = true;
    set.settings.keepDays = 90;
    set.http = {true, "http://127.0.0.1:7707/mcp", ""};
    DataMeasured measured;
    measured.folder = "/home/ann/.local/share/belljar";
    measured.executions = 4'812;
    measured.historyBytes = 212'000'000;
    measured.historyUsed = 187'000'000;
    measured.logBytes = 1'400'000;
    window.apply({set, measured});
    save(window, prefix + QStringLiteral("settings.png"));
}

} // namespace

int main(int argc, char** argv)
{
    const test::ShotsProgram program(argc, argv);
    QSettings().clear();
    qputenv("HOME", QDir(program.folder()).absolutePath().toUtf8()); // whose clients are nobody's
    program.inBothSchemes([&program](ui::Theme& theme, ui::Scheme scheme, const QString& prefix) {
        shoot(program.language(), theme, scheme, prefix);
    });
    return 0;
}
