// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/asio.h"
#include "engine/policy/policy.h"
#include "engine/store/store.h"

#include <functional>
#include <string>
#include <vector>

namespace belljar::policy {

/// What the person has decided for later questions too, until it expires or is revoked. Lives on
/// the engine thread.
class Memory {
public:
    Memory(store::Store& store, std::function<void()> changed);

    /// Takes in what stands in the history; one that can't be read is left out and logged.
    void load(const std::vector<store::RememberedRow>& rows);

    /// Newest first, expired ones too until they are looked at next.
    [[nodiscard]] const std::vector<Remembered>& all() const { return m_all; }

    /// Durable when it returns.
    asio::awaitable<Result<>> add(Remembered remembered);
    /// It has answered a question.
    void wasUsed(const std::string& id);
    /// Takes back those of `ids`, all when it is empty. Durable when it returns.
    asio::awaitable<Result<>> revoke(std::vector<std::string> ids);
    /// Forgets what has expired and what was for a connection that has ended.
    void tidy(execution::UnixMs now, const std::function<bool(const ClientId&)>& isConnected);

private:
    store::Store& m_store;
    std::function<void()> m_changed;
    std::vector<Remembered> m_all;
};

[[nodiscard]] Json toJson(const Remembered& remembered);
/// Errors: InvalidArgument with the member that isn't as toJson() writes it.
Result<Remembered> rememberedFromJson(const Json& json);

} // namespace belljar::policy
