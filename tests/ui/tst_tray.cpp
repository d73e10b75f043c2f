// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tray's icon on a desktop whose tray comes up after us, on a bus and a screen of its own. The
// tests build on one another: Qt looks once in a process what kind of tray there is.
#include <QDBusArgument>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QImage>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_approvals.h"
#include "ui/approvals/approvals_screen.h"
#include "ui/shell/main_window.h"
#include "ui/shell/theme.h"
#include "ui/shell/tray.h"

#include <memory>
#include <set>
#endif

using namespace belljar;
using namespace belljar::ui;

class TestTray : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(
            (m_folder.path() + QStringLiteral("/none.db")).toStdString(), m_theme
        );
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanupTestCase()
    {
        m_window.reset();
        m_tray.kill();
        m_tray.waitForFinished();
    }

    void withoutATrayNothingIsHidden() { QVERIFY(!tray()->isThere()); }

    void theIconAppearsWithTheTray()
    {
        m_tray.start(QStringLiteral(FAKE_TRAY), QStringList());
        QTRY_VERIFY(m_tray.canReadLine());
        QCOMPARE(m_tray.readLine().trimmed(), QByteArray("ready"));
        QTRY_VERIFY(tray()->isThere());
        QTRY_VERIFY(m_tray.canReadLine());
        m_item = QString::fromUtf8(m_tray.readLine().trimmed());
    }

    void aClickOpensWhatWaitsElseTheWindow()
    {
        QSignalSpy show(tray(), &Tray::showWanted);
        QSignalSpy approvals(tray(), &Tray::approvalsWanted);
        click();
        QTRY_COMPARE(show.count(), 1);
        m_window->apply({ApprovalAsked{test::sampleApproval("ex_1", "print(1)\n")}});
        click();
        QTRY_COMPARE(approvals.count(), 1);
        QCOMPARE(show.count(), 1);
        QTRY_VERIFY(m_window->findChild<ApprovalsScreen*>()->isVisible());
    }

    // The same in words.
    void theToolTipSaysWhatWaits()
    {
        QTRY_COMPARE(toolTip(), QStringLiteral("Belljar: 1 waiting for you"));
        m_window->apply({ApprovalSettled{
            ExecutionId("ex_1"), {}, execution::DecidedBy::Person, std::string()}});
        QTRY_COMPARE(toolTip(), QStringLiteral("Belljar: nothing runs"));
    }

    void closingHidesAndComesBack()
    {
        m_window->close();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(QSettings().value(QStringLiteral("window/told_about_tray")).toBool());
        click();
        QTRY_VERIFY(m_window->isVisible());
    }

    // By shape: each state's picture differs also without its colours.
    void eachStateLooksDifferent()
    {
        std::set<QByteArray> seen;
        for (const auto& [state, count] :
             {std::pair{TrayState::Idle, 0},
              std::pair{TrayState::Running, 0},
              std::pair{TrayState::Waiting, 1},
              std::pair{TrayState::Waiting, 4},
              std::pair{TrayState::Waiting, 40},
              std::pair{TrayState::Problem, 0}}) {
            const QImage grey = trayIcon(state, count)
                                    .pixmap(22)
                                    .toImage()
                                    .convertToFormat(QImage::Format_Grayscale8);
            seen.insert(
                QByteArray(reinterpret_cast<const char*>(grey.constBits()), grey.sizeInBytes())
            );
        }
        QCOMPARE(seen.size(), std::size_t{6});
    }

private:
    [[nodiscard]] Tray* tray() const { return m_window->findChild<Tray*>(); }
    void click() const
    {
        auto message = QDBusMessage::createMethodCall(
            m_item,
            QStringLiteral("/StatusNotifierItem"),
            QStringLiteral("org.kde.StatusNotifierItem"),
            QStringLiteral("Activate")
        );
        message << 0 << 0;
        QDBusConnection::sessionBus().send(message);
    }
    [[nodiscard]] QString toolTip() const
    {
        auto message = QDBusMessage::createMethodCall(
            m_item,
            QStringLiteral("/StatusNotifierItem"),
            QStringLiteral("org.freedesktop.DBus.Properties"),
            QStringLiteral("Get")
        );
        message << QStringLiteral("org.kde.StatusNotifierItem") << QStringLiteral("ToolTip");
        QDBusPendingCall call = QDBusConnection::sessionBus().asyncCall(message);
        [&] { QTRY_VERIFY(call.isFinished()); }();
        const QVariant value = QDBusPendingReply<QDBusVariant>(call).value().variant();
        const auto fields = value.value<QDBusArgument>();
        QString icon, title; // (sa(iiay)ss)
        fields.beginStructure();
        fields >> icon;
        fields.beginArray();
        while (!fields.atEnd())
            fields.asVariant();
        fields.endArray();
        fields >> title;
        return title;
    }

    QTemporaryDir m_folder;
    Theme m_theme;
    std::unique_ptr<MainWindow> m_window;
    QProcess m_tray;
    QString m_item;
};

BELLJAR_GUI_TEST_MAIN(TestTray)
#include "tst_tray.moc"
