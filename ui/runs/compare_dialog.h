// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/bridge/history_loader.h"

#include <string>
#include <vector>
#endif

#include <QDialog>

class QCheckBox;
class QTabWidget;

namespace belljar::ui {

class DiffView;

/// Two runs side by side: code, output, and every fact in which they may differ. What differs from
/// run to run anyway can be left out.
class CompareDialog : public QDialog {
    Q_OBJECT

public:
    CompareDialog(
        const ExecutionDetails& first, const ExecutionDetails& second, QWidget* parent = nullptr
    );

private:
    struct Compared {
        QString name;
        std::string before;
        std::string after;
        DiffView* diff = nullptr;
    };

    void
    addDiff(const char* objectName, const QString& name, std::string before, std::string after);
    void compare();

    QTabWidget* m_tabs;
    QCheckBox* m_spaces;
    QCheckBox* m_varying;
    std::vector<Compared> m_compared; ///< by tab
};

} // namespace belljar::ui
