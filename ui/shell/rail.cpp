// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rail.h"

#include <algorithm>

namespace belljar::ui {

Rail::Rail(QWidget* parent)
    : QListWidget(parent)
{
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Screens"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setSpacing(2);
}

int Rail::addScreen(const QString& title)
{
    m_screens.append({title, 0});
    addItem(new QListWidgetItem);
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

void Rail::show(int place)
{
    const Screen& screen = m_screens.at(place);
    QListWidgetItem* entry = item(place);
    entry->setText(
        screen.count > 0 ? tr("%1 (%2)").arg(screen.title).arg(screen.count) : screen.title
    );
    entry->setToolTip(tr("%1  (Ctrl+%2)").arg(entry->text()).arg(place + 1));
    QFont weight = font();
    weight.setBold(screen.count > 0);
    entry->setFont(weight);
    entry->setSizeHint({0, fontMetrics().lineSpacing() * 2});
    updateGeometry();
}

QSize Rail::sizeHint() const
{
    int width = 0;
    for (const Screen& screen : m_screens)
        width = std::max(
            width, fontMetrics().horizontalAdvance(tr("%1 (%2)").arg(screen.title).arg(99))
        );
    return {width + fontMetrics().height() * 2, 0};
}

} // namespace belljar::ui
