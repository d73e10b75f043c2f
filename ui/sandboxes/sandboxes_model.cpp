// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandboxes_model.h"

#include "engine/base/text.h"
#include "ui/shell/screen_parts.h"
#include "ui/shell/theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QIcon>
#include <QLocale>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace belljar::ui {

namespace {

using execution::Status;

constexpr std::size_t kShortId = 12;

struct StateLook {
    const char* text;
    Status shape; ///< what is drawn for it, in its colour
};

/// By SandboxState.
constexpr std::array kLooks{
    StateLook{QT_TRANSLATE_NOOP("SandboxState", "Starting"), Status::Queued},
    StateLook{QT_TRANSLATE_NOOP("SandboxState", "Warm"), Status::Succeeded},
    StateLook{QT_TRANSLATE_NOOP("SandboxState", "Busy"), Status::Running},
    StateLook{QT_TRANSLATE_NOOP("SandboxState", "Ending"), Status::Cancelled},
};
static_assert(kLooks.size() == static_cast<std::size_t>(SandboxState::Ending) + 1);

const StateLook& lookOf(SandboxState state)
{
    return kLooks.at(static_cast<std::size_t>(state));
}

bool isNumber(int column)
{
    return column == SandboxesModel::Age || column == SandboxesModel::Cpu ||
           column == SandboxesModel::Memory;
}

QIcon iconOf(SandboxState state)
{
    const Status shape = lookOf(state).shape;
    return statusIcon(
        shape,
        QFontMetrics(QApplication::font()).height(),
        qApp->devicePixelRatio(),
        QApplication::palette().color(QPalette::HighlightedText)
    );
}

} // namespace

QString sandboxStateText(SandboxState state)
{
    return QCoreApplication::translate("SandboxState", lookOf(state).text);
}

QString sizeText(std::uint64_t bytes)
{
    return QLocale().formattedDataSize(
        static_cast<qint64>(bytes), 0, QLocale::DataSizeTraditionalFormat
    );
}

QString ageText(execution::UnixMs milliseconds)
{
    const qint64 seconds = std::max<execution::UnixMs>(0, milliseconds) / 1000;
    if (seconds < 60)
        return SandboxesModel::tr("%1 s").arg(seconds);
    if (seconds < 60 * 60)
        return SandboxesModel::tr("%1 min").arg(seconds / 60);
    return SandboxesModel::tr("%1 h %2 min").arg(seconds / 3600).arg(seconds / 60 % 60);
}

SandboxesModel::SandboxesModel(QObject* parent)
    : QAbstractTableModel(parent)
{}

int SandboxesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SandboxesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const SandboxStatus* SandboxesModel::sandbox(const QModelIndex& index) const
{
    const auto row = static_cast<std::size_t>(index.row());
    return index.isValid() && row < m_rows.size() ? &m_rows[row] : nullptr;
}

QVariant SandboxesModel::data(const QModelIndex& index, int role) const
{
    const SandboxStatus* one = sandbox(index);
    if (!one)
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(*one, index.column());
    case Qt::DecorationRole:
        return index.column() == State ? QVariant(iconOf(one->state)) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(
            int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft))
        );
    default: return {};
    }
}

QString SandboxesModel::text(const SandboxStatus& one, int column) const
{
    const QString unknown = QStringLiteral("–");
    switch (column) {
    case State: return sandboxStateText(one.state);
    case Language: return safe(one.language);
    case Program: {
        const auto program = m_programs.find(one.execution);
        return program != m_programs.end() ? program->second : safe(one.execution.text());
    }
    case Age: return ageText(m_now - one.madeAt);
    case Cpu:
        return one.cpuPercent ? tr("%1 of %2 %")
                                    .arg(qRound(*one.cpuPercent))
                                    .arg(qRound(one.limits.cpuMillis / 10.0))
                              : unknown;
    case Memory:
        return one.memoryBytes
                   ? tr("%1 of %2")
                         .arg(sizeText(*one.memoryBytes), safe(humanBytes(one.limits.memoryBytes)))
                   : unknown;
    case Image: return safe(one.image);
    case Container: {
        const QString id = safe(std::string(prefixWithin(one.id, kShortId)));
        return one.name.empty() ? id : tr("%1 (%2)").arg(id, safe(one.name));
    }
    default: return {};
    }
}

QVariant SandboxesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case State: return tr("State");
    case Language: return tr("Language");
    case Program: return tr("Program");
    case Age: return tr("Age");
    case Cpu: return tr("CPU");
    case Memory: return tr("Memory");
    case Image: return tr("Image");
    case Container: return tr("Container");
    default: return {};
    }
}

void SandboxesModel::setProgram(const execution::Record& record)
{
    if (execution::isFinal(record.status))
        m_programs.erase(record.id);
    else
        m_programs[record.id] = tr("%1: %2").arg(safe(record.client.name), safe(record.firstLine));
}

void SandboxesModel::setSandboxes(std::vector<SandboxStatus> sandboxes, execution::UnixMs now)
{
    m_now = now;
    const auto there = [&](const std::string& id) {
        return std::find_if(sandboxes.begin(), sandboxes.end(), [&](const auto& one) {
            return one.id == id;
        });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (there(m_rows[static_cast<std::size_t>(row)].id) != sandboxes.end())
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    // What is left is in the order in which it was made, and what is new is younger.
    for (SandboxStatus& row : m_rows) {
        const auto found = there(row.id);
        row = std::move(*found);
        sandboxes.erase(found);
    }
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    if (sandboxes.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(sandboxes.size()) - 1);
    std::move(sandboxes.begin(), sandboxes.end(), std::back_inserter(m_rows));
    endInsertRows();
}

} // namespace belljar::ui
