// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/execution/execution.h"

#include <vector>
#endif

#include <QWidget>

class QCPAxisRect;
class QCPGraph;
class QCPItemText;
class QCustomPlot;

namespace belljar::ui {

/// CPU, memory against its limit, and processes of one execution over the seconds since its start.
class ResourceGraph : public QWidget {
    Q_OBJECT

public:
    explicit ResourceGraph(QWidget* parent = nullptr);

    /// Begins anew for `record`.
    void clear(const execution::Record& record);
    void append(const std::vector<execution::Sample>& samples);
    /// Shows how it ended, where that concerns resources.
    void setRecord(const execution::Record& record);

    [[nodiscard]] int sampleCount() const { return m_count; }

protected:
    void changeEvent(QEvent* event) override;

private:
    /// One of the three charts, above each other.
    struct Chart {
        QCPAxisRect* rect = nullptr;
        QCPGraph* graph = nullptr;
        QCPGraph* limit = nullptr;
        double highest = 0;
        double smallestRange = 1;
    };

    Chart makeChart(int row, const QString& title, double smallestRange);
    void applyColors();
    void updateAxes();
    void describe();

    QCustomPlot* m_plot;
    Chart m_cpu;
    Chart m_memory;
    Chart m_processes;
    QCPItemText* m_mark;
    double m_limitMb = 0;
    double m_seconds = 0;
    execution::Sample m_last;
    int m_count = 0;
};

} // namespace belljar::ui
