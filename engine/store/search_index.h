// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/statements.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The words of code and output: what is indexed, when, and how it is asked for.
namespace belljar::store {

/// What of an execution can be found: the code whole, of the output what came first.
inline constexpr std::size_t kSearchedOutputBytes = 512U * 1024;

/// `bytes` as they are indexed: valid UTF-8 without NUL, every CJK character a word of its own
/// (those scripts have no blanks between words).
[[nodiscard]] std::string searchableText(std::string_view bytes);

/// The FTS5 expression for texts that hold each of `phrases`, whose last words may go on: `req`
/// finds `requests`. Foreign text in it is quoted, so none of it is syntax. Empty when nothing of
/// it can be searched for.
[[nodiscard]] std::string matchExpression(const std::vector<std::string>& phrases);

/// Keeps the index. Belongs to the store thread; throws SQLite::Exception.
class SearchIndex {
public:
    explicit SearchIndex(Statements& statements);

    /// The execution has ended: it is indexed by and by. Inside a transaction.
    void add(std::int64_t sequence);
    /// Takes its words out, before its code and output go. Inside a transaction.
    void remove(std::int64_t sequence);
    /// Indexes some of what waits, newest first, about ten milliseconds' worth. Returns whether
    /// more waits. Inside a transaction.
    bool step();

private:
    struct Texts {
        std::string code;
        std::string output;
        std::int64_t chunks = 0; ///< how many of the output
    };

    /// `chunks`: as many as went in; nothing: as many as go in.
    [[nodiscard]] Texts textsOf(std::int64_t sequence, std::optional<std::int64_t> chunks);
    void index(std::int64_t sequence);

    Statements& m_statements;
};

} // namespace belljar::store
