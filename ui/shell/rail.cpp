// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rail.h"

#include "ui/shell/icons.h"
#include "ui/shell/theme.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace belljar::ui {

namespace {

constexpr int kTitleRole = Qt::UserRole;
constexpr int kCountRole = Qt::UserRole + 1;
constexpr int kMostShown = 99;

QString countText(int count)
{
    return count > kMostShown ? QStringLiteral("%1+").arg(kMostShown) : QString::number(count);
}

} // namespace

/// An icon, the title where there is room for it, and how many wait as a badge.
class Rail::Delegate : public QStyledItemDelegate {
public:
    explicit Delegate(const Rail& rail)
        : m_rail(rail)
    {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index)
        const override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        const int line = option.fontMetrics.height();
        const QRect row = option.rect.adjusted(line / 3, 1, -line / 3, -1);
        const QPalette& palette = option.palette;
        if (selected || hovered) {
            QColor fill = palette.color(QPalette::Highlight);
            if (!selected)
                fill.setAlphaF(0.15F);
            painter->setPen(Qt::NoPen);
            painter->setBrush(fill);
            painter->drawRoundedRect(row, line / 3.0, line / 3.0);
        }
        if (selected && m_rail.hasFocus()) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(palette.color(QPalette::WindowText), 2));
            painter->drawRoundedRect(row.adjusted(1, 1, -1, -1), line / 3.0, line / 3.0);
        }
        const int size = iconSize(line);
        const int left = m_rail.m_narrow ? row.center().x() - size / 2 : row.left() + line / 2;
        const QRect icon(left, row.center().y() - size / 2, size, size);
        index.data(Qt::DecorationRole)
            .value<QIcon>()
            .paint(painter, icon, Qt::AlignCenter, selected ? QIcon::Selected : QIcon::Normal);
        painter->setPen(palette.color(selected ? QPalette::HighlightedText : QPalette::WindowText));
        if (!m_rail.m_narrow)
            painter->drawText(
                row.adjusted(line + size, 0, 0, 0),
                Qt::AlignVCenter | Qt::AlignLeft,
                index.data(kTitleRole).toString()
            );
        paintCount(*painter, row, line, index.data(kCountRole).toInt());
        painter->restore();
    }

    [[nodiscard]] QSize
    sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const override
    {
        return {0, option.fontMetrics.lineSpacing() * 2 + 4};
    }

    static int iconSize(int lineHeight) { return lineHeight * 5 / 4; }

private:
    void paintCount(QPainter& painter, const QRect& row, int line, int count) const
    {
        if (count == 0)
            return;
        const QString text = countText(count);
        const QFontMetrics metrics = painter.fontMetrics();
        const int height = m_rail.m_narrow ? line * 9 / 10 : line * 5 / 4;
        const int width = std::max(height, metrics.horizontalAdvance(text) + line / 2);
        const int top = m_rail.m_narrow ? row.top() + 1 : row.center().y() - height / 2;
        const QRect badge(
            row.right() - width - (m_rail.m_narrow ? 0 : line / 3), top, width, height
        );
        const Colors& colors = currentColors();
        painter.setPen(QPen(colors.base, 1));
        painter.setBrush(colors.status(StatusGroup::Waiting));
        painter.drawRoundedRect(badge, height / 2.0, height / 2.0);
        QFont font = painter.font();
        font.setBold(true);
        painter.setFont(font);
        painter.setPen(readableOn(colors.base, colors.status(StatusGroup::Waiting)));
        painter.drawText(badge, Qt::AlignCenter, text);
    }

    const Rail& m_rail;
};

Rail::Rail(QWidget* parent)
    : QListWidget(parent)
{
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Screens"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setMouseTracking(true);
    setBackgroundRole(QPalette::Window);
    viewport()->setBackgroundRole(QPalette::Window);
    auto* delegate = new Delegate(*this);
    delegate->setParent(this);
    setItemDelegate(delegate);
}

int Rail::addScreen(const QString& title, const QString& icon)
{
    m_screens.append({title, 0});
    addItem(new QListWidgetItem(lineIcon(icon), QString()));
    const int place = count() - 1;
    show(place);
    if (place == 0)
        setCurrentRow(0);
    return place;
}

void Rail::setCount(int place, int count)
{
    m_screens[place].count = count;
    show(place);
}

void Rail::setNarrow(bool narrow)
{
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    updateGeometry();
    viewport()->update();
}

void Rail::show(int place)
{
    const Screen& screen = m_screens.at(place);
    QListWidgetItem* entry = item(place);
    // What a screen reader says; the delegate paints the parts.
    entry->setText(
        screen.count > 0 ? tr("%1 (%2)").arg(screen.title).arg(screen.count) : screen.title
    );
    entry->setData(kTitleRole, screen.title);
    entry->setData(kCountRole, screen.count);
    entry->setToolTip(tr("%1  (Ctrl+%2)").arg(entry->text()).arg(place + 1));
    updateGeometry();
}

QSize Rail::sizeHint() const
{
    const int line = fontMetrics().height();
    const int icon = Delegate::iconSize(line);
    if (m_narrow)
        return {icon + line * 2, 0};
    int title = 0;
    for (const Screen& screen : m_screens)
        title = std::max(title, fontMetrics().horizontalAdvance(screen.title));
    const int badge = fontMetrics().horizontalAdvance(countText(kMostShown + 1)) + line;
    return {title + badge + icon + line * 2, 0};
}

} // namespace belljar::ui
