// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/banner.h"

#include "ui/shell/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace belljar::ui {

Banner::Banner(const QString& name, QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel)
    , m_button(new QPushButton)
{
    setObjectName(name);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_button->setObjectName(name + QStringLiteral("Button"));
    auto* layout = new QHBoxLayout(this);
    const int space = fontMetrics().height() / 2;
    layout->setContentsMargins(space * 2, space, space * 2, space);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &Banner::activated);
    hide();
}

void Banner::showMessage(const QString& message, const QString& advice, const QString& button)
{
    m_text->setText(advice.isEmpty() ? message : message + QLatin1Char('\n') + advice);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    show();
}

void Banner::setStriped(bool striped)
{
    m_striped = striped;
    const int stripe = striped ? stripeWidth() : 0;
    QMargins margins = layout()->contentsMargins();
    margins.setLeft(margins.left() + stripe);
    layout()->setContentsMargins(margins);
}

int Banner::stripeWidth() const
{
    return fontMetrics().height();
}

void Banner::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const Colors& colors = currentColors();
    painter.fillRect(rect(), colors.banner);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.border);
    if (!m_striped)
        return;
    const int stripe = stripeWidth();
    painter.setClipRect(0, 0, stripe, height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(0, 0, stripe, height(), colors.status(StatusGroup::Failed));
    painter.setPen(QPen(colors.banner, stripe / 3.0));
    for (int y = -stripe; y < height() + stripe; y += stripe)
        painter.drawLine(-stripe, y + stripe, 2 * stripe, y - 2 * stripe);
}

QString Banner::text() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace belljar::ui
