// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/timeline.h"

#include "engine/base/text.h"
#include "ui/runs/runs_model.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <algorithm>

namespace belljar::ui {

namespace {

using execution::Record;
using execution::Status;
using Moment = std::optional<execution::UnixMs>;
using State = TimelineStep::State;

class Words {
    Q_DECLARE_TR_FUNCTIONS(belljar::ui::Timeline)
};

QString decisionName(const Record& record)
{
    if (!record.decidedAt)
        return Words::tr("Decided");
    return record.status == Status::Rejected ? Words::tr("Rejected") : Words::tr("Approved");
}

QString decisionDetail(const Record& record)
{
    if (!record.decidedAt)
        return record.status == Status::AwaitingApproval ? Words::tr("waiting for an answer")
                                                         : QString();
    QString words = Words::tr("by: %1").arg(decidedByText(record.decidedBy));
    if (!record.policy.empty())
        words += Words::tr("; policy %1").arg(QString::fromStdString(escapeForLine(record.policy)));
    if (record.approvalTime.count() > 0)
        words += Words::tr("; the question waited %1").arg(durationText(record.approvalTime));
    return words;
}

QString endDetail(const Record& record)
{
    return record.exitCode ? Words::tr("exit code %1").arg(*record.exitCode) : QString();
}

QString nothing(const Record& /*record*/)
{
    return {};
}

/// How a step is named and where its time is.
struct Row {
    QString (*name)(const Record&);
    Moment (*at)(const Record&);
    QString (*detail)(const Record&);
    /// Is it certain from the rest of the record that it happened?
    bool (*happened)(const Record&);
};

bool wasRunning(const Record& record)
{
    return record.startedAt.has_value();
}

const Row kRows[] = {
    Row{[](const Record&) { return Words::tr("Received"); },
        [](const Record& r) { return Moment(r.receivedAt); },
        nothing,
        [](const Record&) { return true; }},
    Row{[](const Record&) { return Words::tr("Analysed"); },
        [](const Record& r) { return r.analysedAt; },
        nothing,
        [](const Record& r) { return r.decidedAt || r.verdict || wasRunning(r); }},
    Row{decisionName,
        [](const Record& r) { return r.decidedAt; },
        decisionDetail,
        [](const Record& r) {
            return r.decidedBy != execution::DecidedBy::Nobody || wasRunning(r);
        }},
    Row{[](const Record&) { return Words::tr("Queued"); },
        [](const Record& r) { return r.queuedAt; },
        nothing,
        wasRunning},
    Row{[](const Record&) { return Words::tr("Started"); },
        [](const Record& r) { return r.startedAt; },
        nothing,
        wasRunning},
    Row{[](const Record&) { return Words::tr("First output"); },
        [](const Record& r) { return r.firstOutputAt; },
        nothing,
        [](const Record& r) {
            return r.standardOutput.totalBytes + r.standardError.totalBytes > 0;
        }},
    Row{[](const Record& r) {
            // "Rejected" is what the decision is called already.
            const bool named = execution::isFinal(r.status) && r.status != Status::Rejected;
            return named ? statusText(r.status) : Words::tr("Ended");
        },
        [](const Record& r) { return r.endedAt; },
        endDetail,
        [](const Record& r) { return execution::isFinal(r.status); }},
};

} // namespace

std::vector<TimelineStep> timelineOf(const Record& record)
{
    std::vector<TimelineStep> steps;
    Moment before;
    for (const Row& row : kRows) {
        TimelineStep step;
        step.name = row.name(record);
        step.detail = row.detail(record);
        step.at = row.at(record);
        if (step.at) {
            step.state = State::Done;
            if (before && *step.at >= *before)
                step.since = execution::milliseconds(*step.at - *before);
            before = step.at;
        } else if (row.happened(record)) {
            step.state = State::Unknown;
        } else if (execution::isFinal(record.status)) {
            step.state = State::Never;
        }
        steps.push_back(std::move(step));
    }
    const auto next = std::find_if(steps.begin(), steps.end(), [](const TimelineStep& step) {
        return step.state == State::Ahead;
    });
    if (next != steps.end())
        next->state = State::Now;
    return steps;
}

QString spanText(const TimelineStep& step)
{
    switch (step.state) {
    case State::Now: return QStringLiteral("…");
    case State::Ahead: return {};
    case State::Never: return Words::tr("never");
    case State::Unknown: return Words::tr("not recorded");
    case State::Done: break;
    }
    return step.since ? Words::tr("+%1").arg(durationText(*step.since)) : QString();
}

QString sentenceOf(const TimelineStep& step)
{
    QStringList parts;
    const QString span = step.state == State::Now     ? Words::tr("is next")
                         : step.state == State::Ahead ? Words::tr("later")
                                                      : spanText(step);
    parts << (span.isEmpty() ? step.name : Words::tr("%1 %2").arg(step.name, span));
    if (step.at)
        parts << QDateTime::fromMSecsSinceEpoch(*step.at).toString(QStringLiteral("HH:mm:ss.zzz"));
    if (!step.detail.isEmpty())
        parts << step.detail;
    return parts.join(QStringLiteral(", "));
}

} // namespace belljar::ui
