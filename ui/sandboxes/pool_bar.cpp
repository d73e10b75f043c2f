// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/pool_bar.h"

#include "ui/shell/screen_parts.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QWheelEvent>

#include <algorithm>

namespace belljar::ui {

namespace {

/// Takes effect at once, so a wheel that only passes over it must not change it.
class SizeBox : public QSpinBox {
protected:
    void wheelEvent(QWheelEvent* event) override
    {
        if (hasFocus())
            QSpinBox::wheelEvent(event);
        else
            event->ignore();
    }
};

QString nowText(const PoolStatus& pool)
{
    QString text = PoolBar::tr("%1 warm, %2 busy").arg(pool.warm).arg(pool.busy);
    if (pool.starting > 0)
        text = PoolBar::tr("%1, %2 starting").arg(text).arg(pool.starting);
    return text;
}

} // namespace

PoolBar::PoolBar(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setHorizontalSpacing(fontMetrics().averageCharWidth() * 2);
    m_layout->setColumnStretch(3, 1);
}

void PoolBar::addRow(const PoolStatus& pool)
{
    const int line = static_cast<int>(m_rows.size());
    Row row{pool.language, new QLabel(safe(pool.title)), new SizeBox, new QLabel, 0};
    row.title->setTextFormat(Qt::PlainText);
    row.title->setBuddy(row.size);
    row.now->setTextFormat(Qt::PlainText);
    row.now->setObjectName(QStringLiteral("poolNow-") + safe(pool.language));
    row.size->setObjectName(QStringLiteral("poolSize-") + safe(pool.language));
    row.size->setAccessibleName(tr("Warm sandboxes for %1").arg(safe(pool.title)));
    row.size->setFocusPolicy(Qt::StrongFocus);
    row.size->setKeyboardTracking(false); // a number that is half typed is not meant
    m_layout->addWidget(row.title, line, 0);
    m_layout->addWidget(row.size, line, 1);
    m_layout->addWidget(row.now, line, 2);
    connect(row.size, &QSpinBox::valueChanged, this, [this, language = pool.language](int size) {
        emit sizeWanted(language, size);
    });
    m_rows.push_back(row);
}

void PoolBar::setPools(const std::vector<PoolStatus>& pools)
{
    for (const PoolStatus& pool : pools) {
        const auto known = [&] {
            return std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
                return row.language == pool.language;
            });
        };
        if (known() == m_rows.end())
            addRow(pool);
        Row& row = *known();
        row.now->setText(nowText(pool));
        const int wanted = static_cast<int>(pool.wanted);
        const int most = std::max(static_cast<int>(pool.most), wanted);
        const QSignalBlocker quiet(row.size);
        if (row.size->maximum() != most)
            row.size->setMaximum(most);
        // Only what is new: what the person has just chosen isn't there yet.
        if (row.wanted != wanted)
            row.size->setValue(wanted);
        row.wanted = wanted;
    }
}

void PoolBar::reset()
{
    for (Row& row : m_rows) {
        const QSignalBlocker quiet(row.size);
        row.size->setValue(row.wanted);
    }
}

} // namespace belljar::ui
