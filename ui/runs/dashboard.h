// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/events.h"
#include "ui/bridge/history_loader.h"
#include "ui/runs/sandbox_load.h"

#include <string>
#include <vector>
#endif

#include <QToolButton>
#include <QWidget>

class QTimer;

namespace belljar::ui {

/// A number with what it is; pressed like a button.
class NumberTile : public QToolButton {
    Q_OBJECT

public:
    NumberTile(const char* objectName, const QString& label, QWidget* parent = nullptr);

    void setValue(const QString& value);
    [[nodiscard]] QString value() const { return m_value; }
    /// Draws `history` (0 to 1, oldest first) as an area behind the number.
    void setHistory(std::vector<double> history);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_label;
    QString m_value = QStringLiteral("-");
    std::vector<double> m_history;
};

/// The strip above the runs: what runs and waits now, how the last day went, and what all sandboxes
/// together take of this machine. Each number filters the runs.
class Dashboard : public QWidget {
    Q_OBJECT

public:
    explicit Dashboard(QWidget* parent = nullptr);

    void setNumbers(const RunNumbers& numbers);
    void apply(const std::vector<Event>& events);

signals:
    /// A condition for the query line.
    void conditionWanted(const std::string& key, const std::string& value);
    /// Something has changed that the numbers are about.
    void numbersOutdated();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    NumberTile* addTile(const char* objectName, const QString& label);
    void setBreakdown(
        NumberTile* tile,
        const std::string& key,
        const std::vector<std::pair<std::string, std::uint64_t>>& counts
    );
    void showLoad();

    SandboxLoad m_load;
    execution::milliseconds m_median{0};
    execution::milliseconds m_percentile95{0};
    std::vector<NumberTile*> m_tiles;
    NumberTile* m_running;
    NumberTile* m_waiting;
    NumberTile* m_succeeded;
    NumberTile* m_rate;
    NumberTile* m_medianTile;
    NumberTile* m_slowTile;
    NumberTile* m_cpu;
    NumberTile* m_memory;
    NumberTile* m_clients;
    NumberTile* m_languages;
    QTimer* m_tick;
};

} // namespace belljar::ui
