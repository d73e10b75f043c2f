// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QComboBox;
class QPlainTextEdit;
class QPushButton;

namespace belljar::ui {

/// Asks for a program to run by hand.
class RunDialog : public QDialog {
    Q_OBJECT

public:
    explicit RunDialog(const QStringList& languages, QWidget* parent = nullptr);

    void setProgram(const QString& language, const QString& code);

signals:
    void runWanted(const QString& language, const QString& code);

private:
    QComboBox* m_language;
    QPlainTextEdit* m_code;
    QPushButton* m_run;
};

} // namespace belljar::ui
