// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/theme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include <cmath>

namespace belljar::ui {

namespace {

constexpr const char* kPortalService = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalPath = "/org/freedesktop/portal/desktop";
constexpr const char* kPortalInterface = "org.freedesktop.portal.Settings";
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");
constexpr uint kPortalDark = 1;

double luminanceOf(const QColor& color)
{
    const auto channel = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) +
           0.0722 * channel(color.blueF());
}

void paintShape(QPainter& painter, execution::Status status, const QRectF& box, const QColor& color)
{
    const double unit = box.width() / 16;
    const auto at = [&](double x, double y) {
        return QPointF(box.left() + x * unit, box.top() + y * unit);
    };
    const QPen pen(color, 1.8 * unit, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    switch (status) {
    case execution::Status::Running: // a triangle that plays
        painter.setBrush(color);
        painter.drawPolygon(QPolygonF{at(5, 3.5), at(12.5, 8), at(5, 12.5)});
        break;
    case execution::Status::Received:
    case execution::Status::Analysing:
    case execution::Status::Queued: // an hourglass
        painter.drawPolyline(QPolygonF{at(4, 3), at(12, 3), at(4, 13), at(12, 13), at(4, 3)});
        break;
    case execution::Status::AwaitingApproval: // an exclamation mark in a circle
        painter.drawEllipse(at(8, 8), 6 * unit, 6 * unit);
        painter.drawLine(at(8, 4.8), at(8, 8.6));
        painter.drawPoint(at(8, 11.2));
        break;
    case execution::Status::Succeeded: // a check mark
        painter.drawPolyline(QPolygonF{at(3, 8.5), at(6.5, 12), at(13, 4.5)});
        break;
    case execution::Status::TimedOut: // a clock
        painter.drawEllipse(at(8, 8), 6 * unit, 6 * unit);
        painter.drawPolyline(QPolygonF{at(8, 4.6), at(8, 8), at(10.6, 9.6)});
        break;
    case execution::Status::OutOfMemory: // a memory chip
        painter.drawRect(QRectF(at(4.5, 4.5), at(11.5, 11.5)));
        for (const double x : {6.5, 9.5}) {
            painter.drawLine(at(x, 2), at(x, 4.2));
            painter.drawLine(at(x, 11.8), at(x, 14));
        }
        break;
    case execution::Status::Interrupted: // a broken link
        painter.drawLine(at(2.5, 8), at(6, 8));
        painter.drawLine(at(10, 8), at(13.5, 8));
        painter.drawLine(at(8.8, 4.5), at(7.2, 11.5));
        break;
    case execution::Status::Rejected: // a barred circle
        painter.drawEllipse(at(8, 8), 6 * unit, 6 * unit);
        painter.drawLine(at(4, 12), at(12, 4));
        break;
    case execution::Status::Cancelled: // a square, as on a stop button
        painter.setBrush(color);
        painter.drawRect(QRectF(at(4.5, 4.5), at(11.5, 11.5)));
        break;
    case execution::Status::Failed:
    case execution::Status::OutputLimit:
    case execution::Status::Error: // a cross
        painter.drawLine(at(4, 4), at(12, 12));
        painter.drawLine(at(12, 4), at(4, 12));
        break;
    }
}

} // namespace

StatusGroup statusGroup(execution::Status status)
{
    switch (status) {
    case execution::Status::AwaitingApproval: return StatusGroup::Waiting;
    case execution::Status::Received:
    case execution::Status::Analysing:
    case execution::Status::Queued:
    case execution::Status::Running: return StatusGroup::Running;
    case execution::Status::Succeeded: return StatusGroup::Succeeded;
    case execution::Status::Rejected:
    case execution::Status::Cancelled: return StatusGroup::Stopped;
    case execution::Status::Failed:
    case execution::Status::TimedOut:
    case execution::Status::OutOfMemory:
    case execution::Status::OutputLimit:
    case execution::Status::Interrupted:
    case execution::Status::Error: return StatusGroup::Failed;
    }
    return StatusGroup::Failed;
}

const Colors& colorsOf(Scheme scheme)
{
    static const Colors light{
        QColor(0xf4f5f7),
        QColor(0xffffff),
        QColor(0x1f2328),
        QColor(0x5b626b),
        QColor(0xd5d9de),
        QColor(0x1d5fb8),
        QColor(0xfdf3d8),
        {QColor(0xa05e15), QColor(0x12397a), QColor(0x117a69), QColor(0x5a0d1f), QColor(0x8b27c9)}};
    static const Colors dark{
        QColor(0x2b2d31),
        QColor(0x1e1f22),
        QColor(0xe6e8eb),
        QColor(0xa9b0b9),
        QColor(0x43464d),
        QColor(0x7ab0f5),
        QColor(0x40371b),
        {QColor(0xf4bd13), QColor(0x7a9ebc), QColor(0x35f7d8), QColor(0xf66964), QColor(0xce70fa)}};
    return scheme == Scheme::Dark ? dark : light;
}

QPalette paletteOf(Scheme scheme)
{
    const Colors& colors = colorsOf(scheme);
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.base);
    palette.setColor(QPalette::AlternateBase, colors.window);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.muted);
    palette.setColor(
        QPalette::Button, scheme == Scheme::Dark ? QColor(0x37393f) : QColor(0xffffff)
    );
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::ToolTipBase, colors.base);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(
        QPalette::HighlightedText, scheme == Scheme::Dark ? QColor(0x14161a) : QColor(0xffffff)
    );
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Dark, colors.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colors.muted);
    return palette;
}

Scheme currentScheme()
{
    return qApp->palette().color(QPalette::Window).lightnessF() < 0.5 ? Scheme::Dark
                                                                      : Scheme::Light;
}

const Colors& currentColors()
{
    return colorsOf(currentScheme());
}

double contrast(const QColor& first, const QColor& second)
{
    const double one = luminanceOf(first) + 0.05;
    const double other = luminanceOf(second) + 0.05;
    return one > other ? one / other : other / one;
}

QColor readableOn(QColor color, const QColor& background, double ratio)
{
    const bool lighten = luminanceOf(background) < 0.18;
    for (int step = 0; step < 40 && contrast(color, background) < ratio; ++step) {
        const double lightness = color.lightnessF() + (lighten ? 0.03 : -0.03);
        color.setHslF(
            color.hslHueF() < 0 ? 0.0F : color.hslHueF(),
            color.hslSaturationF(),
            static_cast<float>(std::clamp(lightness, 0.0, 1.0))
        );
    }
    return color;
}

QPixmap
statusPixmap(execution::Status status, int size, qreal devicePixelRatio, const QColor& color)
{
    QPixmap pixmap(qRound(size * devicePixelRatio), qRound(size * devicePixelRatio));
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    paintShape(painter, status, QRectF(0, 0, size, size), color);
    return pixmap;
}

QIcon statusIcon(
    execution::Status status, int size, qreal devicePixelRatio, const QColor& onSelection
)
{
    QIcon icon(statusPixmap(status, size, devicePixelRatio, currentColors().status(status)));
    icon.addPixmap(statusPixmap(status, size, devicePixelRatio, onSelection), QIcon::Selected);
    return icon;
}

Theme::Theme(QObject* parent)
    : QObject(parent)
    , m_fallback(currentScheme())
    , m_desktop(m_fallback)
{
    apply(m_fallback);
    askPortal();
}

void Theme::choose(SchemeChoice choice)
{
    m_choice = choice;
    const Scheme wanted = choice == SchemeChoice::System  ? m_desktop
                          : choice == SchemeChoice::Light ? Scheme::Light
                                                          : Scheme::Dark;
    if (wanted != currentScheme())
        apply(wanted);
}

void Theme::apply(Scheme scheme)
{
    QApplication::setPalette(paletteOf(scheme));
    emit changed();
}

void Theme::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(
        QString(),
        QString::fromLatin1(kPortalPath),
        QString::fromLatin1(kPortalInterface),
        QStringLiteral("SettingChanged"),
        this,
        SLOT(onPortalSetting(QString, QString, QDBusVariant))
    );
    // Older portals only have Read, whose answer is wrapped twice; both have it, so it is the one
    // to ask.
    auto message = QDBusMessage::createMethodCall(
        QString::fromLatin1(kPortalService),
        QString::fromLatin1(kPortalPath),
        QString::fromLatin1(kPortalInterface),
        QStringLiteral("Read")
    );
    message << kAppearance << kColorScheme;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(message), this);
    connect(
        watcher,
        &QDBusPendingCallWatcher::finished,
        this,
        [this](QDBusPendingCallWatcher* done) {
            const QDBusPendingReply<QDBusVariant> reply = *done;
            done->deleteLater();
            if (reply.isValid())
                onPortalSetting(kAppearance, kColorScheme, reply.value());
        }
    );
}

void Theme::onPortalSetting(const QString& space, const QString& key, const QDBusVariant& value)
{
    if (space != kAppearance || key != kColorScheme)
        return;
    QVariant inner = value.variant();
    while (inner.canConvert<QDBusVariant>())
        inner = inner.value<QDBusVariant>().variant();
    const uint wanted = inner.toUInt(); // 0: no preference, 1: dark, 2: light
    m_desktop = wanted == kPortalDark ? Scheme::Dark : wanted == 0 ? m_fallback : Scheme::Light;
    choose(m_choice);
}

} // namespace belljar::ui
