// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/mcp/offer.h"
#include "engine/mcp/revision.h"
#include "engine/mcp/tasks.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The methods that both eras have, and how a revision writes down what is offered.
namespace belljar::mcp {

/// Which answers a client may keep, and for how long (SPEC.md section 2.5).
enum class Caching : std::uint8_t {
    None,
    Lists, ///< for a minute: whoever has to know at once asks to be told
    Stale, ///< may be asked for again at any time
};

/// A row of the dispatch table.
struct Method {
    std::string_view name;
    bool (*offered)(const Offer&);
    std::string_view mirrored; ///< member of params that the field Mcp-Name repeats; empty: none
    Caching caching;
    asio::awaitable<Reply> (*handle)(const Offer& offer, std::shared_ptr<Call> call);
};

/// Null: neither era has it, or only one.
[[nodiscard]] const Method* findMethod(std::string_view name);

/// One part of a list whose pages hold `kPageSize`; `cursor` null: the first. False: it isn't one
/// of ours.
struct Page {
    std::size_t first = 0;
    std::size_t end = 0;
    std::string next; ///< empty: this is the last
};
inline constexpr std::size_t kPageSize = 50;
[[nodiscard]] std::optional<Page>
pageAt(std::string_view list, std::size_t size, const Json& cursor);

/// Who we are.
[[nodiscard]] Json implementationOf(const Offer& offer, const Revision& revision);
/// What we can do, in the words of `revision`.
[[nodiscard]] Json capabilitiesOf(const Offer& offer, const Revision& revision);

/// The name of the Tasks extension, and of the key under which results tell which task they are of.
inline constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";
inline constexpr std::string_view kRelatedTask = "io.modelcontextprotocol/related-task";

/// A moment as "2026-12-01T10:00:00.000Z".
[[nodiscard]] std::string isoTime(execution::UnixMs at);

/// A task with what the two forms have in common.
[[nodiscard]] Json taskJson(const TaskState& task);

/// The error of a name that nothing has.
[[nodiscard]] RpcError unknown(std::string_view what, const Json& name);

} // namespace belljar::mcp
