// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include "engine/base/base64.h"
#include "engine/base/deadline.h"

#include <utility>

namespace belljar::conformance {

namespace {

using namespace std::chrono_literals;
using mcp::Call;
using mcp::Reply;
using mcp::ToolReply;
using mcp::ToolResult;

constexpr auto kStep = 50ms;
constexpr const char* kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg"
    "==";
constexpr const char* kWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
constexpr const char* kJsonSchemaTool = R"({
    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
                          "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
                   "contactMethod": {"type": "string", "enum": ["phone", "email"]},
                   "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]}, "else": {"required": ["email"]},
    "additionalProperties": false})";
constexpr const char* kDefaultsForm = R"({"type": "object", "properties": {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": true}}})";
constexpr const char* kEnumsForm = R"({"type": "object", "properties": {
    "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
    "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"},
        {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]},
    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                   "enumNames": ["One", "Two", "Three"]},
    "untitledMulti": {"type": "array",
                      "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
    "titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"},
        {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}]}}}})";

std::string png()
{
    return fromBase64(kPng).value_or("");
}

Json userMessage(Json content)
{
    Json message;
    message["role"] = "user";
    message["content"] = std::move(content);
    return message;
}

/// Handlers that need no more than what they answer.
ToolHandler answering(Json content, bool isError = false)
{
    return [content = std::move(content),
            isError](std::shared_ptr<Call>, Json) -> asio::awaitable<ToolReply> {
        ToolResult result;
        result.content = content;
        result.isError = isError;
        co_return result;
    };
}

asio::awaitable<ToolReply> tellProgress(std::shared_ptr<Call> call, Json)
{
    for (const double done : {0.0, 50.0, 100.0}) {
        call->progress(done, 100);
        co_await sleepUntil(deadlineIn(kStep));
    }
    co_return textResult("Tool with progress completed.");
}

asio::awaitable<ToolReply> tellLog(std::shared_ptr<Call> call, Json)
{
    for (const char* text : {"Tool execution started", "Tool processing data", "Tool completed"}) {
        call->log(mcp::LogLevel::Info, text);
        co_await sleepUntil(deadlineIn(kStep));
    }
    co_return textResult("Tool with logging completed.");
}

asio::awaitable<ToolReply> sample(std::shared_ptr<Call> call, Json arguments)
{
    const Json answer = call->responses.value("text", Json());
    if (!answer.is_object()) {
        mcp::InputRequired question;
        question.requests["text"] = samplingRequest(arguments.value("prompt", ""), 100);
        co_return question;
    }
    co_return textResult("LLM response: " + answer["content"].value("text", ""));
}

/// Asks for the form and tells what came of it.
asio::awaitable<ToolReply> elicit(std::shared_ptr<Call> call, std::string message, Json schema)
{
    const Json answer = call->responses.value("form", Json());
    if (!answer.is_object()) {
        mcp::InputRequired question;
        question.requests["form"] = mcp::elicitation(std::move(message), std::move(schema));
        co_return question;
    }
    co_return textResult(
        "User response: action=" + answer.value("action", "") +
        ", content=" + answer.value("content", Json::object()).dump()
    );
}

asio::awaitable<ToolReply> elicitUser(std::shared_ptr<Call> call, Json arguments)
{
    Json schema = Json::parse(R"({"type": "object", "required": ["username", "email"],
        "properties": {"username": {"type": "string"}, "email": {"type": "string"}}})");
    return elicit(std::move(call), arguments.value("message", ""), std::move(schema));
}

asio::awaitable<ToolReply> reconnect(std::shared_ptr<Call> call, Json)
{
    call->letGo();
    co_await sleepUntil(deadlineIn(2 * kStep));
    co_return textResult("Reconnection test completed.");
}

asio::awaitable<ToolReply> needSampling(std::shared_ptr<Call> call, Json)
{
    mcp::InputRequired question;
    question.requests["text"] = samplingRequest("Anything", 10);
    if (call->responses.contains("text"))
        co_return textResult("sampled");
    co_return question;
}

void addTools(mcp::Offer& offer)
{
    const std::string text = "text/plain";
    offer.add(makeTool(
        "test_simple_text",
        "A simple text",
        answering(Json::array({mcp::textBlock("This is a simple text response for testing.")}))
    ));
    offer.add(makeTool(
        "test_image_content",
        "An image",
        answering(Json::array({mcp::imageBlock(png(), "image/png")}))
    ));
    offer.add(makeTool(
        "test_audio_content",
        "A sound",
        answering(Json::array({mcp::audioBlock(fromBase64(kWav).value_or(""), "audio/wav")}))
    ));
    offer.add(makeTool(
        "test_embedded_resource",
        "An embedded resource",
        answering(Json::array({mcp::embeddedText(
            "test://embedded-resource", text, "This is an embedded resource content."
        )}))
    ));
    offer.add(makeTool(
        "test_multiple_content_types",
        "Several blocks",
        answering(Json::array(
            {mcp::textBlock("Multiple content types test:"),
             mcp::imageBlock(png(), "image/png"),
             mcp::embeddedText(
                 "test://mixed-content-resource",
                 "application/json",
                 R"({"test":"data","value":123})"
             )}
        ))
    ));
    offer.add(makeTool(
        "test_error_handling",
        "Always fails",
        answering(
            Json::array({mcp::textBlock("This tool intentionally returns an error for testing")}),
            true
        )
    ));
    offer.add(makeTool("test_tool_with_progress", "Tells its progress", &tellProgress));
    offer.add(makeTool("test_tool_with_logging", "Logs three lines", &tellLog));
    offer.add(makeTool("test_logging_tool", "Logs three lines", &tellLog));
    offer.add(makeTool(
        "test_sampling",
        "Asks the client's model",
        &sample,
        R"({"prompt": {"type": "string"}})",
        R"(["prompt"])"
    ));
    offer.add(makeTool(
        "test_elicitation",
        "Asks the client's person",
        &elicitUser,
        R"({"message": {"type": "string"}})",
        R"(["message"])"
    ));
    offer.add(makeTool(
        "test_elicitation_sep1034_defaults",
        "A form with defaults",
        [](std::shared_ptr<Call> call, Json) {
            return elicit(std::move(call), "Please review", Json::parse(kDefaultsForm));
        }
    ));
    offer.add(makeTool(
        "test_elicitation_sep1330_enums",
        "A form with choices",
        [](std::shared_ptr<Call> call, Json) {
            return elicit(std::move(call), "Please choose", Json::parse(kEnumsForm));
        }
    ));
    offer.add(makeTool(
        "test_streaming_elicitation",
        "A form in the modern era",
        [](std::shared_ptr<Call> call, Json) {
            return elicit(std::move(call), "Please review", Json::parse(kDefaultsForm));
        }
    ));
    mcp::Tool schema = makeTool(
        "json_schema_2020_12_tool",
        "Has keywords of JSON Schema 2020-12",
        answering(Json::array({mcp::textBlock("ok")}))
    );
    schema.inputSchema = Json::parse(kJsonSchemaTool);
    offer.add(std::move(schema));
    offer.add(makeTool("test_reconnection", "Lets go of its stream", &reconnect));
    offer.add(makeTool("test_missing_capability", "Needs sampling", &needSampling));
    offer.add(makeTool(
        "test_x_mcp_header",
        "Has an argument that is mirrored in a header",
        answering(Json::array({mcp::textBlock("ok")})),
        R"({"region": {"type": "string", "x-mcp-header": "Region"},
            "level": {"type": "integer"}})"
    ));
    const auto changing = [&offer](mcp::Change::Of of) {
        return [&offer, of](std::shared_ptr<Call>, Json) -> asio::awaitable<ToolReply> {
            offer.changed({of, {}});
            co_return textResult("changed");
        };
    };
    offer.add(makeTool(
        "test_trigger_tool_change", "Says that tools changed", changing(mcp::Change::Of::Tools)
    ));
    offer.add(makeTool(
        "test_trigger_prompt_change",
        "Says that prompts changed",
        changing(mcp::Change::Of::Prompts)
    ));
}

void addResources(mcp::Offer& offer)
{
    struct Row {
        const char* uri;
        const char* mediaType;
        std::string content;
        bool isText;
    };
    const std::vector<Row> rows{
        {"test://static-text",
         "text/plain",
         "This is the content of the static text resource.",
         true},
        {"test://static-binary", "image/png", png(), false},
        {"test://watched-resource", "text/plain", "Watched resource content", true},
    };
    for (const Row& row : rows) {
        mcp::Resource resource;
        resource.uri = row.uri;
        resource.name = row.uri;
        resource.description = "For the suite";
        resource.mediaType = row.mediaType;
        resource.read = [row](std::shared_ptr<Call>) -> asio::awaitable<Reply> {
            co_return Json::array(
                {row.isText ? mcp::textContents(row.uri, row.mediaType, row.content)
                            : mcp::blobContents(row.uri, row.mediaType, row.content)}
            );
        };
        offer.add(std::move(resource));
    }
    mcp::ResourceTemplate family;
    family.uriTemplate = "test://template/{id}/data";
    family.name = "template";
    family.description = "For the suite";
    family.mediaType = "application/json";
    family.read = [](std::shared_ptr<Call> call,
                     mcp::ResourceTemplate::Variables variables) -> asio::awaitable<Reply> {
        Json data;
        data["id"] = variables["id"];
        data["templateTest"] = true;
        data["data"] = "Data for ID: " + variables["id"];
        co_return Json::array(
            {mcp::textContents(call->param("uri"), "application/json", data.dump())}
        );
    };
    offer.add(std::move(family));
}

mcp::Prompt makePrompt(
    const char* name,
    std::vector<std::string> arguments,
    std::function<Json(const Json& arguments)> messages
)
{
    mcp::Prompt prompt;
    prompt.name = name;
    prompt.description = "For the suite";
    for (std::string& argument : arguments)
        prompt.arguments.push_back({std::move(argument), {}, "For the suite", true});
    prompt.complete = [](const std::string&, const std::string&) {
        return std::vector<std::string>();
    };
    prompt.handler = [messages = std::move(messages)](
                         std::shared_ptr<Call>, Json given
                     ) -> asio::awaitable<Reply> { co_return messages(given); };
    return prompt;
}

void addPrompts(mcp::Offer& offer)
{
    offer.add(makePrompt("test_simple_prompt", {}, [](const Json&) {
        return Json::array({userMessage(mcp::textBlock("This is a simple prompt for testing."))});
    }));
    offer.add(makePrompt("test_prompt_with_arguments", {"arg1", "arg2"}, [](const Json& given) {
        return Json::array({userMessage(mcp::textBlock(
            "Prompt with arguments: arg1='" + given.value("arg1", "") + "', arg2='" +
            given.value("arg2", "") + "'"
        ))});
    }));
    offer.add(makePrompt(
        "test_prompt_with_embedded_resource",
        {"resourceUri"},
        [](const Json& given) {
            return Json::array(
                {userMessage(mcp::embeddedText(
                     given.value("resourceUri", ""),
                     "text/plain",
                     "Embedded resource content for testing."
                 )),
                 userMessage(mcp::textBlock("Please process the embedded resource above."))}
            );
        }
    ));
    offer.add(makePrompt("test_prompt_with_image", {}, [](const Json&) {
        return Json::array(
            {userMessage(mcp::imageBlock(png(), "image/png")),
             userMessage(mcp::textBlock("Please analyze the image above."))}
        );
    }));
}

} // namespace

mcp::Tool makeTool(
    std::string name,
    std::string description,
    ToolHandler handler,
    const char* properties,
    const char* required
)
{
    mcp::Tool tool;
    tool.name = std::move(name);
    tool.describe = [description = std::move(description)] { return description; };
    tool.inputSchema["type"] = "object";
    tool.inputSchema["properties"] = Json::parse(properties);
    tool.inputSchema["required"] = Json::parse(required);
    tool.handler = std::move(handler);
    return tool;
}

ToolResult textResult(std::string text)
{
    return {std::move(text), nullptr, false};
}

Json samplingRequest(const std::string& prompt, int maxTokens)
{
    Json request;
    request["method"] = "sampling/createMessage";
    request["params"]["messages"] = Json::array({userMessage(mcp::textBlock(prompt))});
    request["params"]["maxTokens"] = maxTokens;
    return request;
}

Json formRequest(const std::string& message, const std::string& name, const std::string& type)
{
    Json schema;
    schema["type"] = "object";
    schema["properties"][name]["type"] = type;
    schema["required"] = Json::array({name});
    return mcp::elicitation(message, std::move(schema));
}

Json answered(const Call& call, const std::string& key, const std::string& name, Json::value_t type)
{
    const Json answer = call.responses.value(key, Json());
    if (!answer.is_object() || answer.value("action", Json()) != "accept")
        return nullptr;
    const Json content = answer.value("content", Json());
    const Json value = content.is_object() ? content.value(name, Json()) : Json();
    return value.type() == type ? value : Json();
}

void addFixtures(mcp::Offer& offer)
{
    offer.logs = true;
    addTools(offer);
    addResources(offer);
    addPrompts(offer);
}

} // namespace belljar::conformance
