// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QMenuBar;

namespace belljar::ui {

/// Every action that has keys, with them (Ctrl+/).
class KeysDialog : public QDialog {
    Q_OBJECT

public:
    explicit KeysDialog(const QMenuBar& menus, QWidget* parent = nullptr);
};

} // namespace belljar::ui
