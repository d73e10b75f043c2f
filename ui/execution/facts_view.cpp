// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/facts_view.h"

#include "engine/base/text.h"
#include "ui/execution/timeline.h"
#include "ui/runs/runs_model.h"

#include <QDateTime>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>

namespace belljar::ui {

namespace {

QLabel* plainLabel()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QString safe(const std::string& text)
{
    return QString::fromStdString(escapeUnusual(text));
}

QString timeText(std::optional<execution::UnixMs> at)
{
    return at ? QDateTime::fromMSecsSinceEpoch(*at).toString(
                    QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz")
                )
              : QString();
}

QString count(std::uint64_t number)
{
    return QLocale().toString(static_cast<qulonglong>(number));
}

} // namespace

FactsView::FactsView(QWidget* parent)
    : QScrollArea(parent)
{
    setObjectName(QStringLiteral("factsView"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    auto* page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    m_form = new QFormLayout(page);
    m_form->setLabelAlignment(Qt::AlignLeft);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_form->setHorizontalSpacing(fontMetrics().averageCharWidth() * 2);
    setWidget(page);
}

void FactsView::addFact(const QString& name, const QString& value)
{
    if (value.isEmpty())
        return;
    // Rows are used again: a run that is watched changes its facts several times a second.
    if (m_used == m_form->rowCount())
        m_form->addRow(plainLabel(), plainLabel());
    auto* label = qobject_cast<QLabel*>(m_form->itemAt(m_used, QFormLayout::LabelRole)->widget());
    auto* field = qobject_cast<QLabel*>(m_form->itemAt(m_used, QFormLayout::FieldRole)->widget());
    label->setText(name);
    field->setText(value);
    field->setAccessibleName(name);
    label->show();
    field->show();
    ++m_used;
}

void FactsView::setRecord(const execution::Record& record)
{
    m_used = 0;
    addFact(tr("Status"), statusText(record.status));
    addFact(tr("Why"), safe(record.error));
    for (const std::string& note : record.notes)
        addFact(tr("Note"), safe(note));
    addFact(tr("Exit code"), record.exitCode ? QString::number(*record.exitCode) : QString());
    addFact(tr("Signal"), record.signal ? QString::number(*record.signal) : QString());
    addFact(
        tr("Time in the sandbox"), record.startedAt ? durationText(record.executionTime) : QString()
    );
    addFact(tr("Processor time"), record.startedAt ? durationText(record.cpuTime) : QString());
    addFact(
        tr("Waited for a sandbox"), record.startedAt ? durationText(record.queueTime) : QString()
    );
    addFact(
        tr("Peak memory"),
        record.memoryPeakBytes > 0 ? memoryText(record.memoryPeakBytes) : QString()
    );
    const auto stream = [](const execution::StreamTotals& totals) {
        QString text =
            tr("%1 bytes, %2 lines").arg(count(totals.totalBytes), count(totals.totalLines));
        if (totals.keptBytes < totals.totalBytes)
            text += tr("; %1 bytes kept").arg(count(totals.keptBytes));
        if (totals.invalidBytes > 0)
            text += tr("; %1 bytes not text").arg(count(totals.invalidBytes));
        return text;
    };
    if (execution::isFinal(record.status) && record.startedAt) {
        addFact(tr("stdout"), stream(record.standardOutput));
        addFact(tr("stderr"), stream(record.standardError));
    }
    addFact(
        tr("Limits"),
        tr("%1, %2 memory, %3 of a core, %4 processes, %5 of output kept per stream")
            .arg(durationText(record.limits.timeout), memoryText(record.limits.memoryBytes))
            .arg(record.limits.cpuMillis / 1000.0, 0, 'f', 2)
            .arg(record.limits.pids)
            .arg(memoryText(record.limits.outputBytes))
    );
    for (const TimelineStep& step : timelineOf(record)) {
        QStringList parts;
        for (const QString& part :
             {timeText(step.at), step.at ? spanText(step) : QString(), step.detail})
            if (!part.isEmpty())
                parts << part;
        addFact(step.name, parts.join(QStringLiteral("  ·  ")));
    }
    QString client = clientText(record.client);
    if (!record.client.version.empty())
        client += QLatin1Char(' ') + safe(record.client.version);
    addFact(tr("Client (as it calls itself)"), client);
    addFact(
        tr("Its process"),
        record.client.pid > 0
            ? QStringLiteral("%1 %2").arg(record.client.pid).arg(safe(record.client.executable))
            : QString()
    );
    addFact(tr("Protocol"), safe(record.client.protocolRevision));
    QStringList arguments;
    for (const std::string& argument : record.args)
        arguments << safe(argument);
    addFact(tr("Arguments"), arguments.join(QLatin1Char(' ')));
    addFact(tr("Image"), safe(record.image));
    addFact(tr("Image digest"), safe(record.imageDigest));
    addFact(tr("Container"), safe(record.containerId).left(12));
    addFact(tr("Code SHA-256"), safe(record.codeSha256));
    addFact(tr("Execution"), safe(record.id.text()));
    for (int row = m_used; row < m_form->rowCount(); ++row) {
        m_form->itemAt(row, QFormLayout::LabelRole)->widget()->hide();
        m_form->itemAt(row, QFormLayout::FieldRole)->widget()->hide();
    }
}

} // namespace belljar::ui
