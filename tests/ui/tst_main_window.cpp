// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_approvals.h"
#include "tests/ui/sample_runs.h"
#include "ui/approvals/approvals_screen.h"
#include "ui/execution/code_view.h"
#include "ui/execution/execution_page.h"
#include "ui/execution/output_view.h"
#include "ui/execution/resource_graph.h"
#include "ui/policies/policies_screen.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_view.h"
#include "ui/shell/banner.h"
#include "ui/shell/main_window.h"
#include "ui/shell/theme.h"

#include <memory>

using namespace belljar;
using namespace belljar::ui;
using execution::Status;
using test::sampleRun;

namespace {

DockerChanged
docker(DockerState state, const std::string& message = {}, const std::string& advice = {})
{
    return {
        {state,
         "/var/run/docker.sock",
         state == DockerState::Ready ? "20.10.24" : "",
         message,
         advice}};
}

ImagesChanged pythonImage()
{
    ImageStatus image;
    image.language = "python";
    image.present = true;
    return {{image}};
}

const std::string kHostile = "<img src=x onerror=alert(1)><b>bold</b>&lt;\x1b[31m\u202e\n</style>";

} // namespace
#endif

class TestMainWindow : public QObject {
    Q_OBJECT

private:
    template <class T>
    T* find(const char* name)
    {
        T* found = m_window->findChild<T*>(QString::fromLatin1(name));
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
    void press(const char* box, const QString& text)
    {
        auto* shown = m_window->findChild<QMessageBox*>(QString::fromLatin1(box));
        QVERIFY(shown);
        for (QAbstractButton* button : shown->buttons()) {
            if (button->text() == text)
                button->click();
        }
        QTRY_VERIFY(!m_window->findChild<QMessageBox*>(QString::fromLatin1(box)));
    }
    RunsView* runs() { return m_window->findChild<RunsView*>(); }

    QTemporaryDir m_folder;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<MainWindow> m_window;
    std::vector<Command> m_commands;

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("belljar-test"));
    }
    void init()
    {
        QSettings().clear();
        m_commands.clear();
        m_theme = std::make_unique<Theme>();
        m_window = std::make_unique<MainWindow>(
            (m_folder.path() + QStringLiteral("/none.db")).toStdString(), *m_theme
        );
        connect(m_window.get(), &MainWindow::commandWanted, this, [this](const Command& command) {
            m_commands.push_back(command);
        });
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QTRY_VERIFY(runs()->state() == RunsView::State::Empty);
    }
    void cleanup() { m_window.reset(); }

    void isEmptyAtFirstAndOffersAnExample()
    {
        QVERIFY(find<QLabel>("connectSnippet")->text().contains(QStringLiteral("\"stdio\"")));
        // Without Docker there is nothing to run it in.
        QVERIFY(find<QPushButton>("exampleButton")->isHidden());
        m_window->apply({docker(DockerState::Ready), pythonImage()});
        click("exampleButton");
        const auto* submitted = lastCommand<SubmitProgram>();
        QVERIFY(submitted);
        QCOMPARE(QString::fromStdString(submitted->language), QStringLiteral("python"));
        QVERIFY(!submitted->code.empty());
    }

    void showsARunFromItsStartToItsEnd()
    {
        auto record = sampleRun(1, Status::Running);
        m_window->apply({ExecutionChanged{record}});
        auto* page = m_window->findChild<ExecutionPage*>();
        QVERIFY2(page->record().has_value(), "the newest run is followed");
        QVERIFY(find<QPushButton>("stopButton")->isEnabled());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("1 running")));
        page->setDetails({record, "print('x')\n", {{execution::Stream::Stdout, 0, "early\n"}}, {}});
        m_window->apply({OutputAppended{
            record.id,
            {{execution::Stream::Stdout, 0, "early\n"}, {execution::Stream::Stderr, 0, "late\n"}}}}
        );
        m_window->apply({SamplesTaken{record.id, {execution::Sample{}, execution::Sample{}}}});
        auto* output = find<OutputView>("outputView");
        QCOMPARE(output->selectedText(), QStringLiteral("early\nlate"));
        QCOMPARE(find<ResourceGraph>("resourceGraph")->sampleCount(), 2);

        record.status = Status::Succeeded;
        record.exitCode = 0;
        m_window->apply({ExecutionChanged{record}});
        QVERIFY(!find<QPushButton>("stopButton")->isEnabled());
        QCOMPARE(find<QLabel>("executionTitle")->text(), QStringLiteral("Succeeded"));
        QVERIFY(
            find<QLabel>("executionSubtitle")->text().contains(QStringLiteral("as it calls itself"))
        );
    }

    void stopsAndRunsAgain()
    {
        auto record = sampleRun(1, Status::Running);
        record.limits.timeout = execution::milliseconds(5000);
        m_window->apply({ExecutionChanged{record}});
        QTRY_VERIFY(find<QPushButton>("stopButton")->isVisible());
        QCoreApplication::processEvents(); // it is laid out
        click("stopButton");
        QVERIFY(lastCommand<CancelExecution>());
        QCOMPARE(
            QString::fromStdString(lastCommand<CancelExecution>()->id.text()),
            QStringLiteral("ex_1")
        );
        m_window->findChild<ExecutionPage*>()->setDetails({record, "print(1)\n", {}, {}});
        QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier);
        QVERIFY(lastCommand<SubmitProgram>());
        QCOMPARE(
            QString::fromStdString(lastCommand<SubmitProgram>()->code), QStringLiteral("print(1)\n")
        );
        QCOMPARE(lastCommand<SubmitProgram>()->asked.timeout->count(), std::int64_t(5000));
    }

    // UX.md rule 4: what waits is told until it is answered, and rule 3: without taking the focus.
    void tellsOfWhatWaits()
    {
        const Approval approval = test::sampleApproval("ex_1", test::kRiskyCode);
        m_window->apply({ApprovalAsked{approval}});
        QCOMPARE(m_window->windowTitle(), QStringLiteral("(1) Belljar"));
        auto* banner = m_window->findChild<Banner*>(QStringLiteral("approvalsBanner"));
        QVERIFY(!banner->isHidden());
        QVERIFY(banner->text().contains("Claude Code wants to run Python"));
        QVERIFY(!banner->text().contains("subprocess")); // never the code
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(m_window->findChild<ApprovalsScreen*>()->isVisible());
        QVERIFY(banner->isHidden()); // the screen says it itself
        m_window->apply({ApprovalSettled{
            approval.id, {}, execution::DecidedBy::Timeout, "nobody answered"}});
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Belljar"));
    }

    void aRunMakesADraftOfARule()
    {
        auto record = sampleRun(1, Status::Succeeded);
        record.verdict = execution::Verdict::Allow;
        record.findings = 0;
        PoliciesChanged policies;
        policies.policies.resize(1);
        policies.policies[0].name = "mine";
        policies.policies[0].text =
            "{\"version\": 1, \"title\": \"t\", \"approval\": {\"otherwise\": \"ask\"}}";
        policies.defaultPolicy = "mine";
        m_window->apply({ExecutionChanged{record}, policies});
        QVERIFY(!find<QPushButton>("ruleButton")->isVisible());
        record.verdict = execution::Verdict::Ask;
        record.decidedBy = execution::DecidedBy::Person;
        m_window->apply({ExecutionChanged{record}});
        auto* screen = m_window->findChild<PoliciesScreen*>();
        const auto then = [screen](const char* rule) {
            const Json* value = screen->document()->value(std::string("/approval/rules/") + rule);
            return value ? value->dump() : "nothing";
        };
        QCoreApplication::processEvents(); // it is laid out
        click("ruleButton");
        QTRY_COMPARE(then("0/then"), "\"allow\"");
        QVERIFY(screen->isVisible());
        m_window->findChild<RunActions*>()->showMenu({});
        for (QAction* action : find<QMenu>("runMenu")->actions()) {
            if (action->text() == "Make a r&ule from this…")
                action->trigger();
        }
        QTRY_COMPARE(then("1/then"), "\"allow\"");
        QVERIFY(m_commands.empty());
    }

    void keepsWhatIsBeingReadWhenNewRunsCome()
    {
        m_window->apply(
            {ExecutionChanged{sampleRun(1, Status::Succeeded)},
             ExecutionChanged{sampleRun(2, Status::Succeeded)}}
        );
        auto* table = find<QTableView>("runsTable");
        table->selectRow(1);
        m_window->apply({ExecutionChanged{sampleRun(3, Status::Running)}});
        QCOMPARE(table->model()->rowCount(), 2);
        QVERIFY(find<QPushButton>("newRowsButton")->isVisible());
        QCOMPARE(QString::fromStdString(runs()->selected()->text()), QStringLiteral("ex_1"));
        click("newRowsButton");
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(QString::fromStdString(runs()->selected()->text()), QStringLiteral("ex_3"));
    }

    void saysThatDockerIsGoneAndLooksAgain()
    {
        m_window->apply({docker(DockerState::Unreachable, "Docker is not running: /x", "Start it.")}
        );
        auto* banner = find<Banner>("dockerBanner");
        QVERIFY(
            banner->text().contains(QStringLiteral("Docker is not running")) &&
            banner->text().contains(QStringLiteral("Start it."))
        );
        QVERIFY(find<QLabel>("dockerLabel")->text().contains(QStringLiteral("not running")));
        click("dockerBannerButton");
        QVERIFY(lastCommand<RetryDocker>());
        m_window->apply({docker(DockerState::Ready)});
        QVERIFY(banner->isHidden());
    }

    void buildsAMissingImageWithProgress()
    {
        ImageStatus missing;
        missing.language = "python";
        missing.title = "Python";
        m_window->apply({docker(DockerState::Ready), ImagesChanged{{missing}}});
        QVERIFY(find<Banner>("imageBanner")->isHidden()); // the guide says it
        m_window->apply({ExecutionChanged{sampleRun(1, Status::Failed)}});
        QTRY_VERIFY(!find<Banner>("imageBanner")->isHidden());
        QCoreApplication::processEvents(); // it is laid out
        click("imageBannerButton");
        QVERIFY(lastCommand<BuildImage>());
        QCOMPARE(
            QString::fromStdString(lastCommand<BuildImage>()->language), QStringLiteral("python")
        );
        m_window->apply({ImageBuildProgress{"python", "unpacking <b>"}});
        QVERIFY(find<QWidget>("buildLog")->isVisible());
        m_window->apply({ImageBuildEnded{"python", Error(Errc::IoFailed, "no mirror")}});
        QVERIFY(find<Banner>("imageBanner")->text().contains(QStringLiteral("no mirror")));
        missing.present = true;
        m_window->apply({ImageBuildEnded{"python", {}}, ImagesChanged{{missing}}});
        QVERIFY(find<Banner>("imageBanner")->isHidden());
    }

    void saysWhichOtherEngineRuns()
    {
        QSignalSpy restart(m_window.get(), &MainWindow::restartWanted);
        m_window->apply({EngineFailed{Error(Errc::Busy, "engine.lock is held by process 42")}});
        QVERIFY(find<Banner>("engineBanner")->text().contains(QStringLiteral("42")));
        QVERIFY(find<QLabel>("engineLabel")->text().contains(QStringLiteral("stopped")));
        click("engineBannerButton");
        QCOMPARE(restart.size(), 1);
    }

    void saysThatTheHistoryCanNotBeRead()
    {
        runs()->showFailure(QStringLiteral("history.db is broken"));
        QVERIFY(runs()->state() == RunsView::State::Failed);
        QVERIFY(find<QLabel>("failureLabel")->text().contains(QStringLiteral("history.db")));
    }

    void theGuideIsInTheHelpMenuToo()
    {
        m_window->apply(
            {docker(DockerState::Ready),
             pythonImage(),
             ExecutionChanged{sampleRun(1, Status::Succeeded)}}
        );
        QTRY_VERIFY(runs()->state() == RunsView::State::Ready);
        const auto open = [this] {
            for (QAction* action : m_window->findChildren<QAction*>()) {
                if (action->text() == QStringLiteral("&First steps…"))
                    action->trigger();
            }
            return m_window->findChild<QDialog*>(QStringLiteral("guideDialog"));
        };
        QDialog* dialog = open();
        QVERIFY(dialog);
        QVERIFY(!dialog->isModal()); // what it speaks of is in the window behind
        QCOMPARE(open(), dialog);    // one is enough
        QPointer<QDialog> closed(dialog);
        dialog->findChild<QPushButton*>(QStringLiteral("exampleButton"))->click();
        const auto* program = lastCommand<SubmitProgram>();
        QVERIFY(program && program->language == "python");
        QTRY_VERIFY(!closed);
        m_window->apply({docker(DockerState::Unreachable, "gone")}); // nothing listens any more
    }

    void countsClients()
    {
        execution::Client client;
        client.id = ClientId("c1");
        client.name = "Kiro";
        m_window->apply({ClientConnected{client}});
        QVERIFY(find<QLabel>("clientsLabel")->text().contains(QStringLiteral("Kiro")));
        m_window->apply({ClientDisconnected{client.id}});
        QVERIFY(!find<QLabel>("clientsLabel")->text().contains(QStringLiteral("Kiro")));
    }

    void showsCodeWithItsUnusualCharacters()
    {
        auto* code = m_window->findChild<CodeView*>();
        code->setCode("print('a\u202eb')\r\nx = 1\r\n", QStringLiteral("python"));
        QCOMPARE(code->shownText(), QStringLiteral("print('a\\u{202e}b')\nx = 1\n"));
        QVERIFY(
            code->notice().contains(QStringLiteral("1 unusual")) &&
            code->notice().contains(QStringLiteral("CR LF"))
        );
        code->setCode(std::string(2'000'000, 'x'), QStringLiteral("python"));
        QCOMPARE(code->shownText().size(), qsizetype(2'000'000));
    }

    // whatever a client, a program or Docker calls itself, it is shown as text.
    void hostileTextStaysText()
    {
        auto record = sampleRun(1, Status::Error, kHostile);
        record.firstLine = kHostile;
        record.error = kHostile;
        record.notes = {kHostile};
        record.language = kHostile;
        record.image = kHostile;
        record.args = {kHostile};
        record.client.title = kHostile;
        record.client.version = kHostile;
        record.client.executable = kHostile;
        record.client.pid = 1;
        execution::Client client = record.client;
        client.id = ClientId("c1");
        ImageStatus image;
        image.language = kHostile;
        image.title = kHostile;
        m_window->apply(
            {ExecutionChanged{record},
             ClientConnected{client},
             docker(DockerState::Ready),
             ImagesChanged{{image}},
             ImageBuildProgress{"x", kHostile},
             ImageBuildEnded{"x", Error(Errc::IoFailed, kHostile)},
             ProgramSubmitted{1, fail(Errc::Busy, kHostile)},
             docker(DockerState::Unreachable, kHostile, kHostile),
             EngineFailed{Error(Errc::IoFailed, kHostile)}}
        );
        m_window->findChild<ExecutionPage*>()->setDetails(
            {record, kHostile, {{execution::Stream::Stdout, 0, kHostile}}, {}}
        );
        const auto plain = [](const QString& text) {
            return !text.contains(QChar(0x1B)) && !text.contains(QChar(0x202E));
        };
        int seen = 0;
        for (const QLabel* label : m_window->findChildren<QLabel*>()) {
            if (label->text().contains(QStringLiteral("img src"))) {
                ++seen;
                QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
            }
            QVERIFY2(plain(label->text()), qPrintable(label->objectName()));
        }
        QVERIFY2(seen >= 5, qPrintable(QString::number(seen)));
        for (const QWidget* widget : m_window->findChildren<QWidget*>())
            QVERIFY(!Qt::mightBeRichText(widget->toolTip()) && plain(widget->accessibleName()));
        auto* model = find<QTableView>("runsTable")->model();
        for (int column = 0; column < model->columnCount(); ++column)
            QVERIFY(plain(model->index(0, column).data().toString()));
        QVERIFY(plain(find<OutputView>("outputView")->selectedText()));
        QVERIFY(plain(m_window->windowTitle()));
    }

    void everythingIsReachedByKeyboard()
    {
        m_window->apply(
            {ExecutionChanged{sampleRun(1, Status::Running)},
             ExecutionChanged{sampleRun(2, Status::Running)}}
        );
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        auto* table = find<QTableView>("runsTable");
        QTRY_VERIFY(table->hasFocus());
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(table->currentIndex().row(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(lastCommand<CancelExecution>());
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(find<QLineEdit>("queryLine")->hasFocus());
    }

    void pausesAndSaysSoUntilItIsResumed()
    {
        auto* banner = find<Banner>("pauseBanner");
        QVERIFY(!banner->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier);
        const auto* pause = lastCommand<PauseRuns>();
        QVERIFY(pause && pause->paused);
        QVERIFY2(!banner->isVisible(), "the engine has not said so yet");
        m_window->apply({PauseChanged{true, 1'790'000'000'000}});
        QVERIFY(banner->isVisible());
        click("pauseBannerButton");
        const auto* resume = lastCommand<PauseRuns>();
        QVERIFY(resume && !resume->paused);
        m_window->apply({PauseChanged{}});
        QVERIFY(!banner->isVisible());
    }

    void stopsAllAtOnce()
    {
        m_window->apply(
            {ExecutionChanged{sampleRun(1, Status::Running)},
             ExecutionChanged{sampleRun(2, Status::Queued)},
             ExecutionChanged{sampleRun(3, Status::Succeeded)}}
        );
        QTest::keyClick(
            m_window.get(),
            Qt::Key_Period,
            Qt::KeyboardModifiers(Qt::ControlModifier) | Qt::ShiftModifier
        );
        QCOMPARE(m_commands.size(), std::size_t{2});
    }

    void thePaletteRunsWhatIsTyped()
    {
        auto* palette = find<QWidget>("commandPalette");
        auto* text = find<QLineEdit>("paletteText");
        auto* list = find<QListWidget>("paletteList");
        const auto open = [&] {
            QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
            QTRY_VERIFY(text->hasFocus());
        };
        open();
        QVERIFY(list->count() > 10);
        QTest::keyClicks(text, QStringLiteral("pause"));
        QCOMPARE(list->currentItem()->text(), QStringLiteral("Run: Pause all programs"));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(palette->isHidden());
        QVERIFY(lastCommand<PauseRuns>());
        open();
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(palette->isHidden());
    }

    void thePaletteFindsRuns()
    {
        const auto record = sampleRun(1, Status::Succeeded);
        m_window->apply({ExecutionChanged{record}});
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        auto* text = find<QLineEdit>("paletteText");
        text->setText(QString::fromStdString(record.id.text()));
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(find<QListWidget>("rail")->currentRow(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        text->setText(QStringLiteral("status:failed zebra"));
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(find<QLineEdit>("queryLine")->text(), QStringLiteral("status:failed zebra"));
    }

    void theKeysAreListed()
    {
        QTest::keyClick(m_window.get(), Qt::Key_Slash, Qt::ControlModifier);
        auto* list = find<QDialog>("keysDialog")->findChild<QTreeWidget*>();
        QStringList keys;
        for (QTreeWidgetItemIterator at(list); *at; ++at)
            keys << (*at)->text(0) + QLatin1Char('=') + (*at)->text(1);
        for (const char* one :
             {"Stop=Ctrl+.", "Pause all programs=Ctrl+P", "Allow once=Ctrl+Return"})
            QVERIFY2(keys.contains(QLatin1String(one)), one);
    }

    void aNarrowWindowKeepsTheIcons()
    {
        auto* rail = find<QListWidget>("rail");
        m_window->resize(1280, 800);
        QTRY_COMPARE(rail->item(1)->text(), QStringLiteral("Approvals"));
        const int wide = rail->width();
        m_window->resize(500, 700);
        QTRY_VERIFY2(
            rail->width() < wide / 2,
            qPrintable(QStringLiteral("%1 of %2 in a window of %3")
                           .arg(rail->width())
                           .arg(wide)
                           .arg(m_window->width()))
        );
        QCOMPARE(rail->item(1)->text(), QStringLiteral("Approvals")); // for screen readers
        QVERIFY(rail->item(1)->toolTip().startsWith(QStringLiteral("Approvals")));
    }

    void everyControlHasAName()
    {
        for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>()) {
            if (button->focusPolicy() != Qt::NoFocus && button->isVisible())
                QVERIFY2(
                    !button->text().isEmpty() || !button->accessibleName().isEmpty(),
                    qPrintable(button->objectName())
                );
        }
    }

    // Offscreen there is no tray: closing must not leave a program that can't be reached.
    void closingAsksWhatItMeans()
    {
        m_window->close();
        QVERIFY(m_window->isVisible());
        press("closingBox", QStringLiteral("Cancel"));
        QVERIFY(m_window->isVisible());
        m_window->close();
        press("closingBox", QStringLiteral("&Keep running"));
        QTRY_VERIFY(!m_window->isVisible());
        m_window->raiseWindow();
        m_window->close(); // it was remembered
        QTRY_VERIFY(!m_window->isVisible());
    }

    void quittingAsksWhileSomethingRuns()
    {
        m_window->apply({ExecutionChanged{sampleRun(1, Status::Running)}});
        for (auto* box : m_window->findChildren<QComboBox*>()) {
            if (box->accessibleName() == QStringLiteral("When the window is closed"))
                box->setCurrentIndex(static_cast<int>(OnClose::Quit));
        }
        m_window->close();
        QVERIFY(m_window->findChild<QMessageBox*>(QStringLiteral("quittingBox"))
                    ->text()
                    .contains(QStringLiteral("1 run")));
        press("quittingBox", QStringLiteral("Cancel"));
        QVERIFY(m_window->isVisible());
    }

    void changesItsSchemeLive()
    {
        m_theme->apply(Scheme::Dark);
        QVERIFY(currentScheme() == Scheme::Dark);
        QTRY_VERIFY(m_window->palette().color(QPalette::Window).lightnessF() < 0.5);
        m_theme->apply(Scheme::Light);
        QVERIFY(currentScheme() == Scheme::Light);
    }
};

BELLJAR_GUI_TEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
