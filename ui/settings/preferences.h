// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/theme.h"

#include <QString>

#include <cstdint>

namespace belljar::ui {

enum class Language : std::uint8_t {
    System, ///< Chinese where the desktop's first language is Chinese, else English
    English,
    Chinese
};

/// What closing the window means. Ask: it hides where there is a tray, and is asked where not.
enum class OnClose : std::uint8_t { Ask, Background, Quit };

/// What the person has chosen about the window. A value; QSettings keeps it.
struct Preferences {
    Language language = Language::System;
    SchemeChoice scheme = SchemeChoice::System;
    OnClose onClose = OnClose::Ask;
    bool notifications = true; ///< the desktop is told of what waits; the badge always is
    friend bool operator==(const Preferences&, const Preferences&) = default;
};

/// What is kept; anything else than a known value is its default.
[[nodiscard]] Preferences loadPreferences();
void savePreferences(const Preferences& preferences);

/// The file by which the desktop starts Belljar when the person logs in (Desktop Application
/// Autostart Specification 0.5).
[[nodiscard]] QString autostartFile();
/// Is there such a file, and not switched off by the desktop's own settings?
[[nodiscard]] bool isAutostarted();
/// Writes or removes it. Returns what went wrong, or nothing.
[[nodiscard]] QString setAutostarted(bool on);

} // namespace belljar::ui
