// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace belljar::mcp {

/// One published revision of the protocol and what differs in it (SPEC.md section 6). Handlers read
/// columns; nothing compares revisions.
struct Revision {
    std::string_view name;
    bool batches; ///< arrays of messages are accepted
    bool toolAnnotations;
    bool progressMessage;
    bool titles;            ///< on tools and on the implementation
    bool structuredContent; ///< and output schemas
    bool elicitation;       ///< the server may ask the client's person
    bool websiteUrl;        ///< and description, on the implementation
};

/// The revision called `name`, or nullptr.
[[nodiscard]] const Revision* findRevision(std::string_view name);

/// The one to offer to a client whose own we don't know.
[[nodiscard]] const Revision& newestLegacyRevision();

} // namespace belljar::mcp
