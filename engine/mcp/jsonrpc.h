// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// JSON-RPC 2.0 messages as MCP uses them (shared/mcp/SPEC.md section 1.1), without I/O.
namespace belljar::mcp {

enum class MessageKind : std::uint8_t { Request, Notification, Response };

struct Message {
    MessageKind kind = MessageKind::Notification;
    Json id; ///< as it was sent: a text or a whole number; null for a notification
    std::string method;
    Json params = Json::object();
    Json result; ///< of a response; null when it is an error
};

/// An error answer: the codes of SPEC.md section 2.13.
struct RpcError {
    int code = 0;
    std::string message;
    Json data = {}; ///< null: none
};

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kResourceNotFound = -32002; ///< legacy era only
inline constexpr int kHeaderMismatch = -32020;   ///< modern era only, as those below
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;

/// One line, taken apart. Where an element is no message, `error` says why and `id` is its id if it
/// has a usable one.
struct Parsed {
    struct Element {
        std::optional<Message> message;
        std::optional<RpcError> error;
        Json id;
    };
    bool batch = false;
    std::vector<Element> elements;
};

/// Never fails: what is no JSON is one element with an error.
[[nodiscard]] Parsed parseLine(std::string_view line);

/// Answers and notifications, as values: a batch needs them so.
[[nodiscard]] Json resultMessage(const Json& id, Json result);
/// Without `id` where the request's could not be read (null).
[[nodiscard]] Json errorMessage(const Json& id, const RpcError& error);
[[nodiscard]] Json requestMessage(const Json& id, std::string method, Json params);
[[nodiscard]] Json notificationMessage(std::string method, Json params);

/// The text of a notification method and of a progress token: whole number or text.
[[nodiscard]] bool isId(const Json& value);

} // namespace belljar::mcp
