// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"
#endif

#include <QColor>
#include <QIcon>
#include <QObject>
#include <QPalette>

class QApplication;
class QDBusVariant;

namespace belljar::ui {

enum class Scheme : std::uint8_t { Light, Dark };
/// What the person wants; System: as the desktop is, live.
enum class SchemeChoice : std::uint8_t { System, Light, Dark };

/// Statuses that mean the same to a person share a colour and a shape (UX brief, section 9).
enum class StatusGroup : std::uint8_t { Waiting, Running, Succeeded, Failed, Stopped };

[[nodiscard]] StatusGroup statusGroup(execution::Status status);

/// Every colour that is not the palette's.
struct Colors {
    QColor window;
    QColor base;
    QColor text;
    QColor muted; ///< less important text, still 4.5:1 on window and base
    QColor border;
    QColor accent;      ///< selection, links
    QColor banner;      ///< behind what needs action
    QColor statuses[5]; ///< by StatusGroup

    [[nodiscard]] QColor status(StatusGroup group) const
    {
        return statuses[static_cast<std::size_t>(group)];
    }
    [[nodiscard]] QColor status(execution::Status status) const
    {
        return this->status(statusGroup(status));
    }
};

[[nodiscard]] const Colors& colorsOf(Scheme scheme);
[[nodiscard]] QPalette paletteOf(Scheme scheme);

/// The scheme in force, read from the application's palette.
[[nodiscard]] Scheme currentScheme();
/// The colours in force.
[[nodiscard]] const Colors& currentColors();

/// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor& first, const QColor& second);
/// `color`, made lighter or darker until it has at least `ratio` on `background`.
[[nodiscard]] QColor readableOn(QColor color, const QColor& background, double ratio = 4.5);

/// The status as a shape of its own in its colour, `size` pixels square: never colour alone.
[[nodiscard]] QPixmap
statusPixmap(execution::Status status, int size, qreal devicePixelRatio, const QColor& color);

/// The same in the status's colour, and in `onSelection` where its row is selected.
[[nodiscard]] QIcon
statusIcon(execution::Status status, int size, qreal devicePixelRatio, const QColor& onSelection);

/// Keeps the application in the chosen scheme, or in the desktop's, live
/// (org.freedesktop.appearance of the settings portal; without one, what the first palette looked
/// like).
class Theme : public QObject {
    Q_OBJECT

public:
    explicit Theme(QObject* parent = nullptr);

    void choose(SchemeChoice choice);
    void apply(Scheme scheme);

signals:
    void changed();

private slots:
    void onPortalSetting(const QString& space, const QString& key, const QDBusVariant& value);

private:
    void askPortal();

    Scheme m_fallback;
    Scheme m_desktop; ///< what the desktop wants, as far as we know
    SchemeChoice m_choice = SchemeChoice::System;
};

} // namespace belljar::ui
