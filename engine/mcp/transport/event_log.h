// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace belljar::mcp {

/// Which event of a session's streams: what `id:` of a server-sent event says.
struct EventId {
    std::uint64_t stream = 0;
    std::uint64_t number = 0; ///< within the stream, from 1; 0: its beginning

    [[nodiscard]] std::string text() const;
    [[nodiscard]] static std::optional<EventId> parse(std::string_view text);
    friend bool operator==(const EventId&, const EventId&) = default;
};

/// One message as a server-sent event. `id` empty: it has none.
[[nodiscard]] std::string eventText(std::string_view message, std::string_view id);

/// What a session's streams have said, for a client that lost one of them (SPEC.md section 4.5).
/// Bounded: the oldest go first, but the newest is always there.
class EventLog {
public:
    explicit EventLog(std::size_t maxBytes, std::size_t maxEvents = 1000)
        : m_maxBytes(maxBytes)
        , m_maxEvents(maxEvents)
    {}

    void add(EventId id, std::string event);

    /// The events of `after`'s stream that come after it.
    [[nodiscard]] std::string since(EventId after) const;
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    struct Row {
        EventId id;
        std::string event;
    };
    std::deque<Row> m_rows;
    std::size_t m_bytes = 0;
    std::size_t m_maxBytes;
    std::size_t m_maxEvents;
};

} // namespace belljar::mcp
