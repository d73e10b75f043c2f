// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/assignments_view.h"

#include "ui/policies/form_fields.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <utility>

namespace belljar::ui {

AssignmentsView::AssignmentsView(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableWidget(0, 3, this))
    , m_default(new QComboBox(this))
{
    m_table->setObjectName(QStringLiteral("assignments"));
    m_table->setAccessibleName(tr("Clients and their policies, in order"));
    m_table->setHorizontalHeaderLabels({tr("Client name"), tr("Program"), tr("Policy")});
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 14);
    m_default->setObjectName(QStringLiteral("defaultPolicy"));
    auto* other = new QLabel(tr("&Everyone else gets"), this);
    other->setBuddy(m_default);

    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& text, const char* name, auto pressed) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, pressed);
        buttons->addWidget(made);
        return made;
    };
    button(tr("Add client"), "assignAdd", [this] {
        addRow({{}, {}, m_policies.defaultPolicy});
        m_table->setCurrentCell(m_table->rowCount() - 1, 0);
        m_table->editItem(m_table->item(m_table->rowCount() - 1, 0));
        update();
    });
    m_remove = button(tr("Remove"), "assignRemove", [this] {
        m_table->removeRow(m_table->currentRow());
        update();
    });
    m_up = button(tr("Up"), "assignUp", [this] { moveBy(-1); });
    m_down = button(tr("Down"), "assignDown", [this] { moveBy(1); });
    buttons->addStretch(1);
    m_revert = button(tr("Discard"), "assignRevert", [this] { revert(); });
    m_apply = button(tr("Apply"), "assignApply", [this] { emit assignWanted(collected()); });

    auto* fallback = new QHBoxLayout;
    fallback->addWidget(other);
    fallback->addWidget(m_default);
    fallback->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(makeNote(
        tr("The first row that fits a client decides. A name is what the client says of itself; "
           "the "
           "program is the path of its process. An empty cell fits every client."),
        true,
        this
    ));
    layout->addWidget(m_table, 1);
    layout->addLayout(fallback);
    layout->addLayout(buttons);
    connect(m_table, &QTableWidget::cellChanged, this, [this] { update(); });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this] { update(); });
    connect(m_default, &QComboBox::activated, this, [this] { update(); });
    update();
}

QComboBox* AssignmentsView::makePolicyCombo(const std::string& chosen)
{
    auto* combo = new QComboBox(m_table);
    combo->setAccessibleName(tr("Policy"));
    for (const PolicyState& policy : m_policies.policies)
        combo->addItem(QString::fromStdString(policy.name));
    combo->setCurrentText(QString::fromStdString(chosen));
    connect(combo, &QComboBox::activated, this, [this] { update(); });
    return combo;
}

void AssignmentsView::addRow(const Assignment& assignment)
{
    const bool filling = std::exchange(m_filling, true);
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    m_table->setItem(row, 0, new QTableWidgetItem(QString::fromStdString(assignment.clientName)));
    m_table->setItem(row, 1, new QTableWidgetItem(QString::fromStdString(assignment.executable)));
    m_table->setCellWidget(row, 2, makePolicyCombo(assignment.policy));
    m_filling = filling;
}

void AssignmentsView::setPolicies(const PoliciesChanged& policies)
{
    const bool keep = isDirty();
    m_policies = policies;
    if (!keep)
        fill();
    update();
}

void AssignmentsView::revert()
{
    fill();
    update();
}

void AssignmentsView::fill()
{
    m_filling = true;
    m_table->setRowCount(0);
    for (const Assignment& assignment : m_policies.assignments)
        addRow(assignment);
    m_default->clear();
    for (const PolicyState& policy : m_policies.policies)
        m_default->addItem(QString::fromStdString(policy.name));
    m_default->setCurrentText(QString::fromStdString(m_policies.defaultPolicy));
    m_filling = false;
}

AssignPolicies AssignmentsView::collected() const
{
    AssignPolicies command;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto* combo = qobject_cast<QComboBox*>(m_table->cellWidget(row, 2));
        command.assignments.push_back(
            {m_table->item(row, 0)->text().toStdString(),
             m_table->item(row, 1)->text().toStdString(),
             combo->currentText().toStdString()}
        );
    }
    command.defaultPolicy = m_default->currentText().toStdString();
    return command;
}

bool AssignmentsView::isDirty() const
{
    const AssignPolicies now = collected();
    return now.assignments != m_policies.assignments ||
           now.defaultPolicy != m_policies.defaultPolicy;
}

void AssignmentsView::moveBy(int step)
{
    AssignPolicies now = collected();
    const int from = m_table->currentRow();
    const int to = from + step;
    if (from < 0 || to < 0 || to >= m_table->rowCount())
        return;
    std::swap(
        now.assignments[static_cast<std::size_t>(from)],
        now.assignments[static_cast<std::size_t>(to)]
    );
    m_filling = true;
    m_table->setRowCount(0);
    for (const Assignment& assignment : now.assignments)
        addRow(assignment);
    m_filling = false;
    m_table->setCurrentCell(to, 0);
    update();
}

void AssignmentsView::update()
{
    if (m_filling)
        return;
    const int row = m_table->currentRow();
    m_remove->setEnabled(row >= 0);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_table->rowCount());
    m_apply->setEnabled(isDirty());
    m_revert->setEnabled(isDirty());
    emit changed();
}

} // namespace belljar::ui
