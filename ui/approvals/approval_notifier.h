// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QDBusInterface;

namespace belljar::ui {

/// One desktop notification for everything that waits (org.freedesktop.Notifications 1.2): Show and
/// Deny, never Allow, never code. Without a session bus or a service it does nothing; it never
/// waits for one.
class ApprovalNotifier : public QObject {
    Q_OBJECT

public:
    explicit ApprovalNotifier(QObject* parent = nullptr);
    ~ApprovalNotifier() override;

    /// `summary` may hold a client's name. `count` 0 takes the notification away.
    void setWaiting(int count, const QString& summary);

signals:
    void showWanted();
    void denyAllWanted();

private slots:
    void onAction(uint id, const QString& action);
    void onClosed(uint id, uint reason);

private:
    void notify();
    void close();

    bool m_connected = false;
    bool m_hasActions = false;
    bool m_hasMarkup = true;   ///< until it has said otherwise
    bool m_isOnItsWay = false; ///< a Notify whose id isn't known yet: there is never a second
    bool m_isStale = false;    ///< what waits has changed meanwhile
    uint m_id = 0;             ///< of the one on the screen
    int m_count = 0;
    QString m_summary;
};

} // namespace belljar::ui
