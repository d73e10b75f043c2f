// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

namespace belljar::ui {

/// The screens to go to, at the left; collapses to initials where the window is narrow.
class Rail : public QListWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);

    /// Returns its place.
    int addScreen(const QString& title);
    /// A number behind the title; 0 takes it away.
    void setCount(int place, int count);
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Screen {
        QString title;
        int count = 0;
    };
    void show(int place);

    QList<Screen> m_screens;
};

} // namespace belljar::ui
