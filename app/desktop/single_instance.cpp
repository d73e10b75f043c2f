// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/single_instance.h"

#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QFile>
#include <QLocalSocket>

#include <utility>

namespace belljar::desktop {

namespace {

const QString kName = QStringLiteral("io.belljar.desktop");
const QString kPath = QStringLiteral("/io/belljar/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.Application");
constexpr int kAnswerMs = 1000;

} // namespace

SingleInstance::SingleInstance(QString socketFile, QObject* parent)
    : QObject(parent)
    , m_socketFile(std::move(socketFile))
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        m_server.nextPendingConnection()->deleteLater(); // connecting says all there is to say
        emit activated();
    });
}

bool SingleInstance::acquire()
{
    return QDBusConnection::sessionBus().isConnected() ? acquireOnBus() : acquireSocket();
}

bool SingleInstance::acquireOnBus()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    // The object is there before the name, so that whoever starts us by the name finds it.
    new ApplicationAdaptor(this);
    bus.registerObject(kPath, this);
    if (bus.registerService(kName))
        return true;
    auto message =
        QDBusMessage::createMethodCall(kName, kPath, kInterface, QStringLiteral("Activate"));
    QVariantMap platformData;
    const QString token =
        qEnvironmentVariable("XDG_ACTIVATION_TOKEN", qEnvironmentVariable("DESKTOP_STARTUP_ID"));
    if (!token.isEmpty())
        platformData.insert(QStringLiteral("activation-token"), token);
    message << platformData;
    bus.call(message, QDBus::Block, kAnswerMs);
    return false;
}

bool SingleInstance::acquireSocket()
{
    QLocalSocket other;
    other.connectToServer(m_socketFile);
    if (other.waitForConnected(kAnswerMs))
        return false;
    QLocalServer::removeServer(m_socketFile); // nobody listens, so it is a leftover
    m_server.listen(m_socketFile);
    return true;
}

ApplicationAdaptor::ApplicationAdaptor(SingleInstance* instance)
    : QDBusAbstractAdaptor(instance)
    , m_instance(instance)
{}

void ApplicationAdaptor::activate(const QVariantMap& platformData)
{
    // The compositor only gives focus to who shows the token of the click (xdg-activation).
    const QString token = platformData.value(QStringLiteral("activation-token")).toString();
    if (!token.isEmpty())
        qputenv("XDG_ACTIVATION_TOKEN", token.toUtf8());
    emit m_instance->activated();
}

void ApplicationAdaptor::Activate(const QVariantMap& platform_data)
{
    activate(platform_data);
}

void ApplicationAdaptor::Open(const QStringList& /*uris*/, const QVariantMap& platform_data)
{
    activate(platform_data);
}

void ApplicationAdaptor::ActivateAction(
    const QString& /*action_name*/,
    const QVariantList& /*parameter*/,
    const QVariantMap& platform_data
)
{
    activate(platform_data);
}

} // namespace belljar::desktop
