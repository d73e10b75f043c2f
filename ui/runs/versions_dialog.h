// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/bridge/history_loader.h"

#include <vector>
#endif

#include <QDialog>

class QListWidget;

namespace belljar::ui {

class DiffView;

/// The versions of a program, each with what it changed of the one before.
class VersionsDialog : public QDialog {
    Q_OBJECT

public:
    /// `versions` are oldest first, at least one.
    explicit VersionsDialog(std::vector<ProgramVersion> versions, QWidget* parent = nullptr);

signals:
    void executionWanted(const belljar::ExecutionId& id);

private:
    void showVersion(int row);

    std::vector<ProgramVersion> m_versions;
    QListWidget* m_list;
    DiffView* m_diff;
};

} // namespace belljar::ui
