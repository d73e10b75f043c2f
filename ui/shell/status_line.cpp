// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include "engine/base/text.h"
#include "ui/runs/runs_model.h"
#include "ui/shell/situation.h"

#include <QLabel>

namespace belljar::ui {

namespace {

constexpr int kMaxShownClients = 3;

QLabel* plainLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QString dockerText(const DockerStatus& docker)
{
    switch (docker.state) {
    case DockerState::Connecting: return StatusLine::tr("Docker: looking");
    case DockerState::Ready:
        return StatusLine::tr("Docker: %1")
            .arg(QString::fromStdString(escapeForLine(docker.version)));
    case DockerState::Unreachable: break;
    }
    return StatusLine::tr("Docker: not running");
}

QString clientsText(const Situation& situation)
{
    QStringList names;
    for (const auto& [id, client] : situation.clients) {
        if (names.size() < kMaxShownClients)
            names << clientText(client);
    }
    const QString count =
        StatusLine::tr("%n client(s)", nullptr, static_cast<int>(situation.clients.size()));
    return names.isEmpty() ? count : StatusLine::tr("%1: %2").arg(count, names.join(", "));
}

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent)
    , m_engine(plainLabel(QStringLiteral("engineLabel")))
    , m_docker(plainLabel(QStringLiteral("dockerLabel")))
    , m_clients(plainLabel(QStringLiteral("clientsLabel")))
    , m_running(plainLabel(QStringLiteral("runningLabel")))
{
    for (QLabel* label : {m_engine, m_docker, m_clients})
        addWidget(label);
    addPermanentWidget(m_running);
}

void StatusLine::show(const Situation& situation)
{
    m_engine->setText(situation.engineFailed ? tr("Engine: stopped") : tr("Engine: running"));
    m_docker->setText(dockerText(situation.docker));
    m_clients->setText(clientsText(situation));
    m_running->setText(
        tr("%1 running, %2 waiting").arg(situation.running()).arg(situation.pending())
    );
}

} // namespace belljar::ui
