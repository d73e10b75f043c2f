// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>

class QLabel;

namespace belljar::ui {

struct Situation;

/// The window's last line: engine, Docker, clients, what runs.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void show(const Situation& situation);

private:
    QLabel* m_engine;
    QLabel* m_docker;
    QLabel* m_clients;
    QLabel* m_running;
};

} // namespace belljar::ui
