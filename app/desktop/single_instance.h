// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusAbstractAdaptor>
#include <QLocalServer>
#include <QObject>
#include <QStringList>
#include <QVariantMap>

namespace belljar::desktop {

/// Lets one window of a user be the only one. On a session bus by the name io.belljar.desktop with
/// the interface org.freedesktop.Application, which also lets the bus start it; without a bus by a
/// socket in the runtime folder.
class SingleInstance : public QObject {
    Q_OBJECT

public:
    /// `socketFile` is used where there is no session bus.
    explicit SingleInstance(QString socketFile, QObject* parent = nullptr);

    /// True: we are the one. False: another is, and has been asked to come to the front.
    bool acquire();

signals:
    /// Somebody started us again or clicked our launcher.
    void activated();

private:
    bool acquireOnBus();
    bool acquireSocket();

    QString m_socketFile;
    QLocalServer m_server;
};

/// org.freedesktop.Application (Desktop Entry Specification 1.5, D-Bus activation).
class ApplicationAdaptor : public QDBusAbstractAdaptor {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Application")

public:
    explicit ApplicationAdaptor(SingleInstance* instance);

public slots:
    // The names and shapes are the specification's.
    void Activate(const QVariantMap& platform_data);
    void Open(const QStringList& uris, const QVariantMap& platform_data);
    void ActivateAction(
        const QString& action_name, const QVariantList& parameter, const QVariantMap& platform_data
    );

private:
    void activate(const QVariantMap& platformData);

    SingleInstance* m_instance;
};

} // namespace belljar::desktop
