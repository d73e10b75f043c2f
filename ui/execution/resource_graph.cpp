// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/resource_graph.h"

#include "ui/shell/theme.h"

#include <QEvent>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <array>

namespace belljar::ui {

namespace {

constexpr double kBytesPerMb = 1024.0 * 1024.0;
constexpr int kFewSamples = 5; // below it points are drawn, since a line would pretend to know more
constexpr double kHeadroom = 1.15;

} // namespace

ResourceGraph::ResourceGraph(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot)
    , m_mark(nullptr)
{
    setObjectName(QStringLiteral("resourceGraph"));
    m_plot->plotLayout()->clear();
    m_plot->setNoAntialiasingOnDrag(true);
    m_cpu = makeChart(0, tr("CPU, % of one core"), 60);
    m_memory = makeChart(1, tr("Memory, MB"), 16);
    m_processes = makeChart(2, tr("Processes"), 4);
    m_processes.rect->axis(QCPAxis::atBottom)->setLabel(tr("seconds since the start"));
    m_mark = new QCPItemText(m_plot);
    m_mark->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_mark->position->setAxisRect(m_memory.rect);
    m_mark->position->setCoords(0.98, 0.06);
    m_mark->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    m_mark->setVisible(false);
    auto* group = new QCPMarginGroup(m_plot);
    for (const Chart* chart : {&m_cpu, &m_memory, &m_processes})
        chart->rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    applyColors();
    describe();
}

ResourceGraph::Chart ResourceGraph::makeChart(int row, const QString& title, double smallestRange)
{
    Chart chart;
    chart.smallestRange = smallestRange;
    chart.rect = new QCPAxisRect(m_plot);
    auto* heading = new QCPTextElement(m_plot, title);
    heading->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    heading->setFont(font());
    m_plot->plotLayout()->addElement(row * 2, 0, heading);
    m_plot->plotLayout()->addElement(row * 2 + 1, 0, chart.rect);
    QCPAxis* x = chart.rect->axis(QCPAxis::atBottom);
    QCPAxis* y = chart.rect->axis(QCPAxis::atLeft);
    x->setTickLabels(row == 2);
    y->ticker()->setTickCount(3);
    x->ticker()->setTickCount(5);
    chart.graph = m_plot->addGraph(x, y);
    chart.limit = m_plot->addGraph(x, y);
    chart.rect->setMinimumMargins(QMargins(2, 2, 8, 2));
    return chart;
}

void ResourceGraph::clear(const execution::Record& record)
{
    for (Chart* chart : {&m_cpu, &m_memory, &m_processes}) {
        chart->graph->data()->clear();
        chart->limit->data()->clear();
        chart->highest = 0;
    }
    m_count = 0;
    m_seconds = 0;
    m_last = {};
    m_limitMb = static_cast<double>(record.limits.memoryBytes) / kBytesPerMb;
    setRecord(record);
}

void ResourceGraph::append(const std::vector<execution::Sample>& samples)
{
    for (const execution::Sample& sample : samples) {
        const double seconds = static_cast<double>(sample.at.count()) / 1000;
        const std::array values{
            std::pair{&m_cpu, sample.cpuPercent},
            std::pair{&m_memory, static_cast<double>(sample.memoryBytes) / kBytesPerMb},
            std::pair{&m_processes, static_cast<double>(sample.processes)},
        };
        for (const auto& [chart, value] : values) {
            chart->graph->addData(seconds, value);
            chart->highest = std::max(chart->highest, value);
        }
        m_seconds = std::max(m_seconds, seconds);
        m_last = sample;
        ++m_count;
    }
    updateAxes();
    describe();
}

void ResourceGraph::setRecord(const execution::Record& record)
{
    QString mark;
    if (record.status == execution::Status::OutOfMemory)
        mark = tr("killed at its memory limit");
    else if (record.oomKilled)
        mark = tr("a process was killed at the memory limit");
    else if (record.timedOut)
        mark = tr("time limit reached");
    m_mark->setText(mark);
    m_mark->setVisible(!mark.isEmpty());
    updateAxes();
    describe();
}

void ResourceGraph::updateAxes()
{
    const double seconds = std::max(m_seconds, 0.5);
    for (Chart* chart : {&m_cpu, &m_memory, &m_processes}) {
        // The limit is drawn where it is near enough to mean something.
        const bool nearLimit = chart == &m_memory && chart->highest > m_limitMb / 4;
        chart->limit->data()->clear();
        if (nearLimit) {
            chart->limit->addData(0, m_limitMb);
            chart->limit->addData(seconds, m_limitMb);
        }
        const double top =
            std::max({chart->highest, chart->smallestRange, nearLimit ? m_limitMb : 0});
        chart->rect->axis(QCPAxis::atLeft)->setRange(0, top * kHeadroom);
        chart->rect->axis(QCPAxis::atBottom)->setRange(0, seconds);
        const bool few = m_count < kFewSamples;
        chart->graph->setScatterStyle(
            few ? QCPScatterStyle(QCPScatterStyle::ssDisc, 5) : QCPScatterStyle()
        );
        chart->graph->setLineStyle(few ? QCPGraph::lsNone : QCPGraph::lsLine);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// What a person who can't see the graph needs from it.
void ResourceGraph::describe()
{
    if (m_count == 0) {
        m_plot->setAccessibleName(tr("Resource graph, no samples yet"));
        return;
    }
    m_plot->setAccessibleName(
        tr("Resource graph: CPU up to %1 %, memory %2 of %3 MB, %4 processes after %5 seconds")
            .arg(m_cpu.highest, 0, 'f', 0)
            .arg(m_memory.highest, 0, 'f', 0)
            .arg(m_limitMb, 0, 'f', 0)
            .arg(m_last.processes)
            .arg(m_seconds, 0, 'f', 1)
    );
}

void ResourceGraph::applyColors()
{
    const Colors& colors = currentColors();
    m_plot->setBackground(QBrush(colors.base));
    QFont small = font();
    small.setPointSizeF(std::max(9.0, small.pointSizeF() * 0.9));
    for (const Chart* chart : {&m_cpu, &m_memory, &m_processes}) {
        QColor fill = colors.accent;
        fill.setAlpha(40);
        chart->graph->setPen(QPen(colors.accent, 1.6));
        chart->graph->setBrush(fill);
        chart->limit->setPen(QPen(colors.status(StatusGroup::Failed), 1.4, Qt::DashLine));
        for (QCPAxis* axis : chart->rect->axes()) {
            axis->setBasePen(QPen(colors.border));
            axis->setTickPen(QPen(colors.border));
            axis->setSubTickPen(Qt::NoPen);
            axis->setTickLabelColor(colors.muted);
            axis->setLabelColor(colors.muted);
            axis->setTickLabelFont(small);
            axis->setLabelFont(small);
            axis->grid()->setPen(QPen(colors.border, 1, Qt::DotLine));
            axis->grid()->setZeroLinePen(Qt::NoPen);
        }
    }
    for (int row = 0; row < 3; ++row) {
        if (auto* heading =
                qobject_cast<QCPTextElement*>(m_plot->plotLayout()->element(row * 2, 0))) {
            heading->setTextColor(colors.text);
            heading->setFont(small);
        }
    }
    m_mark->setColor(colors.status(StatusGroup::Failed));
    m_mark->setFont(small);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ResourceGraph::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

} // namespace belljar::ui
