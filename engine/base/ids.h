// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <compare>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace belljar {

/// A random token of `bytes` bytes of the kernel's random source, as lower-case hex.
[[nodiscard]] std::string randomHex(std::size_t bytes);

/// A name that does not convert to other kinds of names. Ids that leave the process carry 128
/// random bits.
template <class Tag>
class Id {
public:
    Id() = default;
    explicit Id(std::string text)
        : m_text(std::move(text))
    {}

    /// A new id: the tag's prefix and 32 random hex digits.
    [[nodiscard]] static Id make() { return Id(std::string(Tag::kPrefix) + randomHex(16)); }

    /// The id that `text` writes out, or nothing where it is none.
    [[nodiscard]] static std::optional<Id> parse(std::string_view text)
    {
        const std::string_view digits = text.substr(std::min(Tag::kPrefix.size(), text.size()));
        const bool isId = text.starts_with(Tag::kPrefix) && digits.size() == 32 &&
                          digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
        return isId ? std::optional(Id(std::string(text))) : std::nullopt;
    }

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool empty() const { return m_text.empty(); }

    friend auto operator<=>(const Id&, const Id&) = default;

private:
    std::string m_text;
};

struct ExecutionTag {
    static constexpr std::string_view kPrefix = "ex_";
};
struct ClientTag {
    static constexpr std::string_view kPrefix = "cl_";
};

/// One execution, from the moment it is received; the same in history, protocol and log.
using ExecutionId = Id<ExecutionTag>;
/// One connection of one client, for as long as it lasts.
using ClientId = Id<ClientTag>;

} // namespace belljar

template <class Tag>
struct std::hash<belljar::Id<Tag>> {
    std::size_t operator()(const belljar::Id<Tag>& id) const
    {
        return std::hash<std::string>{}(id.text());
    }
};
