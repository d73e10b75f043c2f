// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_delegate.h"

#include "ui/runs/runs_model.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPainter>
#include <QStyle>

namespace belljar::ui {

void RunsDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index
) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString text = item.text;
    item.text.clear();
    item.state &= ~QStyle::State_HasFocus; // the whole row is the cursor
    const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    const auto record = index.data(RunsModel::RecordRole).value<execution::Record>();
    const Colors& colors = currentColors();
    const bool selected = (item.state & QStyle::State_Selected) != 0;
    const QColor onRow = item.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const int margin = item.fontMetrics.averageCharWidth();
    QRect cell = item.rect.adjusted(margin, 0, -margin, 0);

    painter->save();
    painter->setFont(item.font);
    painter->setPen(onRow);
    if (index.column() == RunsModel::Status) {
        const QColor color = selected ? onRow : colors.status(record.status);
        const int size = item.fontMetrics.height();
        const qreal ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(
            cell.left(),
            cell.center().y() - size / 2,
            statusPixmap(record.status, size, ratio, color)
        );
        cell.setLeft(cell.left() + size + margin);
        QFont strong = item.font;
        strong.setWeight(QFont::DemiBold);
        painter->setFont(strong);
        painter->setPen(color);
    } else if (index.column() == RunsModel::Code) {
        painter->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    } else if (index.column() == RunsModel::Memory && record.memoryPeakBytes > 0) {
        const double fraction = index.data(RunsModel::FractionRole).toDouble();
        const QRectF track(cell.left(), cell.bottom() - 4, cell.width(), 2);
        painter->fillRect(track, selected ? onRow : colors.border);
        const QColor fill = fraction > 0.9 ? colors.status(StatusGroup::Failed) : colors.accent;
        painter->fillRect(
            QRectF(track.topLeft(), QSizeF(track.width() * fraction, 2)), selected ? onRow : fill
        );
    } else if (!selected && (index.column() == RunsModel::Time || index.column() == RunsModel::Language)) {
        painter->setPen(colors.muted);
    }
    const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, cell.width());
    if (index.column() == RunsModel::Code || index.column() == RunsModel::Marks) {
        const QFontMetrics metrics = painter->fontMetrics();
        QColor marked = selected ? onRow : colors.accent;
        marked.setAlpha(80);
        for (const QString& word : m_words) {
            qsizetype at = 0;
            while (!word.isEmpty() && (at = shown.indexOf(word, at, Qt::CaseInsensitive)) >= 0) {
                const QRect hit(
                    cell.left() + metrics.horizontalAdvance(shown.left(at)),
                    cell.center().y() - metrics.height() / 2,
                    metrics.horizontalAdvance(shown.mid(at, word.size())),
                    metrics.height()
                );
                painter->fillRect(hit, marked);
                at += word.size();
            }
        }
    }
    painter->drawText(cell, int(item.displayAlignment) | Qt::TextSingleLine, shown);
    painter->restore();
}

} // namespace belljar::ui
