// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/schema_guide.h"

#include "engine/base/json_edit.h"
#include "engine/policy/policy.h"

#include <algorithm>

namespace belljar::ui {

namespace {

const Json* member(const Json* object, const char* key)
{
    if (!object || !object->is_object())
        return nullptr;
    const auto found = object->find(key);
    return found == object->end() ? nullptr : &*found;
}

/// JSON objects forget the order of their members; people wrote them in one that makes sense.
constexpr const char* kOrder = "x-order";

void keepOrder(Json& schema, const json::Node& node)
{
    for (const json::Node& child : node.children) {
        if (!schema.is_object() || !schema.contains(child.key))
            continue;
        Json& value = schema[child.key];
        if (child.key == "properties") {
            Json order = Json::array();
            for (const json::Node& property : child.children) {
                order.push_back(property.key);
                keepOrder(value[property.key], property);
            }
            schema[kOrder] = std::move(order);
        } else {
            keepOrder(value, child);
        }
    }
}

/// The schema one step below `schema`.
const Json* below(const Json* schema, const std::string& step)
{
    if (const Json* found = member(member(schema, "properties"), step.c_str()))
        return found;
    if (const Json* items = member(schema, "items"))
        return items;
    const Json* others = member(schema, "additionalProperties");
    return others && others->is_object() ? others : nullptr;
}

} // namespace

SchemaGuide::SchemaGuide()
    : m_schema(Json::object())
{
    // It is compiled in; a broken one would show as an empty form in every test.
    if (const auto text = policy::schemaText()) {
        const json::Tree tree = json::parse(*text);
        if (auto schema = parseJson(*text); schema && tree.root) {
            m_schema = std::move(*schema);
            keepOrder(m_schema, *tree.root);
        }
    }
}

const Json* SchemaGuide::at(std::string_view pointer) const
{
    const Json* schema = &m_schema;
    for (const std::string& step : json::steps(pointer)) {
        schema = below(schema, step);
        if (!schema)
            return nullptr;
    }
    return schema;
}

const Json* SchemaGuide::defaultAt(std::string_view pointer) const
{
    return member(at(pointer), "default");
}

std::vector<SchemaGuide::Proposal>
SchemaGuide::keysAt(std::string_view pointer, const Json* taken) const
{
    std::vector<Proposal> proposals;
    const Json* properties = member(at(pointer), "properties");
    if (!properties)
        return proposals;
    for (const std::string& key : propertiesOf(*at(pointer))) {
        if (!taken || !taken->is_object() || !taken->contains(key))
            proposals.push_back({Json(key).dump(), textOf((*properties)[key], "description")});
    }
    return proposals;
}

std::vector<SchemaGuide::Proposal> SchemaGuide::valuesAt(std::string_view pointer) const
{
    std::vector<Proposal> proposals;
    const Json* schema = at(pointer);
    if (!schema)
        return proposals;
    const auto propose = [&](const Json& value) {
        const std::string text = value.dump();
        const bool known = std::any_of(proposals.begin(), proposals.end(), [&](const auto& one) {
            return one.text == text;
        });
        if (!known)
            proposals.push_back({text, {}});
    };
    if (const Json* choices = member(schema, "enum"))
        std::for_each(choices->begin(), choices->end(), propose);
    if (textOf(*schema, "type") == "boolean") {
        propose(true);
        propose(false);
    }
    if (const Json* preset = member(schema, "default"))
        propose(*preset);
    return proposals;
}

std::vector<std::string> propertiesOf(const Json& schema)
{
    const Json* order = member(&schema, kOrder);
    return order ? order->get<std::vector<std::string>>() : std::vector<std::string>();
}

std::string titleOf(const Json& schema, std::string_view key)
{
    const std::string title = textOf(schema, "title");
    return title.empty() ? std::string(key) : title;
}

std::string textOf(const Json& schema, const char* name)
{
    const Json* found = member(&schema, name);
    return found && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace belljar::ui
