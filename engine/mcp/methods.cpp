// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/methods.h"

#include "engine/base/base64.h"
#include "engine/base/text.h"
#include "engine/mcp/rounds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "belljar_version.h"

namespace belljar::mcp {

namespace {

constexpr std::size_t kMostCompletions = 100; // SPEC.md section 1.9
constexpr std::size_t kMaxQuotedBytes = 100;  // of what a client sent, in an error
constexpr std::int64_t kLongestTaskMs = 24LL * 3600 * 1000;

std::string quoted(const Json& value)
{
    return escapeForLine(prefixWithin(value.dump(), kMaxQuotedBytes));
}

RpcError invalid(std::string message)
{
    return {kInvalidParams, std::move(message), {}};
}

bool isText(const Json& value)
{
    return value.is_string();
}

void put(Json& object, const char* key, const std::string& text)
{
    if (!text.empty())
        object[key] = text;
}

// Descriptions

Json describe(const Tool& tool, const Revision& revision)
{
    Json json;
    json["name"] = tool.name;
    json["description"] = tool.describe ? tool.describe() : std::string();
    json["inputSchema"] = tool.inputSchema;
    if (revision.titles) {
        put(json, "title", tool.title);
        if (!tool.meta.is_null())
            json["_meta"] = tool.meta;
    }
    if (revision.icons && !tool.icons.is_null())
        json["icons"] = tool.icons;
    if (revision.toolAnnotations && tool.annotations.is_object()) {
        json["annotations"] = tool.annotations;
        put(json["annotations"], "title", tool.title);
    }
    if (revision.structuredContent && !tool.outputSchema.is_null())
        json["outputSchema"] = tool.outputSchema;
    if (revision.tasks) {
        static constexpr std::array kSupport{"forbidden", "optional", "required"};
        json["execution"]["taskSupport"] = kSupport.at(static_cast<std::size_t>(tool.taskSupport));
    }
    return json;
}

Json describe(const Prompt& prompt, const Revision& revision)
{
    Json json;
    json["name"] = prompt.name;
    put(json, "description", prompt.description);
    if (revision.titles)
        put(json, "title", prompt.title);
    json["arguments"] = Json::array();
    for (const Prompt::Argument& argument : prompt.arguments) {
        Json& one = json["arguments"].emplace_back();
        one["name"] = argument.name;
        put(one, "description", argument.description);
        one["required"] = argument.required;
        if (revision.titles)
            put(one, "title", argument.title);
    }
    return json;
}

Json describe(const Resource& resource, const Revision& revision)
{
    Json json;
    json["uri"] = resource.uri;
    json["name"] = resource.name;
    put(json, "description", resource.description);
    put(json, "mimeType", resource.mediaType);
    if (revision.titles) {
        put(json, "title", resource.title);
        if (!resource.meta.is_null())
            json["_meta"] = resource.meta;
    }
    return json;
}

Json describe(const ResourceTemplate& family, const Revision& revision)
{
    Json json;
    json["uriTemplate"] = family.uriTemplate;
    json["name"] = family.name;
    put(json, "description", family.description);
    put(json, "mimeType", family.mediaType);
    if (revision.titles)
        put(json, "title", family.title);
    return json;
}

/// `key` of the result with a page of `all`.
template <class Row>
Reply listOf(const char* key, const std::vector<const Row*>& all, const Call& call)
{
    const auto page = pageAt(key, all.size(), call.param("cursor"));
    if (!page)
        return invalid("cursor: " + quoted(call.param("cursor")) + " is none of this list's");
    Json result;
    result[key] = Json::array();
    for (std::size_t index = page->first; index < page->end; ++index)
        result[key].push_back(describe(*all[index], *call.revision));
    if (!page->next.empty())
        result["nextCursor"] = page->next;
    return result;
}

template <class Row>
std::vector<const Row*> pointersTo(const std::vector<Row>& rows)
{
    std::vector<const Row*> all;
    for (const Row& row : rows)
        all.push_back(&row);
    return all;
}

asio::awaitable<Reply> listTools(const Offer& offer, std::shared_ptr<Call> call)
{
    co_return listOf("tools", pointersTo(offer.tools()), *call);
}

asio::awaitable<Reply> listPrompts(const Offer& offer, std::shared_ptr<Call> call)
{
    co_return listOf("prompts", pointersTo(offer.prompts()), *call);
}

asio::awaitable<Reply> listResources(const Offer& offer, std::shared_ptr<Call> call)
{
    std::vector<const Resource*> listed = pointersTo(offer.resources());
    std::erase_if(listed, [](const Resource* resource) { return !resource->listed; });
    co_return listOf("resources", listed, *call);
}

asio::awaitable<Reply> listTemplates(const Offer& offer, std::shared_ptr<Call> call)
{
    co_return listOf("resourceTemplates", pointersTo(offer.templates()), *call);
}

// Tools

Json encode(ToolResult result, const Revision& revision)
{
    Json json;
    json["content"] = Json::array();
    for (Json& block : result.content)
        json["content"].push_back(blockFor(std::move(block), revision));
    // Older revisions don't know it, but their schemas allow it and their clients ignore it.
    if (!result.structured.is_null())
        json["structuredContent"] = std::move(result.structured);
    json["isError"] = result.isError;
    return json;
}

Reply failedTool(std::string why)
{
    Json json;
    json["content"] = Json::array({textBlock(std::move(why))});
    json["isError"] = true;
    return json;
}

Reply failedRequest(std::string why)
{
    return RpcError{kInvalidRequest, std::move(why), {}};
}

std::chrono::milliseconds askedTimeToLive(const Call& call)
{
    const Json& task = call.param("task");
    const Json ttl = task.is_object() ? task.value("ttl", Json()) : Json();
    if (!ttl.is_number_integer())
        return Tasks::kTimeToLive;
    return std::chrono::milliseconds(
        std::clamp<std::int64_t>(ttl.get<std::int64_t>(), 1000, kLongestTaskMs)
    );
}

Reply beginTask(const Offer& offer, const Call& call, Handler work, std::string statusMessage)
{
    const TaskState* const task = offer.tasks().begin(
        call, std::move(work), &failedTool, std::move(statusMessage), askedTimeToLive(call)
    );
    if (!task)
        return RpcError{kInternalError, "too many tasks are kept already; try again later", {}};
    Json json = taskJson(*task);
    if (call.taskForm == TaskForm::Extension) {
        json["resultType"] = "task";
        json["ttlMs"] = task->timeToLive.count();
        json["pollIntervalMs"] = task->pollInterval.count();
        return json;
    }
    json["ttl"] = task->timeToLive.count();
    json["pollInterval"] = task->pollInterval.count();
    Json result;
    result["task"] = std::move(json);
    return result;
}

Reply replyOf(const Offer& offer, const Call& call, ToolReply reply)
{
    if (auto* const result = std::get_if<ToolResult>(&reply))
        return encode(std::move(*result), *call.revision);
    if (auto* const question = std::get_if<InputRequired>(&reply))
        return std::move(*question);
    if (auto* const error = std::get_if<RpcError>(&reply))
        return std::move(*error);
    GoesOn& goesOn = std::get<GoesOn>(reply);
    Handler work = [&offer, work = std::move(goesOn.work)](std::shared_ptr<Call> of
                   ) -> asio::awaitable<Reply> {
        ToolReply later = co_await work(of);
        co_return replyOf(offer, *of, std::move(later));
    };
    return beginTask(offer, call, std::move(work), std::move(goesOn.statusMessage));
}

/// What is wrong with how a call of `tool` wants to be a task; nothing: it may be what it wants.
std::optional<RpcError> problemWithTask(const Tool& tool, const Call& call)
{
    const bool asTask = call.taskForm != TaskForm::None;
    if (tool.taskSupport == TaskSupport::Required && !asTask) {
        if (!call.revision->stateless)
            return RpcError{kMethodNotFound, tool.name + " can only be called as a task", {}};
        Json needed;
        needed["extensions"][std::string(kTasksExtension)] = Json::object();
        return missingCapability(std::move(needed));
    }
    if (tool.taskSupport == TaskSupport::Forbidden && call.taskForm == TaskForm::Experimental)
        return RpcError{kMethodNotFound, tool.name + " can't be called as a task", {}};
    return {};
}

asio::awaitable<Reply> callTool(const Offer& offer, std::shared_ptr<Call> call)
{
    const Json& name = call->param("name");
    const Tool* const tool =
        name.is_string() ? offer.findTool(name.get_ref<const std::string&>()) : nullptr;
    if (!tool)
        co_return unknown("tool", name);
    const Json& given = call->param("arguments");
    if (!given.is_null() && !given.is_object())
        co_return invalid("arguments: expected an object");
    if (auto problem = problemWithTask(*tool, *call))
        co_return std::move(*problem);
    if (std::optional<ToolResult> refused = offer.refusalFor(call->client))
        co_return encode(std::move(*refused), *call->revision);
    if (tool->taskSupport == TaskSupport::Forbidden)
        call->taskForm = TaskForm::None;
    Handler handler = [&offer, tool](std::shared_ptr<Call> of) -> asio::awaitable<Reply> {
        const Json& sent = of->param("arguments");
        Json arguments = sent.is_null() ? Json::object() : sent;
        ToolReply reply = co_await tool->handler(of, std::move(arguments));
        co_return replyOf(offer, *of, std::move(reply));
    };
    // There the client decides and hears of the task at once; in the extension the tool does.
    if (call->taskForm == TaskForm::Experimental)
        co_return beginTask(offer, *call, std::move(handler), {});
    co_return co_await inRounds(call, std::move(handler), &failedTool);
}

// Prompts

asio::awaitable<Reply> getPrompt(const Offer& offer, std::shared_ptr<Call> call)
{
    const Json& name = call->param("name");
    const Prompt* const prompt =
        name.is_string() ? offer.findPrompt(name.get_ref<const std::string&>()) : nullptr;
    if (!prompt)
        co_return unknown("prompt", name);
    const Json& given = call->param("arguments");
    Json arguments = given.is_null() ? Json::object() : given;
    if (!arguments.is_object() || !std::all_of(arguments.begin(), arguments.end(), isText))
        co_return invalid("arguments: expected an object of texts");
    for (const Prompt::Argument& argument : prompt->arguments) {
        if (argument.required && arguments.value(argument.name, "").empty())
            co_return invalid("arguments." + argument.name + ": is required");
    }
    Handler handler = [prompt, arguments](std::shared_ptr<Call> of) -> asio::awaitable<Reply> {
        Json copy = arguments;
        co_return co_await prompt->handler(std::move(of), std::move(copy));
    };
    Reply reply = co_await inRounds(call, std::move(handler), &failedRequest);
    if (auto* const messages = std::get_if<Json>(&reply)) {
        for (Json& message : *messages)
            message["content"] = blockFor(std::move(message["content"]), *call->revision);
        Json result;
        put(result, "description", prompt->description);
        result["messages"] = std::move(*messages);
        co_return result;
    }
    co_return reply;
}

// Resources

RpcError noResource(const Call& call, const Json& uri, std::string message)
{
    RpcError error{call.revision->missingResource, std::move(message), {}};
    error.data["uri"] = uri;
    return error;
}

asio::awaitable<Reply> readResource(const Offer& offer, std::shared_ptr<Call> call)
{
    const Json uri = call->param("uri");
    if (!uri.is_string())
        co_return invalid("uri: expected a text");
    const auto& text = uri.get_ref<const std::string&>();
    Handler handler;
    for (const Resource& resource : offer.resources()) {
        if (resource.uri == text)
            handler = resource.read;
    }
    for (const ResourceTemplate& family : offer.templates()) {
        if (handler)
            break;
        if (auto variables = family.match(text)) {
            handler = [&family, variables = std::move(*variables)](std::shared_ptr<Call> of
                      ) -> asio::awaitable<Reply> {
                ResourceTemplate::Variables copy = variables;
                co_return co_await family.read(std::move(of), std::move(copy));
            };
        }
    }
    if (!handler)
        co_return noResource(*call, uri, "uri: no resource " + quoted(uri));
    Reply reply = co_await inRounds(call, std::move(handler), &failedRequest);
    if (auto* const contents = std::get_if<Json>(&reply)) {
        Json result;
        result["contents"] = std::move(*contents);
        co_return result;
    }
    if (auto* const error = std::get_if<RpcError>(&reply);
        error && error->code == kResourceNotFound)
        co_return noResource(*call, uri, std::move(error->message));
    co_return reply;
}

// Completion

asio::awaitable<Reply> complete(const Offer& offer, std::shared_ptr<Call> call)
{
    const Json& ref = call->param("ref");
    const Json& argument = call->param("argument");
    if (!ref.is_object() || !argument.is_object() || !isText(argument.value("name", Json())) ||
        !isText(argument.value("value", Json())))
        co_return invalid("ref and argument: expected objects, the latter with name and value");
    const Json type = ref.value("type", Json());
    const Completer* completer = nullptr;
    if (type == "ref/prompt") {
        const Json name = ref.value("name", Json());
        const Prompt* const prompt =
            name.is_string() ? offer.findPrompt(name.get_ref<const std::string&>()) : nullptr;
        if (!prompt)
            co_return unknown("prompt", name);
        completer = &prompt->complete;
    } else if (type == "ref/resource") {
        const Json uri = ref.value("uri", Json());
        static const Completer nothing;
        for (const ResourceTemplate& family : offer.templates()) {
            if (uri == family.uriTemplate)
                completer = &family.complete;
        }
        for (const Resource& resource : offer.resources()) {
            if (uri == resource.uri)
                completer = &nothing;
        }
        if (!completer)
            co_return unknown("resource", uri);
    } else {
        co_return invalid("ref.type: expected ref/prompt or ref/resource");
    }
    std::vector<std::string> values;
    if (*completer)
        values = (*completer)(argument["name"].get<std::string>(), argument["value"]);
    Json result;
    Json& completion = result["completion"];
    completion["total"] = values.size();
    completion["hasMore"] = values.size() > kMostCompletions;
    values.resize(std::min(values.size(), kMostCompletions));
    completion["values"] = std::move(values);
    co_return result;
}

// What they need

bool offersTools(const Offer& offer)
{
    return !offer.tools().empty();
}

bool offersResources(const Offer& offer)
{
    return offer.hasResources();
}

bool offersPrompts(const Offer& offer)
{
    return !offer.prompts().empty();
}

bool offersCompletion(const Offer& offer)
{
    const auto completes = [](const auto& row) { return static_cast<bool>(row.complete); };
    return std::any_of(offer.prompts().begin(), offer.prompts().end(), completes) ||
           std::any_of(offer.templates().begin(), offer.templates().end(), completes);
}

constexpr std::array kMethods{
    // clang-format off
    //     name                        offered           mirrored caching          handle
    Method{"tools/call",               &offersTools,     "name",  Caching::None,  &callTool},
    Method{"tools/list",               &offersTools,     "",      Caching::Lists, &listTools},
    Method{"resources/read",           &offersResources, "uri",   Caching::Stale, &readResource},
    Method{"resources/list",           &offersResources, "",      Caching::Lists, &listResources},
    Method{"resources/templates/list", &offersResources, "",      Caching::Lists, &listTemplates},
    Method{"prompts/get",              &offersPrompts,   "name",  Caching::None,  &getPrompt},
    Method{"prompts/list",             &offersPrompts,   "",      Caching::Lists, &listPrompts},
    Method{"completion/complete",      &offersCompletion,"",      Caching::None,  &complete},
    // clang-format on
};

} // namespace

const Method* findMethod(std::string_view name)
{
    const auto* const found =
        std::find_if(kMethods.begin(), kMethods.end(), [name](const Method& method) {
            return method.name == name;
        });
    return found == kMethods.end() ? nullptr : found;
}

std::optional<Page> pageAt(std::string_view list, std::size_t size, const Json& cursor)
{
    // The name of the list is part of the cursor: one list's is none of another's.
    const std::string label = std::string(list) + " ";
    Page page;
    if (!cursor.is_null()) {
        const auto text = cursor.is_string()
                              ? fromBase64(cursor.get_ref<const std::string&>(), Base64::Url)
                              : std::nullopt;
        if (!text || !text->starts_with(label))
            return {};
        const char* const end = text->data() + text->size();
        const auto [stop, error] = std::from_chars(text->data() + label.size(), end, page.first);
        if (error != std::errc() || stop != end || page.first % kPageSize != 0 || page.first == 0)
            return {};
    }
    page.first = std::min(page.first, size); // it may have shrunk meanwhile
    page.end = std::min(page.first + kPageSize, size);
    if (page.end < size)
        page.next = toBase64(label + std::to_string(page.end), Base64::Url);
    return page;
}

Json implementationOf(const Offer& offer, const Revision& revision)
{
    Json info;
    info["name"] = offer.serverName;
    info["version"] = kVersion;
    if (revision.titles)
        info["title"] = offer.serverTitle;
    if (revision.icons) {
        info["description"] = offer.serverDescription;
        if (!offer.icons.is_null())
            info["icons"] = offer.icons;
    }
    return info;
}

Json capabilitiesOf(const Offer& offer, const Revision& revision)
{
    Json capabilities = Json::object();
    if (offersTools(offer))
        capabilities["tools"]["listChanged"] = true;
    if (offersResources(offer)) {
        capabilities["resources"]["listChanged"] = true;
        capabilities["resources"]["subscribe"] = true;
    }
    if (offersPrompts(offer))
        capabilities["prompts"]["listChanged"] = true;
    if (revision.completions && offersCompletion(offer))
        capabilities["completions"] = Json::object();
    if (offer.logs)
        capabilities["logging"] = Json::object();
    if (revision.tasks && offer.hasTasks()) {
        Json& tasks = capabilities["tasks"];
        tasks["list"] = Json::object();
        tasks["cancel"] = Json::object();
        tasks["requests"]["tools"]["call"] = Json::object();
    }
    if (!offer.extensions.empty())
        capabilities["extensions"] = offer.extensions;
    if (revision.stateless && offer.hasTasks())
        capabilities["extensions"][std::string(kTasksExtension)] = Json::object();
    return capabilities;
}

std::string isoTime(execution::UnixMs at)
{
    const std::time_t seconds = at / 1000;
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    std::array<char, 40> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    const std::string thousandths = std::to_string(1000 + at % 1000);
    return std::string(text.data(), size) + "." + thousandths.substr(1) + "Z";
}

Json taskJson(const TaskState& task)
{
    Json json;
    json["taskId"] = task.id;
    json["status"] = nameOf(task.status);
    put(json, "statusMessage", task.statusMessage);
    json["createdAt"] = isoTime(task.createdAt);
    json["lastUpdatedAt"] = isoTime(task.updatedAt);
    return json;
}

RpcError unknown(std::string_view what, const Json& name)
{
    return invalid("no " + std::string(what) + " " + quoted(name));
}

} // namespace belljar::mcp
