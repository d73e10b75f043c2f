// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/approval_notifier.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

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
    if (count > 0) {
        notify(count, summary);
        return;
    }
    ++m_call;
    if (m_id == 0)
        return;
    QDBusMessage close = call(QStringLiteral("CloseNotification"));
    close << m_id;
    QDBusConnection::sessionBus().send(close);
    m_id = 0;
}

void ApprovalNotifier::notify(int count, const QString& summary)
{
    // A server that knows markup would read it in the body.
    const QString body = m_hasMarkup ? summary.toHtmlEscaped() : summary;
    QStringList actions;
    if (m_hasActions)
        actions << kShow << tr("Show") << kDeny
                << (count == 1 ? tr("Deny") : tr("Deny all %1").arg(count));
    QVariantMap hints;
    hints[QStringLiteral("desktop-entry")] = QStringLiteral("io.belljar.desktop");
    hints[QStringLiteral("urgency")] = QVariant::fromValue(kCritical);
    hints[QStringLiteral("category")] = QStringLiteral("x-belljar.approval");
    QDBusMessage message = call(QStringLiteral("Notify"));
    message << QStringLiteral("Belljar") << m_id << QStringLiteral("io.belljar.desktop")
            << tr("%n program(s) wait for your answer", nullptr, count) << body << actions << hints
            << 0;
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(message), this);
    connect(
        watcher,
        &QDBusPendingCallWatcher::finished,
        this,
        [this, current = ++m_call](QDBusPendingCallWatcher* done) {
            const QDBusPendingReply<uint> reply = *done;
            done->deleteLater();
            if (reply.isError())
                return;
            if (m_count > 0) {
                m_id = reply.value();
                return;
            }
            // Everything was answered while it was on its way.
            if (current <= m_call) {
                QDBusMessage close = call(QStringLiteral("CloseNotification"));
                close << reply.value();
                QDBusConnection::sessionBus().send(close);
            }
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
