// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/deadline.h"

#include <algorithm>
#include <utility>

#include "fixtures.h"

namespace belljar::conformance {

namespace {

using namespace std::chrono_literals;
using mcp::Call;
using mcp::GoesOn;
using mcp::InputRequired;
using mcp::RpcError;
using mcp::TaskForm;
using mcp::ToolReply;

using Work = std::function<asio::awaitable<ToolReply>(std::shared_ptr<Call>)>;

/// As a task where the call may be one, else at once.
asio::awaitable<ToolReply> asTask(std::shared_ptr<Call> call, Work work)
{
    if (call->taskForm == TaskForm::Extension)
        co_return GoesOn{std::move(work), "begun"};
    co_return co_await work(call);
}

asio::awaitable<ToolReply> greet(std::shared_ptr<Call>, Json arguments)
{
    co_return textResult("Hello, " + arguments.value("name", "") + "!");
}

asio::awaitable<ToolReply> compute(std::shared_ptr<Call> call, Json arguments)
{
    const double seconds = std::clamp(arguments.value("seconds", 0.0), 0.0, 60.0);
    std::string text = "Computed " + arguments.value("label", "");
    Work work = [seconds, text](std::shared_ptr<Call> of) -> asio::awaitable<ToolReply> {
        const Deadline end =
            deadlineIn(std::chrono::milliseconds(static_cast<int>(seconds * 1000)));
        while (!of->cancelled() && SteadyClock::now() < end)
            co_await sleepUntil(std::min(end, deadlineIn(20ms)));
        co_return textResult(text);
    };
    return asTask(std::move(call), std::move(work));
}

asio::awaitable<ToolReply> failLater(std::shared_ptr<Call> call, Json)
{
    return asTask(std::move(call), [](std::shared_ptr<Call>) -> asio::awaitable<ToolReply> {
        co_await sleepUntil(deadlineIn(1s));
        mcp::ToolResult result = textResult("The job failed");
        result.isError = true;
        co_return result;
    });
}

asio::awaitable<ToolReply> errLater(std::shared_ptr<Call> call, Json)
{
    return asTask(std::move(call), [](std::shared_ptr<Call>) -> asio::awaitable<ToolReply> {
        co_await sleepUntil(deadlineIn(100ms));
        co_return RpcError{mcp::kInternalError, "The job broke the protocol", {}};
    });
}

asio::awaitable<ToolReply> confirmDelete(std::shared_ptr<Call> call, Json arguments)
{
    const std::string file = arguments.value("filename", "");
    return asTask(std::move(call), [file](std::shared_ptr<Call> of) -> asio::awaitable<ToolReply> {
        const Json confirmed = answered(*of, "confirm", "confirm", Json::value_t::boolean);
        if (!confirmed.is_null())
            co_return textResult((confirmed.get<bool>() ? "Deleted " : "Kept ") + file);
        InputRequired question;
        question.requests["confirm"] = formRequest("Delete " + file + "?", "confirm", "boolean");
        co_return question;
    });
}

asio::awaitable<ToolReply> askForTwo(std::shared_ptr<Call> call, Json)
{
    return asTask(std::move(call), [](std::shared_ptr<Call> of) -> asio::awaitable<ToolReply> {
        if (of->responses.contains("name") && of->responses.contains("confirm"))
            co_return textResult("Both are there: " + of->responses.dump());
        InputRequired question;
        question.requests["name"] = formRequest("What is your name?", "name", "string");
        question.requests["confirm"] = formRequest("Sure?", "confirm", "boolean");
        co_return question;
    });
}

asio::awaitable<ToolReply> askThenGoOn(std::shared_ptr<Call> call, Json)
{
    const Json name = answered(*call, "user_name", "name", Json::value_t::string);
    if (name.is_null()) {
        InputRequired question;
        question.requests["user_name"] = formRequest("What is your name?", "name", "string");
        co_return question;
    }
    const std::string text = "Done for " + name.get<std::string>();
    Work work = [text](std::shared_ptr<Call>) -> asio::awaitable<ToolReply> {
        co_await sleepUntil(deadlineIn(100ms));
        co_return textResult(text);
    };
    co_return co_await asTask(call, std::move(work));
}

} // namespace

void addTaskFixtures(mcp::Offer& offer)
{
    const auto add = [&offer](mcp::Tool tool, mcp::TaskSupport support) {
        tool.taskSupport = support;
        offer.add(std::move(tool));
    };
    using Support = mcp::TaskSupport;
    const char* const named = R"({"name": {"type": "string"}})";
    add(makeTool("greet", "Never a task", &greet, named, R"(["name"])"), Support::Forbidden);
    add(makeTool(
            "slow_compute",
            "Takes its time",
            &compute,
            R"({"seconds": {"type": "number"}, "label": {"type": "string"}})"
        ),
        Support::Optional);
    add(makeTool("failing_job", "Fails as a task", &failLater), Support::Required);
    add(makeTool("protocol_error_job", "Breaks as a task", &errLater), Support::Optional);
    add(makeTool(
            "confirm_delete",
            "Asks within a task",
            &confirmDelete,
            R"({"filename": {"type": "string"}})"
        ),
        Support::Optional);
    add(makeTool("multi_input", "Asks twice within a task", &askForTwo), Support::Optional);
    add(makeTool("test_tool_with_task", "Asks, then is a task", &askThenGoOn), Support::Optional);
}

} // namespace belljar::conformance
