// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_runs.h"
#include "tests/ui/sample_sandboxes.h"
#include "ui/sandboxes/sandboxes_screen.h"
#include "ui/shell/banner.h"
#include "ui/shell/theme.h"

#include <memory>

using namespace belljar;
using namespace belljar::ui;
using namespace belljar::test;

namespace {

const std::string kHostile = "<img src=x onerror=alert(1)><b>bold</b>&lt;\x1b[31m\u202e\n</style>";

DockerChanged ready()
{
    return {{DockerState::Ready, "/var/run/docker.sock", "20.10.24", "", ""}};
}

SandboxesChanged warmAndBusy()
{
    SandboxStatus busy = sampleSandbox("bbbbbbbbbbbbbbbb", SandboxState::Busy, 3700);
    busy.execution = ExecutionId("ex_1");
    busy.cpuPercent = 47.6;
    busy.memoryBytes = 312U << 20U;
    SandboxesChanged changed;
    changed.sandboxes = {busy, sampleSandbox("aaaaaaaaaaaaaaaa", SandboxState::Warm)};
    changed.pools = {samplePool("bash", "Bash"), samplePool("python", "Python")};
    changed.pools[1].busy = 1;
    return changed;
}

} // namespace
#endif

class TestSandboxesScreen : public QObject {
    Q_OBJECT

    template <class T>
    T* find(const char* name)
    {
        T* found = m_screen->findChild<T*>(QString::fromLatin1(name));
        if (!found)
            qFatal("there is no %s", name);
        return found;
    }
    void click(const char* name) { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
    template <class T>
    const T* lastCommand()
    {
        return m_commands.empty() ? nullptr : std::get_if<T>(&m_commands.back());
    }
    QString cell(int row, int column)
    {
        return find<QTableView>("sandboxesTable")->model()->index(row, column).data().toString();
    }
    void select(const char* table, int row) { find<QTableView>(table)->selectRow(row); }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<SandboxesScreen> m_screen;
    std::vector<Command> m_commands;
    std::vector<ExecutionId> m_shown;

private slots:
    void init()
    {
        m_commands.clear();
        m_shown.clear();
        m_theme = std::make_unique<Theme>();
        m_screen = std::make_unique<SandboxesScreen>();
        connect(m_screen.get(), &SandboxesScreen::commandWanted, this, [this](const Command& one) {
            m_commands.push_back(one);
        });
        connect(
            m_screen.get(),
            &SandboxesScreen::executionActivated,
            this,
            [this](const ExecutionId& id) { m_shown.push_back(id); }
        );
        m_screen->resize(1100, 800);
        m_screen->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_screen.get()));
        m_screen->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_screen.get()));
    }
    void cleanup() { m_screen.reset(); }

    void hasTheEngineMeasureOnlyWhileItIsSeen()
    {
        QVERIFY(lastCommand<WatchSandboxes>() && lastCommand<WatchSandboxes>()->watching);
        m_screen->hide();
        QVERIFY(!lastCommand<WatchSandboxes>()->watching);
        // An engine that comes up while nobody looks is left in peace.
        m_commands.clear();
        m_screen->apply({ready()});
        QVERIFY(m_commands.empty());
        m_screen->show();
        m_commands.clear();
        m_screen->apply({ready()});
        QVERIFY(lastCommand<WatchSandboxes>() && lastCommand<WatchSandboxes>()->watching);
    }

    void saysWhatStandsInTheWay()
    {
        QCOMPARE(m_screen->state(), SandboxesScreen::State::Loading);
        m_screen->apply({DockerChanged{
            {DockerState::Unreachable, "", "", "Docker is not running: refused", "Start it."}}});
        QCOMPARE(m_screen->state(), SandboxesScreen::State::NoDocker);
        const QString text = find<QLabel>("sandboxesNoDocker")->text();
        QVERIFY(text.contains("Docker is not running: refused") && text.contains("Start it."));
        click("sandboxesRetry");
        QVERIFY(lastCommand<RetryDocker>());
        m_screen->apply({EngineFailed{Error(Errc::Busy, "locked by 42")}});
        QCOMPARE(m_screen->state(), SandboxesScreen::State::Failed);
        QVERIFY(find<QLabel>("sandboxesFailure")->text().contains("locked by 42"));
        m_screen->apply({ready(), SandboxesChanged()});
        QCOMPARE(m_screen->state(), SandboxesScreen::State::Ready);
        QVERIFY(find<QLabel>("sandboxesNone")->isVisible());
    }

    void showsEachContainerInWords()
    {
        auto run = sampleRun(1, execution::Status::Running, "Claude Code");
        run.id = ExecutionId("ex_1");
        run.firstLine = "import statistics";
        m_screen->apply({ready(), ExecutionChanged{run}, warmAndBusy()});
        QVERIFY(find<QTableView>("sandboxesTable")->isVisible());
        QCOMPARE(cell(0, SandboxesModel::State), QStringLiteral("Busy"));
        QCOMPARE(
            cell(0, SandboxesModel::Program), QStringLiteral("Claude Code: import statistics")
        );
        QCOMPARE(cell(0, SandboxesModel::Age), QStringLiteral("1 h 1 min"));
        QCOMPARE(cell(0, SandboxesModel::Cpu), QStringLiteral("48 of 50 %"));
        QCOMPARE(cell(0, SandboxesModel::Memory), QStringLiteral("312 MB of 512 MB"));
        QCOMPARE(cell(0, SandboxesModel::Container), QStringLiteral("bbbbbbbbbbbb (eager_bohr)"));
        QCOMPARE(cell(1, SandboxesModel::State), QStringLiteral("Warm"));
        QCOMPARE(cell(1, SandboxesModel::Program), QString());
        auto unknown = warmAndBusy();
        unknown.sandboxes[1].cpuPercent.reset();
        unknown.sandboxes[1].memoryBytes.reset();
        m_screen->apply({unknown});
        QCOMPARE(cell(1, SandboxesModel::Cpu), QStringLiteral("–"));
        QCOMPARE(cell(1, SandboxesModel::Memory), QStringLiteral("–"));
    }

    void keepsTheSelectionWhileRowsComeAndGo()
    {
        m_screen->apply({ready(), warmAndBusy()});
        select("sandboxesTable", 1);
        auto later = warmAndBusy();
        later.sandboxes.erase(later.sandboxes.begin());
        later.sandboxes.push_back(sampleSandbox("cccccccccccccccc", SandboxState::Starting, 0));
        m_screen->apply({later});
        auto* table = find<QTableView>("sandboxesTable");
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QVERIFY(cell(table->selectionModel()->selectedRows()[0].row(), SandboxesModel::Container)
                    .startsWith("aaaa"));
    }

    void endsWhatIsSelected()
    {
        m_screen->apply({ready(), warmAndBusy()});
        auto* kill = find<QPushButton>("sandboxKill");
        QVERIFY(!kill->isEnabled());
        select("sandboxesTable", 0);
        QVERIFY(kill->isEnabled() && kill->text().contains("program"));
        click("sandboxKill");
        QCOMPARE(lastCommand<KillSandbox>()->id, std::string("bbbbbbbbbbbbbbbb"));
        select("sandboxesTable", 1);
        QVERIFY(!kill->text().contains("program"));
        find<QTableView>("sandboxesTable")->setFocus();
        QTest::keyClick(find<QTableView>("sandboxesTable"), Qt::Key_Delete);
        QCOMPARE(lastCommand<KillSandbox>()->id, std::string("aaaaaaaaaaaaaaaa"));
        // What is on its way up or down can't be ended.
        auto later = warmAndBusy();
        later.sandboxes[1].state = SandboxState::Ending;
        m_screen->apply({later});
        QVERIFY(!kill->isEnabled());
        find<QTableView>("sandboxesTable")->setFocus();
        m_commands.clear();
        QTest::keyClick(find<QTableView>("sandboxesTable"), Qt::Key_Delete);
        QVERIFY(m_commands.empty());
    }

    void leadsToTheProgram()
    {
        m_screen->apply({ready(), warmAndBusy()});
        select("sandboxesTable", 1);
        QVERIFY(!find<QPushButton>("sandboxProgram")->isEnabled());
        select("sandboxesTable", 0);
        click("sandboxProgram");
        QTest::keyClick(find<QTableView>("sandboxesTable"), Qt::Key_Return);
        QVERIFY((m_shown == std::vector{ExecutionId("ex_1"), ExecutionId("ex_1")}));
    }

    void poolSizesTakeEffectAtOnce()
    {
        m_screen->apply({ready(), warmAndBusy()});
        auto* size = find<QSpinBox>("poolSize-python");
        QCOMPARE(size->value(), 1);
        QCOMPARE(find<QLabel>("poolNow-python")->text(), QStringLiteral("1 warm, 1 busy"));
        size->setFocus();
        m_commands.clear();
        QTest::keyClick(size, Qt::Key_Up);
        QVERIFY(lastCommand<SetPoolSize>());
        QCOMPARE(lastCommand<SetPoolSize>()->language, std::string("python"));
        QCOMPARE(lastCommand<SetPoolSize>()->size, 2U);
        // The engine's old number doesn't take the new one away before it has answered.
        m_screen->apply({warmAndBusy()});
        QCOMPARE(size->value(), 2);
        auto done = warmAndBusy();
        done.pools[1].wanted = 2;
        m_commands.clear();
        m_screen->apply({done});
        QCOMPARE(size->value(), 2);
        QVERIFY(m_commands.empty());
        m_screen->apply({warmAndBusy()}); // changed elsewhere
        QCOMPARE(size->value(), 1);
    }

    void aWheelThatPassesOverChangesNothing()
    {
        m_screen->apply({ready(), warmAndBusy()});
        auto* size = find<QSpinBox>("poolSize-python");
        size->clearFocus();
        m_commands.clear();
        const QPoint middle = size->rect().center();
        QWheelEvent wheel(
            middle,
            size->mapToGlobal(middle),
            {},
            {0, 120},
            Qt::NoButton,
            Qt::NoModifier,
            Qt::NoScrollPhase,
            false
        );
        QApplication::sendEvent(size, &wheel);
        QCOMPARE(size->value(), 1);
        QVERIFY(m_commands.empty());
    }

    void saysWhyItWasNotDoneAndTakesItBack()
    {
        m_screen->apply({ready(), warmAndBusy()});
        auto* size = find<QSpinBox>("poolSize-python");
        size->setValue(5);
        m_screen->apply({SandboxCommandDone{1, Error(Errc::InvalidArgument, "no room for 5")}});
        QVERIFY(find<Banner>("sandboxesRefused")->text().contains("no room for 5"));
        QCOMPARE(size->value(), 1);
        click("sandboxesRefusedButton");
        QVERIFY(find<Banner>("sandboxesRefused")->isHidden());
        auto broken = warmAndBusy();
        broken.problem = "sandboxes.json: expected an object";
        m_screen->apply({broken});
        QVERIFY(find<QLabel>("sandboxesProblem")->text().contains("expected an object"));
    }

    void buildsWithALiveLog()
    {
        ImageStatus bash = sampleImage("bash", "Bash");
        ImageStatus python = sampleImage("python", "Python");
        python.present = false;
        m_screen->apply({ready(), SandboxesChanged(), ImagesChanged{{bash, python}}});
        auto* build = find<QPushButton>("imageBuild");
        QVERIFY(build->text().remove('&') == "Rebuild");
        select("imagesTable", 1);
        QVERIFY(build->text().remove('&') == "Build");
        QVERIFY(!find<QPushButton>("imageRemove")->isEnabled());
        click("imageBuild");
        QCOMPARE(lastCommand<BuildImage>()->language, std::string("python"));
        QVERIFY(!build->isEnabled());
        python.building = true;
        m_screen->apply(
            {ImagesChanged{{bash, python}},
             ImageBuildProgress{"python", "unpacking <b>"},
             ImageBuildProgress{"python", "done\x1b[0m"}}
        );
        QVERIFY(find<QProgressBar>("imageProgress")->isVisible());
        QCOMPARE(
            find<QPlainTextEdit>("imageLog")->toPlainText(),
            QStringLiteral("unpacking <b>\ndone\\u{1b}[0m")
        );
        python.building = false;
        m_screen->apply(
            {ImageBuildEnded{"python", Error(Errc::IoFailed, "no mirror")},
             ImagesChanged{{bash, python}}}
        );
        const QString outcome = find<QLabel>("imageOutcome")->text();
        QVERIFY(outcome.contains("no mirror") && outcome.contains("belljar images build"));
        QVERIFY(find<QPlainTextEdit>("imageLog")->isVisible());
        QVERIFY(!find<QProgressBar>("imageProgress")->isVisible());
        QVERIFY(build->isEnabled());
        python.present = true;
        m_screen->apply({ImageBuildEnded{"python", {}}, ImagesChanged{{bash, python}}});
        QVERIFY(find<QLabel>("imageOutcome")->text().contains("ready"));
        QVERIFY(!find<QPlainTextEdit>("imageLog")->isVisible());
    }

    void asksBeforeItRemovesAnImage()
    {
        m_screen->apply({ready(), ImagesChanged{{sampleImage("bash", "Bash")}}});
        const auto answer = [&](bool yes) {
            click("imageRemove");
            auto* box = m_screen->findChild<QMessageBox*>(QStringLiteral("removeImageBox"));
            QVERIFY(box && box->text().contains("belljar/bash"));
            for (QAbstractButton* button : box->buttons()) {
                if ((box->buttonRole(button) == QMessageBox::DestructiveRole) == yes)
                    button->click();
            }
            QTRY_VERIFY(!m_screen->findChild<QMessageBox*>(QStringLiteral("removeImageBox")));
        };
        m_commands.clear();
        answer(false);
        QVERIFY(m_commands.empty());
        answer(true);
        QCOMPARE(lastCommand<RemoveImage>()->language, std::string("bash"));
    }

    void usesAnotherImageOnceItWorks()
    {
        ImageStatus bash = sampleImage("bash", "Bash");
        m_screen->apply({ready(), SandboxesChanged(), ImagesChanged{{bash}}});
        QVERIFY(!find<QPushButton>("imageShipped")->isEnabled());
        click("imageOther");
        auto* dialog = find<QDialog>("imageDialog");
        auto* use = find<QPushButton>("imageUse");
        QVERIFY(!use->isEnabled());
        QTest::keyClicks(find<QLineEdit>("imageReference"), QStringLiteral(" team/bash:2 "));
        QTest::keyClick(find<QLineEdit>("imageReference"), Qt::Key_Return);
        QCOMPARE(lastCommand<UseImage>()->language, std::string("bash"));
        QCOMPARE(lastCommand<UseImage>()->reference, std::string("team/bash:2"));
        QVERIFY(!use->isEnabled() && find<QProgressBar>("imageTrialProgress")->isVisible());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(dialog->isVisible()); // it is used if it works

        const std::uint64_t first = lastCommand<UseImage>()->token;
        m_screen->apply({SandboxCommandDone{
            first, Error(Errc::NotFound, "docker pull " + kHostile)}});
        QVERIFY(dialog->isVisible() && use->isEnabled());
        const auto* trial = find<QLabel>("imageTrial");
        QVERIFY(trial->text().contains("docker pull") && trial->textFormat() == Qt::PlainText);
        QVERIFY(find<Banner>("sandboxesRefused")->isHidden());

        click("imageUse");
        const std::uint64_t second = lastCommand<UseImage>()->token;
        QVERIFY(second != first);
        bash.chosen = ChosenImage{"team/bash:2", true, "sha256:77", 5U << 20U, 1, "Ours"};
        m_screen->apply({SandboxCommandDone{second, {}}, ImagesChanged{{bash}}});
        QVERIFY(!dialog->isVisible());
        QVERIFY(find<QLabel>("imageOutcome")->text().contains("Bash"));
        auto* table = find<QTableWidget>("imagesTable");
        QCOMPARE(table->item(0, 1)->text(), QStringLiteral("Chosen"));
        QCOMPARE(table->item(0, 2)->text(), QStringLiteral("team/bash:2 instead of belljar/bash"));
        QCOMPARE(table->item(0, 3)->text(), QStringLiteral("sha256:77"));
        QCOMPARE(table->item(0, 6)->text(), QStringLiteral("Ours"));
        bash.chosen->present = false;
        m_screen->apply({ImagesChanged{{bash}}});
        QCOMPARE(table->item(0, 1)->text(), QStringLiteral("Chosen, missing"));
        click("imageShipped");
        QCOMPARE(lastCommand<UseImage>()->reference, std::string());
        m_screen->apply({SandboxCommandDone{
            lastCommand<UseImage>()->token, Error(Errc::IoFailed, "disk full")}});
        QVERIFY(find<QLabel>("imageOutcome")->text().contains("disk full"));
        // The engine's end is an answer too.
        click("imageShipped");
        QVERIFY(!find<QPushButton>("imageOther")->isEnabled());
        m_screen->apply({EngineFailed{Error(Errc::Internal, "it died")}, ready()});
        QVERIFY(find<QPushButton>("imageOther")->isEnabled());
    }

    void tellsTheStateOfAnImageInWords()
    {
        ImageStatus outdated = sampleImage("bash", "Bash");
        outdated.upToDate = false;
        ImageStatus missing = sampleImage("python", "Python");
        missing.present = false;
        m_screen->apply(
            {ready(), ImagesChanged{{outdated, missing, sampleImage("javascript", "JavaScript")}}}
        );
        auto* table = find<QTableWidget>("imagesTable");
        QCOMPARE(table->item(0, 1)->text(), QStringLiteral("Outdated"));
        QCOMPARE(table->item(1, 1)->text(), QStringLiteral("Not built"));
        QCOMPARE(table->item(2, 1)->text(), QStringLiteral("Ready"));
        QCOMPARE(table->item(2, 3)->text(), QStringLiteral("sha256:3c00d1875727"));
        QVERIFY(table->item(2, 4)->text().contains("377"));
        for (int row = 0; row < 3; ++row)
            QVERIFY(!table->item(row, 1)->icon().isNull());
    }

    void hostileNamesStayPlain()
    {
        auto run = sampleRun(1, execution::Status::Running, kHostile);
        run.id = ExecutionId("ex_1");
        run.firstLine = kHostile;
        SandboxesChanged changed = warmAndBusy();
        for (SandboxStatus& one : changed.sandboxes)
            one.id = one.name = one.language = one.image = kHostile + one.id;
        for (PoolStatus& pool : changed.pools)
            pool.title = kHostile;
        changed.problem = kHostile;
        ImageStatus image = sampleImage(kHostile, kHostile);
        image.reference = image.digest = image.description = kHostile;
        m_screen->apply(
            {DockerChanged{{DockerState::Unreachable, "", "", kHostile, kHostile}},
             EngineFailed{Error(Errc::Internal, kHostile)},
             ready(),
             ExecutionChanged{run},
             changed,
             ImagesChanged{{image}},
             ImageBuildProgress{kHostile, kHostile},
             ImageBuildEnded{kHostile, Error(Errc::IoFailed, kHostile)},
             SandboxCommandDone{1, Error(Errc::Internal, kHostile)}}
        );
        click("imageRemove");
        const auto plain = [](const QString& text) {
            return !text.contains(QChar(0x1B)) && !text.contains(QChar(0x202E));
        };
        int seen = 0;
        for (const QLabel* label : m_screen->findChildren<QLabel*>()) {
            if (label->text().contains(QStringLiteral("img src"))) {
                ++seen;
                QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
            }
            QVERIFY2(plain(label->text()), qPrintable(label->objectName()));
        }
        QVERIFY2(seen >= 6, qPrintable(QString::number(seen)));
        for (const QAbstractItemView* view : m_screen->findChildren<QAbstractItemView*>()) {
            for (int row = 0; row < view->model()->rowCount(); ++row) {
                for (int column = 0; column < view->model()->columnCount(); ++column)
                    QVERIFY(plain(view->model()->index(row, column).data().toString()));
            }
        }
        for (const QWidget* widget : m_screen->findChildren<QWidget*>()) {
            QVERIFY(!Qt::mightBeRichText(widget->toolTip()));
            QVERIFY(plain(widget->accessibleName()));
        }
        QVERIFY(plain(find<QPlainTextEdit>("imageLog")->toPlainText()));
    }

    void everythingHasANameAndIsReachedByKeys()
    {
        m_screen->apply({ready(), warmAndBusy(), ImagesChanged{{sampleImage("bash", "Bash")}}});
        for (const char* name : {"sandboxesTable", "imagesTable", "poolSize-python"})
            QVERIFY2(!find<QWidget>(name)->accessibleName().isEmpty(), name);
        select("sandboxesTable", 0);
        select("imagesTable", 0);
        QTRY_VERIFY(find<QSpinBox>("poolSize-bash")->isVisible());
        find<QSpinBox>("poolSize-bash")->setFocus();
        QStringList reached;
        for (int step = 0; step < 12; ++step) {
            QWidget* focus = QApplication::focusWidget();
            QVERIFY2(focus, qPrintable(reached.join(' ')));
            reached << focus->objectName();
            QTest::keyClick(focus, Qt::Key_Tab);
        }
        const QStringList order{
            "poolSize-bash",
            "poolSize-python",
            "sandboxesTable",
            "sandboxKill",
            "sandboxProgram",
            "imagesTable",
            "imageBuild",
            "imageRemove",
            "imageOther"};
        int at = 0;
        for (const QString& name : reached)
            at += at < order.size() && name == order[at] ? 1 : 0;
        QVERIFY2(at == order.size(), qPrintable(reached.join(' ')));
    }
};

BELLJAR_GUI_TEST_MAIN(TestSandboxesScreen)
#include "tst_sandboxes_screen.moc"
