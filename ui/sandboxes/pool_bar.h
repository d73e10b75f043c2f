// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"

#include <string>
#include <vector>
#endif

#include <QWidget>

class QGridLayout;
class QLabel;
class QSpinBox;

namespace belljar::ui {

/// How many sandboxes of each language are kept warm, and how many there are.
class PoolBar : public QWidget {
    Q_OBJECT

public:
    explicit PoolBar(QWidget* parent = nullptr);

    /// A number that is being typed stays.
    void setPools(const std::vector<PoolStatus>& pools);
    /// The numbers of the engine again: what was asked for last was refused.
    void reset();

signals:
    void sizeWanted(const std::string& language, int size);

private:
    struct Row {
        std::string language;
        QLabel* title;
        QSpinBox* size;
        QLabel* now;
        int wanted = 0; ///< as the engine says
    };

    void addRow(const PoolStatus& pool);

    QGridLayout* m_layout;
    std::vector<Row> m_rows;
};

} // namespace belljar::ui
