// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/analysis_on_call.h"
#include "engine/engine.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/settings/translations.h"
#include "ui/shell/main_window.h"
#include "ui/shell/theme.h"

#include <filesystem>
#include <memory>

namespace belljar::desktop {

/// The window and the engine behind it, joined: events to the window, commands to the engine. The
/// application object is there already.
class Desktop : public QObject {
public:
    explicit Desktop(const EngineOptions& options);

    ~Desktop() override;

    /// Another one after the language has changed.
    [[nodiscard]] ui::MainWindow& window() { return *m_window; }
    /// Starts the engine once the event loop runs: the window is on the screen before that.
    void start();

private:
    void makeWindow();
    /// Puts a window in the language's words in the place of the one that is.
    void changeLanguage(ui::Language language);

    std::filesystem::path m_historyFile;
    ui::Translations m_translations;
    ui::Theme m_theme;
    AnalysisOnCall m_analysis;
    std::unique_ptr<ui::MainWindow> m_window;
    ui::EngineBridge m_bridge; ///< goes first: no event reaches a window that is gone
};

} // namespace belljar::desktop
