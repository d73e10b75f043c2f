// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/base/json.h"
#include "engine/execution/elicitation.h"
#include "engine/execution/execution.h"
#include "engine/mcp/bridge.h"
#include "engine/mcp/jsonrpc.h"
#include "engine/mcp/revision.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace belljar::mcp {

/// RFC 5424's, as MCP names them (SPEC.md section 1.11).
enum class LogLevel : std::uint8_t {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
};
[[nodiscard]] std::string_view nameOf(LogLevel level);
[[nodiscard]] std::optional<LogLevel> logLevelFromName(std::string_view name);

/// Whether a call of a tool may go on as a task after it was answered.
enum class TaskForm : std::uint8_t {
    None,
    Extension,    ///< of the modern era, where the server decides (SPEC.md section 3.1)
    Experimental, ///< of 2025-11-25, where the client did (section 4.6)
};

/// What a handler needs of the client's person or model before it can go on. The handler is called
/// again with the answers: in the same call where the era lets the server ask, else in the one that
/// brings them.
struct InputRequired {
    Json requests = Json::object(); ///< key -> {method, params}
    Json state;                     ///< null: none; comes back as Call::state
};

[[nodiscard]] Json elicitation(std::string message, Json requestedSchema);

/// The result of any method, without what its era adds.
using Reply = std::variant<Json, InputRequired, RpcError>;

/// One request, for as long as it is worked on. Shared by its era, which may cancel it, and the
/// handler.
class Call {
public:
    const Revision* revision = &newestLegacyRevision();
    execution::Client client;
    BridgeLimits bridge;
    Json params = Json::object();
    Json capabilities = Json::object(); ///< what the client declared
    Json responses = Json::object();    ///< answers to InputRequired::requests, by key
    Json state;                         ///< InputRequired::state of the round before
    TaskForm taskForm = TaskForm::None;
    bool mayLast = false; ///< it is a task's own call: nobody's time-out is running

    Json progressToken;               ///< null: the client doesn't want to hear of progress
    std::optional<LogLevel> logLevel; ///< from here on the client wants to hear; nothing: silence
    /// A notification that belongs to this request.
    std::function<void(std::string method, Json params)> notify = [](const std::string&,
                                                                     const Json&) {};
    /// Lets go of the client's connection while the work goes on, where that is possible.
    std::function<void()> letGo = [] {};

    /// Asks the person at the client while the handler goes on; empty where that isn't possible:
    /// either the client can't, or its era wants the question to be the result.
    execution::Elicit elicit;
    /// Puts InputRequired::requests to the client and waits for all answers, by key; nothing: there
    /// will be none. Empty where the era wants the question to be the result.
    std::function<asio::awaitable<std::optional<Json>>(Json requests)> ask;

    /// Tells the client how far it is. At most a few a second, please.
    void progress(std::string message);
    void progress(double value, double total);
    void log(LogLevel level, Json data);

    /// What of `required`, an object like the client's capabilities, it didn't declare; null: it
    /// declared all.
    [[nodiscard]] Json undeclared(const Json& required) const;
    /// The client can put a form to its person.
    [[nodiscard]] bool canElicit() const;

    /// The member `key` of params, or null.
    [[nodiscard]] const Json& param(std::string_view key) const;
    /// params._meta, or an empty object.
    [[nodiscard]] const Json& meta() const;

    /// What cancelling does; set by the handler. Runs at once when the call is cancelled already.
    void onCancel(std::function<void()> action)
    {
        m_onCancel = std::move(action);
        if (m_cancelled && m_onCancel)
            m_onCancel();
    }
    void cancel()
    {
        if (std::exchange(m_cancelled, true))
            return;
        if (m_onCancel)
            m_onCancel();
    }
    /// Nobody waits for the answer any more.
    [[nodiscard]] bool cancelled() const { return m_cancelled; }

private:
    std::function<void()> m_onCancel;
    bool m_cancelled = false;
    std::int64_t m_told = 0;
};

/// `capabilities` of a client with what it leaves to be understood written out: `elicitation: {}`
/// means forms (SPEC.md section 2.2). Not an object: none.
[[nodiscard]] Json normalCapabilities(Json capabilities);

/// What of the capabilities that InputRequired::requests need the client didn't declare; null: it
/// declared all.
[[nodiscard]] Json undeclaredFor(const Call& call, const Json& requests);

/// -32021, naming `missing`.
[[nodiscard]] RpcError missingCapability(Json missing);

} // namespace belljar::mcp
