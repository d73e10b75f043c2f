// SPDX-License-Identifier: GPL-3.0-or-later
//
// The notification for what waits, against a notification service on a real bus (UX.md rules 5 and
// 6). Started by dbus-run-session; the service lives in this process, on a connection of its own.
#include "ui/approvals/approval_notifier.h"

#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace belljar::ui;

namespace {

const QString kName = QStringLiteral("org.freedesktop.Notifications");
const QString kObject = QStringLiteral("/org/freedesktop/Notifications");

} // namespace

/// What a desktop has: gives ids, replaces, closes. Answers only when told to, so that calls can
/// be on their way at the same time.
class Service : public QObject, protected QDBusContext {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Shown {
        uint id;
        uint replaces;
        QString title;
        QString body;
        QStringList actions;
        QVariantMap hints;
        int expires;
    };
    QStringList capabilities{QStringLiteral("actions"), QStringLiteral("body-markup")};
    QList<Shown> calls;
    QMap<uint, QString> onScreen; ///< id and body
    bool holdsAnswers = false;

    void answerHeld(const QDBusConnection& bus)
    {
        holdsAnswers = false;
        for (const QDBusMessage& reply : std::as_const(m_held))
            bus.send(reply);
        m_held.clear();
    }

public slots:
    QStringList GetCapabilities() { return capabilities; } // NOLINT: the interface's name
    uint Notify(                                           // NOLINT
        const QString& /*application*/,
        uint replaces,
        const QString& /*icon*/,
        const QString& title,
        const QString& body,
        const QStringList& actions,
        const QVariantMap& hints,
        int expires
    )
    {
        const uint id = replaces != 0 ? replaces : ++m_last;
        calls.append({id, replaces, title, body, actions, hints, expires});
        onScreen[id] = body;
        if (holdsAnswers) {
            setDelayedReply(true);
            m_held.append(message().createReply(id));
        }
        return id;
    }
    void CloseNotification(uint id) { onScreen.remove(id); } // NOLINT

signals:
    void ActionInvoked(uint id, const QString& action); // NOLINT
    void NotificationClosed(uint id, uint reason);      // NOLINT

private:
    uint m_last = 0;
    QList<QDBusMessage> m_held;
};

class TestApprovalNotifier : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_service = std::make_unique<Service>();
        m_bus = std::make_unique<QDBusConnection>(
            QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("service"))
        );
        QVERIFY(m_bus->isConnected());
        QVERIFY(m_bus->registerObject(
            kObject,
            m_service.get(),
            QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals
        ));
        QVERIFY(m_bus->registerService(kName));
    }
    void cleanup()
    {
        m_bus->unregisterObject(kObject);
        m_bus->unregisterService(kName);
        m_bus.reset();
        QDBusConnection::disconnectFromBus(QStringLiteral("service"));
        m_service.reset();
    }

    void oneNotificationSaysHowManyWaitAndStays()
    {
        ApprovalNotifier notifier;
        QTest::qWait(50); // it has asked for the capabilities
        notifier.setWaiting(1, QStringLiteral("Claude Code wants to run Python"));
        QTRY_COMPARE(m_service->calls.size(), 1);
        QTest::qWait(50);
        notifier.setWaiting(2, QStringLiteral("2 programs"));
        QTRY_COMPARE(m_service->calls.size(), 2);
        QCOMPARE(m_service->calls[1].replaces, m_service->calls[0].id);
        QCOMPARE(m_service->onScreen.size(), 1);
        QCOMPARE(m_service->calls[1].expires, 0);
        QCOMPARE(m_service->calls[1].hints.value(QStringLiteral("urgency")).toInt(), 2);
    }

    void offersShowAndDenyButNeverAllow()
    {
        ApprovalNotifier notifier;
        QTest::qWait(50);
        notifier.setWaiting(3, QStringLiteral("3 programs"));
        QTRY_COMPARE(m_service->calls.size(), 1);
        QCOMPARE(
            m_service->calls[0].actions, (QStringList{"default", "Show", "deny", "Deny all 3"})
        );
    }

    void questionsThatComeTogetherAreOneNotification()
    {
        ApprovalNotifier notifier;
        QTest::qWait(50);
        m_service->holdsAnswers = true;
        notifier.setWaiting(1, QStringLiteral("first"));
        notifier.setWaiting(2, QStringLiteral("second"));
        notifier.setWaiting(3, QStringLiteral("third"));
        QTRY_VERIFY(!m_service->calls.isEmpty());
        m_service->answerHeld(*m_bus);
        QTRY_COMPARE(m_service->onScreen.values(), QStringList{"third"});
        notifier.setWaiting(0, {});
        QTRY_VERIFY(m_service->onScreen.isEmpty());
    }

    void whatIsAnsweredWhileTheNotificationIsOnItsWayLeavesNone()
    {
        ApprovalNotifier notifier;
        QTest::qWait(50);
        m_service->holdsAnswers = true;
        notifier.setWaiting(1, QStringLiteral("first"));
        notifier.setWaiting(0, {});
        QTRY_COMPARE(m_service->calls.size(), 1);
        m_service->answerHeld(*m_bus);
        QTRY_VERIFY(m_service->onScreen.isEmpty());
    }

    void aClientsNameIsNoMarkup()
    {
        ApprovalNotifier notifier;
        QTest::qWait(50);
        notifier.setWaiting(1, QStringLiteral("<img src='x'>&lt;"));
        QTRY_COMPARE(m_service->calls.size(), 1);
        QCOMPARE(m_service->calls[0].body, QStringLiteral("&lt;img src='x'&gt;&amp;lt;"));
    }

    void actionsOfOtherNotificationsMeanNothing()
    {
        ApprovalNotifier notifier;
        QSignalSpy show(&notifier, &ApprovalNotifier::showWanted);
        QSignalSpy deny(&notifier, &ApprovalNotifier::denyAllWanted);
        QTest::qWait(50);
        notifier.setWaiting(1, QStringLiteral("one"));
        QTRY_COMPARE(m_service->calls.size(), 1);
        QTest::qWait(50);
        const uint id = m_service->calls[0].id;
        emit m_service->ActionInvoked(id + 1, QStringLiteral("deny"));
        emit m_service->ActionInvoked(id, QStringLiteral("allow"));
        emit m_service->ActionInvoked(id, QStringLiteral("default"));
        QTRY_COMPARE(show.count(), 1);
        QCOMPARE(deny.count(), 0);
        emit m_service->ActionInvoked(id, QStringLiteral("deny"));
        QTRY_COMPARE(deny.count(), 1);
    }

    void aClosedNotificationIsNoAnswerAndIsNotReplaced()
    {
        ApprovalNotifier notifier;
        QSignalSpy deny(&notifier, &ApprovalNotifier::denyAllWanted);
        QTest::qWait(50);
        notifier.setWaiting(1, QStringLiteral("one"));
        QTRY_COMPARE(m_service->calls.size(), 1);
        QTest::qWait(50);
        emit m_service->NotificationClosed(m_service->calls[0].id, 2);
        QTest::qWait(50);
        QCOMPARE(deny.count(), 0);
        notifier.setWaiting(2, QStringLiteral("two"));
        QTRY_COMPARE(m_service->calls.size(), 2);
        QCOMPARE(m_service->calls[1].replaces, 0U);
    }

    void withoutAServiceNothingHappens()
    {
        m_bus->unregisterService(kName);
        ApprovalNotifier notifier;
        notifier.setWaiting(1, QStringLiteral("one"));
        QTest::qWait(100);
        notifier.setWaiting(0, {});
        QCOMPARE(m_service->calls.size(), 0);
    }

private:
    std::unique_ptr<Service> m_service;
    std::unique_ptr<QDBusConnection> m_bus;
};

QTEST_GUILESS_MAIN(TestApprovalNotifier)
#include "tst_approval_notifier.moc"
