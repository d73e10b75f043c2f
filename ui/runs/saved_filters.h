// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QToolButton>

namespace belljar::ui {

/// The filters of runs that the person keeps, in a menu: to take one, to keep the one in force, to
/// forget it. QSettings has them.
class SavedFilters : public QToolButton {
    Q_OBJECT

public:
    static constexpr int kMost = 30; ///< the oldest gives way

    explicit SavedFilters(QWidget* parent = nullptr);

    /// The filter in force, as it is typed.
    void setCurrent(const QString& filter);
    [[nodiscard]] const QStringList& filters() const { return m_filters; }

signals:
    void chosen(const QString& filter);

private:
    void fillMenu();
    void keep(const QString& filter);
    void forget(const QString& filter);

    QStringList m_filters; ///< newest first
    QString m_current;
};

} // namespace belljar::ui
