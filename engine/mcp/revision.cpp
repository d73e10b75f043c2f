// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/revision.h"

#include <array>

namespace belljar::mcp {

namespace {

constexpr std::array kRevisions{
    //       name          batches annotations message titles structured elicitation websiteUrl
    Revision{"2025-11-25", false, true, true, true, true, true, true},
    Revision{"2025-06-18", false, true, true, true, true, true, false},
    Revision{"2025-03-26", true, true, true, false, false, false, false},
    Revision{"2024-11-05", false, false, false, false, false, false, false},
};

} // namespace

const Revision* findRevision(std::string_view name)
{
    for (const Revision& revision : kRevisions) {
        if (revision.name == name)
            return &revision;
    }
    return nullptr;
}

const Revision& newestLegacyRevision()
{
    return kRevisions.front();
}

} // namespace belljar::mcp
