// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/style.h"

#include "ui/shell/theme.h"

#include <QPainter>
#include <QStyleOption>

namespace belljar::ui {

namespace {

constexpr double kShapeContrast = 3; // WCAG 2.2, 1.4.11
constexpr double kCorner = 2;        // logical pixels
constexpr double kFocusWidth = 2;

bool isSet(const QStyleOption& option, QStyle::StateFlag flag)
{
    return option.state.testFlag(flag);
}

/// What surrounds or fills the mark of `option`; of a selected row, the selection.
QColor outlineOf(const QStyleOption& option, const QColor& around)
{
    const QColor wanted = isSet(option, QStyle::State_Enabled)
                              ? option.palette.color(QPalette::Text)
                              : option.palette.color(QPalette::Disabled, QPalette::Text);
    return readableOn(wanted, around, kShapeContrast);
}

void drawCheckMark(QPainter& painter, const QRectF& box, const QColor& color)
{
    const auto at = [&](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    painter.setPen(QPen(color, box.width() / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(QPolygonF{at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.28)});
}

/// A check box or a radio button: an outline on the base when it is off, filled with the accent and
/// with a mark when it is on.
void drawIndicator(QPainter& painter, const QStyleOption& option, bool round, const QColor& around)
{
    const bool enabled = isSet(option, QStyle::State_Enabled);
    const bool on = isSet(option, QStyle::State_On);
    const bool partly = isSet(option, QStyle::State_NoChange);
    const QColor outline = outlineOf(option, around);
    const QColor filled = enabled ? option.palette.color(QPalette::Highlight) : outline;
    const QColor mark = enabled ? option.palette.color(QPalette::HighlightedText)
                                : option.palette.color(QPalette::Base);
    const double side = qMin(option.rect.width(), option.rect.height()) - 1.0;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option.rect).center());

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(on || partly ? filled : outline, 1));
    painter.setBrush(on || partly ? filled : option.palette.color(QPalette::Base));
    if (round)
        painter.drawEllipse(box);
    else
        painter.drawRoundedRect(box, kCorner, kCorner);
    if (partly) {
        painter.setPen(QPen(mark, side / 7, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(
            QPointF(box.left() + side * 0.25, box.center().y()),
            QPointF(box.right() - side * 0.25, box.center().y())
        );
    } else if (on && round) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark);
        painter.drawEllipse(box.center(), side / 5, side / 5);
    } else if (on) {
        drawCheckMark(painter, box, mark);
    }
    painter.restore();
}

} // namespace

Style::Style()
    : QProxyStyle(QStringLiteral("Fusion"))
{}

void Style::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget
) const
{
    switch (static_cast<int>(element)) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorRadioButton:
        drawIndicator(
            *painter,
            *option,
            element == PE_IndicatorRadioButton,
            option->palette.color(QPalette::Window)
        );
        return;
    case PE_IndicatorItemViewItemCheck:
        drawIndicator(
            *painter,
            *option,
            false,
            option->palette.color(
                isSet(*option, State_Selected) ? QPalette::Highlight : QPalette::Base
            )
        );
        return;
    case PE_FrameFocusRect:
        if (!isSet(*option, State_KeyboardFocusChange))
            return; // who uses the mouse knows where it is
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(
            readableOn(
                option->palette.color(QPalette::Highlight),
                option->palette.color(
                    isSet(*option, State_Selected) ? QPalette::Highlight : QPalette::Window
                ),
                kShapeContrast
            ),
            kFocusWidth
        ));
        painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), kCorner, kCorner);
        painter->restore();
        return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

} // namespace belljar::ui
