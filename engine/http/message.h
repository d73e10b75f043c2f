// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTTP/1.1 for MCP: a server for one user's programs, not for the world.
namespace belljar::http {

/// One header field, the name as it was sent.
struct Field {
    std::string name;
    std::string value;
};

/// A request whose header has been read. Names of fields compare without regard to case.
struct Request {
    std::string method; ///< "POST"
    std::string path;   ///< of the target, up to `?`
    std::string query;  ///< after `?`, as it was sent
    std::vector<Field> fields;
    std::string body;

    /// The value of the only or first field `name`, without blanks around it; nothing: it has none.
    [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const;
    [[nodiscard]] std::size_t count(std::string_view name) const;
};

/// A whole answer.
struct Response {
    int status = 200;
    std::string contentType; ///< empty: there is no body
    std::string body;
    std::vector<Field> fields; ///< besides those that every answer has
};

/// Do they name the same field?
[[nodiscard]] bool sameName(std::string_view left, std::string_view right);

/// Is `type` (application/json) in the list of media types `accept`, itself or by a wildcard?
[[nodiscard]] bool accepts(std::string_view accept, std::string_view type);

/// Is `contentType` `type`, whatever its parameters?
[[nodiscard]] bool isOfType(std::string_view contentType, std::string_view type);

/// The value of `key` in a query "a=b&c=d"; percent signs stay as they are.
[[nodiscard]] std::optional<std::string_view>
queryValue(std::string_view query, std::string_view key);

/// "Not Found" for 404.
[[nodiscard]] std::string_view reasonOf(int status);

} // namespace belljar::http
