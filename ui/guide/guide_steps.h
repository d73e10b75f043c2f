// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "ui/shell/situation.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#endif

#include <QString>

namespace belljar::ui {

/// How far a step of the guide is.
enum class StepState : std::uint8_t {
    Blocked, ///< a step before it has to be done
    ToDo,
    Working,
    Done,
    Problem,
};

/// A step as it stands: what it says and what can be pressed.
struct Step {
    StepState state = StepState::ToDo;
    QString text;
    QString action; ///< on its button; empty: there is none

    friend bool operator==(const Step&, const Step&) = default;
};

/// What the steps are told by.
struct GuideFacts {
    Situation situation;
    bool building = false;                 ///< the image of the example's language
    std::optional<std::string> buildEnded; ///< why the last build failed
};

enum class StepName : std::uint8_t { Docker, Image, Client, Example };
constexpr std::size_t kSteps = 4;

/// The steps in their order, by StepName.
[[nodiscard]] std::array<Step, kSteps> stepsOf(const GuideFacts& facts);
[[nodiscard]] QString titleOf(StepName step);
/// The state in a word.
[[nodiscard]] QString wordOf(StepState state);

/// The language of the example, whose image the guide is about.
inline constexpr const char* kGuideLanguage = "python";

} // namespace belljar::ui
