// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace belljar::ui {

/// What differs from run to run without meaning anything: times of day, dates, spans of time,
/// addresses in memory and UUIDs, each replaced by a mark of its kind. Lines stay lines.
[[nodiscard]] QString maskVarying(QString text);
/// Spaces and tabs at both ends of a line are gone, others are one space. Lines stay lines.
[[nodiscard]] QString squeezeSpaces(QString text);

} // namespace belljar::ui
