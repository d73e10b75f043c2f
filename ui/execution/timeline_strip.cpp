// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/timeline_strip.h"

#include "ui/shell/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

using State = TimelineStep::State;

/// A full disc: done; a ring: next; a small dot: later; a cross: never; a question mark: unknown.
void paintMark(QPainter& painter, const QRectF& place, State state, const QColor& color)
{
    painter.setPen(QPen(color, 1.6));
    painter.setBrush(state == State::Done ? QBrush(color) : Qt::NoBrush);
    switch (state) {
    case State::Done:
    case State::Now: painter.drawEllipse(place); break;
    case State::Ahead:
        painter.setBrush(color);
        painter.drawEllipse(place.center(), place.width() / 6, place.height() / 6);
        break;
    case State::Never:
        painter.drawLine(place.topLeft(), place.bottomRight());
        painter.drawLine(place.topRight(), place.bottomLeft());
        break;
    case State::Unknown:
        painter.drawText(place.adjusted(-4, -4, 4, 4), Qt::AlignCenter, QStringLiteral("?"));
        break;
    }
}

/// Marked up, so that Qt doesn't guess from foreign text whether it is.
QString toolTipOf(const TimelineStep& step)
{
    return QStringLiteral("<span>%1</span>").arg(sentenceOf(step).toHtmlEscaped());
}

} // namespace

TimelineStrip::TimelineStrip(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("timelineStrip"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void TimelineStrip::setSteps(std::vector<TimelineStep> steps)
{
    m_steps = std::move(steps);
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(m_steps.size()) - 1));
    setVisible(!m_steps.empty());
    describe();
    update();
}

/// The whole way for a person who can't see it, and the current step first.
void TimelineStrip::describe()
{
    QStringList sentences;
    for (const TimelineStep& step : m_steps)
        sentences << sentenceOf(step);
    const QString current = sentences.value(m_current);
    const QString name = current.isEmpty() ? tr("Timeline") : tr("Timeline: %1").arg(current);
    const QString all = sentences.join(QStringLiteral("; "));
    if (name == accessibleName() && all == accessibleDescription())
        return; // a running program changes its record several times a second
    setAccessibleName(name);
    setAccessibleDescription(all);
}

QSize TimelineStrip::sizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 40, line * 2 + line / 2};
}

QSize TimelineStrip::minimumSizeHint() const
{
    return {fontMetrics().height() * 12, sizeHint().height()};
}

QRect TimelineStrip::cellOf(int step) const
{
    const int count = std::max(1, static_cast<int>(m_steps.size()));
    const int margin = fontMetrics().height() / 2;
    const int room = width() - 2 * margin;
    const int left = margin + room * step / count;
    const int right = margin + room * (step + 1) / count;
    const QRect cell(left, 0, right - left, height());
    return layoutDirection() == Qt::RightToLeft
               ? QRect(width() - cell.right() - 1, 0, cell.width(), height())
               : cell;
}

int TimelineStrip::stepAt(const QPoint& point) const
{
    for (int step = 0; step < static_cast<int>(m_steps.size()); ++step) {
        if (cellOf(step).contains(point))
            return step;
    }
    return -1;
}

void TimelineStrip::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colors& colors = currentColors();
    const int line = fontMetrics().height();
    const int mark = line * 2 / 3;
    const QPalette shades = palette();
    for (int at = 0; at < static_cast<int>(m_steps.size()); ++at) {
        const TimelineStep& step = m_steps[static_cast<std::size_t>(at)];
        const QRect cell = cellOf(at);
        const bool happened = step.state == State::Done || step.state == State::Now;
        const QRectF place(cell.left() + 1, line / 6.0 + (line - mark) / 2.0, mark, mark);
        paintMark(painter, place, step.state, happened ? colors.accent : colors.muted);
        const QRect words(
            cell.left() + mark + line / 3, line / 6, cell.width() - mark - line * 2 / 3, line
        );
        const QFontMetrics metrics = fontMetrics();
        painter.setPen(happened ? shades.color(QPalette::WindowText) : colors.muted);
        painter.drawText(
            words,
            int(Qt::AlignVCenter | Qt::AlignLeft),
            metrics.elidedText(step.name, Qt::ElideRight, words.width())
        );
        painter.setPen(colors.muted);
        painter.drawText(
            words.translated(0, line),
            int(Qt::AlignVCenter | Qt::AlignLeft),
            metrics.elidedText(spanText(step), Qt::ElideRight, words.width())
        );
        if (hasFocus() && at == m_current) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(colors.accent, 2));
            painter.drawRect(cell.adjusted(-2, 1, -4, -1));
        }
    }
}

void TimelineStrip::setCurrent(int step)
{
    m_current = std::clamp(step, 0, std::max(0, static_cast<int>(m_steps.size()) - 1));
    describe();
    update();
    if (m_steps.empty())
        return;
    QToolTip::showText(
        mapToGlobal(cellOf(m_current).bottomLeft()),
        toolTipOf(m_steps[static_cast<std::size_t>(m_current)]),
        this
    );
}

void TimelineStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_steps.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left: setCurrent(m_current - 1); break;
    case Qt::Key_Right: setCurrent(m_current + 1); break;
    case Qt::Key_Home: setCurrent(0); break;
    case Qt::Key_End: setCurrent(last); break;
    default: QWidget::keyPressEvent(event); break;
    }
}

void TimelineStrip::mousePressEvent(QMouseEvent* event)
{
    if (const int step = stepAt(event->position().toPoint()); step >= 0)
        setCurrent(step);
}

void TimelineStrip::focusOutEvent(QFocusEvent* event)
{
    QToolTip::hideText();
    QWidget::focusOutEvent(event);
}

bool TimelineStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int step = stepAt(help->pos());
    if (step < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(
            help->globalPos(), toolTipOf(m_steps[static_cast<std::size_t>(step)]), this
        );
    return true;
}

} // namespace belljar::ui
