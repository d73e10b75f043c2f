// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"
#endif

#include <QScrollArea>

class QFormLayout;

namespace belljar::ui {

/// Everything that is known of an execution in words: result, limits, sandbox, client. Plain,
/// selectable text.
class FactsView : public QScrollArea {
    Q_OBJECT

public:
    explicit FactsView(QWidget* parent = nullptr);

    void setRecord(const execution::Record& record);

private:
    void addFact(const QString& name, const QString& value);

    QFormLayout* m_form;
    int m_used = 0; ///< rows that show something; the others are hidden
};

} // namespace belljar::ui
