// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"

#include <vector>
#endif

#include <QWidget>

class QLabel;
class QTableWidget;

namespace belljar::ui {

/// What a person was asked about today and how it was answered, newest first.
class AnsweredView : public QWidget {
    Q_OBJECT

public:
    explicit AnsweredView(QWidget* parent = nullptr);

    /// Takes those that were asked about and answered; the others are left out.
    void add(const std::vector<execution::Record>& records);
    [[nodiscard]] int count() const { return static_cast<int>(m_records.size()); }

    /// When today began, in local time.
    [[nodiscard]] static execution::UnixMs midnight();

signals:
    void executionActivated(const belljar::ExecutionId& id);

private:
    void fill();

    std::vector<execution::Record> m_records; ///< newest first
    QLabel* m_nothing;
    QTableWidget* m_table;
};

} // namespace belljar::ui
