// SPDX-License-Identifier: GPL-3.0-or-later
//
// Not a test: what a desktop with a tray has on the session bus (org.kde.StatusNotifierWatcher).
// Prints "ready", then the name on the bus of each icon that registers.
#include <QCoreApplication>
#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>

#include <cstdio>

class Watcher : public QObject, protected QDBusContext {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.kde.StatusNotifierWatcher")
    Q_PROPERTY(bool IsStatusNotifierHostRegistered READ isHostRegistered CONSTANT)
    Q_PROPERTY(int ProtocolVersion READ protocolVersion CONSTANT)

public:
    [[nodiscard]] bool isHostRegistered() const { return true; }
    [[nodiscard]] int protocolVersion() const { return 0; }

public slots:
    // The name is the specification's.
    void RegisterStatusNotifierItem(const QString& /*service*/)
    {
        std::printf("%s\n", qPrintable(message().service()));
        std::fflush(stdout);
    }
};

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    Watcher watcher;
    QDBusConnection bus = QDBusConnection::sessionBus();
    const bool there = bus.registerObject(
                           QStringLiteral("/StatusNotifierWatcher"),
                           &watcher,
                           QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllProperties
                       ) &&
                       bus.registerService(QStringLiteral("org.kde.StatusNotifierWatcher"));
    if (!there)
        return 1;
    std::printf("ready\n");
    std::fflush(stdout);
    return QCoreApplication::exec();
}

#include "fake_tray.moc"
