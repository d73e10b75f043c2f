// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace belljar::ui {

/// The drawing resources/icons/`name`.svg in the colours of the palette in force when it is
/// painted, sharp at every size. `name` is one of the program's own.
[[nodiscard]] QIcon lineIcon(const QString& name);

} // namespace belljar::ui
