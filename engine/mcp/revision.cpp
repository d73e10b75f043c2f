// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/revision.h"

#include "engine/mcp/jsonrpc.h"

#include <array>

namespace belljar::mcp {

namespace {

constexpr bool yes = true;
constexpr bool no = false;
constexpr std::array kRevisions{
    // clang-format off
    //       name          stateless batches annotations audio message titles structured links completions elicitation icons tasks missingResource
    Revision{"2026-07-28", yes,      no,     yes,        yes,  yes,    yes,   yes,       yes,  yes,        yes,        yes,  no,   kInvalidParams},
    Revision{"2025-11-25", no,       no,     yes,        yes,  yes,    yes,   yes,       yes,  yes,        yes,        yes,  yes,  kResourceNotFound},
    Revision{"2025-06-18", no,       no,     yes,        yes,  yes,    yes,   yes,       yes,  yes,        yes,        no,   no,   kResourceNotFound},
    Revision{"2025-03-26", no,       yes,    yes,        yes,  yes,    no,    no,        no,   yes,        no,         no,   no,   kResourceNotFound},
    Revision{"2024-11-05", no,       no,     no,         no,   no,     no,    no,        no,   no,         no,         no,   no,   kResourceNotFound},
    // clang-format on
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

const Revision* findLegacyRevision(std::string_view name)
{
    const Revision* const revision = findRevision(name);
    return revision && !revision->stateless ? revision : nullptr;
}

const Revision& modernRevision()
{
    return kRevisions.front();
}

const Revision& newestLegacyRevision()
{
    return kRevisions[1];
}

} // namespace belljar::mcp
