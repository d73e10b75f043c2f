// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/approval_notifier.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

#include <utility>

namespace belljar::ui {

namespace {

const QString kService = QStringLiteral("org.freedesktop.Notifications");
const QString kPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kShow = QStringLiteral("default");
const QString kDeny = QStringLiteral("deny");
constexpr uchar kCritical = 2; // stays until it is answered

QDBusMessage call(const QString& method)
{
    return QDBusMessage::createMethodCall(kService, kPath, kService, method);
}

} // namespace

ApprovalNotifier::ApprovalNotifier(QObject* parent)
    : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    m_connected = true;
    bus.connect(
        kService,
        kPath,
        kService,
        QStringLiteral("ActionInvoked"),
        this,
        SLOT(onAction(uint, QString))
    );
    bus.connect(
        kService,
        kPath,
        kService,
        QStringLiteral("NotificationClosed"),
        this,
        SLOT(onClosed(uint, uint))
    );
    auto* watcher =
        new QDBusPendingCallWatcher(bus.asyncCall(call(QStringLiteral("GetCapabilities"))), this);
    connect(
        watcher,
        &QDBusPendingCallWatcher::finished,
        this,
        [this](QDBusPendingCallWatcher* done) {
            const QDBusPendingReply<QStringList> reply = *done;
            done->deleteLater();
            if (reply.isError())
                return;
            m_hasActions = reply.value().contains(QStringLiteral("actions"));
            m_hasMarkup = reply.value().contains(QStringLiteral("body-markup"));
        }
    );
}

ApprovalNotifier::~ApprovalNotifier()
{
    setWaiting(0, {});
}

void ApprovalNotifier::setWaiting(int count, const QString& summary)
{
    if (!m_connected)
        return;
    m_count = count;
    m_summary = summary;
    if (m_isOnItsWay)
        m_isStale = true; // its id is needed to replace it or to close it
    else if (count > 0)
        notify();
    else
        close();
}

void ApprovalNotifier::close()
{
    const uint id = std::exchange(m_id, 0);
    if (id == 0)
        return;
    QDBusMessage message = call(QStringLiteral("CloseNotification"));
    message << id;
    QDBusConnection::sessionBus().send(message);
}

void ApprovalNotifier::notify()
{
    // A server that knows markup would read it in the body.
    const QString body = m_hasMarkup ? m_summary.toHtmlEscaped() : m_summary;
    QStringList actions;
    if (m_hasActions)
        actions << kShow << tr("Show") << kDeny
                << (m_count == 1 ? tr("Deny") : tr("Deny all %1").arg(m_count));
    QVariantMap hints;
    hints[QStringLiteral("desktop-entry")] = QStringLiteral("io.belljar.desktop");
    hints[QStringLiteral("urgency")] = QVariant::fromValue(kCritical);
    hints[QStringLiteral("category")] = QStringLiteral("x-belljar.approval");
    QDBusMessage message = call(QStringLiteral("Notify"));
    message << QStringLiteral("Belljar") << m_id << QStringLiteral("io.belljar.desktop")
            << tr("%n program(s) wait for your answer", nullptr, m_count) << body << actions
            << hints << 0;
    m_isOnItsWay = true;
    m_isStale = false;
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(message), this);
    connect(
        watcher,
        &QDBusPendingCallWatcher::finished,
        this,
        [this](QDBusPendingCallWatcher* done) {
            const QDBusPendingReply<uint> reply = *done;
            done->deleteLater();
            m_isOnItsWay = false;
            m_id = reply.isError() ? 0 : reply.value();
            if (m_isStale)
                setWaiting(m_count, m_summary);
        }
    );
}

void ApprovalNotifier::onAction(uint id, const QString& action)
{
    if (id != m_id || m_count == 0)
        return;
    if (action == kShow)
        emit showWanted();
    else if (action == kDeny)
        emit denyAllWanted();
}

void ApprovalNotifier::onClosed(uint id, uint /*reason*/)
{
    if (id == m_id)
        m_id = 0; // closed, not answered
}

} // namespace belljar::ui
