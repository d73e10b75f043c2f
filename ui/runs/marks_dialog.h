// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"
#endif

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace belljar::ui {

/// Pin, tags and note of a run.
class MarksDialog : public QDialog {
    Q_OBJECT

public:
    explicit MarksDialog(const execution::Marks& marks, QWidget* parent = nullptr);

    /// Sorted and bounded, as the engine wants them.
    [[nodiscard]] execution::Marks marks() const;

private:
    QCheckBox* m_pinned;
    QLineEdit* m_tags;
    QPlainTextEdit* m_note;
};

} // namespace belljar::ui
