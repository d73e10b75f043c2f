// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/transport/event_log.h"

#include <charconv>
#include <utility>

namespace belljar::mcp {

std::string EventId::text() const
{
    return std::to_string(stream) + "-" + std::to_string(number);
}

std::optional<EventId> EventId::parse(std::string_view text)
{
    EventId id;
    const char* const end = text.data() + text.size();
    const auto stream = std::from_chars(text.data(), end, id.stream);
    if (stream.ec != std::errc() || stream.ptr == end || *stream.ptr != '-')
        return {};
    const auto number = std::from_chars(stream.ptr + 1, end, id.number);
    if (number.ec != std::errc() || number.ptr != end)
        return {};
    return id;
}

std::string eventText(std::string_view message, std::string_view id)
{
    std::string event = "event: message\n";
    if (!id.empty())
        event.append("id: ").append(id).append("\n");
    event.append("data: ").append(message).append("\n\n");
    return event;
}

void EventLog::add(EventId id, std::string event)
{
    m_bytes += event.size();
    m_rows.push_back({id, std::move(event)});
    while (m_rows.size() > 1 && (m_bytes > m_maxBytes || m_rows.size() > m_maxEvents)) {
        m_bytes -= m_rows.front().event.size();
        m_rows.pop_front();
    }
}

std::string EventLog::since(EventId after) const
{
    std::string events;
    for (const Row& row : m_rows) {
        if (row.id.stream == after.stream && row.id.number > after.number)
            events += row.event;
    }
    return events;
}

} // namespace belljar::mcp
