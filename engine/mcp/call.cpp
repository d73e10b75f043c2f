// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/call.h"

#include <array>

namespace belljar::mcp {

namespace {

constexpr std::array<std::string_view, 8> kLevels{
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

/// Members of `required` that `declared` lacks, at any depth.
Json lacking(const Json& declared, const Json& required)
{
    Json missing;
    for (const auto& [name, wanted] : required.items()) {
        const auto found = declared.is_object() ? declared.find(name) : declared.end();
        if (!declared.is_object() || found == declared.end() || found->is_null()) {
            missing[name] = wanted;
            continue;
        }
        if (const Json inner = lacking(*found, wanted); !inner.is_null())
            missing[name] = inner;
    }
    return missing;
}

} // namespace

std::string_view nameOf(LogLevel level)
{
    return kLevels.at(static_cast<std::size_t>(level));
}

std::optional<LogLevel> logLevelFromName(std::string_view name)
{
    for (std::size_t index = 0; index < kLevels.size(); ++index) {
        if (kLevels.at(index) == name)
            return static_cast<LogLevel>(index);
    }
    return {};
}

Json elicitation(std::string message, Json requestedSchema)
{
    Json request;
    request["method"] = "elicitation/create";
    request["params"]["mode"] = "form";
    request["params"]["message"] = std::move(message);
    request["params"]["requestedSchema"] = std::move(requestedSchema);
    return request;
}

void Call::progress(std::string message)
{
    if (progressToken.is_null())
        return;
    Json told;
    told["progressToken"] = progressToken;
    told["progress"] = ++m_told;
    if (revision->progressMessage)
        told["message"] = std::move(message);
    notify("notifications/progress", std::move(told));
}

void Call::progress(double value, double total)
{
    if (progressToken.is_null())
        return;
    Json told;
    told["progressToken"] = progressToken;
    told["progress"] = value;
    told["total"] = total;
    notify("notifications/progress", std::move(told));
}

void Call::log(LogLevel level, Json data)
{
    if (!logLevel || level < *logLevel)
        return;
    Json told;
    told["level"] = nameOf(level);
    told["logger"] = "belljar";
    told["data"] = std::move(data);
    notify("notifications/message", std::move(told));
}

Json Call::undeclared(const Json& required) const
{
    return lacking(capabilities, required);
}

bool Call::canElicit() const
{
    static const Json form = Json::parse(R"({"elicitation":{"form":{}}})");
    return undeclared(form).is_null();
}

const Json& Call::param(std::string_view key) const
{
    static const Json none;
    const auto found = params.find(key);
    return found == params.end() ? none : *found;
}

const Json& Call::meta() const
{
    static const Json none = Json::object();
    const Json& meta = param("_meta");
    return meta.is_object() ? meta : none;
}

Json normalCapabilities(Json capabilities)
{
    if (!capabilities.is_object())
        return Json::object();
    if (const auto asking = capabilities.find("elicitation");
        asking != capabilities.end() && asking->is_object() && asking->empty())
        (*asking)["form"] = Json::object();
    return capabilities;
}

Json undeclaredFor(const Call& call, const Json& requests)
{
    Json needed = Json::object();
    for (const auto& [key, request] : requests.items()) {
        const std::string method = request.value("method", "");
        const std::string family = method.substr(0, method.find('/'));
        if (family == "elicitation")
            needed[family][request["params"].value("mode", "form")] = Json::object();
        else
            needed[family] = Json::object(); // sampling, roots
    }
    return call.undeclared(needed);
}

RpcError missingCapability(Json missing)
{
    Json data;
    data["requiredCapabilities"] = std::move(missing);
    return {
        kMissingCapability,
        "this needs capabilities that the client did not declare: " +
            data["requiredCapabilities"].dump(),
        data};
}

} // namespace belljar::mcp
