// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QTimer;

namespace belljar::ui {

/// Says for some seconds what is about to be done, and lets it be undone until then.
class UndoStrip : public QWidget {
    Q_OBJECT

public:
    explicit UndoStrip(QWidget* parent = nullptr);

    /// What was offered before is done at once.
    void offer(const QString& text);
    [[nodiscard]] bool isOffering() const;

    static constexpr int kSeconds = 10;

signals:
    void undone();
    /// Nobody has undone it: now it is done.
    void elapsed();

private:
    void settle(bool undo);

    QLabel* m_text;
    QTimer* m_timer;
};

} // namespace belljar::ui
