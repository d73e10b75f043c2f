// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/resource_graph.h"

#include "ui/shell/theme.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace belljar::ui {

namespace {

constexpr double kBytesPerMb = 1024.0 * 1024.0;
constexpr int kFewSamples = 5; // below it points are drawn, since a line would pretend to know more
constexpr double kHeadroom = 1.15;
constexpr double kShortestView = 0.2; // seconds: two samples
constexpr double kZoomStep = 1.5;
constexpr int kFocusWidth = 2;
constexpr QSize kPicture(1200, 1000);

struct ChartLook {
    const char* title;
    double smallestRange;
};

constexpr std::array kLooks{
    ChartLook{QT_TRANSLATE_NOOP("belljar::ui::ResourceGraph", "CPU, % of one core"), 60},
    ChartLook{QT_TRANSLATE_NOOP("belljar::ui::ResourceGraph", "Memory, MB"), 16},
    ChartLook{QT_TRANSLATE_NOOP("belljar::ui::ResourceGraph", "Processes"), 4},
    ChartLook{
        QT_TRANSLATE_NOOP("belljar::ui::ResourceGraph", "Disk, KB/s (line: read, dashes: written)"),
        16},
    ChartLook{QT_TRANSLATE_NOOP("belljar::ui::ResourceGraph", "Output, KB/s"), 4},
};

QCPItemStraightLine* makeVertical(QCustomPlot* plot, QCPAxisRect* rect)
{
    auto* line = new QCPItemStraightLine(plot);
    for (QCPItemPosition* point : {line->point1, line->point2}) {
        point->setAxes(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        point->setType(QCPItemPosition::ptPlotCoords);
    }
    line->setClipAxisRect(rect);
    line->setVisible(false);
    return line;
}

void moveTo(QCPItemStraightLine* line, double seconds)
{
    line->point1->setCoords(seconds, 0);
    line->point2->setCoords(seconds, 1);
}

} // namespace

ResourceGraph::ResourceGraph(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot)
    , m_limit(nullptr)
    , m_mark(nullptr)
    , m_oom(nullptr)
    , m_readOut(new QLabel)
    , m_export(new QToolButton)
{
    setObjectName(QStringLiteral("resourceGraph"));
    setFocusPolicy(Qt::StrongFocus);
    m_plot->plotLayout()->clear();
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->installEventFilter(this);
    m_plot->setMouseTracking(true);
    auto* group = new QCPMarginGroup(m_plot);
    for (std::size_t kind = 0; kind < KindCount; ++kind) {
        m_charts.at(kind) = makeChart(kind);
        m_charts.at(kind).rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
    }
    const Chart& memory = m_charts[Memory];
    m_limit =
        m_plot->addGraph(memory.rect->axis(QCPAxis::atBottom), memory.rect->axis(QCPAxis::atLeft));
    m_charts[Output].rect->axis(QCPAxis::atBottom)->setLabel(tr("seconds since the start"));
    m_oom = makeVertical(m_plot, memory.rect);
    m_mark = new QCPItemText(m_plot);
    m_mark->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_mark->position->setAxisRect(memory.rect);
    m_mark->position->setCoords(0.96, 0.94);
    m_mark->setClipAxisRect(memory.rect); // an item is clipped to the first chart otherwise
    m_mark->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_mark->setVisible(false);
    m_readOut->setObjectName(QStringLiteral("resourceReadOut"));
    m_readOut->setTextFormat(Qt::PlainText);
    m_readOut->setWordWrap(true);
    m_readOut->setMargin(fontMetrics().height() / 4);
    // As high as three lines, so that the charts don't jump while the cursor moves.
    m_readOut->setMinimumHeight(fontMetrics().lineSpacing() * 3);
    m_readOut->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kFocusWidth, kFocusWidth, kFocusWidth, kFocusWidth);
    layout->setSpacing(0);
    layout->addWidget(m_plot, 1);
    layout->addWidget(m_readOut);
    layout->addWidget(makeBar());
    applyColors();
    describe();
}

ResourceGraph::Chart ResourceGraph::makeChart(std::size_t kind)
{
    const int row = static_cast<int>(kind);
    Chart chart;
    chart.rect = new QCPAxisRect(m_plot);
    chart.heading = new QCPTextElement(m_plot, tr(kLooks.at(kind).title));
    chart.heading->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    chart.heading->setFont(font());
    m_plot->plotLayout()->addElement(row * 2, 0, chart.heading);
    m_plot->plotLayout()->addElement(row * 2 + 1, 0, chart.rect);
    m_plot->plotLayout()->setRowSpacing(0);
    QCPAxis* x = chart.rect->axis(QCPAxis::atBottom);
    QCPAxis* y = chart.rect->axis(QCPAxis::atLeft);
    x->setTickLabels(kind == KindCount - 1);
    if (kind == Processes) { // there are no halves of them
        const QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
        whole->setTickStep(1);
        whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        y->setTicker(whole);
    }
    y->ticker()->setTickCount(2);
    x->ticker()->setTickCount(5);
    chart.graphs[0] = m_plot->addGraph(x, y);
    if (kind == Disk)
        chart.graphs[1] = m_plot->addGraph(x, y);
    chart.cursor = makeVertical(m_plot, chart.rect);
    chart.rect->setMinimumMargins(QMargins(2, 6, 8, 2));
    return chart;
}

QWidget* ResourceGraph::makeBar()
{
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(2, 0, 2, 2);
    const auto add = [this, layout](const QString& text, const QString& help, auto act) {
        auto* button = new QToolButton;
        button->setText(text);
        button->setToolTip(help);
        button->setAccessibleName(help);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, act);
        layout->addWidget(button);
    };
    const auto middle = [this] { return (view().from + view().to) / 2; };
    add(QStringLiteral("+"), tr("Show less time (+)"), [this, middle] {
        zoom(1 / kZoomStep, middle());
    });
    add(QStringLiteral("−"), tr("Show more time (-)"), [this, middle] { zoom(kZoomStep, middle()); }
    );
    add(tr("All"), tr("Show all the time (0)"), [this] { showAll(); });
    m_export->setObjectName(QStringLiteral("exportGraph"));
    m_export->setText(tr("Export"));
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setAutoRaise(true);
    auto* menu = new QMenu(m_export);
    connect(menu->addAction(tr("As a picture (PNG)…")), &QAction::triggered, this, [this] {
        askWhere(
            tr("Export the graph"), QStringLiteral("-resources.png"), &ResourceGraph::writePng
        );
    });
    connect(menu->addAction(tr("As a table (CSV)…")), &QAction::triggered, this, [this] {
        askWhere(
            tr("Export the samples"), QStringLiteral("-resources.csv"), &ResourceGraph::writeCsv
        );
    });
    m_export->setMenu(menu);
    layout->addStretch(1);
    layout->addWidget(m_export);
    return bar;
}

void ResourceGraph::askWhere(
    const QString& title,
    const QString& suffix,
    QString (ResourceGraph::*write)(const QString&) const
)
{
    auto* dialog = new QFileDialog(this, title, QDir::homePath());
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix.section(QLatin1Char('.'), -1));
    dialog->selectFile(safeFileName(m_id, suffix));
    connect(dialog, &QFileDialog::fileSelected, this, [this, write](const QString& place) {
        const QString failed = (this->*write)(place);
        m_readOut->setText(failed.isEmpty() ? tr("Written to %1").arg(place) : failed);
    });
    dialog->open();
}

QString ResourceGraph::writeCsv(const QString& place) const
{
    QSaveFile file(place);
    const QByteArray text = m_series.csv();
    const bool done =
        file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
    return done ? QString() : tr("%1 can't be written: %2").arg(place, file.errorString());
}

QString ResourceGraph::writePng(const QString& place) const
{
    QSaveFile file(place);
    const bool done = file.open(QIODevice::WriteOnly) &&
                      m_plot->toPixmap(kPicture.width(), kPicture.height()).save(&file, "PNG") &&
                      file.commit();
    return done ? QString() : tr("%1 can't be written: %2").arg(place, file.errorString());
}

void ResourceGraph::clear(const execution::Record& record)
{
    for (Chart& chart : m_charts) {
        for (QCPGraph* graph : chart.graphs) {
            if (graph)
                graph->data()->clear();
        }
        chart.highest = 0;
    }
    m_series.clear();
    m_view.reset();
    setCursor({});
    m_id = record.id;
    setRecord(record);
}

void ResourceGraph::append(const std::vector<execution::Sample>& samples)
{
    for (const execution::Sample& sample : samples) {
        m_series.append(sample);
        const ResourcePoint& point = m_series.points().back();
        const auto add = [&](Kind kind, std::size_t which, std::optional<double> value) {
            Chart& chart = m_charts.at(kind);
            // A gap is drawn as one.
            chart.graphs.at(which)->addData(point.seconds, value.value_or(qQNaN()));
            chart.highest = std::max(chart.highest, value.value_or(0));
        };
        add(Cpu, 0, point.cpuPercent);
        add(Memory, 0, point.memoryMb);
        add(Processes, 0, point.processes);
        add(Disk, 0, point.readKbPerSecond);
        add(Disk, 1, point.writtenKbPerSecond);
        add(Output, 0, point.outputKbPerSecond);
    }
    updateAxes();
    describe();
}

void ResourceGraph::setRecord(const execution::Record& record)
{
    QString mark;
    m_oomAt.reset();
    if (record.status == execution::Status::OutOfMemory) {
        mark = tr("killed at its memory limit");
        m_oomAt = static_cast<double>(record.executionTime.count()) / 1000;
    } else if (record.oomKilled) {
        mark = tr("a process was killed at the memory limit");
    } else if (record.timedOut) {
        mark = tr("time limit reached");
    }
    m_limitMb = static_cast<double>(record.limits.memoryBytes) / kBytesPerMb;
    m_mark->setText(mark);
    m_mark->setVisible(!mark.isEmpty());
    m_oom->setVisible(m_oomAt.has_value());
    moveTo(m_oom, m_oomAt.value_or(0));
    updateAxes();
    describe();
}

ResourceGraph::View ResourceGraph::wholeView() const
{
    const double last = m_series.points().empty() ? 0 : m_series.points().back().seconds;
    // The mark of a memory kill isn't drawn on the edge.
    return {0, std::max({last, m_oomAt.value_or(0) * 1.03, 0.5})};
}

std::pair<double, double> ResourceGraph::shownSeconds() const
{
    return {view().from, view().to};
}

void ResourceGraph::setView(View view)
{
    const View whole = wholeView();
    const double span = std::clamp(view.to - view.from, kShortestView, whole.to);
    if (span >= whole.to) {
        showAll();
        return;
    }
    const double from = std::clamp(view.from, 0.0, whole.to - span);
    m_view = View{from, from + span};
    updateAxes();
}

void ResourceGraph::showAll()
{
    m_view.reset();
    updateAxes();
}

void ResourceGraph::zoom(double factor, double around)
{
    const View shown = view();
    const double left = (around - shown.from) * factor;
    const double span = std::max((shown.to - shown.from) * factor, kShortestView);
    setView({around - left, around - left + span});
}

void ResourceGraph::pan(double fraction)
{
    const View shown = view();
    const double way = (shown.to - shown.from) * fraction;
    if (m_view)
        setView({shown.from + way, shown.to + way});
}

void ResourceGraph::setCursor(std::optional<std::size_t> point)
{
    m_cursor = point;
    for (const Chart& chart : m_charts) {
        chart.cursor->setVisible(point.has_value());
        if (point)
            moveTo(chart.cursor, m_series.points()[*point].seconds);
    }
    m_readOut->setText(cursorText());
    if (point && m_view) {
        const double seconds = m_series.points()[*point].seconds;
        const double span = m_view->to - m_view->from;
        if (seconds < m_view->from)
            setView({seconds, seconds + span});
        else if (seconds > m_view->to)
            setView({seconds - span, seconds});
    }
    describe();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString ResourceGraph::cursorText() const
{
    return m_cursor ? readOut(m_series.points()[*m_cursor], m_limitMb) : QString();
}

double ResourceGraph::secondsAt(int x) const
{
    return m_charts[Cpu].rect->axis(QCPAxis::atBottom)->pixelToCoord(x);
}

void ResourceGraph::updateAxes()
{
    const View shown = view();
    const bool few = sampleCount() < kFewSamples;
    const auto scatter = few ? QCPScatterStyle(QCPScatterStyle::ssDisc, 5) : QCPScatterStyle();
    // The limit is drawn where it is near enough to mean something.
    const bool nearLimit = m_charts[Memory].highest > m_limitMb / 4 || m_oomAt;
    m_limit->data()->clear();
    if (nearLimit) {
        m_limit->addData(0, m_limitMb);
        m_limit->addData(wholeView().to, m_limitMb);
    }
    for (std::size_t kind = 0; kind < KindCount; ++kind) {
        const Chart& chart = m_charts.at(kind);
        const double limit = kind == Memory && nearLimit ? m_limitMb : 0;
        const double top = std::max({chart.highest, kLooks.at(kind).smallestRange, limit});
        chart.rect->axis(QCPAxis::atLeft)->setRange(0, top * kHeadroom);
        chart.rect->axis(QCPAxis::atBottom)->setRange(shown.from, shown.to);
        for (QCPGraph* graph : chart.graphs) {
            if (!graph)
                continue;
            graph->setScatterStyle(scatter);
            graph->setLineStyle(few ? QCPGraph::lsNone : QCPGraph::lsLine);
        }
    }
    const auto& points = m_series.points();
    const bool unknown =
        !points.empty() && std::none_of(points.begin(), points.end(), [](const ResourcePoint& one) {
            return one.outputKbPerSecond.has_value();
        });
    const QString title = tr(kLooks[Output].title);
    m_charts[Output].heading->setText(unknown ? tr("%1: not recorded").arg(title) : title);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// What a person who can't see the graph needs from it.
void ResourceGraph::describe()
{
    if (m_series.points().empty()) {
        setAccessibleName(tr("Resource graph, no samples yet"));
        return;
    }
    if (m_cursor) {
        setAccessibleName(cursorText());
        return;
    }
    const ResourcePoint& last = m_series.points().back();
    setAccessibleName(
        tr("Resource graph: CPU up to %1 %, memory %2 of %3 MB, %4 processes after %5 seconds")
            .arg(m_charts[Cpu].highest, 0, 'f', 0)
            .arg(m_charts[Memory].highest, 0, 'f', 0)
            .arg(m_limitMb, 0, 'f', 0)
            .arg(last.processes, 0, 'f', 0)
            .arg(last.seconds, 0, 'f', 1)
    );
}

void ResourceGraph::applyColors()
{
    const Colors& colors = currentColors();
    m_plot->setBackground(QBrush(colors.base));
    QFont small = font();
    small.setPointSizeF(std::max(9.0, small.pointSizeF() * 0.9));
    const QColor alarm = colors.status(StatusGroup::Failed);
    for (const Chart& chart : m_charts) {
        QColor fill = colors.accent;
        fill.setAlpha(40);
        chart.graphs[0]->setPen(QPen(colors.accent, 1.6));
        chart.graphs[0]->setBrush(fill);
        if (chart.graphs[1])
            chart.graphs[1]->setPen(QPen(colors.text, 1.4, Qt::DashLine));
        chart.cursor->setPen(QPen(colors.text, 1, Qt::DotLine));
        for (QCPAxis* axis : chart.rect->axes()) {
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
        chart.heading->setTextColor(colors.text);
        chart.heading->setFont(small);
    }
    m_limit->setPen(QPen(alarm, 1.4, Qt::DashLine));
    m_oom->setPen(QPen(alarm, 1.6));
    m_mark->setColor(alarm);
    m_mark->setFont(small);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ResourceGraph::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

void ResourceGraph::keyPressEvent(QKeyEvent* event)
{
    const int last = sampleCount() - 1;
    const auto step = [this, last](int by) {
        if (last < 0)
            return;
        const int now = m_cursor ? static_cast<int>(*m_cursor) : (by > 0 ? -1 : last + 1);
        setCursor(static_cast<std::size_t>(std::clamp(now + by, 0, last)));
    };
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const double middle =
        m_cursor ? m_series.points()[*m_cursor].seconds : (view().from + view().to) / 2;
    switch (event->key()) {
    case Qt::Key_Left: shift ? pan(-0.25) : step(-1); break;
    case Qt::Key_Right: shift ? pan(0.25) : step(1); break;
    case Qt::Key_Home: step(-sampleCount()); break;
    case Qt::Key_End: step(sampleCount()); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1 / kZoomStep, middle); break;
    case Qt::Key_Minus: zoom(kZoomStep, middle); break;
    case Qt::Key_0: showAll(); break;
    default: QWidget::keyPressEvent(event); break;
    }
}

void ResourceGraph::paintEvent(QPaintEvent* /*event*/)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(QPen(currentColors().accent, kFocusWidth));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

bool ResourceGraph::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    // The plot's own ways with the mouse are none for several charts with one time.
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        if (mouse->button() == Qt::LeftButton)
            m_draggedFrom = mouse->position().toPoint().x();
        return true;
    }
    if (type == QEvent::MouseButtonRelease) {
        m_draggedFrom.reset();
        return true;
    }
    if (type == QEvent::MouseMove) {
        moveMouse(static_cast<QMouseEvent*>(event)->position().toPoint().x());
        return true;
    }
    if (type == QEvent::Wheel) {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        const double turns = wheel->angleDelta().y() / 120.0;
        zoom(std::pow(kZoomStep, -turns), secondsAt(wheel->position().toPoint().x()));
        return true;
    }
    if (type == QEvent::Leave && !hasFocus())
        setCursor({});
    return QWidget::eventFilter(watched, event);
}

void ResourceGraph::moveMouse(int x)
{
    if (m_draggedFrom && m_view) {
        const double way = secondsAt(*m_draggedFrom) - secondsAt(x);
        m_draggedFrom = x;
        setView({m_view->from + way, m_view->to + way});
    } else {
        setCursor(m_series.nearest(secondsAt(x)));
    }
}

} // namespace belljar::ui
