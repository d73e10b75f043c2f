// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/audit/entry.h"
#include "engine/base/ids.h"
#endif

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace belljar::ui {

/// One row of the audit log, whole: who and when, its detail laid out, and its hashes.
class RowPane : public QWidget {
    Q_OBJECT

public:
    explicit RowPane(QWidget* parent = nullptr);

    void showRow(const audit::Row& row);
    /// Says in words why there is no row to show.
    void showNothing(const QString& why);

signals:
    void executionActivated(const belljar::ExecutionId& id);

private:
    QStackedWidget* m_stack;
    QLabel* m_nothing;
    QLabel* m_title;
    QLabel* m_time;
    QLabel* m_execution;
    QPushButton* m_open;
    QLabel* m_client;
    QPlainTextEdit* m_detail;
    QLineEdit* m_previous;
    QLineEdit* m_hash;
    ExecutionId m_id;
};

} // namespace belljar::ui
