// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clients/entry.h"

#include <functional>

/// What a format of configuration files can do; entry.cpp chooses by the client's.
namespace belljar::clients {

/// The changes of members that make an entry up to date: what of it stays as it is.
using Members = std::vector<std::pair<std::string, OrderedJson>>;

/// One format. `text` has no byte order mark.
struct FormatFunctions {
    /// The configuration as JSON; where the format has values that JSON lacks, as text.
    Json (*read)(std::string_view text, std::optional<Problem>& problem);
    Result<std::string> (*add
    )(const KnownClient& client, std::string_view text, const OrderedJson& entry);
    /// Sets members of the entry that is there; `inside` is the member that holds them, or empty.
    Result<std::string> (*update
    )(const KnownClient& client,
      std::string_view text,
      const std::string& inside,
      const Members& members);
    /// Takes out the entry once; there may be a second of the name.
    Result<std::string> (*remove)(const KnownClient& client, std::string_view text);
};

extern const FormatFunctions kJsonFunctions;
extern const FormatFunctions kTomlFunctions;

/// The place of byte `offset`.
[[nodiscard]] Problem problemAt(std::string_view text, std::size_t offset, std::string message);

} // namespace belljar::clients
