// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_rows.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace belljar::ui {

SettingRows::SettingRows(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->addStretch(1);
}

void SettingRows::addGroup(const QString& title)
{
    auto* label = new QLabel(title);
    label->setTextFormat(Qt::PlainText);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    label->setFont(font);
    label->setContentsMargins(0, fontMetrics().lineSpacing(), 0, 0);
    m_layout->insertWidget(m_layout->count() - 1, label);
    m_groups.append(label);
}

void SettingRows::addRow(
    const QString& title,
    const QString& help,
    QWidget* control,
    std::function<bool()> isDefault,
    std::function<void()> reset
)
{
    auto* row = new QWidget;
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, fontMetrics().height() / 4, 0, fontMetrics().height() / 4);
    auto* name = new QLabel(title);
    name->setTextFormat(Qt::PlainText);
    name->setBuddy(control);
    auto* explained = new QLabel(help);
    explained->setTextFormat(Qt::PlainText);
    explained->setWordWrap(true);
    explained->setForegroundRole(QPalette::PlaceholderText);
    control->setAccessibleName(title);
    control->setAccessibleDescription(help);
    grid->addWidget(name, 0, 0);
    grid->addWidget(explained, 1, 0);
    grid->addWidget(control, 0, 1, 2, 1, Qt::AlignRight | Qt::AlignVCenter);
    grid->setColumnStretch(0, 1);
    grid->setColumnMinimumWidth(2, fontMetrics().averageCharWidth() * 12);
    QToolButton* back = nullptr;
    if (isDefault) {
        back = new QToolButton;
        back->setText(tr("Reset"));
        back->setToolTip(tr("Back to the default"));
        back->setAccessibleName(tr("%1: back to the default").arg(title));
        back->setAutoRaise(true);
        QSizePolicy keeps = back->sizePolicy();
        keeps.setRetainSizeWhenHidden(true);
        back->setSizePolicy(keeps);
        connect(back, &QToolButton::clicked, this, [this, reset = std::move(reset)] {
            reset();
            updateResets();
        });
        grid->addWidget(back, 0, 2, 2, 1, Qt::AlignLeft | Qt::AlignVCenter);
    }
    m_layout->insertWidget(m_layout->count() - 1, row);
    const QString words =
        m_groups.last()->text() + QLatin1Char(' ') + title + QLatin1Char(' ') + help;
    m_rows.append({row, words, int(m_groups.size()) - 1, back, std::move(isDefault)});
}

void SettingRows::find(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QList<bool> hasAny(m_groups.size(), false);
    for (const Row& row : std::as_const(m_rows)) {
        const bool fits = std::all_of(wanted.begin(), wanted.end(), [&](const QString& word) {
            return row.text.contains(word, Qt::CaseInsensitive);
        });
        row.widget->setVisible(fits);
        hasAny[row.group] = hasAny[row.group] || fits;
    }
    for (int group = 0; group < m_groups.size(); ++group)
        m_groups[group]->setVisible(hasAny[group]);
}

void SettingRows::updateResets()
{
    for (const Row& row : std::as_const(m_rows)) {
        if (row.reset)
            row.reset->setVisible(!row.isDefault());
    }
}

bool SettingRows::isEmpty() const
{
    return std::all_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
        return row.widget->isHidden();
    });
}

} // namespace belljar::ui
