// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace belljar::mcp {

/// One published revision of the protocol and what differs in it (SPEC.md section 6). Handlers read
/// columns; nothing compares revisions.
struct Revision {
    std::string_view name;
    bool stateless; ///< the modern era: no handshake, each request tells who asks (SPEC.md section
                    ///< 2)
    bool batches;   ///< arrays of messages are accepted
    bool toolAnnotations;
    bool audio; ///< content blocks of this type
    bool progressMessage;
    bool titles;            ///< on tools and on the implementation; `_meta` too
    bool structuredContent; ///< and output schemas
    bool resourceLinks;     ///< content blocks of this type
    bool completions;       ///< is a capability; the method was always there
    bool elicitation;       ///< the server may ask the client's person
    bool icons;             ///< also websiteUrl and description, on the implementation
    bool tasks;             ///< the experimental form (SPEC.md section 4.6)
    int missingResource;    ///< error code
};

/// The revision called `name`, of either era, or nullptr.
[[nodiscard]] const Revision* findRevision(std::string_view name);

/// The legacy revision called `name`, or nullptr.
[[nodiscard]] const Revision* findLegacyRevision(std::string_view name);

/// The one to offer to a client whose own we don't know.
[[nodiscard]] const Revision& newestLegacyRevision();

/// The one revision of the modern era that is served.
[[nodiscard]] const Revision& modernRevision();

} // namespace belljar::mcp
