// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/bridge/history_loader.h"
#endif

#include <QDialog>

namespace belljar::ui {

/// Two runs side by side: code, output, and every fact in which they may differ.
class CompareDialog : public QDialog {
    Q_OBJECT

public:
    CompareDialog(
        const ExecutionDetails& first, const ExecutionDetails& second, QWidget* parent = nullptr
    );
};

} // namespace belljar::ui
