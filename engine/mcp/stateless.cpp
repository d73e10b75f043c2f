// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/stateless.h"

#include "engine/base/base64.h"
#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/mcp/session.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::mcp {

namespace {

using namespace std::chrono_literals;

constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kClientKey = "io.modelcontextprotocol/clientInfo";
constexpr const char* kLogLevelKey = "io.modelcontextprotocol/logLevel";
constexpr const char* kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr const char* kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";
constexpr std::string_view kParamField = "Mcp-Param-";
constexpr const char* kMirrorKey = "x-mcp-header";
constexpr std::chrono::milliseconds kListsGoodFor = 60s;
constexpr std::size_t kMaxWatched = 1000; // resources or tasks of one subscription

RpcError invalid(std::string message)
{
    return {kInvalidParams, std::move(message), {}};
}

const Json& metaOf(const Message& message)
{
    static const Json none;
    const auto meta = message.params.find("_meta");
    return meta != message.params.end() && meta->is_object() ? *meta : none;
}

/// The status of an answer with `error` once the request was taken (SPEC.md section 2.10).
int statusOf(const RpcError& error)
{
    struct Row {
        int code;
        int status;
    };
    constexpr std::array kRows{Row{kMissingCapability, 400}, Row{kMethodNotFound, 404}};
    for (const Row& row : kRows) {
        if (row.code == error.code)
            return row.status;
    }
    return 200;
}

/// What a field says, taken out of `=?base64?...?=` where it is in there. Nothing: it is broken.
std::optional<std::string> decodedField(std::string_view value)
{
    constexpr std::string_view kOpen = "=?base64?";
    constexpr std::string_view kClose = "?=";
    if (value.size() < kOpen.size() + kClose.size() || !value.starts_with(kOpen) ||
        !value.ends_with(kClose))
        return std::string(value);
    value.remove_prefix(kOpen.size());
    value.remove_suffix(kClose.size());
    auto text = fromBase64(value);
    return text && isValidUtf8(*text) ? text : std::nullopt;
}

RpcError mismatch(std::string_view field, std::string_view why)
{
    return {kHeaderMismatch, std::string(field) + ": " + std::string(why), {}};
}

/// Compares a field with what the body says; `expected` null: the field has to be absent.
std::optional<RpcError>
fieldProblem(const FieldOf& fieldOf, const std::string& field, const Json& expected)
{
    const auto sent = fieldOf(field);
    if (expected.is_null())
        return sent ? std::optional(mismatch(field, "the body has no such value")) : std::nullopt;
    if (!sent)
        return mismatch(field, "is required");
    const auto value = decodedField(*sent);
    if (!value)
        return mismatch(field, "is not well encoded");
    bool same = false;
    if (expected.is_string()) {
        same = *value == expected.get_ref<const std::string&>();
    } else {
        const Json number = Json::parse(*value, nullptr, false); // "42" is 42.0
        same = number == expected;
    }
    return same ? std::nullopt : std::optional(mismatch(field, "differs from the body"));
}

/// Looks at the arguments that the tool's schema wants repeated in fields (SPEC.md section 2.10).
std::optional<RpcError>
argumentsProblem(const FieldOf& fieldOf, const Json& schema, const Json& arguments)
{
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->is_object())
        return {};
    for (const auto& [name, property] : properties->items()) {
        if (!property.is_object())
            continue;
        const Json argument = arguments.is_object() ? arguments.value(name, Json()) : Json();
        const Json header = property.value(kMirrorKey, Json());
        auto problem =
            header.is_string()
                ? fieldProblem(
                      fieldOf, std::string(kParamField) + header.get<std::string>(), argument
                  )
                : argumentsProblem(fieldOf, property, argument);
        if (problem)
            return problem;
    }
    return {};
}

/// A task as tasks/get and its notification tell of it (SPEC.md section 3.1).
Json extensionTask(const TaskState& task)
{
    Json json = taskJson(task);
    json["ttlMs"] = task.timeToLive.count();
    json["pollIntervalMs"] = task.pollInterval.count();
    if (task.status == TaskStatus::InputRequired)
        json["inputRequests"] = task.requests;
    if (task.status == TaskStatus::Completed) {
        json["result"] = task.result;
        json["result"].emplace("resultType", "complete");
    }
    if (task.error) {
        json["error"]["code"] = task.error->code;
        json["error"]["message"] = task.error->message;
        if (!task.error->data.is_null())
            json["error"]["data"] = task.error->data;
    }
    return json;
}

Json tasksCapability()
{
    Json needed;
    needed["extensions"][std::string(kTasksExtension)] = Json::object();
    return needed;
}

/// The answers that a request brings to questions of an earlier one, and our note to ourselves.
/// Errors: what is wrong with them.
std::optional<RpcError>
readAnswers(Call& call, const std::string& method, const RequestState& states)
{
    const Json& responses = call.param("inputResponses");
    const bool absent = !call.params.contains("inputResponses");
    if (!absent && !responses.is_object())
        return invalid("inputResponses: expected an object");
    if (!absent)
        call.responses = responses;
    const Json& sealed = call.param("requestState");
    if (!call.params.contains("requestState"))
        return {};
    auto state = sealed.is_string()
                     ? states.open(sealed.get_ref<const std::string&>(), method, call)
                     : std::nullopt;
    if (!state)
        return invalid("requestState: is not one that was given for this request, or is too old");
    call.state = std::move(*state);
    return {};
}

} // namespace

bool claimsRevision(const Message& message)
{
    return metaOf(message).contains(kVersionKey);
}

bool isModernRevision(std::string_view name)
{
    return name >= modernRevision().name;
}

bool isModern(const Message& message)
{
    const Json& meta = metaOf(message);
    if (message.method != "initialize")
        return meta.contains(kVersionKey);
    // A legacy client may send a claim along without meaning it.
    const Json version = meta.is_object() ? meta.value(kVersionKey, Json()) : Json();
    return version.is_string() && isModernRevision(version.get_ref<const std::string&>()) &&
           meta.value(kCapabilitiesKey, Json()).is_object();
}

/// Who asks, as long as it asks now and then.
struct Stateless::Caller {
    execution::Client client;
    std::size_t inFlight = 0;
    SteadyClock::time_point lastUsed = SteadyClock::now();
};

struct Stateless::InFlight {
    Json id;
    std::string method;
    std::shared_ptr<Call> call;
    std::shared_ptr<Caller> caller; ///< null: it leaves no trace
    Sink sink;
    std::shared_ptr<void> listening; ///< of a subscription
    bool subscription = false;
};

/// What only this era has; the rest is in methods.h.
struct Stateless::Row {
    std::string_view name;
    bool (*offered)(const Offer&);
    std::string_view mirrored;
    bool needsTasks; ///< of the client
    Caching caching;
    asio::awaitable<Reply> (Stateless::*handle)(std::shared_ptr<Call> call); ///< null: it lasts
};

const std::vector<Stateless::Row>& Stateless::rows()
{
    constexpr auto always = [](const Offer&) { return true; };
    constexpr auto tasks = [](const Offer& offer) { return offer.hasTasks(); };
    static const std::vector<Row> table{
        // clang-format off
        {"server/discover",      always, "",       false, Caching::Lists, &Stateless::discover},
        {"subscriptions/listen", always, "",       false, Caching::None,  nullptr},
        {"tasks/get",            tasks,  "taskId", true,  Caching::None,  &Stateless::getTask},
        {"tasks/update",         tasks,  "taskId", true,  Caching::None,  &Stateless::updateTask},
        {"tasks/cancel",         tasks,  "taskId", true,  Caching::None,  &Stateless::cancelTask},
        // clang-format on
    };
    return table;
}

Stateless::Stateless(
    asio::any_io_executor executor,
    const Offer& offer,
    execution::Client origin,
    Events events,
    Limits limits
)
    : m_offer(offer)
    , m_origin(std::move(origin))
    , m_events(std::move(events))
    , m_limits(limits)
    , m_tasks(std::move(executor), "mcp stateless")
{}

Stateless::~Stateless() = default;

void Stateless::introduceBridge(const BridgeIntroduction& introduction)
{
    m_origin.pid = introduction.pid;
    m_origin.executable = introduction.executable;
    m_bridge = introduction.limits;
}

/// What is wrong with a request before its handler is asked, in the order of SPEC.md section 2.10.
std::optional<Stateless::Refusal>
Stateless::problemWith(const Message& message, const FieldOf& fieldOf) const
{
    const Json& meta = metaOf(message);
    const Json version = meta.is_object() ? meta.value(kVersionKey, Json()) : Json();
    if (!version.is_string())
        return Refusal{invalid("_meta: " + std::string(kVersionKey) + " is required, a text")};
    if (!meta.value(kCapabilitiesKey, Json()).is_object())
        return Refusal{
            invalid("_meta: " + std::string(kCapabilitiesKey) + " is required, an object")};
    const Json level = meta.value(kLogLevelKey, Json());
    if (!level.is_null() &&
        !(level.is_string() && logLevelFromName(level.get_ref<const std::string&>())))
        return Refusal{invalid("_meta: " + std::string(kLogLevelKey) + " is none of the levels")};
    if (fieldOf) {
        if (auto problem = fieldProblem(fieldOf, "MCP-Protocol-Version", version))
            return Refusal{std::move(*problem)};
    }
    if (version != modernRevision().name) {
        RpcError error{kUnsupportedVersion, "this revision is not spoken here", {}};
        error.data["supported"] = Json::array({modernRevision().name});
        error.data["requested"] = version;
        return Refusal{std::move(error)};
    }
    if (fieldOf) {
        if (auto problem = fieldProblem(fieldOf, "Mcp-Method", message.method))
            return Refusal{std::move(*problem)};
    }
    const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& one) {
        return one.name == message.method && one.offered(m_offer);
    });
    const Row* const own = row == rows().end() ? nullptr : &*row;
    const Method* const method = findMethod(message.method);
    if (!own && !(method && method->offered(m_offer)))
        return Refusal{
            {kMethodNotFound, "no method " + escapeForLine(prefixWithin(message.method, 100)), {}},
            404};
    const std::string_view mirrored = own ? own->mirrored : method->mirrored;
    const Json named = mirrored.empty() ? Json() : message.params.value(mirrored, Json());
    if (fieldOf && named.is_string()) {
        if (auto problem = fieldProblem(fieldOf, "Mcp-Name", named))
            return Refusal{std::move(*problem)};
    }
    if (own && own->needsTasks &&
        !meta[kCapabilitiesKey]
             .value("extensions", Json::object())
             .contains(std::string(kTasksExtension)))
        return Refusal{missingCapability(tasksCapability())};
    const Tool* const tool = fieldOf && message.method == "tools/call" && named.is_string()
                                 ? m_offer.findTool(named.get_ref<const std::string&>())
                                 : nullptr;
    if (tool) {
        const Json arguments = message.params.value("arguments", Json());
        if (auto problem = argumentsProblem(fieldOf, tool->inputSchema, arguments))
            return Refusal{std::move(*problem)};
    }
    return {};
}

std::function<void()> Stateless::receive(const Message& message, const FieldOf& fieldOf, Sink sink)
{
    if (auto problem = problemWith(message, fieldOf)) {
        sink.answer(errorMessage(message.id, problem->error), problem->status);
        return {};
    }
    if (m_inFlight.size() >= m_limits.inFlight) {
        sink.answer(
            errorMessage(
                message.id,
                {kInternalError, "too many requests are in flight already; wait for some", {}}
            ),
            200
        );
        return {};
    }
    const Row* own = nullptr;
    for (const Row& row : rows()) {
        if (row.name == message.method)
            own = &row;
    }
    const bool leavesTrace = !(own && own->handle == &Stateless::discover);
    const auto request = take(message, std::move(sink), leavesTrace);
    m_inFlight.insert(request);
    if (own && !own->handle) {
        subscribe(request);
    } else {
        const Method* const method = findMethod(message.method);
        m_tasks.spawn(
            message.method,
            run(
                shared_from_this(),
                request,
                [this, own, method](std::shared_ptr<Call> call) {
                    return own ? (this->*own->handle)(std::move(call))
                               : method->handle(m_offer, std::move(call));
                },
                own ? own->caching : method->caching
            )
        );
    }
    if (!m_inFlight.contains(request))
        return {};
    return [weak = weak_from_this(), asked = std::weak_ptr(request)] {
        const auto self = weak.lock();
        const auto open = asked.lock();
        if (self && open)
            self->cancel(open);
    };
}

std::shared_ptr<Stateless::InFlight> Stateless::take(const Message& message, Sink sink, bool known)
{
    const Json& meta = metaOf(message);
    auto request = std::make_shared<InFlight>();
    request->id = message.id;
    request->method = message.method;
    request->sink = std::move(sink);
    request->call = std::make_shared<Call>();
    if (known) {
        request->caller = callerOf(meta.value(kClientKey, Json()));
        ++request->caller->inFlight;
        request->caller->lastUsed = SteadyClock::now();
    }
    Call& call = *request->call;
    call.revision = &modernRevision();
    call.client = request->caller ? request->caller->client : m_origin;
    call.bridge = m_bridge;
    call.params = message.params;
    call.capabilities = normalCapabilities(meta.value(kCapabilitiesKey, Json()));
    if (m_offer.hasTasks() && call.undeclared(tasksCapability()).is_null())
        call.taskForm = TaskForm::Extension;
    if (const Json token = meta.value("progressToken", Json()); isId(token))
        call.progressToken = token;
    if (const Json level = meta.value(kLogLevelKey, Json()); level.is_string())
        call.logLevel = logLevelFromName(level.get_ref<const std::string&>());
    call.notify = [weak = weak_from_this(),
                   asked = std::weak_ptr(request)](std::string method, Json params) {
        const auto self = weak.lock();
        const auto open = asked.lock();
        if (self && open && self->m_inFlight.contains(open))
            open->sink.notify(notificationMessage(std::move(method), std::move(params)));
    };
    return request;
}

std::shared_ptr<Stateless::Caller> Stateless::callerOf(const Json& clientInfo)
{
    execution::Client client = m_origin;
    introduce(client, clientInfo);
    const std::string key = Json::array({client.name, client.title, client.version}).dump();
    if (const auto found = m_callers.find(key); found != m_callers.end())
        return found->second;
    if (m_callers.size() >= m_limits.clients) {
        const auto idle = std::find_if(m_callers.begin(), m_callers.end(), [](const auto& entry) {
            return entry.second->inFlight == 0;
        });
        if (idle != m_callers.end()) {
            const ClientId left = idle->second->client.id;
            m_callers.erase(idle);
            m_events.disconnected(left);
        }
    }
    client.id = ClientId::make();
    client.connectedAt = execution::unixNow();
    client.protocolRevision = modernRevision().name;
    auto caller = std::make_shared<Caller>();
    caller->client = client;
    m_callers.emplace(key, caller);
    log::mcp().info(
        "client={} name=\"{}\" revision={} pid={}",
        client.id.text(),
        log::safe(client.name),
        client.protocolRevision,
        client.pid
    );
    m_events.connected(client);
    if (m_limits.idle > 0ms && !std::exchange(m_dropping, true))
        m_tasks.spawn("idle clients", dropIdle(weak_from_this(), m_limits));
    return caller;
}

asio::awaitable<void> Stateless::dropIdle(std::weak_ptr<Stateless> of, Limits limits)
{
    for (;;) {
        co_await sleepUntil(deadlineIn(limits.idle / 4));
        const auto self = of.lock();
        if (!self)
            co_return;
        const auto since = SteadyClock::now() - limits.idle;
        std::vector<ClientId> left;
        for (const auto& [key, caller] : self->m_callers) {
            if (caller->inFlight == 0 && caller->lastUsed < since)
                left.push_back(caller->client.id);
        }
        for (const ClientId& id : left)
            self->disconnect(id);
    }
}

asio::awaitable<void> Stateless::run(
    std::shared_ptr<Stateless> self,
    std::shared_ptr<InFlight> request,
    std::function<asio::awaitable<Reply>(std::shared_ptr<Call>)> reading,
    Caching caching
)
{
    Reply reply;
    try {
        if (auto problem = readAnswers(*request->call, request->method, self->m_states))
            reply = std::move(*problem);
        else
            reply = co_await reading(request->call);
    } catch (const std::exception& bug) {
        log::mcp().error("method={} failed=\"{}\"", request->method, log::safe(bug.what()));
        reply = RpcError{kInternalError, "Belljar failed; its log says how", {}};
    }
    if (self->m_inFlight.contains(request))
        self->finish(request, std::move(reply), caching);
}

/// Adds what every result has in this era, and answers.
void Stateless::finish(const std::shared_ptr<InFlight>& request, Reply reply, Caching caching)
{
    const Call& call = *request->call;
    Json result;
    if (auto* const question = std::get_if<InputRequired>(&reply)) {
        Json missing = undeclaredFor(call, question->requests);
        if (missing.is_null()) {
            result["resultType"] = "input_required";
            if (!question->requests.empty())
                result["inputRequests"] = std::move(question->requests);
            if (!question->state.is_null())
                result["requestState"] = m_states.seal(question->state, request->method, call);
            caching = Caching::None;
        } else {
            reply = missingCapability(std::move(missing));
        }
    } else if (auto* const complete = std::get_if<Json>(&reply)) {
        result = std::move(*complete);
        result.emplace("resultType", "complete");
    }
    release(request);
    if (const auto* const error = std::get_if<RpcError>(&reply)) {
        request->sink.answer(errorMessage(request->id, *error), statusOf(*error));
        return;
    }
    result["_meta"][kServerKey] = implementationOf(m_offer, modernRevision());
    if (caching != Caching::None) {
        result["ttlMs"] = caching == Caching::Lists ? kListsGoodFor.count() : 0;
        // What is offered follows the user's own policy.
        result["cacheScope"] = "private";
    }
    request->sink.answer(resultMessage(request->id, std::move(result)), 200);
}

/// It is not in flight any more.
void Stateless::release(const std::shared_ptr<InFlight>& request)
{
    if (m_inFlight.erase(request) == 0)
        return;
    request->listening.reset();
    if (request->subscription)
        --m_subscriptions;
    if (request->caller) {
        --request->caller->inFlight;
        request->caller->lastUsed = SteadyClock::now();
    }
}

void Stateless::cancel(const std::shared_ptr<InFlight>& request)
{
    release(request);
    request->call->cancel();
}

// Methods

asio::awaitable<Reply> Stateless::discover(std::shared_ptr<Call> /*call*/)
{
    Json result;
    result["supportedVersions"] = Json::array({modernRevision().name});
    result["capabilities"] = capabilitiesOf(m_offer, modernRevision());
    if (m_offer.instructions)
        result["instructions"] = m_offer.instructions();
    co_return result;
}

asio::awaitable<Reply> Stateless::getTask(std::shared_ptr<Call> call)
{
    const Json& id = call->param("taskId");
    const TaskState* const task =
        id.is_string() ? m_offer.tasks().find(id.get<std::string>()) : nullptr;
    if (!task)
        co_return unknown("task", id);
    co_return extensionTask(*task);
}

asio::awaitable<Reply> Stateless::updateTask(std::shared_ptr<Call> call)
{
    const Json& id = call->param("taskId");
    if (!id.is_string() || !m_offer.tasks().find(id.get<std::string>()))
        co_return unknown("task", id);
    if (!call->param("inputResponses").is_object())
        co_return invalid("inputResponses: expected an object");
    m_offer.tasks().answer(id.get<std::string>(), call->responses);
    co_return Json::object();
}

asio::awaitable<Reply> Stateless::cancelTask(std::shared_ptr<Call> call)
{
    const Json& id = call->param("taskId");
    if (!id.is_string() || !m_offer.tasks().find(id.get<std::string>()))
        co_return unknown("task", id);
    m_offer.tasks().cancel(id.get<std::string>());
    co_return Json::object();
}

// Subscriptions (SPEC.md section 2.7)

void Stateless::subscribe(const std::shared_ptr<InFlight>& request)
{
    struct Kind {
        Change::Of of;
        const char* filter; ///< member of `notifications`
        const char* method;
        const char* family; ///< the capability that it needs
        bool named;         ///< the filter is a list of names, not a switch
        const char* member; ///< of the notification, that holds the name
    };
    static constexpr std::array kKinds{
        // clang-format off
        Kind{Change::Of::Tools,       "toolsListChanged",      "notifications/tools/list_changed",     "tools",     false, ""},
        Kind{Change::Of::Prompts,     "promptsListChanged",    "notifications/prompts/list_changed",   "prompts",   false, ""},
        Kind{Change::Of::Resources,   "resourcesListChanged",  "notifications/resources/list_changed", "resources", false, ""},
        Kind{Change::Of::OneResource, "resourceSubscriptions", "notifications/resources/updated",      "resources", true,  "uri"},
        Kind{Change::Of::Task,        "taskIds",               "notifications/tasks",                  "",          true,  ""},
        // clang-format on
    };
    const auto refuse = [this, &request](RpcError error) {
        finish(request, std::move(error), Caching::None);
    };
    const Call& call = *request->call;
    const Json& wanted = call.param("notifications");
    if (!wanted.is_object())
        return refuse(invalid("notifications: expected an object"));
    if (wanted.contains("taskIds") && call.taskForm != TaskForm::Extension)
        return refuse(missingCapability(tasksCapability()));
    if (m_subscriptions >= m_limits.subscriptions)
        return refuse({kInternalError, "too many subscriptions are open already", {}});

    const Json capabilities = capabilitiesOf(m_offer, modernRevision());
    Json honoured = Json::object();
    for (const Kind& kind : kKinds) {
        const auto filter = wanted.find(kind.filter);
        if (filter == wanted.end() || filter->is_null())
            continue;
        const bool fits = kind.named ? filter->is_array() && filter->size() <= kMaxWatched &&
                                           std::all_of(
                                               filter->begin(),
                                               filter->end(),
                                               [](const Json& name) { return name.is_string(); }
                                           )
                                     : filter->is_boolean();
        if (!fits)
            return refuse(invalid(
                "notifications." + std::string(kind.filter) + ": expected " +
                (kind.named ? "a list of at most 1000 texts" : "true or false")
            ));
        const bool offered =
            std::string_view(kind.family).empty() || capabilities.contains(kind.family);
        if (offered && *filter != Json(false))
            honoured[kind.filter] = *filter;
    }

    request->subscription = true;
    ++m_subscriptions;
    const auto tell = [](const std::shared_ptr<InFlight>& to, const char* method, Json params) {
        params["_meta"][kSubscriptionKey] = to->id;
        to->sink.notify(notificationMessage(method, std::move(params)));
    };
    Json acknowledged;
    acknowledged["notifications"] = honoured;
    tell(request, "notifications/subscriptions/acknowledged", std::move(acknowledged));
    request->listening =
        m_offer.listen([this, tell, honoured, weak = std::weak_ptr(request)](const Change& change) {
            const auto open = weak.lock();
            if (!open || !m_inFlight.contains(open))
                return;
            for (const Kind& kind : kKinds) {
                const auto filter = honoured.find(kind.filter);
                if (kind.of != change.of || filter == honoured.end() ||
                    (kind.named &&
                     std::find(filter->begin(), filter->end(), change.name) == filter->end()))
                    continue;
                Json params = Json::object();
                if (kind.of == Change::Of::Task) {
                    const TaskState* const task = m_offer.tasks().find(change.name);
                    if (!task)
                        continue;
                    params = extensionTask(*task);
                } else if (kind.named) {
                    params[kind.member] = change.name;
                }
                tell(open, kind.method, std::move(params));
            }
        });
}

// Who asks

std::vector<execution::Client> Stateless::clients() const
{
    std::vector<execution::Client> clients;
    for (const auto& [key, caller] : m_callers)
        clients.push_back(caller->client);
    return clients;
}

void Stateless::disconnect(const ClientId& id)
{
    const auto found = std::find_if(m_callers.begin(), m_callers.end(), [&id](const auto& entry) {
        return entry.second->client.id == id;
    });
    if (found == m_callers.end())
        return;
    const std::shared_ptr<Caller> caller = found->second;
    m_callers.erase(found);
    for (const auto& request : std::set(m_inFlight)) {
        if (request->caller != caller)
            continue;
        cancel(request);
        request->sink.answer(
            errorMessage(request->id, {kInternalError, "Belljar ended this client's requests", {}}),
            200
        );
    }
    m_events.disconnected(id);
}

void Stateless::leave()
{
    while (!m_callers.empty())
        disconnect(ClientId(m_callers.begin()->second->client.id));
    for (const auto& request : std::set(m_inFlight))
        cancel(request); // those that leave no trace
}

asio::awaitable<void> Stateless::close()
{
    for (const auto& request : std::set(m_inFlight)) {
        if (!request->subscription)
            continue;
        Json result;
        result["_meta"][kSubscriptionKey] = request->id;
        finish(request, std::move(result), Caching::None);
    }
    leave();
    m_tasks.close();
    m_tasks.cancel();
    co_await m_tasks.join();
}

} // namespace belljar::mcp
