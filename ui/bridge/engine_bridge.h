// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/engine.h"
#include "ui/bridge/event_queue.h"

#include <memory>
#include <vector>
#endif

#include <QObject>
#include <QThread>
#include <QTimer>

namespace belljar::ui {

/// The engine on a thread of its own, and its events on the UI thread, 30 times a second at most.
class EngineBridge : public QObject {
    Q_OBJECT

public:
    explicit EngineBridge(EngineOptions options, QObject* parent = nullptr);
    /// Stops the engine and waits for its end.
    ~EngineBridge() override;

    /// Starts the engine; again after it has failed.
    void start();
    void submit(Command command);

signals:
    void eventsReady(const std::vector<belljar::Event>& events);

private:
    void post(Event event);
    void stop();

    EngineOptions m_options;
    EventQueue m_queue;
    QTimer m_frame;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<QThread> m_thread;
};

} // namespace belljar::ui
