// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/execution/resource_series.h"

#include <array>
#include <optional>
#include <vector>
#endif

#include <QWidget>

class QCPAxisRect;
class QCPGraph;
class QCPItemStraightLine;
class QCPItemText;
class QCPTextElement;
class QCustomPlot;
class QLabel;
class QToolButton;

namespace belljar::ui {

/// CPU, memory against its limit, processes, disk and output of one execution over the seconds
/// since its start.
///
/// A cursor reads out a moment (mouse, Left, Right). The wheel, + and - change the scale, dragging
/// and Shift with the arrows move along, 0 shows everything again.
class ResourceGraph : public QWidget {
    Q_OBJECT

public:
    explicit ResourceGraph(QWidget* parent = nullptr);

    /// Begins anew for `record`.
    void clear(const execution::Record& record);
    void append(const std::vector<execution::Sample>& samples);
    /// Shows how it ended, where that concerns resources.
    void setRecord(const execution::Record& record);

    [[nodiscard]] int sampleCount() const { return static_cast<int>(m_series.points().size()); }
    /// What is shown of the time, in seconds.
    [[nodiscard]] std::pair<double, double> shownSeconds() const;
    [[nodiscard]] QString cursorText() const;
    /// Errors: a sentence for a person; empty where it was written.
    [[nodiscard]] QString writeCsv(const QString& place) const;
    [[nodiscard]] QString writePng(const QString& place) const;

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Kind : std::size_t { Cpu, Memory, Processes, Disk, Output, KindCount };

    /// One of the charts, above each other.
    struct Chart {
        QCPAxisRect* rect = nullptr;
        QCPTextElement* heading = nullptr;
        std::array<QCPGraph*, 2> graphs{}; ///< the second one of disk alone: what was written
        QCPItemStraightLine* cursor = nullptr;
        double highest = 0;
    };
    struct View {
        double from = 0;
        double to = 0;
    };

    Chart makeChart(std::size_t kind);
    QWidget* makeBar();
    void applyColors();
    void updateAxes();
    void describe();
    void setCursor(std::optional<std::size_t> point);
    void moveMouse(int x);
    void zoom(double factor, double around);
    void pan(double fraction);
    void showAll();
    [[nodiscard]] View wholeView() const;
    [[nodiscard]] View view() const { return m_view.value_or(wholeView()); }
    void setView(View view);
    [[nodiscard]] double secondsAt(int x) const;
    void askWhere(
        const QString& title,
        const QString& suffix,
        QString (ResourceGraph::*write)(const QString&) const
    );

    QCustomPlot* m_plot;
    std::array<Chart, KindCount> m_charts;
    QCPGraph* m_limit;
    QCPItemText* m_mark;
    QCPItemStraightLine* m_oom;
    QLabel* m_readOut;
    QToolButton* m_export;
    ResourceSeries m_series;
    ExecutionId m_id;
    double m_limitMb = 0;
    std::optional<double> m_oomAt; ///< seconds
    std::optional<View> m_view;    ///< nothing: all, as it grows
    std::optional<std::size_t> m_cursor;
    std::optional<int> m_draggedFrom; ///< where the mouse was
};

} // namespace belljar::ui
