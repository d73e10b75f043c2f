// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/files.h"

#include <string>
#endif

#include <QImage>
#include <QString>

namespace belljar::ui {

/// One file of a run, made ready for looking at it.
struct FilePreview {
    QImage picture; ///< null: it isn't one, or can't be shown
    QString text;   ///< the beginning, with nothing in it that hides or commands
    bool isCut = false;
    QString problem; ///< why there is neither
};

/// Decodes what a program wrote, so nothing in it is trusted: only formats without scripts, by
/// their own decoder, within bounds of bytes and pixels; SVG is text. For a worker thread.
[[nodiscard]] FilePreview previewOf(execution::FileKind kind, const std::string& bytes);

} // namespace belljar::ui
