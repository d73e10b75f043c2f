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

    /// With stripes of a warning sign: for what holds everything up.
    void setStriped(bool striped);
    void showMessage(const QString& message, const QString& advice, const QString& button);
    [[nodiscard]] QString text() const;

signals:
    void activated();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int stripeWidth() const;

    QLabel* m_text;
    QPushButton* m_button;
    bool m_striped = false;
};

} // namespace belljar::ui
