// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the sandboxes' screen in its states, light and dark, to PNG files that a person looks at:
// sandboxes_shots FOLDER [en|zh_CN]
#include "tests/ui/sample_runs.h"
#include "tests/ui/sample_sandboxes.h"
#include "tests/ui/shots_program.h"
#include "ui/sandboxes/image_dialog.h"
#include "ui/sandboxes/sandboxes_screen.h"
#include "ui/shell/theme.h"

#include <QAbstractButton>
#include <QEventLoop>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>

namespace {

using namespace belljar;

void save(QWidget& screen, const QString& file)
{
    QEventLoop loop;
    QTimer::singleShot(50, &loop, &QEventLoop::quit);
    loop.exec();
    screen.grab().save(file);
}

SandboxesChanged many()
{
    SandboxesChanged changed;
    const char* languages[] = {"python", "python", "javascript", "bash", "python", "bash"};
    const SandboxState states[] = {
        SandboxState::Busy,
        SandboxState::Warm,
        SandboxState::Busy,
        SandboxState::Ending,
        SandboxState::Starting,
        SandboxState::Warm};
    for (int at = 0; at < 6; ++at) {
        SandboxStatus one = test::sampleSandbox(
            std::to_string(at) + "f3391534e834", states[at], 4000 / (1 + at * at * at)
        );
        one.language = languages[at];
        one.image = "belljar/" + one.language;
        if (one.state == SandboxState::Busy) {
            one.execution = ExecutionId("ex_" + std::to_string(at));
            one.cpuPercent = 49.7 - at * 11;
            one.memoryBytes = (312U - static_cast<unsigned>(at) * 90U) << 20U;
        }
        if (one.state == SandboxState::Starting) {
            one.cpuPercent.reset();
            one.memoryBytes.reset();
            one.name.clear();
        }
        changed.sandboxes.push_back(one);
    }
    changed.pools = {
        test::samplePool("bash", "Bash"),
        test::samplePool("javascript", "JavaScript"),
        test::samplePool("python", "Python")};
    changed.pools[2].wanted = 3;
    changed.pools[2].starting = 1;
    changed.pools[2].busy = 1;
    return changed;
}

void shoot(const QString& prefix)
{
    ui::SandboxesScreen screen;
    screen.resize(1180, 760);
    screen.show();
    save(screen, prefix + QStringLiteral("loading.png"));
    screen.apply({DockerChanged{
        {DockerState::Unreachable,
         "",
         "",
         "Docker is not running: /var/run/docker.sock: Connection refused",
         "Start Docker: sudo systemctl start docker."}}});
    save(screen, prefix + QStringLiteral("no-docker.png"));
    screen.apply({EngineFailed{Error(Errc::Busy, "another engine of yours runs: process 42")}});
    save(screen, prefix + QStringLiteral("failed.png"));
    SandboxesChanged none;
    none.pools = many().pools;
    ImageStatus bash = test::sampleImage("bash", "Bash");
    ImageStatus javascript = test::sampleImage("javascript", "JavaScript");
    ImageStatus python = test::sampleImage("python", "Python");
    bash.upToDate = false;
    python.present = false;
    python.digest.clear();
    python.description.clear();
    python.createdAt = 0;
    screen.apply(
        {DockerChanged{{DockerState::Ready, "/var/run/docker.sock", "20.10.24", "", ""}},
         none,
         ImagesChanged{{bash, javascript, python}}}
    );
    save(screen, prefix + QStringLiteral("empty.png"));
    auto run = test::sampleRun(1, execution::Status::Running, "Claude Code");
    run.id = ExecutionId("ex_0");
    auto other = test::sampleRun(2, execution::Status::Running, "Kiro");
    other.id = ExecutionId("ex_2");
    other.firstLine = "const numbers = [64, 34, 25, 12, 22, 11, 90]";
    python = test::sampleImage("python", "Python");
    screen.apply(
        {ExecutionChanged{run},
         ExecutionChanged{other},
         many(),
         ImagesChanged{{bash, javascript, python}}}
    );
    auto* table = screen.findChild<QTableView*>(QStringLiteral("sandboxesTable"));
    table->selectRow(0);
    table->setFocus();
    save(screen, prefix + QStringLiteral("many.png"));
    python.building = true;
    std::vector<Event> lines{ImagesChanged{{bash, javascript, python}}};
    for (int at = 0; at < 30; ++at)
        lines.push_back(ImageBuildProgress{
            "python", "unpacking libpackage-" + std::to_string(at) + " ..."});
    screen.apply(lines);
    save(screen, prefix + QStringLiteral("building.png"));
    python.building = false;
    screen.apply(
        {ImagesChanged{{bash, javascript, python}},
         ImageBuildEnded{
             "python",
             Error(Errc::IoFailed, "belljar/python: mmdebstrap ended with status 25: no mirror")},
         SandboxCommandDone{
             1,
             Error(
                 Errc::Conflict, "belljar/python is in use by 1 program; wait for it or stop it"
             )}}
    );
    save(screen, prefix + QStringLiteral("problems.png"));
    bash.chosen = ChosenImage{
        "team/bash-with-tools:2",
        true,
        "sha256:77aa00bb11cc22dd",
        98U << 20U,
        1'796'000'000'000,
        "bash with our tools"};
    python.chosen = ChosenImage{"python:3.13-slim", false, "", 0, 0, ""};
    screen.apply({ImagesChanged{{bash, javascript, python}}});
    screen.findChild<QAbstractButton*>(QStringLiteral("imageOther"))->click();
    auto* dialog = screen.findChild<ui::ImageDialog*>();
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("python:3.13"));
    dialog->showFailure(
        QStringLiteral("Docker has no image python:3.13; get it with: docker pull python:3.13")
    );
    save(*dialog, prefix + QStringLiteral("other-image.png"));
    dialog->reject();
    save(screen, prefix + QStringLiteral("chosen.png"));
    screen.resize(600, 440);
    save(screen, prefix + QStringLiteral("small.png"));
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
