// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/tray.h"

#include <QAction>
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QPainter>
#include <QPainterPath>
#include <QTimer>

namespace belljar::ui {

namespace {

constexpr int kSizes[] = {16, 22, 24, 32, 48, 64};
constexpr int kMostShown = 9; ///< a tray icon has room for one digit
/// How long a desktop that is still starting may take to bring its tray up.
constexpr int kTrayWaitMs = 10'000;

const QString kTrayService = QStringLiteral("org.kde.StatusNotifierWatcher");

// A panel is light or dark and doesn't tell: a light line around a dark body shows on both.
const QColor kGlass(0x2f, 0x6d, 0xa8);
const QColor kLine(0xff, 0xff, 0xff);
const QColor kWaiting(0xb4, 0x4a, 0x00);
const QColor kProblem(0xa8, 0x16, 0x16);

void paintJar(QPainter& painter)
{
    QPainterPath jar;
    jar.moveTo(16, 84);
    jar.lineTo(16, 46);
    jar.cubicTo(16, 8, 84, 8, 84, 46);
    jar.lineTo(84, 84);
    jar.closeSubpath();
    painter.setPen(QPen(kLine, 7));
    painter.setBrush(kGlass);
    painter.drawPath(jar);
    painter.drawRoundedRect(QRectF(6, 80, 88, 13), 5, 5); // the base
    painter.drawEllipse(QPointF(50, 11), 7, 7);           // the knob
}

void paintText(QPainter& painter, const QRectF& area, const QString& text)
{
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(area.height() * 0.8));
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(kLine);
    painter.drawText(area, Qt::AlignCenter, text);
}

void paintBadge(QPainter& painter, TrayState state, int count)
{
    const QRectF area(38, 36, 62, 62);
    painter.setPen(QPen(kLine, 5));
    switch (state) {
    case TrayState::Idle: break;
    case TrayState::Running:
        painter.setBrush(kLine);
        painter.drawEllipse(QPointF(50, 52), 13, 13);
        break;
    case TrayState::Waiting:
        painter.setBrush(kWaiting);
        painter.drawEllipse(area);
        paintText(
            painter,
            area,
            count == 1           ? QStringLiteral("!")
            : count > kMostShown ? QStringLiteral("+")
                                 : QString::number(count)
        );
        break;
    case TrayState::Paused:
        painter.setBrush(kProblem);
        painter.drawEllipse(area);
        painter.setPen(Qt::NoPen);
        painter.setBrush(kLine);
        painter.drawRect(QRectF(55, 50, 9, 34));
        painter.drawRect(QRectF(74, 50, 9, 34));
        break;
    case TrayState::Problem:
        painter.setBrush(kProblem);
        painter.drawPolygon(QPolygonF({{69, 34}, {99, 97}, {38, 97}}));
        paintText(painter, area.adjusted(0, 8, 0, 4), QStringLiteral("!"));
        break;
    }
}

QPixmap trayPixmap(TrayState state, int count, int size)
{
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / 100.0, size / 100.0);
    paintJar(painter);
    paintBadge(painter, state, count);
    return pixmap;
}

} // namespace

QIcon trayIcon(TrayState state, int count)
{
    QIcon icon;
    for (const int size : kSizes)
        icon.addPixmap(trayPixmap(state, count, size));
    return icon;
}

Tray::Tray(QObject* parent)
    : QObject(parent)
{
    m_menu.addAction(tr("&Open Belljar"), this, &Tray::showWanted);
    m_approvals = m_menu.addAction(tr("Open &approvals"), this, &Tray::approvalsWanted);
    m_menu.addSeparator();
    m_pause = m_menu.addAction(tr("&Pause all programs"));
    m_pause->setCheckable(true);
    connect(m_pause, &QAction::triggered, this, &Tray::pauseWanted);
    m_menu.addSeparator();
    m_menu.addAction(tr("&Quit"), this, &Tray::quitWanted);

    // Qt 6.4 looks once in a process whether the desktop takes icons over D-Bus. At the start of a
    // session that may be too early, so it is let look once the service is there, or when time is
    // up.
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        showIcon();
        return;
    }
    auto* service =
        new QDBusServiceWatcher(kTrayService, bus, QDBusServiceWatcher::WatchForRegistration, this);
    connect(service, &QDBusServiceWatcher::serviceRegistered, this, &Tray::showIcon);
    QTimer::singleShot(kTrayWaitMs, this, &Tray::showIcon);
    auto* asked = new QDBusPendingCallWatcher(
        bus.interface()->asyncCall(QStringLiteral("NameHasOwner"), kTrayService), this
    );
    connect(asked, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* call) {
        const QDBusPendingReply<bool> reply = *call;
        call->deleteLater();
        if (reply.isValid() && reply.value())
            showIcon();
    });
}

void Tray::showIcon()
{
    if (m_icon)
        return;
    m_icon = new QSystemTrayIcon(trayIcon(m_state, m_waiting), this);
    m_icon->setContextMenu(&m_menu);
    connect(m_icon, &QSystemTrayIcon::activated, this, [this](auto reason) {
        if (reason != QSystemTrayIcon::Trigger)
            return;
        if (m_waiting > 0)
            emit approvalsWanted();
        else
            emit showWanted();
    });
    m_icon->show();
}

bool Tray::isThere() const
{
    return m_icon && m_icon->isVisible() && QSystemTrayIcon::isSystemTrayAvailable();
}

void Tray::setState(TrayState state, int waiting, const QString& toolTip)
{
    const bool changed = state != m_state || waiting != m_waiting;
    m_state = state;
    m_waiting = waiting;
    m_approvals->setText(
        waiting > 0 ? tr("Open &approvals (%n waiting)", nullptr, waiting) : tr("Open &approvals")
    );
    if (!m_icon)
        return;
    if (changed)
        m_icon->setIcon(trayIcon(state, waiting));
    m_icon->setToolTip(toolTip);
}

void Tray::setPaused(bool paused)
{
    m_pause->setChecked(paused);
}

void Tray::tell(const QString& title, const QString& text)
{
    if (m_icon)
        m_icon->showMessage(title, text, trayIcon(m_state, m_waiting));
}

} // namespace belljar::ui
