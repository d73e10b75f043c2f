// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/audit/verifier.h"

#include "engine/audit/chain.h"
#include "engine/base/json.h"
#include "engine/base/text.h"

#include <array>
#include <limits>
#include <utility>

namespace belljar::audit {

namespace {

constexpr std::array<std::string_view, 9> kBreakNames{
    "edited",
    "unlinked",
    "missing",
    "misplaced",
    "truncated",
    "head_differs",
    "head_missing",
    "head_unreadable",
    "recorded",
};

std::string numberOf(std::int64_t sequence)
{
    return sequence < 0 ? std::to_string(sequence)
                        : groupedDigits(static_cast<std::uint64_t>(sequence));
}

std::string rowsFromTo(std::int64_t first, std::int64_t last)
{
    return first == last ? "row " + numberOf(first)
                         : "rows " + numberOf(first) + " to " + numberOf(last);
}

} // namespace

std::string_view nameOf(BreakKind kind)
{
    return kBreakNames[static_cast<std::size_t>(kind)];
}

Break recordedBreak(const Row& chainBroken)
{
    constexpr std::size_t kShownBytes = 400;
    Break recorded{
        BreakKind::Recorded,
        chainBroken.sequence,
        "Belljar found the log damaged here and went on behind it"};
    // The row may hold anything by now.
    const auto detail = parseJson(chainBroken.detail);
    if (!detail || !detail->is_object())
        return recorded;
    const auto said = detail->find("meaning");
    if (said == detail->end() || !said->is_string())
        return recorded;
    const auto& text = said->get_ref<const std::string&>();
    recorded.meaning += ": " + escapeForLine(prefixWithin(text, kShownBytes));
    return recorded;
}

std::optional<std::int64_t> Verification::firstBroken() const
{
    if (breaks.empty())
        return std::nullopt;
    return breaks.front().sequence;
}

void Verification::add(Break found)
{
    intact = false;
    ++breakCount;
    if (breaks.size() < kMostBreaks)
        breaks.push_back(std::move(found));
}

std::string Verification::summary() const
{
    const std::string checked = groupedDigits(rows) + (rows == 1 ? " row" : " rows");
    if (breaks.empty())
        return (stopped ? "stopped after " : "intact: ") + checked +
               (stopped ? ", no damage so far" : "");
    std::string text =
        "damaged at row " + numberOf(breaks.front().sequence) + ": " + breaks.front().meaning;
    if (breakCount > 1)
        text += " (and " + groupedDigits(breakCount - 1) + " more)";
    return text + "; " + checked + (stopped ? " checked before it was stopped" : " checked");
}

Verifier::Verifier(Result<Head> head)
    : m_head(std::move(head))
    , m_whole(true)
    , m_sequence(0)
    , m_hash(zeroHash())
{}

Verifier::Verifier(Result<Head> head, const Row& before)
    : m_head(std::move(head))
    , m_whole(false)
    , m_sequence(before.sequence)
    , m_hash(before.hash)
{
    m_found.lastSequence = before.sequence;
    m_found.lastAt = before.at;
    m_found.lastHash = before.hash;
}

void Verifier::addBreak(BreakKind kind, std::int64_t sequence, std::string meaning)
{
    m_found.add({kind, sequence, std::move(meaning)});
}

void Verifier::add(const Row& row)
{
    checkPlace(row);
    if (hashOf(row) != row.hash)
        addBreak(
            BreakKind::Edited,
            row.sequence,
            "row " + numberOf(row.sequence) +
                " isn't what was written: it was changed, moved or put there afterwards"
        );
    if (m_whole && m_sequence == 0 && row.sequence > 0)
        compareFirst(row);
    if (m_head && row.sequence == m_head->sequence)
        compareNamed(row);
    ++m_found.rows;
    if (row.sequence < 1) // the log begins behind it
        return;
    // The hash as it stands there: one changed row is one break, not a break of every row behind.
    m_sequence = row.sequence;
    m_hash = row.hash;
    m_found.lastSequence = row.sequence;
    m_found.lastAt = row.at;
    m_found.lastHash = row.hash;
}

void Verifier::stop()
{
    m_found.stopped = true;
}

/// Is it the one that comes next, and does it say so?
void Verifier::checkPlace(const Row& row)
{
    if (row.type == nameOf(Type::ChainBroken))
        m_found.add(recordedBreak(row));
    if (row.sequence < 1)
        return addBreak(
            BreakKind::Misplaced,
            row.sequence,
            "a row numbered " + numberOf(row.sequence) + " was put there; the log begins with 1"
        );
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    const std::int64_t expected = m_sequence == kLast ? kLast : m_sequence + 1;
    if (row.sequence <= m_sequence)
        addBreak(
            BreakKind::Misplaced,
            row.sequence,
            "row " + numberOf(row.sequence) + " stands behind row " + numberOf(m_sequence)
        );
    else if (row.sequence != expected)
        addBreak(
            BreakKind::Missing,
            row.sequence,
            rowsFromTo(expected, row.sequence - 1) + " were deleted"
        );
    else if (row.previous != m_hash)
        addBreak(
            BreakKind::Unlinked,
            row.sequence,
            expected == 1 ? "the first row doesn't begin a log: it comes from another one, or what "
                            "was before it is gone"
                          : "row " + numberOf(row.sequence) + " doesn't follow row " +
                                numberOf(expected - 1) +
                                ": one of the two was changed or replaced, hash and all"
        );
}

void Verifier::compareFirst(const Row& first)
{
    if (m_head && m_head->sequence > 0 && first.hash != m_head->first)
        addBreak(
            BreakKind::HeadDiffers,
            first.sequence,
            "the log begins with another row than the head file says: rows, the database or the "
            "head file were replaced"
        );
}

void Verifier::compareNamed(const Row& named)
{
    if (m_head && named.hash != m_head->hash)
        addBreak(
            BreakKind::HeadDiffers,
            named.sequence,
            "row " + numberOf(named.sequence) +
                " isn't the one that the head file names: the row, the database or the head file "
                "was replaced"
        );
}

void Verifier::checkHead()
{
    const bool empty = m_sequence == 0 && m_found.rows == 0;
    if (m_head) {
        m_found.head = empty && m_head->sequence == 0 ? HeadState::NothingYet : HeadState::Agrees;
        if (m_head->sequence > m_sequence)
            addBreak(
                BreakKind::Truncated,
                m_sequence + 1,
                rowsFromTo(m_sequence + 1, m_head->sequence) +
                    (empty ? " are gone: the database was emptied or replaced"
                           : " were cut off at the end")
            );
        return;
    }
    if (m_head.error().code() != Errc::NotFound) {
        m_found.head = HeadState::Unreadable;
        return addBreak(
            BreakKind::HeadUnreadable,
            m_sequence,
            "the head file can't be read, so rows at the end may be gone: " +
                escapeForLine(m_head.error().message())
        );
    }
    m_found.head = empty ? HeadState::NothingYet : HeadState::Missing;
    if (!empty)
        addBreak(
            BreakKind::HeadMissing,
            m_sequence,
            "the head file is gone, so rows at the end may be, too"
        );
}

void Verifier::checkEnd()
{
    checkHead();
    for (const Break& found : m_found.breaks) {
        if (found.kind == BreakKind::HeadDiffers || found.kind == BreakKind::Truncated)
            m_found.head = HeadState::Differs;
    }
}

Verification Verifier::finish()
{
    if (!m_found.stopped)
        checkEnd();
    m_found.intact = !m_found.stopped && m_found.breakCount == 0;
    return std::move(m_found);
}

} // namespace belljar::audit
