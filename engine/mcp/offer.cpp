// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/offer.h"

#include "engine/base/text.h"
#include "engine/mcp/tasks.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace belljar::mcp {

namespace {

/// "%41b" as "Ab"; nothing for a broken escape or a NUL.
std::optional<std::string> percentDecoded(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        if (text.front() != '%') {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        unsigned value = 0;
        const auto [end, error] = std::from_chars(
            text.data() + 1, text.data() + std::min<std::size_t>(3, text.size()), value, 16
        );
        if (error != std::errc() || end != text.data() + 3 || value == 0)
            return {};
        out += static_cast<char>(value);
        text.remove_prefix(3);
    }
    return out;
}

} // namespace

std::optional<ResourceTemplate::Variables> ResourceTemplate::match(std::string_view uri) const
{
    Variables variables;
    std::string_view pattern = uriTemplate;
    while (!pattern.empty()) {
        const std::size_t open = pattern.find('{');
        const std::string_view literal = pattern.substr(0, open);
        if (!uri.starts_with(literal))
            return {};
        uri.remove_prefix(literal.size());
        if (open == std::string_view::npos) {
            pattern = {};
            break;
        }
        const std::size_t close = pattern.find('}', open);
        const std::string_view variable = pattern.substr(open + 1, close - open - 1);
        pattern.remove_prefix(close + 1);
        const std::string_view value = uri.substr(0, uri.find('/'));
        auto decoded = percentDecoded(value);
        if (value.empty() || !decoded || !isValidUtf8(*decoded))
            return {};
        variables.emplace(variable, std::move(*decoded));
        uri.remove_prefix(value.size());
    }
    return uri.empty() ? std::optional(std::move(variables)) : std::nullopt;
}

struct Offer::Listeners {
    std::list<Listener> all;
};

Offer::Offer(asio::any_io_executor executor)
    : m_listeners(std::make_shared<Listeners>())
    , m_tasks(std::make_unique<Tasks>(std::move(executor), [this](const std::string& id) {
        changed({Change::Of::Task, id});
    }))
{}

Offer::~Offer() = default;

bool Offer::hasResource(std::string_view uri) const
{
    return std::any_of(
               m_resources.begin(),
               m_resources.end(),
               [uri](const Resource& resource) { return resource.uri == uri; }
           ) ||
           std::any_of(
               m_templates.begin(),
               m_templates.end(),
               [uri](const ResourceTemplate& family) { return family.match(uri).has_value(); }
           );
}

bool Offer::hasTasks() const
{
    return std::any_of(m_tools.begin(), m_tools.end(), [](const Tool& tool) {
        return tool.taskSupport != TaskSupport::Forbidden;
    });
}

const Tool* Offer::findTool(std::string_view name) const
{
    const auto found = std::find_if(m_tools.begin(), m_tools.end(), [name](const Tool& tool) {
        return tool.name == name;
    });
    return found == m_tools.end() ? nullptr : &*found;
}

const Prompt* Offer::findPrompt(std::string_view name) const
{
    const auto found =
        std::find_if(m_prompts.begin(), m_prompts.end(), [name](const Prompt& prompt) {
            return prompt.name == name;
        });
    return found == m_prompts.end() ? nullptr : &*found;
}

void Offer::changed(const Change& change) const
{
    // A listener may end itself meanwhile.
    const std::list<Listener> all = m_listeners->all;
    for (const Listener& listener : all)
        listener(change);
}

std::shared_ptr<void> Offer::listen(Listener listener) const
{
    const auto place = m_listeners->all.insert(m_listeners->all.end(), std::move(listener));
    return {nullptr, [weak = std::weak_ptr(m_listeners), place](void*) {
                if (const auto known = weak.lock())
                    known->all.erase(place);
            }};
}

} // namespace belljar::mcp
