// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

namespace belljar::ui {

/// The screens to go to, at the left; icons alone where the window is narrow.
class Rail : public QListWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);

    /// Returns its place. `icon`: see lineIcon().
    int addScreen(const QString& title, const QString& icon);
    /// A number beside the title; 0 takes it away.
    void setCount(int place, int count);
    void setNarrow(bool narrow);
    [[nodiscard]] QSize sizeHint() const override;

private:
    class Delegate;
    struct Screen {
        QString title;
        int count = 0;
    };
    void show(int place);

    QList<Screen> m_screens;
    bool m_narrow = false;
};

} // namespace belljar::ui
