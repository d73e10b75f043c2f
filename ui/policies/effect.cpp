// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/effect.h"

#include "engine/base/text.h"
#include "engine/policy/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace belljar::ui {

namespace {

using execution::Limits;
using execution::Verdict;

constexpr std::size_t kMostLimitsTold = 4; ///< kinds of change in the summary

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Effect)
};

struct LimitRow {
    const char* name;
    std::string (*value)(const Limits&);
};

constexpr std::array kLimits{
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "time"),
        [](const Limits& limits) { return policy::durationText(limits.timeout); }},
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "memory"),
        [](const Limits& limits) { return humanBytes(limits.memoryBytes); }},
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "processors"),
        [](const Limits& limits) { return policy::cpusText(limits.cpuMillis); }},
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "processes"),
        [](const Limits& limits) { return std::to_string(limits.pids); }},
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "output"),
        [](const Limits& limits) { return humanBytes(limits.outputBytes); }},
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "workspace"),
        [](const Limits& limits) { return humanBytes(limits.workspaceBytes); }},
    LimitRow{
        QT_TRANSLATE_NOOP("Effect", "temporary files"),
        [](const Limits& limits) { return humanBytes(limits.tmpBytes); }},
};

/// "memory 512 MB → 256 MB (12)": the most frequent first.
QStringList limitsTold(const Effect& effect)
{
    std::map<QString, std::size_t> counts;
    for (const EffectRow& row : effect.rows) {
        for (const QString& one : row.limits)
            ++counts[one];
    }
    std::vector<std::pair<QString, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& one, const auto& other) {
        return one.second > other.second;
    });
    QStringList told;
    for (std::size_t at = 0; at < std::min(sorted.size(), kMostLimitsTold); ++at)
        told << QStringLiteral("%1 (%2)").arg(sorted[at].first).arg(sorted[at].second);
    if (sorted.size() > kMostLimitsTold)
        told << QStringLiteral("…");
    return told;
}

} // namespace

Change changeOf(const policy::Decision& was, const policy::Decision& now)
{
    if (was.verdict != now.verdict) {
        switch (now.verdict) {
        case Verdict::Allow: return Change::Allowed;
        case Verdict::Ask: return Change::Asks;
        case Verdict::Deny: return Change::Denied;
        }
    }
    // What is denied runs with no limits at all.
    return now.verdict == Verdict::Deny || was.limits == now.limits ? Change::Same : Change::Limits;
}

EffectRow effectOn(
    const execution::Record& record,
    const policy::Question& question,
    const policy::Named& before,
    const policy::Named& draft,
    const std::vector<policy::Remembered>& remembered
)
{
    const policy::Decision was = policy::decide(before, question, remembered);
    const policy::Decision now = policy::decide(draft, question, remembered);
    EffectRow row;
    row.record = record;
    row.before = was.verdict;
    row.now = now.verdict;
    row.change = changeOf(was, now);
    row.rule = now.reasons.front().rule;
    row.words = now.reasons.front().words;
    row.wasRemembered = !was.remembered.empty();
    row.isRemembered = !now.remembered.empty();
    if (was.verdict != Verdict::Deny && now.verdict != Verdict::Deny)
        row.limits = limitChanges(was.limits, now.limits);
    return row;
}

void add(Effect& effect, EffectRow row)
{
    ++effect.counts.at(static_cast<std::size_t>(row.change));
    effect.rows.push_back(std::move(row));
}

std::size_t forgottenBy(
    const policy::Named& before,
    const policy::Named& draft,
    const std::vector<policy::Remembered>& remembered
)
{
    if (before.sha256 == draft.sha256)
        return 0;
    const auto count =
        std::count_if(remembered.begin(), remembered.end(), [&](const policy::Remembered& one) {
            return one.policyName == before.name && one.policySha256 == before.sha256;
        });
    return static_cast<std::size_t>(count);
}

execution::Asked askedFor(const execution::Record& record, const policy::Policy& then)
{
    execution::Asked asked;
    const auto timeout = static_cast<std::uint64_t>(record.limits.timeout.count());
    if (timeout != std::min(then.timeoutMs.preset, then.timeoutMs.most))
        asked.timeout = record.limits.timeout;
    if (record.limits.memoryBytes != std::min(then.memoryBytes.preset, then.memoryBytes.most))
        asked.memoryBytes = record.limits.memoryBytes;
    return asked;
}

QStringList limitChanges(const Limits& was, const Limits& now)
{
    QStringList changes;
    for (const LimitRow& row : kLimits) {
        const std::string before = row.value(was);
        const std::string after = row.value(now);
        if (before != after)
            changes << Words::tr("%1 %2 → %3")
                           .arg(
                               Words::tr(row.name),
                               QString::fromStdString(before),
                               QString::fromStdString(after)
                           );
    }
    return changes;
}

QString countText(Change change, std::size_t count)
{
    const auto number = static_cast<int>(count);
    switch (change) {
    case Change::Same: return Words::tr("%n the same", nullptr, number);
    case Change::Allowed: return Words::tr("%n would be allowed", nullptr, number);
    case Change::Asks: return Words::tr("%n would ask", nullptr, number);
    case Change::Denied: return Words::tr("%n would be denied", nullptr, number);
    case Change::Limits: return Words::tr("%n would get other limits", nullptr, number);
    }
    return {};
}

QString summaryOf(const Effect& effect)
{
    QStringList changes;
    for (std::size_t at = 0; at < kChanges; ++at) {
        const auto change = static_cast<Change>(at);
        if (change != Change::Same && effect.counts.at(at) > 0)
            changes << countText(change, effect.counts.at(at));
    }
    QString text = changes.isEmpty() ? Words::tr("Nothing would change.")
                                     : changes.join(QStringLiteral(", ")) + QLatin1Char('.');
    if (const QStringList limits = limitsTold(effect); !limits.isEmpty())
        text += QLatin1Char(' ') + Words::tr("Limits: %1.").arg(limits.join(QStringLiteral(", ")));
    if (effect.forgotten > 0) {
        const auto asked =
            std::count_if(effect.rows.begin(), effect.rows.end(), [](const EffectRow& row) {
                return row.wasRemembered && !row.isRemembered;
            });
        text += QLatin1Char(' ') +
                Words::tr(
                    "%n remembered decision(s) end with the policy they were made under",
                    nullptr,
                    static_cast<int>(effect.forgotten)
                );
        text += asked > 0
                    ? Words::tr("; they answered %n of these.", nullptr, static_cast<int>(asked))
                    : QStringLiteral(".");
    }
    return text;
}

} // namespace belljar::ui
