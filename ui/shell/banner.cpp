// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/banner.h"

#include "ui/shell/theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace belljar::ui {

Banner::Banner(const QString& name, QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel)
    , m_button(new QPushButton)
{
    setObjectName(name);
    setAutoFillBackground(true);
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
    QPalette colors = qApp->palette();
    colors.setColor(QPalette::Window, currentColors().banner);
    setPalette(colors);
    m_text->setText(advice.isEmpty() ? message : message + QLatin1Char('\n') + advice);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    show();
}

QString Banner::text() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace belljar::ui
