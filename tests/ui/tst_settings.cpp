// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "ui/settings/settings_screen.h"
#include "ui/settings/translations.h"
#include "ui/shell/theme.h"
#endif

using namespace belljar;
using namespace belljar::ui;

class TestSettings : public QObject {
    Q_OBJECT

private:
    /// The control of the row that is called `title`.
    template <class T>
    static T* control(const SettingsScreen& screen, const QString& title)
    {
        for (T* one : screen.findChildren<T*>()) {
            if (one->accessibleName() == title)
                return one;
        }
        qFatal("no control %s", qPrintable(title));
    }
    static QToolButton* reset(const SettingsScreen& screen, const QString& title)
    {
        return control<QToolButton>(screen, title + QStringLiteral(": back to the default"));
    }

    QTemporaryDir m_home;

    /// The last command, if it is one of these.
    template <class T>
    const T* lastCommand() const
    {
        return m_commands.empty() ? nullptr : std::get_if<T>(&m_commands.back());
    }
    std::unique_ptr<SettingsScreen> withEngine()
    {
        m_commands.clear();
        auto screen = std::make_unique<SettingsScreen>();
        connect(screen.get(), &SettingsScreen::commandWanted, this, [this](const Command& command) {
            m_commands.push_back(command);
        });
        return screen;
    }

    std::vector<Command> m_commands;

private slots:
    void theEngineIsSetOnceItIsThere()
    {
        const auto screen = withEngine();
        auto* running = screen->findChild<QSpinBox*>("max_running");
        QVERIFY(!running->isEnabled());
        SettingsChanged told;
        told.settings.maxRunning = 3;
        screen->apply({told});
        QVERIFY(running->isEnabled());
        QCOMPARE(running->value(), 3);
        QVERIFY(m_commands.empty()); // to be shown is not to be changed
        running->setValue(5);
        QVERIFY(lastCommand<ChangeSettings>());
        QCOMPARE(lastCommand<ChangeSettings>()->settings.maxRunning, 5U);
        screen->apply({EngineFailed{Error(Errc::Busy, "another one")}});
        QVERIFY(!running->isEnabled());
    }

    void whatTheEngineDoesNotTakeIsNotShownAsSet()
    {
        const auto screen = withEngine();
        screen->apply({SettingsChanged{}});
        auto* line = screen->findChild<QLineEdit*>("http_address");
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("nowhere"));
        QTest::keyClick(line, Qt::Key_Return);
        const auto* change = lastCommand<ChangeSettings>();
        QVERIFY(change && change->settings.httpAddress == "nowhere");
        screen->apply({SettingsCommandDone{
            change->token, Error(Errc::InvalidArgument, "http_address: expected <b>an IP</b>")}});
        QCOMPARE(line->text(), QStringLiteral("127.0.0.1"));
        auto* problem = screen->findChild<QLabel*>("settingsProblem");
        QVERIFY(!problem->isHidden());
        QCOMPARE(problem->textFormat(), Qt::PlainText);
        QVERIFY2(
            problem->text().contains(QStringLiteral("Address: expected <b>an IP</b>")),
            qPrintable(problem->text())
        );
        screen->findChild<QCheckBox*>("http_on")->click();
        screen->apply({SettingsCommandDone{lastCommand<ChangeSettings>()->token, {}}});
        QVERIFY(problem->isHidden());
    }

    void theTokenIsHiddenUntilItIsAskedFor()
    {
        const auto screen = withEngine();
        SettingsChanged told;
        told.http = {true, "http://127.0.0.1:7707/mcp", ""};
        screen->apply({told});
        QCOMPARE(
            screen->findChild<QLabel*>("httpUrl")->text(),
            QStringLiteral("http://127.0.0.1:7707/mcp")
        );
        auto* secret = screen->findChild<QLineEdit*>("httpToken");
        QVERIFY(secret->text().isEmpty());
        screen->findChild<QPushButton*>("revealToken")->click();
        const auto* reveal = lastCommand<RevealToken>();
        QVERIFY(reveal);
        screen->apply({TokenRevealed{reveal->token + 1, std::string("another window's")}});
        QVERIFY(secret->text().isEmpty());
        screen->apply({TokenRevealed{reveal->token, std::string("0123")}});
        QCOMPARE(secret->text(), QStringLiteral("0123"));

        const auto commands = m_commands.size();
        screen->findChild<QPushButton*>("rotateToken")->click();
        auto* box = screen->findChild<QMessageBox*>("rotateBox");
        QVERIFY(box && m_commands.size() == commands); // not without a question
        for (QAbstractButton* button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::DestructiveRole)
                button->click();
        }
        QVERIFY(lastCommand<RotateToken>());
        QVERIFY(secret->text().isEmpty());
        told.http = {true, "", "port 7707 is taken"};
        screen->apply({told});
        QVERIFY(screen->findChild<QLabel*>("httpUrl")->text().contains("port 7707 is taken"));
    }

    void cleaningUpSaysWhatGoes()
    {
        const auto screen = withEngine();
        DataMeasured measured;
        measured.folder = "/home/ann/.local/share/belljar";
        measured.historyBytes = 12'345'678;
        measured.executions = 40;
        screen->apply({SettingsChanged{}, measured});
        QVERIFY(screen->findChild<QLabel*>("dataSizes")->text().contains("12.3 MB"));
        screen->findChild<QPushButton*>("cleanUp")->click();
        QVERIFY(m_commands.empty()); // there is nothing to delete
        delete screen->findChild<QMessageBox*>("cleanUpBox");
        measured.expired = 7;
        screen->apply({measured});
        screen->findChild<QPushButton*>("cleanUp")->click();
        auto* box = screen->findChild<QMessageBox*>("cleanUpBox");
        QVERIFY(box && box->text().contains(QLatin1Char('7')));
        for (QAbstractButton* button : box->buttons()) {
            if (box->buttonRole(button) == QMessageBox::DestructiveRole)
                button->click();
        }
        QVERIFY(lastCommand<CleanUp>());
    }

    void initTestCase()
    {
        qputenv("XDG_CONFIG_HOME", m_home.path().toUtf8());
        QCoreApplication::setOrganizationName(QStringLiteral("belljar-test"));
    }
    void init() { QSettings().clear(); }

    void keepsWhatIsChosen()
    {
        SettingsScreen screen;
        screen.show();
        QSignalSpy changed(&screen, &SettingsScreen::preferencesChanged);
        control<QComboBox>(screen, QStringLiteral("Colours"))->setCurrentIndex(2);
        control<QCheckBox>(screen, QStringLiteral("Notify when a program waits for you"))
            ->setChecked(false);
        QCOMPARE(changed.count(), 2);
        const Preferences kept = loadPreferences();
        QVERIFY(kept.scheme == SchemeChoice::Dark && !kept.notifications);
        QVERIFY(kept.language == Language::System && kept.onClose == OnClose::Ask);
        SettingsScreen again;
        QCOMPARE(control<QComboBox>(again, QStringLiteral("Colours"))->currentIndex(), 2);
    }

    void goesBackToTheDefault()
    {
        SettingsScreen screen;
        screen.show();
        QVERIFY(!reset(screen, QStringLiteral("Colours"))->isVisible());
        control<QComboBox>(screen, QStringLiteral("Colours"))->setCurrentIndex(1);
        QVERIFY(reset(screen, QStringLiteral("Colours"))->isVisible());
        QTest::mouseClick(reset(screen, QStringLiteral("Colours")), Qt::LeftButton);
        QVERIFY(loadPreferences() == Preferences());
        QVERIFY(!reset(screen, QStringLiteral("Colours"))->isVisible());
    }

    void isFoundByItsWords()
    {
        SettingsScreen screen;
        screen.show();
        auto* search = screen.findChild<QLineEdit*>(QStringLiteral("settingsSearch"));
        QTest::keyClicks(search, QStringLiteral("tray closed"));
        QVERIFY(!control<QComboBox>(screen, QStringLiteral("Colours"))->isVisible());
        search->setText(QStringLiteral("window closed"));
        QVERIFY(control<QComboBox>(screen, QStringLiteral("When the window is closed"))->isVisible()
        );
        QVERIFY(!control<QComboBox>(screen, QStringLiteral("Colours"))->isVisible());
        search->setText(QStringLiteral("zebra"));
        QVERIFY(screen.findChild<QLabel*>(QStringLiteral("noSetting"))->isVisible());
        search->clear();
        QVERIFY(control<QComboBox>(screen, QStringLiteral("Colours"))->isVisible());
    }

    void unknownWordsAreTheDefault()
    {
        QSettings().setValue(QStringLiteral("window/theme"), QStringLiteral("<b>plaid</b>"));
        QVERIFY(loadPreferences() == Preferences());
    }

    void startsWithTheDesktopOnlyWhenAsked()
    {
        QVERIFY(!QFile::exists(autostartFile()));
        SettingsScreen screen;
        auto* box = screen.findChild<QCheckBox*>(QStringLiteral("autostartBox"));
        box->setChecked(true);
        QFile file(autostartFile());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("Exec=\"/") && text.contains(" --background\n"), text);
        QVERIFY(isAutostarted());
        box->setChecked(false);
        QVERIFY(!QFile::exists(autostartFile()));
    }

    void saysWhyItCanNotStartWithTheDesktop()
    {
        // A file stands where the folder has to be.
        QDir(m_home.filePath(QStringLiteral("autostart"))).removeRecursively();
        QFile inTheWay(m_home.filePath(QStringLiteral("autostart")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        SettingsScreen screen;
        screen.show();
        auto* box = screen.findChild<QCheckBox*>(QStringLiteral("autostartBox"));
        box->setChecked(true);
        QVERIFY(!box->isChecked());
        auto* problem = screen.findChild<QLabel*>(QStringLiteral("settingsProblem"));
        QVERIFY2(
            problem->isVisible() && problem->text().contains(autostartFile()),
            qPrintable(problem->text())
        );
        QVERIFY(inTheWay.remove());
    }

    void speaksChineseFromThenOn()
    {
        Translations translations;
        translations.use(Language::Chinese);
        {
            SettingsScreen screen;
            control<QComboBox>(screen, QStringLiteral("语言"));
            QCOMPARE(QLocale().language(), QLocale::Chinese);
        }
        translations.use(Language::English);
        SettingsScreen screen;
        control<QComboBox>(screen, QStringLiteral("Language"));
    }

    void englishHasItsPlurals()
    {
        Translations translations;
        translations.use(Language::English);
        const auto words = [](int count) {
            return QCoreApplication::translate(
                "belljar::ui::ApprovalNotifier",
                "%n program(s) wait for your answer",
                nullptr,
                count
            );
        };
        QCOMPARE(words(1), QStringLiteral("1 program waits for your answer"));
        QCOMPARE(words(2), QStringLiteral("2 programs wait for your answer"));
    }
};

BELLJAR_GUI_TEST_MAIN(TestSettings)
#include "tst_settings.moc"
