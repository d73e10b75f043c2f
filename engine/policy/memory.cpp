// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/policy/memory.h"

#include "engine/base/json.h"
#include "engine/base/log.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace belljar::policy {

namespace {

constexpr std::array<std::string_view, 2> kScopes{"this_code", "rule_case"};
constexpr std::int64_t kMostMs = std::numeric_limits<std::int64_t>::max();

std::string_view nameOf(Scope scope)
{
    return kScopes.at(static_cast<std::size_t>(scope));
}

audit::Entry revocation(const Remembered& remembered)
{
    audit::Entry entry;
    entry.type = audit::Type::DecisionRevoked;
    entry.execution = remembered.madeFrom;
    entry.detail["id"] = remembered.id;
    return entry;
}

} // namespace

Json toJson(const Remembered& remembered)
{
    Json json;
    json["id"] = remembered.id;
    json["verdict"] = execution::nameOf(remembered.verdict);
    json["scope"] = nameOf(remembered.scope);
    json["language"] = remembered.language;
    json["code_sha256"] = remembered.codeSha256;
    json["rule"] = remembered.rule;
    json["findings"] = remembered.findings;
    json["client_name"] = remembered.clientName;
    json["client_executable"] = remembered.clientExecutable;
    json["session"] = remembered.session.text();
    json["policy"] = remembered.policyName;
    json["policy_sha256"] = remembered.policySha256;
    json["image_digest"] = remembered.imageDigest;
    json["created_at"] = remembered.createdAt;
    json["expires_at"] = remembered.expiresAt ? Json(*remembered.expiresAt) : Json();
    json["made_from"] = remembered.madeFrom.text();
    return json;
}

Result<Remembered> rememberedFromJson(const Json& json)
{
    if (!json.is_object())
        return fail(Errc::InvalidArgument, "a remembered decision: expected an object");
    JsonReader reader(json, "");
    const auto text = [&reader](std::string_view key) { return reader.string(key).value_or(""); };
    Remembered remembered;
    remembered.id = text("id");
    const auto verdict = execution::verdictFromName(text("verdict"));
    if (!verdict || *verdict == Verdict::Ask)
        reader.refuse("verdict", "expected allow or deny");
    remembered.verdict = verdict.value_or(Verdict::Deny);
    const std::string scope = text("scope");
    if (scope != nameOf(Scope::ThisCode) && scope != nameOf(Scope::RuleCase))
        reader.refuse("scope", "expected this_code or rule_case");
    remembered.scope = scope == nameOf(Scope::RuleCase) ? Scope::RuleCase : Scope::ThisCode;
    remembered.language = text("language");
    remembered.codeSha256 = text("code_sha256");
    remembered.rule = text("rule");
    if (const Json* findings = reader.member("findings")) {
        const bool texts = findings->is_array() &&
                           std::all_of(findings->begin(), findings->end(), [](const Json& one) {
                               return one.is_string();
                           });
        if (texts)
            remembered.findings = findings->get<std::vector<std::string>>();
        else
            reader.refuse("findings", "expected a list of texts");
    }
    remembered.clientName = text("client_name");
    remembered.clientExecutable = text("client_executable");
    remembered.session = ClientId(text("session"));
    remembered.policyName = text("policy");
    remembered.policySha256 = text("policy_sha256");
    remembered.imageDigest = text("image_digest");
    remembered.createdAt = reader.integer("created_at", 0, kMostMs).value_or(0);
    remembered.expiresAt = reader.integer("expires_at", 0, kMostMs);
    remembered.madeFrom = ExecutionId(text("made_from"));
    if (reader.error())
        return fail(*reader.error());
    return remembered;
}

Memory::Memory(store::Store& store, std::function<void()> changed)
    : m_store(store)
    , m_changed(std::move(changed))
{}

void Memory::load(const std::vector<store::RememberedRow>& rows)
{
    m_all.clear();
    for (const store::RememberedRow& row : rows) {
        const auto json = parseJson(row.decision);
        auto read = json ? rememberedFromJson(*json) : Result<Remembered>(fail(json.error()));
        if (!read) {
            log::engine().warn(
                "remembered={} unreadable=\"{}\"",
                log::safe(row.id),
                log::safe(read.error().message())
            );
            continue;
        }
        read->hits = row.hits;
        read->lastUsedAt = row.lastUsedAt;
        m_all.push_back(std::move(*read));
    }
}

asio::awaitable<Result<>> Memory::add(Remembered remembered)
{
    store::RememberedRow row;
    row.id = remembered.id;
    row.decision = dumpJson(toJson(remembered));
    auto kept = co_await m_store.remember(std::move(row));
    if (!kept)
        co_return std::move(kept);
    m_all.insert(m_all.begin(), std::move(remembered));
    m_changed();
    co_return Result<>();
}

void Memory::wasUsed(const std::string& id)
{
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const Remembered& one) {
        return one.id == id;
    });
    if (found == m_all.end())
        return;
    ++found->hits;
    found->lastUsedAt = execution::unixNow();
    m_store.countUse(id, *found->lastUsedAt);
    m_changed();
}

asio::awaitable<Result<>> Memory::revoke(std::vector<std::string> ids)
{
    if (ids.empty()) {
        for (const Remembered& one : m_all)
            ids.push_back(one.id);
    }
    Result<> outcome;
    for (const std::string& id : ids) {
        const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const Remembered& one) {
            return one.id == id;
        });
        if (found == m_all.end())
            continue;
        audit::Entry entry = revocation(*found);
        // It answers nothing any more from here on, whatever becomes of the row.
        m_all.erase(found);
        auto revoked = co_await m_store.revoke(id, execution::unixNow(), std::move(entry));
        if (!revoked)
            outcome = fail(revoked.error());
    }
    m_changed();
    co_return std::move(outcome);
}

void Memory::tidy(execution::UnixMs now, const std::function<bool(const ClientId&)>& isConnected)
{
    const auto gone = std::erase_if(m_all, [&](const Remembered& one) {
        return (one.expiresAt && now >= *one.expiresAt) ||
               (!one.session.empty() && !isConnected(one.session));
    });
    if (gone > 0)
        m_changed();
}

} // namespace belljar::policy
