// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/audit/entry.h"
#include "engine/audit/head.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whether a log is what was written. Pure: rows and head in, findings out.
///
/// What it can't find: whoever can write both the database and the head file can make a new log
/// that agrees with itself. The end of the chain also goes to Belljar's own log at start and end,
/// and an export kept elsewhere settles it.
namespace belljar::audit {

enum class BreakKind : std::uint8_t {
    Edited,      ///< the row isn't what its hash was made of
    Unlinked,    ///< the row doesn't follow the one before it
    Missing,     ///< rows are gone
    Misplaced,   ///< a row stands where none can be
    Truncated,   ///< the end is gone
    HeadDiffers, ///< head file and database don't belong together
    HeadMissing, ///< there is no head file
    HeadUnreadable,
    Recorded, ///< found earlier, and Belljar said so in the log
};

/// "edited", "truncated", ...
[[nodiscard]] std::string_view nameOf(BreakKind kind);

/// One place where the log isn't what was written.
struct Break {
    BreakKind kind = BreakKind::Edited;
    std::int64_t sequence = 0; ///< where it shows; the damage may begin one row earlier
    std::string meaning;       ///< a sentence for people

    friend bool operator==(const Break&, const Break&) = default;
};

/// What a ChainBroken row says of the damage before it.
[[nodiscard]] Break recordedBreak(const Row& chainBroken);

/// Does the head file agree with the rows?
enum class HeadState : std::uint8_t {
    Agrees, ///< it names a row of this log; later rows may follow
    Differs,
    Missing,
    Unreadable,
    NothingYet, ///< no row, and no head or one that says so
};

/// What verification found.
struct Verification {
    bool intact = false;
    bool stopped = false; ///< before the end; then `intact` says nothing about the rest
    std::uint64_t rows = 0;
    std::int64_t lastSequence = 0;
    UnixMs lastAt = 0; ///< of the last row; 0 without one
    std::string lastHash;
    HeadState head = HeadState::NothingYet;
    std::vector<Break> breaks; ///< the first kMostBreaks, in the order of the log
    std::uint64_t breakCount = 0;

    static constexpr std::size_t kMostBreaks = 100;

    /// Counts a break and keeps it while there is room.
    void add(Break found);
    /// Where the log begins to differ from what was written.
    [[nodiscard]] std::optional<std::int64_t> firstBroken() const;
    /// One sentence: "intact: 1,234 rows, ...", or how many breaks, the first, and what it means.
    [[nodiscard]] std::string summary() const;
};

/// Goes along a log, row by row in the order of their sequence.
class Verifier {
public:
    /// For a whole log. `head` is what readHead() said *before* the first row was read, so that it
    /// can't be ahead of them.
    explicit Verifier(Result<Head> head);

    /// For the end of a log: the rows behind `before`.
    Verifier(Result<Head> head, const Row& before);

    /// The next row.
    void add(const Row& row);
    /// For the end of a log, where they don't pass by: its first row, and the one that the head
    /// names.
    void compareFirst(const Row& first);
    void compareNamed(const Row& named);
    /// There will be no finish() of the whole log: the rest isn't read.
    void stop();
    [[nodiscard]] Verification finish();

private:
    void addBreak(BreakKind kind, std::int64_t sequence, std::string meaning);
    void checkPlace(const Row& row);
    void checkHead();
    void checkEnd();

    Result<Head> m_head;
    bool m_whole;            ///< the log from its first row on
    std::int64_t m_sequence; ///< of the row before; 0 without one
    std::string m_hash;      ///< as it stands in the row before
    Verification m_found;
};

} // namespace belljar::audit
