// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/session.h"

#include "engine/base/log.h"
#include "engine/base/text.h"
#include "engine/mcp/approval_form.h"

#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace belljar::mcp {

namespace {

constexpr std::size_t kMaxInFlight = 64;
constexpr std::size_t kMaxLabelBytes = 200; // of what a client calls itself
constexpr std::size_t kMaxWatched = 1000;   // subscriptions of one client
constexpr std::size_t kMaxOwnTasks = 1000;  // that tasks/list tells of

std::string label(const Json& object, std::string_view key)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
        return {};
    return std::string(prefixWithin(found->get_ref<const std::string&>(), kMaxLabelBytes));
}

RpcError invalid(std::string message)
{
    return {kInvalidParams, std::move(message), {}};
}

/// Of the experimental form: there a tool that failed makes a failed task (SPEC.md section 4.6).
Json experimentalTask(const TaskState& task)
{
    Json json = taskJson(task);
    if (task.status == TaskStatus::Completed && task.result.value("isError", false))
        json["status"] = nameOf(TaskStatus::Failed);
    json["ttl"] = task.timeToLive.count();
    json["pollInterval"] = task.pollInterval.count();
    return json;
}

} // namespace

void introduce(execution::Client& client, const Json& clientInfo)
{
    if (!clientInfo.is_object())
        return;
    client.name = label(clientInfo, "name");
    client.title = label(clientInfo, "title");
    client.version = label(clientInfo, "version");
}

/// What only this era has; the rest is in methods.h. Of the two handlers one is there: that of what
/// is answered at once, or of what waits.
struct Session::Row {
    std::string_view name;
    bool beforeHandshake;
    bool (*served)(const Session&);
    Reply (Session::*handle)(const Json& params);
    asio::awaitable<Reply> (Session::*wait)(std::shared_ptr<Call> call);
};

const std::vector<Session::Row>& Session::rows()
{
    constexpr auto always = [](const Session&) { return true; };
    constexpr auto logging = [](const Session& session) { return session.m_offer.logs; };
    constexpr auto resources = [](const Session& session) {
        return session.m_offer.hasResources();
    };
    constexpr auto tasks = [](const Session& session) {
        return session.m_revision && session.m_revision->tasks && session.m_offer.hasTasks();
    };
    static const std::vector<Row> table{
        // clang-format off
        {"initialize",            true,  always,    &Session::initialize,  nullptr},
        {"ping",                  true,  always,    &Session::ping,        nullptr},
        {"logging/setLevel",      false, logging,   &Session::setLevel,    nullptr},
        {"resources/subscribe",   false, resources, &Session::subscribe,   nullptr},
        {"resources/unsubscribe", false, resources, &Session::unsubscribe, nullptr},
        {"tasks/get",             false, tasks,     &Session::getTask,     nullptr},
        {"tasks/list",            false, tasks,     &Session::listTasks,   nullptr},
        {"tasks/cancel",          false, tasks,     &Session::cancelTask,  nullptr},
        {"tasks/result",          false, tasks,     nullptr,               &Session::resultOfTask},
        // clang-format on
    };
    return table;
}

/// The answers of one batch; sent together once the last is there. A cancelled call owes none.
struct Session::Batch {
    std::size_t expected = 0;
    Json answers = Json::array();
    std::string regarding; ///< the last that was answered

    void settle(Session& session)
    {
        if (--expected == 0 && !answers.empty())
            session.send(answers, regarding, true);
    }
};

Session::Session(
    asio::any_io_executor executor, const Offer& offer, execution::Client client, Events events
)
    : m_offer(offer)
    , m_client(std::move(client))
    , m_events(std::move(events))
    , m_tasks(std::move(executor), "mcp session")
{}

void Session::send(const Json& message, std::string regarding, bool answers)
{
    if (!m_closed)
        m_events.send({dumpJson(message), std::move(regarding), answers});
}

void Session::introduceBridge(const BridgeIntroduction& introduction)
{
    m_client.pid = introduction.pid;
    m_client.executable = introduction.executable;
    m_bridge = introduction.limits;
}

void Session::receive(Parsed parsed)
{
    if (parsed.batch && !(m_revision && m_revision->batches)) {
        send(errorMessage(
            nullptr, {kInvalidRequest, "this revision of the protocol has no batches", {}}
        ));
        return;
    }
    Answer answer = [this](const Json& id, const Json& message) {
        if (!message.is_null())
            send(message, id.is_null() ? std::string() : keyOf(id), !id.is_null());
    };
    if (parsed.batch) {
        auto batch = std::make_shared<Batch>();
        for (const Parsed::Element& element : parsed.elements)
            batch->expected +=
                element.error || element.message->kind == MessageKind::Request ? 1U : 0U;
        answer = [this, batch](const Json& id, Json message) {
            if (!message.is_null()) {
                batch->answers.push_back(std::move(message));
                batch->regarding = id.is_null() ? batch->regarding : keyOf(id);
            }
            batch->settle(*this);
        };
    }
    for (Parsed::Element& element : parsed.elements) {
        if (element.error)
            answer(element.id, errorMessage(element.id, *element.error));
        else
            handle(std::move(*element.message), answer);
    }
}

void Session::handle(Message message, const Answer& answer)
{
    if (message.kind == MessageKind::Response) {
        takeResponse(message);
        return;
    }
    if (message.kind == MessageKind::Notification) {
        handleNotification(message);
        return;
    }
    const auto refuse = [&message, &answer](int code, std::string why) {
        answer(message.id, errorMessage(message.id, {code, std::move(why), {}}));
    };
    const std::string key = keyOf(message.id);
    if (m_calls.contains(key))
        return refuse(kInvalidRequest, "id: a request with it is in flight already");
    const Row* own = nullptr;
    for (const Row& row : rows()) {
        if (row.name == message.method && row.served(*this))
            own = &row;
    }
    if (!m_revision && !(own && own->beforeHandshake))
        return refuse(kInvalidRequest, "send initialize first");
    if (own && own->handle) {
        const Reply reply = (this->*own->handle)(message.params);
        const auto* const error = std::get_if<RpcError>(&reply);
        answer(
            message.id,
            error ? errorMessage(message.id, *error)
                  : resultMessage(message.id, std::get<Json>(reply))
        );
        return;
    }
    const Method* const method = findMethod(message.method);
    if (!own && !(method && method->offered(m_offer)))
        return refuse(
            kMethodNotFound, "no method " + escapeForLine(prefixWithin(message.method, 100))
        );
    if (m_calls.size() >= kMaxInFlight)
        return refuse(
            kInvalidRequest,
            std::to_string(kMaxInFlight) + " requests are in flight already; wait for one to end"
        );
    begin(message.method, message, answer, [this, own, method](std::shared_ptr<Call> call) {
        return own ? (this->*own->wait)(std::move(call)) : method->handle(m_offer, std::move(call));
    });
}

void Session::handleNotification(const Message& message)
{
    if (message.method != "notifications/cancelled")
        return;
    const auto found = m_calls.find(keyOf(message.params.value("requestId", Json())));
    if (found == m_calls.end())
        return;
    const auto call = found->second;
    m_calls.erase(found);
    call->cancel();
}

Reply Session::initialize(const Json& params)
{
    if (m_revision)
        return RpcError{kInvalidRequest, "this session has been initialized already", {}};
    const auto wanted = params.find("protocolVersion");
    if (wanted == params.end() || !wanted->is_string())
        return invalid("protocolVersion: expected a text like 2025-11-25");
    const Revision* known = findLegacyRevision(wanted->get_ref<const std::string&>());
    m_revision = known ? known : &newestLegacyRevision();
    m_client.protocolRevision = m_revision->name;
    introduce(m_client, params.value("clientInfo", Json()));
    m_capabilities = normalCapabilities(params.value("capabilities", Json()));
    if (!m_revision->elicitation)
        m_capabilities.erase("elicitation");
    log::mcp().info(
        "client={} name=\"{}\" revision={} pid={}",
        m_client.id.text(),
        log::safe(m_client.name),
        m_revision->name,
        m_client.pid
    );
    m_listening = m_offer.listen([this](const Change& change) { tell(change); });
    if (m_events.changed)
        m_events.changed(m_client);
    Json result;
    result["protocolVersion"] = m_revision->name;
    result["capabilities"] = capabilitiesOf(m_offer, *m_revision);
    result["serverInfo"] = implementationOf(m_offer, *m_revision);
    if (m_offer.instructions)
        result["instructions"] = m_offer.instructions();
    return result;
}

Reply Session::ping(const Json& /*params*/)
{
    return Json::object();
}

Reply Session::setLevel(const Json& params)
{
    const Json level = params.value("level", Json());
    const auto known =
        level.is_string() ? logLevelFromName(level.get_ref<const std::string&>()) : std::nullopt;
    if (!known)
        return invalid(
            "level: expected debug, info, notice, warning, error, critical, alert or emergency"
        );
    m_logLevel = *known;
    return Json::object();
}

Reply Session::subscribe(const Json& params)
{
    const Json uri = params.value("uri", Json());
    if (!uri.is_string() || !m_offer.hasResource(uri.get_ref<const std::string&>()))
        return unknown("resource", uri);
    if (m_watched.size() >= kMaxWatched)
        return RpcError{
            kInvalidRequest,
            std::to_string(kMaxWatched) + " resources are watched already; unsubscribe from one",
            {}};
    m_watched.insert(uri.get<std::string>());
    return Json::object();
}

Reply Session::unsubscribe(const Json& params)
{
    const Json uri = params.value("uri", Json());
    if (!uri.is_string())
        return unknown("resource", uri);
    m_watched.erase(uri.get<std::string>());
    return Json::object();
}

/// Tells the client of a change where it wants to know.
void Session::tell(const Change& change)
{
    struct Told {
        Change::Of of;
        const char* method;
    };
    static constexpr std::array kLists{
        Told{Change::Of::Tools, "notifications/tools/list_changed"},
        Told{Change::Of::Prompts, "notifications/prompts/list_changed"},
        Told{Change::Of::Resources, "notifications/resources/list_changed"},
    };
    for (const Told& list : kLists) {
        if (list.of == change.of)
            send(notificationMessage(list.method, Json::object()));
    }
    if (change.of == Change::Of::OneResource && m_watched.contains(change.name)) {
        Json params;
        params["uri"] = change.name;
        send(notificationMessage("notifications/resources/updated", std::move(params)));
    }
    const bool own =
        change.of == Change::Of::Task &&
        std::find(m_ownTasks.begin(), m_ownTasks.end(), change.name) != m_ownTasks.end();
    const TaskState* const task = own ? m_offer.tasks().find(change.name) : nullptr;
    if (task)
        send(notificationMessage("notifications/tasks/status", experimentalTask(*task)));
}

// Tasks, in their experimental form (SPEC.md section 4.6)

namespace {

/// The task that `params` names, or the error.
std::variant<const TaskState*, RpcError> taskOf(const Offer& offer, const Json& params)
{
    const Json id = params.value("taskId", Json());
    const TaskState* const task =
        id.is_string() ? offer.tasks().find(id.get<std::string>()) : nullptr;
    if (!task)
        return unknown("task", id);
    return task;
}

} // namespace

Reply Session::getTask(const Json& params)
{
    const auto task = taskOf(m_offer, params);
    if (const auto* const error = std::get_if<RpcError>(&task))
        return *error;
    return experimentalTask(*std::get<const TaskState*>(task));
}

Reply Session::cancelTask(const Json& params)
{
    const auto task = taskOf(m_offer, params);
    if (const auto* const error = std::get_if<RpcError>(&task))
        return *error;
    const TaskState& state = *std::get<const TaskState*>(task);
    if (isTerminal(state.status))
        return invalid("taskId: this task has ended already");
    m_offer.tasks().cancel(state.id);
    return experimentalTask(state);
}

Reply Session::listTasks(const Json& params)
{
    std::vector<const TaskState*> kept;
    for (const std::string& id : m_ownTasks) {
        if (const TaskState* const task = m_offer.tasks().find(id))
            kept.push_back(task);
    }
    const auto page = pageAt("tasks", kept.size(), params.value("cursor", Json()));
    if (!page)
        return invalid("cursor: is none of this list's");
    Json result;
    result["tasks"] = Json::array();
    for (std::size_t index = page->first; index < page->end; ++index)
        result["tasks"].push_back(experimentalTask(*kept[index]));
    if (!page->next.empty())
        result["nextCursor"] = page->next;
    return result;
}

asio::awaitable<Reply> Session::resultOfTask(std::shared_ptr<Call> call)
{
    auto task = taskOf(m_offer, call->params);
    if (auto* const error = std::get_if<RpcError>(&task))
        co_return std::move(*error);
    const std::string id = std::get<const TaskState*>(task)->id;
    co_await m_offer.tasks().ended(id);
    const TaskState* const ended = m_offer.tasks().find(id);
    if (!ended)
        co_return unknown("task", id);
    if (ended->error)
        co_return *ended->error;
    if (ended->status == TaskStatus::Cancelled)
        co_return invalid("taskId: this task was cancelled and has no result");
    Json result = ended->result;
    result["_meta"][std::string(kRelatedTask)]["taskId"] = id;
    co_return result;
}

// Calls

std::shared_ptr<Call> Session::makeCall(const Message& message)
{
    auto call = std::make_shared<Call>();
    call->revision = m_revision;
    call->client = m_client;
    call->bridge = m_bridge;
    call->params = message.params;
    call->capabilities = m_capabilities;
    call->logLevel = m_logLevel;
    if (m_revision->tasks && m_offer.hasTasks() && call->param("task").is_object())
        call->taskForm = TaskForm::Experimental;
    const std::string key = keyOf(message.id);
    const auto weak = weak_from_this();
    if (const Json token = call->meta().value("progressToken", Json()); isId(token))
        call->progressToken = token;
    call->notify = [weak, key](std::string method, Json params) {
        const auto self = weak.lock();
        // None after the answer, and none for a call that was cancelled.
        if (self && self->m_calls.contains(key))
            self->send(notificationMessage(std::move(method), std::move(params)), key);
    };
    call->letGo = [weak, key] {
        const auto self = weak.lock();
        if (self && self->m_events.letGo)
            self->m_events.letGo(key);
    };
    call->ask = [weak, key](Json requests) -> asio::awaitable<std::optional<Json>> {
        Json answers = Json::object();
        for (const auto& [name, request] : requests.items()) {
            const auto self = weak.lock();
            if (!self)
                co_return std::nullopt;
            Json copy = request;
            std::optional<Json> answer = co_await self->request(self, std::move(copy), key);
            if (!answer)
                co_return std::nullopt;
            answers[name] = std::move(*answer);
        }
        co_return answers;
    };
    if (call->canElicit())
        call->elicit = [weak, key](std::string text) -> asio::awaitable<execution::Elicited> {
            const auto self = weak.lock();
            if (!self)
                co_return execution::Elicited();
            Json form = approvalForm(std::move(text));
            const auto answer = co_await self->request(self, std::move(form), key);
            co_return elicitedFrom(answer.value_or(Json()));
        };
    return call;
}

void Session::begin(std::string name, const Message& message, const Answer& answer, Reading reading)
{
    auto call = makeCall(message);
    m_calls.emplace(keyOf(message.id), call);
    m_tasks.spawn(
        std::move(name),
        run(shared_from_this(), std::move(call), message.id, std::move(reading), answer)
    );
}

asio::awaitable<void> Session::run(
    std::shared_ptr<Session> self,
    std::shared_ptr<Call> call,
    Json id,
    Reading reading,
    Answer answer
)
{
    // The cancellation may have come in the same read as the call: then nothing is to start.
    Json message;
    if (!call->cancelled()) {
        try {
            Reply reply = co_await reading(call);
            if (auto* const result = std::get_if<Json>(&reply)) {
                const Json task = result->value("task", Json());
                if (call->taskForm == TaskForm::Experimental && task.is_object()) {
                    self->m_ownTasks.push_back(task.value("taskId", ""));
                    if (self->m_ownTasks.size() > kMaxOwnTasks)
                        self->m_ownTasks.erase(self->m_ownTasks.begin());
                }
                message = resultMessage(id, std::move(*result));
            } else {
                message = errorMessage(id, std::get<RpcError>(reply));
            }
        } catch (const std::exception& bug) {
            log::mcp().error("id={} failed=\"{}\"", log::safe(id.dump()), log::safe(bug.what()));
            message = errorMessage(id, {kInternalError, "Belljar failed; its log says how", {}});
        }
    }
    if (call->cancelled())
        message = nullptr;
    else
        self->m_calls.erase(keyOf(id));
    answer(id, std::move(message));
}

/// Sends a request of ours (SPEC.md section 4.3) and waits for its result; nothing: there is none.
asio::awaitable<std::optional<Json>>
Session::request(std::shared_ptr<Session> self, Json request, std::string regarding)
{
    if (self->m_closed)
        co_return std::nullopt;
    const std::string id = "belljar-" + std::to_string(self->m_nextAsked++);
    auto asked = std::make_shared<Asked>();
    asked->answered = std::make_shared<asio::steady_timer>(
        co_await asio::this_coro::executor, asio::steady_timer::time_point::max()
    );
    self->m_asked.emplace(id, asked);
    self->send(
        requestMessage(id, request.value("method", ""), request.value("params", Json::object())),
        regarding
    );
    while (!asked->settled) {
        boost::system::error_code woken;
        co_await asked->answered->async_wait(asio::redirect_error(asio::use_awaitable, woken));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (!asked->settled && state.cancelled() != asio::cancellation_type::none) {
            Json withdrawn;
            withdrawn["requestId"] = id;
            self->send(
                notificationMessage("notifications/cancelled", std::move(withdrawn)), regarding
            );
            break;
        }
    }
    self->m_asked.erase(id);
    if (!asked->result.is_object())
        co_return std::nullopt;
    co_return std::move(asked->result);
}

void Session::takeResponse(const Message& message)
{
    const auto found =
        message.id.is_string() ? m_asked.find(message.id.get<std::string>()) : m_asked.end();
    if (found == m_asked.end())
        return; // nothing was asked under this id, or nobody waits for it any more
    Asked& asked = *found->second;
    asked.settled = true;
    asked.result = message.result;
    asked.answered->cancel();
}

void Session::close()
{
    m_closed = true;
    m_listening.reset();
    for (const auto& [id, asked] : m_asked) {
        asked->settled = true; // nobody is there to answer
        asked->answered->cancel();
    }
    const auto calls = std::exchange(m_calls, {});
    for (const auto& [id, call] : calls)
        call->cancel();
}

} // namespace belljar::mcp
