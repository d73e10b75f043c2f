// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/undo_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

namespace belljar::ui {

UndoStrip::UndoStrip(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel)
    , m_timer(new QTimer(this))
{
    setObjectName(QStringLiteral("undoStrip"));
    m_text->setTextFormat(Qt::PlainText);
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, [this] { settle(false); });
    auto* undo = new QPushButton(tr("&Undo"));
    undo->setObjectName(QStringLiteral("undoButton"));
    connect(undo, &QPushButton::clicked, this, [this] { settle(true); });
    auto* layout = new QHBoxLayout(this);
    const int space = fontMetrics().height() / 3;
    layout->setContentsMargins(space * 2, space, space * 2, space);
    layout->addWidget(m_text);
    layout->addWidget(undo);
    layout->addStretch();
    hide();
}

void UndoStrip::offer(const QString& text)
{
    if (isOffering())
        settle(false);
    m_text->setText(text);
    m_timer->start(kSeconds * 1000);
    show();
}

bool UndoStrip::isOffering() const
{
    return m_timer->isActive();
}

void UndoStrip::settle(bool undo)
{
    m_timer->stop();
    hide();
    if (undo)
        emit undone();
    else
        emit elapsed();
}

} // namespace belljar::ui
