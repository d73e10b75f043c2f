// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "fixtures.h"

namespace belljar::conformance {

namespace {

using mcp::Call;
using mcp::InputRequired;
using mcp::ToolReply;

constexpr auto kText = Json::value_t::string;

Json rootsRequest()
{
    Json request;
    request["method"] = "roots/list";
    request["params"] = Json::object();
    return request;
}

InputRequired asking(const std::string& key, Json request, Json state = nullptr)
{
    InputRequired question;
    question.requests[key] = std::move(request);
    question.state = std::move(state);
    return question;
}

asio::awaitable<ToolReply> askForName(std::shared_ptr<Call> call, Json)
{
    const Json name = answered(*call, "user_name", "name", kText);
    if (name.is_null())
        co_return asking("user_name", formRequest("What is your name?", "name", "string"));
    co_return textResult("Hello, " + name.get<std::string>() + "!");
}

asio::awaitable<ToolReply> askTheModel(std::shared_ptr<Call> call, Json)
{
    const Json answer = call->responses.value("capital_question", Json());
    if (!answer.is_object())
        co_return asking(
            "capital_question", samplingRequest("What is the capital of France?", 100)
        );
    co_return textResult("The model says: " + answer["content"].value("text", ""));
}

asio::awaitable<ToolReply> askForRoots(std::shared_ptr<Call> call, Json)
{
    const Json answer = call->responses.value("client_roots", Json());
    if (!answer.is_object())
        co_return asking("client_roots", rootsRequest());
    co_return textResult("Roots: " + answer.value("roots", Json::array()).dump());
}

asio::awaitable<ToolReply> askWithState(std::shared_ptr<Call> call, Json)
{
    const Json ok = answered(*call, "confirm", "ok", Json::value_t::boolean);
    if (ok.is_null() || call->state != "asked")
        co_return asking("confirm", formRequest("Confirm?", "ok", "boolean"), "asked");
    co_return textResult("state-ok");
}

asio::awaitable<ToolReply> askForThree(std::shared_ptr<Call> call, Json)
{
    const Json name = answered(*call, "user_name", "name", kText);
    const Json greeting = call->responses.value("greeting", Json());
    const Json roots = call->responses.value("client_roots", Json());
    if (!name.is_null() && greeting.is_object() && roots.is_object())
        co_return textResult("All three are there, " + name.get<std::string>());
    InputRequired question;
    question.requests["user_name"] = formRequest("What is your name?", "name", "string");
    question.requests["greeting"] = samplingRequest("Greet somebody", 50);
    question.requests["client_roots"] = rootsRequest();
    question.state = "three";
    co_return question;
}

asio::awaitable<ToolReply> askTwice(std::shared_ptr<Call> call, Json)
{
    const bool second = call->state.is_object() && call->state.value("round", 0) == 2;
    const Json name = answered(*call, "step1", "name", kText);
    const Json color = answered(*call, "step2", "color", kText);
    if (second && !color.is_null())
        co_return textResult(call->state.value("name", "") + " likes " + color.get<std::string>());
    Json state;
    state["round"] = 1;
    if (!second && name.is_null())
        co_return asking("step1", formRequest("What is your name?", "name", "string"), state);
    state["round"] = 2;
    state["name"] = second ? call->state["name"] : name;
    co_return asking("step2", formRequest("Which color?", "color", "string"), state);
}

/// Asks for what the client can give.
asio::awaitable<ToolReply> askForWhatCanBe(std::shared_ptr<Call> call, Json)
{
    InputRequired question;
    for (auto& [key, request] :
         {std::pair{"text", samplingRequest("Anything", 10)},
          std::pair{"name", formRequest("What is your name?", "name", "string")},
          std::pair{"roots", rootsRequest()}}) {
        Json one;
        one[key] = request;
        if (mcp::undeclaredFor(*call, one).is_null() && !call->responses.contains(key))
            question.requests[key] = request;
    }
    if (question.requests.empty())
        co_return textResult("nothing left to ask");
    co_return question;
}

asio::awaitable<mcp::Reply> askForContext(std::shared_ptr<Call> call, Json)
{
    const Json context = answered(*call, "user_context", "context", kText);
    if (context.is_null())
        co_return asking("user_context", formRequest("Which context?", "context", "string"));
    Json message;
    message["role"] = "user";
    message["content"] = mcp::textBlock("In the context of " + context.get<std::string>());
    co_return Json::array({message});
}

} // namespace

void addInputFixtures(mcp::Offer& offer)
{
    struct Row {
        const char* name;
        ToolHandler handler;
    };
    for (auto& [name, handler] : std::vector<Row>{
             {"elicitation", &askForName},
             {"sampling", &askTheModel},
             {"list_roots", &askForRoots},
             {"request_state", &askWithState},
             {"multiple_inputs", &askForThree},
             {"multi_round", &askTwice},
             {"tampered_state", &askWithState},
             {"capabilities", &askForWhatCanBe},
         })
        offer.add(
            makeTool("test_input_required_result_" + std::string(name), "Asks for input", handler)
        );
    mcp::Prompt prompt;
    prompt.name = "test_input_required_result_prompt";
    prompt.description = "Asks for input";
    prompt.handler = &askForContext;
    offer.add(std::move(prompt));
}

} // namespace belljar::conformance
