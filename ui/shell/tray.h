// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QMenu>
#include <QObject>
#include <QString>
#include <QSystemTrayIcon>

#include <cstdint>

class QAction;

namespace belljar::ui {

/// What the icon tells, by its shape and not only by its colour (UX.md section 8).
enum class TrayState : std::uint8_t { Idle, Running, Waiting, Paused, Problem };

/// Belljar's icon in `state`; `count` is shown while something waits.
[[nodiscard]] QIcon trayIcon(TrayState state, int count);

/// The icon in the desktop's tray, where there is one: the StatusNotifierItem of KDE and others, or
/// XEmbed.
class Tray : public QObject {
    Q_OBJECT

public:
    explicit Tray(QObject* parent = nullptr);

    /// True: the person can reach us by it, so the window may be hidden.
    [[nodiscard]] bool isThere() const;
    /// `toolTip` says the same in words; it may hold no foreign text.
    void setState(TrayState state, int waiting, const QString& toolTip);
    /// What the menu offers: to pause or to resume.
    void setPaused(bool paused);
    /// Says something once, beside the icon.
    void tell(const QString& title, const QString& text);

signals:
    void showWanted();
    void approvalsWanted();
    void pauseWanted(bool paused);
    void quitWanted();

private:
    void showIcon();

    TrayState m_state = TrayState::Idle;
    int m_waiting = 0;
    QMenu m_menu;
    QAction* m_approvals;
    QAction* m_pause;
    QSystemTrayIcon* m_icon = nullptr; ///< once we know which kind of tray this desktop has
};

} // namespace belljar::ui
