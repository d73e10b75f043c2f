// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace belljar::ui {

/// A strip above the content for something that needs action: what it is, what to do, and a button
/// that does it.
class Banner : public QFrame {
    Q_OBJECT

public:
    /// `name` is the object name; its button's is `name`Button.
    explicit Banner(const QString& name, QWidget* parent = nullptr);

    void showMessage(const QString& message, const QString& advice, const QString& button);
    [[nodiscard]] QString text() const;

signals:
    void activated();

private:
    QLabel* m_text;
    QPushButton* m_button;
};

} // namespace belljar::ui
