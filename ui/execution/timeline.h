// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/execution/execution.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace belljar::ui {

/// One step of an execution on its way, as far as it is known.
struct TimelineStep {
    enum class State : std::uint8_t {
        Done,
        Now,     ///< what is waited for
        Ahead,   ///< comes later, if at all
        Never,   ///< it ended without
        Unknown, ///< it happened, but its time was not kept
    };

    QString name;
    State state = State::Ahead;
    std::optional<execution::UnixMs> at;
    /// Since the last step before it whose time is known. Absent also where the clock was set back
    /// in between.
    std::optional<execution::milliseconds> since;
    QString detail; ///< who decided, ...; may be empty
};

/// The steps of `record`: received, analysed, decided, queued, started, first output, ended.
[[nodiscard]] std::vector<TimelineStep> timelineOf(const execution::Record& record);

/// What stands where a step's duration would: "+12 ms", "not recorded", "...".
[[nodiscard]] QString spanText(const TimelineStep& step);

/// A step in one sentence: "Started +12 ms, 12:00:01.234".
[[nodiscard]] QString sentenceOf(const TimelineStep& step);

} // namespace belljar::ui
