// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_edit.h"
#include "engine/clients/formats.h"

namespace belljar::clients {

namespace {

constexpr json::Dialect kDialect = json::Dialect::TrailingCommas;

std::string pointerTo(const KnownClient& client)
{
    return "/" + json::step(client.key) + "/" + json::step(kServerName);
}

Result<std::string> edited(std::string_view text, const Result<json::Edit>& edit)
{
    if (!edit)
        return fail(edit.error());
    return json::applied(std::string(text), *edit);
}

Json read(std::string_view text, std::optional<Problem>& problem)
{
    const json::Tree tree = json::parse(text, kDialect);
    if (tree.error) {
        problem = problemAt(text, tree.error->at, tree.error->message);
        return {};
    }
    return json::valueOf(text, *tree.root);
}

Result<std::string> add(const KnownClient& client, std::string_view text, const OrderedJson& entry)
{
    return edited(text, json::setValue(text, pointerTo(client), entry, kDialect));
}

Result<std::string> update(
    const KnownClient& client,
    std::string_view text,
    const std::string& inside,
    const Members& members
)
{
    const std::string place = pointerTo(client) + (inside.empty() ? "" : "/" + json::step(inside));
    std::string changed(text);
    for (const auto& [name, value] : members) {
        const std::string pointer = place + "/" + json::step(name);
        auto once = edited(changed, json::setValue(changed, pointer, value, kDialect));
        if (!once)
            return once;
        changed = std::move(*once);
    }
    return changed;
}

Result<std::string> remove(const KnownClient& client, std::string_view text)
{
    return edited(text, json::removeValue(text, pointerTo(client), kDialect));
}

} // namespace

const FormatFunctions kJsonFunctions{read, add, update, remove};

} // namespace belljar::clients
