// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/jsonrpc.h"

#include <utility>

namespace belljar::mcp {

namespace {

constexpr JsonLimits kLineLimits{16U * 1024 * 1024, 128};

Parsed::Element refuse(int code, std::string message, Json id = nullptr)
{
    Parsed::Element element;
    element.error = RpcError{code, std::move(message), {}};
    element.id = std::move(id);
    return element;
}

Parsed::Element parseMessage(Json& json)
{
    if (!json.is_object())
        return refuse(kInvalidRequest, "a message has to be a JSON object");
    const bool hasId = json.contains("id");
    Json id = hasId && isId(json["id"]) ? json["id"] : Json();
    if (json.value("jsonrpc", Json()) != "2.0")
        return refuse(kInvalidRequest, "jsonrpc: expected \"2.0\"", std::move(id));
    if (hasId && id.is_null())
        return refuse(kInvalidRequest, "id: expected a text or a whole number");
    Message message;
    message.id = std::move(id);
    if (!json.contains("method")) {
        if (!json.contains("result") && !json.contains("error"))
            return refuse(kInvalidRequest, "method: is required", message.id);
        message.kind = MessageKind::Response;
        message.result = json.value("result", Json());
        return {std::move(message), {}, {}};
    }
    if (!json["method"].is_string())
        return refuse(kInvalidRequest, "method: expected a text", message.id);
    message.method = json["method"].get<std::string>();
    if (const auto params = json.find("params"); params != json.end()) {
        if (!params->is_object())
            return refuse(kInvalidRequest, "params: expected an object", message.id);
        message.params = std::move(*params);
    }
    message.kind = hasId ? MessageKind::Request : MessageKind::Notification;
    return {std::move(message), {}, {}};
}

} // namespace

bool isId(const Json& value)
{
    return value.is_string() || value.is_number_integer();
}

Parsed parseLine(std::string_view line)
{
    Parsed parsed;
    auto json = parseJson(line, kLineLimits);
    if (!json) {
        parsed.elements.push_back(refuse(kParseError, json.error().message()));
        return parsed;
    }
    if (!json->is_array()) {
        parsed.elements.push_back(parseMessage(*json));
        return parsed;
    }
    parsed.batch = true;
    if (json->empty())
        parsed.elements.push_back(
            refuse(kInvalidRequest, "a batch has to hold at least one message")
        );
    for (Json& element : *json)
        parsed.elements.push_back(parseMessage(element));
    return parsed;
}

Json resultMessage(const Json& id, Json result)
{
    Json message;
    message["jsonrpc"] = "2.0";
    message["id"] = id;
    message["result"] = std::move(result);
    return message;
}

Json errorMessage(const Json& id, const RpcError& error)
{
    Json message;
    message["jsonrpc"] = "2.0";
    if (!id.is_null())
        message["id"] = id;
    message["error"]["code"] = error.code;
    message["error"]["message"] = error.message;
    if (!error.data.is_null())
        message["error"]["data"] = error.data;
    return message;
}

Json requestMessage(const Json& id, std::string method, Json params)
{
    Json message = notificationMessage(std::move(method), std::move(params));
    message["id"] = id;
    return message;
}

Json notificationMessage(std::string method, Json params)
{
    Json message;
    message["jsonrpc"] = "2.0";
    message["method"] = std::move(method);
    message["params"] = std::move(params);
    return message;
}

} // namespace belljar::mcp
