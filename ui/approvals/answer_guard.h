// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include <chrono>
#include <functional>
#include <optional>
#endif

namespace belljar::ui {

/// Tells an answer that is meant from a key or click that was meant for something else (UX.md rules
/// 1 and 2, R-94 to R-96). Pure: times come from `clock`.
class AnswerGuard {
public:
    using Time = std::chrono::milliseconds; ///< of a clock that never goes back
    using Clock = std::function<Time()>;

    static constexpr Time kSettle{
        700}; ///< nothing answers so soon after the card has appeared or changed
    static constexpr Time kTyping{150}; ///< keys closer together are typing
    static constexpr Time kActivation{
        300}; ///< a press so soon after the window came up brought it up

    explicit AnswerGuard(Clock clock);

    /// The card has become visible, current, or another one.
    void cardChanged();
    /// The window has become the active one.
    void windowActivated();

    /// A key went down anywhere in the window. May it answer, should it be the chord?
    [[nodiscard]] bool keyPressed(bool autoRepeat);
    /// A button of the pointer went down. False: it is to be swallowed.
    [[nodiscard]] bool pointerPressed();
    /// May an answer be given now?
    [[nodiscard]] bool isSettled() const;

private:
    Clock m_clock;
    std::optional<Time> m_changedAt;
    std::optional<Time> m_activatedAt;
    std::optional<Time> m_lastKeyAt;
};

} // namespace belljar::ui
