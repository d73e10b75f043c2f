// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clients/known.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Belljar's entry in the text of a client's configuration: reading, adding, removing. Pure
/// functions over any bytes; what they don't mean to change stays as it is, byte for byte.
namespace belljar::clients {

/// The name of the entry, in every client.
inline constexpr std::string_view kServerName = "belljar";

/// Why a text can't be read: from 1, the column counts characters.
struct Problem {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    std::string message; ///< foreign text may be in it

    /// "line 4, column 7: expected , or }"
    [[nodiscard]] std::string text() const;
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// What an entry says.
struct Entry {
    std::optional<Transport> transport; ///< nothing: it names neither a program nor an address
    std::string command;
    std::vector<std::string> args;
    std::string url;
    Json whole; ///< for comparing
    friend bool operator==(const Entry&, const Entry&) = default;
};

struct Reading {
    std::optional<Problem> problem;
    std::optional<Entry> entry; ///< nothing: there is none, or `problem`
};

[[nodiscard]] Reading readEntry(const KnownClient& client, std::string_view text);

/// What an entry is made with.
struct EntryValues {
    Transport transport = Transport::Stdio;
    std::string program; ///< absolute path of `belljar`
    std::string url;     ///< for Http
    std::string token;   ///< for Http
};

/// The entry for `client`. Errors: Unsupported where the client takes no address from its file;
/// InvalidArgument for a token that can't be in a header.
Result<OrderedJson> makeEntry(const KnownClient& client, const EntryValues& values);

/// Does `entry` lead to where `wanted` does, and is it on? Time limits and the like may differ.
[[nodiscard]] bool
leadsTo(const KnownClient& client, const Entry& entry, const OrderedJson& wanted);

/// `text` with `entry` in it. An entry that is there already and has the same transport keeps what
/// else it has; another one is replaced. An empty text becomes a configuration.
/// Errors: InvalidArgument when the text can't be read; Unsupported where it is written in a form
/// that can't be edited without touching something else.
Result<std::string>
withEntry(const KnownClient& client, std::string_view text, const OrderedJson& entry);

/// `text` without the entry. Errors: as withEntry(); NotFound when there is none.
Result<std::string> withoutEntry(const KnownClient& client, std::string_view text);

} // namespace belljar::clients
