// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "engine/base/paths.h"

#include <QTimer>

namespace belljar::desktop {

Desktop::Desktop(const EngineOptions& options)
    : m_analysis(commandProgram())
    , m_window(options.paths.historyFile(), m_theme)
    , m_bridge(options)
{
    m_window.setAnalyse([this](const std::string& language, const std::string& code) {
        return m_analysis.analyse(language, code);
    });
    QObject::connect(&m_bridge, &ui::EngineBridge::eventsReady, &m_window, &ui::MainWindow::apply);
    QObject::connect(
        &m_window, &ui::MainWindow::commandWanted, &m_bridge, &ui::EngineBridge::submit
    );
    QObject::connect(
        &m_window, &ui::MainWindow::restartWanted, &m_bridge, &ui::EngineBridge::start
    );
}

void Desktop::start()
{
    QTimer::singleShot(0, &m_bridge, [this] { m_bridge.start(); });
}

} // namespace belljar::desktop
