// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/policy/policy.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>
#endif

#include <QStringList>

/// What a draft would change for executions of the past: values and pure functions.
namespace belljar::ui {

/// How the answer to one execution would change. Limits: it would run as before, with others.
enum class Change : std::uint8_t { Same, Allowed, Asks, Denied, Limits };
inline constexpr std::size_t kChanges = 5;
[[nodiscard]] Change changeOf(const policy::Decision& was, const policy::Decision& now);

/// What a decision depends on beside the policy and the request, as it is now.
struct Circumstances {
    std::vector<policy::Remembered> remembered;
    std::map<std::string, std::string>
        imageDigests; ///< by language; one that is missing isn't known
};

/// One past execution under two policies.
struct EffectRow {
    execution::Record record;
    execution::Verdict before = execution::Verdict::Deny;
    execution::Verdict now = execution::Verdict::Deny;
    Change change = Change::Same;
    std::string rule;           ///< that decides under the draft
    std::string words;          ///< and how
    bool wasRemembered = false; ///< a remembered decision answers it now
    bool isRemembered = false;  ///< and under the draft
    QStringList limits;         ///< what would change of them: "memory 512 MB → 256 MB"
};

struct Effect {
    std::vector<EffectRow> rows; ///< newest first
    std::array<std::size_t, kChanges> counts{};
    std::size_t skipped = 0;   ///< what couldn't be read
    std::size_t forgotten = 0; ///< remembered decisions that hold now and not under the draft
};

/// Decides one execution under both.
[[nodiscard]] EffectRow effectOn(
    const execution::Record& record,
    const policy::Question& question,
    const policy::Named& before,
    const policy::Named& draft,
    const std::vector<policy::Remembered>& remembered
);

/// Adds a row and counts it.
void add(Effect& effect, EffectRow row);

/// How many of `remembered` are void once `draft` is in force instead of `before`.
[[nodiscard]] std::size_t forgottenBy(
    const policy::Named& before,
    const policy::Named& draft,
    const std::vector<policy::Remembered>& remembered
);

/// What the request must have asked for, as far as what it got tells: the history doesn't keep it.
/// `then` is the policy that decided. What was refused for asking too much is not found out.
[[nodiscard]] execution::Asked
askedFor(const execution::Record& record, const policy::Policy& then);

/// What differs, in words: "memory 512 MB → 256 MB".
[[nodiscard]] QStringList limitChanges(const execution::Limits& was, const execution::Limits& now);

/// Sentences on what changes: decisions, limits and remembered decisions.
[[nodiscard]] QString summaryOf(const Effect& effect);

/// "3 would ask".
[[nodiscard]] QString countText(Change change, std::size_t count);

} // namespace belljar::ui
