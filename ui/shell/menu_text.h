// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace belljar::ui {

/// A menu's text as it is read: "&Stop" and, as Chinese has it, "停止(&S)" without their mnemonic.
[[nodiscard]] QString withoutMnemonic(QString text);

} // namespace belljar::ui
