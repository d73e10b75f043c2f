// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/execution/timeline.h"

#include <vector>
#endif

#include <QWidget>

namespace belljar::ui {

/// The steps of one execution beside each other: a shape, the name, and the time since the one
/// before. The arrow keys go from step to step; what is known of the current one is shown below.
class TimelineStrip : public QWidget {
    Q_OBJECT

public:
    explicit TimelineStrip(QWidget* parent = nullptr);

    void setSteps(std::vector<TimelineStep> steps);
    [[nodiscard]] const std::vector<TimelineStep>& steps() const { return m_steps; }
    [[nodiscard]] int currentStep() const { return m_current; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect cellOf(int step) const;
    [[nodiscard]] int stepAt(const QPoint& point) const;
    void setCurrent(int step);
    void describe();

    std::vector<TimelineStep> m_steps;
    int m_current = 0;
};

} // namespace belljar::ui
