// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"

#include <QByteArray>
#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace belljar::ui {

/// What is drawn of one moment, in the units of its chart; absent: not known.
struct ResourcePoint {
    double seconds = 0;
    std::optional<double> cpuPercent;
    double memoryMb = 0;
    double processes = 0;
    std::optional<double> readKbPerSecond;
    std::optional<double> writtenKbPerSecond;
    std::optional<double> outputKbPerSecond;
};

/// The samples of one execution as curves: counters have become rates.
class ResourceSeries {
public:
    void clear();
    void append(const execution::Sample& sample);

    [[nodiscard]] const std::vector<execution::Sample>& samples() const { return m_samples; }
    [[nodiscard]] const std::vector<ResourcePoint>& points() const { return m_points; }
    /// The point that is nearest in time; nothing where there is none.
    [[nodiscard]] std::optional<std::size_t> nearest(double seconds) const;
    /// The samples as they were taken, with a header; what isn't known is an empty field.
    [[nodiscard]] QByteArray csv() const;

private:
    std::vector<execution::Sample> m_samples;
    std::vector<ResourcePoint> m_points;
};

/// "1.20 s: CPU 48 %, memory 42.1 of 512 MB, ...".
[[nodiscard]] QString readOut(const ResourcePoint& point, double limitMb);

/// A name for a file of an execution that can't be a path, hidden or an option.
[[nodiscard]] QString safeFileName(const ExecutionId& id, const QString& suffix);

} // namespace belljar::ui
