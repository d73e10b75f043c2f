// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the policies screen in its states, light and dark, to PNG files that a person looks at:
// policies_shots FOLDER
#include "engine/base/file.h"
#include "tests/ui/shots_program.h"
#include "tests/unit/store_fixture.h"
#include "ui/policies/policies_screen.h"
#include "ui/policies/rules_table.h"
#include "ui/shell/theme.h"

#include <QComboBox>
#include <QDialog>
#include <QEventLoop>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTimer>

namespace {

using namespace belljar;

PoliciesChanged policies()
{
    PoliciesChanged all;
    for (const char* name : {"balanced", "strict", "trusted"}) {
        policy::PolicyState state;
        state.name = name;
        const auto text = readFile(std::string(BELLJAR_POLICIES_DIR "/") + name + ".json", 1 << 20);
        state.text = text ? *text : "{}";
        state.version = 3;
        state.shipped = true;
        all.policies.push_back(state);
    }
    all.defaultPolicy = "balanced";
    all.assignments = {{"claude-code", "", "strict"}, {"", "/usr/bin/my-agent", "trusted"}};
    return all;
}

void fill(test::History& history)
{
    for (int number = 0; number < 12; ++number) {
        const std::string code = "import os\nprint(" + std::to_string(number) + ")\n";
        execution::Record record = history.receive(code);
        analysis::Report report;
        if (number % 3 == 0)
            report.findings.push_back(
                {"python.process", analysis::Severity::High, "process", "It starts a process.", {}}
            );
        history.store->keepReport(record.id, report);
    }
    store::PolicyVersion version;
    version.name = "balanced";
    version.author = "me";
    version.source = "window";
    for (const char* text : {"{\n  \"a\": 1\n}\n", "{\n  \"a\": 2,\n  \"b\": 3\n}\n"}) {
        version.text = text;
        version.note = "what it is for";
        version.savedAt = execution::unixNow();
        audit::Entry entry;
        entry.type = audit::Type::PolicyChanged;
        auto done =
            test::runToEnd(history.context, history.store->addPolicyVersion(version, entry));
        if (!done)
            throw std::runtime_error(done.error().message());
    }
    history.reopen();
}

void save(QWidget& screen, const QString& file)
{
    QEventLoop loop;
    QTimer::singleShot(600, &loop, &QEventLoop::quit);
    loop.exec();
    screen.grab().save(file);
}

void shoot(const QString& prefix)
{
    test::History history;
    fill(history);
    ui::PoliciesScreen screen(history.file);
    screen.resize(1280, 800);
    screen.show();
    save(screen, prefix + "loading.png");
    screen.apply({policies()});
    save(screen, prefix + "form.png");
    screen.document()->setValue("/limits/memory/max", "2g");
    screen.document()->setValue("/container/seccomp", "engine");
    screen.showPolicy("balanced", "serious finding");
    save(screen, prefix + "edited.png");
    auto* area = screen.findChild<QScrollArea*>();
    area->ensureWidgetVisible(screen.findChild<QWidget*>("policyRules"), 0, 300);
    save(screen, prefix + "rules.png");
    area->ensureWidgetVisible(screen.findChild<QWidget*>("field:/container/seccomp"), 0, 200);
    save(screen, prefix + "container.png");
    screen.findChild<QTabWidget*>("policyTabs")->setCurrentIndex(1);
    save(screen, prefix + "effect.png");
    screen.findChild<QTabWidget*>("policyTabs")->setCurrentIndex(2);
    save(screen, prefix + "versions.png");
    screen.findChild<QTabWidget*>("policyTabs")->setCurrentIndex(0);
    screen.findChild<QPushButton*>("policySave")->click();
    if (auto* dialog = screen.findChild<QDialog*>("loosenDialog")) {
        save(*dialog, prefix + "loosens.png");
        dialog->reject();
    }
    screen.findChild<QPushButton*>("policyPreset")->click();
    if (auto* dialog = screen.findChild<QDialog*>("presetDialog")) {
        dialog->findChild<QComboBox*>("presetChoice")->setCurrentText("Trusted");
        save(*dialog, prefix + "preset.png");
        dialog->reject();
    }
    auto run = test::recordFor("import os\n");
    run.policy = "strict";
    run.verdict = execution::Verdict::Ask;
    run.decidingRule = "serious finding";
    screen.makeRule(run);
    save(screen, prefix + "rule.png");
    screen.document()->undoStack().undo();
    screen.showPolicy("balanced");
    screen.document()->edit({screen.document()->text().size() - 3, 1, ","}, "typing");
    screen.document()->checkNow();
    save(screen, prefix + "broken.png");
    auto all = policies();
    all.policies[1].pendingText = "{}";
    all.policies[1].pendingLoosens = {"memory: up to 2 GB instead of 512 MB"};
    screen.apply({all});
    screen.showPolicy("strict");
    save(screen, prefix + "pending.png");
    screen.showPolicy(policy::kAssignmentsName);
    save(screen, prefix + "assign.png");
}

} // namespace

int main(int argc, char** argv)
{
    const test::ShotsProgram program(argc, argv);
    program.inBothSchemes([](ui::Theme& /*theme*/, ui::Scheme /*scheme*/, const QString& prefix) {
        shoot(prefix);
    });
    return 0;
}
