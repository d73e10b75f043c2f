// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/approval_form.h"

#include "engine/base/text.h"
#include "engine/mcp/call.h"

#include <array>
#include <string_view>
#include <utility>

namespace belljar::mcp {

namespace {

constexpr std::size_t kMaxCommentBytes = 200;

} // namespace

Json approvalForm(std::string message)
{
    Json schema;
    schema["type"] = "object";
    Json& comment = schema["properties"]["comment"];
    comment["type"] = "string";
    comment["title"] = "Comment";
    comment["description"] = "Optional: what the assistant should know";
    return elicitation(std::move(message), std::move(schema));
}

execution::Elicited elicitedFrom(const Json& response)
{
    using Action = execution::Elicited::Action;
    struct Row {
        std::string_view name;
        Action action;
    };
    constexpr std::array kActions{
        Row{"accept", Action::Accept},
        Row{"decline", Action::Decline},
        Row{"cancel", Action::Cancel}};
    execution::Elicited answer;
    if (!response.is_object())
        return answer;
    const Json action = response.value("action", Json());
    for (const Row& row : kActions) {
        if (action == row.name)
            answer.action = row.action;
    }
    const Json content = response.value("content", Json::object());
    const Json comment = content.is_object() ? content.value("comment", Json()) : Json();
    if (comment.is_string())
        answer.comment = prefixWithin(comment.get_ref<const std::string&>(), kMaxCommentBytes);
    return answer;
}

} // namespace belljar::mcp
