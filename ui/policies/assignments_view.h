// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#endif

#include <QWidget>

class QComboBox;
class QPushButton;
class QTableWidget;

namespace belljar::ui {

/// Who gets which policy. Changes are collected until Apply.
class AssignmentsView : public QWidget {
    Q_OBJECT

public:
    explicit AssignmentsView(QWidget* parent = nullptr);

    /// What holds. Replaces what is shown unless the person has changed it.
    void setPolicies(const belljar::PoliciesChanged& policies);
    [[nodiscard]] bool isDirty() const;
    /// It has been applied, or the person gives it up.
    void revert();

signals:
    void assignWanted(const belljar::AssignPolicies& command);
    void changed();

private:
    void fill();
    void addRow(const Assignment& assignment);
    void moveBy(int step);
    [[nodiscard]] QComboBox* makePolicyCombo(const std::string& chosen);
    [[nodiscard]] AssignPolicies collected() const;
    void update();

    belljar::PoliciesChanged m_policies;
    QTableWidget* m_table;
    QComboBox* m_default;
    QPushButton* m_remove;
    QPushButton* m_up;
    QPushButton* m_down;
    QPushButton* m_revert;
    QPushButton* m_apply;
    bool m_filling = false;
};

} // namespace belljar::ui
