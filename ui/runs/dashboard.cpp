// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/dashboard.h"

#include "engine/base/text.h"
#include "ui/runs/runs_model.h"
#include "ui/shell/theme.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QStyleOptionFocusRect>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <utility>

#include <unistd.h>

namespace belljar::ui {

namespace {

constexpr int kTickMs = 500;

/// Of this machine, in bytes; 0 when it doesn't say.
double hostMemory()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

double share(double part, double whole)
{
    return whole <= 0 ? 0 : std::clamp(part / whole, 0.0, 1.0);
}

std::string longerThan(execution::milliseconds span)
{
    return ">" + std::to_string(std::max<std::int64_t>(0, span.count() - 1)) + "ms";
}

} // namespace

NumberTile::NumberTile(const char* objectName, const QString& label, QWidget* parent)
    : QToolButton(parent)
    , m_label(label)
{
    setObjectName(QLatin1String(objectName));
    setAutoRaise(true);
    setFocusPolicy(Qt::TabFocus);
    setValue(m_value);
}

void NumberTile::setValue(const QString& value)
{
    const bool wider = value.size() != m_value.size();
    m_value = value;
    setAccessibleName(QStringLiteral("%1: %2").arg(m_label, value));
    if (wider)
        updateGeometry();
    update();
}

void NumberTile::setHistory(std::vector<double> history)
{
    m_history = std::move(history);
    update();
}

QSize NumberTile::sizeHint() const
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    const QFontMetrics ofValue(strong);
    const int width =
        std::max(ofValue.horizontalAdvance(m_value), fontMetrics().horizontalAdvance(m_label));
    const int margin = fontMetrics().averageCharWidth() * 2;
    return {width + margin, ofValue.height() + fontMetrics().height() + margin};
}

void NumberTile::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colors& colors = currentColors();
    if (underMouse() || isDown()) {
        QColor behind = colors.accent;
        behind.setAlpha(isDown() ? 70 : 35);
        painter.fillRect(rect(), behind);
    }
    if (m_history.size() > 1) {
        const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
        const double step = area.width() / static_cast<double>(SandboxLoad::kPoints - 1);
        double x = area.right() - step * static_cast<double>(m_history.size() - 1);
        QPainterPath path(QPointF(x, area.bottom()));
        for (const double value : m_history) {
            path.lineTo(x, area.bottom() - value * area.height());
            x += step;
        }
        path.lineTo(area.bottomRight());
        QColor fill = colors.accent;
        fill.setAlpha(60);
        painter.fillPath(path, fill);
    }
    const int margin = fontMetrics().averageCharWidth();
    QRect text = rect().adjusted(margin, margin, -margin, -margin);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(text, int(Qt::AlignTop | Qt::AlignLeft | Qt::TextSingleLine), m_value);
    painter.setFont(font());
    painter.setPen(colors.muted);
    painter.drawText(text, int(Qt::AlignBottom | Qt::AlignLeft | Qt::TextSingleLine), m_label);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

Dashboard::Dashboard(QWidget* parent)
    : QWidget(parent)
    , m_tick(new QTimer(this))
{
    setObjectName(QStringLiteral("dashboard"));
    setAccessibleName(tr("Overview"));
    setMinimumWidth(1); // what finds no room is hidden
    auto* layout = new QHBoxLayout(this);
    const int space = fontMetrics().averageCharWidth();
    layout->setContentsMargins(space, 0, space, 0);
    layout->setSpacing(space);
    m_running = addTile("runningTile", tr("Running"));
    m_waiting = addTile("waitingTile", tr("Waiting"));
    m_succeeded = addTile("succeededTile", tr("Succeeded, 24 h"));
    m_rate = addTile("rateTile", tr("Runs, last hour"));
    m_medianTile = addTile("medianTile", tr("Median time"));
    m_slowTile = addTile("slowTile", tr("95 % below"));
    m_cpu = addTile("cpuTile", tr("CPU of sandboxes"));
    m_memory = addTile("memoryTile", tr("Memory of sandboxes"));
    m_clients = addTile("clientsTile", tr("Clients, 24 h"));
    m_languages = addTile("languagesTile", tr("Languages, 24 h"));
    layout->addStretch();

    const auto filter = [this](NumberTile* tile, const char* key, auto value) {
        connect(tile, &QToolButton::clicked, this, [this, key, value] {
            emit conditionWanted(key, value());
        });
    };
    filter(m_running, "status", [] { return std::string("running"); });
    filter(m_waiting, "status", [] { return std::string("waiting"); });
    filter(m_succeeded, "status", [] { return std::string("unsuccessful"); });
    m_succeeded->setToolTip(tr("Show what did not succeed"));
    filter(m_rate, "after", [] { return std::string("1h"); });
    filter(m_medianTile, "duration", [this] { return longerThan(m_median); });
    filter(m_slowTile, "duration", [this] { return longerThan(m_percentile95); });
    filter(m_cpu, "status", [] { return std::string("running"); });
    filter(m_memory, "status", [] { return std::string("running"); });
    for (NumberTile* tile : {m_clients, m_languages}) {
        tile->setPopupMode(QToolButton::InstantPopup);
        tile->setMenu(new QMenu(tile));
    }
    connect(m_tick, &QTimer::timeout, this, [this] {
        m_load.tick();
        showLoad();
        if (m_load.isQuiet())
            m_tick->stop();
    });
    showLoad();
}

NumberTile* Dashboard::addTile(const char* objectName, const QString& label)
{
    auto* tile = new NumberTile(objectName, label);
    layout()->addWidget(tile);
    m_tiles.push_back(tile);
    return tile;
}

void Dashboard::setNumbers(const RunNumbers& numbers)
{
    const store::RunStatistics& day = numbers.lastDay;
    m_running->setValue(QString::number(day.running));
    m_waiting->setValue(
        day.asked > 0 ? tr("%1 (%2 for you)").arg(day.waiting).arg(day.asked)
                      : QString::number(day.waiting)
    );
    const std::uint64_t ended = day.succeeded + day.unsuccessful;
    m_succeeded->setValue(
        ended == 0 ? QStringLiteral("-")
                   : tr("%1 %").arg(
                         100.0 * static_cast<double>(day.succeeded) / static_cast<double>(ended),
                         0,
                         'f',
                         ended < 1000 ? 0 : 1
                     )
    );
    m_rate->setValue(QString::number(numbers.lastHour));
    m_median = day.median;
    m_percentile95 = day.percentile95;
    const bool any = day.measured > 0;
    m_medianTile->setValue(any ? durationText(m_median) : QStringLiteral("-"));
    m_slowTile->setValue(any ? durationText(m_percentile95) : QStringLiteral("-"));
    m_medianTile->setEnabled(any);
    m_slowTile->setEnabled(any);
    setBreakdown(m_clients, "client", day.clients);
    setBreakdown(m_languages, "lang", day.languages);
}

void Dashboard::setBreakdown(
    NumberTile* tile,
    const std::string& key,
    const std::vector<std::pair<std::string, std::uint64_t>>& counts
)
{
    tile->setValue(QString::number(counts.size()));
    tile->setEnabled(!counts.empty());
    if (tile->menu()->isVisible())
        return; // it isn't changed below the mouse
    tile->menu()->clear();
    for (const auto& counted : counts) {
        const std::string name = counted.first;
        QString label =
            name.empty() ? tr("(unnamed)") : QString::fromStdString(escapeForLine(name));
        label.replace(QLatin1Char('&'), QStringLiteral("&&"));
        QAction* action = tile->menu()->addAction(tr("%1: %2 runs").arg(label).arg(counted.second));
        action->setEnabled(!name.empty());
        connect(action, &QAction::triggered, this, [this, key, name] {
            emit conditionWanted(key, name);
        });
    }
}

void Dashboard::apply(const std::vector<Event>& events)
{
    m_load.apply(events);
    const bool changed = std::any_of(events.begin(), events.end(), [](const Event& event) {
        return std::holds_alternative<ExecutionChanged>(event) ||
               std::holds_alternative<ExecutionsDeleted>(event) ||
               std::holds_alternative<MarksChanged>(event);
    });
    if (changed)
        emit numbersOutdated();
    if (!m_load.isQuiet() && !m_tick->isActive())
        m_tick->start(kTickMs);
}

void Dashboard::showLoad()
{
    const double cores = std::max(1, QThread::idealThreadCount());
    const double memory = hostMemory();
    std::vector<double> cpuHistory;
    std::vector<double> memoryHistory;
    for (const SandboxLoad::Point& point : m_load.points()) {
        cpuHistory.push_back(share(point.cpuPercent, cores * 100));
        memoryHistory.push_back(share(static_cast<double>(point.memoryBytes), memory));
    }
    m_cpu->setHistory(std::move(cpuHistory));
    m_memory->setHistory(std::move(memoryHistory));
    const SandboxLoad::Point now = m_load.now();
    m_cpu->setValue(tr("%1 of %2 cores").arg(now.cpuPercent / 100, 0, 'f', 1).arg(cores));
    m_memory->setValue(
        tr("%1 of %2")
            .arg(
                QString::fromStdString(humanBytes(now.memoryBytes >> 20U << 20U)),
                QString::fromStdString(humanBytes(static_cast<std::uint64_t>(memory) >> 30U << 30U))
            )
    );
}

/// What finds no room from the right on is left out.
void Dashboard::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    int left = width() - layout()->contentsMargins().left() * 2;
    for (NumberTile* tile : m_tiles) {
        left -= tile->sizeHint().width() + layout()->spacing();
        tile->setVisible(left > 0);
    }
}

} // namespace belljar::ui
