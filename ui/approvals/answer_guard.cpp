// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/answer_guard.h"

#include <utility>

namespace belljar::ui {

AnswerGuard::AnswerGuard(Clock clock)
    : m_clock(std::move(clock))
{}

void AnswerGuard::cardChanged()
{
    m_changedAt = m_clock();
}

void AnswerGuard::windowActivated()
{
    m_activatedAt = m_clock();
    m_changedAt = m_activatedAt;
}

bool AnswerGuard::isSettled() const
{
    return m_changedAt && m_clock() - *m_changedAt >= kSettle;
}

bool AnswerGuard::keyPressed(bool autoRepeat)
{
    const Time now = m_clock();
    const bool typing = m_lastKeyAt && now - *m_lastKeyAt < kTyping;
    m_lastKeyAt = now;
    return !autoRepeat && !typing && isSettled();
}

bool AnswerGuard::pointerPressed()
{
    const bool broughtUp = m_activatedAt && m_clock() - *m_activatedAt < kActivation;
    m_activatedAt.reset();
    return !broughtUp;
}

} // namespace belljar::ui
