// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
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

private slots:
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
