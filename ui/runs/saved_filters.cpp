// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/saved_filters.h"

#include "engine/base/text.h"

#include <QMenu>
#include <QSettings>

namespace belljar::ui {

namespace {

const QString kSetting = QStringLiteral("runs/savedFilters");
constexpr int kLongestEntry = 60; ///< characters of a filter in the menu

/// A filter as the text of a menu's entry.
QString entryText(const QString& filter)
{
    QString text = QString::fromStdString(escapeForLine(filter.toStdString()));
    if (text.size() > kLongestEntry)
        text = text.left(kLongestEntry) + QStringLiteral("…");
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace

SavedFilters::SavedFilters(QWidget* parent)
    : QToolButton(parent)
    , m_filters(QSettings().value(kSetting).toStringList().mid(0, kMost))
{
    setObjectName(QStringLiteral("savedFilters"));
    setToolTip(tr("Saved filters"));
    setAccessibleName(tr("Saved filters"));
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(this);
    connect(menu, &QMenu::aboutToShow, this, &SavedFilters::fillMenu);
    setMenu(menu);
    setCurrent({});
}

void SavedFilters::setCurrent(const QString& filter)
{
    m_current = filter.trimmed();
    // A filled star: the one in force is among them.
    setText(m_filters.contains(m_current) ? QStringLiteral("★") : QStringLiteral("☆"));
}

void SavedFilters::fillMenu()
{
    menu()->clear();
    for (const QString& filter : m_filters)
        connect(menu()->addAction(entryText(filter)), &QAction::triggered, this, [this, filter] {
            emit chosen(filter);
        });
    if (m_filters.isEmpty())
        menu()->addAction(tr("No filter is saved yet"))->setEnabled(false);
    menu()->addSeparator();
    const bool known = m_filters.contains(m_current);
    QAction* change =
        menu()->addAction(known ? tr("&Forget this filter") : tr("&Save this filter"));
    change->setEnabled(!m_current.isEmpty());
    connect(change, &QAction::triggered, this, [this, known, filter = m_current] {
        known ? forget(filter) : keep(filter);
    });
}

void SavedFilters::keep(const QString& filter)
{
    m_filters.prepend(filter);
    m_filters = m_filters.mid(0, kMost);
    QSettings().setValue(kSetting, m_filters);
    setCurrent(m_current);
}

void SavedFilters::forget(const QString& filter)
{
    m_filters.removeAll(filter);
    QSettings().setValue(kSetting, m_filters);
    setCurrent(m_current);
}

} // namespace belljar::ui
