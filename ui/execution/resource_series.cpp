// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/resource_series.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace belljar::ui {

namespace {

constexpr double kKb = 1024.0;
constexpr std::size_t kLongestName = 60;

class Words {
    Q_DECLARE_TR_FUNCTIONS(belljar::ui::ResourceGraph)
};

/// In KB a second. A counter that went back says nothing.
std::optional<double> rate(std::uint64_t before, std::uint64_t now, double seconds)
{
    if (seconds <= 0 || now < before)
        return {};
    return static_cast<double>(now - before) / kKb / seconds;
}

} // namespace

void ResourceSeries::clear()
{
    m_samples.clear();
    m_points.clear();
}

void ResourceSeries::append(const execution::Sample& sample)
{
    execution::Sample before; // everything counts from the start of the program
    before.outputBytes = 0;
    if (!m_samples.empty())
        before = m_samples.back();
    const double span = static_cast<double>((sample.at - before.at).count()) / 1000;
    ResourcePoint point;
    point.seconds = static_cast<double>(sample.at.count()) / 1000;
    if (!std::isnan(sample.cpuPercent))
        point.cpuPercent = sample.cpuPercent;
    point.memoryMb = static_cast<double>(sample.memoryBytes) / kKb / kKb;
    point.processes = static_cast<double>(sample.processes);
    point.readKbPerSecond = rate(before.readBytes, sample.readBytes, span);
    point.writtenKbPerSecond = rate(before.writtenBytes, sample.writtenBytes, span);
    if (sample.outputBytes && before.outputBytes)
        point.outputKbPerSecond = rate(*before.outputBytes, *sample.outputBytes, span);
    m_samples.push_back(sample);
    m_points.push_back(point);
}

std::optional<std::size_t> ResourceSeries::nearest(double seconds) const
{
    if (m_points.empty())
        return {};
    const auto after = std::lower_bound(
        m_points.begin(),
        m_points.end(),
        seconds,
        [](const ResourcePoint& point, double wanted) { return point.seconds < wanted; }
    );
    if (after == m_points.begin())
        return 0;
    const auto before = after - 1;
    const bool later =
        after != m_points.end() && after->seconds - seconds < seconds - before->seconds;
    return static_cast<std::size_t>((later ? after : before) - m_points.begin());
}

QByteArray ResourceSeries::csv() const
{
    QByteArray text = "t_ms,cpu_percent,memory_bytes,processes,read_bytes,written_bytes,"
                      "output_bytes\n";
    for (const execution::Sample& sample : m_samples) {
        text += QByteArray::number(static_cast<qlonglong>(sample.at.count())) + ',';
        if (!std::isnan(sample.cpuPercent))
            text += QByteArray::number(sample.cpuPercent, 'f', 2);
        for (const std::uint64_t value :
             {sample.memoryBytes,
              std::uint64_t(sample.processes),
              sample.readBytes,
              sample.writtenBytes})
            text += ',' + QByteArray::number(static_cast<qulonglong>(value));
        text += ',';
        if (sample.outputBytes)
            text += QByteArray::number(static_cast<qulonglong>(*sample.outputBytes));
        text += '\n';
    }
    return text;
}

QString readOut(const ResourcePoint& point, double limitMb)
{
    const auto number = [](std::optional<double> value, int digits) {
        return value ? QString::number(*value, 'f', digits) : Words::tr("unknown");
    };
    QStringList parts{
        Words::tr("CPU %1 %").arg(number(point.cpuPercent, 0)),
        Words::tr("memory %1 of %2 MB").arg(number(point.memoryMb, 1), number(limitMb, 0)),
        Words::tr("processes: %1").arg(number(point.processes, 0)),
        Words::tr("disk read %1, written %2 KB/s")
            .arg(number(point.readKbPerSecond, 0), number(point.writtenKbPerSecond, 0)),
        Words::tr("output %1 KB/s").arg(number(point.outputKbPerSecond, 1)),
    };
    //: a moment in seconds since the start, and what was measured there
    return Words::tr("At %1 s: %2").arg(number(point.seconds, 2), parts.join(QStringLiteral(", ")));
}

QString safeFileName(const ExecutionId& id, const QString& suffix)
{
    QString name;
    for (const char c : id.text().substr(0, kLongestName)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '-';
        name += plain ? QLatin1Char(c) : QLatin1Char('_');
    }
    return QStringLiteral("belljar-") + name + suffix;
}

} // namespace belljar::ui
