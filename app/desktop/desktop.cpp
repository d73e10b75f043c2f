// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "engine/base/paths.h"

#include <QTimer>

namespace belljar::desktop {

Desktop::Desktop(const EngineOptions& options)
    : m_historyFile(options.paths.historyFile())
    , m_analysis(commandProgram())
    , m_bridge(options)
{
    m_translations.use(ui::loadPreferences().language);
    makeWindow();
}

Desktop::~Desktop() = default;

void Desktop::makeWindow()
{
    m_window = std::make_unique<ui::MainWindow>(m_historyFile, m_theme);
    ui::MainWindow* window = m_window.get();
    window->setAnalyse([this](const std::string& language, const std::string& code) {
        return m_analysis.analyse(language, code);
    });
    connect(&m_bridge, &ui::EngineBridge::eventsReady, window, &ui::MainWindow::apply);
    connect(window, &ui::MainWindow::commandWanted, &m_bridge, &ui::EngineBridge::submit);
    connect(window, &ui::MainWindow::restartWanted, &m_bridge, &ui::EngineBridge::start);
    // Not from within the window that has to go.
    connect(
        window,
        &ui::MainWindow::languageWanted,
        this,
        &Desktop::changeLanguage,
        Qt::QueuedConnection
    );
}

void Desktop::changeLanguage(ui::Language language)
{
    m_window->keepLayout();
    const bool visible = m_window->isVisible();
    m_window.reset();
    m_translations.use(language);
    makeWindow();
    if (visible)
        m_window->show();
    m_bridge.submit(SendSnapshot{});
}

void Desktop::start()
{
    QTimer::singleShot(0, &m_bridge, [this] { m_bridge.start(); });
}

} // namespace belljar::desktop
