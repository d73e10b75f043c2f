// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/engine_bridge.h"

#include <utility>

namespace belljar::ui {

namespace {

constexpr int kFrameMs = 33;

} // namespace

EngineBridge::EngineBridge(EngineOptions options, QObject* parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_frame.setSingleShot(true);
    m_frame.setInterval(kFrameMs);
    connect(&m_frame, &QTimer::timeout, this, [this] { emit eventsReady(m_queue.drain()); });
}

EngineBridge::~EngineBridge()
{
    stop();
}

void EngineBridge::start()
{
    stop();
    m_engine = std::make_unique<Engine>(m_options, [this](Event event) { post(std::move(event)); });
    // The engine reports its own failure as an event, so the result has nothing more to say.
    m_thread.reset(QThread::create([engine = m_engine.get()] {
        // From the first request on there is somebody to ask.
        const auto ended = engine->run([engine] {
            engine->submit(ListenForApprovals{true});
            engine->submit(SendSnapshot{});
        });
        Q_UNUSED(ended);
    }));
    m_thread->setObjectName(QStringLiteral("engine"));
    m_thread->start();
}

void EngineBridge::stop()
{
    if (!m_thread)
        return;
    m_engine->stop();
    m_thread->wait();
    m_thread.reset();
    m_engine.reset();
}

void EngineBridge::submit(Command command)
{
    if (m_engine)
        m_engine->submit(std::move(command));
}

/// Called on the engine thread; never waits for the UI.
void EngineBridge::post(Event event)
{
    if (m_queue.push(std::move(event)))
        QMetaObject::invokeMethod(
            this, [this] { m_frame.start(); }, Qt::QueuedConnection
        );
}

} // namespace belljar::ui
