// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/store/run_filter.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#endif

/// The line that filters the runs: `client:claude status:failed memory:>200MB "import requests"`.
///
/// Tokens stand apart by blanks. `key:value` is a condition, several values of one key stand by
/// commas or in tokens of their own and any of them may hold; everything else is text to find. A
/// value or text in double quotes may hold blanks; in it `\"` is a quote and `\\` a backslash.
namespace belljar::ui {

struct QueryToken {
    std::size_t begin = 0; ///< byte of the line
    std::size_t end = 0;
    std::string key;   ///< "client"; empty: text to find
    std::string value; ///< without its quotes

    friend bool operator==(const QueryToken&, const QueryToken&) = default;
};

struct QueryProblem {
    enum class Kind : std::uint8_t {
        UnknownKey,
        NoValue,
        Status,
        Duration,
        Size,
        Time,
        Has,
        Is,
        Severity,
        NotSearchable, ///< has neither a letter nor a digit
        OpenQuote,
    };
    Kind kind = Kind::UnknownKey;
    std::string token; ///< as it was typed

    friend bool operator==(const QueryProblem&, const QueryProblem&) = default;
};

struct ParsedQuery {
    store::RunFilter filter; ///< of what could be understood
    std::vector<QueryToken> tokens;
    std::vector<QueryProblem> problems;
};

/// Understands `line`; times are local, those counted back ("after:2h") from `now`.
[[nodiscard]] ParsedQuery parseQuery(std::string_view line, execution::UnixMs now);

/// `key:value`, quoted where it has to be. Without a key: a text to find.
[[nodiscard]] std::string writeToken(std::string_view key, std::string_view value);

/// `line` without what stands at `token`.
[[nodiscard]] std::string withoutToken(std::string_view line, const QueryToken& token);

/// `line` with `key:value` in place of all that it has of that key.
[[nodiscard]] std::string
withToken(std::string_view line, std::string_view key, std::string_view value);

/// The keys, in the order in which they are offered.
[[nodiscard]] std::vector<std::string> queryKeys();
/// What `key` may have where that is a fixed list; examples where it is a number or a time.
[[nodiscard]] std::vector<std::string> queryValues(std::string_view key);

} // namespace belljar::ui
