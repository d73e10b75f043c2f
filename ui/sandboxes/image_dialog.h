// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace belljar::ui {

/// Asks for the name of an image that programs of a language shall run in, and shows what trying it
/// has shown. Stays open until an image works or the person gives up, which isn't while one is
/// tried: it would be used all the same.
class ImageDialog : public QDialog {
    Q_OBJECT

public:
    /// `language` and `reference`, the image in use, are shown as they are.
    ImageDialog(const QString& language, const QString& reference, QWidget* parent = nullptr);

    /// The image does not work: why.
    void showFailure(const QString& reason);

    void reject() override;

signals:
    void tryWanted(const QString& reference);

private:
    void update();
    void tryIt();

    QLineEdit* m_reference;
    QLabel* m_outcome;
    QProgressBar* m_progress;
    QPushButton* m_use;
    QPushButton* m_cancel;
    bool m_trying = false;
};

} // namespace belljar::ui
