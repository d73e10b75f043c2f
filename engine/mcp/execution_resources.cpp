// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mcp/execution_resources.h"

#include "engine/base/deadline.h"
#include "engine/base/text.h"
#include "engine/mcp/result_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace belljar::mcp {

namespace {

using execution::Snapshot;
using Variables = ResourceTemplate::Variables;

constexpr const char* kJsonType = "application/json";
constexpr const char* kTextType = "text/plain";
constexpr const char* kViewType = "text/html;profile=mcp-app"; // SPEC.md section 3.2
constexpr std::size_t kMostStreamBytes = 1'000'000;            // as much as is kept

Reply jsonContents(const std::string& uri, const Json& value)
{
    return Json::array({textContents(uri, kJsonType, value.dump(2))});
}

RpcError notFound(const Error& error)
{
    return {kResourceNotFound, error.message(), {}};
}

Json limitJson(const policy::Limit& limit)
{
    Json json;
    json["default"] = limit.preset;
    json["most"] = limit.most;
    return json;
}

Json policyJson(const policy::Named& named)
{
    const policy::Policy& policy = named.policy;
    Json json;
    json["name"] = named.name;
    json["version"] = named.version;
    json["title"] = policy.title;
    json["description"] = policy.description;
    json["languages"] = policy.languages;
    json["network"] = "none";
    struct Row {
        const char* name;
        const policy::Limit& limit;
    };
    for (const Row& row :
         {Row{"timeout_ms", policy.timeoutMs},
          Row{"memory_bytes", policy.memoryBytes},
          Row{"cpu_millis", policy.cpuMillis},
          Row{"pids", policy.pids},
          Row{"output_bytes", policy.outputBytes},
          Row{"workspace_bytes", policy.workspaceBytes},
          Row{"tmp_bytes", policy.tmpBytes}})
        json["limits"][row.name] = limitJson(row.limit);
    json["rules"] = Json::array();
    for (const policy::Rule& rule : policy.rules) {
        Json& one = json["rules"].emplace_back();
        one["name"] = rule.name;
        one["then"] = execution::nameOf(rule.then);
        one["why"] = rule.why;
    }
    json["otherwise"] = execution::nameOf(policy.otherwise);
    return json;
}

Json languagesJson(const std::vector<LanguageInfo>& languages, const policy::Named* named)
{
    Json list = Json::array();
    for (const LanguageInfo& language : languages) {
        Json& one = list.emplace_back();
        one["id"] = language.id;
        one["title"] = language.title;
        one["also_called"] = language.names;
        one["has"] = language.has;
        if (named) {
            const auto& allowed = named->policy.languages;
            one["allowed"] =
                std::find(allowed.begin(), allowed.end(), language.id) != allowed.end();
        }
    }
    return list;
}

Json samplesJson(const std::vector<execution::Sample>& samples)
{
    Json list = Json::array();
    for (const execution::Sample& sample : samples) {
        Json& one = list.emplace_back();
        one["at_ms"] = sample.at.count();
        one["cpu_percent"] = sample.cpuPercent;
        one["memory_bytes"] = sample.memoryBytes;
    }
    return list;
}

/// The templates below the execution's own.
class ExecutionReader {
public:
    explicit ExecutionReader(ResourceParts parts)
        : m_parts(std::move(parts))
    {}

    asio::awaitable<Reply> readWhole(std::shared_ptr<Call> call, Variables variables) const
    {
        auto snapshot = co_await find(call, variables);
        if (!snapshot)
            co_return notFound(snapshot.error());
        co_return jsonContents(
            call->param("uri"), answerFor(*snapshot, kMostStreamBytes, {}).structured
        );
    }

    asio::awaitable<Reply> readPart(std::shared_ptr<Call> call, Variables variables) const
    {
        auto snapshot = co_await find(call, variables);
        if (!snapshot)
            co_return notFound(snapshot.error());
        const std::string uri = call->param("uri");
        const std::string part = variables["part"];
        if (part == "samples") {
            auto samples = co_await m_parts.samples(snapshot->record.id);
            if (!samples)
                co_return notFound(samples.error());
            co_return jsonContents(uri, samplesJson(*samples));
        }
        if (part != "stdout" && part != "stderr")
            co_return RpcError{kResourceNotFound, "expected stdout, stderr or samples", {}};
        const auto stream =
            part == "stdout" ? execution::Stream::Stdout : execution::Stream::Stderr;
        const execution::Record& record = snapshot->record;
        const auto& totals = part == "stdout" ? record.standardOutput : record.standardError;
        const StreamText shown = streamText(snapshot->output, stream, totals, kMostStreamBytes);
        co_return Json::array({textContents(uri, kTextType, shown.text)});
    }

    asio::awaitable<Reply> readFile(std::shared_ptr<Call> call, Variables variables) const
    {
        auto snapshot = co_await find(call, variables);
        if (!snapshot)
            co_return notFound(snapshot.error());
        const std::string& text = variables["number"];
        std::size_t place = 0;
        const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), place);
        const auto& files = snapshot->files.files;
        if (wrong != std::errc() || end != text.data() + text.size() || place >= files.size() ||
            files[place].fate != execution::FileFate::Kept)
            co_return RpcError{kResourceNotFound, "it kept no file of this number", {}};
        const execution::RunFile file = files[place];
        auto bytes = co_await m_parts.fileBytes(snapshot->record.id, place);
        if (!bytes)
            co_return notFound(bytes.error());
        const std::string uri = call->param("uri");
        const std::string_view type = execution::mediaTypeOf(file.kind);
        co_return Json::array(
            {isValidUtf8(*bytes) && !execution::isPicture(file.kind)
                 ? textContents(uri, type, std::move(*bytes))
                 : blobContents(uri, type, *bytes)}
        );
    }

private:
    asio::awaitable<Result<Snapshot>>
    find(std::shared_ptr<Call> call, const Variables& variables) const
    {
        const ExecutionId id(variables.at("id"));
        return m_parts.executions->wait(id, call->client.id, SteadyClock::now());
    }

    ResourceParts m_parts;
};

} // namespace

std::string executionUri(const ExecutionId& id)
{
    return "belljar://executions/" + id.text();
}

void addResources(Offer& offer, ResourceParts parts)
{
    const auto reader = std::make_shared<const ExecutionReader>(parts);

    Resource policy;
    policy.uri = kPolicyUri;
    policy.name = "policy";
    policy.title = "Policy in force";
    policy.description = "Limits, allowed languages, and what is refused or asked about";
    policy.mediaType = kJsonType;
    policy.read = [inForce = parts.policy](std::shared_ptr<Call>) -> asio::awaitable<Reply> {
        co_return jsonContents(kPolicyUri, policyJson(*inForce()));
    };
    offer.add(std::move(policy));

    Resource languages;
    languages.uri = kLanguagesUri;
    languages.name = "languages";
    languages.title = "Languages";
    languages.description = "What a program finds in the sandbox of each language";
    languages.mediaType = kJsonType;
    languages.read = [inForce = parts.policy,
                      all = parts.languages](std::shared_ptr<Call>) -> asio::awaitable<Reply> {
        co_return jsonContents(kLanguagesUri, languagesJson(all, inForce().get()));
    };
    offer.add(std::move(languages));

    Resource view;
    view.uri = kViewUri;
    view.name = "execution-view";
    view.title = "A run";
    view.description = "Shows a run's output and its use of processor and memory";
    view.mediaType = kViewType;
    view.listed = false; // hosts find it by the tool
    view.read = [html = parts.view](std::shared_ptr<Call>) -> asio::awaitable<Reply> {
        Json contents = textContents(kViewUri, kViewType, html);
        contents["_meta"]["ui"]["prefersBorder"] = true;
        co_return Json::array({contents});
    };
    offer.add(std::move(view));

    struct Row {
        const char* path;
        const char* name;
        const char* title;
        const char* description;
        const char* mediaType;
        asio::awaitable<Reply> (ExecutionReader::*read)(std::shared_ptr<Call>, Variables) const;
    };
    static constexpr std::array kRows{
        Row{"",
            "execution",
            "A run",
            "State and result of a run that this client asked for, as execute_code answers it",
            kJsonType,
            &ExecutionReader::readWhole},
        Row{"/{part}",
            "execution-part",
            "Output or samples of a run",
            "stdout or stderr: all that is kept of it; samples: processor and memory over time",
            "",
            &ExecutionReader::readPart},
        Row{"/files/{number}",
            "execution-file",
            "A file that a run left",
            "By its number in the result's list of files",
            "",
            &ExecutionReader::readFile},
    };
    for (const Row& row : kRows) {
        ResourceTemplate family;
        family.uriTemplate = std::string("belljar://executions/{id}") + row.path;
        family.name = row.name;
        family.title = row.title;
        family.description = row.description;
        family.mediaType = row.mediaType;
        family.read = [reader, read = row.read](std::shared_ptr<Call> call, Variables variables) {
            return ((*reader).*read)(std::move(call), std::move(variables));
        };
        offer.add(std::move(family));
    }
}

} // namespace belljar::mcp
